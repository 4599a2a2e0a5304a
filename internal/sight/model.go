// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// An origin is an item that shows a line.
type origin struct {
	item  int32 // the index of the item
	part  uint8 // tells the parts of an item apart, each of which is lines in a row
	wrote bool  // the agent wrote the line
	loose bool  // its content is known to be of this file, but not when or where
	past  bool  // a placeholder has replaced the item's text
}

// A cell is one line of a file as the conversation has shown it.
type cell struct {
	number  int  // its line number
	vague   bool // the number is a guess, because others have changed the file
	follows bool // it comes right after the cell before it
	trimmed bool // whitespace at its beginning may be missing
	text    string
	by      []origin // the items that show it, the oldest first
	older   []origin // items that show another text at this place
	perhaps []origin // items that may show another text at this place: how far a change goes is not shown
}

// shows returns the items that show the cell or another text at its place.
func (c *cell) shows() []origin {
	if len(c.older) == 0 {
		return c.by
	}
	return slices.Concat(c.by, c.older)
}

// A model is a file as the conversation shows it: the known lines, in their order. It changes with each read and each
// edit by the agent. Changes by others are found when a read differs, and at the end by comparison with the disk.
type model struct {
	cells  []cell
	begins bool  // the first cell is the file's first line
	ends   bool  // the last cell is the file's last line
	parts  uint8 // numbers the parts of items
	// Edits of lines that were never shown have no place yet.
	placeless []fragment
}

// A fragment is lines of the file without a known place.
type fragment struct {
	lines   []string
	by      origin
	trimmed bool // whitespace at the beginning of the first line may be missing
}

// between returns the range of cells whose numbers are in [from, to).
func (m *model) between(from, to int) (lo, hi int) {
	lo = sort.Search(len(m.cells), func(i int) bool { return m.cells[i].number >= from })
	hi = lo + sort.Search(len(m.cells)-lo, func(i int) bool { return m.cells[lo+i].number >= to })
	return lo, hi
}

// show adds lines that an item shows. If they differ from what the model has, someone has changed the file, and the
// model moves its other lines to where they are now.
func (m *model) show(b block, by origin) {
	if len(b.lines) == 0 && !b.eof {
		return
	}
	if b.start <= 0 {
		if b.start = m.find(b); b.start == 0 {
			m.placeless = append(m.placeless, fragment{lines: b.lines, by: by, trimmed: b.trimmed})
			return
		}
	}
	b = m.untrimmed(b)
	end := b.start + len(b.lines)
	lo, hi := m.between(b.start, end)
	agrees := !b.eof || hi == len(m.cells)
	if last := len(m.cells) - 1; m.ends && agrees {
		agrees = end-1 <= m.cells[last].number && (!b.eof || end-1 == m.cells[last].number)
	}
	for i := lo; i < hi && agrees; i++ {
		agrees = m.cells[i].text == b.lines[m.cells[i].number-b.start] && !m.cells[i].vague
	}
	var moved movement
	if !agrees {
		moved = m.move(b)
		lo, hi = m.between(b.start, end)
	}
	shown := make([]cell, len(b.lines))
	for i, line := range b.lines {
		shown[i] = cell{number: b.start + i, follows: i > 0, trimmed: i == 0 && b.trimmed, text: line, by: []origin{by}}
	}
	for _, g := range moved.gaps {
		for number := max(g.from, b.start); number < min(g.to, end); number++ {
			c := &shown[number-b.start]
			if g.unsure {
				c.perhaps = slices.Concat(c.perhaps, g.by)
			} else {
				c.older = slices.Concat(c.older, g.by)
			}
		}
	}
	for _, old := range m.cells[lo:hi] {
		c := &shown[old.number-b.start]
		if old.text == c.text {
			c.by, c.older, c.perhaps = append(old.by, by), old.older, old.perhaps
		} else {
			c.older = slices.Concat(c.older, old.older, old.by)
			c.perhaps = slices.Concat(c.perhaps, old.perhaps)
		}
	}
	before, after := m.cells[:lo:lo], m.cells[hi:]
	if b.eof {
		after = nil
	}
	if len(shown) > 0 {
		shown[0].follows = lo > 0 && (moved.before || before[lo-1].number == b.start-1 && !before[lo-1].vague)
		if len(after) > 0 {
			after[0].follows = moved.after || after[0].number == end && !after[0].vague
		}
	}
	m.begins = b.start == 1 || m.begins && lo > 0
	m.ends = b.eof || m.ends && len(after) > 0
	m.cells = slices.Concat(before, shown, after)
	m.settle(b)
}

