// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestSessionsOfCursorAreFoundOnce checks chats of Cursor's program, and texts that Cursor writes next to sessions:
// those of a session that is found itself are left out.
func TestSessionsOfCursorAreFoundOnce(t *testing.T) {
	m := dirstest.NewMachine(t)
	shop := filepath.Join(m.Home, "my.shop", "web")
	if err := os.MkdirAll(shop, 0o755); err != nil {
		t.Fatal(err)
	}
	db := dirstest.OpenCodeDatabase(t, filepath.Join(m.Home, ".cursor", "chats", "0cc1", "c1", "store.db"), "wal")
	dirstest.Run(t, db, `CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)`)
	dirstest.Run(t, db, `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)`)
	dirstest.Run(t, db, `INSERT INTO blobs VALUES ('ff', x'4a052f73686f70')`) // field 9: /shop
	dirstest.Run(t, db, `INSERT INTO meta VALUES ('0', '`+hex.EncodeToString([]byte(`{"agentId":"c1","latestRootBlobId":"ff","name":"Prices"}`))+`')`)
	const line = `{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nAdd the tax.\n</user_query>"}]}}` + "\n"
	slug := agents.SlugOf(strings.Trim(shop, "/"))
	m.Put(".cursor/projects/"+slug+"/agent-transcripts/c1/c1.jsonl", line)
	m.Put(".cursor/projects/"+slug+"/agent-transcripts/c2/c2.jsonl", line)
	m.Put(".cursor/projects/"+slug+"/agent-transcripts/c2/subagents/s1.jsonl", line)
	m.Put(".cursor/projects/nowhere-at-all/agent-transcripts/c3.jsonl", line)
	moved := filepath.Join(m.Home, "moved")
	m.Put("moved/projects/x/agent-transcripts/c4/c4.jsonl", line)

	ids := func() (found []string) {
		for _, s := range find(m, Query{Children: true}) {
			found = append(found, s.ID)
			if s.Agent != "cursor" {
				t.Errorf("%s is %s's", s.ID, s.Agent)
			}
			if s.ID == "c1" && filepath.Base(s.Path) != "store.db" {
				t.Errorf("c1 is read from %s", s.Path)
			}
			if s.ID == "c2" && s.Workspace != shop && runtime.GOOS != "windows" {
				t.Errorf("c2 is of %q, want %s", s.Workspace, shop)
			}
			if s.ID == "s1" && s.Parent != "c2" {
				t.Errorf("s1 is below %q", s.Parent)
			}
		}
		slices.Sort(found)
		return found
	}
	if got := strings.Join(ids(), " "); got != "c1 c2 c3 s1" {
		t.Errorf("found %s", got)
	}
	m.Env["CURSOR_CONFIG_DIR"] = moved
	if got := strings.Join(ids(), " "); got != "c1 c2 c3 c4 s1" {
		t.Errorf("with CURSOR_CONFIG_DIR: %s", got)
	}
	delete(m.Env, "CURSOR_CONFIG_DIR")
	if m.Env["XDG_CONFIG_HOME"] = m.Home; runtime.GOOS == "linux" {
		if err := os.Rename(moved, filepath.Join(m.Home, "cursor")); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(ids(), " "); got != "c1 c2 c3 c4 s1" {
			t.Errorf("with XDG_CONFIG_HOME: %s", got)
		}
	}
}

