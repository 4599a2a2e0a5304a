// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

const (
	requestPartial     = 1 << iota // a stream that has not ended
	requestOverflow                // a refusal: the prompt was measured, nothing was answered
	requestStated                  // not measured: what somebody says is left after compaction
	requestInflated                // a provider-side tool put content into this prompt only
	requestPlaceholder             // out was recorded before it was known
	requestCut                     // part of its reply was removed
	requestLowerBound              // the prompt is at least this long
	requestDoubtful                // nobody measured it, or its numbers contradict each other
)

// request is what is kept of one metered prompt.
type request struct {
	id                                        uint64
	in, out, reasoning, cacheRead, cacheWrite int64
	keptLong                                  int64 // of cacheWrite
	through                                   int   // items the prompt held
	turn                                      int64
	flags                                     uint8
	// ahead is true if its prompt contained items that had not been passed yet.
	ahead bool
	// reply is what the reply to the request before it added to rows.
	reply replyRows
	// surplus is what this prompt held beyond what was predicted.
	surplus surplus
	// ownReasoning is that of its own reply, once the next prompt holds it.
	ownReasoning reasoningSum
}

// replyRows are the tokens of a reply by row.
type replyRows struct{ assistant, calls, reasoning int64 }

func (r *request) has(flag uint8) bool { return r.flags&flag != 0 }

// uncertain is true of a request of which it is not known what its answer adds
// to the next prompt.
func (r *request) uncertain() bool {
	return r.out == Unknown || r.has(requestPlaceholder|requestInflated)
}

// mark sets the flags that a report of the request tells.
func (r *request) mark(m *Metered) {
	r.flags &^= requestPartial
	if m.Partial {
		r.flags |= requestPartial
	}
	if m.ServerTools {
		r.flags |= requestInflated
	}
	if m.Own || m.Ambiguous && !m.Uncounted {
		r.flags |= requestDoubtful
	} else {
		r.flags &^= requestDoubtful
	}
	if m.OutPlaceholder {
		r.flags |= requestPlaceholder
	} else {
		r.flags &^= requestPlaceholder
	}
}

// update adopts what a later report of the request says.
func (r *request) update(m *Metered) {
	if m.In > 0 {
		r.in = m.In
	}
	replaceKnown(&r.out, m.Out)
	replaceKnown(&r.reasoning, m.Reasoning)
	replaceKnown(&r.cacheRead, m.CacheRead)
	replaceKnown(&r.cacheWrite, m.CacheWrite)
	r.keptLong = max(r.keptLong, m.KeptLong)
	r.mark(m)
}

func (r *request) walk(c *codec.Codec) {
	c.Hash("id", &r.id)
	c.Ints("in out reasoning", &r.in, &r.out, &r.reasoning)
	c.Ints("cacheRead cacheWrite keptLong turn", &r.cacheRead, &r.cacheWrite, &r.keptLong, &r.turn)
	c.Ints("reply.assistant reply.calls reply.reasoning", &r.reply.assistant, &r.reply.calls, &r.reply.reasoning)
	c.Ints("ownReasoning.tokens ownReasoning.items", &r.ownReasoning.tokens, &r.ownReasoning.items)
	codec.Within(c, "through", &r.through, 0, MaxItems)
	codec.Within(c, "flags", &r.flags, 0, 255)
	c.Refuse(r.in < 0)
	exceeds := r.surplus != surplus{}
	c.Bools("exceeds ahead", &exceeds, &r.ahead)
	if c.When(exceeds) { // few do
		r.surplus.walk(c.Part("surplus"))
	}
}
