// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// running is a simulated list of processes.
type running struct {
	mu   sync.Mutex
	list []process.Process
}

func (r *running) List() []process.Process {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]process.Process(nil), r.list...)
}

func (r *running) Inspect(*process.Process) {}

func (r *running) set(list ...process.Process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = list
}

// machine is a home directory with transcripts of Claude Code, and processes, for a daemon to watch.
type machine struct {
	t          *testing.T
	home, work string
	running    *running
	server     *Server // of besideASession
}

func newMachine(t *testing.T) *machine {
	home := real(t, t.TempDir())
	return &machine{t: t, home: home, work: filepath.Join(home, "shop"), running: &running{}}
}

func (m *machine) daemon() *testClient {
	m.t.Helper()
	return start(m.t, m.newServer())
}

func (m *machine) newServer() *Server {
	m.t.Helper()
	dirstest.RefuseUnmoved(m.t, m.home)
	environment := dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }}
	s := newTestServer(m.t, Options{Engine: realEngine(m.t, "native"), Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running, AccountLimits: state.LimitsIn(filepath.Join(m.home, ".cache"))})
	lookOften(s)
	return s
}

// lookOften has a daemon without clients look at processes more often, so that a test waits less.
func lookOften(s *Server) {
	s.watcher.claimsEvery, s.watcher.processesEvery = 50*time.Millisecond, 200*time.Millisecond
}

func (m *machine) put(path, text string) {
	path = filepath.Join(m.home, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		m.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		m.t.Fatal(err)
	}
}

