// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strconv"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// outputMost is how many tokens, of four bytes each, Codex sends of a call's output: 10,000, and a fifth for the text
// around it. It cuts a longer output in the middle. Most tools cut their outputs before they are recorded; wait has its
// own limit and does not, so that the record is longer than the text that is sent.
const outputMost = 12_000

// sent appends the texts of an output as they are sent.
func (c *codex) sent(output json.Value) []byte {
	text, left, omitted := c.Scratch[:0], outputMost, 0
	add := func(v json.Value) {
		from := len(text)
		text = v.AppendText(text)
		switch cost := (len(text) - from + 3) / 4; {
		case cost == 0:
		case left == 0:
			text = text[:from]
			omitted++
		case cost <= left:
			left -= cost
		default:
			text = cutMiddle(text, from, left)
			left = 0
		}
	}
	if output.Kind() == json.String {
		add(output)
	}
	for e := output.Elements(); e.Next(); {
		add(e.Value.Get("text"))
	}
	if omitted > 0 {
		text = append(text, "[omitted "+strconv.Itoa(omitted)+" text items ...]"...)
	}
	c.Scratch = text
	return text
}

// cutMiddle shortens the text after an offset to the given number of tokens: half of them from its beginning, half from
// its end.
func cutMiddle(text []byte, from, tokens int) []byte {
	head, tail := from+tokens*2, len(text)-tokens*2
	for head > from && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	note := "…" + strconv.Itoa((tail-head+3)/4) + " tokens truncated…"
	end := append([]byte(note), text[tail:]...)
	return append(text[:head], end...)
}
