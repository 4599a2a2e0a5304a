// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// busyEngine cannot save one session until it is free.
type busyEngine struct {
	*fakeEngine
	busy  string
	free  chan struct{}
	tries atomic.Int64
}

func (e *busyEngine) Call(ctx context.Context, method string, params []byte) ([]byte, error) {
	if method == "ctx/session/save" && strings.Contains(string(params), `"id":"`+e.busy+`"`) {
		e.tries.Add(1)
		select {
		case <-e.free:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return e.fakeEngine.Call(ctx, method, params)
}

// TestABusyEngineDelaysOneLedgerAlone checks that a ledger that cannot be saved now does not delay those of other
// sessions, and that its changes are acknowledged once it is saved.
func TestABusyEngineDelaysOneLedgerAlone(t *testing.T) {
	engine := &busyEngine{fakeEngine: newFakeEngine(), busy: "slow", free: make(chan struct{})}
	s := newTestServer(t, Options{Engine: using(engine), State: state.OpenLedgers(t.TempDir())})
	c := start(t, s)
	_, opened := c.begin("ctx/session/open", `{"id":"slow"}`)
	c.call("ctx/session/open", `{"id":"quick"}`)
	_, changed := c.begin("ctx/session/update", `{"id":"slow","system":5}`)
	for n := range 5 {
		if got := used(t, c.call("ctx/session/update", `{"id":"quick","system":1}`)); got != int64(n+1) {
			t.Errorf("the quick session has %d", got)
		}
	}
	for tries, end := engine.tries.Load(), time.Now().Add(time.Minute); engine.tries.Load() < tries+2; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the slow session is not saved again")
		}
	}
	if len(opened) != 0 || len(changed) != 0 {
		t.Error("a change is acknowledged before it is saved")
	}
	close(engine.free)
	if m := c.wait(opened); m.Error != nil || used(t, m.Result) != 0 {
		t.Errorf("opened: %+v", m)
	}
	if m := c.wait(changed); m.Error != nil || used(t, m.Result) != 5 {
		t.Errorf("changed: %+v", m)
	}
	c.call("shutdown", `null`)
}

// TestChangesDuringASaveShareTheNextOne checks that a client that changes a session faster than its ledger can be
// written costs few saves, and that each change is acknowledged.
func TestChangesDuringASaveShareTheNextOne(t *testing.T) {
	engine := newFakeEngine()
	var saving, held atomic.Int64
	release := make(chan struct{})
	engine.delay = func(method string) {
		if method == "ctx/session/save" && saving.Add(1) == held.Load() {
			<-release
		}
	}
	s := newTestServer(t, Options{Engine: using(engine), State: state.OpenLedgers(t.TempDir())})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a"}`)
	before := saving.Load()
	held.Store(before + 1) // the next save takes long
	var answers []chan testMessage
	for range 20 {
		_, answer := c.begin("ctx/session/update", `{"id":"a","system":1}`)
		answers = append(answers, answer)
	}
	c.call("ctx/session/reading", `{"id":"a"}`) // all changes are made
	close(release)
	for i, answer := range answers {
		if m := c.wait(answer); m.Error != nil || used(t, m.Result) != int64(i+1) {
			t.Fatalf("change %d: %+v", i, m)
		}
	}
	if n := saving.Load() - before; n > 3 {
		t.Errorf("the ledger was saved %d times", n)
	}
}

// TestTheEndOfADaemonReleasesItsLedgers checks that a daemon writes no ledger after its end, because the next one may
// continue its sessions.
func TestTheEndOfADaemonReleasesItsLedgers(t *testing.T) {
	s := newTestServer(t, Options{State: state.OpenLedgers(t.TempDir())})
	start(t, s).call("ctx/session/open", `{"id":"a","shared":true}`)
	of := s.all(func(*session) bool { return true })[0]
	if s.Close(); !of.saver.hasReleased() {
		t.Error("its ledger is still held")
	}
}

