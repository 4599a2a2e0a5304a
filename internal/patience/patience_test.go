// Copyright The ctx-lsp authors. MIT licence.

package patience

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestEverythingIsDone(t *testing.T) {
	results, late := Each(t.Context(), 100, 3, func(i int) int { return i * i })
	for i, n := range results {
		if n != i*i || late[i] {
			t.Fatalf("%d is %d, late %v", i, n, late[i])
		}
	}
	if results, late := Each(t.Context(), 0, 3, func(int) int { return 1 }); len(results)+len(late) != 0 {
		t.Error(results, late)
	}
}

// TestACallThatNeverEndsIsLeft has more pieces that never end than workers: the others are done all the same.
func TestACallThatNeverEndsIsLeft(t *testing.T) {
	forever := make(chan struct{})
	defer close(forever)
	var others atomic.Int32
	ctx, cancel := context.WithCancel(t.Context())
	results, late := Each(ctx, 20, 2, func(i int) int {
		if i < 4 {
			<-forever
		} else if others.Add(1) == 16 {
			// The last of the others has still to be noted; nothing but time tells when it is.
			time.AfterFunc(100*time.Millisecond, cancel)
		}
		return i + 1
	})
	for i := range results {
		if slow := i < 4; late[i] != slow || !slow && results[i] != i+1 {
			t.Errorf("%d is %d, late %v", i, results[i], late[i])
		}
	}
	if !slices.Contains(late, false) {
		t.Error("nothing was done")
	}
}
