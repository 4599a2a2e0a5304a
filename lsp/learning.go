// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// teach passes the learned corrections of earlier sessions to a new engine.
func (s *Server) teach(engine Engine) {
	if s.options.Learned == nil {
		return
	}
	numbers, err := s.options.Learned.LoadAt(time.Now())
	if err != nil {
		s.log.Warn("learned corrections cannot be read", "error", err)
		return
	}
	if numbers == nil {
		return
	}
	set := client.Call(engine.Call).LearnedSet(context.Background(), &api.LearnedParams{Learned: json.RawMessage(numbers)})
	if _, err := set.JSON(); err != nil {
		s.log.Warn("learned corrections cannot be used", "error", err)
	}
}

// keepLearned saves the corrections learned from the open sessions, which are numbers by model and agent. It must be
// called before sessions are closed, because the engine forgets what a closed session has shown.
func (s *Server) keepLearned() {
	s.engineMu.Lock()
	started := s.engine != nil
	s.engineMu.Unlock()
	if s.options.Learned == nil || !started {
		return
	}
	if changes := s.metrics.changes.Load(); s.learnedAt.Swap(changes) == changes {
		return
	}
	result, fault := s.call(noRequest, "ctx/learned/get", []byte("{}"))
	if fault != nil {
		s.log.Warn("learned corrections cannot be saved", "error", fault.Message)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := s.options.Learned.Keep(ctx, wire.MemberOf(result, "learned")); err != nil {
		s.log.Warn("learned corrections cannot be saved", "error", err)
	}
}
