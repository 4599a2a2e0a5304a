// Copyright The ctx-lsp authors. MIT licence.

package provider

import "github.com/ctx-lsp/ctx-lsp/core"

// A pattern finds the numbers in a sentence. It is a literal text, compared without regard to case, with these special
// forms:
//
//	#        is a number, with or without thousands separators
//	~        is any text, at most maxGap bytes
//	{x}      is x or nothing
//	<x|y>    is x or y
//
// Core does not need a regular expression engine for this: matching takes time in proportion to the text.
type pattern string

// captures are the numbers matched by a pattern's #, in order; Unknown if too large.
type captures struct {
	n     int
	value [5]int64
}

// maxGap is the maximum number of bytes that ~ matches.
const maxGap = 512

// find reports whether the pattern matches anywhere in text, and sets c to its numbers.
func (p pattern) find(text []byte, c *captures) bool {
	if len(p) == 0 {
		return false
	}
	// Nearly every pattern begins with a literal byte, so most positions can be ruled out quickly.
	head := p[0]
	for at := 0; at < len(text); at++ {
		if head != '{' && head != '<' && head != '#' && lowered(text[at]) != lowered(head) {
			continue
		}
		c.n = 0
		if match(string(p), text, at, c) {
			return true
		}
	}
	return false
}

// match reports whether p matches text at an offset. It tries alternatives in order.
func match(p string, text []byte, at int, c *captures) bool {
	for len(p) > 0 {
		switch p[0] {
		case '#':
			value, end := numeral(text, at)
			if end == at {
				return false
			}
			if c.n < len(c.value) {
				c.value[c.n] = value
			}
			c.n++
			p, at = p[1:], end
		case '~':
			saved := c.n
			for end := at; end <= len(text) && end-at <= maxGap; end++ {
				c.n = saved
				if match(p[1:], text, end, c) {
					return true
				}
			}
			return false
		case '{':
			body, rest := group(p, '}')
			saved := *c
			if match(body+rest, text, at, c) {
				return true
			}
			*c = saved
			p = rest
		case '<':
			body, rest := group(p, '>')
			for {
				bar := 0
				for bar < len(body) && body[bar] != '|' {
					bar++
				}
				saved := *c
				if match(body[:bar]+rest, text, at, c) {
					return true
				}
				*c = saved
				if bar == len(body) {
					return false
				}
				body = body[bar+1:]
			}
		default:
			if at >= len(text) || lowered(text[at]) != lowered(p[0]) {
				return false
			}
			p, at = p[1:], at+1
		}
	}
	return true
}

// group returns the text in the brackets at the start of p, and the text after them.
func group(p string, closing byte) (body, rest string) {
	depth := 0
	for i := 0; ; i++ { // every bracket of a pattern is closed
		switch p[i] {
		case p[0]:
			depth++
		case closing:
			if depth--; depth == 0 {
				return p[1:i], p[i+1:]
			}
		}
	}
}

// numeral reads digits and the commas between them, and returns the number, Unknown if too large, and its end.
func numeral(text []byte, at int) (int64, int) {
	value, end := int64(0), at
	for end < len(text) {
		d := text[end]
		if d == ',' && end > at && end+1 < len(text) && text[end+1] >= '0' && text[end+1] <= '9' {
			end++
			continue
		}
		if d < '0' || d > '9' {
			break
		}
		if value <= core.MaxTokens {
			value = value*10 + int64(d-'0')
		}
		end++
	}
	if value > core.MaxTokens {
		value = core.Unknown
	}
	return value, end
}

func lowered(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}
