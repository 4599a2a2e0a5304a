// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"hash/maphash"
	"slices"
)

// leastRun is how many lines that are not blank recognize a file without its path.
const leastRun = 4

// mostPlaces bounds how many places of a frequent line are compared.
const mostPlaces = 64

// A finder has the places of each line of a file.
type finder struct {
	ids    *identifiers
	lines  []int   // the lines that are not blank
	id     []int32 // of each of them
	places [][]int32
}

func newFinder(disk []string) *finder {
	f := &finder{ids: newIdentifiers()}
	for i, line := range disk {
		if blank(line) {
			continue
		}
		id := f.ids.of(line)
		if int(id) == len(f.places) {
			f.places = append(f.places, nil)
		}
		f.places[id] = append(f.places[id], int32(len(f.id)))
		f.lines, f.id = append(f.lines, i), append(f.id, id)
	}
	return f
}

// A run is lines that a text and the file have in common: n of them, from `at` in the finder's lines.
type run struct{ at, n int }

// runs returns the runs of at least `least` lines that are at one place of the file only.
func (f *finder) runs(lines []string, least int) []run {
	shown := make([]int32, 0, len(lines))
	for _, line := range lines {
		if blank(line) {
			continue
		}
		id, ok := f.ids.known[line]
		if !ok {
			id = -1
		}
		shown = append(shown, id)
	}
	var found []run
	for i := 0; i < len(shown); {
		if shown[i] < 0 || len(f.places[shown[i]]) > mostPlaces {
			i++
			continue
		}
		best, longest, twice := run{}, 0, false
		back := 0
		for _, at := range f.places[shown[i]] {
			n := 1
			for i+n < len(shown) && int(at)+n < len(f.id) && shown[i+n] == f.id[int(at)+n] {
				n++
			}
			before := 0
			for i-before-1 >= 0 && int(at)-before-1 >= 0 && shown[i-before-1] == f.id[int(at)-before-1] {
				before++
			}
			switch {
			case n+before > longest:
				best, longest, twice, back = run{int(at) - before, n + before}, n+before, false, before
			case n+before == longest:
				twice = true
			}
		}
		if twice || longest < least {
			i++
			continue
		}
		found = append(found, best)
		i += best.n - back
	}
	return found
}

// match marks the lines of a text that are found in the file.
func (v *viewer) match(f *finder, lines []string, by origin, least int, inferred bool, accepts func(run) bool) {
	live := v.s.live(by)
	state := Gone
	switch {
	case live && by.wrote:
		state = Own
	case live:
		state = Verbatim
	}
	for _, r := range f.runs(lines, least) {
		if accepts != nil && !accepts(r) {
			continue
		}
		for _, at := range f.lines[r.at : r.at+r.n] {
			old := v.lines[at].state
			if old == Never || live && (old == Gone || old == Stale || old == Unknown) {
				v.lines[at] = line{state: state, by: by, any: true, inferred: inferred}
			}
		}
	}
}

// An index finds the texts that may contain a part of a file: those with the same four lines in a row.
type index struct {
	seed  maphash.Seed
	texts int // indexed so far
	used  int // slots
	slots []slot
}

type slot struct {
	hash uint32
	text int32 // the number of the text, plus one; 0 for an empty slot
}

// grow adds the texts that are not in the index yet.
func (x *index) grow(texts []text) {
	for ; x.texts < len(texts); x.texts++ {
		if texts[x.texts].paths != nil {
			continue
		}
		x.shingles(linesOf(texts[x.texts].text), func(hash uint64) {
			if 2*(x.used+1) > len(x.slots) {
				old := x.slots
				x.slots = make([]slot, max(64, 2*len(old)))
				for _, s := range old {
					if s.text != 0 {
						x.put(s)
					}
				}
			}
			if x.put(slot{uint32(hash >> 32), int32(x.texts + 1)}) {
				x.used++
			}
		})
	}
}

// put stores a slot. It returns false if it was there.
func (x *index) put(s slot) bool {
	at := int(s.hash) & (len(x.slots) - 1)
	for x.slots[at].text != 0 {
		if x.slots[at] == s {
			return false
		}
		at = (at + 1) & (len(x.slots) - 1)
	}
	x.slots[at] = s
	return true
}

// shingles calls do with a hash of each four lines in a row, blank ones left out.
func (x *index) shingles(lines []string, do func(hash uint64)) {
	var last [leastRun]uint64
	n := 0
	for _, line := range lines {
		if blank(line) {
			continue
		}
		copy(last[:], last[1:])
		last[leastRun-1] = maphash.String(x.seed, line)
		if n++; n >= leastRun {
			hash := uint64(14695981039346656037)
			for _, one := range last {
				hash = (hash ^ one) * 1099511628211
			}
			do(hash ^ hash>>29)
		}
	}
}

// find returns the numbers of the texts with four lines of a file.
func (x *index) find(lines []string) []int {
	var found []int
	if len(x.slots) < 2 {
		return nil
	}
	seen := map[int32]bool{}
	x.shingles(lines, func(hash uint64) {
		h := uint32(hash >> 32)
		for at := int(h) & (len(x.slots) - 1); x.slots[at].text != 0; at = (at + 1) & (len(x.slots) - 1) {
			if s := x.slots[at]; s.hash == h && !seen[s.text] {
				seen[s.text] = true
				found = append(found, int(s.text-1))
			}
		}
	})
	slices.Sort(found)
	return found
}

// infer marks lines that are recognized in texts without a known range: those of commands that name the file, and any
// text with four lines in a row that no other open file has.
func (v *viewer) infer(path string) {
	s := v.s
	var f *finder
	for i := range s.texts {
		if t := &s.texts[i]; slices.Contains(t.paths, path) {
			if f == nil {
				f = newFinder(v.disk)
			}
			v.match(f, linesOf(t.text), t.by, 1, false, nil)
		}
	}
	if s.index == nil {
		s.index = &index{seed: maphash.MakeSeed()}
	}
	s.index.grow(s.texts)
	found := s.index.find(v.disk)
	if len(found) == 0 {
		return
	}
	if f == nil {
		f = newFinder(v.disk)
	}
	others := s.others(path)
	for _, i := range found {
		t := &s.texts[i]
		v.match(f, linesOf(t.text), t.by, leastRun, true, func(r run) bool {
			lines := make([]string, r.n)
			for n := range lines {
				lines[n] = v.disk[f.lines[r.at+n]]
			}
			return !others.has(s.index, lines)
		})
	}
}

// An others has the hashes of each four lines in a row of the other open files, a set for each file.
type others []map[uint64]bool

// has reports whether another file has all of the lines.
func (o others) has(x *index, lines []string) bool {
	for _, file := range o {
		all := true
		x.shingles(lines, func(hash uint64) { all = all && file[hash] })
		if all {
			return true
		}
	}
	return false
}

// mostOthers bounds how many files are read to see whether lines are also elsewhere.
const mostOthers = 200

func (s *Session) others(path string) others {
	var all others
	read := 0
	for _, other := range s.Paths() {
		if other == path {
			continue
		}
		if read++; read > mostOthers {
			break
		}
		content, ok := s.files.Read(other)
		if !ok {
			continue
		}
		set := map[uint64]bool{}
		s.index.shingles(linesOf(s.comparable(content)), func(hash uint64) { set[hash] = true })
		all = append(all, set)
	}
	return all
}
