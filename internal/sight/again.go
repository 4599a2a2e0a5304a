// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
)

// repeatedRun is how many lines in a row make a text read again, blank ones included.
const repeatedRun = 5

// A Kind is how a tool's output repeats what the next request contained already.
type Kind string

// The kinds.
const (
	SameOutput Kind = "same"  // the whole output was there
	SamePart   Kind = "part"  // a part of it was there
	OwnText    Kind = "own"   // the agent had written it
	AfterLoss  Kind = "after" // it had been there, until a compaction, a prune or a rewind; not read again while there
)

// A Repeat is the output of one tool call that contains lines which were still in the request.
type Repeat struct {
	Item       int // the index of the result
	Tool       string
	Path       string // the file, "" if unknown
	Kind       Kind
	Characters int64 // of the repeated lines
	Of         int64 // of the whole output
	Tokens     int64 // of the repeated lines: their share of the output's tokens
	Requests   int   // that contained it so far
}

// Repeats is what a session has read again.
type Repeats struct {
	List  []Repeat
	Lost  []Repeat // what was read again after it had left the request
	Calls int      // tool outputs looked at
	All   int64    // characters of all tool outputs
}

// FindRepeats finds outputs with five or more lines in a row that were in the request when they were added, word for
// word.
func FindRepeats(c *conversation.Conversation) *Repeats {
	r := &repeats{c: c, seed: maphash.MakeSeed(), held: map[uint64]holding{}, out: &Repeats{}}
	for i := range c.Items {
		r.leave(i)
		r.item(i)
	}
	return r.out
}

// holding is the items that contain five lines in a row: how many are in the request, and how many of them the agent
// wrote.
type holding struct{ live, own, past int32 }

type repeats struct {
	c      *conversation.Conversation
	seed   maphash.Seed
	held   map[uint64]holding
	queue  []int // items that leave later, in that order
	out    *Repeats
	hashes []uint64
}

// lines calls do with the number of each run of five lines and its hash.
func (r *repeats) runs(lines []string, do func(at int, hash uint64)) {
	hashes := r.hashes[:0]
	letters := make([]bool, 0, len(lines))
	for _, line := range lines {
		hashes = append(hashes, maphash.String(r.seed, line))
		letters = append(letters, !blank(line))
	}
	r.hashes = hashes
	for at := 0; at+repeatedRun <= len(hashes); at++ {
		full := 0
		hash := uint64(14695981039346656037)
		for n := at; n < at+repeatedRun; n++ {
			hash = (hash ^ hashes[n]) * 1099511628211
			if letters[n] {
				full++
			}
		}
		if full >= 3 { // blank lines and one brace repeat everywhere
			do(at, hash^hash>>29)
		}
	}
}

// leave removes the items that have left the request before an item was added.
func (r *repeats) leave(before int) {
	for len(r.queue) > 0 {
		it := &r.c.Items[r.queue[0]]
		left, _ := leaving(it)
		if left > before {
			return
		}
		r.change(r.queue[0], -1)
		r.queue = r.queue[1:]
	}
}

// leaving returns before which item an item leaves the request, and whether it does.
func leaving(it *conversation.Item) (int, bool) {
	if it.Former != nil {
		return it.Former.LeftItem, true
	}
	return it.LeftItem, it.LeftBy != conversation.Stays
}

func textOf(it *conversation.Item) string {
	if it.Former != nil {
		return it.Former.Text
	}
	return it.Text
}

// written returns the texts that a call writes.
func written(it *conversation.Item) []string {
	var texts []string
	for name, value := range it.Arguments() {
		if strings.Contains(value, "\n") && !strings.HasPrefix(name, "old") {
			texts = append(texts, value)
		}
	}
	return texts
}

// change counts the runs of an item in or out.
func (r *repeats) change(i int, by int32) {
	it := &r.c.Items[i]
	texts, own := []string{textOf(it)}, it.Kind == core.ToolCalls
	if own {
		texts = written(it)
	}
	for _, text := range texts {
		r.runs(contentLines(text), func(_ int, hash uint64) {
			h := r.held[hash]
			h.live += by
			if own {
				h.own += by
			}
			if by < 0 {
				h.past++
			}
			r.held[hash] = h
		})
	}
}

