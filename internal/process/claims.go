// Copyright The ctx-lsp authors. MIT licence.

package process

import (
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Claims returns the agents' own records about their processes.
func Claims(e dirs.Environment) (claims []transcript.Claim) {
	for _, a := range agents.All() {
		if a.Claims == nil || !e.Allows(a.ID) {
			continue
		}
		a.Homes(e, func(home, _ string) {
			for _, claim := range a.Claims(home) {
				claim.Agent = a.ID
				claims = append(claims, claim)
			}
		})
	}
	return claims
}

// slack is how far apart the times of one event may be, because files, processes and records use different clocks.
const slack = 2 * time.Second

// launch is the maximum time between a program's start and its claim.
const launch = 2 * time.Minute

// madeBy reports whether a claim was made by this process, not by an earlier one with the same number.
func madeBy(c *transcript.Claim, p *Process) bool {
	if c.PID != p.PID {
		return false
	}
	if p.Started.IsZero() || c.Started.IsZero() {
		return p.Agent == c.Agent
	}
	if p.Started.After(c.Started.Add(slack)) {
		return false
	}
	return p.Agent == c.Agent || c.Started.Sub(p.Started) < launch
}