// TestTheNamesOfLedgersStay checks the names of ledgers, by which a later version finds those that this one has saved.
func TestTheNamesOfLedgersStay(t *testing.T) {
	s := newTestServer(t, Options{State: state.OpenLedgers(t.TempDir())})
	c := newConnection(s, nopConn{})
	defer c.stream.Close()
	c.client.name, c.client.root = "An Editor", "/w"
	for shared, want := range map[bool]string{false: "c29770851813c00a04508d2b44233f7313a929f6", true: "a4d26868017c0ccf7bdcf70ec306c3917aaaa155"} {
		if got := s.ledgerName(c, c.newSession("chat", shared)); got != want {
			t.Errorf("shared: %v, its ledger is called %s", shared, got)
		}
	}
}

// TestASavedSessionBelongsToItsWorkspace checks that an editor with another folder does not continue a session of the
// same id.
func TestASavedSessionBelongsToItsWorkspace(t *testing.T) {
	s := newTestServer(t, Options{State: state.OpenLedgers(t.TempDir())})
	in := func(folder string, saved int64) {
		t.Helper()
		c := connect(t, s)
		c.call("initialize", `{"capabilities":{},"clientInfo":{"name":"An Editor"},"rootUri":"file://`+folder+`"}`)
		if got := used(t, c.call("ctx/session/open", `{"id":"chat","resume":true}`)); got != saved {
			t.Errorf("in %s, it continues with %d, want %d", folder, got, saved)
		}
		c.call("ctx/session/update", `{"id":"chat","system":5}`)
		c.conn.Close()
		c.exitCode()
		s.lanes.Wait()
	}
	in("/w/one", 0)
	in("/w/two", 0)
	in("/w/one", 5)
}

// TestASaveThatFailsIsTriedAgain checks that a save is tried three times, that a defect in it is an error of the save,
// and that the change is acknowledged and its client warned.
func TestASaveThatFailsIsTriedAgain(t *testing.T) {
	for name, test := range map[string]struct {
		fails int64
		saved int64
	}{"twice": {2, 1}, "always": {1 << 40, 0}} {
		engine := newFakeEngine()
		var tries atomic.Int64
		engine.delay = func(method string) {
			if method == "ctx/session/save" && tries.Add(1) <= test.fails {
				panic("a defect")
			}
		}
		s := newTestServer(t, Options{Engine: using(engine), State: state.OpenLedgers(t.TempDir())})
		c := start(t, s)
		c.call("ctx/session/open", `{"id":"a"}`)
		if saved, n := s.metrics.saves.Load(), tries.Load(); saved != test.saved || n != 3 {
			t.Errorf("%s: saved %d times, after %d tries", name, saved, n)
		}
		if n := s.metrics.defects.Load(); n != min(test.fails, 3) {
			t.Errorf("%s: %d defects are counted", name, n)
		}
		if test.saved == 0 {
			if got := string(c.note("window/logMessage").Params); !strings.Contains(got, "cannot be saved") || !strings.Contains(got, "internal error of the daemon: a defect.") {
				t.Errorf("%s: the client's log has %s", name, got)
			}
		}
		tries.Store(-1 << 40) // the end of the daemon saves again
	}
}

