// Copyright The ctx-lsp authors. MIT licence.

package process

import (
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Claims reads what agents write about their processes.
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

// slack is how far apart two clocks may date one event: the clocks of a file, a process and a record.
const slack = 2 * time.Second

// launch is how long a program may take from its start until it writes its claim.
const launch = 2 * time.Minute

// isOf reports whether a claim was made by this process, and not by an ended one that had the same number.
func isOf(c *transcript.Claim, p *Process) bool {
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
