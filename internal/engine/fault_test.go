// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/engine/interrupt"

	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
)

// fails makes a call that must end the instance.
func fails(t *testing.T, p *Pool, method, params string) *Fault {
	t.Helper()
	_, err := p.Call(context.Background(), method, []byte(params))
	var fault *Fault
	if !errors.As(err, &fault) {
		t.Fatalf("%s ended with %v, not with a fault", method, err)
	}
	return fault
}

func TestAFailedInstanceIsReplacedAndItsSessionsAreAsTheyWere(t *testing.T) {
	// A module by Go prints the reason of a panic, and TinyGo's only stops.
	trapped := "fault/trap was called"
	if strings.HasPrefix(interrupt.Compiler(module(t, "fault")), "TinyGo") {
		trapped = "it stopped (wasm error: unreachable)"
	}
	for _, c := range []struct {
		method   string
		reason   Reason
		message  string
		deadline time.Duration
	}{
		{"fault/trap", Trapped, trapped, time.Minute},
		{"fault/hang", Deadline, "did not respond within 1s", time.Second},
		{"fault/grow", Memory, "more than its 64 MB of memory", time.Minute},
	} {
		t.Run(c.method, func(t *testing.T) {
			var faults []*Fault
			p := wasmPool(t, Options{
				Instances: 1, Deadline: c.deadline, MemoryLimit: 64 << 20,
				Replaced: func(f *Fault) { faults = append(faults, f) },
			})
			must(t, p, "ctx/session/open", `{"id":"a","model":"gpt-5.5"}`)
			must(t, p, "ctx/session/open", `{"id":"b","parent":"a"}`)
			must(t, p, "ctx/session/update", `{"id":"a","system":"You are a helpful assistant.","append":[{"kind":"user","text":"Hello"}]}`)
			must(t, p, "ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":5000,"out":100}}`)
			must(t, p, "ctx/session/save", `{"id":"a"}`)
			add(t, p, "a", 20)
			add(t, p, "b", 7)
			before := must(t, p, "ctx/session/reading", `{"id":"a"}`) + must(t, p, "ctx/session/reading", `{"id":"b"}`)

			fault := fails(t, p, c.method, `{}`)
			if fault.Reason != c.reason || !strings.Contains(fault.Error(), c.message) || fault.Restored != 2 || len(fault.Lost) != 0 {
				t.Errorf("the fault is %+v: %s", fault, fault)
			}
			if len(faults) != 1 || faults[0] != fault {
				t.Errorf("Replaced was told of %v", faults)
			}
			after := must(t, p, "ctx/session/reading", `{"id":"a"}`) + must(t, p, "ctx/session/reading", `{"id":"b"}`)
			if before != after {
				t.Errorf("the sessions changed\nbefore %s\nafter  %s", before, after)
			}
			add(t, p, "a", 3)
			if n := used(t, p, "a"); n != 5123 {
				t.Errorf("the next update makes %d, want 5123", n)
			}
		})
	}
}

// TestEqualIDsInTwoScopesStayApart checks that several instances, and a new one, identify sessions by scope and id.
func TestEqualIDsInTwoScopesStayApart(t *testing.T) {
	p := wasmPool(t, Options{Instances: 3, Deadline: time.Second})
	scopes := []string{"", "one", "two", "three", "four"}
	for i, scope := range scopes {
		must(t, p, "ctx/session/open", fmt.Sprintf(`{"id":"a","scope":%q}`, scope))
		must(t, p, "ctx/session/open", fmt.Sprintf(`{"scope":%q,"id":"below","parent":"a"}`, scope))
		must(t, p, "ctx/session/update", fmt.Sprintf(`{"id":"a","scope":%q,"append":[{"kind":"user","tokens":%d}]}`, scope, i+1))
	}
	must(t, p, "ctx/session/open", `{"id":"common"}`)
	must(t, p, "ctx/session/open", `{"id":"of one","scope":"one","parent":"common"}`)
	if p.sessions[name{"one", "of one"}].shard != p.sessions[name{"", "common"}].shard {
		t.Error("a child lives apart from a parent without a scope")
	}
	check := func(when string) {
		t.Helper()
		for i, scope := range scopes {
			reading := must(t, p, "ctx/session/reading", fmt.Sprintf(`{"id":"a","scope":%q}`, scope))
			var envelope struct {
				Result struct {
					Used     int64
					Children []any
				}
			}
			if err := json.Unmarshal([]byte(reading), &envelope); err != nil {
				t.Fatal(err)
			}
			if envelope.Result.Used != int64(i+1) || len(envelope.Result.Children) != 1 {
				t.Errorf("%s: in %q it is %+v", when, scope, envelope.Result)
			}
			var list struct {
				Result struct {
					Sessions []struct {
						Session string
						Used    int64
					}
				}
			}
			if err := json.Unmarshal([]byte(must(t, p, "ctx/sessions", fmt.Sprintf(`{"scope":%q}`, scope))), &list); err != nil {
				t.Fatal(err)
			}
			want := 3
			if scope == "one" {
				want = 4
			}
			sessions := list.Result.Sessions
			if len(sessions) != want {
				t.Errorf("%s: in %q there are %v", when, scope, sessions)
			}
			for _, each := range sessions {
				if each.Session == "a" && each.Used != int64(i+1) {
					t.Errorf("%s: in %q another's session is listed: %v", when, scope, sessions)
				}
			}
		}
	}
	check("at first")
	for range 6 { // every instance is replaced at least once
		fails(t, p, "fault/trap", `{}`)
	}
	check("after faults")
}

// TestABriefEngineLosesItsSessions checks that a brief engine keeps nothing to restore sessions from, and that the
// fault names them.
func TestABriefEngineLosesItsSessions(t *testing.T) {
	p := wasmPool(t, Options{Instances: 1, Brief: true})
	must(t, p, "ctx/session/open", `{"id":"a"}`)
	add(t, p, "a", 20)
	must(t, p, "ctx/session/save", `{"id":"a"}`)
	must(t, p, "ctx/session/open", `{"id":"b"}`)
	fault := fails(t, p, "fault/trap", `{}`)
	if slices.Sort(fault.Lost); !slices.Equal(fault.Lost, []string{"a", "b"}) || fault.Restored != 0 || strings.Contains(must(t, p, "ctx/sessions", `{}`), `"session":"b"`) {
		t.Errorf("the fault is %+v", fault)
	}
	must(t, p, "ctx/session/open", `{"id":"b"}`)
	add(t, p, "b", 20)
}

func TestAHugeInputMeetsTheMemoryLimitAndNotTheProcess(t *testing.T) {
	// Every two bytes become a value of 16 bytes in the core's index: this needs several times the limit.
	params := `{"id":"a","append":[` + strings.Repeat("0,", 3<<20) + `0]}`
	p := wasmPool(t, Options{Instances: 1, MemoryLimit: 32 << 20, Deadline: time.Minute})
	must(t, p, "ctx/session/open", `{"id":"a"}`)
	add(t, p, "a", 20)
	fault := fails(t, p, "ctx/session/update", params)
	if fault.Reason != Memory {
		t.Errorf("the fault is %s", fault)
	}
	if n := used(t, p, "a"); n != 20 {
		t.Errorf("used is %d after the fault, want 20", n)
	}
}

func TestARealCallMeetsTheDeadline(t *testing.T) {
	p := wasmPool(t, Options{Instances: 1, Deadline: 50 * time.Millisecond})
	must(t, p, "ctx/session/open", `{"id":"a"}`)
	add(t, p, "a", 20)
	fault := fails(t, p, "ctx/session/update", `{"id":"a","append":[`+strings.Repeat(`{"kind":"user","text":"x"},`, 500_000)+`{"kind":"user","text":"x"}]}`)
	if fault.Reason != Deadline {
		t.Errorf("the fault is %s", fault)
	}
	if n := used(t, p, "a"); n != 20 {
		t.Errorf("used is %d after the fault, want 20", n)
	}
}

// TestASessionThatCannotComeBackTakesNoOtherWithIt corrupts one session's saved calls, as a defect of the core would.
func TestASessionThatCannotComeBackTakesNoOtherWithIt(t *testing.T) {
	p := wasmPool(t, Options{Instances: 1})
	for _, id := range []string{"first", "poisoned", "last"} {
		must(t, p, "ctx/session/open", fmt.Sprintf(`{"id":%q}`, id))
		add(t, p, id, 11)
	}
	poisoned := p.sessions[name{id: "poisoned"}]
	poisoned.calls = append(poisoned.calls, pastCall{"fault/trap", nil})
	fault := fails(t, p, "fault/trap", `{}`)
	if fmt.Sprint(fault.Lost) != "[poisoned]" || fault.Restored != 2 || !strings.Contains(fault.Error(), "could not be restored: poisoned") {
		t.Errorf("the fault is %+v: %s", fault, fault)
	}
	for _, id := range []string{"first", "last"} {
		if n := used(t, p, id); n != 11 {
			t.Errorf("%s has %d tokens, want 11", id, n)
		}
	}
	must(t, p, "ctx/session/open", `{"id":"poisoned"}`)
}

func TestOtherInstancesDoNotNotice(t *testing.T) {
	p := wasmPool(t, Options{Instances: 2})
	for i := range 8 {
		must(t, p, "ctx/session/open", fmt.Sprintf(`{"id":"s%d"}`, i))
	}
	before := [2]instance{p.shards[0].running, p.shards[1].running}
	fails(t, p, "fault/trap", `{}`)
	replaced := 0
	for i, s := range p.shards {
		if s.running != before[i] {
			replaced++
		}
	}
	if replaced != 1 {
		t.Errorf("%d instances were replaced, want 1", replaced)
	}
}

// TestRememberingStaysSmall checks that the calls of a session are dropped once its ledger is saved, and that the same
// session is restored afterwards.
func TestRememberingStaysSmall(t *testing.T) {
	bothEngines(t, Options{Instances: 1}, func(t *testing.T, p *Pool) {
		must(t, p, "ctx/session/open", `{"id":"a"}`)
		text := strings.Repeat("word ", 2000)
		for range 100 {
			must(t, p, "ctx/session/update", `{"id":"a","append":[{"kind":"toolResults","text":"`+text+`"}]}`)
		}
		p.saving.Wait()
		p.shards[0].enter(context.Background(), false)
		known := p.sessions[name{id: "a"}]
		if known.ledger == nil || known.size > 4*saveAfter {
			t.Errorf("after 1 MB of calls %d bytes of calls are kept, and %d of ledger", known.size, len(known.ledger))
		}
		p.shards[0].leave()
		before := must(t, p, "ctx/session/reading", `{"id":"a"}`)
		p.shards[0].enter(context.Background(), false)
		p.replace(p.shards[0], &Fault{Method: "test"})
		p.shards[0].leave()
		if after := must(t, p, "ctx/session/reading", `{"id":"a"}`); after != before {
			t.Errorf("before %s\nafter  %s", before, after)
		}
	})
}

// TestARestoredLedgerIsNotSavedAgain checks that a short command, which restores a large session for one Reading, does
// not save it again: the call that restored it is enough to restore it again, until the later calls are larger.
func TestARestoredLedgerIsNotSavedAgain(t *testing.T) {
	bothEngines(t, Options{Instances: 1}, func(t *testing.T, p *Pool) {
		fill(t, p, "a", 5000)
		saved := must(t, p, "ctx/session/save", `{"id":"a"}`)
		result, _ := ownjson.Member([]byte(saved), "result")
		ledger, _ := ownjson.Member(result, "ledger")
		must(t, p, "ctx/session/close", `{"id":"a"}`)
		if len(ledger) < 2*saveAfter {
			t.Fatalf("the ledger has %d bytes, too few to show anything", len(ledger))
		}
		must(t, p, "ctx/session/restore", `{"id":"a","ledger":`+string(ledger)+`}`)
		must(t, p, "ctx/session/update", `{"id":"a","append":[{"kind":"user","tokens":12}]}`)
		kept := func() []byte {
			p.saving.Wait()
			p.shards[0].enter(context.Background(), false)
			defer p.shards[0].leave()
			return p.sessions[name{id: "a"}].ledger
		}
		if kept() != nil {
			t.Error("the ledger was saved anew after it had been restored")
		}
		before := must(t, p, "ctx/session/reading", `{"id":"a"}`)
		p.shards[0].enter(context.Background(), false)
		p.replace(p.shards[0], &Fault{Method: "test"})
		p.shards[0].leave()
		if after := must(t, p, "ctx/session/reading", `{"id":"a"}`); after != before {
			t.Errorf("before %s\nafter  %s", before, after)
		}
		long := `{"id":"a","append":[{"kind":"toolResults","text":"` + strings.Repeat("word ", len(ledger)/5+1) + `"}]}`
		must(t, p, "ctx/session/update", long)
		if kept() == nil {
			t.Error("the ledger is not saved although the calls outweigh it")
		}
	})
}

func TestALedgerThatTheHostSavesIsRemembered(t *testing.T) {
	bothEngines(t, Options{Instances: 1}, func(t *testing.T, p *Pool) {
		must(t, p, "ctx/session/open", `{"id":"a"}`)
		add(t, p, "a", 20)
		must(t, p, "ctx/session/save", `{"id":"a"}`)
		if known := p.sessions[name{id: "a"}]; known.ledger == nil || len(known.calls) != 0 {
			t.Errorf("%d calls are kept beside a fresh ledger of %d bytes", len(known.calls), len(known.ledger))
		}
	})
}

// TestNothingAcknowledgedIsLost lets many clients work while instances fail, and compares every session with the
// results its client received.
func TestNothingAcknowledgedIsLost(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	p := wasmPool(t, Options{Instances: 2, Deadline: 5 * time.Second})
	const clients, calls = 8, 60
	var faults atomic.Int64
	var group sync.WaitGroup
	for client := range clients {
		group.Add(1)
		go func() {
			defer group.Done()
			random := rand.New(rand.NewPCG(seed, uint64(client)))
			id := fmt.Sprintf("client %d", client)
			call := func(method, params string) bool {
				answer, err := p.Call(context.Background(), method, []byte(params))
				var fault *Fault
				if errors.As(err, &fault) {
					faults.Add(1)
					return false
				}
				if err != nil || strings.HasPrefix(string(answer), `{"error":`) && !strings.HasPrefix(method, "fault/") {
					t.Errorf("%s %s: %s %v", method, params, answer, err)
					return false
				}
				return true
			}
			if !call("ctx/session/open", fmt.Sprintf(`{"id":%q}`, id)) {
				t.Errorf("%s could not be opened", id)
				return
			}
			var want int64
			for range calls {
				switch n := random.IntN(20); {
				case n == 0:
					call("fault/trap", `{}`)
				case n == 1:
					call("ctx/session/save", fmt.Sprintf(`{"id":%q}`, id))
				default:
					tokens := 1 + random.IntN(1000)
					if call("ctx/session/update", fmt.Sprintf(`{"id":%q,"append":[{"kind":"user","tokens":%d}]}`, id, tokens)) {
						want += int64(tokens)
					}
				}
			}
			if got := used(t, p, id); got != want {
				t.Errorf("%s was told of %d tokens and has %d", id, want, got)
			}
		}()
	}
	group.Wait()
	if faults.Load() == 0 {
		t.Error("no instance failed")
	}
	t.Logf("%d faults", faults.Load())
}

// TestANativePanicIsAFault checks that a defect of the core does not end the program.
func TestANativePanicIsAFault(t *testing.T) {
	made := 0
	p := newPool(Options{Instances: 1}, func() (instance, error) {
		made++
		return nativeInstance{nil}, nil // its first call panics
	}, nil)
	fault := fails(t, p, "ctx/sessions", `{}`)
	if fault.Reason != Trapped || !strings.Contains(fault.Detail, "nil pointer") || made != 2 {
		t.Errorf("the fault is %s after %d starts", fault, made)
	}
}

func TestAnEngineThatDoesNotRestartReturnsAnError(t *testing.T) {
	starts := 0
	p := newPool(Options{Instances: 1}, func() (instance, error) {
		if starts++; starts > 1 {
			return nil, errors.New("no memory left")
		}
		return nativeInstance{nil}, nil
	}, nil)
	fails(t, p, "ctx/sessions", `{}`)
	if _, err := p.Call(context.Background(), "ctx/sessions", []byte(`{}`)); err == nil || !strings.Contains(err.Error(), "no memory left") {
		t.Errorf("the next call ends with %v", err)
	}
}

// TestSessionsWaitForAnInstanceThatCanStart makes starting an instance impossible for a while.
func TestSessionsWaitForAnInstanceThatCanStart(t *testing.T) {
	var faults []*Fault
	p := wasmPool(t, Options{Instances: 1, Replaced: func(f *Fault) { faults = append(faults, f) }})
	for _, id := range []string{"a", "b"} {
		must(t, p, "ctx/session/open", fmt.Sprintf(`{"id":%q}`, id))
		add(t, p, id, 11)
	}
	makeOne := p.make
	p.make = func() (instance, error) { return nil, errors.New("no memory left") }
	fault := fails(t, p, "fault/trap", `{}`)
	if len(fault.Lost) != 0 || fault.Waiting != 2 || !strings.Contains(fault.Error(), "2 of its sessions are kept") {
		t.Errorf("the fault is %+v: %s", fault, fault)
	}
	for range 3 {
		if _, err := p.Call(context.Background(), "ctx/session/reading", []byte(`{"id":"a"}`)); err == nil || !strings.Contains(err.Error(), "no memory left") {
			t.Errorf("without an instance a call ends with %v", err)
		}
	}
	p.make = makeOne
	for _, id := range []string{"a", "b"} {
		if n := used(t, p, id); n != 11 {
			t.Errorf("%s has %d tokens, want 11", id, n)
		}
	}
	if len(faults) != 2 || faults[1].Restored != 2 || faults[1].Waiting != 0 {
		t.Errorf("Replaced was told of %+v", faults)
	}
}
