// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func find(m *dirstest.Machine, q Query) []transcript.Session {
	m.T.Helper()
	sessions, problems, err := NewFinder(m.Environment()).Find(context.Background(), q)
	if err != nil || len(problems) > 0 {
		m.T.Errorf("find: %v %v", problems, err)
	}
	return sessions
}

func TestEveryAgentsSessionsAreFound(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Own = true
	m.Put(".claude/projects/-w-shop/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/shop")))
	m.Put(".claude/projects/-w-shop/"+dirstest.UUID1+"/subagents/agent-abc.jsonl", strings.ReplaceAll(dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/shop")), `"isSidechain":false`, `"isSidechain":true,"agentId":"abc"`))
	m.Put(".claude/projects/-w-shop/"+dirstest.UUID1+"/subagents/agent-abc.meta.json", `{"agentType":"explorer"}`)
	m.Put(".claude/projects/-w-shop/agent-0123abcd.jsonl", strings.ReplaceAll(dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/shop")), `"isSidechain":false`, `"isSidechain":true,"agentId":"0123abcd"`))
	rollout := fmt.Sprintf(`{"timestamp":"2026-06-26T12:24:23.646Z","type":"session_meta","payload":{"id":%q,"cwd":"/w/shop/api","cli_version":"0.142.0","base_instructions":{"text":%q}}}`+"\n", dirstest.UUID2, strings.Repeat("long ", 8000))
	m.Put(".codex/sessions/2026/06/26/rollout-2026-06-26T12-24-23-"+dirstest.UUID2+".jsonl", rollout)
	scout := fmt.Sprintf(`{"timestamp":"2026-06-26T12:30:00.000Z","type":"session_meta","payload":{"id":"0197f1c2-0000-7000-8000-000000000004","cwd":"/elsewhere","cli_version":"0.142.0","source":{"subagent":{"thread_spawn":{"parent_thread_id":%q,"depth":1}}},"agent_nickname":"Scout"}}`+"\n", dirstest.UUID2)
	m.Put(".codex/sessions/2026/06/26/rollout-2026-06-26T12-30-00-0197f1c2-0000-7000-8000-000000000004.jsonl", scout)
	encoder, _ := zstd.NewWriter(nil)
	cold := strings.ReplaceAll(rollout, dirstest.UUID2, "0197f1c2-0000-7000-8000-000000000003")
	m.Put(".codex/archived_sessions/rollout-2026-06-20T12-24-23-0197f1c2-0000-7000-8000-000000000003.jsonl.zst", string(encoder.EncodeAll([]byte(dirstest.OwnPaths(cold)), nil)))
	m.Put(".codex/sessions/2026/06/26/rollout-2026-06-26T12-24-23-"+dirstest.UUID2+".jsonl.zst", "the plain file counts")
	m.Put(".gemini/projects.json", `{"projects":{"/w/shop":"shop"}}`)
	m.Put(".gemini/tmp/shop/chats/session-2026-03-01T10-00-aaaaaaaa.jsonl", `{"sessionId":"aaaaaaaa-1","projectHash":"x","startTime":"2026-03-01T10:00:00Z"}`+"\n")
	sum := sha256.Sum256([]byte(dirstest.Whole("/w/shop")))
	m.Put(".gemini/tmp/"+hex.EncodeToString(sum[:])+"/chats/session-2026-01-01T10-00-bbbbbbbb.json", `{"sessionId":"bbbbbbbb-1","messages":[]}`)
	m.Put(".qwen/projects/-w-shop/chats/q1.jsonl", `{"uuid":"1","sessionId":"q1","type":"user","cwd":"/w/shop","version":"0.15.10"}`+"\n")
	m.Put(".copilot/session-state/c1/events.jsonl", `{"type":"session.start","data":{"sessionId":"c1","copilotVersion":"1.0.60","context":{"cwd":"/w/shop"}},"id":"1"}`+"\n")
	m.Put(".local/share/opencode/storage/session/p1/ses_1.json", `{"id":"ses_1","directory":"/w/shop","title":"A title","version":"1.0.0","time":{"created":1776104409588}}`)

	found := map[string]transcript.Session{}
	for _, s := range find(m, Query{Workspace: dirstest.Whole("/w/shop"), Children: true}) {
		found[s.Agent+" "+s.ID] = s
	}
	for _, want := range []struct{ key, workspace, parent, label string }{
		{"claude-code " + dirstest.UUID1, "/w/shop", "", ""},
		{"claude-code " + dirstest.UUID1 + "/agent-abc", "/w/shop", dirstest.UUID1, "explorer"},
		{"claude-code " + dirstest.UUID1 + "/agent-0123abcd", "/w/shop", dirstest.UUID1, ""},
		{"codex " + dirstest.UUID2, "/w/shop/api", "", ""},
		{"codex 0197f1c2-0000-7000-8000-000000000003", "/w/shop/api", "", ""},
		{"codex 0197f1c2-0000-7000-8000-000000000004", "/elsewhere", dirstest.UUID2, "Scout"},
		{"gemini-cli aaaaaaaa-1", "/w/shop", "", ""},
		{"gemini-cli bbbbbbbb-1", "", "", ""},
		{"qwen-code q1", "/w/shop", "", ""},
		{"copilot-cli c1", "/w/shop", "", ""},
		{"opencode ses_1", "/w/shop", "", "A title"},
	} {
		s, ok := found[want.key]
		if !ok {
			t.Errorf("%s is not found", want.key)
			continue
		}
		if want.workspace != "" {
			want.workspace = dirstest.Whole(want.workspace)
		}
		if s.Workspace != want.workspace || s.Parent != want.parent || s.Label != want.label {
			t.Errorf("%s has workspace %q, parent %q, label %q", want.key, s.Workspace, s.Parent, s.Label)
		}
		delete(found, want.key)
	}
	for key := range found {
		t.Errorf("%s should not be there", key)
	}
	if others := find(m, Query{Workspace: dirstest.Whole("/w/shopping")}); len(others) != 0 {
		t.Errorf("a workspace whose name begins alike has %v", others)
	}
}

func TestTheNewestSessionComesFirstAndAlone(t *testing.T) {
	m := dirstest.NewMachine(t)
	workspace := filepath.Join(m.Home, "a") // its path is complete on every system
	for i := range 200 {
		id := fmt.Sprintf("0197f1c2-0000-7000-8000-%012d", i)
		m.Put(".claude/projects/-w-a/"+id+".jsonl", dirstest.ClaudeLine(id, workspace))
	}
	got := find(m, Query{Workspace: workspace, Limit: 1})
	if len(got) != 1 || !strings.HasSuffix(got[0].ID, "199") {
		t.Errorf("found %v", got)
	}
	size := got[0].Size
	for bytes, want := range map[int64]int{1: 1, size: 1, 2*size - 1: 1, 3 * size: 3, 4*size - 1: 3} {
		got = find(m, Query{Workspace: workspace, Bytes: bytes})
		if len(got) != want || !strings.HasSuffix(got[0].ID, "199") {
			t.Errorf("%d of %d bytes each have %d bytes together, not %d", len(got), size, bytes, want)
		}
	}
	got = find(m, Query{Since: m.At.Add(-3*time.Minute - time.Second)})
	if len(got) != 4 {
		t.Errorf("%d sessions changed in the last three minutes", len(got))
	}
	got = find(m, Query{ID: "0197f1c2-0000-7000-8000-00000000010"})
	if len(got) != 10 {
		t.Errorf("%d sessions have the prefix", len(got))
	}
}

func TestVariablesMoveTheRoots(t *testing.T) {
	for _, test := range []struct{ os, home, variable, value, agent, want string }{
		{"linux", "/home/a", "", "", "claude-code", "/home/a/.claude/projects"},
		{"linux", "/home/a", "CLAUDE_CONFIG_DIR", "/x", "claude-code", "/x/projects"},
		{"linux", "/home/a", "CLAUDE_CONFIG_DIR", "~/x", "claude-code", "/home/a/x/projects"},
		{"darwin", "/Users/a", "", "", "codex", "/Users/a/.codex/sessions"},
		{"linux", "/home/a", "CODEX_HOME", "/x", "codex", "/x/sessions"},
		{"windows", `C:\Users\a`, "", "", "claude-code", `C:\Users\a\.claude\projects`},
		{"windows", `C:\Users\a`, "", "", "opencode", `C:\Users\a\.local\share\opencode\opencode.db`},
		{"linux", "/home/a", "XDG_DATA_HOME", "/d", "opencode", "/d/opencode/opencode.db"},
		{"linux", "/home/a", "OPENCODE_DB", "/x/y.db", "opencode", "/x/y.db"},
		{"linux", "/home/a", "OPENCODE_DB", "y.db", "opencode", "/home/a/.local/share/opencode/y.db"},
		{"linux", "/home/a", "KILO_DB", "/x/k.db", "kilo", "/x/k.db"},
		{"linux", "/home/a", "GEMINI_CLI_HOME", "/x", "gemini-cli", "/x/.gemini/tmp"},
		{"linux", "/home/a", "QWEN_HOME", "/x", "qwen-code", "/x/projects"},
		{"linux", "/home/a", "QWEN_RUNTIME_DIR", "/x", "qwen-code", "/x/projects"},
		{"linux", "/home/a", "COPILOT_HOME", "/x", "copilot-cli", "/x/session-state"},
		{"darwin", "/Users/a", "", "", "mini-swe-agent", "/Users/a/Library/Application Support/mini-swe-agent/last_mini_run.traj.json"},
		{"windows", `C:\Users\a`, "", "", "zed", `C:\Users\a\AppData\Local\Zed\threads\threads.db`},
		{"darwin", "/Users/a", "", "", "zed", "/Users/a/Library/Application Support/Zed/threads/threads.db"},
		{"windows", `C:\Users\a`, "APPDATA", `D:\r`, "cline", `D:\r\Code\User\globalStorage\saoudrizwan.claude-dev\tasks`},
		{"linux", "/home/a", "CLINE_DATA_DIR", "/c", "cline", "/c/sessions"},
		{"linux", "/home/a", "GOOSE_PATH_ROOT", "/g", "goose", "/g/data/sessions/sessions.db"},
		{"linux", "/home/a", "GOOSE_PATH_ROOT", "g", "goose", "/home/a/.local/share/goose/sessions/sessions.db"},
		{"linux", "/home/a", "CONTINUE_GLOBAL_DIR", "/c", "continue", "/c/sessions"},
		{"linux", "/home/a", "", "", "amp", "/home/a/.local/share/amp/threads"},
	} {
		e := dirs.Environment{OS: test.os, Home: test.home, Getenv: func(k string) string {
			if k == test.variable {
				return test.value
			}
			return ""
		}}
		found := false
		var paths []string
		for _, root := range agents.Roots(e) {
			if root.Agent == test.agent {
				paths = append(paths, root.Path)
				found = found || root.Path == test.want && (test.variable == "" || strings.HasPrefix(test.variable, "XDG") || test.variable == "APPDATA" || root.From == test.variable || test.value == "g")
			}
		}
		if !found {
			t.Errorf("%s on %s with %s=%s: %q does not hold %s", test.agent, test.os, test.variable, test.value, paths, test.want)
		}
	}
}

func TestWorkspacesAreFoundThroughLinks(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	os.Mkdir(real, 0o755)
	link := filepath.Join(dir, "link")
	if err := dirstest.Linked(real, link); err != nil {
		t.Skip("no links here: ", err)
	}
	w := newWorkspace(link)
	for _, cwd := range []string{link, real, filepath.Join(real, "sub")} {
		if resolved, err := filepath.EvalSymlinks(cwd); err == nil {
			cwd = resolved
		}
		if !w.holds(cwd) {
			t.Errorf("%s does not hold %s", link, cwd)
		}
	}
	if w.holds(dir) || w.holds("") || w.holds(real+"istic") {
		t.Error("it holds too much")
	}
}

func TestTroubleInOnePlaceHidesNothingElse(t *testing.T) {
	// Root may read everything, and under Windows a directory's mode does not prevent access.
	closed := os.Getuid() > 0
	if !closed {
		t.Log("nothing is unreadable here; only the loops and odd files are tested")
	}
	m := dirstest.NewMachine(t)
	workspace := filepath.Join(m.Home, "a")
	good := m.Put(".claude/projects/-w-a/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, workspace))
	folder := filepath.Dir(good)
	os.Symlink(folder, filepath.Join(folder, "loop"))
	os.Symlink("nowhere", filepath.Join(folder, "dangling.jsonl"))
	os.Symlink(filepath.Join(folder, "self.jsonl"), filepath.Join(folder, "self.jsonl"))
	os.MkdirAll(filepath.Join(folder, "folder.jsonl"), 0o755)
	m.Put(".claude/projects/-w-a/empty.jsonl", "")
	m.Put(".claude/projects/-w-a/binary.jsonl", "\x00\x01\xff\xfe"+strings.Repeat("\x80", 1000))
	m.Put(".claude/projects/-w-a/deep.jsonl", strings.Repeat("[", 100000))
	m.Put(".claude/projects/-w-a/types.jsonl", `{"cwd":5,"sessionId":[],"version":{},"timestamp":true}`+"\n")
	os.MkdirAll(filepath.Join(folder, dirstest.UUID1, "subagents", "a"), 0o755)
	os.Symlink("..", filepath.Join(folder, dirstest.UUID1, "subagents", "a", "up"))
	unreadable := filepath.Join(m.Home, ".codex", "sessions")
	os.MkdirAll(unreadable, 0o755)
	os.Chmod(unreadable, 0)
	defer os.Chmod(unreadable, 0o755)

	sessions, problems, err := NewFinder(m.Environment()).Find(context.Background(), Query{Workspace: workspace, Children: true})
	if err != nil || len(sessions) != 1 || sessions[0].ID != dirstest.UUID1 {
		t.Errorf("found %v, %v", sessions, err)
	}
	if closed && len(problems) == 0 {
		t.Error("the unreadable folder is not reported")
	}
	all, _, err := NewFinder(m.Environment()).Find(context.Background(), Query{})
	if err != nil || len(all) != 5 {
		t.Errorf("all: %d sessions, %v", len(all), err)
	}
}

func TestTenThousandSessions(t *testing.T) {
	m := dirstest.NewMachine(t)
	for i := range 10000 {
		id := fmt.Sprintf("0197f1c2-0000-7000-8000-%012d", i)
		path := filepath.Join(m.Home, ".claude", "projects", fmt.Sprintf("-w-%d", i%100), id+".jsonl")
		text := dirstest.ClaudeLine(id, dirstest.Whole(fmt.Sprintf("/w/%d", i%100)))
		if i < 100 {
			dirstest.Write(t, path, text)
		} else if err := os.WriteFile(path, []byte(text), 0o644); err != nil { // its directory exists
			t.Fatal(err)
		}
	}
	finder := NewFinder(m.Environment())
	began := time.Now()
	sessions, _, err := finder.Find(context.Background(), Query{Workspace: dirstest.Whole("/w/7")})
	first := time.Since(began)
	if err != nil || len(sessions) != 100 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	began = time.Now()
	finder.Find(context.Background(), Query{Workspace: dirstest.Whole("/w/7")})
	t.Logf("10,000 files: first %v, again %v", first, time.Since(began))
	if first > 30*time.Second { // it takes a tenth of a second on an idle machine
		t.Errorf("it took %v", first)
	}
}

func TestAFileIsKnownByItsContent(t *testing.T) {
	dir := t.TempDir()
	encoder, _ := zstd.NewWriter(nil)
	for name, test := range map[string]struct {
		text, agent string
		kind        transcript.Form
	}{
		"notes.txt":   {dirstest.ClaudeLine(dirstest.UUID1, "/w/a"), "claude-code", transcript.Lines},
		"x.json":      {dirstest.ClaudeLine(dirstest.UUID1, "/w/a"), "claude-code", transcript.Lines},
		"packed":      {string(encoder.EncodeAll([]byte(dirstest.ClaudeLine(dirstest.UUID1, "/w/a")), nil)), "claude-code", transcript.Compressed},
		"export.json": {"{\n  \"info\": {\"id\":\"ses_1\",\"directory\":\"/w\",\"version\":\"1.4.3\",\"time\":{\"created\":1}},\n  \"messages\": [{\"info\":{\"role\":\"user\",\"id\":\"msg_1\",\"sessionID\":\"ses_1\",\"time\":{\"created\":1}},\"parts\":[]}]\n}", "opencode", transcript.Document},
		"other.jsonl": {`{"hello":"world"}` + "\n", "", transcript.Lines},
		"empty":       {"", "", transcript.Lines},
	} {
		path := filepath.Join(dir, name)
		dirstest.Write(t, path, test.text)
		s, err := At(path)
		if err != nil || s.Agent != test.agent || s.Form != test.kind {
			t.Errorf("%s is of %q, kind %d, %v", name, s.Agent, s.Form, err)
		}
	}
	if _, err := At(dir); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := At(filepath.Join(dir, "missing")); !os.IsNotExist(err) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestWalkEndsInLinksThatLoop(t *testing.T) {
	dir := t.TempDir()
	dirstest.Write(t, filepath.Join(dir, "a", "s.jsonl"), dirstest.ClaudeLine(dirstest.UUID1, "/w/a"))
	dirstest.Write(t, filepath.Join(dir, "a", "package.json"), `{"name":"x"}`)
	os.Symlink(dir, filepath.Join(dir, "a", "up"))
	var found []string
	Below(dir, nil, func(s transcript.Session) { found = append(found, s.Path) }, func(p Problem) { t.Error(p) })
	if len(found) != 1 {
		t.Errorf("found %v", found)
	}
}
