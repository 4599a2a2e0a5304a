// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestASessionThatIsNotShownIsOnlyListed checks that old sessions cost little memory and time: a few are read, and
// the others are listed with their titles and read when a client shows them or a process runs them. None disappears
// because of its age.
func TestASessionThatIsNotShownIsOnlyListed(t *testing.T) {
	m := newMachine(t)
	id := func(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }
	age := func(n int) time.Duration { return time.Duration(n+1) * 6 * time.Hour } // more than a day from the fourth on
	for n := range 20 {
		m.session(id(n), 1, m.work, age(n), 50_000+n)
		m.put(".claude/projects/w/"+id(n)+".jsonl", fmt.Sprintf(`{"type":"ai-title","aiTitle":"Session %d","sessionId":%q}`+"\n", n, id(n)))
		m.aged(id(n), age(n))
	}
	held := 19
	began := time.Now().Add(-200 * time.Hour)
	m.running.set(process.Process{PID: 101, Parent: 100, Name: "claude", Started: began, Dir: m.work})
	m.claim(101, id(held), "idle", began)
	c := m.daemon()
	var watched struct {
		Sessions []struct{ Session, Title string }
	}
	json.Unmarshal(c.watch(`{}`), &watched)
	if n := len(watched.Sessions); n < 3 || n > readAtOnce+1 {
		t.Errorf("%d sessions were read unasked", n)
	}
	shownIs(c, id(held), "waiting for prompt") // its process is running
	earlier := func(params string) api.EarlierAnswer {
		var answer api.EarlierAnswer
		json.Unmarshal(c.call("ctx/earlier", params), &answer)
		return answer
	}
	all := earlier(`{}`)
	listed := map[string]api.Earlier{}
	for _, s := range all.Sessions {
		listed[s.Session] = s
	}
	const old = 10
	if got := listed[id(old)]; got.Title != fmt.Sprint("Session ", old) || got.Workspace != m.work || got.Agent != "claude-code" || got.Started == nil {
		t.Errorf("an earlier session is listed as %+v", got)
	}
	if _, twice := listed[id(0)]; twice || all.More {
		t.Errorf("what is read is listed as earlier, or more is said to be there: %+v", all)
	}
	if some := earlier(`{"limit":2}`); len(some.Sessions) != 2 || !some.More {
		t.Errorf("two of them: %+v", some)
	}
	if m := c.ask("ctx/earlier", `{"limit":-1}`); m.Error == nil {
		t.Error("a negative limit was taken")
	}
	var front struct {
		Session, Activity string
		LastRequest       struct{ In int64 }
	}
	json.Unmarshal(c.focus(id(old)), &front)
	if front.Session != id(old) || front.LastRequest.In != 50_000+old || front.Activity != "idle" {
		t.Errorf("an earlier session that is looked at: %+v", front)
	}
	for _, s := range earlier(`{}`).Sessions {
		if s.Session == id(old) {
			t.Error("a session that is read now is still listed as earlier")
		}
	}
}

// TestASessionThatIsBeingReadIsListed checks that ctx/earlier lists a session until ctx/sessions does: a large one
// takes a while to read.
func TestASessionThatIsBeingReadIsListed(t *testing.T) {
	m := newMachine(t)
	m.session(firstID, 1, m.work, time.Minute, 50_000)
	s := newTestServer(t, Options{Home: m.home, Source: sessions.NewFinder(dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }})})
	c := start(t, s)
	begun := s.enter(&session{id: firstID, key: keyOf("", firstID), found: true, origin: &fileSession{Session: transcript.Session{ID: firstID}}, watchers: map[*connection]struct{}{}})
	listed := func() (n int) {
		var earlier api.EarlierAnswer
		json.Unmarshal(c.call("ctx/earlier", `{}`), &earlier)
		return len(earlier.Sessions)
	}
	if n := listed(); n != 1 {
		t.Errorf("%d sessions are listed while one is being read", n)
	}
	begun.mu.Lock()
	begun.reading = []byte(`{}`)
	begun.mu.Unlock()
	if n := listed(); n != 0 {
		t.Errorf("%d sessions are listed as unread after it was read", n)
	}
}