// TestASlowSaveIsFollowedByAPause checks that saving one session takes at most a fifth of the time, with pauses of at
// most a second, and that a change during a pause is acknowledged after it.
func TestASlowSaveIsFollowedByAPause(t *testing.T) {
	engine := newFakeEngine()
	var slow atomic.Int64
	engine.delay = func(method string) {
		if method == "ctx/session/save" {
			time.Sleep(time.Duration(slow.Load()))
		}
	}
	s := newTestServer(t, Options{Engine: using(engine), State: state.OpenLedgers(t.TempDir())})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a"}`)
	of := s.all(func(each *session) bool { return true })[0]
	pause := func(save time.Duration) (ends time.Time, began, ended time.Time) {
		slow.Store(int64(save))
		began = time.Now()
		if err := s.saveNow(of, time.Minute); err != nil {
			t.Fatal(err)
		}
		ended = time.Now()
		of.mu.Lock()
		defer of.mu.Unlock()
		return of.saver.restUntil, began, ended
	}
	const least = 50 * time.Millisecond
	ends, began, ended := pause(least)
	if ends.Before(began.Add(5*least)) || ends.After(ended.Add(4*ended.Sub(began))) {
		t.Errorf("after a save of %v, the pause ends %v after its beginning", ended.Sub(began), ends.Sub(began))
	}
	if ends, began, ended = pause(6 * least); ends.Before(began.Add(6*least+time.Second)) || ends.After(ended.Add(time.Second)) {
		t.Errorf("after a save of %v, the pause ends %v after its beginning", ended.Sub(began), ends.Sub(began))
	}
	slow.Store(0)
	c.call("ctx/session/update", `{"id":"a","system":1}`)
	if now := time.Now(); now.Before(ends) {
		t.Errorf("a change is saved %v before the end of the pause", ends.Sub(now))
	}
}

// TestASessionThatIsGoneIsNotSaved checks sessions that the engine has closed, and those whose file belongs to another.
func TestASessionThatIsGoneIsNotSaved(t *testing.T) {
	dir := t.TempDir()
	s := newTestServer(t, Options{State: state.OpenLedgers(dir)})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a"}`)
	c.call("ctx/session/update", `{"id":"a","system":5}`)
	of := s.all(func(each *session) bool { return true })[0]
	files := func() (text string) {
		paths, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*"))
		for _, path := range paths {
			part, _ := os.ReadFile(path)
			text += string(part)
		}
		return text
	}
	before, saves := files(), s.metrics.saves.Load()
	if err := s.saveNow(&session{id: "gone", save: of.save}, time.Minute); err != nil || s.metrics.saves.Load() != saves {
		t.Errorf("a session that was closed: %v, %d saves", err, s.metrics.saves.Load()-saves)
	}
	s.releaseLedger(of)
	c.call("ctx/session/update", `{"id":"a","system":5}`)
	if after := files(); after != before || before == "" {
		t.Errorf("a file that was released contains\n%s\nnot\n%s", after, before)
	}
}

