// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestAnEngineThatFailsAtItsStartIsTriedAgain checks that a panic of an engine's start is an error of the request that
// needed it.
func TestAnEngineThatFailsAtItsStartIsTriedAgain(t *testing.T) {
	tries := 0
	s := newTestServer(t, Options{Engine: func(context.Context) (Engine, error) {
		if tries++; tries < 3 {
			panic("a defect")
		}
		return newFakeEngine(), nil
	}})
	for range 2 {
		if _, err := s.running(t.Context()); err == nil || !strings.Contains(err.Error(), "a defect") {
			t.Errorf("try %d: %v", tries, err)
		}
	}
	if engine, err := s.running(t.Context()); err != nil || engine == nil || tries != 3 {
		t.Errorf("try %d: %v", tries, err)
	}
	if n := s.metrics.defects.Load(); n != 2 {
		t.Errorf("%d defects are counted", n)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	never := newTestServer(t, Options{Engine: func(context.Context) (Engine, error) { <-t.Context().Done(); return nil, errors.New("late") }})
	if _, err := never.running(canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("a request that is canceled while the engine starts: %v", err)
	}
}
