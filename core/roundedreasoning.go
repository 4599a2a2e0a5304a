// Copyright The ctx-lsp authors. MIT licence.

package core

// Copilot reports the reasoning of some models in multiples of 64, rounded down, so that the rest of a response seems
// longer than it is, by up to 63 tokens. Its text shows the real length.
const (
	reasoningStep = 64
	// roundedLeast is how many responses with reasoning prove the rounding.
	roundedLeast = 2
	// callOverEstimate is by how much a call that Copilot passes on to OpenAI falls short of the estimate from its
	// text.
	callOverEstimate = 8
)

// unrounded returns the part of carry without the rounding of the reasoning, estimated from the response's text; known
// is false if the reasoning was not rounded.
func (s *Session) unrounded(r *request, p *pending, carry int64) (tokens int64, known bool) {
	fromItems := p.reply[Assistant] + p.reply[ToolCalls]
	if s.Provider != "github-copilot" || fromItems == 0 || carry <= 0 || !s.roundsReasoning(r) {
		return carry, false
	}
	calls := p.replyItems - p.replyReasoningItems
	if p.reply[Assistant] > 0 {
		calls--
	}
	fromItems -= callOverEstimate * int64(max(calls, 0))
	return min(max(fromItems, carry-reasoningStep+1, 0), carry), true
}

// roundsReasoning reports whether the reasoning of this response and of earlier ones is always a multiple of
// reasoningStep.
func (s *Session) roundsReasoning(r *request) bool {
	if r.reasoning <= 0 {
		return false
	}
	rounded := 0
	for i := len(s.requests.list) - 1; i >= 0 && rounded < 4*roundedLeast; i-- {
		switch n := s.requests.list[i].reasoning; {
		case n <= 0:
		case n%reasoningStep != 0:
			return false
		default:
			rounded++
		}
	}
	return rounded >= roundedLeast
}
