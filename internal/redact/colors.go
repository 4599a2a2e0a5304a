// Copyright The ctx-lsp authors. MIT licence.

package redact

import "strings"

// colors match the sequences that color a terminal's text, also where a text contains them as escapes.
var colors = compiled(`(?:\x1b|\\+(?:u001[bB]|x1[bB]|033|e))\[[0-9;:?]*[A-Za-z]|\x1b\([A-Z0-9]|\x1b\]8;[^\x1b\x07]*(?:\x1b\\|\x07)`)

// A plain is a line without colors, with the offset in the line of each of its bytes.
type plain struct {
	text string
	at   []int // nil if the line has no colors
}

// plainOf removes the colors of a line.
func plainOf(line string) plain {
	if !strings.ContainsAny(line, "\x1b\\") {
		return plain{text: line}
	}
	sequences := colors().FindAllStringIndex(line, -1)
	if len(sequences) == 0 {
		return plain{text: line}
	}
	p := plain{at: make([]int, 0, len(line)+1)}
	var text strings.Builder
	done := 0
	keep := func(to int) {
		text.WriteString(line[done:to])
		for ; done < to; done++ {
			p.at = append(p.at, done)
		}
	}
	for _, s := range sequences {
		keep(s[0])
		done = s[1]
	}
	keep(len(line))
	p.text = text.String()
	return p
}

// span returns the place in the line of a part of the text.
func (p *plain) span(s span) span {
	if p.at == nil {
		return s
	}
	return span{p.at[s.from], p.at[s.to-1] + 1}
}
