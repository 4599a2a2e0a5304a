// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
)

// A terminal describes the agent that runs in a terminal.
type terminal struct {
	PID        int      `json:"pid"`
	Agent      string   `json:"agent"`      // "" if none runs
	Process    int      `json:"process"`    // the agent's process; 0 if none runs
	Session    *string  `json:"session"`    // null if uncertain
	Proof      string   `json:"proof"`      // sessionFile, openFile, command or start
	Status     string   `json:"status"`     // the agent's own status: busy, idle, waiting
	Candidates []string `json:"candidates"` // the sessions that it may show, if that is uncertain
	Because    string   `json:"because"`
}

// maxTerminals is how many terminals one request may name.
const maxTerminals = 256

// askTerminals answers ctx/terminals: which session each terminal provably shows, or which it may show.
func (c *connection) askTerminals(r *request) ([]byte, *api.Error) {
	var asked struct {
		PIDs []int `json:"pids"`
	}
	if err := r.read(&asked); err != nil {
		return nil, err
	}
	if len(asked.PIDs) > maxTerminals {
		return nil, api.Invalid("pids", "must be a list of at most 256 process ids.")
	}
	answer := struct {
		Terminals []terminal `json:"terminals"`
	}{Terminals: []terminal{}}
	for _, pid := range asked.PIDs {
		answer.Terminals = append(answer.Terminals, c.terminal(pid))
	}
	out, _ := json.Marshal(answer) // strings and numbers always encode
	return out, nil
}

// terminal describes one terminal, with the session ids that this client sees.
func (c *connection) terminal(pid int) terminal {
	t := terminal{PID: pid, Candidates: []string{}, Because: "No known agent runs in this terminal."}
	h, some := c.server.watcher.inTerminal(pid, true)
	if !some {
		return t
	}
	t.Agent, t.Process, t.Proof, t.Status, t.Because = h.Process.Agent, h.Process.PID, string(h.Proof), h.Status, h.Reason
	if s := c.server.ofOrigin(h.Session); s != nil {
		t.Session = &s.id
	}
	t.Candidates = c.server.idsOf(h.Candidates)
	return t
}

// idsOf maps the agents' own session ids to those for clients. It leaves out sessions that the daemon does not have.
func (s *Server) idsOf(origins []string) []string {
	ids := []string{}
	for _, id := range origins {
		if found := s.ofOrigin(id); found != nil {
			ids = append(ids, found.id)
		}
	}
	return ids
}

// inTerminal returns the agent that runs below a process, and whether there is one. If fresh is set, it lists the
// processes again instead of using a recent list.
func (w *watcher) inTerminal(pid int, fresh bool) (process.Holding, bool) {
	if pid <= 0 || w.server.options.Source == nil {
		return process.Holding{}, false
	}
	w.lookAround(fresh)
	h := &w.holders
	h.mu.Lock()
	defer h.mu.Unlock()
	return process.InTerminal(pid, h.processes, h.holdings)
}

// ofOrigin returns the session that its agent calls by this id, or nil.
func (s *Server) ofOrigin(id string) *session {
	if id == "" {
		return nil
	}
	for _, each := range s.all(func(each *session) bool { return each.origin != nil && each.origin.ID == id }) {
		return each
	}
	return nil
}
