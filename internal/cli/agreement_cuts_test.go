// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// A sessionCut is a moment in a session just after a record with a measured prompt: a number of lines, or of messages
// in a document.
type sessionCut struct {
	from string
	at   int
}

// A form is a way in which agents store sessions.
type form struct {
	// cuts returns the cuts of a session.
	cuts func(whole []byte) ([]int, error)
	// write writes the session up to a cut, in the form that its agent had left at that moment.
	write func(f *frontEnds, cut int)
}

// formOf returns the form in which the session in a file is stored; ok is false if it cannot be cut.
func formOf(path string) (form, bool) {
	by := filepath.Base(filepath.Dir(path))
	switch ext := filepath.Ext(path); {
	case ext == ".jsonl" && homes[by] != "":
		return form{cutsOfLines, (*frontEnds).writeLines}, true
	case ext == ".jsonl" && taskStores[by] != "":
		return form{cutsOfLines, (*frontEnds).writeTask}, true
	case ext == ".json" && documentHomes[by] != "":
		return form{cutsOfDocument, (*frontEnds).writeDocument}, true
	case ext == ".jsonl" && by == agent.OpenCode:
		return form{cutsOfLines, (*frontEnds).writeDatabase}, true
	case ext == ".json" && by == agent.OpenCode:
		return form{cutsOfDocument, (*frontEnds).writeTree}, true
	}
	return form{}, false
}

// homes are the locations of sessions of the directory SLUG that are stored as lines.
var homes = map[string]string{
	agent.ClaudeCode: ".claude/projects/SLUG/ID.jsonl",
	agent.Codex:      ".codex/sessions/2026/06/25/rollout-2026-06-25T08-00-00-ID.jsonl",
	agent.QwenCode:   ".qwen/projects/SLUG/chats/ID.jsonl",
	agent.CopilotCLI: ".copilot/session-state/ID/events.jsonl",
	agent.Pi:         ".pi/agent/sessions/-SLUG--/2026-03-02T09-00-00_ID.jsonl",
	agent.GeminiCLI:  ".gemini/tmp/shop/chats/session-2026-03-02T09-00-abcd1234.jsonl",
}

// documentHomes are the locations of sessions that are stored as one document. HASH is the SHA-256 of their directory.
var documentHomes = map[string]string{
	agent.Cline:        ".cline/data/sessions/ID/ID.messages.json",
	agent.GeminiCLI:    ".gemini/tmp/HASH/chats/session-2026-03-02T09-00-abcd1234.json",
	agent.MiniSWEAgent: ".config/mini-swe-agent/last_mini_run.traj.json",
}

// taskStores are the locations where VS Code stores the tasks of Cline and its forks.
var taskStores = map[string]string{
	agent.Cline:    ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/ID",
	agent.RooCode:  ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/ID",
	agent.KiloCode: ".config/Code/User/globalStorage/kilocode.kilo-code/tasks/ID",
}

// measureMark occurs in the records in which agents write the measurement of a request.
var measureMark = regexp.MustCompile(`"usage": ?\{|"last_token_usage": ?\{|"usageMetadata": ?\{|"tokens": ?\{|"inputTokens":|\\"tokensIn\\":`)

// measures reports whether a record contains a measureMark. Most contain none of its words, which are faster to find.
func measures(record []byte) bool {
	for _, word := range []string{`usage"`, `usageMetadata"`, `tokens"`, `inputTokens"`, `tokensIn\"`} {
		if bytes.Contains(record, []byte(word)) {
			return measureMark.Match(record)
		}
	}
	return false
}

