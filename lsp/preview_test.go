// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
)

// TestASubAgentAppearsBelowItsSessionWhileThatWaits checks that the Reading of a session includes its sub-agents while
// they work, although the session itself writes nothing then.
func TestASubAgentAppearsBelowItsSessionWhileThatWaits(t *testing.T) {
	m := newMachine(t)
	const id = "00000000-0000-4000-8000-000000000000"
	m.session(id, 1, m.work, 0, 50_000)
	c := m.daemon()
	c.call("ctx/watch", `{}`)
	record := func(message string) string {
		return fmt.Sprintf(`{"type":"assistant","isSidechain":true,"agentId":"a1","sessionId":%q,"cwd":%q,"version":"2.1.200","message":%s,"timestamp":%q}`+"\n",
			id, m.work, message, time.Now().UTC().Format(time.RFC3339Nano))
	}
	m.put(".claude/projects/w/"+id+"/subagents/agent-a1.jsonl", record(`{"model":"claude-opus-4-6","id":"m1","role":"assistant","content":[{"type":"text","text":"done"}],"stop_reason":"end_turn","usage":{"input_tokens":24000,"output_tokens":5}}`))
	var front struct{ Children []struct{ Session string } }
	for deadline := time.Now().Add(20 * time.Second); len(front.Children) == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the session has no sub-agent")
		}
		json.Unmarshal(c.note("ctx/reading").Params, &front)
	}
	if front.Children[0].Session != id+"/agent-a1" {
		t.Errorf("the sub-agent is %+v", front.Children)
	}
}

// TestAListedSessionOfTodayHasItsNumber checks the numbers in a list: a session that is not read, because others are
// newer, has the number that reading it would give, however long its transcript is; an older one has none.
func TestAListedSessionOfTodayHasItsNumber(t *testing.T) {
	m := newMachine(t)
	id := func(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }
	age := func(n int) time.Duration { return time.Duration(n+1) * 2 * time.Hour } // more than a day from the twelfth on
	for n := range 14 {
		for turn := range 30 { // far more than is read from the end
			m.put(".claude/projects/w/"+id(n)+".jsonl", fmt.Sprintf(`{"type":"user","sessionId":%q,"cwd":%q,"message":{"role":"user","content":%q}}`+"\n", id(n), m.work, strings.Repeat("long ", 2500)))
			m.session(id(n), turn+1, m.work, age(n), 20_000+1000*turn+n)
		}
		m.session(id(n), 31, m.work, age(n), 50_000+n)
		m.put(".claude/projects/w/"+id(n)+".jsonl", fmt.Sprintf(`{"type":"user","sessionId":%q,"cwd":%q,"message":{"role":"user","content":%q}}`+"\n", id(n), m.work, strings.Repeat("word ", 500)))
		m.aged(id(n), age(n))
	}
	c := m.daemon()
	c.call("ctx/watch", `{}`)
	earlier := func() map[string]*api.Glimpse {
		var answer api.EarlierAnswer
		if err := json.Unmarshal(c.call("ctx/earlier", `{}`), &answer); err != nil {
			t.Fatal(err)
		}
		listed := map[string]*api.Glimpse{}
		for _, s := range answer.Sessions {
			listed[s.Session] = s.Glimpse
		}
		return listed
	}
	listed := earlier()
	if n := len(listed); n != 14-readAtOnce {
		t.Fatalf("%d sessions are listed", n)
	}
	if g, there := listed[id(13)]; !there || g != nil {
		t.Errorf("a session of days past has the number %+v", g)
	}
	of := listed[id(9)]
	if of == nil {
		t.Fatal("a session of today has no number")
	}
	var read struct {
		Used    int64
		Basis   string
		Model   string
		Display api.Display
	}
	json.Unmarshal(c.call("ctx/focus", fmt.Sprintf(`{"session":%q}`, id(9))), &read)
	if of.Used < 50_009 || of.Part || of.Limit == nil || of.Model != read.Model {
		t.Errorf("the glimpse is %+v", of)
	}
	if difference := of.Used - read.Used; difference < -20 || difference > 20 || string(of.Basis) != read.Basis || of.Display.Percent != read.Display.Percent {
		t.Errorf("the list says %+v, and the session %+v", of, read)
	}
	if again := earlier()[id(8)]; again == nil || again.Used != listed[id(8)].Used {
		t.Errorf("asked again, the list says %+v instead of %+v", again, listed[id(8)])
	}
}

// TestAPreviewWithoutTokensIsNone checks that "at least 0" is not shown for a session whose end contains no message.
func TestAPreviewWithoutTokensIsNone(t *testing.T) {
	reading := []byte(`{"model":"m","basis":"estimated","used":0,"limit":null,"percent":null,"display":{},"lastRequest":null,"compaction":{"count":0}}`)
	if got := string(previewOf(reading, true)); got != "null" {
		t.Errorf("of a part without tokens the preview is %s", got)
	}
	if got := string(previewOf(reading, false)); !strings.Contains(got, `"used":0`) {
		t.Errorf("of an empty session the preview is %s", got)
	}
}

