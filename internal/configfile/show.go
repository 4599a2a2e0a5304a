// Copyright The ctx-lsp authors. MIT licence.

package configfile

import (
	"bytes"
	"slices"
	"strings"
)

// A Line is a line that a change removes (-) or adds (+).
type Line struct {
	Sign   byte
	Number int // the line number in the file before or after the change
	Text   string
}

// Lines returns the changed lines and nothing else, because other lines of a settings file may contain secrets. A long
// line is shortened to the changed part.
func Lines(text []byte, changes []Change) []Line {
	changes = slices.Clone(changes)
	slices.SortFunc(changes, func(a, b Change) int { return a.From - b.From })
	var lines []Line
	for from := 0; from < len(changes); {
		// Changes that share a line are shown together.
		begin, end := lineStart(text, changes[from].From), lineEnd(text, changes[from].To)
		to := from + 1
		for to < len(changes) && changes[to].From <= end {
			end = lineEnd(text, changes[to].To)
			to++
		}
		var moved []Change
		for _, c := range changes[from:to] {
			moved = append(moved, Change{c.From - begin, c.To - begin, c.Text})
		}
		before := string(text[begin:end])
		after := string(Apply([]byte(before), moved))
		number := 1 + bytes.Count(text[:begin], []byte("\n"))
		grown := bytes.Count(Apply(text[:end], changes[:from]), []byte("\n")) - bytes.Count(text[:end], []byte("\n"))
		lines = append(lines, differing(before, after, number, number+grown)...)
		from = to
	}
	return lines
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

// differing returns the lines of two blocks without their common first and last lines.
func differing(before, after string, numberBefore, numberAfter int) []Line {
	a, b := linesOf(before), linesOf(after)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
		numberBefore++
		numberAfter++
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 1 && len(b) == 1 {
		a[0], b[0] = around(a[0], b[0])
	}
	var lines []Line
	for i, text := range a {
		lines = append(lines, Line{'-', numberBefore + i, text})
	}
	for i, text := range b {
		lines = append(lines, Line{'+', numberAfter + i, text})
	}
	return lines
}

// linesOf splits a block into lines; an empty block has none.
func linesOf(block string) []string {
	if strings.TrimSpace(block) == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(block, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// context is how many bytes of a line are shown around a change.
const context = 24

// around cuts two lines to the parts that differ, with some context.
func around(a, b string) (string, string) {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	tail := 0
	for tail < len(a)-same && tail < len(b)-same && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	cut := func(line string) string {
		from, to := max(0, same-context), min(len(line), len(line)-tail+context)
		text := strings.ToValidUTF8(line[from:to], "")
		if from > 0 {
			text = "…" + text
		}
		if to < len(line) {
			text += "…"
		}
		return text
	}
	return cut(a), cut(b)
}