// session writes turn n of a conversation with in tokens in the window, with the given age. dir is the agent's
// directory at that time; the first turn's is the one it was started in.
func (m *machine) session(id string, n int, dir string, ago time.Duration, in int) {
	dirstest.Enter(filepath.Join(m.home, ".claude/projects/w", id+".jsonl"))
	at := func(d time.Duration) string { return time.Now().Add(d - ago).UTC().Format(time.RFC3339Nano) }
	record := func(kind, message string, uuid, parent string, at string) {
		m.put(".claude/projects/w/"+id+".jsonl", fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"isSidechain":false,"sessionId":%q,"version":"2.1.200","cwd":%q,"gitBranch":"main","message":%s,"timestamp":%q}`+"\n",
			kind, uuid, parent, id, dir, message, at))
	}
	parent := "null"
	if n > 1 {
		parent = fmt.Sprintf(`"a%d"`, n-1)
	}
	record("user", `{"role":"user","content":"go on"}`, fmt.Sprint("u", n), parent, at(-time.Second))
	record("assistant", fmt.Sprintf(`{"model":"claude-opus-4-6","id":"m%d","role":"assistant","content":[{"type":"text","text":"done"}],"stop_reason":"end_turn","usage":{"input_tokens":%d,"output_tokens":5}}`, n, in), fmt.Sprint("a", n), fmt.Sprintf(`"u%d"`, n), at(0))
}

// aged sets the age of a transcript to that of its records.
func (m *machine) aged(id string, ago time.Duration) {
	at := time.Now().Add(-ago)
	if err := os.Chtimes(filepath.Join(m.home, ".claude/projects/w/"+id+".jsonl"), at, at); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) claim(pid int, session, status string, started time.Time) {
	text := fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":%q,"startedAt":%d,"status":%q,"waitingFor":"permission prompt"}`, pid, session, m.work, started.UnixMilli(), status)
	path := filepath.Join(m.home, ".claude/sessions", fmt.Sprint(pid, ".json"))
	dirstest.Enter(path) // it has the time of a process
	os.MkdirAll(filepath.Dir(path), 0o755)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// watch has a client watch, and returns the answer after the search for sessions has ended: on a busy machine the first
// answers may come before.
func (c *testClient) watch(params string) json.RawMessage {
	c.t.Helper()
	for deadline := time.Now().Add(2 * longSearch); ; {
		answer := c.call("ctx/watch", params)
		var watched struct{ Searching bool }
		if err := json.Unmarshal(answer, &watched); err != nil {
			c.t.Fatal(err)
		}
		if !watched.Searching {
			return answer
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("the search for sessions has not ended: %s", answer)
		}
	}
}

// focus has a client show a session, and returns its Reading once it is read.
func (c *testClient) focus(id string) json.RawMessage {
	c.t.Helper()
	for deadline := time.Now().Add(2 * longSearch); ; {
		m := c.ask("ctx/focus", fmt.Sprintf(`{"session":%q}`, id))
		if m.Error == nil && string(m.Result) != "null" {
			return m.Result
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("the session %s is not shown: %s %+v", id, m.Result, m.Error)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// shownIs waits until a session is in a state.
func shownIs(c *testClient, id, want string) {
	c.t.Helper()
	var got string
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		var r struct{ Activity, WaitingFor string }
		json.Unmarshal(c.ask("ctx/session/reading", fmt.Sprintf(`{"id":%q}`, id)).Result, &r)
		if got = r.Activity; r.WaitingFor != "" {
			got += " for " + r.WaitingFor
		}
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("the session %s is %s, not %s", id, got, want)
		}
	}
}

const (
	firstID  = "11111111-1111-4111-8111-111111111111"
	secondID = "22222222-2222-4222-8222-222222222222"
	oldID    = "33333333-3333-4333-8333-333333333333"
)

// TestTwoAgentsInOneFolderAreNotMixedUp checks that users do not type a command into the wrong agent: each terminal
// shows the session that its agent runs, and none if that is uncertain.
func TestTwoAgentsInOneFolderAreNotMixedUp(t *testing.T) {
	m := newMachine(t)
	began := time.Now().Add(-time.Hour)
	m.running.set(
		process.Process{PID: 100, Parent: 1, Name: "bash"}, process.Process{PID: 101, Parent: 100, Name: "claude", Started: began, Dir: m.work},
		process.Process{PID: 200, Parent: 1, Name: "bash"}, process.Process{PID: 201, Parent: 200, Name: "claude", Started: began, Dir: m.work},
		process.Process{PID: 300, Parent: 1, Name: "bash"},
	)
	m.session(firstID, 1, m.work, 10*time.Minute, 120_000)
	m.session(secondID, 1, m.work, time.Minute, 160_000) // newer and fuller
	m.claim(101, firstID, "idle", began)
	m.claim(201, secondID, "busy", began)
	c := m.daemon()
	c.call("ctx/watch", `{}`)
	var front api.Reading
	json.Unmarshal(c.call("ctx/focus", fmt.Sprintf(`{"terminalPid":100,"workspace":%q}`, m.work)), &front)
	if front.Session != firstID || front.Focus.Reason != "terminal" || front.Focus.Because == "" {
		t.Errorf("the first terminal shows %+v", front)
	}
	terminals := func() map[int]terminal {
		var answer struct{ Terminals []terminal }
		json.Unmarshal(c.call("ctx/terminals", `{"pids":[100,200,300]}`), &answer)
		out := map[int]terminal{}
		for _, each := range answer.Terminals {
			out[each.PID] = each
		}
		return out
	}
	sure := terminals()
	for pid, want := range map[int]string{100: firstID, 200: secondID} {
		if got := sure[pid]; got.Session == nil || *got.Session != want || got.Proof != "sessionFile" || got.Agent != "claude-code" {
			t.Errorf("terminal %d: %+v", pid, got)
		}
	}
	if got := sure[300]; got.Session != nil || got.Agent != "" || got.Because == "" {
		t.Errorf("a terminal without an agent: %+v", got)
	}

	// Without the agents' own files, nothing distinguishes the two.
	os.RemoveAll(filepath.Join(m.home, ".claude/sessions"))
	for pid, got := range terminals() {
		if pid != 300 && (got.Session != nil || len(got.Candidates) != 2 || got.Because == "") {
			t.Errorf("terminal %d without proof: %+v", pid, got)
		}
	}
	var asked api.Reading
	json.Unmarshal(c.call("ctx/focus", fmt.Sprintf(`{"terminalPid":100,"workspace":%q}`, m.work)), &asked)
	if asked.Focus.Reason == "terminal" || len(asked.Focus.Candidates) != 2 {
		t.Errorf("the focus without proof: %+v", asked)
	}
}

// TestActivityFollowsTheAgentsProcess checks the reported activity: the agent's own file applies until something newer
// is recorded, an old session without a process is idle, and one whose process has ended is ended.
func TestActivityFollowsTheAgentsProcess(t *testing.T) {
	m := newMachine(t)
	began := time.Now().Add(-time.Hour)
	agent := process.Process{PID: 101, Parent: 100, Name: "claude", Started: began, Dir: m.work}
	m.running.set(agent)
	m.session(firstID, 1, m.work, 20*time.Minute, 50_000)
	m.session(oldID, 1, m.work, 20*time.Hour, 50_000)
	m.claim(101, firstID, "idle", began)
	c := m.daemon()
	c.call("ctx/watch", `{}`)
	shownIs(c, firstID, "waiting for prompt") // no record for 20 minutes, but its process is running
	shownIs(c, oldID, "idle")
	m.claim(101, firstID, "waiting", began)
	shownIs(c, firstID, "waiting for approval")
	m.put(".claude/projects/w/"+firstID+".jsonl", fmt.Sprintf(`{"type":"user","uuid":"u2","parentUuid":"a1","isSidechain":false,"sessionId":%q,"version":"2.1.200","cwd":%q,"message":{"role":"user","content":"go on"},"timestamp":%q}`+"\n",
		firstID, m.work, time.Now().Add(5*time.Second).UTC().Format(time.RFC3339Nano)))
	shownIs(c, firstID, "working") // the record is newer
	ended := process.Process{PID: 102, Parent: 100, Name: "claude", Started: began, Dir: m.work}
	m.session(secondID, 1, m.work, 20*time.Minute, 50_000)
	m.running.set(agent, ended)
	m.claim(102, secondID, "busy", began)
	shownIs(c, secondID, "working") // its records alone do not show that, so its process was found
	os.RemoveAll(filepath.Join(m.home, ".claude/sessions"))
	m.running.set()
	shownIs(c, secondID, "ended")
	m.session(oldID, 2, m.work, -10*time.Second, 50_000) // something else changes
	shownIs(c, oldID, "waiting for prompt")
}

// TestASessionWithoutItsAgentDoesNotWork checks that a session whose records end in the middle of work is idle once no
// process can run it, and working while one may. A new record is newer than any process check.
func TestASessionWithoutItsAgentDoesNotWork(t *testing.T) {
	m := newMachine(t)
	began := time.Now().Add(-time.Hour)
	shell := process.Process{PID: 100, Parent: 1, Name: "bash", Started: began, Dir: m.work}
	elsewhere := process.Process{PID: 101, Parent: 100, Name: "claude", Started: began, Dir: m.home}
	here := process.Process{PID: 102, Parent: 100, Name: "claude", Started: began, Dir: m.work}
	other := process.Process{PID: 103, Parent: 100, Name: "claude", Started: began, Dir: m.work}
	prompt := func(id, uuid, parent string, ago time.Duration) {
		m.put(".claude/projects/w/"+id+".jsonl", fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%q,"isSidechain":false,"sessionId":%q,"version":"2.1.200","cwd":%q,"message":{"role":"user","content":"go on"},"timestamp":%q}`+"\n",
			uuid, parent, id, m.work, time.Now().Add(-ago).UTC().Format(time.RFC3339Nano)))
	}
	unanswered := func(id string, ago time.Duration) {
		m.session(id, 1, m.work, ago+time.Second, 50_000)
		prompt(id, "u2", "a1", ago)
	}
	m.running.set(shell, elsewhere, here, other)
	unanswered(firstID, 3*time.Minute)
	unanswered(secondID, -time.Minute)
	c := m.daemon()
	c.call("ctx/watch", `{}`)
	shownIs(c, firstID, "working") // either of two processes may run it
	m.running.set(shell, elsewhere)
	shownIs(c, firstID, "idle")
	shownIs(c, secondID, "working") // a record from a moment ago is newer than the process check
	prompt(firstID, "u3", "u2", 0)
	shownIs(c, firstID, "working")
}

// TestTheFolderInWhichAnAgentWasStartedCounts checks that a session is found by the directory it was started in, even
// if its agent has changed directories since.
func TestTheFolderInWhichAnAgentWasStartedCounts(t *testing.T) {
	m := newMachine(t)
	m.session(firstID, 1, m.work, 2*time.Minute, 50_000)
	m.session(firstID, 2, filepath.Join(m.work, "packages", "a"), time.Minute, 60_000)
	c := m.daemon()
	c.call("ctx/watch", fmt.Sprintf(`{"workspace":%q}`, m.work))
	var front api.Reading
	json.Unmarshal(c.call("ctx/focus", fmt.Sprintf(`{"file":%q}`, filepath.Join(m.work, "docs", "x.md"))), &front)
	if front.Session != firstID || front.Focus.Reason != "file" {
		t.Errorf("a file beside where the agent is now: %+v", front)
	}
}

// TestAWholeRepositoryIsOneWorkspace checks that editors show the same session as `ctx-lsp status` in the same folder:
// an agent that works in another folder of the repository takes precedence over one that has long been idle here.
func TestAWholeRepositoryIsOneWorkspace(t *testing.T) {
	m := newMachine(t)
	m.put("shop/.git/HEAD", "ref: refs/heads/main\n")
	here := filepath.Join(m.work, "packages", "a")
	if err := os.MkdirAll(here, 0o755); err != nil {
		t.Fatal(err)
	}
	m.session(firstID, 1, here, 3*time.Hour, 50_000)
	m.aged(firstID, 3*time.Hour)
	m.session(secondID, 1, filepath.Join(m.work, "packages", "b"), time.Minute, 60_000)
	c := m.daemon()
	c.call("ctx/watch", `{}`)
	var front api.Reading
	json.Unmarshal(c.call("ctx/focus", fmt.Sprintf(`{"workspace":%q}`, here)), &front)
	if front.Session != secondID || front.Focus.Reason != "workspace" {
		t.Errorf("in a folder of a repository: %+v", front)
	}
}

// TestAFolderOfARepositoryIsWatchedWithAllOfIt checks editors that watch an open folder that is part of a repository,
// or contains one: an agent that was started at the root, or in a neighboring folder, is included.
func TestAFolderOfARepositoryIsWatchedWithAllOfIt(t *testing.T) {
	m := newMachine(t)
	m.put("shop/.git/HEAD", "ref: refs/heads/main\n")
	here := filepath.Join(m.work, "packages", "a")
	if err := os.MkdirAll(here, 0o755); err != nil {
		t.Fatal(err)
	}
	const atRoot, beside, above, elsewhere = firstID, secondID, oldID, "44444444-4444-4444-8444-444444444444"
	m.session(atRoot, 1, m.work, time.Minute, 50_000)
	m.session(beside, 1, filepath.Join(m.work, "packages", "b"), 2*time.Minute, 60_000)
	m.session(above, 1, m.home, 3*time.Minute, 70_000)
	m.session(elsewhere, 1, filepath.Join(m.home, "other"), time.Second, 80_000)
	for name, want := range map[string][]string{
		here:   {atRoot, beside, above},
		m.work: {atRoot, beside, above},
		m.home: {atRoot, beside, above, elsewhere},
	} {
		c := m.daemon()
		var watched struct{ Sessions []struct{ Session string } }
		json.Unmarshal(c.call("ctx/watch", fmt.Sprintf(`{"workspace":%q}`, name)), &watched)
		var got []string
		for _, s := range watched.Sessions {
			got = append(got, s.Session)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) { // both are sorted by id
			t.Errorf("in %s: %v", name, got)
		}
		var front api.Reading
		json.Unmarshal(c.call("ctx/focus", fmt.Sprintf(`{"workspace":%q}`, here)), &front)
		if front.Session != atRoot || front.Focus.Reason != "workspace" {
			t.Errorf("in %s: %+v", name, front)
		}
	}
}

// TestPromptFilesAndSessionsDivideByTheSameWindow checks that the lens agrees with the status line, because an agent's
// window may be smaller than its model's.
func TestPromptFilesAndSessionsDivideByTheSameWindow(t *testing.T) {
	m := newMachine(t)
	os.MkdirAll(m.work, 0o755)
	m.session(firstID, 1, m.work, time.Minute, 100_000)
	environment := dirs.New(testSystem, m.home, func(string) string { return "" })
	c := connect(t, newTestServer(t, Options{Engine: realEngine(t, "native"), Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running, AccountLimits: state.LimitsIn(filepath.Join(m.home, ".cache"))}))
	c.call("initialize", fmt.Sprintf(`{"processId":null,"rootUri":%q,"capabilities":{}}`, document.URI(m.work)))
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	uri := document.URI(m.work) + "/CLAUDE.md"
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"markdown","version":1,"text":"# Shop\n\nRun the tests.\n"}}}`, uri))
	lens := func() string {
		return string(c.call("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri)))
	}
	if text := lens(); strings.Contains(text, "of 200k") {
		t.Fatalf("before there is a session: %s", text)
	}
	c.call("ctx/watch", fmt.Sprintf(`{"workspace":%q}`, m.work))
	for deadline := time.Now().Add(20 * time.Second); !strings.Contains(lens(), "of 200k"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the session's window is 200k: %s", lens())
		}
	}
	hover := string(c.call("textDocument/hover", fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":0,"character":0}}`, uri)))
	for _, want := range []string{"claude-opus-4-6", "200k", "session"} {
		if !strings.Contains(hover, want) {
			t.Errorf("the hover does not name %q: %s", want, hover)
		}
	}
}

// TestTheLikeliestLeaveTheCandidatesAlone checks that likeliest does not overwrite candidates if there are more than
// are read at once.
func TestTheLikeliestLeaveTheCandidatesAlone(t *testing.T) {
	h := process.Holding{Session: "held"}
	for i := range readAtOnce + 2 {
		h.Candidates = append(h.Candidates, fmt.Sprint("candidate ", i))
	}
	if got := likeliest(&h); len(got) != readAtOnce+1 || got[readAtOnce] != "held" {
		t.Errorf("the likeliest are %q", got)
	}
	for i, id := range h.Candidates {
		if id != fmt.Sprint("candidate ", i) {
			t.Errorf("candidate %d became %q", i, id)
		}
	}
}

// TestSessionsOfProcessesAreReadOnce checks which sessions are read because processes run them: those of processes that
// exist, in watched folders, that are not read yet.
func TestSessionsOfProcessesAreReadOnce(t *testing.T) {
	s := newTestServer(t, Options{})
	start(t, s).call("ctx/watch", `{"workspace":"/w"}`)
	s.watcher.follower = &follow.Follower{}
	defer func() { s.watcher.follower = nil }()
	h := &heldSessions{
		processes: []process.Process{{PID: 1}, {PID: 2}, {PID: 3}},
		claims: []transcript.Claim{
			{PID: 1, Session: "read", Dir: "/w"}, {PID: 2, Session: "held", Dir: "/w/a"}, {PID: 3, Session: "elsewhere", Dir: "/x"}, {PID: 4, Session: "ended", Dir: "/w"},
		},
		holdings: []process.Holding{{Session: "first"}, {Candidates: []string{"second", "not listed"}}},
		listed:   []transcript.Session{{ID: "first", Workspace: "/w"}, {ID: "second", Workspace: "/w"}},
	}
	s.watcher.readHeld(h, []*session{{origin: &fileSession{Session: transcript.Session{ID: "read"}}}})
	if got := strings.Join(s.watcher.asked, " "); got != "held first second" {
		t.Errorf("these are read: %s", got)
	}
}

// TestAnEndedSessionEndedOnce checks that the end of a session's process keeps the time at which it was noticed.
func TestAnEndedSessionEndedOnce(t *testing.T) {
	m := newMachine(t)
	began := time.Now().Add(-time.Hour)
	m.running.set(process.Process{PID: 101, Parent: 100, Name: "claude", Started: began, Dir: m.work})
	m.session(firstID, 1, m.work, 5*time.Minute, 50_000)
	m.claim(101, firstID, "busy", began)
	environment := dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }}
	s := newTestServer(t, Options{Engine: realEngine(t, "native"), Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running})
	c := start(t, s)
	c.call("ctx/watch", `{}`)
	shownIs(c, firstID, "working")
	ended := func() time.Time {
		t.Helper()
		s.watcher.lookAround(true)
		found := s.ofOrigin(firstID)
		found.mu.Lock()
		defer found.mu.Unlock()
		return found.origin.missingSince
	}
	if at := ended(); !at.IsZero() {
		t.Errorf("while its process runs, it ended at %v", at)
	}
	os.RemoveAll(filepath.Join(m.home, ".claude/sessions"))
	m.running.set()
	at := ended()
	shownIs(c, firstID, "ended")
	if again := ended(); at.IsZero() || !again.Equal(at) {
		t.Errorf("it ended at %v, and then at %v", at, again)
	}
	m.running.set(process.Process{PID: 102, Parent: 100, Name: "claude", Started: began, Dir: m.work})
	m.claim(102, firstID, "busy", began)
	if at := ended(); !at.IsZero() {
		t.Errorf("while another process runs it, it ended at %v", at)
	}
}

// TestSessionsThatAnAgentMayRunAreRead checks that the user can choose among the sessions that the agent in a terminal
// may run, even if newer sessions elsewhere use up those that are read automatically.
func TestSessionsThatAnAgentMayRunAreRead(t *testing.T) {
	m := newMachine(t)
	began := time.Now().Add(-10 * time.Hour)
	m.running.set(process.Process{PID: 100, Parent: 1, Name: "bash"}, process.Process{PID: 101, Parent: 100, Name: "claude", Started: began, Dir: m.work})
	for n := range readAtOnce + 2 {
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", n)
		m.session(id, 1, filepath.Join(m.home, "other"), time.Duration(n+1)*time.Minute, 50_000)
		m.aged(id, time.Duration(n+1)*time.Minute)
	}
	for id, ago := range map[string]time.Duration{firstID: 5 * time.Hour, secondID: 6 * time.Hour} {
		m.session(id, 1, m.work, ago, 50_000)
		m.aged(id, ago)
	}
	c := m.daemon()
	c.call("ctx/watch", `{}`)
	var answer struct{ Terminals []terminal }
	for end := time.Now().Add(30 * time.Second); len(answer.Terminals) == 0 || len(answer.Terminals[0].Candidates) != 2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the terminal shows %+v", answer.Terminals)
		}
		json.Unmarshal(c.call("ctx/terminals", `{"pids":[100]}`), &answer)
	}
}

