// Copyright The ctx-lsp authors. MIT licence.

package tiles

// Frame prepares a text that is a single user message. It returns the text to count, the initial state of its scan
// and the cost of the message's frame. Special rules apply to the first and last characters, but not inside a
// longer prompt.
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
		inside = inside[1:] // the begin mark of the frame replaces this blank
	}
	s.left = true
	if !t.takesMark(inside) {
		tokens += t.markBefore(inside)
	}
	return inside, s, tokens
}

// markBefore returns the cost of the frame's begin mark before a text that does not include it. The mark is separate,
// or acts as a blank before an apostrophe. Numbers of several kinds take no mark together, but a piece may join it with
// the first of them.
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

// takesMark reports whether the first piece of a text includes the begin mark of the frame.
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

// lineTail returns the cost of n line breaks at the end of a message. The frame continues with two line breaks, for one
// token that is already counted.
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

// trimmed returns the text without trailing characters of a set.
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
