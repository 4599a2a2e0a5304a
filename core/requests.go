// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

const (
	// requestsKept bounds how far back a rewind finds a measured prompt.
	requestsKept = 4096
	// requestsSearched is how many of the last requests are looked through for
	// one that is reported again.
	requestsSearched = 64
)

// requests are the metered prompts of the conversation since the last
// compaction, the last of which is the anchor: used is computed from it.
type requests struct {
	list []request
	// restored is true from a restore until the next request.
	restored bool
	// refusedAt is how much was used if the provider refused the last prompt;
	// Unknown after one that it accepted.
	refusedAt int64
	// remodeled is true if the model has changed since the last request.
	remodeled bool
}

// anchor is the request that used is computed from, nil without one.
func (q *requests) anchor() *request {
	if len(q.list) == 0 {
		return nil
	}
	return &q.list[len(q.list)-1]
}

// measured is the last request that a provider measured and answered.
func (q *requests) measured() *request {
	for i := len(q.list) - 1; i >= 0; i-- {
		if r := &q.list[i]; !r.has(requestOverflow | requestStated) {
			return r
		}
	}
	return nil
}

// shown is the request that a Reading tells of: the last one measured, or a
// refused one whose size the refusal names, because used is computed from it.
func (q *requests) shown() *request {
	if r := q.anchor(); r != nil && r.has(requestOverflow) {
		return r
	}
	return q.measured()
}

// certain is like shown, passing over requests whose usage may be read in
// several ways.
func (q *requests) certain() *request {
	if r := q.anchor(); r != nil && r.has(requestOverflow) {
		return r
	}
	for i := len(q.list) - 1; i >= 0; i-- {
		if r := &q.list[i]; !r.has(requestOverflow | requestStated | requestDoubtful) {
			return r
		}
	}
	return nil
}

// find is the index of a request that was reported before, -1 without one.
func (q *requests) find(id uint64) int {
	for i := len(q.list) - 1; i >= 0 && i >= len(q.list)-requestsSearched; i-- {
		if q.list[i].id == id {
			return i
		}
	}
	return -1
}

// add makes a request the anchor. It returns how many of the oldest had to be
// forgotten for it.
func (q *requests) add(r request) (forgotten int) {
	if len(q.list) >= requestsKept {
		forgotten = requestsKept / 2
		q.list = append(q.list[:0], q.list[forgotten:]...)
	}
	q.list = append(q.list, r)
	return forgotten
}

// reasoningBefore is the reasoning of the anchor's turn in the requests before
// the anchor.
func (q *requests) reasoningBefore() (sum reasoningSum) {
	last := len(q.list) - 1
	for i := last - 1; i >= 0 && q.list[i].turn == q.list[last].turn; i-- {
		sum.add(q.list[i].ownReasoning)
	}
	return sum
}

// end marks a request as complete, even if its last usage is refused.
func (q *requests) end(name string) {
	if name == "" {
		return
	}
	if i := q.find(hash(name)); i >= 0 {
		q.list[i].flags &^= requestPartial
	}
}

// refuses reports whether the provider refused a prompt of at most this size.
func (q *requests) refuses(used int64) bool { return q.refusedAt != Unknown && used >= q.refusedAt }

func (q *requests) walk(c *codec.Codec) {
	codec.List(c, "list", &q.list, requestsKept, (*request).walk)
	c.Ints("refusedAt", &q.refusedAt)
	c.Bools("remodeled", &q.remodeled)
	c.Refuse(q.refusedAt < Unknown)
}

// anchor is the request that used is computed from, nil without one.
func (s *Session) anchor() *request { return s.requests.anchor() }

// anchorAt makes a request the one that used is computed from.
func (s *Session) anchorAt(r request) {
	if n := s.requests.add(r); n > 0 {
		s.conversation.forgetOldest(n)
		s.fixed.forgetOldest(n)
	}
	s.conversation.replyOver, s.requests.remodeled = false, false
	s.changes.forget()
	s.fixed.setMeasured(len(s.requests.list)-1, s.resolved.Meter.Density())
}