// contentLines returns lines without the numbers that tools put before them.
func contentLines(text string) []string {
	lines := linesOf(text)
	if blocks := numberedBlocks(lines, true); blocks != nil {
		var plain []string
		for _, b := range blocks {
			plain = append(plain, b.lines...)
		}
		return plain
	}
	return lines
}

func (r *repeats) item(i int) {
	it := &r.c.Items[i]
	switch it.Kind {
	case core.ToolResults:
		r.result(i)
	case core.ToolCalls, core.User, core.Documents, core.Memory:
	default:
		return
	}
	r.change(i, +1)
	if left, leaves := leaving(it); leaves {
		at, _ := slices.BinarySearchFunc(r.queue, left, func(other, left int) int {
			when, _ := leaving(&r.c.Items[other])
			return cmp.Compare(when, left)
		})
		r.queue = slices.Insert(r.queue, at, i)
	}
}

// result compares an output with the request that it comes into.
func (r *repeats) result(i int) {
	it := &r.c.Items[i]
	text := textOf(it)
	lines := contentLines(text)
	again, lost, own := make([]bool, len(lines)), make([]bool, len(lines)), 0
	runs := 0
	r.runs(lines, func(at int, hash uint64) {
		h, known := r.held[hash]
		if !known {
			return
		}
		mark := lost
		if h.live > 0 {
			mark = again
			runs++
			if h.own == h.live {
				own++
			}
		} else if h.past == 0 {
			return
		}
		for n := at; n < at+repeatedRun; n++ {
			mark[n] = true
		}
	})
	r.out.Calls++
	r.out.All += int64(len(text))
	found, before, all := int64(0), int64(0), int64(0)
	for n, line := range lines {
		size := int64(len(line) + 1)
		all += size
		switch {
		case again[n]:
			found += size
		case lost[n]:
			before += size
		}
	}
	one := Repeat{Item: i, Tool: it.Tool, Of: int64(len(text)), Requests: r.carried(it)}
	if it.Call >= 0 {
		call := &r.c.Items[it.Call]
		one.Tool = call.Tool
		if call.About.What == core.OfFile {
			one.Path = call.About.Name
		}
	}
	if found > 0 {
		one.Kind, one.Characters = SamePart, found
		switch {
		case own*2 > runs:
			one.Kind = OwnText
		case found*10 >= all*9:
			one.Kind = SameOutput
		}
		r.out.List = append(r.out.List, one)
	}
	if before > 0 {
		one.Kind, one.Characters = AfterLoss, before
		r.out.Lost = append(r.out.Lost, one)
	}
}

// carried returns how many measured requests contained an item.
func (r *repeats) carried(it *conversation.Item) int {
	until := r.c.Requests()
	if it.Former != nil {
		until = it.Former.LeftRequest
	} else if it.LeftBy != conversation.Stays {
		until = it.LeftRequest
	}
	return max(0, until-it.AtRequest)
}

// Count sets the tokens of each repeat, by the tokens of its output.
func (r *Repeats) Count(c *conversation.Conversation, count func([]string) ([]int64, error)) error {
	for _, list := range [][]Repeat{r.List, r.Lost} {
		texts := make([]string, len(list))
		for i := range list {
			texts[i] = textOf(&c.Items[list[i].Item])
		}
		tokens, err := count(texts)
		if err != nil {
			return err
		}
		for i := range list {
			if of := &list[i]; of.Of > 0 {
				of.Tokens = tokens[i] * of.Characters / of.Of
			}
		}
	}
	return nil
}

// Tokens returns the tokens read again, how many of them all requests contained together, and how many requests
// contained any.
func (r *Repeats) Tokens() (tokens, carried int64, requests int) {
	for _, each := range r.List {
		tokens += each.Tokens
		carried += each.Tokens * int64(each.Requests)
		requests = max(requests, each.Requests)
	}
	return tokens, carried, requests
}

// Files returns the files read again, those with the most tokens first; Lines is how often.
func (r *Repeats) Files() []Share {
	times := map[string]*Share{}
	for _, each := range r.List {
		if each.Path == "" {
			continue
		}
		path := strings.ReplaceAll(each.Path, `\`, "/") // agents on Windows write both
		if times[path] == nil {
			times[path] = &Share{Path: path}
		}
		times[path].Lines++
		times[path].Tokens += each.Tokens
	}
	list := []Share{}
	for _, path := range slices.Sorted(maps.Keys(times)) {
		list = append(list, *times[path])
	}
	slices.SortStableFunc(list, func(a, b Share) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return list
}