// TestAPreviewReportsWhetherItIsAPart checks that a number from the end of a transcript is a lower bound unless a
// request or a compaction was measured there, and that there is none for a session of unknown size.
func TestAPreviewReportsWhetherItIsAPart(t *testing.T) {
	for _, test := range []struct {
		basis, last, compactions string
		rest                     bool
		part                     string
	}{
		{"measured", `{"in":5}`, "0", true, "false"},
		{"estimated", "null", "1", true, "false"},
		{"estimated", "null", "0", true, "true"},
		{"estimated", "null", "0", false, "false"},
		{"unknown", `{"in":5}`, "0", true, ""},
	} {
		reading := fmt.Sprintf(`{"session":"s","model":"m","basis":%q,"used":7,"limit":9,"percent":77,"display":{"used":"7"},"lastRequest":%s,"compaction":{"count":%s}}`, test.basis, test.last, test.compactions)
		want := fmt.Sprintf(`{"model":"m","used":7,"limit":9,"percent":77,"basis":%q,"display":{"used":"7"},"part":%s}`, test.basis, test.part)
		if test.part == "" {
			want = "null"
		}
		if got := string(previewOf([]byte(reading), test.rest)); got != want {
			t.Errorf("%+v: %s, want %s", test, got, want)
		}
	}
	if got := string(previewOf(nil, true)); got != "null" {
		t.Errorf("without a Reading: %s", got)
	}
}

// TestAPreviewChangesNoSession checks that the preview of a listed session leaves a session of the same id alone that a
// client has opened.
func TestAPreviewChangesNoSession(t *testing.T) {
	m := newMachine(t)
	m.session(firstID, 1, m.work, 20*time.Hour, 50_000)
	m.aged(firstID, 20*time.Hour)
	c := m.daemon()
	c.call("ctx/session/open", fmt.Sprintf(`{"id":%q,"shared":true}`, firstID))
	c.call("ctx/session/usage", fmt.Sprintf(`{"id":%q,"provider":"ctx","usage":{"in":7000,"out":0}}`, firstID))
	var answer api.EarlierAnswer
	json.Unmarshal(c.call("ctx/earlier", `{}`), &answer)
	if len(answer.Sessions) != 1 || answer.Sessions[0].Glimpse == nil || answer.Sessions[0].Glimpse.Used < 50_000 {
		t.Errorf("listed are %+v", answer.Sessions)
	}
	if got := used(t, c.call("ctx/session/reading", fmt.Sprintf(`{"id":%q}`, firstID))); got != 7000 {
		t.Errorf("the client's session has %d", got)
	}
	c.call("ctx/session/close", fmt.Sprintf(`{"id":%q}`, firstID))
}

// TestAPreviewIsReadIfItFits checks a preview that is exactly as long as may be read, and one that is a byte longer.
// Its transcript is read whole, so its number is that of the session, although no request was measured.
func TestAPreviewIsReadIfItFits(t *testing.T) {
	m := newMachine(t)
	m.put(".claude/projects/w/"+firstID+".jsonl", fmt.Sprintf(`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":%q,"cwd":%q,"version":"2.1.200","message":{"role":"user","content":"go on"},"timestamp":%q}`+"\n",
		firstID, m.work, time.Now().UTC().Format(time.RFC3339Nano)))
	source := sessions.NewFinder(dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }})
	s := newTestServer(t, Options{Engine: realEngine(t, "native"), Home: m.home, Source: source})
	found, _, err := source.Find(t.Context(), sessions.Query{ID: firstID})
	if err != nil || len(found) != 1 {
		t.Fatalf("%d sessions, %v", len(found), err)
	}
	preview := func(room int64) (text string, read int64) {
		s.watcher.previews.kept = nil
		left := room
		text = string(s.watcher.preview(t.Context(), found[0], &left))
		return text, room - left
	}
	text, length := preview(mostPreviewed)
	if !strings.Contains(text, `"part":false`) || length == 0 {
		t.Errorf("the preview is %s, of %d bytes", text, length)
	}
	if fits, read := preview(length); fits != text || read != length {
		t.Errorf("the preview is %s, of %d bytes; that is as many as may be read", fits, read)
	}
	if longer, read := preview(length - 1); longer != "null" || read != 0 {
		t.Errorf("the preview is %s, of %d bytes; %d may be read", longer, read, length-1)
	}
}

// TestPreviewsAreReadAFewAtATime checks that one list reads a bounded number of bytes for previews, that the next one
// continues from there, and that previews have the window that the agent has reported last.
func TestPreviewsAreReadAFewAtATime(t *testing.T) {
	m := newMachine(t)
	id := func(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }
	const listed = 7
	for n := range readAtOnce + listed {
		age := time.Duration(n+1) * time.Hour
		for turn := range 6 {
			m.put(".claude/projects/w/"+id(n)+".jsonl", fmt.Sprintf(`{"type":"user","sessionId":%q,"cwd":%q,"message":{"role":"user","content":%q}}`+"\n", id(n), m.work, strings.Repeat("word ", 40_000)))
			m.session(id(n), turn+1, m.work, age, 20_000+1000*turn+n)
		}
		m.aged(id(n), age)
	}
	environment := dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }}
	agent, window := &reportingAgent{}, int64(300_000)
	agent.report("claude-opus-4-6", window)
	s := newTestServer(t, Options{
		Engine: realEngine(t, "native"), Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running,
		Machine: &follow.Machine{Host: environment, Windows: agent},
	})
	c := start(t, s)
	previews := func() (n, all int) {
		var answer api.EarlierAnswer
		if err := json.Unmarshal(c.call("ctx/earlier", `{}`), &answer); err != nil {
			t.Fatal(err)
		}
		for _, each := range answer.Sessions {
			if each.Glimpse == nil {
				continue
			}
			if n++; each.Glimpse.Limit == nil || *each.Glimpse.Limit != window {
				t.Errorf("of a window of %d, the preview is %+v", window, each.Glimpse)
			}
		}
		return n, len(answer.Sessions)
	}
	before := 0
	for call := 1; ; call++ {
		n, all := previews()
		if n == all && call > 1 {
			break
		}
		if n <= before || n == all || n > 5*call {
			t.Fatalf("list %d has %d previews of %d, after %d", call, n, all, before)
		}
		before = n
	}
	window = 400_000
	agent.report("claude-opus-4-6", window)
	if n, _ := previews(); n == 0 {
		t.Error("after another report there is no preview")
	}
}
