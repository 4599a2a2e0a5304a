// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Bounds on the files that are looked at because an agent uses them.
const (
	maxKeptFiles  = 100       // of which it is remembered what was in them
	maxUnrecorded = 300 << 10 // bytes of all files that are read for one request
	maxReadLines  = 2000      // that are sent of a file
	maxReadBytes  = 100 << 10 // of a file; the agent refuses what is longer than 25,000 tokens
)

// What is sent around such texts, in tokens: the names of the tool and of the
// file, and sentences to the model. They are those of the versions that record
// the same texts (core/agent/claudecode_attachment.go).
const (
	aroundMentioned = 60
	aroundNested    = 30
	aroundChanged   = 92

	// readNote stands behind the text of each file that is read: in every recorded result of 2.0.76 to 2.1.37, and in
	// none of 2.1.39.
	readNote      = 84
	readNoteUntil = "2.1.38"
)

// olderThan compares two versions, such as 2.1.9 and 2.1.38. What is no version is older than none.
func olderThan(version, than string) bool {
	a, b := strings.Split(version, "."), strings.Split(than, ".")
	for i := range b {
		if i >= len(a) {
			return false
		}
		n, err := strconv.Atoi(a[i])
		m, _ := strconv.Atoi(b[i])
		if err != nil || n != m {
			return err == nil && n < m
		}
	}
	return false
}

// sentFiles finds what an agent sends of the files of a workspace and does not
// record. It writes nothing, and keeps of a file its time and a number for each
// line. Links out of the workspace or of the agent's own folders are not
// followed.
type sentFiles struct {
	environment dirs.Environment
	session     transcript.Session
	home        string
	kept        []*keptFile
	memory      map[string]bool // memory files that were sent
	partly      bool            // what was sent earlier is not known
}

// keptFile is how a file was when the agent knew all of it.
type keptFile struct {
	path   string
	time   time.Time
	lines  []uint64
	writes time.Time // the agent is about to change it since then; zero if it is not
}

// newFiles returns what looks at the files of a session. home is the agent's own folder.
func newFiles(e dirs.Environment, s transcript.Session, home string) *sentFiles {
	return &sentFiles{environment: e, session: s, home: home, memory: map[string]bool{}}
}

// look answers for the files that the agent has used since the last call, and
// for those that have changed.
func (f *sentFiles) look(wanted []wantedFile, partly bool) (out found) {
	f.partly = partly
	if len(wanted) == 0 && len(f.kept) == 0 {
		return out
	}
	l := &loader{environment: f.environment, session: f.session, budget: maxUnrecorded, listing: maxListed}
	defer l.close()
	if l.workspace = l.root(f.session.Workspace); l.workspace == nil {
		return out
	}
	if own := l.own(f.home); len(wanted) > 0 {
		l.excludes = readSettings(l, own).excludes
	}
	for _, w := range wanted {
		switch w.use {
		case "forgotten":
			f.forgetAll()
		case "mentioned":
			f.mentioned(l, w, &out)
		case "read":
			f.keep(l, w)
			f.nested(l, w, &out)
		case "readInPart":
			f.forget(f.place(l, w.path).whole())
			f.nested(l, w, &out)
		case "written":
			f.writes(l, w)
		}
	}
	for _, kept := range f.kept {
		kept.look(f, l, &out)
	}
	return out
}

// forgetAll is how it is when nothing has been sent.
func (f *sentFiles) forgetAll() { f.kept, f.memory = nil, map[string]bool{} }

// place is where a file lies that the agent may be followed to.
type place struct {
	in   *folder
	path string // below the folder, with slashes
}

func (p place) whole() string {
	if p.in == nil {
		return ""
	}
	return filepath.Join(p.in.dir, filepath.FromSlash(p.path))
}

// place finds a file in the workspace or in one of the agent's own folders.
func (f *sentFiles) place(l *loader, path string) place {
	path = filepath.FromSlash(path)
	if rest, home := strings.CutPrefix(path, "~"+string(filepath.Separator)); home {
		path = filepath.Join(f.environment.Home, rest)
	} else if !filepath.IsAbs(path) {
		path = filepath.Join(l.workspace.dir, path)
	}
	for _, in := range l.folders {
		for _, dir := range []string{in.dir, in.real} {
			if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) && (in == l.workspace || in.mayImport) {
				return place{in, filepath.ToSlash(rel)}
			}
		}
	}
	return place{}
}

// stat is what the disk knows of a file; nil if there is none.
func (p place) stat() os.FileInfo {
	if p.in == nil {
		return nil
	}
	info, err := p.in.root.Stat(filepath.FromSlash(p.path))
	if err != nil {
		return nil
	}
	return info
}

// text reads a text file as it is now, unless it is too large.
func (p place) text(l *loader) (text string, ok bool) {
	l.seen = nil // the same file may be read for several reasons
	l.session.Started = time.Now().Add(time.Hour)
	b, ok := l.read(p.in, p.path, maxLoadedFile)
	return strings.TrimPrefix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\uFEFF"), ok && !strings.Contains(string(b), "\x00")
}