// sessionCuts lists the cuts of all sessions that can be cut, and logs which sessions cannot.
func sessionCuts(t *testing.T) (cuts []sessionCut) {
	t.Helper()
	for _, root := range []string{filepath.Join("..", "..", "testdata", "sessions"), os.Getenv("CTX_FRESH"), os.Getenv("CTX_TRANSCRIPTS")} {
		if root == "" {
			t.Log("CTX_FRESH or CTX_TRANSCRIPTS names no directory: its sessions are not cut")
			continue
		}
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			form, ok := formOf(path)
			if err != nil || !ok {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all, err := form.cuts(text)
			for _, at := range all {
				cuts = append(cuts, sessionCut{path, at})
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return cuts
}

func cutsOfLines(whole []byte) (cuts []int, err error) {
	lines := 0
	for line := range bytes.Lines(whole) {
		if lines++; measures(line) {
			cuts = append(cuts, lines)
		}
	}
	return cuts, nil
}

func cutsOfDocument(whole []byte) (cuts []int, err error) {
	var document struct{ Messages []json.RawMessage }
	err = json.Unmarshal(whole, &document)
	for i, message := range document.Messages {
		if measures(message) {
			cuts = append(cuts, i+1)
		}
	}
	return cuts, err
}

// place returns the path of the session for a pattern of homes, documentHomes or taskStores.
func (f *frontEnds) place(pattern string) string {
	slug := regexp.MustCompile(`[^a-zA-Z0-9]`).ReplaceAllString(f.env.Dir, "-")
	return filepath.Join(f.home, filepath.FromSlash(strings.NewReplacer("SLUG", slug, "HASH", hashOf(f.env.Dir), "ID", f.id).Replace(pattern)))
}

func hashOf(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:])
}

// put writes a file of the session.
func (f *frontEnds) put(path string, text []byte) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func (f *frontEnds) writeLines(lines int) {
	f.t.Helper()
	end := 0
	for line := range bytes.Lines(f.whole) {
		if lines--; lines < 0 {
			break
		}
		end += len(line)
	}
	f.path, f.text = f.place(homes[f.by]), f.whole[:end]
	f.put(f.path, f.text)
}

// document returns the document of the session, cut after some of its messages.
func (f *frontEnds) document(messages int) (document map[string]json.RawMessage, kept []json.RawMessage) {
	f.t.Helper()
	if err := json.Unmarshal(f.whole, &document); err != nil {
		f.t.Fatal(err)
	}
	if err := json.Unmarshal(document["messages"], &kept); err != nil {
		f.t.Fatal(err)
	}
	kept = kept[:messages]
	document["messages"] = marshaled(kept)
	return document, kept
}

func marshaled(v any) []byte {
	text, _ := json.Marshal(v) // of strings, maps and raw messages
	return text
}

func (f *frontEnds) writeDocument(messages int) {
	f.t.Helper()
	document, _ := f.document(messages)
	f.path = f.place(documentHomes[f.by])
	switch f.by {
	case agent.GeminiCLI:
		document["projectHash"], f.placed = marshaled(hashOf(f.env.Dir)), true
	case agent.Cline:
		f.put(strings.TrimSuffix(f.path, ".messages.json")+".json", marshaled(map[string]string{"cwd": f.env.Dir}))
		f.placed = true
	}
	f.text = marshaled(document)
	f.put(f.path, f.text)
}

// writeTree writes OpenCode's export as the storage directory of versions up to 1.1, with one file for the session and
// one for each message and each part.
func (f *frontEnds) writeTree(messages int) {
	f.t.Helper()
	document, kept := f.document(messages)
	storage := f.place(".local/share/opencode/storage")
	var info map[string]json.RawMessage
	if err := json.Unmarshal(document["info"], &info); err != nil {
		f.t.Fatal(err)
	}
	info["directory"], f.placed = marshaled(f.env.Dir), true
	delete(info, "parentID") // a sub-agent's recording has no parent here
	f.path, f.text = filepath.Join(storage, "session", "p", f.id+".json"), marshaled(document)
	for _, each := range kept {
		var message struct {
			Info  json.RawMessage
			Parts []json.RawMessage
		}
		var about, part struct{ ID string }
		if err := json.Unmarshal(each, &message); err != nil {
			f.t.Fatal(err)
		}
		if err := json.Unmarshal(message.Info, &about); err != nil {
			f.t.Fatal(err)
		}
		f.put(filepath.Join(storage, "message", f.id, about.ID+".json"), message.Info)
		for _, text := range message.Parts {
			if err := json.Unmarshal(text, &part); err != nil {
				f.t.Fatal(err)
			}
			f.put(filepath.Join(storage, "part", about.ID, part.ID+".json"), text)
		}
	}
	f.put(f.path, marshaled(info))
}

// writeDatabase writes rows of OpenCode as the database of versions from 1.2 on.
func (f *frontEnds) writeDatabase(rows int) {
	f.t.Helper()
	f.path, f.text, f.placed = f.place(".local/share/opencode/opencode.db"), nil, true
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		f.t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+f.path+"?_pragma=journal_mode(wal)")
	if err != nil {
		f.t.Fatal(err)
	}
	defer db.Close()
	must := func(statement string, args ...any) {
		f.t.Helper()
		if _, err := db.Exec(statement, args...); err != nil {
			f.t.Fatal(err)
		}
	}
	must(`CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, version text, time_created integer, time_updated integer)`)
	must(`CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text)`)
	must(`CREATE TABLE IF NOT EXISTS part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text)`)
	at := time.Now().UnixMilli()
	for line := range bytes.Lines(f.whole) {
		if rows--; rows < 0 {
			break
		}
		at++
		var row struct {
			Table, ID, Version string
			SessionID          string `json:"session_id"`
			MessageID          string `json:"message_id"`
			Created            int64  `json:"time_created"`
			Data               json.RawMessage
		}
		if err := json.Unmarshal(line, &row); err != nil {
			f.t.Fatal(err)
		}
		f.text = append(f.text, line...)
		switch row.Table {
		case "session":
			must(`INSERT OR REPLACE INTO session VALUES (?,'p',NULL,?,'',?,?,?)`, row.ID, f.env.Dir, row.Version, row.Created, at)
		case "message":
			must(`INSERT OR REPLACE INTO message VALUES (?,?,?,?,?)`, row.ID, row.SessionID, cmp.Or(row.Created, at), at, string(row.Data))
		case "part":
			must(`INSERT OR REPLACE INTO part VALUES (?,?,?,?,?,?)`, row.ID, row.MessageID, row.SessionID, cmp.Or(row.Created, at), at, string(row.Data))
		}
	}
}

// writeTask writes a task's two documents: the messages shown and the messages sent.
func (f *frontEnds) writeTask(rows int) {
	f.t.Helper()
	var shown, sent []json.RawMessage
	for line := range bytes.Lines(f.whole) {
		if rows--; rows < 0 {
			break
		}
		var row struct{ Table, Type, Role string }
		if err := json.Unmarshal(line, &row); err != nil {
			f.t.Fatal(err)
		}
		switch {
		case row.Type != "":
			shown = append(shown, line)
		case row.Role != "":
			sent = append(sent, line)
		}
	}
	folder := f.place(taskStores[f.by])
	f.path, f.text, f.placed = filepath.Join(folder, "ui_messages.json"), marshaled(shown), true
	if f.by == agent.Cline {
		f.put(filepath.Join(filepath.Dir(filepath.Dir(folder)), "state", "taskHistory.json"),
			marshaled([]map[string]string{{"id": f.id, "cwdOnTaskInitialization": f.env.Dir}}))
	} else {
		f.put(filepath.Join(folder, "history_item.json"), marshaled(map[string]string{"workspace": f.env.Dir}))
	}
	f.put(filepath.Join(folder, "api_conversation_history.json"), marshaled(sent))
	f.put(f.path, f.text)
}
