// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// metered decides which numbers include which, and adds up the prompt and the reply.
func (c *counts) metered(provider string) core.Metered {
	m := core.NewMetered()
	m.ByModality = c.modality
	m.Window = c.window
	m.Sum, m.ServerTools, m.Counted = c.sum, c.serverTools, c.counted
	m.SideRequest = c.aside
	m.CacheRead, m.CacheWrite, m.Reasoning = c.cacheRead, c.cacheWrite, c.reasoning
	m.KeptLong = orZero(c.keptLong)
	m.CacheLife = core.CacheLife(orZero(c.keptShort), m.KeptLong)
	m.Note = c.note

	apart, thoughtApart, gateway := c.reconcile(&m)
	m.In, m.Out = c.input, c.output
	if m.In != core.Unknown {
		if apart {
			m.In += orZero(c.cacheRead) + orZero(c.cacheWrite)
		}
		if gateway {
			m.In += orZero(c.extraIn)
		}
		if c.firstHop != core.Unknown && c.firstHop < m.In {
			m.In = c.firstHop
			m.ServerTools = true
			note(&m, phrase.FirstHop.Text())
		} else if c.tools > 0 {
			m.In += c.tools
			m.ServerTools = true
		}
		m.In = min(m.In, core.MaxTokens)
	}
	if m.Out != core.Unknown {
		if thoughtApart {
			m.Out += orZero(c.reasoning)
		}
		if gateway {
			m.Out += orZero(c.extraOut)
		}
		m.Out = min(m.Out, core.MaxTokens)
	}
	return m
}

func orZero(n int64) int64 {
	if n == core.Unknown {
		return 0
	}
	return n
}

func note(m *core.Metered, sentence core.Text) {
	if !m.Note.Empty() {
		sentence = phrase.Sentences.Text(m.Note.Arg(), sentence.Arg())
	}
	m.Note = sentence
}

// reconcile finds an interpretation that makes the numbers add up. It returns whether the cache is counted separately
// from the input, the reasoning separately from the output, and whether the gateway's tokens are to be added to both.
func (c *counts) reconcile(m *core.Metered) (cacheApart, thoughtApart, gateway bool) {
	cached := orZero(c.cacheRead) + orZero(c.cacheWrite)
	thought := orZero(c.reasoning)
	extra := orZero(c.extraIn) + orZero(c.extraOut)
	cacheApart, thoughtApart = c.cache == separate || c.cache == without, c.thought == separate || c.thought == without
	cacheOpen := (c.cache == inside || c.cache == separate) && cached > 0
	thoughtOpen := (c.thought == inside || c.thought == separate) && thought > 0
	usual := cacheApart
	usualThought := thoughtApart

	// A part cannot be larger than the number that includes it.
	cacheProven, thoughtProven := false, false
	if c.input != core.Unknown && cached > c.input {
		cacheApart, cacheProven = true, true
		if !usual {
			note(m, phrase.CacheWasBeside.Text())
		}
	}
	if c.output != core.Unknown && thought > c.output {
		thoughtApart, thoughtProven = true, true
		if !usualThought {
			note(m, phrase.ReasoningWasBeside.Text())
		}
	}
	if c.input == core.Unknown || c.output == core.Unknown || c.total == core.Unknown || c.total == 0 {
		m.Ambiguous = c.unclear && cacheOpen && !cacheProven
		return cacheApart, thoughtApart, false
	}

	// Try the usual interpretation, then the other possible ones, and then those that contradict the definition of the
	// shape.
	base := c.input + c.output + orZero(c.tools)
	sum := func(cache, think, gate bool) int64 {
		n := base
		if cache {
			n += cached
		}
		if think {
			n += thought
		}
		if gate {
			n += extra
		}
		return n
	}
	if sum(cacheApart, thoughtApart, false) == c.total {
		if c.unclear && cacheOpen && !cacheProven {
			m.Ambiguous = true
		}
		return cacheApart, thoughtApart, false
	}
	for _, defined := range []bool{false, true} {
		for try := 1; try < 8; try++ {
			cache, think, gate := cacheApart != (try&2 != 0), thoughtApart != (try&1 != 0), try&4 != 0
			switch {
			case cache != cacheApart && (cached == 0 || cacheProven || !cacheOpen && (!defined || cacheApart)),
				think != thoughtApart && (thought == 0 || thoughtProven || !thoughtOpen && !defined),
				gate && extra == 0, sum(cache, think, gate) != c.total:
				continue
			}
			if cache != cacheApart {
				note(m, side(cache, phrase.TotalCacheBeside, phrase.TotalCacheInside))
			}
			if think != thoughtApart {
				note(m, side(think, phrase.TotalReasoningBeside, phrase.TotalReasoningInside))
			}
			if gate {
				note(m, phrase.TotalGateway.Text())
			}
			return cache, think, gate
		}
	}
	if cacheApart && (cacheProven || c.cache == without) {
		// Many totals leave out cached tokens that are not part of the prompt's number.
		switch {
		case c.total == sum(false, thoughtApart, false), c.total == sum(false, false, false):
			return cacheApart, thoughtApart, false
		case !thoughtProven && c.total == sum(false, !thoughtApart, false):
			note(m, side(!thoughtApart, phrase.TotalReasoningBeside, phrase.TotalReasoningInside))
			return cacheApart, !thoughtApart, false
		}
	}
	m.Ambiguous = true
	note(m, phrase.NoSum.Text(phrase.Count(c.total), phrase.Count(sum(cacheApart, thoughtApart, false))))
	return cacheApart, thoughtApart, false
}

func side(apart bool, separate, inside phrase.ID) core.Text {
	if apart {
		return separate.Text()
	}
	return inside.Text()
}
