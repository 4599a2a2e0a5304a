// Copyright The ctx-lsp authors. MIT licence.

package presence

import (
	"context"
	"time"
)

// endingPoll is how often a process that is waited for is looked at.
const endingPoll = 3 * time.Second

// OnEnd calls gone once a process has ended, unless ctx ends first. Editors that are killed do not say exit, and a pipe
// that a grandchild holds open does not close. A process that is not seen to begin with, as from another container, is
// not watched.
func OnEnd(ctx context.Context, pid int, gone func()) {
	if pid <= 0 || !lives(pid) {
		return
	}
	go func() {
		tick := time.NewTicker(endingPoll)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if !lives(pid) {
					gone()
					return
				}
			}
		}
	}()
}
