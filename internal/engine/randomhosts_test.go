// Copyright The ctx-lsp authors. MIT licence.

package engine_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/randomhost"
)

// TestRandomHostsOnBothEngines has random conversations natively and under wazero: each answer has the same bytes, and
// a session that is saved and restored after each call continues with the same Reading on both.
// CTX_ENGINE_HOSTS is the number of conversations, and CTX_HOST_FROM the first seed.
func TestRandomHostsOnBothEngines(t *testing.T) {
	n, seed := 4, rand.Uint64()>>20
	if text := os.Getenv("CTX_ENGINE_HOSTS"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	if text := os.Getenv("CTX_HOST_FROM"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	t.Logf("seed %d", seed)
	ours, twin := newBoth(t), newBoth(t)
	for i := range n {
		h := randomhost.New(seed+uint64(i), ours, twin, func() randomhost.Caller { return newBoth(t) })
		h.Converse()
		if h.Broken {
			t.Errorf("seed %d: %s", seed+uint64(i), h.Failure)
		}
		ours.Call("ctx/session/close", []byte(`{"id":"host"}`))
		twin.Call("ctx/session/close", []byte(`{"id":"host"}`))
	}
}

// both is a native engine and one under wazero.
type both struct {
	t            *testing.T
	native, wasm engine.Engine
}

func newBoth(t *testing.T) *both {
	native, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	wasm, err := engine.Wasm(engine.Options{Instances: 1, Module: engine.Module(t, "core"), CacheDir: engine.Compiled()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { native.Close(); wasm.Close() })
	return &both{t, native, wasm}
}

// Call returns the answer of both.
func (b *both) Call(method string, params []byte) []byte {
	b.t.Helper()
	ours, err := b.native.Call(context.Background(), method, params)
	theirs, other := b.wasm.Call(context.Background(), method, bytes.Clone(params))
	if err != nil || other != nil {
		b.t.Fatalf("%s %.2000s: natively %v, under wazero %v", method, params, err, other)
	}
	if !bytes.Equal(ours, theirs) {
		b.t.Fatalf("%s %.2000s\n natively     %.3000s\n under wazero %.3000s", method, params, ours, theirs)
	}
	return ours
}