// TestTheActivityOfASession checks what a session's process shows: its agent's own status if it is newer than the last
// record, its end if that was noticed, and otherwise only that the session is silent for long.
func TestTheActivityOfASession(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	held := func(status, waitingFor string, updated time.Duration) *process.Holding {
		return &process.Holding{Status: status, WaitingFor: waitingFor, Updated: ago(updated)}
	}
	const silent, absent = process.IdleAfter, process.AbsentAfter
	idle := activityNow{activity: "idle", since: ago(2 * absent).UnixMilli()}
	for _, test := range []struct {
		name    string
		last    time.Duration // the age of the last record
		origin  fileSession
		working bool
		want    string
		since   time.Duration
	}{
		{"busy", 0, fileSession{holding: held("busy", "", 0)}, false, "working", 0},
		{"idle", 0, fileSession{holding: held("idle", "permission", 0)}, false, "waiting prompt", 0},
		{"waits for approval", 0, fileSession{holding: held("waiting", "permission", 0)}, false, "waiting approval", 0},
		{"waits for input", 0, fileSession{holding: held("waiting", "input", 0)}, false, "waiting prompt", 0},
		{"an unknown status", 0, fileSession{holding: held("new", "", 0)}, false, "", 0},
		{"a second older than the record", 5 * time.Second, fileSession{holding: held("busy", "", 6*time.Second)}, false, "working", 6 * time.Second},
		{"older than the record", 5 * time.Second, fileSession{holding: held("busy", "", 6001*time.Millisecond)}, false, "", 0},
		{"a sub-agent", 2 * silent, fileSession{Session: transcript.Session{Parent: "p"}}, false, "", 0},
		{"perhaps held", 2 * silent, fileSession{maybe: true, missingSince: now}, false, "", 0},
		{"ended", time.Minute, fileSession{missingSince: ago(time.Second)}, true, "ended", time.Second},
		{"ended at its last record", time.Minute, fileSession{missingSince: ago(time.Minute)}, false, "ended", time.Minute},
		{"continued after its end", time.Second, fileSession{missingSince: ago(time.Minute)}, false, "", 0},
		{"silent for long", silent + time.Millisecond, fileSession{}, false, "idle", silent + time.Millisecond},
		{"not silent for long enough", silent, fileSession{}, true, "", 0},
		{"in the middle of work, without an agent", absent + time.Millisecond, fileSession{absent: true}, true, "idle", absent + time.Millisecond},
		{"a moment ago", absent, fileSession{absent: true}, true, "", 0},
		{"in the middle of work", 2 * absent, fileSession{}, true, "", 0},
		{"after its work", 2 * absent, fileSession{absent: true}, false, "", 0},
		{"shown as idle already", 2 * absent, fileSession{absent: true, applied: idle.key()}, false, "idle", 2 * absent},
	} {
		s := &session{origin: &test.origin}
		s.summary.asOf, s.summary.working = ago(test.last).UnixMilli(), test.working
		got := s.activity(now)
		want := activityNow{}
		want.activity, want.waitingFor, _ = strings.Cut(test.want, " ")
		if test.want != "" {
			want.since = ago(test.since).UnixMilli()
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", test.name, got, want)
		}
	}
}

