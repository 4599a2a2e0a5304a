// Copyright The ctx-lsp authors. MIT licence.

package sight

import "strings"

// A line is the state of one line of the disk.
type line struct {
	state    State
	by       origin
	any      bool // by is set
	inferred bool
}

// viewer compares a model with the lines on disk.
type viewer struct {
	s     *Session
	m     *model
	disk  []string
	lines []line
}

// compare returns the state of each line.
func (s *Session) compare(path string, disk []string) []line {
	m := s.model(path)
	v := &viewer{s: s, m: m, disk: disk, lines: make([]line, len(disk))}
	for i := range v.lines {
		v.lines[i].state = Never
	}
	ids := newIdentifiers()
	there, lineOf := tokensOf(disk, ids, 1)
	known, cellOf := m.tokens(ids)
	found := align(known, there, m.begins, m.ends)
	lineAt := make([]int, len(known)) // the line of each token, -1 if it is not on disk
	for n, k := range found {
		if lineAt[n] = -1; k >= 0 {
			lineAt[n] = lineOf[k]
			v.shown(lineOf[k], &m.cells[cellOf[n]])
		}
	}
	for n := range known {
		if c := &m.cells[cellOf[n]]; c.trimmed && lineAt[n] < 0 {
			lineAt[n] = v.untrimmed(c, n, known, lineAt)
		}
	}
	v.changed(known, cellOf, lineAt)
	v.place(m.placeless)
	v.infer(path)
	v.blanks()
	return v.lines
}

// untrimmed returns the line of a cell that has lost whitespace at its beginning: the one before the next cell's. It
// returns -1 if that is another line.
func (v *viewer) untrimmed(c *cell, n int, known []token, lineAt []int) int {
	at := c.number - 1
	if n+1 < len(known) && known[n+1].joined {
		if lineAt[n+1] < 0 {
			return -1
		}
		for at = lineAt[n+1] - 1; at >= 0 && blank(v.disk[at]); at-- {
		}
	}
	if at < 0 || at >= len(v.disk) || strings.TrimLeft(v.disk[at], " \t") != c.text || n > 0 && lineAt[n-1] >= at {
		return -1
	}
	v.shown(at, c)
	return at
}

// shown sets the state of a line that a cell has as it is on disk.
func (v *viewer) shown(at int, c *cell) {
	if by, ok := v.s.first(c.by, func(o origin) bool { return !o.wrote }); ok {
		v.lines[at] = line{state: Verbatim, by: by, any: true}
	} else if by, ok := v.s.first(c.by, nil); ok {
		v.lines[at] = line{state: Own, by: by, any: true}
	} else if by, ok := v.s.first(c.older, nil); ok {
		v.lines[at] = line{state: Stale, by: by, any: true}
	} else if by, ok := v.s.lastGone(c.by); ok {
		v.lines[at] = line{state: Gone, by: by, any: true}
	}
}

// changed marks the lines in whose place an item shows other text: between two cells that follow each other, and at the
// edges of a run of cells as many lines as the run has there.
func (v *viewer) changed(known []token, cellOf, lineAt []int) {
	for from := 0; from < len(known); {
		to := from + 1
		for to < len(known) && known[to].joined {
			to++
		}
		v.changedIn(known[from:to], cellOf[from:to], lineAt[from:to], from == 0, to == len(known))
		from = to
	}
}

func (v *viewer) changedIn(run []token, cellOf, lineAt []int, isFirst, isLast bool) {
	m := v.m
	last := -1 // the last token that was found
	for n := range run {
		if lineAt[n] < 0 {
			continue
		}
		by, live := v.shows(cellOf, last, n)
		switch {
		case !live:
		case last >= 0:
			v.stale(lineAt[last]+1, lineAt[n], by)
		case isFirst && m.begins && v.blanksBefore(cellOf[0]) == cellOf[0]:
			v.stale(0, lineAt[n], by)
		default:
			v.stale(v.back(lineAt[n], n), lineAt[n], by)
		}
		last = n
	}
	by, live := v.shows(cellOf, last, len(run))
	switch {
	case last < 0:
		if by, live = v.shows(cellOf, 0, len(run)); live && !by.loose && !m.cells[cellOf[0]].vague {
			first := m.cells[cellOf[0]].number - 1
			v.stale(max(first, 0), min(m.cells[cellOf[len(run)-1]].number, len(v.disk)), by)
		}
	case !live:
	case last == len(run)-2 && v.cutAt(lineAt[last]+1, m.cells[cellOf[last+1]].text):
	case isLast && m.ends:
		v.stale(lineAt[last]+1, len(v.disk), by)
	default:
		v.stale(lineAt[last]+1, v.forward(lineAt[last]+1, len(run)-1-last), by)
	}
}

