// Copyright The ctx-lsp authors. MIT licence.

package rusage

import (
	"testing"
	"time"
)

// Windows counts a process's time in steps of 16 ms, so the work takes several of them.
const work = 100 * time.Millisecond

func TestWorkIsCountedAndWaitingIsNot(t *testing.T) {
	waited := Least(3, 0, func() { time.Sleep(work) })
	if waited > work/2 {
		t.Errorf("sleeping for %v used %v", work, waited)
	}
	n := 0
	worked := Of(func() {
		for before := Used(); Used()-before < work; n++ {
		}
	})
	if worked < work || n == 0 {
		t.Errorf("%v of work used %v", work, worked)
	}
}
