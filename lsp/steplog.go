// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	draw "github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// verified is the last state of a session's accuracy that was logged.
type verified struct {
	seen  bool  // a Reading was seen; earlier requests are not logged
	any   bool  // a request had been verified
	steps int64 // verified predictions; the first request of a session has none
	// scaled is true if rows were scaled to fit the measured total.
	scaled bool
}

// verifies reports whether the lines of logVerified would be logged.
func (s *Server) verifies() bool { return s.log.Enabled(context.Background(), slog.LevelInfo) }

// logVerified logs each newly verified request of a Reading, in the format of `ctx-lsp top`. If one change verifies
// several requests, the line describes the last and includes their number. A separate line warns if rows were scaled;
// it is repeated only after they have fit again.
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
		Warnings []struct{ Text, ID string }
	}
	if json.Unmarshal(reading, &shown) != nil {
		return // a client that requests the Reading gets it anyway
	}
	a := &shown.Accuracy
	now := verified{seen: true, any: a.Last != nil, steps: a.Steps}
	for _, warning := range shown.Warnings {
		if now.scaled = warning.ID == phrase.Scaled.Name(); now.scaled {
			if !before.scaled {
				s.log.Info(warning.Text, "session", id)
			}
			break
		}
	}
	come := now.steps - before.steps
	if now.any && !before.any {
		come = max(come, 1)
	}
	news := before.seen && now.any && come > 0
	*before = now
	if !news {
		return
	}
	line := draw.StepLine(a.Last.Predicted, a.Last.Actual, a.Last.Error, a.Last.Percent, a.Ratio)
	if come > 1 {
		s.log.Info(line, "session", id, "requests", come)
	} else {
		s.log.Info(line, "session", id)
	}
}
