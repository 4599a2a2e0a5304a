// Copyright The ctx-lsp authors. MIT licence.

package sight

import "sort"

// A token is a line that is not blank, as alignment sees it.
type token struct {
	id     int32 // equal lines have equal ids
	number int32 // its line number, as far as it is known
	joined bool  // it follows the token before it without unknown lines between them
	weak   bool  // the line is short, and likely to be found anywhere
}

// leastLetters is how many letters and digits make a line more than punctuation.
const leastLetters = 16

func isWeak(line string) bool {
	letters := 0
	for _, c := range []byte(line) {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			if letters++; letters >= leastLetters {
				return false
			}
		}
	}
	return true
}

// mostPairs bounds the comparison of lines that are not unique.
const mostPairs = 1 << 20

// align finds the lines of a sequence in another one, in order. The result has the index in b for each token of a, -1
// for tokens that b does not contain. Lines that are unique on both sides come first; lines between them are chosen so
// that neighbors stay neighbors.
func align(a, b []token, starts, ends bool) []int32 {
	p := &aligner{a: a, b: b, found: make([]int32, len(a)), starts: starts, ends: ends}
	most := int32(0)
	for i := range a {
		p.found[i] = -1
		most = max(most, a[i].id)
	}
	for i := range b {
		most = max(most, b[i].id)
	}
	p.inA, p.inB = make([]place, most+1), make([]place, most+1)
	p.solve(0, len(a), 0, len(b))
	p.withoutChance()
	return p.found
}

type place struct{ count, at int32 }

type aligner struct {
	a, b         []token
	found        []int32
	inA, inB     []place
	starts, ends bool // both sequences begin, or end, at the same place
}

// solve aligns a[i:j] with b[k:l].
func (p *aligner) solve(i, j, k, l int) {
	for i < j && k < l && p.a[i].id == p.b[k].id && p.follows(i, k) {
		p.found[i] = int32(k)
		i, k = i+1, k+1
	}
	for i < j && k < l && p.a[j-1].id == p.b[l-1].id && p.precedes(j, l) {
		p.found[j-1] = int32(l - 1)
		j, l = j-1, l-1
	}
	if i == j || k == l {
		return
	}
	anchors := p.anchors(i, j, k, l)
	if len(anchors) == 0 {
		p.compare(i, j, k, l)
		return
	}
	for _, at := range anchors {
		p.found[at[0]] = at[1]
	}
	fromA, fromB := i, k
	for _, at := range anchors {
		p.solve(fromA, int(at[0]), fromB, int(at[1]))
		fromA, fromB = int(at[0])+1, int(at[1])+1
	}
	p.solve(fromA, j, fromB, l)
}

// follows reports whether the token before i is found right before k.
func (p *aligner) follows(i, k int) bool {
	if i == 0 {
		return p.starts && k == 0
	}
	return p.a[i].joined && p.found[i-1] == int32(k-1) && k > 0
}

// precedes reports whether the token j is found at l, right after the one before it.
func (p *aligner) precedes(j, l int) bool {
	if j == len(p.a) {
		return p.ends && l == len(p.b)
	}
	return p.a[j].joined && p.found[j] == int32(l)
}

// anchors returns pairs of tokens that are unique on both sides, in order: the longest chain of them.
func (p *aligner) anchors(i, j, k, l int) [][2]int32 {
	for at := i; at < j; at++ {
		p.inA[p.a[at].id] = place{}
		p.inB[p.a[at].id] = place{}
	}
	for at := k; at < l; at++ {
		p.inB[p.b[at].id] = place{}
	}
	for at := i; at < j; at++ {
		p.inA[p.a[at].id].count++
	}
	for at := k; at < l; at++ {
		of := &p.inB[p.b[at].id]
		of.count++
		of.at = int32(at)
	}
	var pairs [][2]int32
	for at := i; at < j; at++ {
		id := p.a[at].id
		if p.inA[id].count == 1 && p.inB[id].count == 1 {
			pairs = append(pairs, [2]int32{int32(at), p.inB[id].at})
		}
	}
	return rising(pairs)
}

