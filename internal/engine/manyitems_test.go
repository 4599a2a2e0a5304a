// Copyright The ctx-lsp authors. MIT licence.

package engine_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

// TestEnginesHoldTheMostItemsOfACall checks that each engine accepts the largest number of items that a call may have,
// and that all refuse one more with the same error, instead of running out of memory.
func TestEnginesHoldTheMostItemsOfACall(t *testing.T) {
	native, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	// Other tests use the processors, too, and TinyGo's module needs seconds for the largest call.
	wasm, err := engine.Wasm(engine.Options{Instances: 1, Module: engine.Module(t, "core"), Deadline: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer wasm.Close()
	for _, c := range []struct{ method, field, item string }{
		{"ctx/session/update", "append", `{"kind":"user","tokens":5}`},
		{"ctx/session/messages", "messages", `{"role":"user","content":"five small words for you"}`},
	} {
		for _, n := range []int{20_000, 20_001, 100_000} {
			params := []byte(`{"id":"a","` + c.field + `":[` + strings.Repeat(c.item+",", n-1) + c.item + `]}`)
			var answers [2][]byte
			for i, e := range []engine.Engine{native, wasm} {
				if _, err := e.Call(context.Background(), "ctx/session/open", []byte(`{"id":"a"}`)); err != nil {
					t.Fatal(err)
				}
				answer, err := e.Call(context.Background(), c.method, params)
				if err != nil {
					t.Fatalf("%d in %s: %v", n, c.field, err)
				}
				answers[i] = bytes.Clone(answer)
				if _, err := e.Call(context.Background(), "ctx/session/close", []byte(`{"id":"a"}`)); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(answers[0], answers[1]) {
				t.Errorf("%d in %s: %.300s and %.300s", n, c.field, answers[0], answers[1])
			}
			if refused := bytes.Contains(answers[0], []byte("at most 20000 items")); refused != (n > 20_000) {
				t.Errorf("%d in %s: %.300s", n, c.field, answers[0])
			}
		}
	}
}
