// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/engine/interrupt"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
)

// modules builds WebAssembly modules once for all tests: the core, and one that fails on request.
var modules = map[string]func() ([]byte, error){
	"core":  sync.OnceValues(func() ([]byte, error) { return buildModule("") }),
	"fault": sync.OnceValues(func() ([]byte, error) { return buildModule("ctxfault") }),
}

// buildModule builds a module by Go, or reads one that is already built: CTX_TEST_WASM names a directory of them. The
// Makefile fills one with TinyGo's modules, and mk/windows.sh one for a system on which Go itself does not run.
func buildModule(tags string) ([]byte, error) {
	if built := os.Getenv("CTX_TEST_WASM"); built != "" {
		return os.ReadFile(filepath.Join(built, "ctx"+tags+".wasm"))
	}
	raw, err := rawModule(tags)
	if err != nil {
		return nil, err
	}
	return interrupt.Add(raw)
}

func rawModule(tags string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "ctx-lsp-module")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "ctx.wasm")
	build := exec.Command("go", "build", "-tags", tags, "-trimpath", "-buildvcs=false", "-buildmode=c-shared", "-ldflags=-s -w", "-o", out, "../../wasm")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if output, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the module does not build: %w\n%s", err, output)
	}
	return os.ReadFile(out)
}

// Module is module for tests outside the package.
func Module(t testing.TB, name string) []byte { return module(t, name) }

// Compiled returns a directory that keeps compiled modules between the tests of one run.
func Compiled() string { return compiled() }

func module(t testing.TB, name string) []byte {
	t.Helper()
	m, err := modules[name]()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// compiled is a directory that keeps compiled modules between the tests of one run.
var compiled = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "ctx-lsp-compiled")
	if err != nil {
		return "none"
	}
	return dir
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir := compiled(); dir != "none" {
		os.RemoveAll(dir)
		os.RemoveAll(filepath.Dir(keyFor(dir)))
	}
	os.Exit(code)
}

