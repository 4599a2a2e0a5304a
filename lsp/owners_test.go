// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTwoEditorsOfOneNameNeverShareALedger holds what happened to two that both have "chat-1": each goes on with its
// own numbers, and closing one removes its own alone. Once they share a daemon, once each has its own.
func TestTwoEditorsOfOneNameNeverShareALedger(t *testing.T) {
	for _, shared := range []bool{true, false} {
		t.Run(fmt.Sprintf("one daemon %v", shared), func(t *testing.T) {
			dir := t.TempDir()
			var states []*State
			var one *Server
			daemon := func() *Server {
				if shared && one != nil {
					return one
				}
				states = append(states, OpenState(dir))
				one = newTestServer(t, Options{State: states[len(states)-1]})
				return one
			}
			crash := func(c *testClient, s *Server, state *State) {
				if shared { // the editor crashes, and its daemon lives on with the other
					before := s.clients()
					c.conn.Close()
					for s.clients() == before {
						time.Sleep(time.Millisecond)
					}
					s.lanes.wait()
					return
				}
				killed(state)
			}
			open := `{"id":"chat-1","resume":true}`
			sa := daemon()
			a := start(t, sa)
			a.call("ctx/session/open", open)
			a.call("ctx/session/update", `{"id":"chat-1","system":100}`)
			sb := daemon()
			b := start(t, sb)
			if got := used(t, b.call("ctx/session/open", open)); got != 0 {
				t.Errorf("the second editor begins with %d of the first", got)
			}
			b.call("ctx/session/update", `{"id":"chat-1","system":5000}`)

			crash(a, sa, states[0])
			a = start(t, daemon())
			if got := used(t, a.call("ctx/session/open", open)); got != 100 {
				t.Errorf("the first goes on with %d, it had 100", got)
			}
			a.call("ctx/session/close", `{"id":"chat-1"}`)
			crash(b, sb, states[min(1, len(states)-1)])
			b = start(t, daemon())
			if got := used(t, b.call("ctx/session/open", open)); got != 5000 {
				t.Errorf("the second goes on with %d, it had 5000", got)
			}
		})
	}
}

// TestWhereTwoAreLeftItIsSaid holds that a choice between two saved conversations of one name is not made in silence.
func TestWhereTwoAreLeftItIsSaid(t *testing.T) {
	dir := t.TempDir()
	state := OpenState(dir)
	s := newTestServer(t, Options{State: state})
	var editors []*testClient
	for range 2 {
		c := start(t, s)
		c.call("ctx/session/open", `{"id":"chat-1"}`)
		editors = append(editors, c)
	}
	for i, c := range editors {
		c.call("ctx/session/update", fmt.Sprintf(`{"id":"chat-1","system":%d}`, i+1))
		time.Sleep(20 * time.Millisecond) // of two files one is younger
	}
	killed(state)
	c := start(t, newTestServer(t, Options{State: OpenState(dir)}))
	if got := used(t, c.call("ctx/session/open", `{"id":"chat-1","resume":true}`)); got != 2 {
		t.Errorf("it goes on with %d", got)
	}
	if m := c.note("window/logMessage"); !strings.Contains(string(m.Params), "2 saved conversations") {
		t.Errorf("it says %s", m.Params)
	}
}

