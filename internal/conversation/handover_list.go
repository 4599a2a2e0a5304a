// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"sort"
	"strconv"
	"strings"
)

// A list is a part of the note with a line for each entry. The search for the note's size shortens it many times.
type list struct {
	lines []string
	rest  string // a line that follows the entries; "" for none
	ends  []int  // for each number of lines, their length with the newlines between them
}

func newList(lines []string, rest string) *list {
	l := &list{lines: lines, rest: rest, ends: make([]int, len(lines)+1)}
	for i, line := range lines {
		l.ends[i+1] = l.ends[i] + len(line)
		if i > 0 {
			l.ends[i+1]++
		}
	}
	return l
}

// text returns as many lines as fit, and the number of the others; "" if not even one line fits.
func (l *list) text(room int) string {
	n := len(l.lines)
	if l.size(n) <= room {
		return l.shown(n)
	}
	// A further line is longer than the digit that the number of the others may lose.
	fit := sort.Search(n, func(shown int) bool { return l.size(shown) > room }) - 1
	if fit <= 0 {
		return ""
	}
	return l.shown(fit)
}

// size returns the length of shown.
func (l *list) size(shown int) int {
	size := l.ends[shown]
	for _, line := range l.below(shown) {
		if size > 0 {
			size++
		}
		size += len(line)
	}
	return size
}

// shown returns the first lines, followed by the number of the others.
func (l *list) shown(shown int) string {
	return strings.Join(append(append([]string(nil), l.lines[:shown]...), l.below(shown)...), "\n")
}

// below returns the lines that follow the entries shown.
func (l *list) below(shown int) []string {
	var lines []string
	if more := len(l.lines) - shown; more > 0 {
		lines = append(lines, "- and "+strconv.Itoa(more)+" more")
	}
	if l.rest != "" {
		lines = append(lines, l.rest)
	}
	return lines
}
