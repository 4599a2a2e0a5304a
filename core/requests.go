// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
)

const (
	// requestsKept bounds how far back a rewind can find a measured prompt.
	requestsKept = 4096
	// requestsSearched is how many of the last requests are searched for one that is reported again.
	requestsSearched = 64
)

// requests are the measured prompts of the conversation since the last compaction. The last one is the anchor: used is
// computed from it.
type requests struct {
	list []request
	// restored is true from a restore until the next request.
	restored bool
	// refusedAt is how much was used if the provider refused the last prompt; Unknown after one that it accepted.
	refusedAt int64
	// remodeled is true if the model has changed since the last request.
	remodeled bool
	// numbered counts the requests that got an ID, because their usage had none.
	numbered int64
}

// NumberRequest returns a number that no request of the session had, not even before a restore.
func (s *Session) NumberRequest() int64 {
	s.requests.numbered++
	return s.requests.numbered
}

// anchor returns the request that used is computed from, or nil if there is none.
func (q *requests) anchor() *request {
	if len(q.list) == 0 {
		return nil
	}
	return &q.list[len(q.list)-1]
}

// measured returns the last request that a provider measured and answered, or nil if there is none.
func (q *requests) measured() *request {
	for i := len(q.list) - 1; i >= 0; i-- {
		if r := &q.list[i]; !r.has(requestOverflow | requestStated) {
			return r
		}
	}
	return nil
}

// shown returns the request that a Reading describes: the last one measured, or a refused one if the refusal gives its
// size, because used is computed from it. It returns nil if there is none.
func (q *requests) shown() *request {
	if r := q.anchor(); r != nil && r.has(requestOverflow) {
		return r
	}
	return q.measured()
}

// trusted is like shown, but skips requests whose size is doubtful.
func (q *requests) trusted() *request {
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

// replyAfter returns what the reply to an earlier prompt of this size added to the next one; 0 if there is none.
func (q *requests) replyAfter(in int64) int64 {
	for i := len(q.list) - 2; i >= 0; i-- {
		if q.list[i].in == in {
			reply := &q.list[i+1].reply
			return reply.assistant + reply.calls + reply.reasoning
		}
	}
	return 0
}

// find returns the index of a request that was reported before, or -1 if there is none.
func (q *requests) find(id uint64) int {
	for i := len(q.list) - 1; i >= 0 && i >= len(q.list)-requestsSearched; i-- {
		if q.list[i].id == id {
			return i
		}
	}
	return -1
}

// add makes a request the anchor. It returns how many of the oldest requests it had to drop.
func (q *requests) add(r request) (forgotten int) {
	if len(q.list) >= requestsKept {
		forgotten = requestsKept / 2
		q.list = append(q.list[:0], q.list[forgotten:]...)
	}
	q.list = append(q.list, r)
	return forgotten
}

// reasoningBefore returns the reasoning of the anchor's turn in earlier requests.
func (q *requests) reasoningBefore() (sum reasoningSum) {
	last := len(q.list) - 1
	for i := last - 1; i >= 0 && q.list[i].turn == q.list[last].turn; i-- {
		sum.add(q.list[i].ownReasoning)
	}
	return sum
}

// end marks a request as complete, even if its last usage is rejected.
func (q *requests) end(name string) {
	if name == "" {
		return
	}
	if i := q.find(fnv.Hash(name)); i >= 0 {
		q.list[i].flags &^= requestPartial
	}
}

// refuses reports whether the provider refused a prompt of at most this size.
func (q *requests) refuses(used int64) bool { return q.refusedAt != Unknown && used >= q.refusedAt }

func (q *requests) walk(c *codec.Codec) {
	codec.List(c, "list", &q.list, requestsKept, (*request).walk)
	c.Ints("refusedAt numbered", &q.refusedAt, &q.numbered)
	c.Bools("remodeled", &q.remodeled)
	c.Refuse(q.refusedAt < Unknown)
}

// anchor returns the request that used is computed from, or nil if there is none.
func (s *Session) anchor() *request { return s.requests.anchor() }

// anchorAt makes r the request that used is computed from.
func (s *Session) anchorAt(r request) {
	if n := s.requests.add(r); n > 0 {
		s.conversation.forgetOldest(n)
		s.fixed.forgetOldest(n)
	}
	s.conversation.replyOver, s.requests.remodeled = false, false
	s.files.measured, s.files.tools = max(s.now, 0), 0
	s.changes.forget()
	s.unexplained.measured = true
	s.fixed.setMeasured(len(s.requests.list)-1, s.resolved.Meter.Density())
}
