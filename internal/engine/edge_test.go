// Copyright The ctx-lsp authors. MIT licence.

package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

// TestOverAtTheLimit checks with random sessions that a prompt that leaves less than the reserve free is "over", in
// both modes and with every rule, natively and under wazero; that no compaction threshold is higher than that; and that
// a session is "over" after a refusal.
//
// CTX_SEED repeats a run.
func TestOverAtTheLimit(t *testing.T) {
	native, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	wasm, err := engine.Wasm(engine.Options{Instances: 1, Module: engine.Module(t, "core"), CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer wasm.Close()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("CTX_SEED"); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	e := edges{T: t, Rand: random, engines: [2]engine.Engine{native, wasm}}
	rules := e.ruleNames()
	for i := range 12 * len(rules) {
		e.session(rules[i%len(rules)])
	}
	t.Logf("%d rules, %d Readings, %d of them at the limit, %d after a refusal", len(rules), e.readings, e.full, e.refused)
	if e.full < e.readings/20 || e.refused < e.readings/50 {
		t.Error("too few sessions reached the limit")
	}
}

// edges opens random sessions on both engines.
type edges struct {
	*testing.T
	*rand.Rand
	engines                 [2]engine.Engine
	calls                   []string // the calls of the session so far
	readings, full, refused int
}

// edgeReading is the part of a Reading that determines the level.
type edgeReading struct {
	Used, Reserve int64
	Limit         *int64
	Basis         string
	Compaction    struct {
		Threshold, Left *int64
		Level           string
	}
}

// call makes a call on both engines and returns the result.
func (e *edges) call(method, params string) json.RawMessage {
	e.calls = append(e.calls, method+" "+params)
	var first string
	for i, engine := range e.engines {
		b, err := engine.Call(e.Context(), method, []byte(params))
		if err != nil {
			e.Fatal(err)
		}
		if i == 0 {
			first = string(b)
		} else if string(b) != first {
			e.Fatalf("the engines differ after %q:\n%s\n%s", e.calls, first, b)
		}
	}
	var answer struct {
		Result json.RawMessage
		Error  *struct {
			Data struct{ Known []string }
		}
	}
	if err := json.Unmarshal([]byte(first), &answer); err != nil {
		e.Fatal(err)
	}
	if answer.Error != nil {
		known, _ := json.Marshal(answer.Error.Data.Known)
		return known
	}
	return answer.Result
}

// ruleNames returns the names of all rules that the core knows.
func (e *edges) ruleNames() (names []string) {
	if err := json.Unmarshal(e.call("ctx/session/open", `{"rule":"?"}`), &names); err != nil || len(names) < 20 {
		e.Fatalf("%v: %q", err, names)
	}
	for range 6 {
		names = append(names, "") // the user's own rule
	}
	return names
}

func (e *edges) rule(name string) string {
	if name != "" {
		return strconv.Quote(name)
	}
	switch e.IntN(4) {
	case 0:
		return fmt.Sprintf(`{"threshold":%d}`, 1000+e.IntN(500_000))
	case 1:
		return fmt.Sprintf(`{"percent":%d,"threshold":%d}`, 1+e.IntN(100), 1000+e.IntN(500_000))
	case 2:
		return fmt.Sprintf(`{"reserve":%d,"target":%d}`, e.IntN(60_000), e.IntN(60_000))
	}
	return fmt.Sprintf(`{"percent":%d}`, 1+e.IntN(100))
}

// limits adds parameters that determine the limit, and returns the limit.
func (e *edges) limits(about map[string]any) int64 {
	window := int64(8000 + e.IntN(400_000))
	switch e.IntN(4) {
	case 0:
		about["model"] = []string{"gpt-5.1-codex", "claude-sonnet-4-5", "gpt-4o", "gemini-2.5-pro", "deepseek-chat"}[e.IntN(5)]
		window = 200_000
	case 1:
		about["limits"] = map[string]int64{"window": window, "input": window * int64(3+e.IntN(6)) / 8, "output": int64(e.IntN(130_000))}
	case 2:
		about["limits"] = map[string]int64{"window": window, "output": int64(e.IntN(64_000))}
	case 3: // unknown before a refusal
	}
	if e.IntN(3) == 0 {
		about["reserve"] = e.IntN(70_000)
	}
	return window
}

func (e *edges) session(rule string) {
	e.calls = e.calls[:0]
	about := map[string]any{"id": "a", "rule": json.RawMessage(e.rule(rule))}
	if e.IntN(2) == 0 {
		about["mode"] = "provider"
	}
	window := e.limits(about)
	params, _ := json.Marshal(about)
	e.call("ctx/session/open", string(params))
	for range 1 + e.IntN(8) {
		switch near := window*int64(80+e.IntN(30))/100 - int64(e.IntN(40_000)); e.IntN(6) {
		case 0:
			e.call("ctx/session/update", fmt.Sprintf(`{"id":"a","append":[{"kind":"toolResults","tokens":%d}]}`, 1+e.IntN(30_000)))
		case 1:
			e.call("ctx/session/update", fmt.Sprintf(`{"id":"a","turn":"start","append":[{"kind":"user","tokens":%d}]}`, 1+e.IntN(3000)))
		case 2:
			e.call("ctx/session/update", fmt.Sprintf(`{"id":"a","system":%d,"tools":%d}`, e.IntN(9000), e.IntN(30_000)))
		case 3:
			e.call("ctx/session/error", fmt.Sprintf(`{"id":"a","provider":"openai","error":%s}`, e.refusal(window)))
			e.check(true)
			continue
		default:
			e.call("ctx/session/usage", fmt.Sprintf(`{"id":"a","provider":"ctx","usage":{"in":%d,"out":%d}}`, max(near, 1), e.IntN(4000)))
		}
		e.check(false)
	}
	e.call("ctx/session/close", `{"id":"a"}`)
}

// refusal returns a provider's error message, with or without numbers.
func (e *edges) refusal(window int64) string {
	message := "Your input exceeds the context window of this model."
	if e.IntN(2) == 0 {
		limit := window * int64(50+e.IntN(51)) / 100
		message = fmt.Sprintf("This model's maximum context length is %d tokens. However, your messages resulted in %d tokens.", limit, limit+1+int64(e.IntN(9000)))
	}
	return fmt.Sprintf(`{"error":{"message":%q,"code":"context_length_exceeded"}}`, message)
}

// check reads the session in both modes and checks its level and threshold.
func (e *edges) check(refused bool) {
	for _, mode := range []string{"hybrid", "provider"} {
		var r edgeReading
		if err := json.Unmarshal(e.call("ctx/session/reading", `{"id":"a","mode":"`+mode+`"}`), &r); err != nil {
			e.Fatal(err)
		}
		e.readings++
		c := &r.Compaction
		if refused {
			e.refused++
			if c.Level != "over" {
				e.Fatalf("%s: %q after a refusal\n%+v\n%q", mode, c.Level, r, e.calls)
			}
		}
		if r.Limit == nil {
			continue
		}
		most := max(*r.Limit-r.Reserve, 0)
		if c.Threshold != nil && (*c.Threshold > most || *c.Left != *c.Threshold-r.Used) {
			e.Fatalf("%s: the threshold is %d with %d left; %d of %d may be used\n%q", mode, *c.Threshold, *c.Left, most, *r.Limit, e.calls)
		}
		if r.Basis == "unknown" || r.Used < most {
			continue
		}
		e.full++
		if c.Level != "over" {
			e.Fatalf("%s: %q at %d of %d\n%q", mode, c.Level, r.Used, most, e.calls)
		}
	}
}
