// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// ownPercent is the percentage that the agent itself has printed.
type ownPercent struct {
	AgentPercent
	known bool
}

func (p *ownPercent) walk(c *codec.Codec) {
	c.Ints("Hundredths", &p.Hundredths)
	c.Bools("known", &p.known)
	c.Texts("Label", &p.Label)
}

// readAgentOwn fills in the percentage that the agent prints: the recorded one, otherwise the one computed by its rule.
func (s *Session) readAgentOwn(limits Limits, out *Reading) {
	out.AgentOwn = nil
	if out.Mode == ProviderOnly && s.requests.restored {
		return
	}
	if s.agentOwn.known {
		out.storage.own, out.AgentOwn = s.agentOwn.AgentPercent, &out.storage.own
		return
	}
	if r := s.requests.measured(); r != nil && s.rule.Prints != nil {
		if n := s.rule.Prints(r.in, max(r.out, 0), limits); n != Unknown {
			out.storage.own, out.AgentOwn = AgentPercent{Hundredths: n, Label: s.rule.PrintsAs}, &out.storage.own
		}
	}
}
