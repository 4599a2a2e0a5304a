// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestFoundSessionsAreClosedAndTheirProblemsReported checks the notifications about found sessions: one that is gone,
// one whose transcript cannot be read, reported once, and one whose name an editor already uses.
func TestFoundSessionsAreClosedAndTheirProblemsReported(t *testing.T) {
	s := newTestServer(t, Options{})
	c, other := start(t, s), start(t, s)
	c.call("ctx/watch", `{}`)
	c.call("ctx/session/open", `{"id":"taken","shared":true}`)
	found := func(id string) string {
		feed := follow.NewFeed(transcript.Session{ID: id, Agent: "claude-code", Workspace: "/w"}, s.callRaw)
		s.watcher.prepare(feed)
		return feed.ID
	}
	if id := found("taken"); id != "claude-code:taken" {
		t.Errorf("beside an editor's session the found one is called %q", id)
	}
	if of := s.ofOrigin("taken"); of == nil || of.id != "claude-code:taken" || of.key != keyOf("", of.id) {
		t.Errorf("it is entered as %+v", of)
	}
	if id := found("free"); id != "free" {
		t.Errorf("it is called %q", id)
	}
	if id := found("free"); id != "free" {
		t.Errorf("prepared again it is called %q", id)
	}
	broken := follow.Update{ID: "free", Session: transcript.Session{Path: "/w/free.jsonl"}, Problem: "it is damaged"}
	for range 2 {
		s.watcher.update(broken)
	}
	broken.Problem = "it is gone"
	s.watcher.update(broken)
	for _, want := range []string{`{"message":"/w/free.jsonl: it is damaged","type":2}`, `{"message":"/w/free.jsonl: it is gone","type":2}`} {
		if got := string(c.note("window/logMessage").Params); got != want {
			t.Errorf("the client's log has %s, want %s", got, want)
		}
	}
	s.watcher.update(follow.Update{ID: "taken", Removed: true}) // the editor's session is another one
	s.watcher.update(follow.Update{ID: "nobody", Removed: true})
	s.watcher.update(follow.Update{ID: "free", Removed: true})
	if got := string(c.note("ctx/closed").Params); got != `{"session":"free"}` {
		t.Errorf("closed is %s", got)
	}
	s.mu.Lock()
	left, taken := s.sessions[keyOf("", "free")], s.sessions[keyOf("", "taken")]
	s.mu.Unlock()
	if left != nil || taken == nil {
		t.Error("the wrong session was removed")
	}
	other.conn.Close()
	other.exitCode()
	for m := range other.notes {
		if m.Method == "ctx/closed" || m.Method == "window/logMessage" {
			t.Errorf("a client that watches nothing is sent %s %s", m.Method, m.Params)
		}
	}
}

// TestTheLastSessionsThatAClientShowedAreRead checks how many sessions stay read because a client showed them.
func TestTheLastSessionsThatAClientShowedAreRead(t *testing.T) {
	w := newWatcher(newTestServer(t, Options{}))
	if w.also("a") || len(w.asked) != 0 {
		t.Error("a session is read while no client watches")
	}
	w.follower = &follow.Follower{}
	for n := range maxAsked + 3 {
		if !w.also(fmt.Sprint(n)) {
			t.Errorf("session %d is known", n)
		}
	}
	if w.also("") || w.also("10") {
		t.Error("no session, or a known one, is new")
	}
	if w.also(w.asked[0]) || len(w.asked) != maxAsked {
		t.Errorf("the first of the known sessions is new: %v", w.asked)
	}
	w.asked = append([]string{w.asked[maxAsked-1]}, w.asked[:maxAsked-1]...)
	if n := len(w.asked); n != maxAsked || w.asked[0] != "3" || w.asked[n-1] != "10" || slices.Index(w.asked, "10") != n-1 {
		t.Errorf("%d sessions are read: %v", n, w.asked)
	}
}

// TestAnEarlierSessionIsConvertedWithoutReadingIt checks handover notes and comparisons of sessions that are not
// followed, and the numbers of a comparison.
func TestAnEarlierSessionIsConvertedWithoutReadingIt(t *testing.T) {
	m := newMachine(t)
	m.session(firstID, 1, m.work, 48*time.Hour, 50_000)
	m.put(".claude/projects/w/"+firstID+".jsonl", fmt.Sprintf(`{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null,"logicalParentUuid":"a1","sessionId":%[1]q,"cwd":%[2]q,"compactMetadata":{"trigger":"manual","preTokens":50000}}
{"type":"user","uuid":"u2","parentUuid":"b1","sessionId":%[1]q,"cwd":%[2]q,"isCompactSummary":true,"message":{"role":"user","content":"The user said: go on"}}
`, firstID, m.work))
	c := m.daemon() // no session is followed
	var note api.HandoverAnswer
	json.Unmarshal(c.call("ctx/handover", fmt.Sprintf(`{"id":%q}`, firstID)), &note)
	if note.Session != firstID || note.Asked != 2000 || note.Compactions != 1 {
		t.Errorf("the note is %+v", note)
	}
	var compared api.ForgotAnswer
	json.Unmarshal(c.call("ctx/forgot", fmt.Sprintf(`{"id":%q}`, firstID)), &compared)
	if compared.Session != firstID || compared.Compaction != 1 || compared.Compactions != 1 || len(compared.Items) == 0 {
		t.Errorf("the comparison is %+v", compared)
	}
	if m := c.ask("ctx/forgot", fmt.Sprintf(`{"id":%q,"compaction":2}`, firstID)); m.Error == nil || m.Error.Code != api.Code(api.RequestFailed) && m.Error.Code != api.Code(api.InvalidParams) {
		t.Errorf("a compaction that does not exist: %+v", m)
	}
	var found struct{ Sessions []json.RawMessage }
	json.Unmarshal(c.call("ctx/sessions", `{}`), &found)
	if len(found.Sessions) != 0 {
		t.Errorf("sessions are followed now: %s", found.Sessions)
	}
}

