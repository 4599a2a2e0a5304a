// Copyright The ctx-lsp authors. MIT licence.

package history_test

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/history"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
)

// TestItemsAreReadOnlyIfAskedFor checks that the items of every request are requested only if they are needed, and that
// a comparison without them is the same.
func TestItemsAreReadOnlyIfAskedFor(t *testing.T) {
	s, err := sessions.At(filepath.Join("..", "..", "testdata", "sessions", "claude-code", "compacted.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	read := func(items bool) (c *history.Course, asked int) {
		pool, err := engine.Native(engine.Options{Instances: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		call := func(ctx context.Context, method string, params []byte) ([]byte, error) {
			if method == "ctx/session/items" {
				asked++
			}
			return pool.Call(ctx, method, params)
		}
		if c, err = history.Read(context.Background(), follow.NewFeed(s, pool.Call), call, items); err != nil {
			t.Fatal(err)
		}
		return c, asked
	}
	without, once := read(false)
	with, each := read(true)
	if once != 1 || each != len(with.Requests) || each < 2 {
		t.Errorf("items were requested %d and %d times, of %d requests", once, each, len(with.Requests))
	}
	if last := len(with.Requests) - 1; len(with.Requests[0].Items) == 0 || len(without.Requests[last].Items) == 0 {
		t.Error("a request has no items")
	}
	settings := history.Settings{Threshold: with.Requests[0].In + 1}
	if a, b := with.WhatIf(settings), without.WhatIf(settings); !reflect.DeepEqual(a, b) {
		t.Errorf("with items %+v, without %+v", a, b)
	}
}