// TestTheTimeOfASessionsLastRecord checks the time by which the newest session is chosen.
func TestTheTimeOfASessionsLastRecord(t *testing.T) {
	m := newMachine(t)
	m.session(firstID, 1, m.work, time.Hour, 50_000)
	m.aged(firstID, time.Hour)
	path := filepath.Join(m.home, ".claude/projects/w/"+firstID+".jsonl")
	about, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	listed := time.UnixMilli(5)
	of := func(from transcript.Session, asOf int64) *session {
		from.Modified = listed
		return &session{origin: &fileSession{Session: from}, summary: summary{asOf: asOf}, lastChange: time.UnixMilli(6)}
	}
	for name, test := range map[string]struct {
		s    *session
		want int64
	}{
		"recorded":              {of(transcript.Session{Path: path}, 7), 7},
		"without a time":        {of(transcript.Session{Path: path}, 0), about.ModTime().UnixMilli()},
		"in a database":         {of(transcript.Session{Path: path, Key: "k"}, 0), 5},
		"without its file":      {of(transcript.Session{Path: path + "x"}, 0), 5},
		"without a transcript":  {&session{lastChange: time.UnixMilli(6)}, 6},
		"recorded by an editor": {&session{summary: summary{asOf: 7}, lastChange: time.UnixMilli(6)}, 7},
	} {
		if got := test.s.newest(); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

// TestATerminalIsLookedUpAgain checks that ctx/terminals uses a recent list of processes, but no older one.
func TestATerminalIsLookedUpAgain(t *testing.T) {
	m := newMachine(t)
	environment := dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }}
	s := newTestServer(t, Options{Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running})
	c := start(t, s)
	agent := func() string {
		var answer struct{ Terminals []terminal }
		json.Unmarshal(c.call("ctx/terminals", `{"pids":[100]}`), &answer)
		return answer.Terminals[0].Agent
	}
	listed := func(age time.Duration) {
		s.watcher.holders.mu.Lock()
		defer s.watcher.holders.mu.Unlock()
		s.watcher.holders.at = time.Now().Add(-age)
	}
	if got := agent(); got != "" {
		t.Errorf("without an agent the terminal has %q", got)
	}
	m.running.set(process.Process{PID: 1, Parent: 0, Name: "init"}, process.Process{PID: 100, Parent: 1, Name: "bash"},
		process.Process{PID: 101, Parent: 100, Name: "claude", Started: time.Now().Add(-time.Hour), Dir: m.work})
	listed(-time.Hour) // that is, the list is new
	if got := agent(); got != "" {
		t.Errorf("a new list is not used: %q", got)
	}
	listed(2 * freshEnough)
	if _, some := s.watcher.inTerminal(100, false); some {
		t.Error("processes are listed again, although a recent list is enough")
	}
	if got := agent(); got != "claude-code" {
		t.Errorf("the terminal has the agent %q", got)
	}
	if _, some := s.watcher.inTerminal(0, false); some {
		t.Error("the parent of all processes is a terminal")
	}
	if _, some := s.watcher.inTerminal(1, false); !some {
		t.Error("no agent runs below the first process")
	}
	m.running.set()
	listed(2 * processesEvery)
	if _, some := s.watcher.inTerminal(100, false); some {
		t.Error("an old list is used")
	}
}

