// Copyright The ctx-lsp authors. MIT licence.

package process

import (
	"reflect"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// at returns the time that many minutes after the start of the test's day.
func at(minutes int) time.Time {
	return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).Add(time.Duration(minutes) * time.Minute)
}

func claude(pid, started int) Process {
	return Process{PID: pid, Parent: 1, Name: "claude", Agent: "claude-code", Started: at(started), Dir: "/w/shop"}
}

func claim(pid int, session string, started, updated int, status string) transcript.Claim {
	return transcript.Claim{Agent: agent.ClaudeCode, PID: pid, Session: session, Dir: "/w/shop", Started: at(started), Updated: at(updated), Status: status}
}

func shop(id string, begun, last int) Session {
	return Session{ID: id, Agent: "claude-code", Path: "/home/ada/.claude/projects/-w-shop/" + id + ".jsonl", Dir: "/w/shop", Begun: at(begun), Last: at(last)}
}

func cleared(s Session) Session {
	s.Cleared = true
	return s
}

// answer is the part of a Holding that the tests compare.
type answer struct {
	Session    string
	Proof      Proof
	Candidates []string
}

// TestAProcessIsTiedToASessionByProofAlone checks that no session is assigned if two are possible, because a command
// could otherwise be typed into the wrong agent.
func TestAProcessIsTiedToASessionByProofAlone(t *testing.T) {
	codex := func(pid int, files ...string) Process {
		return Process{PID: pid, Parent: 1, Name: "codex", Agent: "codex", Started: at(0), Dir: "/w/shop", Files: files, FilesKnown: true}
	}
	rollout := func(id string, begun, last int) Session {
		return Session{ID: id, Agent: "codex", Path: "/home/ada/.codex/sessions/" + id + ".jsonl", Dir: "/w/shop", Begun: at(begun), Last: at(last)}
	}
	gemini := func(pid, started int) Process {
		return Process{PID: pid, Parent: 1, Name: "gemini", Agent: "gemini-cli", Started: at(started), Dir: "/w/shop"}
	}
	chat := func(id string, begun, last int) Session {
		return Session{ID: id, Agent: "gemini-cli", Path: "/home/ada/.gemini/" + id, Dir: "/w/shop", Begun: at(begun), Last: at(last)}
	}
	for name, c := range map[string]struct {
		processes []Process
		claims    []transcript.Claim
		sessions  []Session
		want      map[int]answer
	}{
		"two Claude Codes in one folder, each with its file": {
			[]Process{claude(10, 0), claude(20, 5)},
			[]transcript.Claim{claim(10, "a", 0, 30, "idle"), claim(20, "b", 5, 60, "busy")},
			[]Session{shop("a", 1, 30), shop("b", 6, 60)},
			map[int]answer{10: {"a", BySessionFile, nil}, 20: {"b", BySessionFile, nil}},
		},
		"two Claude Codes in one folder that leave no files": {
			[]Process{claude(10, 0), claude(20, 5)},
			nil,
			[]Session{shop("a", 1, 30), shop("b", 6, 60)},
			map[int]answer{10: {"", "", []string{"b", "a"}}, 20: {"", "", []string{"b", "a"}}},
		},
		"the file of a process that has ended, whose number another has": {
			[]Process{claude(10, 40)},
			[]transcript.Claim{claim(10, "a", 0, 30, "idle")},
			[]Session{shop("a", 1, 30)},
			map[int]answer{10: {"", "", nil}},
		},
		"a program with another name whose file was written as it began": {
			[]Process{{PID: 10, Name: "node.exe", Started: at(0)}},
			[]transcript.Claim{claim(10, "a", 0, 30, "idle")},
			[]Session{shop("a", 1, 30)},
			map[int]answer{10: {"a", BySessionFile, nil}},
		},
		"nothing recorded yet": {
			[]Process{claude(10, 0)},
			[]transcript.Claim{claim(10, "new", 0, 0, "idle")},
			nil,
			map[int]answer{10: {"", "", nil}},
		},
		"after a /clear the newest record counts, and not the file": {
			[]Process{claude(10, 0), claude(20, 5)},
			[]transcript.Claim{claim(10, "a", 0, 45, "idle"), claim(20, "b", 5, 60, "busy")},
			[]Session{shop("a", 1, 30), shop("b", 6, 60), cleared(shop("c", 31, 45))},
			map[int]answer{10: {"c", BySessionFile, nil}, 20: {"b", BySessionFile, nil}},
		},
		"after two the last of them": {
			[]Process{claude(10, 0)},
			[]transcript.Claim{claim(10, "a", 0, 70, "idle")},
			[]Session{shop("a", 1, 30), cleared(shop("c", 31, 45)), cleared(shop("d", 50, 70))},
			map[int]answer{10: {"d", BySessionFile, nil}},
		},
		"a /clear in one of two that both were quiet": {
			[]Process{claude(10, 0), claude(20, 5)},
			[]transcript.Claim{claim(10, "a", 0, 45, "idle"), claim(20, "b", 5, 46, "idle")},
			[]Session{shop("a", 1, 30), shop("b", 6, 20), cleared(shop("c", 31, 45))},
			map[int]answer{10: {"", "", []string{"c", "a"}}, 20: {"", "", []string{"c", "b"}}},
		},
		"a newer session of an agent that has ended is not taken for a /clear": {
			[]Process{claude(10, 0)},
			[]transcript.Claim{claim(10, "a", 0, 30, "idle")},
			[]Session{shop("a", 1, 30), cleared(shop("c", 40, 50))},
			map[int]answer{10: {"a", BySessionFile, nil}},
		},
		"a newer session without a /clear is asked about": {
			[]Process{claude(10, 0)},
			[]transcript.Claim{claim(10, "a", 0, 50, "idle")},
			[]Session{shop("a", 1, 30), shop("c", 40, 50)},
			map[int]answer{10: {"", "", []string{"c", "a"}}},
		},
		"the session of the file goes on, whatever else began": {
			[]Process{claude(10, 0)},
			[]transcript.Claim{claim(10, "a", 0, 60, "busy")},
			[]Session{shop("a", 1, 60), cleared(shop("c", 40, 50))},
			map[int]answer{10: {"a", BySessionFile, nil}},
		},
		"Codex holds its rollout open": {
			[]Process{codex(10, "/home/ada/.codex/sessions/x.jsonl"), codex(20, "/home/ada/.codex/sessions/y.jsonl")},
			nil,
			[]Session{rollout("x", 1, 5), rollout("y", 2, 9)},
			map[int]answer{10: {"x", ByOpenFile, nil}, 20: {"y", ByOpenFile, nil}},
		},
		"Codex that has two open": {
			[]Process{codex(10, "/home/ada/.codex/sessions/x.jsonl", "/home/ada/.codex/sessions/y.jsonl")},
			nil,
			[]Session{rollout("x", 1, 5), rollout("y", 2, 9)},
			map[int]answer{10: {"", "", []string{"y", "x"}}},
		},
		"Codex at its first prompt is not given another's": {
			[]Process{codex(10)},
			nil,
			[]Session{rollout("x", 1, 5)},
			map[int]answer{10: {"", "", nil}},
		},
		"the only one that began since": {
			[]Process{gemini(10, 0)},
			nil,
			[]Session{chat("x", 1, 5), chat("old", -90, -60)},
			map[int]answer{10: {"x", ByStart, nil}},
		},
		"one that began before and goes on may have been resumed": {
			[]Process{gemini(10, 0)},
			nil,
			[]Session{chat("x", -60, 5)},
			map[int]answer{10: {"", "", []string{"x"}}},
		},
		"two of them": {
			[]Process{gemini(10, 0), gemini(20, 0)},
			nil,
			[]Session{chat("x", 1, 5)},
			map[int]answer{10: {"", "", []string{"x"}}, 20: {"", "", []string{"x"}}},
		},
	} {
		got := map[int]answer{}
		for _, h := range Resolve(c.processes, c.claims, c.sessions) {
			got[h.Process.PID] = answer{h.Session, h.Proof, h.Candidates}
			if h.Reason == "" {
				t.Errorf("%s: no reason for process %d", name, h.Process.PID)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %v\nwant %v", name, got, c.want)
		}
	}
}

func TestTheIdOnACommandLineIsAProof(t *testing.T) {
	p := claude(10, 40)
	id := "11111111-2222-4333-8444-555555555555"
	p.Command = []string{"claude", "--resume", id}
	got := Resolve([]Process{p}, nil, []Session{shop(id, 1, 41), shop("b", 41, 42)})
	if got[0].Session != id || got[0].Proof != ByCommand {
		t.Errorf("got %+v", got[0])
	}
}

// TestTheAgentOfATerminalIsTheOneInFront checks the search for a terminal's agent: an agent run by another
// agent is not it, a script that only starts the program is skipped, and two agents side by side leave it undecided.
func TestTheAgentOfATerminalIsTheOneInFront(t *testing.T) {
	shell := Process{PID: 2, Parent: 1, Name: "bash"}
	under := func(p Process, parent int, front bool) Process {
		p.Parent, p.Front = parent, front
		return p
	}
	hold := func(p Process, session string) Holding { return Holding{Process: p, Session: session, Reason: "."} }
	a, b := under(claude(10, 0), 2, false), under(claude(20, 0), 2, false)
	inner := under(Process{PID: 11, Name: "codex", Agent: "codex"}, 10, false)
	for name, c := range map[string]struct {
		processes []Process
		holdings  []Holding
		session   string
		some      bool
		asks      int
	}{
		"one":                       {[]Process{shell, a}, []Holding{hold(a, "a")}, "a", true, 0},
		"one that runs another":     {[]Process{shell, a, inner}, []Holding{hold(a, "a"), hold(inner, "x")}, "a", true, 0},
		"two, neither in front":     {[]Process{shell, a, b}, []Holding{hold(a, "a"), hold(b, "b")}, "", true, 2},
		"two, one in front":         {[]Process{shell, a, under(b, 2, true)}, []Holding{hold(a, "a"), hold(under(b, 2, true), "b")}, "b", true, 0},
		"a script and its program":  {[]Process{shell, a, under(claude(12, 0), 10, false)}, []Holding{hold(a, ""), hold(under(claude(12, 0), 10, false), "a")}, "a", true, 0},
		"none":                      {[]Process{shell}, nil, "", false, 0},
		"a circle of processes":     {[]Process{{PID: 2, Parent: 3}, {PID: 3, Parent: 2}}, nil, "", false, 0},
		"the terminal is the agent": {[]Process{{PID: 2, Parent: 1, Agent: "codex"}}, []Holding{hold(Process{PID: 2, Agent: "codex"}, "x")}, "x", true, 0},
	} {
		h, some := InTerminal(2, c.processes, c.holdings)
		if some != c.some || h.Session != c.session || len(h.Candidates) != c.asks {
			t.Errorf("%s: got %v %+v", name, some, h)
		}
	}
	if h, ok := Above(30, []Process{shell, a, inner, {PID: 30, Parent: 11}}, []Holding{hold(a, "a"), hold(inner, "x")}); !ok || h.Session != "x" {
		t.Errorf("the agent above is %+v", h)
	}
}

// TestAgentsAreKnownByTheirPrograms checks that agents are recognized by name, natively and under an interpreter, on
// every system.
func TestAgentsAreKnownByTheirPrograms(t *testing.T) {
	for name, want := range map[string]string{"claude": "claude-code", "Claude.EXE": "claude-code", "codex-x86_64-un": "codex", "bash": "", "claudette": ""} {
		if got := agentOf(name); got != want {
			t.Errorf("%s is taken for %q's", name, got)
		}
	}
	for _, c := range []struct {
		command []string
		want    string
	}{
		{[]string{"node", "--no-warnings", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"}, "claude-code"},
		{[]string{"node", `C:\Users\ada\AppData\Roaming\npm\node_modules\@google\gemini-cli\dist\index.js`}, "gemini-cli"},
		{[]string{"node", "/usr/bin/qwen"}, "qwen-code"},
		{[]string{"python3", "/home/ada/.local/bin/aider"}, "aider"},
		{[]string{"node", "server.js", "claude"}, ""},
		{[]string{"node"}, ""},
		{nil, ""},
	} {
		if got := agentOfScript(c.command); got != c.want {
			t.Errorf("%q is taken for %q's", c.command, got)
		}
	}
}

// TestASessionIsAbsentOnlyIfNoProcessCanRunIt checks that a process in the session's directory, or in an unknown one,
// may run it.
func TestASessionIsAbsentOnlyIfNoProcessCanRunIt(t *testing.T) {
	shell, elsewhere, unknown := Process{PID: 1, Name: "bash"}, claude(3, 0), claude(4, 0)
	elsewhere.Dir, unknown.Dir = "/w/other", ""
	for name, c := range map[string]struct {
		processes  []Process
		agent, dir string
		want       bool
	}{
		"no agent runs":                           {[]Process{shell}, "claude-code", "/w/shop", true},
		"it runs in another folder":               {[]Process{shell, elsewhere}, "claude-code", "/w/shop", true},
		"it runs in this folder":                  {[]Process{shell, claude(2, 0)}, "claude-code", "/w/shop", false},
		"it runs in a folder that is not shown":   {[]Process{shell, unknown}, "claude-code", "/w/shop", false},
		"the session's folder is unknown":         {[]Process{shell, elsewhere}, "claude-code", "", false},
		"another agent runs here":                 {[]Process{shell, claude(2, 0)}, "codex", "/w/shop", true},
		"the system lists no processes":           {nil, "claude-code", "/w/shop", false},
		"an agent that may run inside an editor":  {[]Process{shell}, "cline", "/w/shop", false},
		"an agent of which nothing is known here": {[]Process{shell}, "unheard", "/w/shop", false},
	} {
		if got := Absent(c.processes, Resolve(c.processes, nil, nil), c.agent, c.dir); got != c.want {
			t.Errorf("%s: absent is %v", name, got)
		}
	}
}
