// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/ctx-lsp/ctx-lsp/internal/history"
)

// OpenCode stores a session in a database (in older versions in small files) and exports it as one document. The
// predictions must be the same for all three forms.
func TestOpenCodesThreeFormsArePredictedAlike(t *testing.T) {
	exports := []string{madeExport(t)}
	if dir := os.Getenv("CTX_TRANSCRIPTS"); dir == "" {
		t.Log("CTX_TRANSCRIPTS is not set: only a session made up is tested")
	} else {
		real, _ := filepath.Glob(filepath.Join(dir, "opencode", "*-0[13].json"))
		exports = append(exports, real...)
	}
	for _, export := range exports {
		want := replayTotal(t, export)
		if want.Steps == 0 {
			t.Errorf("%s: no steps", export)
		}
		database, session := exportToDatabase(t, export)
		if got := replayTotal(t, database); got != want {
			t.Errorf("%s: from the database %+v, from the export %+v", filepath.Base(export), got, want)
		}
		for _, path := range []string{session, filepath.Dir(filepath.Dir(filepath.Dir(session)))} {
			if got := replayTotal(t, path); got != want {
				t.Errorf("%s: from the files, %s: %+v, from the export %+v", filepath.Base(export), filepath.Base(path), got, want)
			}
		}
	}
}

func replayTotal(t *testing.T, path string) history.Quality {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(context.Background(), testEnvironment(t, &out, &errs), []string{"replay", "--json", path}); code != exitOK {
		t.Fatalf("replay %s exits with %d: %s", path, code, errs.String())
	}
	var result struct{ Total history.Quality }
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	return result.Total
}

type exported struct {
	Info     map[string]any `json:"info"`
	Messages []struct {
		Info  map[string]any   `json:"info"`
		Parts []map[string]any `json:"parts"`
	} `json:"messages"`
}

// exportToDatabase writes an export in the forms that OpenCode stores: a database, and a directory of files.
func exportToDatabase(t *testing.T, export string) (database, sessionFile string) {
	t.Helper()
	text, err := os.ReadFile(export)
	if err != nil {
		t.Fatal(err)
	}
	var e exported
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	database = filepath.Join(dir, "opencode.db")
	db, err := sql.Open("sqlite", "file:"+database+"?_pragma=journal_mode(wal)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	must := func(statement string, args ...any) {
		t.Helper()
		if _, err := db.Exec(statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	file := func(value any, parts ...string) string {
		t.Helper()
		path := filepath.Join(append([]string{dir, "storage"}, parts...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(value)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// data returns the JSON that the database stores next to the columns.
	data := func(value map[string]any, columns ...string) string {
		rest := map[string]any{}
		for k, v := range value {
			rest[k] = v
		}
		for _, c := range columns {
			delete(rest, c)
		}
		text, _ := json.Marshal(rest)
		return string(text)
	}
	session, _ := e.Info["id"].(string)
	must(`CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, version text, time_created integer, time_updated integer)`)
	must(`CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text)`)
	must(`CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text)`)
	must(`INSERT INTO session VALUES (?,?,NULL,?,?,?,?,?)`, session, "p", e.Info["directory"], e.Info["title"], e.Info["version"], 1, 1)
	sessionFile = file(e.Info, "session", "p", session+".json")
	for _, m := range e.Messages {
		id, _ := m.Info["id"].(string)
		created := int64(0)
		if at, ok := m.Info["time"].(map[string]any); ok {
			n, _ := at["created"].(float64)
			created = int64(n)
		}
		must(`INSERT INTO message VALUES (?,?,?,?,?)`, id, session, created, created, data(m.Info, "id", "sessionID"))
		file(m.Info, "message", session, id+".json")
		for _, p := range m.Parts {
			part, _ := p["id"].(string)
			must(`INSERT INTO part VALUES (?,?,?,?,?,?)`, part, id, session, created, created, data(p, "id", "sessionID", "messageID"))
			file(p, "part", id, part+".json")
		}
	}
	return database, sessionFile
}

// madeExport writes an export of three requests.
func madeExport(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "export.json")
	message := func(id, role string, created int, more, parts string) string {
		n, _ := json.Marshal(created)
		return `{"info":{"id":"` + id + `","sessionID":"ses_1","role":"` + role + `","time":{"created":` + string(n) + `}` + more + `},"parts":[` + parts + `]}`
	}
	part := func(id, message, rest string) string {
		return `{"id":"` + id + `","sessionID":"ses_1","messageID":"` + message + `",` + rest + `}`
	}
	answer := func(in string) string {
		return `,"modelID":"gpt-5.4","providerID":"openai","mode":"build","agent":"build","cost":0,"path":{"cwd":"/w","root":"/w"},"tokens":{"input":` + in + `,"output":40,"reasoning":0,"cache":{"read":0,"write":0}},"finish":"tool-calls"`
	}
	tool := func(id, message string) string {
		return part(id, message, `"type":"tool","callID":"call_`+id+`","tool":"bash","state":{"status":"completed","input":{"command":"ls"},"output":"a.go\nb.go\n","time":{"start":1,"end":2}}`)
	}
	text := `{"info":{"id":"ses_1","directory":"/w","title":"A title","version":"1.14.0","time":{"created":1,"updated":9}},"messages":[` +
		message("msg_1", "user", 1, "", part("prt_1", "msg_1", `"type":"text","text":"Look into it, please."`)) + "," +
		message("msg_2", "assistant", 2, answer("12000"), tool("prt_2", "msg_2")) + "," +
		message("msg_3", "assistant", 3, answer("12060"), tool("prt_3", "msg_3")) + "," +
		message("msg_4", "assistant", 4, answer("12120"), part("prt_4", "msg_4", `"type":"text","text":"It is done."`)) + `]}`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