// countedList counts how often processes are listed.
type countedList struct {
	*running
	lists atomic.Int64
}

func (l *countedList) List() []process.Process {
	l.lists.Add(1)
	return l.running.List()
}

// TestProcessesAreListedForRequests checks that a list that is no longer fresh is replaced for a request, but not for a
// check that the daemon makes by itself.
func TestProcessesAreListedForRequests(t *testing.T) {
	m := newMachine(t)
	environment := dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }}
	list := &countedList{running: m.running}
	var looks atomic.Int64 // the clock is read at each check
	now := func() time.Time { looks.Add(1); return time.Now() }
	s := newTestServer(t, Options{Home: m.home, Source: sessions.NewFinder(environment), Processes: list, Now: now})
	s.watcher.claimsEvery, s.watcher.processesEvery = time.Millisecond, time.Hour
	c := start(t, s)
	for _, test := range []struct {
		name   string
		check  func()
		listed int64
	}{
		{"a focus", func() { c.call("ctx/focus", `{"terminalPid":100}`) }, 1},
		{"the same focus", func() { s.eachConnection((*connection).refocus) }, 0},
		{"a search", func() { c.call("ctx/watch", `{}`) }, 1},
		{"time", func() {
			for end, before := time.Now().Add(30*time.Second), looks.Load(); looks.Load() < before+3; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("processes are not checked")
				}
			}
		}, 0},
	} {
		s.watcher.holders.mu.Lock()
		s.watcher.holders.at = time.Now().Add(-2 * freshEnough)
		s.watcher.holders.mu.Unlock()
		before := list.lists.Load()
		if test.check(); list.lists.Load() != before+test.listed {
			t.Errorf("for %s, processes are listed %d times, want %d", test.name, list.lists.Load()-before, test.listed)
		}
	}
}

// unlistable is a system whose processes cannot be listed because of a defect.
type unlistable struct{ *running }

func (unlistable) List() []process.Process { panic("a defect of the system") }

// TestADefectInTheListOfProcessesEndsNoDaemon checks a panic while sessions are searched, and later.
func TestADefectInTheListOfProcessesEndsNoDaemon(t *testing.T) {
	m := newMachine(t)
	environment := dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }}
	s := newTestServer(t, Options{Home: m.home, Source: sessions.NewFinder(environment), Processes: unlistable{m.running}})
	lookOften(s)
	c := start(t, s)
	if got := string(c.call("ctx/watch", `{}`)); got != `{"sessions":[],"roots":[],"searching":false}` {
		t.Errorf("the answer is %s", got)
	}
	for end := time.Now().Add(30 * time.Second); s.metrics.defects.Load() < 2; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d defects are counted", s.metrics.defects.Load())
		}
	}
	c.call("ctx/sessions", `{}`)
}
