// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// copilotMeasures is the first version that records the provider's usage of every request.
const copilotMeasures = "1.0.102"

func (c *copilotCLI) measures() bool {
	return c.Version != "" && reader.ParseVersion(c.Version).AtLeast(copilotMeasures)
}

// copilotUsage contains the last usages that were recorded before their responses. It is not saved: without it, at most
// one more request is estimated.
type copilotUsage struct {
	last  copilotAnswer
	held  [4]core.Metered
	calls [4]uint64 // the call of each usage; 0 for none
	next  int
}

// A copilotAnswer is a response whose usage may follow.
type copilotAnswer struct {
	call      uint64 // 0 if the response did not name it
	from, end int    // its items
	sized     bool   // they have their own sizes
}

// used reads the usage of a request, with the size of its tools and its limits. It belongs to this conversation if the
// conversation has a response of the same call. Responses to requests that summarize the conversation, or name it, are
// not recorded there.
func (c *copilotCLI) used(u json.Value) {
	m := core.NewMetered()
	m.In, m.Out = reader.Count(u.Get("inputTokens")), reader.Count(u.Get("outputTokens"))
	m.CacheRead, m.CacheWrite = reader.Count(u.Get("cacheReadTokens")), reader.Count(u.Get("cacheWriteTokens"))
	m.Reasoning = reader.Count(u.Get("reasoningTokens"))
	if cached := max(reader.Sum(m.CacheRead, m.CacheWrite), 0); cached > m.In {
		m.In = reader.Sum(m.In, cached) // otherwise the input includes the cached part
	}
	if m.In <= 0 {
		return
	}
	call := reader.Hash(u.Get("apiCallId"))
	m.Request = reader.Short(u.Get("apiCallId"))
	m.Model = c.AnsweredBy(reader.Short(u.Get("model")), "github-copilot", c.route())
	if n := reader.Count(u.Get("maxPromptTokens")); n > 0 {
		limits := core.Limits{Window: core.Unknown, Input: n, Output: reader.Count(u.Get("maxOutputTokens"))}
		c.Emit(core.LimitsKnown{Limits: limits, Source: core.FromAgent})
	}
	c.toolSize(reader.Count(u.Get("toolTokenCount")))
	w := &c.usage
	if call == 0 {
		c.Emit(m)
		return
	}
	if a := &w.last; a.call == call {
		if c.Items != a.end { // more items have followed
			m.Through, m.ThroughSet = min(a.from, c.Items), true
			if a.sized {
				m.Out = core.Unknown
			}
		}
		c.Emit(m)
		return
	}
	w.held[w.next], w.calls[w.next] = m, call
	w.next = (w.next + 1) % len(w.held)
}

// measuredBefore emits the usage that was recorded before the response of this call, and reports whether there was one.
func (c *copilotCLI) measuredBefore(call uint64) (measured bool) {
	w := &c.usage
	for i, held := range w.calls {
		if call != 0 && held == call {
			m := w.held[i]
			m.Model.Route = c.route()
			m.Through, m.ThroughSet = c.Items, true
			w.calls[i] = 0
			c.Emit(m)
			measured = true
		}
	}
	return measured
}
