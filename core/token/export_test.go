// Copyright The ctx-lsp authors. MIT licence.

package token

// Apart exports apart for tests with vocabularies made by package vocabulary.
func (t *Tokenizer) Apart(left, right []byte) bool { return t.apart(left, right) }

// Uncounted returns the number of bytes that the next call of Tokens counts.
func (c *Counter) Uncounted() int {
	n := 0
	for _, b := range c.blocks {
		if !b.known {
			n += len(b.text)
		}
	}
	return n
}

// Blocks returns the number of blocks.
func (c *Counter) Blocks() int { return len(c.blocks) }

// BlockBytes exports blockBytes.
const BlockBytes = blockBytes

// Held returns how much memory the stream has for text that is not counted yet.
func (s *Stream) Held() int { return cap(s.buffer) }
