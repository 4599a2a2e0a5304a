// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

const (
	requestPartial     = 1 << iota // a stream that has not ended
	requestOverflow                // a refusal: the prompt was measured, and there was no response
	requestStated                  // not measured: the size that was reported after a compaction
	requestInflated                // a provider-side tool added content to this prompt only
	requestPlaceholder             // out was recorded before its real value was known
	requestCut                     // part of its reply was removed
	requestLowerBound              // the prompt is at least this long
	requestDoubtful                // not measured by a provider, or with contradictory numbers
	requestRetried                 // sent again: the items of its response are those of an earlier attempt
	requestFollowed                // its usage came after its response was shown
	requestRemodeled               // another model or tokenizer counted the prompt before it: its length shows nothing
)

// request is the part of a measured prompt that a session keeps.
type request struct {
	id                                        uint64
	in, out, reasoning, cacheRead, cacheWrite int64
	keptLong                                  int64 // part of cacheWrite
	through                                   int   // items in the prompt
	turn                                      int64
	flags                                     uint16
	model                                     int // the one that measured it, as in remodels.last
	// ahead is set if its prompt contained items that have not been passed yet. unseen is their size, and unseenTurn the
	// same if the user's next message is among them.
	ahead              bool
	unseen, unseenTurn int64
	// reply is the part of rows that the reply to the previous request added.
	reply replyRows
	// surplus is the part of this prompt that was not predicted.
	surplus surplus
	// ownReasoning is the reasoning of its own reply, once the next prompt contains it.
	ownReasoning reasoningSum
}

// replyRows are the tokens of a reply by row.
type replyRows struct{ assistant, calls, reasoning int64 }

func (r *request) has(flag uint16) bool { return r.flags&flag != 0 }

// uncertain reports whether it is unknown how much the response adds to the next prompt.
func (r *request) uncertain() bool {
	return r.out == Unknown || r.has(requestPlaceholder|requestInflated)
}

// mark sets the flags according to a report of the request.
func (r *request) mark(m *Metered) {
	r.flags &^= requestPartial
	if m.Partial {
		r.flags |= requestPartial
	}
	if m.ServerTools {
		r.flags |= requestInflated
	}
	if m.doubtful() {
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

// doubtful reports whether the prompt's length is not a clear measurement: the agent counted it itself, or the usage is
// ambiguous.
func (m *Metered) doubtful() bool { return m.Own || m.Ambiguous }

// update applies a later report of the request.
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
	codec.Within(c, "flags", &r.flags, 0, 1<<11-1)
	codec.Within(c, "model", &r.model, 0, remodelsKept)
	c.Refuse(r.in < 0)
	exceeds := r.surplus != surplus{}
	c.Bools("exceeds ahead", &exceeds, &r.ahead)
	missing := r.unseen != 0 || r.unseenTurn != 0
	c.Bools("missing", &missing)
	if c.When(missing) {
		c.Ints("unseen unseenTurn", &r.unseen, &r.unseenTurn)
	}
	if c.When(exceeds) { // rare
		r.surplus.walk(c.Part("surplus"))
	}
}
