// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	face "github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// verified remembers up to which request of a session the log compares estimates with measurements.
type verified struct {
	seen  bool  // a Reading was seen; what happened before it is not logged
	any   bool  // a request had been verified by then
	steps int64 // predictions verified by then, of which the first request of a session has none
}

// verifies says whether somebody reads the lines that logVerified writes.
func (s *Server) verifies() bool { return s.log.Enabled(context.Background(), slog.LevelInfo) }

// logVerified writes a line when a Reading shows that a further request was verified, in the words of `ctx-lsp top`.
// If one change verifies several requests, the line is about the last and says how many they are.
func (s *Server) logVerified(id string, before *verified, reading []byte) {
	var shown struct {
		Accuracy struct {
			Last *struct {
				Predicted, Actual, Error int64
				Percent                  api.Hundredths
			}
			Ratio api.Hundredths
			Steps int64
		}
	}
	if json.Unmarshal(reading, &shown) != nil {
		return // a client that asks for the Reading gets it anyway
	}
	a := &shown.Accuracy
	now := verified{seen: true, any: a.Last != nil, steps: a.Steps}
	come := now.steps - before.steps
	if now.any && !before.any {
		come = max(come, 1)
	}
	news := before.seen && now.any && come > 0
	*before = now
	if !news {
		return
	}
	line := face.StepLine(a.Last.Predicted, a.Last.Actual, a.Last.Error, a.Last.Percent, a.Ratio)
	if come > 1 {
		s.log.Info(line, "session", id, "requests", come)
	} else {
		s.log.Info(line, "session", id)
	}
}
