// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"math/rand/v2"
	"testing"
)

// A wholeHost sends its whole conversation each time. Usage comes before the messages of its prompt, or after those
// that follow its response.
type wholeHost struct {
	events
	s      *Session
	prompt int64      // what the conversation really has
	unsent []Appended // messages that the session does not have yet
	late   []Metered  // usage that the session does not have yet
	list   []Event    // what was applied in this step
}

func (h *wholeHost) apply(e Event) {
	h.s.Apply(e)
	h.list = append(h.list, e)
}

// flush sends the messages.
func (h *wholeHost) flush() {
	if len(h.unsent) == 0 {
		return
	}
	h.apply(Synced{Items: h.unsent})
	for _, e := range h.unsent {
		h.apply(e)
	}
	h.unsent = nil
}

func (h *wholeHost) report() {
	for _, m := range h.late {
		h.apply(m)
	}
	h.late = nil
}

func (h *wholeHost) message(k Kind, tokens int64) {
	h.unsent = append(h.unsent, Appended{Item{Kind: k, Tokens: tokens}})
	h.prompt += tokens + h.Int64N(3)
}

// request makes a request, whose usage the session gets now or later.
func (h *wholeHost) request() {
	if !h.once(4) {
		h.flush()
	}
	m := measured(h.prompt, 1+h.Int64N(400))
	thought := int64(0)
	if h.once(3) {
		thought = h.Int64N(100)
		m.Out += thought
		m.Reasoning = thought
	}
	h.late = append(h.late, m)
	if h.once(3) {
		h.report()
	}
	if thought > 0 && h.once(2) {
		h.unsent = append(h.unsent, Appended{Item{Kind: Reasoning, Tokens: thought}})
	}
	said := m.Out - thought
	if said > 30 && h.once(2) {
		h.message(Assistant, said-30)
		said = 30
	}
	h.message([]Kind{Assistant, ToolCalls}[h.IntN(2)], said)
	if h.once(2) {
		h.flush()
	}
	if h.once(2) {
		h.report()
	}
}

func (h *wholeHost) step() []Event {
	h.list = nil
	if h.once(3) {
		h.apply(TurnStarted{})
	}
	h.message(User, 5+h.Int64N(500))
	h.request()
	for range h.IntN(4) {
		for range 1 + h.IntN(2) {
			h.message(ToolResults, h.Int64N(1500))
		}
		h.request()
	}
	if h.once(3) {
		h.apply(TurnEnded{})
	}
	h.flush()
	if !h.once(4) {
		h.report()
	}
	if h.once(12) && h.s.Len() > 4 {
		h.apply(Truncated{h.s.Len() - h.IntN(4)})
	}
	return h.list
}

// TestWholeConversationsShowWhatIsRecorded compares random sessions of hosts that send their whole conversation with
// recorded digests, like TestSessionsShowWhatIsRecorded. Every third one is joined late.
func TestWholeConversationsShowWhatIsRecorded(t *testing.T) {
	compareSessions(t, "testdata/whole.sum", 120, 15, func(round int) (s *Session, next func() any) {
		r := events{Rand: rand.New(rand.NewPCG(10, uint64(round)))}
		s = New(Identity{ID: "a", Model: []string{"one", "two", "three"}[r.IntN(3)]}, many{20_000 + 5000*r.Int64N(5)})
		s.Recording = true
		h := &wholeHost{events: r, s: s, prompt: r.Int64N(4000)}
		if round%3 == 0 {
			for range 1 + r.IntN(4) {
				h.message(User, r.Int64N(300))
				h.message(Assistant, r.Int64N(300))
			}
			h.message(User, r.Int64N(300))
		}
		return s, func() any { return h.step() }
	})
}
