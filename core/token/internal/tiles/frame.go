// Copyright The ctx-lsp authors. MIT licence.

package tiles

// Frame answers what is counted of a text that is a message of a user, from where its scan begins, and what the frame
// of the message costs. Its first and last characters have rules of their own, which do not apply inside a longer
// prompt.
func (t *Tiler) Frame(text []byte, normal func([]byte) []byte) (inside []byte, s Scan, tokens int64) {
	v := t.v
	blank := len(text) > 0 && text[0] == ' '
	tokens = v.frame
	if v.flags&LineTail != 0 {
		inside = normal(text)
		bare := trimmed(inside, "\n")
		tokens += t.lineTail(len(inside) - len(bare))
		inside = bare
	} else {
		inside = normal(trimmed(text, " \t\n\r\f\v"))
	}
	if v.flags&OpenFrame == 0 {
		return inside, s, tokens
	}
	if blank && len(inside) > 0 && inside[0] == ' ' && (len(inside) == 1 || inside[1] != ' ') {
		inside = inside[1:] // the begin mark of the frame is this blank
	}
	s.left = true
	if !t.takesMark(inside) {
		tokens += t.markBefore(inside)
	}
	return inside, s, tokens
}

// markBefore is what the begin mark of the frame costs before a text that takes none. It stands alone, or before an
// apostrophe as a blank. Numbers of several kinds take no mark together, but a piece may join it with the first of
// them.
func (t *Tiler) markBefore(text []byte) int64 {
	if len(text) == 0 || t.v.opens(text, 0, 1) {
		return 1
	}
	if class, _ := t.v.at(text, 0); !in(class, setOther|setDigits) {
		return 1
	}
	var s Scan
	t.Next(&s, text)
	piece := text[s.Begin:s.End]
	t.first = Seal(append(t.first[:0], piece...), s.Marks)
	apart := t.Count(t.first)
	t.first = Seal(append(t.first[:0], piece...), s.Marks|1)
	return t.Count(t.first) - apart
}

// takesMark tells whether the begin mark of the frame is a part of what the text begins with.
func (t *Tiler) takesMark(text []byte) bool {
	v := t.v
	if len(text) == 0 {
		return false
	}
	class, _ := v.at(text, 0)
	switch {
	case in(class, setSpaces):
		return class&kindOf == Blank
	case in(class, setWord), class&kindOf == Selector:
		return true
	case in(class, setOther|setDigits):
		var s Scan
		s.left = true
		t.Next(&s, text)
		return s.Marks&1 != 0
	}
	return false
}

// lineTail is what line breaks at the end of a message cost: the frame goes on with two of its own, and pays for one
// token.
func (t *Tiler) lineTail(n int) int64 {
	if n == 0 {
		return 0
	}
	lines := t.marked[:0]
	for range n + 2 {
		lines = append(lines, '\n')
	}
	t.marked = lines
	return t.Count(lines) - 1
}

// trimmed is a text without the characters of a set that it ends with.
func trimmed(text []byte, set string) []byte {
	for len(text) > 0 && has(set, text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

func has(set string, b byte) bool {
	for i := range len(set) {
		if set[i] == b {
			return true
		}
	}
	return false
}
