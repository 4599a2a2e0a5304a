// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Limit returns the answer for the lines from one to another only.
func (f *File) Limit(from, to int) *File {
	part := &File{Path: f.Path, Lines: f.Lines, Ranges: []Range{}}
	for _, r := range f.Ranges {
		if r.From, r.To = max(r.From, from), min(r.To, to); r.From <= r.To {
			part.Ranges = append(part.Ranges, r)
		}
	}
	return part
}

// Held reports whether all lines of the answer are in the next request as they are on disk.
func (f *File) Held() bool {
	return !slices.ContainsFunc(f.Ranges, func(r Range) bool { return r.State != Verbatim && r.State != Own })
}

// Count returns the number of lines in each state.
func (f *File) Count() map[State]int {
	lines := map[State]int{}
	for _, r := range f.Ranges {
		lines[r.State] += r.To - r.From + 1
	}
	return lines
}

// Unseen returns the answer for a file that may not be read, or that cannot be.
func Unseen(path, why string) *File {
	return &File{Path: path, Ranges: []Range{{State: Unknown, Why: why}}}
}

// Sentence describes the answer in one sentence, with the agent's name.
func (f *File) Sentence(agent string) string {
	lines := f.Count()
	asked := 0
	for _, n := range lines {
		asked += n
	}
	held := lines[Verbatim] + lines[Own]
	var text string
	switch {
	case asked == 0:
		return "The file is empty."
	case held == asked && asked == 1:
		text = fmt.Sprintf("The line is in %s's next request", agent)
	case held == asked:
		text = fmt.Sprintf("All %d lines are in %s's next request", asked, agent)
	default:
		text = fmt.Sprintf("%d of %d lines are in %s's next request", held, asked, agent)
	}
	if n := lines[Stale]; n == 1 {
		text += "; 1 is stale"
	} else if n > 1 {
		text += fmt.Sprintf("; %d are stale", n)
	}
	return text + "."
}

// briefs are the words for states in a brief answer, in their order.
var briefs = []struct {
	states []State
	words  string
}{
	{[]State{Verbatim, Own}, "in the request as on disk: "},
	{[]State{Stale}, "changed since: "},
	{[]State{Gone, Summarized}, "no longer in the request: "},
	{[]State{Unknown}, "unknown: "},
}

// Brief returns the answer in about as many characters as given: lists of lines by state, and the rest as never sent.
func (f *File) Brief(most int) string {
	if len(f.Ranges) == 1 && f.Ranges[0].From == 0 {
		return "unknown, " + f.Ranges[0].Why
	}
	var parts []string
	left := most
	for _, b := range briefs {
		lists := []string{}
		more := 0
		last := -1
		for _, r := range f.Ranges {
			if !slices.Contains(b.states, r.State) {
				continue
			}
			if last == r.From-1 && more == 0 { // continues the range before it
				first, _, _ := strings.Cut(lists[len(lists)-1], "-")
				lists[len(lists)-1] = fmt.Sprintf("%s-%d", first, r.To)
			} else if left > 0 {
				lists = append(lists, fmt.Sprintf("%d-%d", r.From, r.To))
				left -= len(lists[len(lists)-1]) + 2
			} else {
				more++
			}
			last = r.To
		}
		if len(lists) == 0 && more == 0 {
			continue
		}
		if more > 0 {
			lists = append(lists, fmt.Sprintf("%d more ranges", more))
		}
		parts = append(parts, b.words+strings.Join(lists, ", "))
		left -= len(b.words)
	}
	switch n := f.Count()[Never]; {
	case n == f.Lines:
		return "never sent"
	case n > 0:
		parts = append(parts, "the rest never sent")
	}
	return strings.Join(parts, "; ")
}

var colors = map[State]string{
	Verbatim: "\x1b[32m", Own: "\x1b[36m", Stale: "\x1b[33m", Summarized: "\x1b[35m", Gone: "\x1b[31m", Never: "\x1b[2m", Unknown: "\x1b[2m",
}

// Write prints the ranges, one a line.
func (f *File) Write(w io.Writer, color bool, clean func(string) string) {
	width := len(fmt.Sprint(f.Lines))
	for _, r := range f.Ranges {
		word := fmt.Sprintf("%-10s", r.State)
		if color {
			word = colors[r.State] + word + "\x1b[0m"
		}
		line := fmt.Sprintf("  %*d-%-*d  %s  %s", width, r.From, width, r.To, word, r.about(clean))
		if r.From == 0 {
			line = fmt.Sprintf("  %s  %s", word, r.about(clean))
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// about names the item of a range, and its time.
func (r *Range) about(clean func(string) string) string {
	var parts []string
	if r.Item != nil {
		parts = append(parts, clean(*r.Item))
	}
	if r.Why != "" {
		parts = append(parts, r.Why)
	}
	if r.At != nil {
		parts = append(parts, time.UnixMilli(*r.At).UTC().Format("2006-01-02 15:04 UTC"))
	}
	if r.Inferred {
		parts = append(parts, "inferred from content")
	}
	return strings.Join(parts, ", ")
}
