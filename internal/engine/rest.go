// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"context"

	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Rest stops the instances to release their memory, because a WebAssembly memory that has grown never shrinks. Sessions
// and learned corrections stay: the next call restores them in a new instance. An instance keeps running if one of its
// sessions was read from a transcript, whose reader remembers more than the ledger. Open documents are lost, so Rest
// must be called after they are closed. It reports whether an instance was stopped.
func (p *Pool) Rest() (stopped bool) {
	for _, s := range p.shards {
		if s.enter(context.Background(), true) != nil {
			continue
		}
		stopped = p.rest(s) || stopped
		s.leave()
	}
	return stopped
}

// rest stops the instance of a shard that the caller holds, and reports whether it did.
func (p *Pool) rest(s *shard) bool {
	if s.running == nil || p.options.Brief {
		return false
	}
	for _, known := range s.members {
		if known.fed && known.ledger != nil || known.ledger == nil && len(known.calls) == 0 {
			return false
		}
	}
	p.mu.Lock()
	learned, closed := p.learned, p.closed
	p.mu.Unlock()
	if closed {
		return false
	}
	if learned != nil { // the corrections learned before this instance started
		if _, fault := p.answer(s.running, "ctx/learned/set", learned); fault != nil {
			p.replace(s, fault)
			return false
		}
	}
	answer, fault := p.answer(s.running, "ctx/learned/get", []byte("{}"))
	if fault != nil {
		p.replace(s, fault)
		return false
	}
	if result, ok := ownjson.Member(answer, "result"); ok {
		p.mu.Lock()
		p.learned = append([]byte(nil), result...)
		p.mu.Unlock()
	}
	s.stop()
	return true
}
