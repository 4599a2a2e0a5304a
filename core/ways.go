// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// Some providers count the same prompt in two ways, and it is unknown which one the next request gets. The ways have no
// names: a prompt is several percent longer than predicted without text for it, and a later one is shorter by as much.
// From then on they are two upstreams, and each request is assigned to the one that it fits better.
type ways struct {
	// found is set if the upstreams are ways of counting that were detected like this.
	found bool
	// jump is the ratio of the last prompts that did not fit their predictions to those predictions, in parts of
	// upstreamUnit; 0 if all have fitted.
	jump int64
	// since is how many requests have fitted since the last jump.
	since int64
}

const (
	// waysLeast and waysMost bound a jump, as a share of the prompt.
	waysLeast = upstreamUnit / 25
	waysMost  = upstreamUnit / 5
	// waysFit is how far off a request may be that fits its prediction.
	waysFit = upstreamUnit / 50
	// waysReturn is the number of requests within which a jump must be reversed, and waysEnd the number of requests
	// without a jump after which the provider counts in one way again.
	waysReturn = 12
	waysEnd    = 30
	// waysTokens is the smallest jump in tokens: smaller ones have many causes.
	waysTokens = 500
)

// observe compares a measured prompt with its prediction, and reports whether it was counted in the other of two ways.
// before is its length in the way that counted the previous prompt. A first jump is stored only if nothing else
// explains it.
func (u *upstreams) observe(predicted, actual int64, unexplained bool) (before int64, flipped bool) {
	if predicted <= 0 || actual <= 0 || len(u.list) > 0 && !u.ways.found {
		return actual, false
	}
	w := &u.ways
	w.since++
	if w.found {
		other := u.otherWay(predicted)
		if distance(actual, other) < distance(actual, predicted) && distance(actual, other) < distance(other, predicted) {
			before = mulDiv(actual, predicted, other)
			u.from, u.now, w.since = u.now, 3-u.now, 0
			u.updateDensity(predicted, actual)
			return before, true
		}
		if w.since >= waysEnd {
			*u = upstreams{}
		}
		return actual, false
	}
	ratio := mulDiv(upstreamUnit, actual, predicted)
	size := distance(ratio, upstreamUnit)
	if size <= waysFit {
		if w.since > waysReturn {
			*w = ways{}
		}
		return actual, false
	}
	first := w.jump
	*w = ways{}
	if size < waysLeast || size > waysMost || distance(actual, predicted) < waysTokens || !unexplained {
		return actual, false
	}
	if w.jump = ratio; first > 0 {
		w.jump = mulDiv(first, ratio, upstreamUnit)
	}
	if first == 0 || distance(w.jump, upstreamUnit)*2 > min(size, distance(first, upstreamUnit)) {
		return actual, false
	}
	u.list = []upstream{{density: upstreamUnit}, {provider: 1, density: first}}
	u.now, *w = 1, ways{found: true}
	return mulDiv(actual, first, upstreamUnit), true
}

// otherWay returns a prompt's length in the way that did not count the last prompt.
func (u *upstreams) otherWay(used int64) int64 {
	return mulDiv(used, u.list[2-u.now].density, u.list[u.now-1].density)
}

// forgetWays drops detected ways of counting, because another model answers.
func (u *upstreams) forgetWays() {
	if u.ways.found {
		*u = upstreams{}
	}
	u.ways = ways{}
}

func (w *ways) walk(c *codec.Codec) {
	c.Bools("found", &w.found)
	codec.Within(c, "jump", &w.jump, 0, 2*upstreamUnit)
	c.Ints("since", &w.since)
	c.Refuse(w.since < 0)
}

// unexplained reports whether only another way of counting can explain an error: there is no provider-side tool, no
// reasoning, no change of tools, and no text with an estimate that may be as wrong.
func (s *Session) unexplained(o *outcome) bool {
	const notMeasured = requestOverflow | requestStated | requestLowerBound | requestDoubtful | requestCut
	return o.previous != nil && !o.previous.has(notMeasured) && !o.previous.uncertain() && s.inflation.tokens == 0 &&
		(o.kind == "tool" || o.kind == "user") && !o.m.ServerTools && !o.m.Volatile && !s.changes.toolsChanged &&
		distance(o.r.in, o.p.used) > 2*o.p.unscaled && !s.reasoningExplains(o)
}
