// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// rows are the sizes of the conversation in the last measured prompt, by kind.
type rows struct {
	tokens [kinds]int64
	basis  [kinds]Basis
	items  [kinds]int64 // the number of items in each
	hidden [kinds]int64 // the part of tokens that was sent without a record
}

func (r *rows) walk(c *codec.Codec) {
	c.Array("tokens", r.tokens[:])
	c.Array("items", r.items[:])
	for k := range r.basis {
		codec.Below(c, "basis", &r.basis[k], bases)
	}
}

func (r *rows) add(item storedItem) {
	r.tokens[item.kind] += int64(item.tokens)
	r.basis[item.kind] = r.basis[item.kind].with(item.basis)
	r.items[item.kind]++
	r.hidden[item.kind] += item.hidden()
}

func (r *rows) remove(item storedItem) {
	r.tokens[item.kind] -= int64(item.tokens)
	r.items[item.kind]--
	r.hidden[item.kind] -= item.hidden()
}

// addReply adds the part of a reply that the next prompt carries.
func (r *rows) addReply(share *replyShare) {
	r.tokens[Assistant] += share.assistant
	r.tokens[ToolCalls] += share.calls
	r.tokens[Reasoning] += share.reasoning
	if share.assistant > 0 {
		r.basis[Assistant] = r.basis[Assistant].with(share.basis)
	}
	if share.calls > 0 {
		r.basis[ToolCalls] = r.basis[ToolCalls].with(share.basis)
	}
	if share.reasoning > 0 {
		r.basis[Reasoning] = r.basis[Reasoning].with(Measured)
	}
}

func (r *rows) removeReply(reply *replyRows) {
	r.tokens[Assistant] -= reply.assistant
	r.tokens[ToolCalls] -= reply.calls
	r.tokens[Reasoning] -= reply.reasoning
}

// addTokens adds tokens that are not those of a single item.
func (r *rows) addTokens(k Kind, tokens int64, basis Basis) {
	r.tokens[k] += tokens
	r.basis[k] = r.basis[k].with(basis)
}

// estimated returns the tokens that were estimated from text.
func (r *rows) estimated() int64 {
	sum := int64(0)
	for k, n := range r.tokens {
		if r.basis[k] == Estimated {
			sum += n
		}
	}
	return sum
}

func (r *rows) total() int64 {
	sum := int64(0)
	for _, n := range r.tokens {
		sum += n
	}
	return sum
}