// TestAnEarlierSessionThatTakesLongToReadIsShownLater checks that ctx/focus does not deny a session because it was not
// read in time: ctx/focused follows.
func TestAnEarlierSessionThatTakesLongToReadIsShownLater(t *testing.T) {
	m := newMachine(t)
	m.session(firstID, 1, m.work, 48*time.Hour, 50_000)
	m.aged(firstID, 48*time.Hour)
	compiled := make(chan struct{})
	engine := realEngine(t, "native")
	slow := func(ctx context.Context) (Engine, error) {
		<-compiled
		return engine(ctx)
	}
	c := start(t, newTestServer(t, Options{Engine: slow, Home: m.home, Source: sessions.NewFinder(dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }})}))
	c.call("ctx/watch", `{}`)
	asked := c.ask("ctx/focus", fmt.Sprintf(`{"session":%q}`, firstID))
	close(compiled)
	if asked.Error != nil {
		t.Fatalf("the answer is %+v", asked.Error)
	}
	var focused api.FocusedParams
	json.Unmarshal(c.kept("ctx/focused").Params, &focused)
	if focused.Reading.Session != firstID || focused.Reading.Focus.Reason != focus.Named {
		t.Errorf("then %+v is shown", focused)
	}
}

// TestSubAgentsOfAnEarlierSessionAreFound checks a session that is read because a client shows it, and the note about a
// sub-agent that is not read.
func TestSubAgentsOfAnEarlierSessionAreFound(t *testing.T) {
	m := newMachine(t)
	m.session(firstID, 1, m.work, 48*time.Hour, 50_000)
	child := ".claude/projects/w/" + firstID + "/subagents/agent-a1.jsonl"
	dirstest.Place(t, m.home, dirstest.Recording{child: fmt.Sprintf(`{"type":"user","isSidechain":true,"agentId":"a1","uuid":"u1","parentUuid":null,"sessionId":%q,"cwd":%q,"version":"2.1.200","message":{"role":"user","content":"look"},"timestamp":"2026-11-01T10:00:00.000Z"}`+"\n",
		firstID, m.work)}, 48*time.Hour)
	m.aged(firstID, 48*time.Hour)
	c := m.daemon()
	var note api.HandoverAnswer
	if json.Unmarshal(c.call("ctx/handover", fmt.Sprintf(`{"id":%q}`, firstID+"/agent-a1")), &note); note.Session != firstID+"/agent-a1" {
		t.Errorf("the note is %+v", note)
	}
	c.watch(`{}`)
	var shown struct{ Children []struct{ Session string } }
	for end := time.Now().Add(30 * time.Second); len(shown.Children) == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the session has no sub-agent")
		}
		json.Unmarshal(c.focus(firstID), &shown)
	}
	if shown.Children[0].Session != firstID+"/agent-a1" {
		t.Errorf("the sub-agent is %+v", shown.Children)
	}
}

// TestOfManyFreshSessionsAFewAreReadAtOnce checks that fifty recent sessions cost no more at the daemon's start than a
// few. The others are listed at once, and each is read as soon as it changes.
func TestOfManyFreshSessionsAFewAreReadAtOnce(t *testing.T) {
	m := newMachine(t)
	id := func(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }
	for n := range 20 {
		m.session(id(n), 1, m.work, time.Duration(n+1)*10*time.Second, 50_000+n)
	}
	c := m.daemon()
	var watched struct {
		Sessions []struct{ Session string }
	}
	json.Unmarshal(c.watch(`{}`), &watched)
	if len(watched.Sessions) != readAtOnce {
		t.Errorf("%d sessions were read at once, not %d", len(watched.Sessions), readAtOnce)
	}
	var earlier api.EarlierAnswer
	json.Unmarshal(c.call("ctx/earlier", `{}`), &earlier)
	if len(earlier.Sessions) != 20-readAtOnce {
		t.Errorf("%d sessions are listed, not %d", len(earlier.Sessions), 20-readAtOnce)
	}
	const oldest = 19
	m.put(".claude/projects/w/"+id(oldest)+".jsonl", "\n")
	shownIs(c, id(oldest), "waiting for prompt")
}

