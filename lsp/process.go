// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"time"
)

// processPoll is how often a client's process is looked for.
const processPoll = 3 * time.Second

// watchProcess ends the connection when the client's process is gone: editors that are killed do not say exit, and a
// pipe that a grandchild holds open does not close. A process that is not seen to begin with, as from another
// container, is not watched.
func (c *connection) watchProcess(pid *int) {
	if pid == nil || *pid <= 0 || !processLives(*pid) {
		return
	}
	process := *pid
	go func() {
		defer c.survive("watching the client's process")
		tick := time.NewTicker(processPoll)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if !processLives(process) {
					c.log.Info("the client's process is gone")
					c.end()
					return
				}
			case <-c.ctx.Done():
				return
			}
		}
	}()
}

// WatchProcess calls gone when a process has ended, as --clientProcessId asks for.
func WatchProcess(pid int, gone func()) {
	if pid <= 0 || !processLives(pid) {
		return
	}
	go func() {
		for processLives(pid) {
			time.Sleep(processPoll)
		}
		gone()
	}()
}