// TestALedgerIsTakenOnce holds that of daemons that resume at the same moment one gets it.
func TestALedgerIsTakenOnce(t *testing.T) {
	dir := t.TempDir()
	first := OpenState(dir)
	file := first.owners.next("name")
	if err := first.save(file, savedLedger{Schema: savedSchema, Ledger: json.RawMessage("{}")}); err != nil {
		t.Fatal(err)
	}
	killed(first)
	taken := make(chan bool)
	const daemons = 8
	for range daemons {
		go func() {
			s := OpenState(dir)
			ok, _ := s.take("name", s.owners.next("name"))
			taken <- ok
		}()
	}
	n := 0
	for range daemons {
		if <-taken {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d daemons have it", n)
	}
}

// TestARefusedLedgerFallsBackToTheOneBefore holds that a line which reads well, and which the core will not go on with,
// costs no more than itself.
func TestARefusedLedgerFallsBackToTheOneBefore(t *testing.T) {
	dir := t.TempDir()
	state := OpenState(dir)
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: state}))
	c.call("ctx/session/open", `{"id":"a"}`)
	c.call("ctx/session/update", `{"id":"a","system":{"tokens":700}}`)
	want := used(t, c.call("ctx/session/reading", `{"id":"a"}`))
	files, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*.json"))
	if len(files) != 1 || want == 0 {
		t.Fatalf("ledgers: %v, used %d", files, want)
	}
	f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(f, "\n"+`{"schema":%q,"session":"a","savedAt":1,"ledger":{"schema":"ctx.ledger/99"}}`, savedSchema)
	fmt.Fprintf(f, "\n"+`{"schema":"ctx.saved/99","session":"a","savedAt":1,"ledger":{}}`)
	f.Close()
	killed(state)
	c = start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: OpenState(dir)}))
	if got := used(t, c.call("ctx/session/open", `{"id":"a","resume":true}`)); got != want {
		t.Errorf("it goes on with %d, it had %d", got, want)
	}
}

func ledgerNames(dir string) string {
	var names []string
	entries, _ := os.ReadDir(filepath.Join(dir, "ledgers"))
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}

// TestOldLedgersAgeOut holds that what was not touched for a month goes, once that has been so for a day.
func TestOldLedgersAgeOut(t *testing.T) {
	dir := t.TempDir()
	state := OpenState(dir)
	for _, name := range []string{"old", "young"} {
		if err := state.save(name, savedLedger{Schema: savedSchema, Ledger: json.RawMessage("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	half := filepath.Join(dir, "ledgers", ".old.1.next")
	os.WriteFile(half, []byte("{"), 0o600)
	past := time.Now().Add(-maxStateAge - time.Hour)
	os.Chtimes(state.path("old"), past, past)
	os.Chtimes(half, past, past)
	state.age(time.Now())
	if got := ledgerNames(dir); got != "old.json young.json" {
		t.Errorf("at first sight: %s", got)
	}
	state.age(time.Now().Add(suspicion))
	if got := ledgerNames(dir); got != "young.json" {
		t.Errorf("a day later: %s", got)
	}
}

// TestAClockThatJumpsRemovesNoLedger holds that a clock which is a month ahead for once, or for a while and back, costs
// nothing.
func TestAClockThatJumpsRemovesNoLedger(t *testing.T) {
	dir := t.TempDir()
	state := OpenState(dir)
	if err := state.save("a", savedLedger{Schema: savedSchema, Ledger: json.RawMessage("{}")}); err != nil {
		t.Fatal(err)
	}
	ahead := time.Now().Add(maxStateAge + time.Hour)
	for _, now := range []time.Time{ahead, ahead.Add(time.Hour), time.Now(), ahead.Add(2 * suspicion), time.Now(), ahead} {
		state.age(now)
		if got := ledgerNames(dir); got != "a.json" {
			t.Fatalf("at %v there is %q", now, got)
		}
	}
}

// TestTheLedgersOfOneClientPushOutItsOwn holds that a client which opens thousands of sessions costs the others none.
func TestTheLedgersOfOneClientPushOutItsOwn(t *testing.T) {
	groups := map[string][]ledgerFile{}
	base := time.Now()
	for i := range 10 {
		groups["quiet"] = append(groups["quiet"], ledgerFile{fmt.Sprint("quiet", i), base.Add(-time.Hour)})
	}
	for i := range maxStateFiles {
		groups["busy"] = append(groups["busy"], ledgerFile{fmt.Sprint("busy", i), base.Add(time.Duration(i))})
	}
	chosen := tooMany(groups, 10)
	if len(chosen) != 10 || chosen[0] != "busy0" || chosen[9] != "busy9" {
		t.Errorf("removed: %v", chosen)
	}
}
