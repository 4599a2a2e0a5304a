// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
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

// The reasons for which a file has no lines in an answer.
const (
	Outside = Why(phrase.SightOutside)
	Unread  = Why(phrase.SightUnread)
)

// Unseen returns the answer for a file that may not be read, or that cannot be.
func Unseen(path string, why Why) *File {
	return &File{Path: path, Ranges: []Range{{State: Unknown, Why: why}}}
}

// Text describes the answer in one sentence, with the agent's name.
func (f *File) Text(agent string) phrase.Text {
	lines := f.Count()
	asked := 0
	for _, n := range lines {
		asked += n
	}
	held := lines[Verbatim] + lines[Own]
	var text phrase.Text
	switch {
	case f.blind():
		return phrase.SightNothing.Text(phrase.Name(agent), phrase.ID(f.Ranges[0].Why).Arg())
	case asked == 0:
		return phrase.SightEmpty.Text()
	case held == asked && asked == 1:
		text = phrase.SightLine.Text(phrase.Name(agent))
	case held == asked:
		text = phrase.SightAll.Text(phrase.Count(int64(asked)), phrase.Name(agent))
	default:
		text = phrase.SightSome.Text(phrase.Count(int64(held)), phrase.Count(int64(asked)), phrase.Name(agent))
	}
	text = withCount(text, lines[Stale], phrase.SightStaleOne, phrase.SightStaleMany)
	return withCount(text, lines[Gone], phrase.SightGoneOne, phrase.SightGoneMany)
}

// withCount adds a number of lines to a text, unless it is 0.
func withCount(text phrase.Text, n int, one, many phrase.ID) phrase.Text {
	switch n {
	case 0:
		return text
	case 1:
		return one.Text(text.Arg())
	}
	return many.Text(text.Arg(), phrase.Count(int64(n)))
}

// blind reports whether the answer is for a file without lines to show.
func (f *File) blind() bool { return len(f.Ranges) == 1 && f.Ranges[0].From == 0 }

var stateTexts = map[State]phrase.ID{
	Verbatim: phrase.SightVerbatim, Stale: phrase.SightStale, Own: phrase.SightOwn, Summarized: phrase.SightSummarized,
	Gone: phrase.SightGone, Never: phrase.SightNever, Unknown: phrase.SightUnknown,
}

// Text describes the state of a range, without its time.
func (r *Range) Text() phrase.Text {
	text := stateTexts[r.State].Text()
	if r.Why != "" {
		text = phrase.PartNamed.Text(text.Arg(), phrase.ID(r.Why).Arg())
	}
	if r.Item != nil {
		text = phrase.SightItem.Text(text.Arg(), phrase.Name(*r.Item))
	}
	if r.Inferred {
		text = phrase.SightInferred.Text(text.Arg())
	}
	return text
}

// briefs are the words for states in a brief answer, in their order.
var briefs = []struct {
	states []State
	words  string
}{
	{[]State{Verbatim, Own}, "in the request as on disk: "},
	{[]State{Stale}, "changed since: "},
	{[]State{Gone}, "no longer in the request: "},
	{[]State{Summarized}, "only a summary names it: "},
	{[]State{Unknown}, "unknown: "},
}

// Brief returns the answer in about as many characters as given: lists of lines by state, and the rest as never sent.
func (f *File) Brief(most int) string {
	if f.blind() {
		return "unknown, " + f.Ranges[0].Why.String()
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
		lines := fmt.Sprintf("%*d-%d", width, r.From, r.To)
		if r.From == r.To {
			lines = fmt.Sprintf("%*d", width, r.From)
		}
		line := fmt.Sprintf("  %-*s  %s  %s", 2*width+1, lines, word, r.about(clean))
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
		parts = append(parts, r.Why.String())
	}
	if r.At != nil {
		parts = append(parts, time.UnixMilli(*r.At).UTC().Format("2006-01-02 15:04 UTC"))
	}
	if r.Inferred {
		parts = append(parts, "inferred from content")
	}
	return strings.Join(parts, ", ")
}