// TestTheFoldersOfAClientAreReadFirst checks that newer sessions elsewhere, even if they use up the limit for automatic
// reading, do not keep sessions unread in a folder that the client shows or switches to.
func TestTheFoldersOfAClientAreReadFirst(t *testing.T) {
	m := newMachine(t)
	id := func(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }
	in := func(folder string) string {
		folder = filepath.Join(m.home, folder)
		if err := os.MkdirAll(filepath.Join(folder, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	mine, second, elsewhere := in("mine"), in("second"), in("elsewhere")
	for n := range 20 {
		age := time.Duration(n+1) * 10 * time.Minute
		folder := elsewhere
		switch {
		case n >= 18:
			folder = second
		case n >= 6:
			folder = mine
		}
		m.session(id(n), 1, folder, age, 50_000+n)
		if folder == elsewhere {
			m.put(".claude/projects/w/"+id(n)+".jsonl", fmt.Sprintf(`{"type":"user","sessionId":%q,"cwd":%q,"message":{"role":"user","content":%q}}`+"\n", id(n), folder, strings.Repeat("long ", mostAtOnce/10)))
		}
		m.aged(id(n), age)
	}
	c := m.daemon()
	var watched struct {
		Sessions []struct{ Session string }
	}
	asked := fmt.Sprintf(`{"folders":[%q]}`, mine)
	// The daemon responds after a while even if not everything has been read.
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if json.Unmarshal(c.call("ctx/watch", asked), &watched); len(watched.Sessions) > readHere {
			break
		}
	}
	read := map[string]bool{}
	for _, s := range watched.Sessions {
		read[s.Session] = true
	}
	for n := range 20 {
		if want := n < 1 || n >= 6 && n < 6+readHere; read[id(n)] != want {
			t.Errorf("session %d is read: %v", n, read[id(n)])
		}
	}
	var front api.Reading
	for deadline := time.Now().Add(20 * time.Second); front.Session == "" && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		json.Unmarshal(c.call("ctx/focus", fmt.Sprintf(`{"workspace":%q}`, second)), &front)
	}
	if front.Session != id(18) || front.Focus.Reason != "workspace" {
		t.Errorf("in a folder that the client has come to, %+v is shown", front)
	}
	front.Session = ""
	for deadline := time.Now().Add(20 * time.Second); front.Session != id(6) && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		json.Unmarshal(c.call("ctx/focus", fmt.Sprintf(`{"workspace":%q}`, mine)), &front)
	}
	if front.Session != id(6) {
		t.Errorf("back in the first folder, %+v is shown", front)
	}
}

// TestASessionThatIsNotReadTakesTheCertaintyFromAnother checks that users do not type into the wrong agent: if two
// sessions began in one folder after its only agent started, either may be the agent's, even if only one of them is
// read.
func TestASessionThatIsNotReadTakesTheCertaintyFromAnother(t *testing.T) {
	m := newMachine(t)
	began := time.Now().Add(-100 * time.Hour)
	m.running.set(process.Process{PID: 101, Parent: 100, Name: "claude", Started: began, Dir: m.work})
	id := func(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }
	m.session(id(0), 1, m.work, time.Minute, 50_000)
	m.session(id(1), 1, m.work, 50*time.Hour, 50_001)
	m.aged(id(1), 50*time.Hour) // old enough to be only listed
	c := m.daemon()
	c.call("ctx/watch", `{}`)
	var answer struct {
		Terminals []struct {
			Session    *string
			Candidates []string
		}
	}
	json.Unmarshal(c.call("ctx/terminals", `{"pids":[100]}`), &answer)
	if len(answer.Terminals) != 1 || answer.Terminals[0].Session != nil {
		t.Errorf("the agent in the terminal holds one session for certain: %+v", answer)
	}
}
