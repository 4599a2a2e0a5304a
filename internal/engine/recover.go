// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A session as the engine remembers it, so that it can be brought back: the ledger when it was last saved, and the
// calls that changed it since. Remembering costs a copy of each call. When the calls outweigh the ledger it is saved
// anew, so that over time saving costs no more than the calls did, however large the session is.
type session struct {
	id     string
	parent string // the session it was opened under
	number int64  // in the order of opening
	shard  *shard
	fed    bool // from transcript records, whose reader remembers more than the ledger

	ledger  []byte // as ctx/session/save answered; nil before the first time
	calls   []pastCall
	size    int // bytes of the calls
	saving  bool
	dropped bool // closed, or lost
}

type pastCall struct {
	method string
	params []byte
}

const (
	// saveAfter is how much is kept in calls at least before a ledger is saved.
	saveAfter = 16 << 10
	// saveNow is how much is kept in calls at most before the caller waits for the ledger to be saved.
	saveNow = 8 << 20
)

// note remembers what a call did to a session. The caller holds the shard.
func (p *Pool) note(s *shard, id, method string, params, answer []byte) {
	if _, failed := errorIn(answer); failed || id == "" && makesSession(method) {
		return
	}
	known := s.members[id]
	switch {
	case method == "ctx/session/close":
		p.forgetTree(s, known)
		return
	case method == "ctx/session/save":
		if known != nil {
			known.saved(answer)
		}
		return
	}
	if known == nil {
		parent, _ := parentID(method, params)
		known = p.enter(s, id, parent)
		if !makesSession(method) {
			// It came with another session, so that its beginning was not seen.
			known.size = saveNow
		}
	}
	if effect := methodOf(method).Effect; effect == api.Makes || effect == api.Changes {
		known.fed = known.fed || method == "ctx/session/records"
		if method == "ctx/session/restore" {
			known.calls, known.size, known.ledger = nil, 0, nil
		}
		known.calls = append(known.calls, pastCall{method, bytes.Clone(params)})
		known.size += len(method) + len(params)
	}
	switch {
	case known.size >= saveNow:
		p.save(s, known)
	case known.size >= max(saveAfter, len(known.ledger)) && !known.saving:
		known.saving = true
		p.saveLater(s, known)
	}
}

func (p *Pool) enter(s *shard, id, parent string) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened++
	known := &session{id: id, parent: parent, number: p.opened, shard: s}
	p.sessions[id], s.members[id] = known, known
	return known
}

func (p *Pool) forget(s *shard, known *session) {
	if known == nil {
		return
	}
	known.dropped = true
	delete(s.members, known.id)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sessions[known.id] == known {
		delete(p.sessions, known.id)
	}
}

// forgetTree forgets a session that was closed; its children went with it.
func (p *Pool) forgetTree(s *shard, known *session) {
	if known == nil {
		return
	}
	p.forget(s, known)
	for _, child := range s.members {
		if child.parent == known.id {
			p.forgetTree(s, child)
		}
	}
}

// saved takes the ledger out of an answer to ctx/session/save.
func (known *session) saved(answer []byte) {
	result, _ := field(answer, "result")
	ledger, ok := field(result, "ledger")
	if !ok {
		return
	}
	known.ledger = bytes.Clone(ledger)
	known.calls, known.size = nil, 0
}

// save asks for the ledger of a session now. The caller holds the shard.
func (p *Pool) save(s *shard, known *session) {
	id, _ := json.Marshal(known.id)
	answer, err := p.attempt(s, "ctx/session/save", fmt.Appendf(nil, `{"id":%s}`, id))
	known.saving = false
	if err != nil || known.dropped {
		return
	}
	if e, failed := errorIn(answer); failed {
		if e.Kind == "unknown_session" {
			p.forget(s, known) // it went with another one
		}
		return
	}
	known.saved(answer)
}

// saveLater asks for the ledger of a session when the shard is next free.
func (p *Pool) saveLater(s *shard, known *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.saving.Add(1)
	go func() {
		defer p.saving.Done()
		if s.enter(context.Background(), true) != nil {
			return
		}
		defer s.leave()
		if !known.dropped && s.running != nil {
			p.save(s, known)
		}
		known.saving = false
	}()
}

// replace throws a failed instance away and brings its sessions back in a new one. If there can be none now, they wait
// for the next call. The caller holds the shard.
func (p *Pool) replace(s *shard, fault *Fault) {
	s.stop()
	if err := p.revive(s, fault); err != nil {
		p.options.Log("the engine does not start again: " + err.Error())
		fault.Waiting = len(s.members)
		s.fault = fault
	}
	p.options.Log(fault.Error())
	p.options.Replaced(fault)
}

// resume starts a shard that has no instance. Sessions that were left without one come back. The caller holds the
// shard.
func (p *Pool) resume(s *shard) error {
	again := Fault{}
	if s.fault != nil {
		again = *s.fault
		again.Waiting = 0
	}
	if err := p.revive(s, &again); err != nil || s.fault == nil {
		return err
	}
	s.fault = nil
	p.options.Log(again.Error())
	p.options.Replaced(&again)
	return nil
}

// revive gives a shard an instance, brings the sessions of the shard back in it, and notes what became of them. After
// an error the shard has no instance, and its sessions are remembered.
func (p *Pool) revive(s *shard, fault *Fault) error {
	members := slices.SortedFunc(maps.Values(s.members), func(a, b *session) int { return cmp.Compare(a.number, b.number) })
	for {
		if err := p.start(s); err != nil {
			return err
		}
		failed := p.restoreAll(s, members)
		if failed == nil {
			break
		}
		// This one brings the instance down every time: the others go on without it.
		s.stop()
		members = slices.DeleteFunc(members, func(known *session) bool { return known == failed })
		p.forget(s, failed)
		fault.Lost = append(fault.Lost, failed.id)
	}
	for _, known := range members {
		if known.dropped {
			fault.Lost = append(fault.Lost, known.id)
		} else {
			fault.Restored++
			if known.fed && known.ledger != nil {
				fault.Reread = append(fault.Reread, known.id)
			}
		}
	}
	return nil
}

// restoreAll brings sessions back, the earlier opened first, so that parents come before children. It returns the
// session at which the instance failed, if it did.
func (p *Pool) restoreAll(s *shard, members []*session) *session {
	for _, known := range members {
		if known.dropped {
			continue
		}
		calls := known.calls
		if known.ledger != nil {
			id, _ := json.Marshal(known.id)
			restore := fmt.Appendf(nil, `{"id":%s,"ledger":%s}`, id, known.ledger)
			calls = append([]pastCall{{"ctx/session/restore", restore}}, calls...)
		}
		for _, c := range calls {
			answer, fault := p.answer(s.running, c.method, c.params)
			if fault != nil {
				return known
			}
			if _, failed := errorIn(answer); failed {
				p.options.Log("session " + known.id + " could not be restored: " + c.method + " was answered with " + string(answer))
				p.forget(s, known)
				break
			}
		}
	}
	return nil
}
