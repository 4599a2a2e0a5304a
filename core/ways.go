// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// Some providers count one prompt in two ways, and which one the next request
// gets is unknown. Nobody names the ways: a prompt is longer than predicted by
// several percent without text for it, and a later one is shorter by as much.
// From then on they are two upstreams, and each request is assigned to the one
// that it fits better.
type ways struct {
	// found is true if the upstreams are ways of counting that were found so.
	found bool
	// jump is the ratio of the last prompts that did not fit to their predictions,
	// in parts of upstreamUnit; 0 if all have fitted.
	jump int64
	// since is how many requests have fitted since the last jump.
	since int64
}

const (
	// waysLeast and waysMost bound a jump, as a share of the prompt.
	waysLeast = upstreamUnit / 25
	waysMost  = upstreamUnit / 5
	// waysFit is how far a request may be off that fits its prediction.
	waysFit = upstreamUnit / 50
	// waysReturn is after how many requests the return of a jump may come, and
	// waysEnd after how many without a jump the provider counts in one way again.
	waysReturn = 12
	waysEnd    = 30
	// waysTokens is the smallest jump in tokens: smaller ones have many causes.
	waysTokens = 500
)

// observe compares a measured prompt with its prediction, and reports whether
// it was counted in the other of two ways. before is its length in the way that
// counted the last prompt. A first jump is remembered only if nothing else
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
			u.learn(predicted, actual)
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

// otherWay returns how long a prompt is in the way that did not count the last one.
func (u *upstreams) otherWay(used int64) int64 {
	return mulDiv(used, u.list[2-u.now].density, u.list[u.now-1].density)
}

// forgetWays drops ways of counting that were found, because another model answers.
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

// unexplained reports whether only another way of counting can explain by how
// much a prompt was off: no tool of the provider, no reasoning, no change of
// tools, and no text whose estimate may be as wrong.
func (s *Session) unexplained(previous, r *request, p *prediction, m *Metered, kind string, off *[reasoningModes]int64) bool {
	const notMeasured = requestOverflow | requestStated | requestLowerBound | requestDoubtful | requestCut
	miss := r.in - p.used
	return previous != nil && !previous.has(notMeasured) && !previous.uncertain() && s.inflation.tokens == 0 &&
		(kind == "tool" || kind == "user") && !m.ServerTools && !m.Volatile && !s.changes.toolsChanged &&
		distance(miss, 0) > 2*p.estimated && !s.reasoningExplains(miss, previous, off)
}