// TestGrokBuildsUpdatesAreRead checks the content of the log of updates: the newest count, and where it fell. A log
// that was cut off or rewritten changes nothing.
func TestGrokBuildsUpdatesAreRead(t *testing.T) {
	m := dirstest.NewMachine(t)
	update := func(tokens string) string {
		return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"g1","update":{"sessionUpdate":"agent_message_chunk"},"_meta":{"totalTokens":` + tokens + `,"promptId":"p"}}}` + "\n"
	}
	over := func(id string) string {
		return `{"params":{"update":{"sessionUpdate":"turn_completed","prompt_id":"` + id + `","usage":{"inputTokens":999999}}}}` + "\n"
	}
	folder := ".grok/sessions/%2Fhome%2Fshop/g1/"
	path := m.Put(folder+"updates.jsonl", update("1000")+over("p1")+over("p1")+strings.Repeat("x", agents.MaxUpdate+10)+"\n"+update("150000")+over("p2")+update(`"7"`)+update("-5")+"[]\n\n"+update("20000")+`{"params":{"_meta":{"totalTokens":5`)
	var g agents.GrokUpdates
	want := `{"totalTokens":20000,"falls":[{"turn":2,"before":150000,"after":20000}]}`
	for range 2 {
		if got, ok := g.Read(path); !ok || string(got) != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	m.Put(folder+"updates.jsonl", update("1000")+over("p1")+strings.Repeat("x", agents.MaxUpdate+10)+"\n")
	if got, ok := g.Read(path); !ok || string(got) != `{"totalTokens":1000,"falls":[]}` {
		t.Errorf("written anew: %s", got)
	}
	m.Put(folder+"updates.jsonl", "")
	if got, ok := g.Read(path); ok {
		t.Errorf("an empty log says %s", got)
	}

	m.Put(folder+"summary.json", `{"info":{"id":"g1","cwd":"/home/shop"},"current_model_id":"grok-4.5"}`)
	m.Put(folder+"signals.json", `{"contextTokensUsed":12000,"contextWindowTokens":200000}`)
	m.Put(folder+"updates.jsonl", update("17000"))
	m.Put(folder+"chat_history.jsonl", `{"type":"user","content":[{"type":"text","text":"hello"}],"prompt_index":0}`+"\n")
	s := find(m, Query{})
	if len(s) != 1 {
		t.Fatalf("%+v", s)
	}
	told := ""
	for tail, b := agents.OpenTail(s[0]), (&transcript.Batch{}); ; {
		if err := tail.Next(context.Background(), b); err != nil {
			t.Fatal(err)
		}
		if b.Count == 0 {
			break
		}
		for i := range b.Count {
			told += string(b.Record(i)) + "\n"
		}
	}
	if !strings.Contains(told, `{"beside":"updates.jsonl","data":{"totalTokens":17000`) {
		t.Errorf("it tells\n%s", told)
	}
}

// TestSessionsOfKirosEditorAreFound checks its lines and its documents, next to those of the command-line program.
func TestSessionsOfKirosEditorAreFound(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".kiro/sessions/0a1b2c3d4e5f6071/sess_1/messages.jsonl", `{"id":"e1","timestamp":"2026-09-01T10:00:01.000Z","payload":{"type":"user","content":"Add the tax."}}`+"\n")
	m.Put(".kiro/sessions/0a1b2c3d4e5f6071/sess_1/session.json", `{"id":"sess_1","modelId":"claude-sonnet-4.5","title":"Tax","workspacePaths":["`+filepath.ToSlash(dirstest.Whole("/home/shop"))+`"]}`)
	m.Put(".kiro/sessions/0a1b2c3d4e5f6071/other/messages.jsonl", `{}`)
	m.Put(".kiro/sessions/cli/7.jsonl", `{"version":"v1","kind":"Prompt","data":{"message_id":"a","content":[{"kind":"text","data":"hi"}]}}`+"\n")
	documents := ".config/Kiro/User/globalStorage/kiro.kiroagent/workspace-sessions/L3cvc2hvcA__/"
	switch runtime.GOOS {
	case "darwin":
		documents = strings.Replace(documents, ".config", "Library/Application Support", 1)
	case "windows":
		documents = strings.Replace(documents, ".config", "AppData/Roaming", 1)
	}
	m.Put(documents+"5f1c.json", `{"sessionId":"5f1c","title":"Prices","contextUsagePercentage":5,"workspaceDirectory":"`+filepath.ToSlash(dirstest.Whole("/w/shop"))+`","history":[{"message":{"role":"user","content":"hi"}}]}`)
	m.Put(documents+"sessions.json", `[]`)
	found := map[string]string{}
	for _, s := range find(m, Query{}) {
		found[s.ID] = s.Agent + " " + filepath.ToSlash(s.Workspace)
	}
	for id, want := range map[string]string{"sess_1": "kiro " + filepath.ToSlash(dirstest.Whole("/home/shop")), "7": "kiro ", "5f1c": "kiro " + filepath.ToSlash(dirstest.Whole("/w/shop"))} {
		if found[id] != want {
			t.Errorf("%s: %q, want %q", id, found[id], want)
		}
	}
	if len(found) != 3 {
		t.Errorf("found %v", found)
	}
}