// rising returns the longest part of pairs in which the second numbers rise, too.
func rising(pairs [][2]int32) [][2]int32 {
	if len(pairs) < 2 {
		return pairs
	}
	ends := make([]int, 0, len(pairs)) // the last pair of the best chain of each length
	before := make([]int, len(pairs))
	for i := range pairs {
		n := sort.Search(len(ends), func(n int) bool { return pairs[ends[n]][1] >= pairs[i][1] })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	chain := make([][2]int32, len(ends))
	for i, n := ends[len(ends)-1], len(ends)-1; n >= 0; i, n = before[i], n-1 {
		chain[n] = pairs[i]
	}
	return chain
}

// Scores of a comparison: a pair, a pair right after another one, a pair at the place that its number predicts.
const (
	scorePair   = 8
	scoreJoined = 6
	scoreNumber = 1
)

// compare aligns tokens without unique ones by the best score.
func (p *aligner) compare(i, j, k, l int) {
	n, m := j-i, l-k
	if n*m > mostPairs {
		p.byNumber(i, j, k, l)
		return
	}
	before, after := p.shift(i-1), p.shift(j)
	wide := m + 1
	best := make([]int32, (n+1)*wide)
	pair := make([]int32, (n+1)*wide) // the best that ends with this pair; -1 if it is none
	for at := range pair {
		pair[at] = -1
	}
	for x := 1; x <= n; x++ {
		for y := 1; y <= m; y++ {
			at := x*wide + y
			best[at] = max(best[at-1], best[at-wide])
			s, t := &p.a[i+x-1], &p.b[k+y-1]
			if s.id != t.id {
				continue
			}
			score := best[at-wide-1]
			if s.joined {
				if was := pair[at-wide-1]; was >= 0 {
					score = max(score, was+scoreJoined)
				} else if x == 1 && y == 1 && p.follows(i, k) {
					score += scoreJoined
				}
			}
			score += scorePair
			if shift := t.number - s.number; shift == before || shift == after {
				score += scoreNumber
			}
			if x == n && y == m && p.precedes(j, l) {
				score += scoreJoined
			}
			pair[at] = score
			best[at] = max(best[at], score)
		}
	}
	for x, y := n, m; x > 0 && y > 0; {
		at := x*wide + y
		if pair[at] != best[at] {
			if best[at-wide] == best[at] {
				x--
			} else {
				y--
			}
			continue
		}
		for p.found[i+x-1] = int32(k + y - 1); ; p.found[i+x-1] = int32(k + y - 1) {
			s, score := &p.a[i+x-1], pair[x*wide+y]
			own := int32(scorePair)
			if shift := p.b[k+y-1].number - s.number; shift == before || shift == after {
				own += scoreNumber
			}
			if x == n && y == m && p.precedes(j, l) {
				own += scoreJoined
			}
			x, y = x-1, y-1
			if !s.joined || x == 0 || y == 0 || pair[x*wide+y] < 0 || pair[x*wide+y]+scoreJoined+own != score {
				break
			}
		}
	}
}

// shift returns how far a found token has moved; the numbers of tokens outside the sequence move by nothing.
func (p *aligner) shift(i int) int32 {
	if i < 0 || i >= len(p.a) || p.found[i] < 0 {
		return 0
	}
	return p.b[p.found[i]].number - p.a[i].number
}

// withoutChance removes runs that may be chance, because a brace is found everywhere. A run is certain if it is long,
// has a line that is unique on both sides and not short or alone, or reaches an end that both sides share. Another one
// stays between two certain runs of the same row, and where its number predicts it.
func (p *aligner) withoutChance() {
	for i := range p.a {
		p.inA[p.a[i].id] = place{}
		p.inB[p.a[i].id] = place{}
	}
	for i := range p.b {
		p.inB[p.b[i].id] = place{}
	}
	for i := range p.a {
		p.inA[p.a[i].id].count++
	}
	for i := range p.b {
		p.inB[p.b[i].id].count++
	}
	certain := make([]bool, len(p.a))
	var doubtful [][2]int
	for i := 0; i < len(p.a); {
		if p.found[i] < 0 {
			i++
			continue
		}
		j := i + 1
		for j < len(p.a) && p.a[j].joined && p.found[j] == p.found[j-1]+1 {
			j++
		}
		sure := j-i >= leastRun || i == 0 && p.starts && p.found[i] == 0 ||
			j == len(p.a) && p.ends && int(p.found[j-1]) == len(p.b)-1
		sure = sure || j-i == len(p.b) && j-i > 1 && p.once(i, j)
		for x := i; x < j && !sure; x++ {
			sure = p.inA[p.a[x].id].count == 1 && p.inB[p.a[x].id].count == 1 && !p.a[x].weak && (j-i > 1 || !p.lonely(x))
		}
		if !sure {
			doubtful = append(doubtful, [2]int{i, j})
		}
		for ; i < j; i++ {
			certain[i] = sure
		}
	}
	for _, run := range doubtful {
		left, leftRow := p.nearest(certain, run[0], -1)
		right, rightRow := p.nearest(certain, run[1]-1, +1)
		shift := p.shift(run[0])
		if leftRow && rightRow || shift == p.shift(left) || shift == p.shift(right) {
			continue
		}
		for x := run[0]; x < run[1]; x++ {
			p.found[x] = -1
		}
	}
}

// lonely reports whether only one token of a row is found although its neighbors could be: it may be another line with
// the same text.
func (p *aligner) lonely(x int) bool {
	y := int(p.found[x])
	before := p.a[x].joined && p.b[y].joined
	after := x+1 < len(p.a) && p.a[x+1].joined && y+1 < len(p.b) && p.b[y+1].joined
	if before && after {
		return true
	}
	if !before && !after {
		return false
	}
	first, last := x, x
	for first > 0 && p.a[first].joined && p.found[first-1] < 0 {
		first--
	}
	for last+1 < len(p.a) && p.a[last+1].joined && p.found[last+1] < 0 {
		last++
	}
	whole := !p.a[first].joined && (last+1 == len(p.a) || !p.a[last+1].joined)
	return whole && last-first >= longRow
}

// longRow is how many other lines a row has of which one is not enough to find it.
const longRow = 3

// once reports whether a run occurs only once in a.
func (p *aligner) once(i, j int) bool {
	places := 0
	for at := 0; at+j-i <= len(p.a) && places < 2; at++ {
		n := 0
		for n < j-i && p.a[at+n].id == p.a[i+n].id {
			n++
		}
		if n == j-i {
			places++
		}
	}
	return places == 1
}

// nearest returns the next certain token in a direction, and whether it is in the same row.
func (p *aligner) nearest(certain []bool, x, step int) (at int, row bool) {
	row = true
	for y := x + step; y >= 0 && y < len(p.a); y += step {
		row = row && p.a[max(y, y-step)].joined
		if certain[y] {
			return y, row
		}
	}
	return -1, false
}

// byNumber finds tokens of a large part only where their numbers predict them.
func (p *aligner) byNumber(i, j, k, l int) {
	before, after := p.shift(i-1), p.shift(j)
	at := k
	for x := i; x < j; x++ {
		for _, shift := range []int32{before, after} {
			want := p.a[x].number + shift
			y := at + sort.Search(l-at, func(n int) bool { return p.b[at+n].number >= want })
			if y < l && p.b[y].number == want && p.b[y].id == p.a[x].id {
				p.found[x] = int32(y)
				at = y + 1
				break
			}
		}
	}
}
