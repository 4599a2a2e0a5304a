// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"slices"
	"strings"
)

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
	doubts := doubtful(known, there, found)
	for n := range known {
		if c := &m.cells[cellOf[n]]; c.trimmed && lineAt[n] < 0 {
			lineAt[n] = v.untrimmed(c, n, known, lineAt)
		}
	}
	v.changed(known, cellOf, lineAt)
	for _, d := range doubts {
		if by, live := v.s.first(m.cells[cellOf[d.known]].by, nil); live {
			v.lines[lineOf[d.there]] = line{state: Unknown, by: by, any: true}
		}
	}
	v.place(m.placeless)
	v.infer(path)
	v.blanks()
	return v.lines
}

// A doubt is a line that may be a known one, or another one with the same text.
type doubt struct{ known, there int }

// doubtful returns the lines of changed places whose text was there too, unless it is once in both and found. A place
// is the tokens of a row between two that are certain: those of long runs, those that are not short, and those next to
// them.
func doubtful(known, there []token, found []int32) (doubts []doubt) {
	last := -1 // the last certain token
	for n := 0; n < len(known); {
		if found[n] < 0 {
			n++
			continue
		}
		to := n + 1
		for to < len(known) && known[to].joined && found[to] == found[to-1]+1 {
			to++
		}
		certain := to-n >= leastRun || n == 0 || to == len(known)
		for x := n; x < to && !certain; x++ {
			certain = !known[x].weak
		}
		if certain {
			if last >= 0 && n > last+1 && inRow(known[last+1:n+1]) {
				doubts = append(doubts, doubtfulIn(known, there, found, [2]int{last + 1, n}, [2]int{int(found[last]) + 1, int(found[n])})...)
			}
			last = to - 1
		}
		n = to
	}
	return doubts
}

// inRow reports whether each token follows the one before it.
func inRow(tokens []token) bool {
	return !slices.ContainsFunc(tokens, func(t token) bool { return !t.joined })
}

// doubtfulIn returns the doubtful lines of one place: a part of the known tokens, and a part of those on disk.
func doubtfulIn(known, there []token, found []int32, old, now [2]int) (doubts []doubt) {
	were, are := map[int32][]int{}, map[int32]int{}
	for n := old[0]; n < old[1]; n++ {
		were[known[n].id] = append(were[known[n].id], n)
	}
	for k := now[0]; k < now[1]; k++ {
		are[there[k].id]++
	}
	for k := now[0]; k < now[1]; k++ {
		of := were[there[k].id]
		if len(of) > 1 || len(of) == 1 && (are[there[k].id] > 1 || found[of[0]] < 0) {
			doubts = append(doubts, doubt{of[0], k})
		}
	}
	return doubts
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
	} else if by, ok := v.s.first(c.perhaps, nil); ok {
		v.lines[at] = line{state: Unknown, by: by, any: true}
	} else if by, ok := v.s.lastGone(c.by); ok {
		v.lines[at] = line{state: Gone, by: by, any: true}
	}
}

// changed marks the lines in whose place an item shows other text: between two cells that follow each other, and at the
// ends of a run of cells only if it has the end of the file: the record does not show how far a change goes elsewhere.
func (v *viewer) changed(known []token, cellOf, lineAt []int) {
	for from := 0; from < len(known); {
		to := from + 1
		for to < len(known) && known[to].joined {
			to++
		}
		v.changedIn(known[from:to], cellOf[from:to], lineAt[from:to], from == 0, to == len(known))
		if !slices.ContainsFunc(lineAt[from:to], func(at int) bool { return at >= 0 }) {
			v.lost(cellOf, lineAt, from, to)
		}
		from = to
	}
}

func (v *viewer) changedIn(run []token, cellOf, lineAt []int, isFirst, isLast bool) {
	m, rows := v.m, v.m.rows()
	last := -1 // the last token that was found
	for n := range run {
		if lineAt[n] < 0 {
			continue
		}
		if last >= 0 {
			v.between(rows, cellOf[last], cellOf[n], lineAt[last]+1, lineAt[n])
		} else if isFirst && m.begins && v.blanksBefore(cellOf[0]) == cellOf[0] {
			v.between(rows, -1, cellOf[n], 0, lineAt[n])
		} else if by, live := v.shows(cellOf[:n]); live {
			v.mark(Unknown, v.back(lineAt[n], reach(n)), lineAt[n], by)
		}
		last = n
	}
	if last < 0 || last == len(run)-2 && v.cutAt(lineAt[last]+1, m.cells[cellOf[last+1]].text) {
		return
	}
	if isLast && m.ends {
		v.between(rows, cellOf[last], len(m.cells), lineAt[last]+1, len(v.disk))
	} else if by, live := v.shows(cellOf[last+1:]); live {
		v.mark(Unknown, lineAt[last]+1, v.forward(lineAt[last]+1, reach(len(run)-1-last)), by)
	}
}

