// Copyright The ctx-lsp authors. MIT licence.

package process

import (
	"context"
	"time"
)

// endingPoll is how often OnEnd checks whether the process is still alive.
const endingPoll = 3 * time.Second

// OnEnd calls ended when a process has ended, unless ctx is done first. This is needed because a killed editor sends no
// exit, and a pipe that a grandchild holds open does not close. A process that cannot be seen at first, such as one in
// another container, is not watched.
func OnEnd(ctx context.Context, pid int, ended func()) {
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
					ended()
					return
				}
			}
		}
	}()
}
