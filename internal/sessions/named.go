// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// At returns the session in a file or directory given by the user. It recognizes the agent by the content, whatever the
// name and location.
func At(path string) (transcript.Session, error) {
	info, err := os.Stat(path)
	if err != nil {
		return transcript.Session{}, err
	}
	if info.IsDir() {
		return transcript.Session{}, fmt.Errorf("%s is a directory; name a session in it", path)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return transcript.Session{}, err
	}
	s := transcript.Session{Path: absolute, Modified: info.ModTime(), Size: info.Size()}
	if s.Form, err = kindOf(path); err != nil {
		return transcript.Session{}, err
	}
	if s.Form == transcript.Document {
		s.Path, s.Form = agents.Whole(absolute)
	}
	if s.Form == transcript.Database {
		sessions, err := agents.InDatabase(context.Background(), absolute)
		if err != nil {
			return transcript.Session{}, err
		}
		newest := -1
		for i, candidate := range sessions {
			if candidate.Parent == "" && (newest < 0 || candidate.Modified.After(sessions[newest].Modified)) {
				newest = i
			}
		}
		if newest < 0 {
			return transcript.Session{}, fmt.Errorf("%s contains no session", path)
		}
		return sessions[newest], nil
	}
	var doc json.Document
	if err := readHead(&s, &doc); err != nil {
		return transcript.Session{}, err
	}
	if s.Agent = recognise(s); s.Form == transcript.Lines && len(agents.Sidecars(s)) > 0 {
		s.Form = transcript.WithSidecars
	}
	owner := agents.ByID(s.Agent)
	if owner == nil {
		owner = agents.OfDocument(absolute)
	} else if !owner.KeepsLines() {
		owner = nil
	}
	if owner != nil {
		s.Agent, s.Form = owner.ID, transcript.Store
		if err := agents.ReadStoreHead(&s); err != nil {
			return transcript.Session{}, err
		}
		return s, nil
	}
	if head := agents.Of(s).Head; head != nil {
		head(&s)
	}
	complete(&s)
	return s, nil
}

// AtPath returns the session of a transcript that its own agent has named, without reading it.
func AtPath(path, id, agent, workspace string) (transcript.Session, error) {
	info, err := os.Stat(path)
	if err != nil {
		return transcript.Session{}, err
	}
	s := transcript.Session{ID: id, Agent: agent, Path: path, Workspace: workspace, Modified: info.ModTime(), Size: info.Size()}
	switch {
	case strings.HasSuffix(path, ".zst"), strings.HasSuffix(path, ".gz"):
		s.Form = transcript.Compressed
	case strings.HasSuffix(path, ".json"):
		s.Form = transcript.Document
	}
	complete(&s)
	return s, nil
}

// kindOf returns the form of a file by its first bytes.
func kindOf(path string) (transcript.Form, error) {
	f, err := safefile.File(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	start := transcript.ReadSome(f, nil, 0, transcript.FirstRead)
	if len(start) == transcript.FirstRead && len(transcript.FirstLine(start)) == len(start) {
		start = transcript.ReadSome(f, nil, 0, transcript.LongRead)
	}
	text := transcript.TrimSpace(start)
	switch {
	case strings.HasPrefix(string(start[:min(16, len(start))]), "SQLite format 3"):
		return transcript.Database, nil
	case transcript.IsCompressed(start):
		return transcript.Compressed, nil
	case len(text) > 0 && text[0] == '[':
		return transcript.Document, nil
	}
	// The object of a document continues beyond its first line, and that of a record does not. A single complete object
	// could be either, so its content decides.
	end := json.ContainerEnd(transcript.FirstLine(text))
	if end > 0 && (len(transcript.TrimSpace(text[end:])) > 0 || !strings.HasSuffix(path, ".json")) {
		return transcript.Lines, nil
	}
	if end > 0 || len(text) > 0 && text[0] == '{' && (strings.HasSuffix(path, ".json") || len(transcript.FirstLine(text)) < 3) {
		return transcript.Document, nil
	}
	return transcript.Lines, nil
}

// recognise returns the agent that has written the first records, or "" if it is unknown.
func recognise(s transcript.Session) string {
	var doc json.Document
	ask := func(record []byte) string {
		v, err := doc.Parse(transcript.TrimSpace(record))
		if err != nil {
			return ""
		}
		if owner := agents.OfLine(v); owner != nil {
			return owner.ID
		}
		return agent.Recognise(v)
	}
	if s.Form == transcript.Lines || s.Form == transcript.Compressed {
		for _, size := range []int{transcript.FirstRead, transcript.LongRead} {
			text, all, err := transcript.Beginning(&s, size)
			if err != nil {
				return ""
			}
			for n := 0; len(text) > 0 && n < transcript.HeadLines; n++ {
				line := transcript.FirstLine(text)
				if name := ask(line); name != "" { // a record that is incomplete is not JSON
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
	var b transcript.Batch
	if err := agents.OpenOwn(s).Next(context.Background(), &b); err != nil {
		return ""
	}
	for i := range min(b.Count, transcript.HeadLines) {
		if name := ask(b.Record(i)); name != "" {
			return name
		}
	}
	return ""
}

// Below finds the transcripts at a path, in the order of their names: the file itself, or everything in a directory
// that looks like a session. It follows each link only once. Files and directories that refuses returns an error for
// are not opened; refuses may be nil.
func Below(path string, refuses func(path string) error, see func(transcript.Session), trouble func(Problem)) {
	visited := map[string]bool{}
	var walk func(path string, depth int)
	walk = func(path string, depth int) {
		if refuses != nil {
			if err := refuses(path); err != nil {
				trouble(Problem{Path: path, What: err.Error()})
				return
			}
		}
		info, err := os.Stat(path)
		if err != nil {
			trouble(problem(path, err))
			return
		}
		if !info.IsDir() {
			if depth > 0 && !LooksLikeSession(path) {
				return
			}
			if own, _ := agents.Whole(path); depth > 0 && own != path {
				return // the session is found through its own file
			}
			s, err := At(path)
			switch {
			case err != nil:
				trouble(problem(path, err))
			case s.Agent == "" && depth > 0:
				// This is some other JSON; a directory may contain anything.
			case s.Form == transcript.Database || s.Form == transcript.Store && filepath.Ext(path) != ".json" && filepath.Ext(path) != ".jsonl":
				sessions, _ := agents.InDatabase(context.Background(), s.Path)
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
		if agents.InFolder(path, func(session string) { walk(session, depth+1) }) {
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

// secrets lists files next to sessions that contain credentials of agents. They are never opened.
var secrets = []string{"auth.json", "credentials.json", "oauth_creds.json", "google_accounts.json", "apps.json", "hosts.json", "secrets.json"}

// LooksLikeSession reports whether a file may be a session, by its name alone.
func LooksLikeSession(path string) bool {
	if name := filepath.Base(path); name[0] == '.' || slices.Contains(secrets, name) || agents.IsHostSecret(path) {
		return false
	}
	for _, suffix := range []string{".jsonl", ".jsonl.zst", ".jsonl.gz", ".json", ".db", ".vscdb", ".sqlite3"} {
		if strings.HasSuffix(path, suffix) {
			return true
		}
	}
	return false
}
