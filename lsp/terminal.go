// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
)

// A terminal is what is known of the agent that runs in one.
type terminal struct {
	PID        int      `json:"pid"`
	Agent      string   `json:"agent"`      // "" where none runs
	Process    int      `json:"process"`    // the agent's, 0 where none runs
	Session    *string  `json:"session"`    // null where that is not certain
	Proof      string   `json:"proof"`      // sessionFile, openFile, command or start
	Status     string   `json:"status"`     // the agent's own word: busy, idle, waiting
	Candidates []string `json:"candidates"` // where it is not certain: the sessions that it may be
	Because    string   `json:"because"`
}

// maxTerminals bounds one request.
const maxTerminals = 256

// askTerminals answers ctx/terminals: which session each of some terminals shows, by proof, or which it may be.
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

// terminal says what is known of one terminal, with the ids that this client knows.
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

// idsOf maps the agents' own ids of sessions to the ids for clients.
func (s *Server) idsOf(origins []string) []string {
	ids := []string{}
	for _, id := range origins {
		if found := s.ofOrigin(id); found != nil {
			ids = append(ids, found.id)
		}
	}
	return ids
}

// inTerminal is the agent that runs below a process: as it is now if fresh is set, or as it was a moment ago.
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

// ofOrigin is the session whose agent calls it by this id.
func (s *Server) ofOrigin(id string) *session {
	if id == "" {
		return nil
	}
	for _, each := range s.all(func(each *session) bool { return each.origin != nil && each.origin.ID == id }) {
		return each
	}
	return nil
}
