// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

const (
	// looksAt is how many directory entries are checked for problems, and sessionsLookedAt how many sessions.
	looksAt          = 100_000
	sessionsLookedAt = 500
	// namedOfKind is how many files are named for each kind of problem.
	namedOfKind = 3
)

// oddities collects files in the locations of agents that are not sessions, or are incomplete ones.
type oddities struct {
	left  int
	seen  map[string]bool
	order []phrase.Text       // kinds in the order they were found, without the path
	paths map[string][]string // keyed by the kind in English
}

// Oddities returns messages about files in the locations of agents that are not read, or only partly, and why. The
// sessions are those found, newest first. Paths that could not be read at all are Problems of the search.
func Oddities(ctx context.Context, e dirs.Environment, sessions []transcript.Session) []phrase.Text {
	o := &oddities{left: looksAt, seen: map[string]bool{}, paths: map[string][]string{}}
	for _, root := range agents.Roots(e) {
		if root.List != nil && ctx.Err() == nil {
			o.root(root)
			o.unreadTables(ctx, root)
		}
	}
	looked := 0
	for i := range sessions {
		s := &sessions[i]
		if ctx.Err() != nil {
			break
		}
		if !isDatabaseName(s.Path) { // these are checked once each
			if looked++; looked > sessionsLookedAt {
				continue
			}
		}
		if s.Form == transcript.Lines || s.Form == transcript.WithSidecars {
			o.session(s)
		}
		o.form(ctx, s)
	}
	return o.sentences()
}

// is adds a file to a kind of problem: a phrase whose first value is the file, followed by more.
func (o *oddities) is(id phrase.ID, path string, more ...string) {
	args := []phrase.Arg{phrase.Name("")}
	for _, name := range more {
		args = append(args, phrase.Name(name))
	}
	kind := id.Text(args...)
	key := kind.String()
	if o.paths[key] == nil {
		o.order = append(o.order, kind)
	}
	if !slices.Contains(o.paths[key], path) {
		o.paths[key] = append(o.paths[key], path)
	}
}

func (o *oddities) sentences() (all []phrase.Text) {
	for _, kind := range o.order {
		paths := o.paths[kind.String()]
		named := len(paths)
		if named > namedOfKind+1 { // a single one is not counted, but named
			named = namedOfKind
		}
		for _, path := range paths[:named] {
			args := slices.Clone(kind.Phrase.Args)
			args[0] = phrase.Name(path)
			all = append(all, kind.Phrase.ID.Text(args...))
		}
		if more := len(paths) - named; more > 0 {
			all = append(all, phrase.SameForOthers.Text(phrase.Count(int64(more))))
		}
	}
	return all
}

// root checks one location.
func (o *oddities) root(root agents.Root) {
	if o.seen[root.Path] {
		return
	}
	o.seen[root.Path] = true
	info, err := os.Lstat(root.Path)
	switch {
	case err != nil:
		if _, err := os.Lstat(root.Path + "-wal"); err == nil && isDatabaseName(root.Path) {
			o.is(phrase.StrayLog, root.Path+"-wal")
		}
		return
	case info.Mode()&os.ModeSymlink != 0:
		if info, err = os.Stat(root.Path); err != nil {
			o.is(phrase.DeadLink, root.Path)
			return
		}
		o.is(phrase.LiveLink, root.Path)
	}
	switch {
	case info.IsDir():
		if root.Within == nil {
			o.folder(root.Path, 0)
		}
		for _, pattern := range root.Within {
			found, _ := filepath.Glob(filepath.Join(agents.Escaped(root.Path), filepath.FromSlash(pattern)))
			for _, folder := range found {
				o.folder(folder, 0)
			}
		}
	case !info.Mode().IsRegular():
		o.is(phrase.SpecialFile, root.Path)
	case info.Size() == 0 && isDatabaseName(root.Path):
		o.is(phrase.EmptyStore, root.Path)
	}
}

// folder checks the entries in and below a directory, without following links.
func (o *oddities) folder(path string, depth int) {
	list, err := os.ReadDir(path)
	if os.IsPermission(err) {
		o.is(phrase.NoEntry, path)
	}
	names := map[string]bool{}
	for _, entry := range list {
		names[entry.Name()] = true
	}
	for _, entry := range list {
		if o.left--; o.left < 0 {
			return
		}
		name := entry.Name()
		inner := filepath.Join(path, name)
		switch mode := entry.Type(); {
		case mode&os.ModeSymlink != 0:
			if info, err := os.Stat(inner); err != nil {
				o.is(phrase.DeadLink, inner)
			} else if info.IsDir() || LooksLikeSession(inner) {
				o.is(phrase.LiveLink, inner)
			}
		case mode.IsDir():
			if depth < 6 {
				o.folder(inner, depth+1)
			}
		case !mode.IsRegular():
			if LooksLikeSession(inner) {
				o.is(phrase.SpecialFile, inner)
			}
		case strings.HasSuffix(name, "-wal") && isDatabaseName(strings.TrimSuffix(name, "-wal")):
			if !names[strings.TrimSuffix(name, "-wal")] {
				o.is(phrase.StrayLog, inner)
			}
		}
	}
}

func isDatabaseName(path string) bool {
	switch filepath.Ext(path) {
	case ".db", ".vscdb", ".sqlite", ".sqlite3":
		return true
	}
	return false
}

// session checks the end of a transcript, and which agent wrote its records.
func (o *oddities) session(s *transcript.Session) {
	f, err := safefile.File(s.Path)
	if err != nil {
		return // the search says so
	}
	defer f.Close()
	if endsWithin(f) {
		o.is(phrase.CutOff, s.Path)
	}
	if s.Size == 0 {
		return
	}
	name := func(id string) string {
		if known, ok := agent.Find(id); ok {
			return known.Name
		}
		return id
	}
	switch by := recognise(*s); {
	case by == "":
		o.is(phrase.NotTheirs, s.Path, name(s.Agent))
	case !agents.Related(by, s.Agent):
		o.is(phrase.ForeignRecords, s.Path, name(s.Agent), name(by))
	}
}

// endsWithin reports whether a file of lines ends in the middle of a record.
func endsWithin(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	for _, length := range []int64{4 << 10, transcript.FirstRead, transcript.LongRead} { // most records are short
		at := max(info.Size()-length, 0)
		end := transcript.ReadSome(f, nil, at, info.Size())
		newline := bytes.LastIndexByte(end, '\n')
		if newline < 0 && at > 0 {
			continue // the record begins further back
		}
		last := transcript.TrimSpace(end[newline+1:])
		_, err = json.Parse(last)
		return len(last) > 0 && err != nil
	}
	return true // only a record that was cut off is as long
}

// unreadTables checks for tables with sessions that are not read.
func (o *oddities) unreadTables(ctx context.Context, root agents.Root) {
	if unread, err := agents.Named(root.Agent).UnreadOf(ctx, root.Path); err == nil && len(unread.Tables) > 0 {
		o.is(phrase.UnreadTables, root.Path, strings.Join(unread.Tables, ", "))
	}
}
