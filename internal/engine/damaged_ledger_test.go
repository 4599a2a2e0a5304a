// Copyright The ctx-lsp authors. MIT licence.

package engine_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

// smallSession uses every component of a ledger.
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

// savedSmall returns the ledger of smallSession, and the part of it that contains numbers.
func savedSmall(t *testing.T, e engine.Engine) (ledger map[string]json.RawMessage, state []byte) {
	t.Helper()
	for _, call := range smallSession {
		if _, err := e.Call(context.Background(), call[0], []byte(call[1])); err != nil {
			t.Fatal(err)
		}
	}
	var saved struct {
		Result struct {
			Ledger map[string]json.RawMessage `json:"ledger"`
		} `json:"result"`
	}
	answer, err := e.Call(context.Background(), "ctx/session/save", []byte(`{"id":"a"}`))
	if err != nil || json.Unmarshal(answer, &saved) != nil || json.Unmarshal(saved.Result.Ledger["state"], &state) != nil || len(state) < 300 {
		t.Fatalf("%v: %s", err, answer)
	}
	if _, err := e.Call(context.Background(), "ctx/session/close", []byte(`{"id":"a"}`)); err != nil {
		t.Fatal(err)
	}
	return saved.Result.Ledger, state
}

// withNumber returns a state with another number in place of the one that starts at a byte, if any.
func withNumber(state []byte, at int, number int64) []byte {
	end := at
	for end < len(state)-1 && state[end] >= 0x80 {
		end++
	}
	return append(binary.AppendVarint(slices.Clone(state[:at]), number), state[end+1:]...)
}

// TestDamagedLedgersTrapNoEngine changes each number of a ledger in turn, and checks that the ledger is refused, or
// that the session can be read and continued. Both engines must return the same bytes, and neither may be replaced.
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
	ledger, state := savedSmall(t, native)
	restored, refused, trapped := 0, 0, 0
	for i := range state {
		for _, with := range []int64{80, -1, 1 << 40} {
			text, err := json.Marshal(withNumber(state, i, with))
			if err != nil {
				t.Fatal(err)
			}
			ledger["state"] = text
			changed, err := json.Marshal(ledger)
			if err != nil {
				t.Fatal(err)
			}
			calls := append([][2]string{{"ctx/session/restore", fmt.Sprintf(`{"id":"a","ledger":%s}`, changed)}}, afterRestore...)
			for k, call := range calls {
				a, ofNative := native.Call(context.Background(), call[0], []byte(call[1]))
				b, ofWasm := wasm.Call(context.Background(), call[0], []byte(call[1]))
				if ofNative != nil || ofWasm != nil {
					trapped++
					t.Errorf("the number at byte %d is %d: %s\n native %v\n wasm   %v", i, with, call[0], ofNative, ofWasm)
					break
				}
				if !bytes.Equal(a, b) {
					t.Fatalf("the number at byte %d is %d: %s\n native %s\n wasm   %s", i, with, call[0], a, b)
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
	}
	t.Logf("%d bytes, %d restored, %d refused, %d trapped", len(state), restored, refused, trapped)
	if restored == 0 || refused == 0 {
		t.Error("not both kinds of damage occurred")
	}
}

// TestEnginesNameOneFormat saves sessions on both engines, and checks that they compute the same format, and that
// either restores a ledger saved by the other.
func TestEnginesNameOneFormat(t *testing.T) {
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
	ofNative, _ := savedSmall(t, native)
	ofWasm, _ := savedSmall(t, wasm)
	if string(ofNative["schema"]) != string(ofWasm["schema"]) || string(ofNative["schema"]) != fmt.Sprintf("%q", api.LedgerSchema()) {
		t.Errorf("the native engine saves %s, the module %s, and the program names %s", ofNative["schema"], ofWasm["schema"], api.LedgerSchema())
	}
	transcripts, err := filepath.Glob("../../testdata/sessions/*/*.jsonl")
	if err != nil || len(transcripts) < 9 {
		t.Fatalf("only %d transcripts: %v", len(transcripts), err)
	}
	seen := map[string]bool{}
	for _, path := range transcripts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var lines [][]byte
		for line := range bytes.Lines(text) {
			if json.Valid(line) {
				lines = append(lines, bytes.TrimSpace(line))
			}
		}
		records := append(append([]byte(`{"id":"a","open":true,"records":[`), bytes.Join(lines, []byte(","))...), "]}"...)
		var ledgers [2][]byte
		for i, e := range []engine.Engine{native, wasm} {
			for _, call := range [][2]string{{"ctx/session/records", string(records)}, {"ctx/session/save", `{"id":"a"}`}, {"ctx/session/close", `{"id":"a"}`}} {
				answer, err := e.Call(context.Background(), call[0], []byte(call[1]))
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(call[0], "save") {
					ledgers[i] = bytes.Clone(answer)
				}
			}
		}
		var saved struct {
			Result struct {
				Ledger struct {
					Reader struct{ Agent, Format string }
				}
			}
		}
		if err := json.Unmarshal(ledgers[0], &saved); err != nil || !bytes.Equal(ledgers[0], ledgers[1]) || saved.Result.Ledger.Reader.Format == "" {
			t.Errorf("%s is saved by the native engine as\n%s\nand by the module as\n%s", path, ledgers[0], ledgers[1])
		}
		seen[saved.Result.Ledger.Reader.Agent] = true
		params := bytes.TrimSuffix(bytes.TrimPrefix(ledgers[0], []byte(`{"result":`)), []byte("}"))
		for _, e := range []engine.Engine{native, wasm} {
			if answer, err := e.Call(context.Background(), "ctx/session/restore", params); err != nil || bytes.HasPrefix(answer, []byte(`{"error"`)) {
				t.Errorf("%s: %v %s", path, err, answer)
			}
			if _, err := e.Call(context.Background(), "ctx/session/close", []byte(`{"id":"a"}`)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(seen) < 8 {
		t.Errorf("only the readers of %v were saved", seen)
	}
}
