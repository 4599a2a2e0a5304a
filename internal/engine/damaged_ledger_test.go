// Copyright The ctx-lsp authors. MIT licence.

package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

// smallSession touches every component that a ledger has.
var smallSession = [][2]string{
	{"ctx/session/open", `{"id":"a","agent":"claude-code","model":"claude-opus-4-6","workspace":"/w","limits":{"window":200000,"output":8000},"rule":{"reserve":32000}}`},
	{"ctx/session/update", `{"id":"a","at":1000,"title":"t","branch":"main","system":{"tokens":3000},"tools":{"tokens":900},"documents":{"tokens":90},"memory":[{"label":"AGENTS.md","tokens":300}],"turn":"start",
		"append":[{"kind":"user","tokens":50}]}`},
	{"ctx/session/usage", `{"id":"a","provider":"ctx","request":"r1","usage":{"in":10000,"out":500,"reasoning":400,"cacheRead":4000}}`},
	{"ctx/session/update", `{"id":"a","at":2000,"append":[{"kind":"reasoning","tokens":400},{"kind":"assistant","tokens":90},{"kind":"toolCalls","tokens":20,"name":"mcp__s__t"},{"kind":"toolResults","tokens":300,"name":"mcp__s__t"}]}`},
	{"ctx/session/usage", `{"id":"a","provider":"ctx","request":"r2","usage":{"in":11000,"out":200}}`},
	{"ctx/session/update", `{"id":"a","replace":[{"index":0,"item":{"kind":"user","tokens":9}}],"append":[{"kind":"assistant","tokens":90}],"turn":"end"}`},
	{"ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":"none"}}`},
	{"ctx/session/compacted", `{"id":"a","kept":3,"summary":500,"trigger":"auto"}`},
	{"ctx/session/update", `{"id":"a","at":3000,"turn":"start","append":[{"kind":"user","tokens":70}]}`},
	{"ctx/session/usage", `{"id":"a","provider":"ctx","request":"r3","usage":{"in":6000,"out":100}}`},
	{"ctx/session/update", `{"id":"a","append":[{"kind":"reasoning","tokens":40},{"kind":"toolResults","tokens":60}],"draft":12}`},
	{"ctx/session/error", `{"id":"a","error":"prompt is too long: 210000 tokens > 180000 maximum"}`},
}

// afterRestore reads a restored session in every way, and continues it.
var afterRestore = [][2]string{
	{"ctx/session/reading", `{"id":"a"}`},
	{"ctx/session/items", `{"id":"a"}`},
	{"ctx/session/history", `{"id":"a"}`},
	{"ctx/session/update", `{"id":"a","at":4000,"turn":"start","append":[{"kind":"user","tokens":5},{"kind":"toolResults","tokens":5}],"replace":[{"index":1,"item":{"kind":"user","tokens":2}}],"removeFrom":4}`},
	{"ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":5000,"out":5}}`},
	{"ctx/session/update", `{"id":"a","removeFrom":0}`},
	{"ctx/session/compacted", `{"id":"a","kept":1,"summary":5}`},
	{"ctx/session/save", `{"id":"a"}`},
	{"ctx/session/close", `{"id":"a"}`},
}

// savedSmall is what ctx/session/save returns for smallSession.
func savedSmall(t *testing.T, e engine.Engine) (saved struct {
	Result struct {
		Ledger map[string]json.RawMessage `json:"ledger"`
	} `json:"result"`
}, numbers []json.RawMessage) {
	t.Helper()
	for _, call := range smallSession {
		if _, err := e.Call(context.Background(), call[0], []byte(call[1])); err != nil {
			t.Fatal(err)
		}
	}
	answer, err := e.Call(context.Background(), "ctx/session/save", []byte(`{"id":"a"}`))
	if err != nil || json.Unmarshal(answer, &saved) != nil || json.Unmarshal(saved.Result.Ledger["numbers"], &numbers) != nil || len(numbers) < 300 {
		t.Fatalf("%v: %s", err, answer)
	}
	if _, err := e.Call(context.Background(), "ctx/session/close", []byte(`{"id":"a"}`)); err != nil {
		t.Fatal(err)
	}
	return saved, numbers
}

// TestDamagedLedgersTrapNoEngine changes each number of a ledger in turn: it is refused, or the session reads and
// continues. Both engines return the same bytes, and neither is replaced.
func TestDamagedLedgersTrapNoEngine(t *testing.T) {
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
	saved, numbers := savedSmall(t, native)
	restored, refused, trapped := 0, 0, 0
	for i, whole := range numbers {
		for _, with := range []string{"80", "-1", "1099511627776"} {
			numbers[i] = json.RawMessage(with)
			changed, err := json.Marshal(numbers)
			if err != nil {
				t.Fatal(err)
			}
			saved.Result.Ledger["numbers"] = changed
			ledger, err := json.Marshal(saved.Result.Ledger)
			if err != nil {
				t.Fatal(err)
			}
			calls := append([][2]string{{"ctx/session/restore", fmt.Sprintf(`{"id":"a","ledger":%s}`, ledger)}}, afterRestore...)
			for k, call := range calls {
				a, ofNative := native.Call(context.Background(), call[0], []byte(call[1]))
				b, ofWasm := wasm.Call(context.Background(), call[0], []byte(call[1]))
				if ofNative != nil || ofWasm != nil {
					trapped++
					t.Errorf("number %d is %s: %s\n native %v\n wasm   %v", i, with, call[0], ofNative, ofWasm)
					break
				}
				if !bytes.Equal(a, b) {
					t.Fatalf("number %d is %s: %s\n native %s\n wasm   %s", i, with, call[0], a, b)
				}
				if k == 0 && bytes.HasPrefix(a, []byte(`{"error"`)) {
					refused++
					break
				}
				if k == 0 {
					restored++
				}
			}
		}
		numbers[i] = whole
	}
	t.Logf("%d numbers, %d restored, %d refused, %d trapped", len(numbers), restored, refused, trapped)
	if restored == 0 || refused == 0 {
		t.Error("not both kinds of damage occurred")
	}
}