// unchanged is true of a file that nobody has changed since a time, as far as
// the clocks of disks and of records agree.
func unchanged(info os.FileInfo, since time.Time) bool {
	return !since.IsZero() && !info.ModTime().After(since.Add(2*time.Second))
}

// lineRange is the end of a mention: path#L10-20.
var lineRange = regexp.MustCompile(`^([^#]+)#L([0-9]{1,9})(?:-([0-9]{1,9}))?$`)

// mentioned tells a file, or the list of a folder, that the person has named.
// One that the agent has just read is not sent again.
func (f *sentFiles) mentioned(l *loader, w wantedFile, out *found) {
	from, to, whole := 1, maxReadLines, true
	if m := lineRange.FindStringSubmatch(w.path); m != nil {
		w.path, whole = m[1], false
		from, _ = strconv.Atoi(m[2])
		if to = from; m[3] != "" {
			to, _ = strconv.Atoi(m[3])
		}
	}
	at := f.place(l, w.path)
	info := at.stat()
	switch {
	case info == nil:
		return // it is no name of a file, as in @someone, or one of a file elsewhere
	case info.IsDir():
		if !w.sent {
			out.texts = append(out.texts, unrecorded{"documents", at.whole(), quoted(f.listed(l, at)), aroundMentioned})
		}
		return
	case !w.sent && whole && slices.ContainsFunc(f.kept, func(k *keptFile) bool { return k.path == at.whole() && k.time.Equal(info.ModTime()) }):
		return
	case !w.sent:
		text, ok := at.text(l)
		numbered := lined(strings.Split(text, "\n"), from, to)
		switch {
		case !unchanged(info, w.at):
			out.unknown = append(out.unknown, phrase.PromptFileChanged.Text(phrase.Name(strings.ToValidUTF8(at.path, "\uFFFD"))))
		case !ok || len(numbered) > maxReadBytes:
			out.unknown = append(out.unknown, phrase.PromptFileUnread.Text(phrase.Name(strings.ToValidUTF8(at.path, "\uFFFD"))))
		default:
			around := int64(aroundMentioned)
			if olderThan(f.session.Version, readNoteUntil) {
				around += readNote
			}
			out.texts = append(out.texts, unrecorded{"documents", at.whole(), quoted(numbered), around})
		}
	}
	if whole {
		f.keep(l, w)
	}
	f.nested(l, w, out)
}

// listed is the list of a folder as ls prints it.
func (f *sentFiles) listed(l *loader, at place) string {
	var names []string
	for _, entry := range l.names(at.in, at.path) {
		if !strings.HasPrefix(entry.Name(), ".") && len(names) < maxReadLines {
			names = append(names, entry.Name())
		}
	}
	return strings.Join(names, "\n")
}

// lined puts its number before each line, as the agent's tool does.
func lined(lines []string, from, to int) string {
	var out strings.Builder
	for i := max(from, 1); i <= min(to, len(lines)); i++ {
		if i > from {
			out.WriteByte('\n')
		}
		number := strconv.Itoa(i)
		out.WriteString(strings.Repeat(" ", max(6-len(number), 0)) + number + "→" + lines[i-1])
	}
	return out.String()
}

// quoted is a text as the agent sends that of a file: as JSON.
func quoted(text string) string {
	w := json.Writer{}
	w.String(strings.ToValidUTF8(text, "\uFFFD"))
	return string(w.Buf)
}

// nested tells the memory files that come with the first file of a folder that
// is read: those of all folders between the workspace and the file, and the
// rules that are for its path.
func (f *sentFiles) nested(l *loader, w wantedFile, out *found) {
	at := f.place(l, w.path)
	if at.in != l.workspace || at.stat() == nil {
		return
	}
	l.session.Started = time.Now().Add(time.Hour) // as they are now, they are sent
	before := len(l.out.Memory)
	for i := range at.path {
		if at.path[i] != '/' {
			continue
		}
		dir := at.path[:i]
		l.memory(l.workspace, dir+"/CLAUDE.md")
		l.memory(l.workspace, dir+"/.claude/CLAUDE.md")
		l.rules(l.workspace, dir+"/.claude/rules")
		f.rulesFor(l, dir+"/.claude/rules", at.path[i+1:])
		l.memory(l.workspace, dir+"/CLAUDE.local.md")
	}
	f.rulesFor(l, ".claude/rules", at.path)
	for _, text := range l.out.Memory[before:] {
		if f.memory[text.Label] {
			continue
		}
		f.memory[text.Label] = true
		if !w.sent && !f.partly {
			out.texts = append(out.texts, unrecorded{"memory", filepath.Join(l.workspace.dir, text.Label), text.Text, aroundNested})
		}
	}
}

// rulesFor loads the rules of a folder that are limited to paths, of which one is that of a file.
func (f *sentFiles) rulesFor(l *loader, dir, file string) {
	for _, path := range l.files(l.workspace, dir, ".md", 0) {
		l.memoryOf(l.workspace, path, func(v *promptfile.View) bool {
			return v.Load.When == promptfile.ByPath && slices.ContainsFunc(v.Load.Globs, func(pattern string) bool {
				glob := globOf(pattern)
				return glob != nil && glob.MatchString(file)
			})
		}, 0)
	}
}
