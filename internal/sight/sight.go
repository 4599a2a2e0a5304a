// Copyright The ctx-lsp authors. MIT licence.

// Package sight reports what the next request holds of a file on disk, line by line. It works on the texts of a
// conversation, which are in memory only while a client asks, and returns ranges of lines without their text.
//
// The items of a conversation are turned into steps on files: lines that a tool showed, text that the agent replaced.
// A model of each file applies the steps in their order, and is compared with the disk at the end.
package sight

import (
	"maps"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// State is what the next request holds of a line.
type State string

// The states.
const (
	Verbatim   State = "verbatim"   // the line as it is on disk
	Stale      State = "stale"      // this place of the file with another text
	Own        State = "own"        // the line as it is on disk, written by the agent itself
	Summarized State = "summarized" // the summary of a compaction names the file, and no line of it was ever sent
	Gone       State = "gone"       // nothing: it held the line until a compaction, a prune or a rewind
	Never      State = "never"      // nothing: the line was never sent
	Unknown    State = "unknown"    // the record does not show it
)

// States lists all states, in the order of tables.
var States = []State{Verbatim, Stale, Own, Summarized, Gone, Never, Unknown}

// A Range is lines in the same state.
type Range struct {
	From  int   `json:"from"` // 1 is the first line
	To    int   `json:"to"`   // the last line of the range
	State State `json:"state"`
	// Item names the item of the conversation that holds the lines, or held them; nil without one.
	Item *string `json:"item"`
	// At is the time of that item, and for gone lines the time at which they left; milliseconds since 1970, nil if
	// unknown.
	At *int64 `json:"at"`
	// Inferred is set if the file is recognized by content alone.
	Inferred bool `json:"inferred,omitempty"`
	// Why explains gone and unknown lines.
	Why Why `json:"why,omitempty"`
}

// A Why is the reason for a state: a phrase, which JSON has in English.
type Why phrase.ID

// MarshalText returns the reason in English.
func (w Why) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

func (w Why) String() string { return phrase.ID(w).English() }

// A File is the answer for one file: ranges in order and without gaps.
type File struct {
	Path   string  `json:"path"`
	Lines  int     `json:"lines"`
	Ranges []Range `json:"ranges"`
}

// A Session is a conversation, prepared to answer for files.
type Session struct {
	c         *conversation.Conversation
	files     Files
	present   []bool
	items     int // of the conversation, prepared so far
	extract   extractor
	steps     map[string][]step   // by the resolved path of a file
	models    map[string]*applied // of the files that were asked for
	texts     []text              // texts without a path, or with several
	index     *index              // of texts; nil until a file needs it
	summaries []int               // the items with summaries in the next request
	// sealed is the last compaction without a recorded summary, -1 if there is none: what was sent before it may be
	// in its summary.
	sealed int
	// words is set if lines are compared by their words.
	words bool
}

// A text is an item's text, searched for runs of lines of a file.
type text struct {
	by    origin
	text  string
	paths []string // files that it is likely to be of, nil for any
}

// New prepares a conversation.
func New(c *conversation.Conversation, files Files) *Session {
	s := &Session{c: c, files: files, steps: map[string][]step{}, words: expandsTabs(c.Agent)}
	s.extract = extractor{s: s, folder: c.Workspace}
	s.grow()
	return s
}

// grow prepares the items that were added to the conversation.
func (s *Session) grow() {
	s.present, s.sealed, s.summaries = s.c.Present(), -1, nil
	for i := range s.c.Boundaries {
		if s.c.Boundaries[i].Summary == "" {
			s.sealed = i
		}
	}
	for i := range s.c.Items {
		if it := &s.c.Items[i]; it.Kind == core.Summary && s.present[i] {
			s.summaries = append(s.summaries, i)
		}
	}
	for ; s.items < len(s.c.Items); s.items++ {
		s.extract.item(s.items)
	}
}

// live reports whether an origin is in the next request.
func (s *Session) live(o origin) bool { return s.present[o.item] && !o.past }

// first returns the oldest origin in the next request that satisfies a condition.
func (s *Session) first(of []origin, is func(origin) bool) (origin, bool) {
	for _, o := range of {
		if s.live(o) && (is == nil || is(o)) {
			return o, true
		}
	}
	return origin{}, false
}

// lastGone returns the origin that left the request last.
func (s *Session) lastGone(of []origin) (found origin, ok bool) {
	for _, o := range of {
		if !s.live(o) && (!ok || s.left(o) >= s.left(found)) {
			found, ok = o, true
		}
	}
	return found, ok
}

// left returns when an origin left the request.
func (s *Session) left(o origin) int64 {
	it := &s.c.Items[o.item]
	if o.past && it.Former != nil {
		return it.Former.Left
	}
	return it.Left
}

// lost reports whether an origin left with a compaction whose summary is not recorded.
func (s *Session) lost(o origin) bool {
	it := &s.c.Items[o.item]
	return s.sealed >= 0 && !o.past && it.LeftBy == conversation.Compacted &&
		it.Left <= s.c.Boundaries[s.sealed].At && int(o.item) < s.c.Boundaries[s.sealed].After
}

// Paths returns the resolved paths of the files that the conversation has read or changed, in order.
func (s *Session) Paths() []string { return slices.Sorted(maps.Keys(s.steps)) }

// Of returns what the next request holds of a file with a resolved path and its lines on disk.
func (s *Session) Of(path, content string) *File {
	disk := linesOf(s.comparable(content))
	f := &File{Path: path, Lines: len(disk), Ranges: []Range{}}
	lines := s.compare(path, disk)
	if by, named := s.named(path); named && !slices.ContainsFunc(lines, func(l line) bool { return l.state != Never }) {
		for i := range lines {
			lines[i] = line{state: Summarized, by: by, any: true}
		}
	}
	for i := range lines {
		r := s.rangeOf(i+1, &lines[i])
		if n := len(f.Ranges); n > 0 && joins(&f.Ranges[n-1], &r) {
			f.Ranges[n-1].To = r.To
			continue
		}
		f.Ranges = append(f.Ranges, r)
	}
	return f
}

// joins reports whether two ranges differ only in their lines.
func joins(a, b *Range) bool {
	return a.State == b.State && a.Inferred == b.Inferred && a.Why == b.Why &&
		(a.Item == b.Item || a.Item != nil && b.Item != nil && *a.Item == *b.Item) &&
		(a.At == b.At || a.At != nil && b.At != nil && *a.At == *b.At)
}

func (s *Session) rangeOf(number int, l *line) Range {
	r := Range{From: number, To: number, State: l.state, Inferred: l.inferred}
	if !l.any {
		return r
	}
	it := &s.c.Items[l.by.item]
	name := s.c.ItemName(int(l.by.item))
	r.Item = &name
	at := it.At
	if l.state == Gone {
		at = s.left(l.by)
		switch {
		case l.by.past:
			r.Why = Why(phrase.SightPlaceholder)
		case it.LeftBy == conversation.Compacted:
			r.Why = Why(phrase.SightCompacted)
		case it.LeftBy == conversation.Rewound:
			r.Why = Why(phrase.SightRewound)
		default:
			r.Why = Why(phrase.SightPruned)
		}
	}
	if l.state == Unknown {
		r.Why = Why(phrase.SightUnclear)
	}
	if l.state == Gone && s.lost(l.by) {
		r.State, r.Why = Unknown, Why(phrase.SightSealed)
	}
	if at > 0 {
		r.At = &at
	}
	return r
}

// named returns the summary in the next request that names a file.
func (s *Session) named(path string) (by origin, ok bool) {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	for _, i := range s.summaries {
		if len(base) > 2 && containsName(s.c.Items[i].Text, base) {
			return origin{item: int32(i)}, true
		}
	}
	return origin{}, false
}

// containsName reports whether a text contains a name that is not a part of a longer one.
func containsName(text, name string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		at += from
		from = at + 1
		if at > 0 && isNamePart(text[at-1]) {
			continue
		}
		if end := at + len(name); end < len(text) && isNamePart(text[end]) && !(text[end] == '.' && (end+1 == len(text) || !isNamePart(text[end+1]))) {
			continue
		}
		return true
	}
}

func isNamePart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}
