// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// copilotMeasures is the version since which the provider's usage of every
// request is on record.
const copilotMeasures = "1.0.102"

func (c *copilotCLI) measures() bool {
	return c.version != "" && parseVersion(c.version).since(copilotMeasures)
}

// copilotUsage has the usages whose answers have not come, the last ones, and
// the call that the last answer was of. It is not saved: at worst one request
// more is estimated.
type copilotUsage struct {
	answered uint64 // 0 where nobody said
	held     [4]core.Metered
	calls    [4]uint64 // those that the held ones are of, 0 for none
	next     int
}

// used is the usage of a request, with what its tools and its limits were. It
// belongs to this conversation if an answer in it is of the same call: a
// request that sums up or names the conversation has no answer in it.
func (c *copilotCLI) used(u json.Value) {
	m := core.NewMetered()
	m.In, m.Out = count(u.Get("inputTokens")), count(u.Get("outputTokens"))
	m.CacheRead, m.CacheWrite = count(u.Get("cacheReadTokens")), count(u.Get("cacheWriteTokens"))
	if cached := max(sum(m.CacheRead, m.CacheWrite), 0); cached > m.In {
		m.In = sum(m.In, cached) // else it is part of the input
	}
	if m.In <= 0 {
		return
	}
	call := hash(u.Get("apiCallId"))
	m.Request = short(u.Get("apiCallId"))
	m.Model = c.answered(short(u.Get("model")), "github-copilot", "copilot")
	if n := count(u.Get("maxPromptTokens")); n > 0 {
		limits := core.Limits{Window: core.Unknown, Input: n, Output: count(u.Get("maxOutputTokens"))}
		c.emit(core.LimitsKnown{Limits: limits, Source: core.FromAgent})
	}
	if n := count(u.Get("toolTokenCount")); n > 0 {
		parts := []core.PrefixPart{{Part: core.Part{Label: "Tools", Tokens: n}}}
		c.tell(core.FromRecord, core.Tools, parts)
	}
	w := &c.usage
	if call == 0 || w.answered == call {
		c.emit(m)
		return
	}
	w.held[w.next], w.calls[w.next] = m, call
	w.next = (w.next + 1) % len(w.held)
}

// measuredBefore hands on a usage that came before its answer.
func (c *copilotCLI) measuredBefore(call uint64) {
	w := &c.usage
	w.answered = call
	for i, held := range w.calls {
		if call != 0 && held == call {
			m := w.held[i]
			m.Through, m.ThroughSet = c.items, true
			w.calls[i] = 0
			c.emit(m)
		}
	}
}
