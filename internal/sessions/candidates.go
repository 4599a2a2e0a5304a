// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// candidates are all candidates that a search has found, as a queue in order of change, newest first. There may be a
// hundred thousand, of which a search wants the newest few. So they are stored in pieces that are never moved, and
// sorted only as far as needed.
type candidates struct {
	all   []dated // a heap with the newest first
	rest  int
	taken []*agents.Candidate // the candidates returned so far
}

// A dated is a candidate with its sort keys.
type dated struct {
	changed int64
	at      int32 // the order of discovery, for candidates with the same time
	of      *agents.Candidate
}

func (p *dated) before(q *dated) bool {
	return p.changed > q.changed || p.changed == q.changed && p.at < q.at
}

// pieceOfCandidates is how many candidates a piece contains, and stepOfCandidates how many newest returns at a time.
const (
	pieceOfCandidates = 512
	stepOfCandidates  = 64
)

// A pile contains the candidates of one location.
type pile struct {
	pieces [][]agents.Candidate
	n      int
}

func (p *pile) add(c agents.Candidate) {
	if p.n%pieceOfCandidates == 0 {
		p.pieces = append(p.pieces, make([]agents.Candidate, 0, pieceOfCandidates))
	}
	last := &p.pieces[len(p.pieces)-1]
	*last = append(*last, c)
	p.n++
}

// heapOf puts the candidates of the piles into a heap.
func heapOf(piles []pile) *candidates {
	n := 0
	for i := range piles {
		n += piles[i].n
	}
	c := &candidates{all: make([]dated, 0, n), rest: n}
	for i := range piles {
		for _, piece := range piles[i].pieces {
			for at := range piece {
				c.all = append(c.all, dated{piece[at].Modified().UnixNano(), int32(len(c.all)), &piece[at]})
			}
		}
	}
	for i := n/2 - 1; i >= 0; i-- {
		c.sink(i)
	}
	return c
}

// sink restores the order of the heap below an index.
func (c *candidates) sink(i int) {
	heap := c.all[:c.rest]
	moved := heap[i]
	for {
		child := 2*i + 1
		if child >= len(heap) {
			break
		}
		if child+1 < len(heap) && heap[child+1].before(&heap[child]) {
			child++
		}
		if !heap[child].before(&moved) {
			break
		}
		heap[i], i = heap[child], child
	}
	heap[i] = moved
}

// newest returns the next few candidates, none older than those that follow; it returns none at the end.
func (c *candidates) newest() []*agents.Candidate {
	before := len(c.taken)
	for len(c.taken) < before+stepOfCandidates && c.rest > 0 {
		c.taken = append(c.taken, c.all[0].of)
		c.rest--
		if c.all[0] = c.all[c.rest]; c.rest > 0 {
			c.sink(0)
		}
	}
	return c.taken[before:]
}

// left returns the candidates that newest has not returned, unsorted.
func (c *candidates) left() []*agents.Candidate {
	left := make([]*agents.Candidate, c.rest)
	for i := range left {
		left[i] = c.all[i].of
	}
	return left
}

// those returns the wanted candidates, newest first.
func (c *candidates) those(wanted func(*agents.Candidate) bool) []*agents.Candidate {
	var found []dated
	for i, of := range slices.Concat(c.taken, c.left()) {
		if wanted(of) {
			found = append(found, dated{of.Modified().UnixNano(), int32(i), of})
		}
	}
	slices.SortFunc(found, func(a, b dated) int { return cmp.Or(cmp.Compare(b.changed, a.changed), cmp.Compare(a.at, b.at)) })
	list := make([]*agents.Candidate, len(found))
	for i := range found {
		list[i] = found[i].of
	}
	return list
}

// candidates lists the candidates in every location, or in those of one agent. It leaves out agents whose sessions
// cannot be read. The locations are searched on all cores, and the result is in their order.
func (f *Finder) candidates(ctx context.Context, of string) (*candidates, []Problem) {
	if f.held != nil && of == "" {
		return heapOf(f.held), f.problems
	}
	began := time.Now()
	f.hosting.Store(agents.FindHosting(f.places()))
	var roots []agents.Root
	for _, root := range agents.Roots(f.places()) {
		if root.List != nil && (of == "" || root.Agent == of) {
			roots = append(roots, root)
		}
	}
	paths := make([]string, len(roots))
	for i := range roots {
		paths[i] = roots[i].Path
	}
	piles, failed := ask(ctx, &f.roots, paths, runtime.GOMAXPROCS(0), func(i int) (to pile, err error) {
		err = lookInto(roots[i], &to)
		return to, err
	})
	withoutMirrors(piles)
	var problems []Problem
	for i, err := range failed {
		if err != nil && !transcript.IsAbsent(err) {
			problems = append(problems, problem(roots[i].Path, err))
		}
	}
	if of == "" {
		f.glanced.Store(glanceAt(began, roots, piles))
		if f.holds {
			f.held, f.problems = piles, problems
		}
	}
	return heapOf(piles), problems
}

// lookInto lists the candidates of a location. A panic becomes a problem of that location.
func lookInto(r agents.Root, to *pile) (err error) {
	defer transcript.Survive(&err)
	return r.List(r, to.add)
}