// TestABusyEngineDelaysTheEndForAMoment checks that a daemon ends although a session cannot be saved, and logs that.
func TestABusyEngineDelaysTheEndForAMoment(t *testing.T) {
	engine := &busyEngine{fakeEngine: newFakeEngine(), free: make(chan struct{})}
	var log lockedBuffer
	s := newTestServer(t, Options{Engine: using(engine), State: state.OpenLedgers(t.TempDir()), Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"quick","shared":true}`)
	c.call("ctx/session/open", `{"id":"slow","shared":true}`)
	for _, id := range []string{"quick", "slow"} {
		c.call("ctx/session/update", `{"id":"`+id+`","draft":"typing"}`)
	}
	saves := s.metrics.saves.Load()
	engine.busy = "slow"
	s.Close()
	if text := log.String(); strings.Count(text, "the engine is busy") != 1 || !strings.Contains(text, "session=slow") || s.metrics.saves.Load() != saves+1 {
		t.Errorf("%d sessions were saved, and the log has %s", s.metrics.saves.Load()-saves, text)
	}
}

// TestLedgersAreSavedOneAtATime checks that the engine saves one of several sessions at a time, and that a client that
// shuts down waits for those that have changed since.
func TestLedgersAreSavedOneAtATime(t *testing.T) {
	engine := newFakeEngine()
	var saving, most, all atomic.Int64
	engine.delay = func(method string) {
		if method == "ctx/session/save" {
			if n := saving.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(5 * time.Millisecond)
			saving.Add(-1)
			all.Add(1)
		}
	}
	c := start(t, newTestServer(t, Options{Engine: using(engine), State: state.OpenLedgers(t.TempDir())}))
	var answers []chan testMessage
	for n := range 10 {
		_, answer := c.begin("ctx/session/open", fmt.Sprintf(`{"id":"s%d"}`, n))
		answers = append(answers, answer)
	}
	for _, answer := range answers {
		c.wait(answer)
	}
	if most.Load() != 1 || all.Load() != 10 {
		t.Errorf("%d ledgers were saved, %d at a time", all.Load(), most.Load())
	}
	for n := range 3 {
		c.call("ctx/session/update", fmt.Sprintf(`{"id":"s%d","draft":"typing"}`, n))
	}
	c.call("shutdown", `null`)
	if all.Load() != 13 {
		t.Errorf("before the end, %d ledgers were saved", all.Load()-10)
	}
}

// TestDraftsAreNotSaved checks which changes wait for a ledger: not a draft that is still typed, nor a part of a
// response.
func TestDraftsAreNotSaved(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(t.TempDir())})
	c := start(t, s)
	saves := int64(0)
	for _, test := range []struct {
		method, params string
		saved          int64
	}{
		{"ctx/session/open", `{"id":"a","model":"gpt-5.5"}`, 1},
		{"ctx/session/update", `{"id":"a","draft":"typing"}`, 0},
		{"ctx/session/update", `{"id":"a","draft":"typing","at":5}`, 0},
		{"ctx/session/update", `{"id":"a","draft":"","system":5}`, 1},
		{"ctx/session/update", `{"id":"a"}`, 1},
		{"ctx/session/update", `{"id":"a","at":6}`, 1},
		{"ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":10,"out":1},"final":false}`, 0},
		{"ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":10,"out":2},"final":true}`, 1},
		{"ctx/session/reading", `{"id":"a"}`, 0},
	} {
		c.call(test.method, test.params)
		if got := s.metrics.saves.Load(); got != saves+test.saved {
			t.Errorf("%s %s: saved %d times, want %d", test.method, test.params, got-saves, test.saved)
		}
		saves = s.metrics.saves.Load()
	}
}

// TestErrorsAboutALedgerSetItAside checks after which errors a saved session is set aside instead of tried again.
func TestErrorsAboutALedgerSetItAside(t *testing.T) {
	for kind, want := range map[string]bool{api.BadLedger: true, api.InvalidParams: true, api.ParseError: true, api.Internal: false, api.InvalidRequest: false} {
		if got := refusesLedger(&api.Error{Kind: kind}); got != want {
			t.Errorf("%s: %t", kind, got)
		}
	}
}

// TestOnlySettingsOfRulesAreSaved checks that a host that passes its whole environment does not store its keys: neither
// when a session is opened, nor from a ledger of its own.
func TestOnlySettingsOfRulesAreSaved(t *testing.T) {
	const key = "planted-0123456789"
	dir := t.TempDir()
	saves := state.OpenLedgers(dir)
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: saves}))
	settings := `{"ANTHROPIC_API_KEY":"` + key + `","compaction":"` + key + `","CLAUDE_AUTOCOMPACT_PCT_OVERRIDE":"80"}`
	c.call("ctx/session/open", `{"id":"a","agent":"claude-code","settings":`+settings+`}`)
	ledger := wire.MemberOf(c.call("ctx/session/save", `{"id":"a"}`), "ledger")
	if !bytes.Contains(ledger, []byte(`"settings":{"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE":"80"}`)) {
		t.Errorf("the rule's own setting is not kept: %s", ledger)
	}
	given := bytes.Replace(ledger, []byte(`"settings":{`), []byte(`"settings":{"API_KEY":"`+key+`",`), 1)
	c.call("ctx/session/restore", `{"id":"b","ledger":`+string(given)+`}`)
	saves.Sync()
	for path, text := range filesIn(t, dir) {
		if bytes.Contains(text, []byte(key)) {
			t.Errorf("%s contains the key: %s", path, text)
		}
	}
}