// part returns an origin of lines in a row, apart from the item's others.
func (m *model) part(by origin) origin {
	m.parts++
	by.part = m.parts
	return by
}

// settle gives the agent's own lines their place once a later item shows them.
func (m *model) settle(b block) {
	m.placeless = slices.DeleteFunc(m.placeless, func(f fragment) bool {
		if !f.by.wrote || f.trimmed || len(f.lines) == 0 || !slices.Contains(b.lines, f.lines[0]) {
			return false
		}
		places := m.places(strings.Join(f.lines, "\n")+"\n", true)
		if len(places) != 1 {
			return false
		}
		for i := places[0].first; i < places[0].first+len(f.lines); i++ {
			m.cells[i].by = slices.Insert(slices.Clone(m.cells[i].by), 0, f.by)
		}
		return true
	})
}

// untrimmed returns a block with the whitespace before its first line, if that line and the next are known.
func (m *model) untrimmed(b block) block {
	if !b.trimmed || len(b.lines) == 0 {
		return b
	}
	for i := range m.cells {
		text := m.cells[i].text
		if m.cells[i].trimmed || strings.TrimLeft(text, " \t") != b.lines[0] {
			continue
		}
		next := i + 1
		if len(b.lines) == 1 && m.cells[i].number == b.start ||
			len(b.lines) > 1 && next < len(m.cells) && m.cells[next].follows && m.cells[next].text == b.lines[1] {
			b.lines = append([]string{text}, b.lines[1:]...)
			b.trimmed = false
			return b
		}
	}
	return b
}

// showLoosely adds lines whose tool may have changed them: they never contradict what the model has.
func (m *model) showLoosely(b block, by origin) {
	for i, line := range b.lines {
		number := b.start + i
		lo, hi := m.between(number, number+1)
		switch {
		case hi > lo && m.cells[lo].text == line:
			m.cells[lo].by = append(m.cells[lo].by, by)
		case hi > lo || m.ends && lo == len(m.cells):
			m.placeless = append(m.placeless, fragment{lines: []string{line}, by: by})
		default:
			c := cell{number: number, text: line, by: []origin{by}}
			c.follows = lo > 0 && m.cells[lo-1].number == number-1
			m.cells = slices.Insert(m.cells, lo, c)
			m.begins = m.begins && lo > 0
		}
	}
}

// find returns the number of the first line of a block without numbers: that of the same lines in the model, 0 if it is
// not clear.
func (m *model) find(b block) int {
	ids := newIdentifiers()
	known, _ := m.tokens(ids)
	shown, at := tokensOf(b.lines, ids, 1)
	found := align(shown, known, false, b.eof && m.ends)
	votes, best, most := map[int]int{}, 0, 0
	for i, k := range found {
		if k < 0 {
			continue
		}
		start := int(known[k].number) - at[i]
		if votes[start]++; start > 0 && votes[start] > most {
			best, most = start, votes[start]
		}
	}
	if most*2 <= len(shown) {
		return 0
	}
	return best
}