// shows returns an item in the next request that shows the place between two tokens of a run: it shows a token between
// them, or both are shown as neighbors.
func (v *viewer) shows(cellOf []int, from, to int) (by origin, live bool) {
	for n := max(from, 0); n <= min(to, len(cellOf)-1); n++ {
		c := &v.m.cells[cellOf[n]]
		inner := n != from && n != to
		if by, live = v.s.first(c.shows(), nil); live && inner {
			return by, true
		}
	}
	if from < 0 || to >= len(cellOf) {
		if by, live = v.edge(cellOf, from, to); live {
			return by, live
		}
		return origin{}, false
	}
	by, live = v.s.first(v.m.cells[cellOf[from]].shows(), nil)
	if _, both := v.s.first(v.m.cells[cellOf[to]].shows(), nil); live && both {
		return by, true
	}
	return origin{}, false
}

// edge returns the item that shows a file's first or last line: what was put before or after it is a change.
func (v *viewer) edge(cellOf []int, from, to int) (origin, bool) {
	switch {
	case from < 0 && to == 0 && v.m.begins && v.blanksBefore(cellOf[0]) == cellOf[0]:
		return v.s.first(v.m.cells[cellOf[0]].shows(), nil)
	case to == len(cellOf) && from == len(cellOf)-1 && v.m.ends && v.blanksAfter(cellOf[from]):
		return v.s.first(v.m.cells[cellOf[from]].shows(), nil)
	}
	return origin{}, false
}

// blanksBefore returns how many blank cells are right before a cell.
func (v *viewer) blanksBefore(at int) (n int) {
	for at-n > 0 && blank(v.m.cells[at-n-1].text) && v.m.cells[at-n].follows {
		n++
	}
	return n
}

// blanksAfter reports whether only blank cells come after a cell.
func (v *viewer) blanksAfter(at int) bool {
	for _, c := range v.m.cells[at+1:] {
		if !blank(c.text) || !c.follows {
			return false
		}
	}
	return true
}

// back returns the first of n lines before a line that are not blank and have no state yet.
func (v *viewer) back(at, n int) int {
	for at > 0 && n > 0 && (v.lines[at-1].state == Never) {
		if at--; !blank(v.disk[at]) {
			n--
		}
	}
	return at
}

// forward returns the line after n lines from a line on that are not blank and have no state yet.
func (v *viewer) forward(at, n int) int {
	for at < len(v.disk) && n > 0 && v.lines[at].state == Never {
		if !blank(v.disk[at]) {
			n--
		}
		at++
	}
	return at
}

// stale marks lines of which nothing else is known.
func (v *viewer) stale(from, to int, by origin) {
	for i := from; i < to; i++ {
		if v.lines[i].state == Never || v.lines[i].state == Gone {
			v.lines[i] = line{state: Stale, by: by, any: true}
		}
	}
}

// place finds fragments on disk. A run of their lines counts if the file has it once.
func (v *viewer) place(fragments []fragment) {
	if len(fragments) == 0 {
		return
	}
	f := newFinder(v.disk)
	for i := range fragments {
		lines := fragments[i].lines
		if fragments[i].trimmed && len(lines) > 1 {
			lines = v.withSpace(lines)
		}
		v.match(f, lines, fragments[i].by, 1, false, nil)
	}
}

// withSpace returns lines with the whitespace before the first one, if the file has it once before the second one.
func (v *viewer) withSpace(lines []string) []string {
	found := -1
	for at := 0; at+1 < len(v.disk); at++ {
		if v.disk[at+1] == lines[1] && strings.TrimLeft(v.disk[at], " \t") == lines[0] {
			if found >= 0 {
				return lines
			}
			found = at
		}
	}
	if found < 0 {
		return lines
	}
	return append([]string{v.disk[found]}, lines[1:]...)
}

// blanks gives whitespace-only lines the state of the line before them, and at the beginning that of the line after.
func (v *viewer) blanks() {
	last := -1
	for i := range v.disk {
		if !blank(v.disk[i]) {
			last = i
			continue
		}
		next := i
		for next < len(v.disk) && blank(v.disk[next]) {
			next++
		}
		switch {
		case last >= 0:
			v.lines[i] = v.lines[last]
		case next < len(v.disk):
			v.lines[i] = v.lines[next]
		}
	}
}

// cutAt reports whether a text is the beginning of the next line that is not blank.
func (v *viewer) cutAt(at int, text string) bool {
	for at < len(v.disk) && blank(v.disk[at]) {
		at++
	}
	return at < len(v.disk) && isCut(text, v.disk[at])
}

// isCut reports whether a text is the beginning of a line, as a tool that cuts long lines leaves it.
func isCut(text, line string) bool {
	return len(text) > 0 && len(text) < len(line) && strings.HasPrefix(line, text)
}