// between marks the lines between two cells that were found and follow each other, or from the file's first cell or to
// its last: stale if an item shows the cells around them or all cells between, unknown if the request contains only
// some of those, which may have been replaced by other lines than the rest.
func (v *viewer) between(rows *rows, first, last, from, to int) {
	if from >= to {
		return
	}
	cells := v.m.cells
	by, live := v.s.first(rows.across(max(first, 0), min(last, len(cells)-1)), nil)
	all, shown, kept := 0, 0, hasBlank(v.disk[from:to])
	for i := first + 1; i < last && !live; i++ {
		if kept && blank(cells[i].text) {
			continue
		}
		all++
		if one, is := v.s.first(cells[i].shows(), nil); is {
			by = one
			shown++
		}
	}
	if all == 0 && !live { // shown by two items, one after the other
		by, live = v.s.first(cells[max(first, 0)].shows(), nil)
		_, both := v.s.first(cells[min(last, len(cells)-1)].shows(), nil)
		live = live && both
	}
	switch {
	case live, shown > 0 && shown == all:
		v.mark(Stale, from, to, by)
	case shown > 0:
		v.mark(Unknown, from, to, by)
	}
}

// lost marks where the lines of a row may have been of which none is found: about as far from their numbers as their
// neighbors.
func (v *viewer) lost(cellOf, lineAt []int, from, to int) {
	by, live := v.shows(cellOf[from:to])
	if !live || by.loose {
		return
	}
	low, high := 0, len(v.disk)
	first, last := v.m.cells[cellOf[from]].number-1, v.m.cells[cellOf[to-1]].number
	var moves []int
	for n := from - 1; n >= 0 && len(moves) == 0; n-- {
		if lineAt[n] >= 0 {
			low = lineAt[n] + 1
			moves = append(moves, low-v.m.cells[cellOf[n]].number)
		}
	}
	for n := to; n < len(lineAt); n++ {
		if lineAt[n] >= 0 {
			high = lineAt[n]
			moves = append(moves, high+1-v.m.cells[cellOf[n]].number)
			break
		}
	}
	if len(moves) == 0 {
		moves = append(moves, 0)
	}
	reach := reach(to - from)
	v.mark(Unknown, max(first+slices.Min(moves)-reach, low), min(last+slices.Max(moves)+reach, high), by)
}

// shows returns an item in the next request that shows one of some cells.
func (v *viewer) shows(cellOf []int) (by origin, live bool) {
	for _, at := range cellOf {
		if by, live = v.s.first(v.m.cells[at].shows(), nil); live {
			break
		}
	}
	return by, live
}

// blanksBefore returns how many blank cells are right before a cell.
func (v *viewer) blanksBefore(at int) (n int) {
	for at-n > 0 && blank(v.m.cells[at-n-1].text) && v.m.cells[at-n].follows {
		n++
	}
	return n
}

// back returns the first of n lines before a line that are not blank and not in the request.
func (v *viewer) back(at, n int) int {
	for at > 0 && n > 0 && v.absent(at-1) {
		if at--; !blank(v.disk[at]) {
			n--
		}
	}
	return at
}

// absent reports whether nothing is known to be in the request of a line.
func (v *viewer) absent(at int) bool { return v.lines[at].state == Never || v.lines[at].state == Gone }

// forward returns the line after n lines from a line on that are not blank and not in the request.
func (v *viewer) forward(at, n int) int {
	for at < len(v.disk) && n > 0 && v.absent(at) {
		if !blank(v.disk[at]) {
			n--
		}
		at++
	}
	return at
}

// mark sets the state of lines of which nothing else is known.
func (v *viewer) mark(state State, from, to int, by origin) {
	for i := from; i < to; i++ {
		if v.absent(i) {
			v.lines[i] = line{state: state, by: by, any: true}
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
