// Copyright The ctx-lsp authors. MIT licence.

package core

// callBlockError is by how much the count of a response's texts and calls may differ from its measured length.
const callBlockError = 10

// repeatedBlocks returns the tokens of a response that the next prompt omits because it has all calls in one block. A
// response with several blocks is longer than its texts and calls by a constant for each further block. 0 means that it
// has one block, or that this cannot be known: reasoning whose length is not measured would look the same. In
// newer sessions counted with Claude's vocabularies, the errors' 95th percentile is 62 tokens without it, 53 with it.
func (s *Session) repeatedBlocks(r *request, p *pending) int64 {
	block := s.resolved.Meter.CallBlock()
	if block == 0 || p.reply[ToolCalls] == 0 || p.replyReasoningItems > 0 || r.reasoning > 0 || r.has(requestPlaceholder|requestDoubtful) {
		return 0
	}
	excess := r.out - p.replyTotal()
	n := (excess + callBlockError) / block
	if n <= 0 || n > int64(p.replyItems) || distance(excess, n*block) > callBlockError {
		return 0
	}
	return n * block
}