// move gives the cells the numbers that they have now, as lines shown by a newer item say, and returns the lines of
// that item in whose place older ones show another text. Cells between two that the newer item contains have been
// replaced. Those before and after them may be elsewhere now: their numbers are a guess.
func (m *model) move(b block) (moved movement) {
	ids := newIdentifiers()
	known, cellOf := m.tokens(ids)
	shown, at := tokensOf(b.lines, ids, b.start)
	found := align(known, shown, b.start == 1 && m.begins, b.eof && m.ends)
	now := make([]int, len(m.cells)) // the number of each cell that was found, 0 for the others
	first, last := -1, -1
	for n, k := range found {
		if k >= 0 {
			now[cellOf[n]] = b.start + at[k]
			if first < 0 {
				first = cellOf[n]
			}
			last = cellOf[n]
		}
	}
	if first < 0 {
		return m.makeWay(b)
	}
	// replaced notes that an item shows other text at the place of new lines.
	replaced := func(from, to int, by []origin) {
		if from < to && len(by) > 0 {
			moved.gaps = append(moved.gaps, gap{from: from, to: to, by: by})
		}
	}
	// unsure notes that it may do so.
	unsure := func(from, to int, by []origin) {
		if from < to && len(by) > 0 {
			moved.gaps = append(moved.gaps, gap{from: from, to: to, by: by, unsure: true})
		}
	}
	end := b.start + len(b.lines)
	moved.before = first > 0 && m.cells[first].follows
	moved.after = last+1 < len(m.cells) && m.cells[last+1].follows
	lead, trail := m.before(first), m.after(last)
	switch known := m.begins && b.start == 1 && first == len(lead); {
	case known && first == 0:
		replaced(1, now[first], m.cells[first].shows())
	case known:
		replaced(1, now[first], showing(lead))
	default:
		unsure(max(b.start, now[first]-reach(len(lead))), now[first], showing(lead))
	}
	switch known := m.ends && b.eof && last == len(m.cells)-1-len(trail); {
	case known && len(trail) == 0:
		replaced(now[last]+1, end, m.cells[last].shows())
	case known:
		replaced(now[last]+1, end, showing(trail))
	default:
		unsure(now[last]+1, min(now[last]+1+reach(len(trail)), end), showing(trail))
	}
	// lost notes the place of lines that are not there any more, between two that are and that were not in a row with
	// both.
	lost := func(from, to int) {
		rest := m.cells[from+1 : to]
		head, tail := m.after(from), m.before(to)
		unsure(now[from]+1, min(now[from]+1+reach(len(head)), now[to]), showing(head))
		unsure(max(now[to]-reach(len(tail)), now[from]+1), now[to], showing(tail))
		moves := []int{now[from] - m.cells[from].number, now[to] - m.cells[to].number}
		for _, c := range rest[len(head) : len(rest)-len(tail)] {
			unsure(max(c.number+slices.Min(moves)-reach(1), now[from]+1), min(c.number+slices.Max(moves)+reach(1)+1, now[to]), c.shows())
		}
	}
	rows := m.rows()
	cells := make([]cell, 0, len(m.cells))
	shift := now[first] - m.cells[first].number
	before := -1 // the last cell that was found
	for i, c := range m.cells {
		switch {
		case now[i] > 0:
			if before >= 0 && now[before]+1 < now[i] {
				replaced(now[before]+1, now[i], rows.across(before, i))
			}
			if before >= 0 && m.follow(before, i) {
				kept := hasBlank(b.lines[now[before]+1-b.start : now[i]-b.start])
				for _, old := range m.cells[before+1 : i] {
					if !kept || !blank(old.text) {
						replaced(now[before]+1, now[i], old.shows())
					}
				}
			} else if before >= 0 {
				lost(before, i)
			}
			shift, before = now[i]-c.number, i
			c.number, c.vague = now[i], false
		case i < first:
			if i < first-len(lead) && c.number+shift >= b.start {
				unsure(max(min(c.number, c.number+shift)-reach(1), b.start), min(max(c.number, c.number+shift)+reach(1)+1, now[first]), c.shows())
			}
			c.number, c.vague = min(c.number+shift, b.start-1), c.vague || shift != 0 || c.number >= b.start
			if b.start > 1 {
				c.number = max(c.number, 1)
			}
		case i > last:
			if i > last+len(trail) && c.number+shift < end {
				unsure(max(min(c.number, c.number+shift)-reach(1), now[last]+1), min(max(c.number, c.number+shift)+reach(1)+1, end), c.shows())
			}
			c.number, c.vague = max(c.number+shift, end), c.vague || shift != 0 || c.number < end
		default: // replaced, since the lines from one found line to the next are known
			continue
		}
		if c.number > 0 {
			cells = append(cells, c)
		}
	}
	m.begins = m.begins && len(cells) > 0 && cells[0].text == m.cells[0].text
	m.ends = m.ends && len(cells) > 0 && cells[len(cells)-1].text == m.cells[len(m.cells)-1].text
	m.cells = cells
	return moved
}

// makeWay puts the cells at the place of a newer item before or after it, because none of its lines was known: they may
// have been replaced, or be elsewhere.
func (m *model) makeWay(b block) (moved movement) {
	end := b.start + len(b.lines)
	lo, hi := m.between(b.start, end)
	before := lo > 0 && lo < len(m.cells) && m.cells[lo].follows && b.start > 1
	for i := lo; i < hi; i++ {
		c := &m.cells[i]
		moved.gaps = append(moved.gaps, gap{from: c.number, to: c.number + 1, by: c.shows(), unsure: true})
		if before = before && (i == lo || c.follows); before || b.eof && b.start > 1 {
			c.number = b.start - 1
		} else {
			c.number = end
		}
		c.vague = true
	}
	for i := hi; i < len(m.cells) && m.cells[i].number < end; i++ {
		m.cells[i].number, m.cells[i].vague = end, true
	}
	return moved
}

