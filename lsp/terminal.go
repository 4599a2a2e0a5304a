// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// A process is one that runs below a terminal.
type process struct {
	name    string // of the program, without its folder
	command string // the command line
	dir     string // its working directory
	started time.Time
}

// sessionOfTerminal finds the session of the agent that runs in a terminal: the same agent, working in the directory
// of the session, which has been alive since the process began.
func sessionOfTerminal(pid int, sessions []*session) *session {
	for _, p := range processesBelow(pid) {
		s := newest(sessions, func(sum summary) bool {
			known, ok := agent.Find(sum.agent)
			if !ok || known.Program == "" || sum.workspace == "" || resolved(sum.workspace) != resolved(p.dir) {
				return false
			}
			if sum.asOf != 0 && !p.started.IsZero() && time.UnixMilli(sum.asOf).Before(p.started.Add(-time.Minute)) {
				return false
			}
			return strings.Contains(p.name, known.Program) || strings.Contains(p.command, "/"+known.Program)
		})
		if s != nil {
			return s
		}
	}
	return nil
}
