// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/stores"
)

// At makes a session of a file or folder that somebody has named. It recognises the agent by
// the content, whatever the
// name and place.
func At(path string) (Session, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Session{}, err
	}
	if info.IsDir() {
		return Session{}, fmt.Errorf("%s is a directory; name a session in it", path)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return Session{}, err
	}
	s := Session{Path: absolute, Modified: info.ModTime(), Size: info.Size()}
	if s.kind, err = kindOf(path); err != nil {
		return Session{}, err
	}
	if s.kind == kindDocument && isTreeSession(absolute) {
		s.kind = kindTree
	}
	if shown, ok := taskOf(absolute); ok && s.kind == kindDocument {
		s.kind, s.Path = kindTask, shown
	}
	if s.kind == kindDatabase {
		sessions, err := sessionsIn(context.Background(), absolute)
		if err != nil {
			return Session{}, err
		}
		newest := -1
		for i, candidate := range sessions {
			if candidate.Parent == "" && (newest < 0 || candidate.Modified.After(sessions[newest].Modified)) {
				newest = i
			}
		}
		if newest < 0 {
			return Session{}, fmt.Errorf("%s contains no session", path)
		}
		return sessions[newest], nil
	}
	var doc json.Document
	if err := readHead(&s, &doc); err != nil {
		return Session{}, err
	}
	if s.Agent = recognise(s); s.kind == kindLines && len(sidecars(s)) > 0 {
		s.kind = kindBeside
	}
	if s.Agent == "" {
		if store := stores.RecogniseText(absolute); store != nil {
			s.Agent, s.kind = store.Agent, kindStore
			if err := readStoreHead(&s); err != nil {
				return Session{}, err
			}
			return s, nil
		}
	}
	if head := of(s).Head; head != nil {
		head(&s)
	}
	complete(&s)
	return s, nil
}

// sessionsIn lists the sessions of a database, whoever's it is.
func sessionsIn(ctx context.Context, path string) ([]Session, error) {
	if store := stores.Recognise(ctx, path); store != nil {
		return storeSessions(ctx, store.Agent, path)
	}
	return databaseSessions(ctx, agent.OpenCode, path)
}

// Known makes a session of a transcript that its own agent has named, without looking into it.
func Known(path, id, agent, workspace string) (Session, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Session{}, err
	}
	s := Session{ID: id, Agent: agent, Path: path, Workspace: workspace, Modified: info.ModTime(), Size: info.Size()}
	switch {
	case strings.HasSuffix(path, ".zst"):
		s.kind = kindZstd
	case strings.HasSuffix(path, ".json"):
		s.kind = kindDocument
	}
	complete(&s)
	return s, nil
}

// kindOf looks at the first bytes of a file.
func kindOf(path string) (kind, error) {
	f, err := safefile.File(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	start := readSome(f, nil, 0, firstRead)
	if len(start) == firstRead && len(firstLine(start)) == len(start) {
		start = readSome(f, nil, 0, longRead)
	}
	text := trimSpace(start)
	switch {
	case strings.HasPrefix(string(start[:min(16, len(start))]), "SQLite format 3"):
		return kindDatabase, nil
	case len(start) >= 4 && string(start[:4]) == "\x28\xb5\x2f\xfd":
		return kindZstd, nil
	case len(text) > 0 && text[0] == '[':
		return kindDocument, nil
	}
	// The object of a document continues beyond its first line, and the object of a record does
	// not. A single complete
	// object could be either, so its content decides.
	end := json.ContainerEnd(firstLine(text))
	if end > 0 && (len(trimSpace(text[end:])) > 0 || !strings.HasSuffix(path, ".json")) {
		return kindLines, nil
	}
	if end > 0 || len(text) > 0 && text[0] == '{' && (strings.HasSuffix(path, ".json") || len(firstLine(text)) < 3) {
		return kindDocument, nil
	}
	return kindLines, nil
}

func firstLine(text []byte) []byte {
	for i, c := range text {
		if c == '\n' {
			return text[:i]
		}
	}
	return text
}

// recognise asks core/agent which agent has written the first records.
func recognise(s Session) string {
	var doc json.Document
	ask := func(record []byte) string {
		v, err := doc.Parse(trimSpace(record))
		if err != nil {
			return ""
		}
		return agent.Recognise(v)
	}
	if s.kind == kindLines || s.kind == kindZstd {
		for _, size := range []int{firstRead, longRead} {
			text, all, err := headBytes(&s, size)
			if err != nil {
				return ""
			}
			for n := 0; len(text) > 0 && n < headLines; n++ {
				line := firstLine(text)
				if len(line) == len(text) && !all {
					break // the record is incomplete
				}
				if name := ask(line); name != "" {
					return name
				}
				text = text[min(len(line)+1, len(text)):]
			}
			if all {
				break
			}
		}
		return ""
	}
	var b Batch
	if err := openRaw(s).Next(context.Background(), &b); err != nil {
		return ""
	}
	for i := range min(b.Count, headLines) {
		if name := ask(b.record(i)); name != "" {
			return name
		}
	}
	return ""
}

// Walk finds the transcripts at a path, in the order of their names: the file itself, or
// everything in a folder that
// looks like a session. It follows links only once.
func Walk(path string, see func(Session), trouble func(Problem)) {
	visited := map[string]bool{}
	var walk func(path string, depth int)
	walk = func(path string, depth int) {
		info, err := os.Stat(path)
		if err != nil {
			trouble(problem(path, err))
			return
		}
		if !info.IsDir() {
			if depth > 0 && !looksLikeSession(path) {
				return
			}
			if shown, ok := taskOf(path); ok && depth > 0 && shown != path {
				return // the task is found by its other file
			}
			s, err := At(path)
			switch {
			case err != nil:
				trouble(problem(path, err))
			case s.Agent == "" && depth > 0:
				// This is some other JSON; a folder may contain anything.
			case s.kind == kindDatabase || s.kind == kindStore && filepath.Ext(path) != ".json" && filepath.Ext(path) != ".jsonl":
				sessions, _ := sessionsIn(context.Background(), s.Path)
				for _, s := range sessions {
					see(s)
				}
			default:
				see(s)
			}
			return
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil || visited[real] || depth > 64 {
			return
		}
		visited[real] = true
		if isTree(path) {
			// A folder that cannot be read has no sessions that could be.
			_ = treeSessions(path, func(session, id string, info os.FileInfo) { walk(session, depth+1) })
			return
		}
		list, err := os.ReadDir(path)
		if err != nil {
			trouble(problem(path, err))
		}
		for _, entry := range list {
			walk(filepath.Join(path, entry.Name()), depth+1)
		}
	}
	walk(path, 0)
}

// secrets lists files beside sessions in which agents keep their credentials. They are never opened.
var secrets = []string{"auth.json", "credentials.json", "oauth_creds.json", "google_accounts.json", "apps.json", "hosts.json", "secrets.json"}

func looksLikeSession(path string) bool {
	if name := filepath.Base(path); name[0] == '.' || slices.Contains(secrets, name) {
		return false
	}
	for _, suffix := range []string{".jsonl", ".jsonl.zst", ".json", ".db", ".vscdb", ".sqlite3"} {
		if strings.HasSuffix(path, suffix) {
			return true
		}
	}
	return false
}
