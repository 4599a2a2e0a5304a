// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
)

// measure passes a change to telemetry if it is on, without waiting. fresh means that the session began after the
// daemon, so that all its requests are included.
func (s *Server) measure(key string, reading []byte, sum summary, fresh bool) {
	if s.options.Telemetry != nil {
		s.options.Telemetry.Record(key, reading, sum.calls, sum.compactions, fresh)
	}
}

func (s *Server) unmeasure(closed *session) {
	if s.options.Telemetry != nil {
		s.options.Telemetry.Forget(closed.key, closed.found)
	}
}

// pointsMeasured is how many requests of a session telemetry can look back on.
const pointsMeasured = 1000

// History returns the history of the session with a key. Telemetry calls it if more than one request was measured
// between two Readings.
func (s *Server) History(key string) (*api.HistoryAnswer, error) {
	points := int64(pointsMeasured)
	scope, id, _ := strings.Cut(key, "/")
	return client.Call(s.callRaw).History(noRequest, &api.HistoryParams{ID: id, Scope: scope, Points: &points}).Read()
}
