// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
)

// A session is what the engine keeps to restore a session: the last saved ledger, and copies of the calls that changed
// the session since. When these calls are larger than the ledger, the ledger is saved again; so over time saving costs
// no more than the calls did, however large the session is.
type session struct {
	name
	parent name  // its parent session when it was opened
	number int64 // its position in the order of opening
	shard  *shard
	key    string // the secret for its digests; empty without one
	fed    bool   // it was read from transcript records, whose reader remembers more than the ledger contains

	ledger   []byte // the ledger in the last result of ctx/session/save; nil before the first
	calls    []pastCall
	restored int // the size of the first of these calls, if it contained a ledger
	size     int // the size of the others
	saving   bool
	dropped  bool // whether it was closed or lost
}

type pastCall struct {
	method string
	params []byte
}

const (
	// saveAfter is the minimum size of kept calls at which a ledger is saved.
	saveAfter = 16 << 10
	// saveNow is the size of kept calls at which the caller must wait for the ledger to be saved.
	saveNow = 8 << 20
)

// note records what a call did to a session. The caller must hold the shard.
func (p *Pool) note(s *shard, of name, method string, params, answer []byte) {
	if _, failed := errorIn(answer); failed || of.id == "" && makesSession(method) {
		return
	}
	known := s.members[of]
	switch {
	case method == "ctx/session/close":
		p.forgetTree(s, known)
		return
	case method == "ctx/session/save":
		if known != nil && !p.options.Brief {
			result, _ := ownjson.Member(answer, "result")
			known.saved(result)
		}
		return
	}
	if known == nil {
		parent, _ := p.parentOf(of.scope, method, params)
		known = p.enter(s, of, parent)
		if !makesSession(method) {
			// This session was created together with another one, so its first calls are unknown.
			known.size = saveNow
		}
	}
	if p.options.Brief {
		return
	}
	if effect := methodOf(method).Effect; effect == api.Makes || effect == api.Changes {
		known.fed = known.fed || method == "ctx/session/records"
		if method == "ctx/session/open" || method == "ctx/session/restore" {
			known.key, _ = stringField(params, "key")
		}
		if method == "ctx/session/restore" {
			// A newly saved ledger would be no smaller than the one in this call.
			known.calls, known.ledger = nil, nil
			known.size, known.restored = -len(method)-len(params), len(params)
		}
		known.calls = append(known.calls, pastCall{method, bytes.Clone(params)})
		known.size += len(method) + len(params)
	}
	switch {
	case known.size >= saveNow:
		p.save(s, known)
	case known.size >= max(saveAfter, len(known.ledger), known.restored) && !known.saving:
		known.saving = true
		p.saveLater(s, known)
	}
}

func (p *Pool) enter(s *shard, of, parent name) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened++
	known := &session{name: of, parent: parent, number: p.opened, shard: s}
	if s.members[of] == nil {
		s.parents[parent]++
	}
	p.sessions[of], s.members[of] = known, known
	return known
}

func (p *Pool) forget(s *shard, known *session) {
	if known == nil {
		return
	}
	known.dropped = true
	if s.members[known.name] == known {
		delete(s.members, known.name)
		if s.parents[known.parent]--; s.parents[known.parent] == 0 {
			delete(s.parents, known.parent)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sessions[known.name] == known {
		delete(p.sessions, known.name)
	}
}

// forgetTree removes a session that was closed, and its children, which were closed with it.
func (p *Pool) forgetTree(s *shard, known *session) {
	if known == nil {
		return
	}
	p.forget(s, known)
	if s.parents[known.name] == 0 {
		return // most sessions have no children, and looking for them would read all others
	}
	for _, child := range s.members {
		if child.parent == known.name {
			p.forgetTree(s, child)
		}
	}
}

// saved keeps the ledger in a result of ctx/session/save.
func (known *session) saved(result []byte) {
	ledger, ok := ownjson.Member(result, "ledger")
	if !ok {
		return
	}
	known.ledger = bytes.Clone(ledger)
	known.calls, known.size, known.restored = nil, 0, 0
}

// save saves the ledger of a session now. The caller must hold the shard.
func (p *Pool) save(s *shard, known *session) {
	call := client.Call(func(_ context.Context, method string, params []byte) ([]byte, error) {
		return p.attempt(s, method, params)
	})
	result, err := call.Save(context.Background(), &api.SessionParams{ID: known.id, Scope: known.scope}).JSON()
	known.saving = false
	var refused *api.Error
	switch {
	case known.dropped:
	case err == nil:
		known.saved(result)
	case errors.As(err, &refused) && refused.Kind == api.UnknownSession:
		p.forget(s, known) // it was closed together with another session
	}
}

// saveLater saves the ledger of a session as soon as the shard is free.
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

// replace discards a failed instance and restores its sessions in a new one. If no instance can be started now, the
// sessions wait for the next call. The caller must hold the shard.
func (p *Pool) replace(s *shard, fault *Fault) {
	s.stop()
	if err := p.revive(s, fault); err != nil {
		p.options.Log("the engine cannot be restarted: " + err.Error())
		fault.Waiting = len(s.members)
		s.fault = fault
	}
	p.options.Log(fault.Error())
	p.options.Replaced(fault)
}

// resume starts an instance for a shard that has none, and restores the sessions that were left without one. The caller
// must hold the shard.
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

// revive starts an instance for a shard, restores the shard's sessions in it, and records in fault which were restored
// and which were lost. After an error the shard has no instance, but its sessions are still kept.
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
		// This session makes the instance fail every time, so the others are restored without it.
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

// restoreAll restores sessions in the order of their opening, so that parents come before their children. It returns
// the session at which the instance failed, or nil.
func (p *Pool) restoreAll(s *shard, members []*session) *session {
	for _, known := range members {
		if known.dropped {
			continue
		}
		if known.ledger == nil && len(known.calls) == 0 {
			p.forget(s, known) // nothing was kept of it
			continue
		}
		call := client.Call(func(_ context.Context, method string, params []byte) ([]byte, error) {
			answer, fault := p.answer(s.running, method, params)
			if fault != nil {
				return nil, fault
			}
			return answer, nil
		})
		method, err := "ctx/session/restore", error(nil)
		if known.ledger != nil {
			restore := &api.RestoreParams{ID: known.id, Scope: known.scope, Ledger: json.RawMessage(known.ledger), Key: known.key}
			_, err = call.Restore(context.Background(), restore).JSON()
		}
		for i := 0; err == nil && i < len(known.calls); i++ {
			method = known.calls[i].method
			_, err = call.Ask(context.Background(), method, known.calls[i].params)
		}
		var refused *api.Error
		switch {
		case errors.As(err, &refused):
			p.options.Log("session " + known.id + " could not be restored: " + method + " was refused: " + refused.Message)
			p.forget(s, known)
		case err != nil:
			return known
		}
	}
	return nil
}