// wasmPool starts an engine with the module that fails on request.
func wasmPool(t testing.TB, o Options) *Pool {
	t.Helper()
	if o.Module == nil {
		o.Module = module(t, "fault")
	}
	if o.CacheDir == "" {
		o.CacheDir = compiled()
	}
	o.KeyFile = keyFor(o.CacheDir)
	p, err := Wasm(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func nativePool(t testing.TB, o Options) *Pool {
	t.Helper()
	p, err := Native(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// must makes a call and returns its result.
func must(t testing.TB, e Engine, method, params string) string {
	t.Helper()
	answer, err := e.Call(context.Background(), method, []byte(params))
	if err != nil {
		t.Fatalf("%s %s: %v", method, params, err)
	}
	if !strings.HasPrefix(string(answer), `{"result":`) {
		t.Fatalf("%s %s: %s", method, params, answer)
	}
	return string(answer)
}

// used returns a session's used tokens.
func used(t testing.TB, e Engine, id string) int64 {
	t.Helper()
	var envelope struct{ Result struct{ Used int64 } }
	if err := json.Unmarshal([]byte(must(t, e, "ctx/session/reading", fmt.Sprintf(`{"id":%q}`, id))), &envelope); err != nil {
		t.Fatal(err)
	}
	return envelope.Result.Used
}

func add(t testing.TB, e Engine, id string, tokens int) {
	t.Helper()
	must(t, e, "ctx/session/update", fmt.Sprintf(`{"id":%q,"append":[{"kind":"user","tokens":%d}]}`, id, tokens))
}

// bothEngines runs a test on both engines.
func bothEngines(t *testing.T, o Options, test func(t *testing.T, p *Pool)) {
	t.Run("native", func(t *testing.T) { test(t, nativePool(t, o)) })
	t.Run("wasm", func(t *testing.T) { test(t, wasmPool(t, o)) })
}

func TestSessionsAreSpreadAndTheirListIsWhole(t *testing.T) {
	bothEngines(t, Options{Instances: 3}, func(t *testing.T, p *Pool) {
		var opened []string
		for i := range 12 {
			id := fmt.Sprintf("session %d", i)
			must(t, p, "ctx/session/open", fmt.Sprintf(`{"id":%q}`, id))
			opened = append(opened, id)
		}
		inUse := 0
		for _, s := range p.shards {
			if len(s.members) > 0 {
				inUse++
			}
		}
		if inUse < 2 {
			t.Errorf("12 sessions live in %d of 3 instances", inUse)
		}
		var list struct {
			Result struct{ Sessions []struct{ Session string } }
		}
		if err := json.Unmarshal([]byte(must(t, p, "ctx/sessions", `{}`)), &list); err != nil {
			t.Fatal(err)
		}
		var listed []string
		for _, s := range list.Result.Sessions {
			listed = append(listed, s.Session)
		}
		if fmt.Sprint(listed) != fmt.Sprint(opened) {
			t.Errorf("listed %v, opened %v", listed, opened)
		}
	})
}

func TestIdsMadeByTheEngineAreNotRepeated(t *testing.T) {
	bothEngines(t, Options{Instances: 3}, func(t *testing.T, p *Pool) {
		must(t, p, "ctx/session/open", `{"id":"s2"}`)
		seen := map[string]bool{"s2": true}
		for range 10 {
			var envelope struct{ Result struct{ Session string } }
			if err := json.Unmarshal([]byte(must(t, p, "ctx/session/open", `{}`)), &envelope); err != nil {
				t.Fatal(err)
			}
			if id := envelope.Result.Session; seen[id] {
				t.Errorf("%s was made twice", id)
			} else {
				seen[id] = true
				add(t, p, id, 5)
			}
		}
	})
}

func TestChildrenLiveWithTheirParents(t *testing.T) {
	bothEngines(t, Options{Instances: 4}, func(t *testing.T, p *Pool) {
		must(t, p, "ctx/session/open", `{"id":"root"}`)
		for i := range 8 {
			must(t, p, "ctx/session/open", fmt.Sprintf(`{"id":"child %d","parent":"root"}`, i))
			must(t, p, "ctx/session/open", fmt.Sprintf(`{"id":"grandchild %d","parent":"child %d"}`, i, i))
		}
		must(t, p, "ctx/session/records", `{"id":"read","open":{"parent":"root"},"records":[]}`)
		home := p.sessions[name{id: "root"}].shard
		for id, s := range p.sessions {
			if s.shard != home {
				t.Errorf("%s lives apart from its family", id)
			}
		}
		var reading struct{ Result struct{ Children []any } }
		if err := json.Unmarshal([]byte(must(t, p, "ctx/session/reading", `{"id":"root"}`)), &reading); err != nil {
			t.Fatal(err)
		}
		if len(reading.Result.Children) != 9 {
			t.Errorf("the root has %d children, want 9", len(reading.Result.Children))
		}
		ledger, _ := ownjson.Member([]byte(must(t, p, "ctx/session/save", `{"id":"child 1"}`)), "result")
		must(t, p, "ctx/session/restore", fmt.Sprintf(`{"id":"copy",%s`, ledger[1:]))
		if p.sessions[name{id: "copy"}].shard != home {
			t.Error("a restored child lives apart from its parent")
		}
		must(t, p, "ctx/session/close", `{"id":"root"}`)
		if len(p.sessions) != 0 || len(home.members) != 0 {
			t.Errorf("after the root was closed, %d sessions are remembered", len(p.sessions))
		}
	})
}

// TestAnUnknownSessionIsSoughtOnce checks that a call about a session that does not exist reaches one instance. A
// sub-agent that was created by its parent's records is found in its parent's instance.
func TestAnUnknownSessionIsSoughtOnce(t *testing.T) {
	p := nativePool(t, Options{Instances: 8})
	for range 3 {
		answer, err := p.Call(context.Background(), "ctx/session/reading", []byte(`{"id":"nobody"}`))
		if e, failed := errorIn(answer); err != nil || !failed || e.Kind != "unknown_session" {
			t.Fatalf("%s, %v", answer, err)
		}
	}
	started := 0
	for _, s := range p.shards {
		if s.started.Load() {
			started++
		}
	}
	if started != 1 {
		t.Errorf("%d instances were started for a session that does not exist", started)
	}
	must(t, p, "ctx/session/open", `{"id":"root"}`)
	home := p.sessions[name{id: "root"}].shard
	if p.holder(name{id: "root/agent/nested"}) != home || p.holder(name{id: "rootless/agent"}) != nil {
		t.Error("a sub-agent is not sought next to its parent")
	}
	for i := range 16 { // whatever the ids are, each is found
		id := fmt.Sprintf("r%d", i)
		must(t, p, "ctx/session/records", fmt.Sprintf(`{"id":%q,"agent":"claude-code","open":true,"records":[%s,%s]}`, id,
			`{"type":"assistant","uuid":"a1","parentUuid":null,"isSidechain":false,"sessionId":"s","message":{"id":"m1","role":"assistant","model":"claude-opus-4-6","content":[{"type":"tool_use","id":"t1","name":"Task","input":{"description":"Look","prompt":"Look around"}}],"usage":{"input_tokens":10,"output_tokens":5}}}`,
			`{"type":"user","uuid":"b1","parentUuid":null,"isSidechain":true,"agentId":"x1","sessionId":"s","message":{"role":"user","content":"Look around"}}`))
		var reading struct {
			Result struct{ Children []struct{ Session string } }
		}
		if err := json.Unmarshal([]byte(must(t, p, "ctx/session/reading", fmt.Sprintf(`{"id":%q}`, id))), &reading); err != nil {
			t.Fatal(err)
		}
		if len(reading.Result.Children) == 0 {
			t.Fatal("no sub-agent came with the records")
		}
		must(t, p, "ctx/session/reading", fmt.Sprintf(`{"id":%q}`, reading.Result.Children[0].Session))
	}
}

func TestTheEnginesAnswerWithTheSameBytes(t *testing.T) {
	native, wasm := nativePool(t, Options{Instances: 2}), wasmPool(t, Options{Instances: 3})
	for _, c := range []struct{ method, params string }{
		{"ctx/session/open", `{"model":"gpt-5.5","limits":{"window":200000},"system":"x"}`},
		{"ctx/session/open", `{"model":"gpt-5.5","limits":{"window":200000}}`},
		{"ctx/session/update", `{"id":"s1","system":"You are a helpful assistant.","append":[{"kind":"user","text":"Grüße, 世界 🌍"}]}`},
		{"ctx/session/usage", `{"id":"s1","provider":"ctx","usage":{"in":5000,"out":100}}`},
		{"ctx/session/open", `{"id":"s1"}`},
		{"ctx/session/close", `{"id":"nobody"}`},
		{"ctx/session/opne", `{}`},
		{"ctx/session/open", `{"id"`},
		{"ctx/session/open", ``},
		{"ctx/session/open", `[]`},
		{"ctx/session/open", "{\"id\":\"\xff\"}"},
		{"ctx/count", `{"text":"How many tokens is this?","model":"gpt-5.5"}`},
		{"ctx/session/open", `{"id":"` + strings.Repeat("x", 17<<20) + `"}`},
		{"ctx/session/open", strings.Repeat("[", 100_000)},
		{"ctx/sessions", `{}`},
		{"", ``},
	} {
		a, err := native.Call(context.Background(), c.method, []byte(c.params))
		if err != nil {
			t.Fatal(err)
		}
		b, err := wasm.Call(context.Background(), c.method, []byte(c.params))
		if err != nil {
			t.Fatal(err)
		}
		if string(a) != string(b) {
			t.Errorf("%s %.100s\n native %.1000s\n wasm   %.1000s", c.method, c.params, a, b)
		}
	}
}

func TestACallThatHasNotBegunEndsWithItsContext(t *testing.T) {
	p := nativePool(t, Options{Instances: 1})
	must(t, p, "ctx/session/open", `{"id":"a"}`)
	p.shards[0].enter(context.Background(), false) // another client's call
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := p.Call(ctx, "ctx/session/update", []byte(`{"id":"a","append":[{"kind":"user","tokens":7}]}`))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the call ended with %v", err)
	}
	p.shards[0].leave()
	if n := used(t, p, "a"); n != 0 {
		t.Errorf("the call that never began changed the session: used is %d", n)
	}
}

func TestAClosedEngineReturnsAnError(t *testing.T) {
	bothEngines(t, Options{}, func(t *testing.T, p *Pool) {
		must(t, p, "ctx/session/open", `{"id":"a"}`)
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Errorf("closed twice: %v", err)
		}
		if _, err := p.Call(context.Background(), "ctx/session/open", []byte(`{}`)); !errors.Is(err, errClosed) {
			t.Errorf("after Close: %v", err)
		}
	})
}

func TestAModuleThatIsNotACoreIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		module []byte
		want   string
	}{
		"nothing":     {nil, "no WebAssembly module"},
		"text":        {[]byte("hello"), "cannot be compiled"},
		"no exports":  {[]byte("\x00asm\x01\x00\x00\x00"), "does not export"},
		"an import":   {[]byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x02\x09\x01\x03env\x01x\x00\x00"), "env.x"},
		"half a core": {module(t, "core")[:1000], "cannot be compiled"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Wasm(Options{Module: c.module, CacheDir: "none"})
			if err == nil {
				defer p.Close()
				_, err = p.Call(context.Background(), "ctx/sessions", []byte(`{}`))
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want something about %q", err, c.want)
			}
		})
	}
}

func TestACacheThatCannotBeWrittenIsDoneWithout(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var logged []string
	p := wasmPool(t, Options{CacheDir: file, Instances: 1, Log: func(s string) { logged = append(logged, s) }})
	must(t, p, "ctx/session/open", `{"id":"a"}`)
	if !strings.Contains(strings.Join(logged, " "), "cannot be saved") {
		t.Errorf("it said %q", logged)
	}
}
