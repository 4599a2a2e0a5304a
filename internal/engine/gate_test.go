// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

func TestCallsThatCanWaitLetOthersGoFirst(t *testing.T) {
	var g gate
	ctx := context.Background()
	g.enter(ctx, false)
	order := make(chan string, 10)
	begin := func(name string, canWait bool) {
		before := g.load()
		go func() {
			g.enter(ctx, canWait)
			order <- name
			g.leave()
		}()
		for g.load() == before {
			time.Sleep(time.Millisecond / 10)
		}
	}
	begin("save 1", true)
	begin("update 1", false)
	begin("save 2", true)
	begin("update 2", false)
	g.mu.Lock()
	for _, each := range g.later {
		each.since = time.Now().Add(time.Hour) // it has not waited yet, however slow this machine is
	}
	g.mu.Unlock()
	g.leave()
	var got []string
	for range 4 {
		got = append(got, <-order)
	}
	if want := []string{"update 1", "update 2", "save 1", "save 2"}; !slices.Equal(got, want) {
		t.Errorf("the order was %v, not %v", got, want)
	}

	g.enter(ctx, false)
	begin("update", false)
	begin("save", true)
	g.mu.Lock()
	g.later[0].since = time.Now().Add(-2 * waitedEnough)
	g.mu.Unlock()
	g.leave()
	if first := <-order; first != "save" {
		t.Errorf("a call that has waited long enough was overtaken by an %s", first)
	}
	<-order
}

func TestACancelledWaitDelaysNoOtherCall(t *testing.T) {
	var g gate
	for range 1000 {
		g.enter(context.Background(), false)
		ctx, cancel := context.WithCancel(context.Background())
		gaveUp := make(chan error)
		go func() {
			err := g.enter(ctx, true)
			if err == nil {
				g.leave()
			}
			gaveUp <- err
		}()
		go cancel()
		g.leave()
		if err := <-gaveUp; err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if !g.tryEnter() {
			t.Fatal("the gate is held by nobody")
		}
		g.leave()
	}
}
