// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// TestTwoEditorsOfOneNameNeverShareALedger checks two editors that both have a "chat-1": each continues with its own
// numbers, and closing one removes only its own. This is tested with a shared daemon and with two.
func TestTwoEditorsOfOneNameNeverShareALedger(t *testing.T) {
	for _, shared := range []bool{true, false} {
		t.Run(fmt.Sprintf("one daemon %v", shared), func(t *testing.T) {
			dir := t.TempDir()
			var states []*state.Ledgers
			var one *Server
			daemon := func() *Server {
				if shared && one != nil {
					return one
				}
				states = append(states, state.OpenLedgers(dir))
				one = newTestServer(t, Options{State: states[len(states)-1]})
				return one
			}
			crash := func(c *testClient, s *Server, saves *state.Ledgers) {
				if shared { // the editor crashes, and its daemon continues to serve the other
					before := clients(s)
					c.conn.Close()
					for clients(s) == before {
						time.Sleep(time.Millisecond)
					}
					s.lanes.Wait()
					return
				}
				killed(saves)
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

// TestTwoUnownedLedgersAreReported checks that a choice between two saved conversations with the same name is reported.
func TestTwoUnownedLedgersAreReported(t *testing.T) {
	dir := t.TempDir()
	saves := state.OpenLedgers(dir)
	s := newTestServer(t, Options{State: saves})
	var editors []*testClient
	for range 2 {
		c := start(t, s)
		c.call("ctx/session/open", `{"id":"chat-1"}`)
		editors = append(editors, c)
	}
	for i, c := range editors {
		c.call("ctx/session/update", fmt.Sprintf(`{"id":"chat-1","system":%d}`, i+1))
		time.Sleep(20 * time.Millisecond) // so that one of the two files is newer
	}
	killed(saves)
	c := start(t, newTestServer(t, Options{State: state.OpenLedgers(dir)}))
	if got := used(t, c.call("ctx/session/open", `{"id":"chat-1","resume":true}`)); got != 2 {
		t.Errorf("it goes on with %d", got)
	}
	if m := c.note("window/logMessage"); !strings.Contains(string(m.Params), "2 saved conversations") {
		t.Errorf("it says %s", m.Params)
	}
}

// TestARefusedLedgerFallsBackToTheOneBefore checks that a line that can be read, but that the core refuses, does not
// affect the lines before it.
func TestARefusedLedgerFallsBackToTheOneBefore(t *testing.T) {
	dir := t.TempDir()
	saves := state.OpenLedgers(dir)
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: saves}))
	c.call("ctx/session/open", `{"id":"a"}`)
	c.call("ctx/session/update", `{"id":"a","system":{"tokens":700}}`)
	want := used(t, c.call("ctx/session/reading", `{"id":"a"}`))
	files, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.json"))
	if len(files) != 1 || want == 0 {
		t.Fatalf("ledgers: %v, used %d", files, want)
	}
	for _, last := range []state.Saved{
		{Schema: state.SavedSchema, Session: "a", SavedAt: 1, Ledger: json.RawMessage(`{"schema":"ctx.ledger/99"}`)},
		{Schema: "ctx.saved/99", Session: "a", SavedAt: 1, Ledger: json.RawMessage(`{}`)},
	} {
		if err := saves.Save(strings.TrimSuffix(filepath.Base(files[0]), ".json"), last); err != nil {
			t.Fatal(err)
		}
	}
	killed(saves)
	c = start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(dir)}))
	if got := used(t, c.call("ctx/session/open", `{"id":"a","resume":true}`)); got != want {
		t.Errorf("it goes on with %d, it had %d", got, want)
	}
}