// TestTheTitleOfAnIndexIsFollowed checks a session whose name is in a file next to its transcript: a change of that
// file changes its title, although the transcript stays.
func TestTheTitleOfAnIndexIsFollowed(t *testing.T) {
	m := newMachine(t)
	id := "0197f1c2-0000-7000-8000-000000000001"
	at := time.Now().UTC().Format(time.RFC3339Nano)
	m.put(".codex/sessions/2026/03/02/rollout-2026-03-02T10-00-00-"+id+".jsonl", fmt.Sprintf(`{"timestamp":%[1]q,"type":"session_meta","payload":{"id":%[2]q,"cwd":%[3]q,"cli_version":"0.145.0"}}
{"timestamp":%[1]q,"type":"turn_context","payload":{"model":"gpt-5.5"}}
{"timestamp":%[1]q,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go on"}]}}
`, at, id, m.work))
	title := func(name string) {
		m.put(".codex/session_index.jsonl", fmt.Sprintf(`{"id":%q,"thread_name":%q,"updated_at":"1"}`+"\n", id, name))
	}
	title("The parser")
	c := m.daemon()
	c.call("ctx/watch", `{}`)
	for _, name := range []string{"The parser", "The parser, anew"} {
		title(name)
		for got := ""; got != name; {
			var r struct{ Title string }
			json.Unmarshal(c.note("ctx/reading").Params, &r)
			if got = r.Title; got != name && got != "" && got != "The parser" {
				t.Fatalf("its title is %q", got)
			}
		}
	}
}

// TestWhatClaudeCodeWaitsForIsAnApprovalUnlessItIsInput checks the words of its own file.
func TestWhatClaudeCodeWaitsForIsAnApprovalUnlessItIsInput(t *testing.T) {
	for words, want := range map[string]string{
		"": "approval", "permission prompt": "approval", "Permission": "approval", "user input": "prompt", "Input": "prompt", "prompt": "prompt", "worker": "approval",
	} {
		if got := waitedFor(words); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

// TestAFileAtHomeIsNoProject checks that an editor without a folder that opens a file in the home directory does not
// watch all of the user's projects.
func TestAFileAtHomeIsNoProject(t *testing.T) {
	home := real(t, t.TempDir())
	s := newTestServer(t, Options{Home: home, Source: sessions.NewFinder(dirs.Environment{OS: testSystem, Home: home, Getenv: func(string) string { return "" }})})
	start(t, s)
	s.eachConnection(func(c *connection) {
		for _, test := range []struct {
			folder string
			moved  bool
		}{{home, false}, {filepath.Dir(home), false}, {home + "/a", true}, {home + "/a", false}, {home + "/b", true}, {home + "/c", true}, {home + "/d", true}, {home + "/a", true}, {home + "/e", true}} {
			if moved := c.openedIn(test.folder); moved != test.moved {
				t.Errorf("a file in %s changes the folders: %v", test.folder, moved)
			}
		}
		if got := strings.ReplaceAll(fmt.Sprint(c.opened), home, ""); got != "[/e /a /d /c]" {
			t.Errorf("the folders of its documents are %s", got)
		}
	})
}

// TestHistoryReturnsTheRequestsOfASession checks the history that telemetry looks back on.
func TestHistoryReturnsTheRequestsOfASession(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"history","shared":true}`)
	for _, in := range []int{1000, 2000} {
		c.call("ctx/session/usage", fmt.Sprintf(`{"id":"history","provider":"ctx","usage":{"in":%d,"out":10}}`, in))
	}
	history, err := s.History(keyOf("", "history"))
	if err != nil || len(history.Points) != 2 || history.Points[1].Used != 2000 {
		t.Errorf("%+v, %v", history, err)
	}
	if _, err := s.History(keyOf("other", "history")); err == nil {
		t.Error("another client's session has a history")
	}
	c.call("ctx/session/close", `{"id":"history"}`)
}

// TestTheStartOfTheOldestAgentLimitsTheSearch checks which sessions may be run by the agents that are found.
func TestTheStartOfTheOldestAgentLimitsTheSearch(t *testing.T) {
	at := func(n int64) time.Time { return time.Unix(n, 0) }
	list := []process.Process{{Started: at(1)}, {Agent: "codex", Started: at(5)}, {Agent: "claude-code", Started: at(3)}, {Agent: "codex", Started: at(4)}}
	if got := oldestAgent(list); !got.Equal(at(3)) {
		t.Errorf("the oldest began at %v", got)
	}
	if got := oldestAgent(list[:1]); !got.IsZero() {
		t.Errorf("without an agent: %v", got)
	}
}
