// Copyright The ctx-lsp authors. MIT licence.

package textfiles

import (
	"context"
	"fmt"
	"io"

	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/core/token/estimate"
)

// DefaultEncoding is the encoding of a text without a model.
const DefaultEncoding = "o200k_base"

// A Counter counts texts for one model, or in one encoding.
type Counter struct {
	Encoding string
	Limit    int64  // the limit of the model's window; 0 if unknown
	Basis    string // "counted" or "estimated"
	Doubt    string // why the count is an estimate although it uses the model's own vocabulary
	Force    bool   // whether binary files are counted too
	Message  bool   // whether a text is counted as a user's message
	// Verify, if set, is another tokenizer, for comparison.
	Verify func(text []byte) int64
	// Progress, if set, is called with the number of bytes of each part after it is counted.
	Progress func(bytes int64)

	tokenizer *token.Tokenizer
	weights   *estimate.Weights // nil if the model's tokenizer is public
}

// Vocabularies provide the tokenizers of a Counter.
type Vocabularies struct {
	Has  func(name string) bool
	Open func(encoding string) (*token.Tokenizer, error)
}

// NewCounter returns a Counter for a model, or for an encoding. Without either it uses [DefaultEncoding].
func (v Vocabularies) NewCounter(modelName, provider, encoding string) (*Counter, error) {
	c := &Counter{Encoding: encoding, Basis: "counted"}
	if modelName != "" {
		m, ok := model.Find(modelName, provider, "")
		if !ok {
			return nil, fmt.Errorf("unknown model %q; ctx-lsp models lists the known ones", modelName)
		}
		c.Limit = m.Limit()
		if c.Encoding = m.Encoding; c.Encoding == "" {
			if m.Family != "" && v.Has(m.Family) {
				c.Encoding = m.Family // the user has added the model's own vocabulary
				if m.Unchecked {
					c.Basis = "estimated"
					c.Doubt = "the vocabulary " + c.Encoding + " has not been compared with the provider's own counts for " + m.ID
				}
			} else {
				c.Encoding, c.Basis = DefaultEncoding, "estimated"
				c.weights = &m.Estimate.Read
			}
		}
	}
	if c.Encoding == "" {
		c.Encoding = DefaultEncoding
	}
	var err error
	c.tokenizer, err = v.Open(c.Encoding)
	return c, err
}

// Estimates reports whether the model's tokenizer is not public, so that comparing counts makes no sense.
func (c *Counter) Estimates() bool { return c.weights != nil }

// CountsMessages reports whether a text can be counted as a message.
func (c *Counter) CountsMessages() bool { return c.tokenizer.Messages() }

// AllowSpecial counts control strings, such as <|endoftext|>, as one token each.
func (c *Counter) AllowSpecial(allow bool) { c.tokenizer.AllowSpecial(allow) }

// Counted is the count of a text.
type Counted struct {
	Bytes, Tokens int64
	Verified      *int64 // the count of the other tokenizer, if any
}

// mostWhole is how many bytes a tokenizer can count in one piece in a reasonable time.
const mostWhole = 8 << 20

// Count counts the tokens of a text, a megabyte at a time.
func (c *Counter) Count(ctx context.Context, in io.Reader) (counted Counted, err error) {
	stream := c.tokenizer.NewStream()
	var features estimate.Features
	var whole []byte
	buffer := make([]byte, 1<<20)
	for first := true; ; first = false {
		n, err := io.ReadFull(in, buffer)
		part := buffer[:n]
		if first && !c.Force && IsBinary(part) {
			return counted, ErrBinary
		}
		counted.Bytes += int64(n)
		_, _ = stream.Write(part) // a stream accepts every text
		if c.weights != nil {
			features.Add(estimate.Measure(part))
		}
		if (c.Verify != nil || c.Message) && len(whole) <= mostWhole {
			whole = append(whole, part...)
		}
		if c.Progress != nil {
			c.Progress(int64(n))
		}
		if ctx.Err() != nil {
			return counted, ctx.Err()
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			return counted, err
		}
	}
	if counted.Tokens = stream.Tokens(); c.Message {
		if len(whole) > mostWhole {
			return counted, fmt.Errorf("it is larger than %d MB, the maximum for a message", mostWhole>>20)
		}
		counted.Tokens = c.tokenizer.CountMessage(whole)
	}
	if c.weights != nil {
		counted.Tokens = c.weights.Estimate(counted.Tokens, features)
	}
	if c.Verify != nil {
		if len(whole) > mostWhole {
			return counted, fmt.Errorf("it is larger than %d MB, the maximum for --verify", mostWhole>>20)
		}
		n := c.Verify(whole)
		counted.Verified = &n
	}
	return counted, nil
}
