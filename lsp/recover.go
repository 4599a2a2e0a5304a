// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"fmt"
	"runtime/debug"
)

// This file keeps a panic from ending the process, and with it the sessions of every editor: each goroutine of the
// daemon defers one of the two survive methods.

// survive is deferred around a connection's own work. A panic there is logged, reported to that client, and closes its
// connection; other clients are not affected.
func (c *connection) survive(what string) {
	fault := recover()
	if fault == nil {
		return
	}
	c.server.failed(what, fault)
	c.logMessage(messageError, "The daemon had an internal error in "+what+"; this connection is closed; see the daemon's log.")
	c.end()
}

// survive is deferred around work for several clients, or for none.
func (s *Server) survive(what string) {
	if fault := recover(); fault != nil {
		s.failed(what, fault)
	}
}

// failed logs a panic, with its stack.
func (s *Server) failed(what string, fault any) {
	s.metrics.defects.Add(1)
	s.log.Error("internal error of the daemon", "at", what, "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
}