// A movement is how a newer item changes the order of lines.
type movement struct {
	gaps []gap
	// before and after are set if an older item shows the lines of the newer one in a row with those before and after.
	before, after bool
}

// before returns the cells in a row right before another one.
func (m *model) before(at int) []cell {
	from := at
	for from > 0 && m.cells[from].follows {
		from--
	}
	return m.cells[from:at]
}

// after returns the cells in a row right after another one.
func (m *model) after(at int) []cell {
	to := at + 1
	for to < len(m.cells) && m.cells[to].follows {
		to++
	}
	return m.cells[at+1 : to]
}

// showing returns the items that show any of the cells.
func showing(cells []cell) (all []origin) {
	for i := range cells {
		for _, o := range cells[i].shows() {
			if !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	return all
}

// follow reports whether the cells from one to another are in a row.
func (m *model) follow(from, to int) bool {
	for i := from + 1; i <= to; i++ {
		if !m.cells[i].follows {
			return false
		}
	}
	return true
}

// A gap is lines, from a number up to another one, in whose place items show another text.
type gap struct {
	from, to int
	by       []origin
	unsure   bool // whether the change goes as far as this is not shown
}

// reach returns how many lines a change at the edge of known lines may have put in the place of n of them and of others
// that were never shown. The record does not show how far such a change goes.
func reach(n int) int { return max(2*n, 8) }

// rows are the cells by the rows that items show.
type rows struct {
	cells []cell
	known map[origin][2]int // the first and the last cell of each
}

func (m *model) rows() *rows { return &rows{cells: m.cells} }

// across returns the items that show the row from before one cell, or that one, to another one or after it: others
// between the two are at a place that these items show without them.
func (r *rows) across(from, to int) (all []origin) {
	if r.known == nil {
		r.known = map[origin][2]int{}
		for i := range r.cells {
			for _, o := range r.cells[i].shows() {
				row, ok := r.known[o]
				if !ok {
					row[0] = i
				}
				row[1] = i
				r.known[o] = row
			}
		}
	}
	for o, row := range r.known {
		if row[0] <= from && row[1] >= to {
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b origin) int { return cmp.Or(int(a.item-b.item), int(a.part)-int(b.part)) })
	return all
}

// tokens returns the cells that are not blank as tokens, and the index of the cell of each.
func (m *model) tokens(ids *identifiers) (tokens []token, cellOf []int) {
	tokens, cellOf = make([]token, 0, len(m.cells)), make([]int, 0, len(m.cells))
	unbroken := false
	for i := range m.cells {
		c := &m.cells[i]
		unbroken = unbroken && c.follows
		if blank(c.text) {
			continue
		}
		tokens = append(tokens, token{ids.of(c.text), int32(c.number), unbroken, isWeak(c.text)})
		cellOf = append(cellOf, i)
		unbroken = true
	}
	return tokens, cellOf
}

// tokensOf returns consecutive lines as tokens, the first of which has a number, and the index of the line of each.
func tokensOf(lines []string, ids *identifiers, start int) (tokens []token, lineOf []int) {
	tokens, lineOf = make([]token, 0, len(lines)), make([]int, 0, len(lines))
	for i, line := range lines {
		if !blank(line) {
			tokens = append(tokens, token{ids.of(line), int32(start + i), len(tokens) > 0, isWeak(line)})
			lineOf = append(lineOf, i)
		}
	}
	return tokens, lineOf
}

// identifiers number lines, so that they are compared once.
type identifiers struct{ known map[string]int32 }

func newIdentifiers() *identifiers { return &identifiers{map[string]int32{}} }

func (d *identifiers) of(line string) int32 {
	id, ok := d.known[line]
	if !ok {
		id = int32(len(d.known))
		d.known[line] = id
	}
	return id
}

// A change is text that the agent replaced in a file.
type change struct {
	old, new string
	all      bool // at each place
	lines    bool // old and new are whole lines
}

// edit applies a change by the agent. A change of lines that were never shown has no place.
func (m *model) edit(e change, by origin) {
	if e.lines {
		e.old, e.new = ended(e.old), ended(e.new)
	}
	places := m.places(e.old, e.lines)
	if e.old == "" || len(places) == 0 || len(places) > 1 && !e.all {
		m.placeless = append(m.placeless, fragment{lines: linesOf(e.new), by: by})
		return
	}
	for _, at := range slices.Backward(places) {
		m.replace(at, e, m.part(by))
	}
}

// ended returns lines with an end after the last one.
func ended(lines string) string {
	if lines != "" && !strings.HasSuffix(lines, "\n") {
		lines += "\n"
	}
	return lines
}

// A span is a part of the text of consecutive cells: from a byte of the first to a byte of the last.
type span struct{ first, from, last, to int }

// places returns where a text is in the known lines.
func (m *model) places(text string, whole bool) []span {
	var found []span
	for lo := 0; lo < len(m.cells) && text != ""; {
		hi := lo + 1
		for hi < len(m.cells) && m.cells[hi].follows {
			hi++
		}
		var joined strings.Builder
		starts := make([]int, 0, hi-lo)
		for _, c := range m.cells[lo:hi] {
			starts = append(starts, joined.Len())
			joined.WriteString(c.text)
			joined.WriteByte('\n')
		}
		all := joined.String()
		for from := 0; ; {
			at := strings.Index(all[from:], text)
			if at < 0 {
				break
			}
			at += from
			to := at + len(text)
			first := sort.SearchInts(starts, at+1) - 1
			last := sort.SearchInts(starts, to+1) - 1
			from = to
			if whole && starts[first] != at {
				from = at + 1
				continue
			}
			found = append(found, span{lo + first, at - starts[first], lo + last, to - starts[last]})
		}
		lo = hi
	}
	return found
}

// replace puts new text in the place of a span. The line at its end stays as it is if the span ends before it.
func (m *model) replace(at span, e change, by origin) {
	old := m.cells[at.first : at.last+1]
	before := old[0].text[:at.from]
	after := ""
	untouched := at.to == 0 && at.last > at.first && (strings.HasSuffix(e.new, "\n") || e.new == "" && at.from == 0)
	whole := at.to > len(m.cells[at.last].text) // with the end of the last line
	switch {
	case untouched: // the span ends before the last cell
		old = old[:len(old)-1]
	case !whole:
		after = m.cells[at.last].text[at.to:]
	}
	lines := linesOf(before + e.new + after)
	if len(lines) == 0 && !untouched && !whole {
		lines = []string{""} // an emptied line stays
	}
	fresh := make([]cell, len(lines))
	number := old[0].number
	var replaced, perhaps []origin
	stays := common(old, lines)
	for i, c := range old {
		if !slices.Contains(stays, i) {
			replaced, perhaps = slices.Concat(replaced, c.by, c.older), slices.Concat(perhaps, c.perhaps)
		}
	}
	for i := range lines {
		c := cell{number: number + i, follows: i > 0 || old[0].follows, text: lines[i], by: []origin{by}, older: slices.Clip(replaced), perhaps: slices.Clip(perhaps)}
		if from := stays[i]; from >= 0 {
			c.by, c.older, c.perhaps = append(slices.Clone(old[from].by), by), old[from].older, old[from].perhaps
		}
		fresh[i] = c
	}
	shift := len(lines) - len(old)
	rest := m.cells[at.first+len(old):]
	for i := range rest {
		rest[i].number += shift
	}
	if len(fresh) == 0 && len(rest) > 0 {
		rest[0].follows = rest[0].follows && old[0].follows
	}
	m.cells = slices.Concat(m.cells[:at.first:at.first], fresh, rest)
}

// common returns for each line the cell that has it, as many as there are in order; -1 for the others.
func common(old []cell, lines []string) []int {
	stays := make([]int, len(lines))
	for i := range stays {
		stays[i] = -1
	}
	lo := 0
	for lo < len(old) && lo < len(lines) && old[lo].text == lines[lo] {
		stays[lo] = lo
		lo++
	}
	hi := 0
	for hi < len(old)-lo && hi < len(lines)-lo && old[len(old)-1-hi].text == lines[len(lines)-1-hi] {
		hi++
		stays[len(lines)-hi] = len(old) - hi
	}
	a, b := old[lo:len(old)-hi], lines[lo:len(lines)-hi]
	wide := len(b) + 1
	if len(a)*len(b) > mostPairs {
		return stays
	}
	longest := make([]int32, (len(a)+1)*wide)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			at := i*wide + j
			if longest[at] = max(longest[at+1], longest[at+wide]); a[i].text == b[j] {
				longest[at] = max(longest[at], longest[at+wide+1]+1)
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch at := i*wide + j; {
		case a[i].text == b[j] && longest[at] == longest[at+wide+1]+1:
			stays[lo+j] = lo + i
			i, j = i+1, j+1
		case longest[at+wide] >= longest[at+1]:
			i++
		default:
			j++
		}
	}
	return stays
}
