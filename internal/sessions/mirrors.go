// Copyright The ctx-lsp authors. MIT licence.

package sessions

import "github.com/ctx-lsp/ctx-lsp/internal/agents"

// withoutMirrors removes the mirrors that an agent writes of sessions that are found themselves.
func withoutMirrors(piles []pile) {
	type name struct{ agent, id string }
	mirrored := map[string]bool{} // the agents that have mirrors
	each := func(of *pile, do func(*agents.Candidate)) {
		for _, piece := range of.pieces {
			for i := range piece {
				do(&piece[i])
			}
		}
	}
	for i := range piles {
		if piles[i].n > 0 && piles[i].pieces[0][0].Mirror { // a location with mirrors contains nothing else
			mirrored[piles[i].pieces[0][0].Agent] = true
		}
	}
	if len(mirrored) == 0 {
		return
	}
	told := map[name]bool{}
	for i := range piles {
		each(&piles[i], func(c *agents.Candidate) {
			if !c.Mirror && mirrored[c.Agent] {
				told[name{c.Agent, c.ID}] = true
			}
		})
	}
	for i := range piles {
		if piles[i].n == 0 || !piles[i].pieces[0][0].Mirror {
			continue
		}
		var kept pile
		each(&piles[i], func(c *agents.Candidate) {
			if !told[name{c.Agent, c.ID}] {
				kept.add(*c)
			}
		})
		piles[i] = kept
	}
}
