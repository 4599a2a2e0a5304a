// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// State is what happened to an entry in a compaction.
type State string

// The states.
const (
	Kept      State = "kept"      // still sent, word for word, or attached again
	InSummary State = "inSummary" // mentioned in the summary
	Gone      State = "gone"
	Unknown   State = "unknown" // the summary is not recorded
)

// An Entry is a part of the window: a message, a call with its results, or a file with everything that was read from it
// and written to it.
type Entry struct {
	Kind    core.Kind
	Label   string
	Excerpt string // the beginning of a message
	Texts   []string
	Known   int64 // tokens known without counting
	Uncount bool  // a part of it, such as an image, has no text to count
	State   State
	// Names is the number of its names that few other entries have, and Found how many of them the summary contains;
	// Missing are some of the others.
	Names, Found int
	Missing      []string

	items   []*Item
	texts   []*Item // the items of Texts
	sent    []sent
	subject string
}

// sent is a part of an entry that is sent again: one of its items, or the text of a file attached again.
type sent struct {
	item *Item // nil for a text
	text string
}

// A Compaction is one boundary, compared with its summary. The comparison finds words without understanding them: "in
// the summary" means that the summary contains enough of an entry's names.
type Compaction struct {
	Number, Of int // 1 is the first
	At         int64
	Auto       bool
	Summary    string
	Entries    []Entry
	After      *After // nil if the agent records no size of its own
	Reasoning  int    // number of reasoning items, which no agent keeps and which are not listed
}

// ErrNeverCompacted is the error about a session without a compaction.
var ErrNeverCompacted = errors.New("this session was never compacted")

// compactionOf compares one compaction: the number-th, or the last one if number is 0.
func compactionOf(c *Conversation, number int) (*Compaction, error) {
	n := len(c.Boundaries)
	switch {
	case n == 0:
		return nil, ErrNeverCompacted
	case number > n && n == 1:
		return nil, errors.New("it was compacted only once")
	case number < 0 || number > n:
		return nil, fmt.Errorf("it was compacted only %d times", n)
	case number == 0:
		number = n
	}
	b := &c.Boundaries[number-1]
	out := &Compaction{Number: number, Of: n, At: b.At, Auto: b.Auto, Summary: b.Summary}
	out.collect(c, b)
	again := out.judge(c, b)
	if b.Carried > 0 {
		out.After = after(c, b, again)
	}
	return out, nil
}

// collect builds the entries from the items that were in the window.
func (o *Compaction) collect(c *Conversation, b *Boundary) {
	at := map[int]int{}       // the entry of a call
	files := map[string]int{} // the entry of a file
	for _, i := range b.Before {
		it := &c.Items[i]
		if it.Kind == core.Reasoning {
			o.Reasoning++
			continue
		}
		e, some := at[it.Call]
		if file := it.About.What == core.OfFile && it.About.Name != ""; !some || it.Call < 0 {
			if e, some = files[it.About.Name]; !file || !some {
				e = len(o.Entries)
				o.Entries = append(o.Entries, newEntry(it, c.Workspace))
			}
			if file {
				files[it.About.Name] = e
			}
		}
		if it.Kind == core.ToolCalls {
			at[i] = e
		}
		o.Entries[e].add(it)
	}
}

func newEntry(it *Item, workspace string) Entry {
	e := Entry{Kind: it.Kind}
	switch it.Kind {
	case core.ToolCalls, core.ToolResults:
		e.Label, e.subject = itemName(it, workspace), it.About.Name
		if e.subject == "" {
			e.subject = it.Command()
		}
		if e.Label == it.Tool && it.Kind == core.ToolCalls {
			if e.Excerpt = excerpt(withoutFolder(it.Command(), workspace)); e.Excerpt == "" {
				e.Excerpt = excerpt(it.Text)
			}
		}
	default:
		e.Label, e.Excerpt = it.Kind.Label().English(), excerpt(it.Text)
		if it.Label != "" {
			e.Label = it.Label
		}
		if it.About.Name != "" {
			e.Label, e.subject = itemName(it, workspace), it.About.Name
		}
	}
	return e
}

func (e *Entry) add(it *Item) {
	e.items = append(e.items, it)
	switch {
	case it.Tokens >= 0:
		e.Known += it.Tokens
	case it.Text != "":
		e.Texts, e.texts = append(e.Texts, it.Counted()), append(e.texts, it)
	case it.Kind == core.Media:
		e.Uncount = true
	}
}

const longestExcerpt = 100

func excerpt(text string) string {
	text = core.OneLine(text)
	if r := []rune(text); len(r) > longestExcerpt {
		text = strings.TrimRight(string(r[:longestExcerpt]), " ") + "…"
	}
	return text
}

// judge sets the state of each entry, and returns what is sent again.
func (o *Compaction) judge(c *Conversation, b *Boundary) *sentAgainTexts {
	kept := map[*Item]bool{}
	for _, i := range b.Kept {
		kept[&c.Items[i]] = true
	}
	after := sentAgain(c, b)
	summary := newSearchedText(b.Summary)
	names := make([]set, len(o.Entries))
	common := map[string]int{}
	for i := range o.Entries {
		names[i] = o.Entries[i].names()
		for name := range names[i] {
			common[name]++
		}
	}
	most := max(4, len(o.Entries)/5)
	for i := range o.Entries {
		e := &o.Entries[i]
		for name := range names[i] {
			if common[name] > most {
				delete(names[i], name)
			}
		}
		switch {
		case e.stays(kept, after):
			e.State = Kept
		case b.Summary == "":
			e.State = Unknown
		case e.spokenOf(summary, names[i]):
			e.State = InSummary
		default:
			e.State = Gone
		}
	}
	return after
}

// sentAgainTexts is the content sent between a compaction and the agent's first response.
type sentAgainTexts struct {
	texts string
	files map[string]*Item
	taken map[string]bool // the texts already assigned to an entry: a text that occurred twice is sent again only once
}

// sentAgain collects the items between a compaction and the agent's first response, without those that were kept.
func sentAgain(c *Conversation, b *Boundary) *sentAgainTexts {
	a := &sentAgainTexts{files: map[string]*Item{}, taken: map[string]bool{}}
	var texts strings.Builder
	for i := b.After; i < len(c.Items); i++ {
		it := &c.Items[i]
		if it.Kind == core.Summary || slices.Contains(b.Kept, i) {
			continue
		}
		if it.Kind == core.Assistant && it.Text != "" || it.Kind == core.ToolCalls || it.Kind == core.Reasoning {
			break
		}
		texts.WriteString(flat(it.Text))
		texts.WriteByte('\n')
		if it.Kind != core.ToolCalls && it.About.What == core.OfFile && !refers(it) {
			a.files[it.About.Name] = it
		}
	}
	a.texts = texts.String()
	return a
}

// refers reports whether an item names a file without its content: its text is the file's path, or the end of it.
func refers(it *Item) bool {
	return it.Kind == core.Documents && strings.HasSuffix(it.About.Name, it.Text)
}

// shortestKept is the minimum length of a text to be recognized when it is sent again.
const shortestKept = 12

// stays reports whether an entry is still sent, at least in part: it was kept, or its text or file is sent again. It
// records the parts in e.sent.
func (e *Entry) stays(kept map[*Item]bool, after *sentAgainTexts) bool {
	last := e.items[len(e.items)-1]
	var file *Item
	for _, it := range []*Item{e.items[0], last} {
		if it.About.What == core.OfFile && after.files[it.About.Name] != nil {
			file = after.files[it.About.Name]
		}
	}
	stays := file != nil
	var parts []sent
	for _, it := range e.items {
		found := file == nil && after.has(it)
		stays = stays || kept[it] || found && it == last
		if kept[it] || found && !after.taken[it.Text] {
			parts = append(parts, sent{item: it})
		}
	}
	if file != nil && !after.taken[file.Text] {
		after.taken[file.Text] = true
		parts = append(parts, sent{text: file.Counted()})
	}
	if stays {
		for _, part := range parts {
			if part.item != nil {
				after.taken[part.item.Text] = true
			}
		}
		e.sent = parts
	}
	return stays
}

// has reports whether an item's text is sent again.
func (a *sentAgainTexts) has(it *Item) bool {
	text := flat(it.Text)
	return len(text) >= shortestKept && strings.Contains(a.texts, text)
}

// allTexts returns the texts to count for an entry: its own, followed by those of files sent again.
func (e *Entry) allTexts() []string {
	texts := slices.Clone(e.Texts)
	for _, part := range e.sent {
		if part.item == nil {
			texts = append(texts, part.text)
		}
	}
	return texts
}

// sizes returns the tokens of an entry and how many of them are sent again. counts has the counts of allTexts.
func (e *Entry) sizes(counts []int64) (tokens, kept int64) {
	tokens = e.Known
	of := map[*Item]int64{}
	for i, it := range e.texts {
		of[it] = counts[i]
		tokens += counts[i]
	}
	counts = counts[len(e.texts):]
	for _, part := range e.sent {
		switch {
		case part.item == nil:
			kept += counts[0]
			counts = counts[1:]
		case part.item.Tokens >= 0:
			kept += part.item.Tokens
		default:
			kept += of[part.item]
		}
	}
	return tokens, min(kept, tokens) // an attached file may be longer than the parts of it that were in the window
}

// names returns the names in an entry's texts, and its long words too if there are few names.
func (e *Entry) names() set {
	names, plain := set{}, set{}
	for _, it := range e.items {
		texts := []string{it.Text}
		if it.Kind == core.ToolCalls {
			if arguments := it.Arguments(); len(arguments) > 0 {
				texts = slices.Collect(maps.Values(arguments))
			}
		}
		for _, text := range texts {
			n, p := namesOf(text)
			maps.Copy(names, n)
			maps.Copy(plain, p)
		}
	}
	if len(names) < 3 {
		maps.Copy(names, plain)
	}
	return names
}

// spokenOf reports whether the summary mentions an entry: it contains the entry's whole text, its subject, or at least
// two of its names and a third of them. It sets Names, Found and Missing.
func (e *Entry) spokenOf(summary *searchedText, names set) bool {
	e.Names = len(names)
	var missing []string
	for name, written := range names {
		if summary.has(name) {
			e.Found++
		} else {
			missing = append(missing, written)
		}
	}
	slices.Sort(missing)
	e.Missing = missing[:min(len(missing), 5)]
	if text := flat(e.items[0].Text); e.Kind != core.ToolCalls && len(text) >= shortestKept && strings.Contains(summary.text, text) {
		return true
	}
	if subject := e.subject; len(subject) >= 4 {
		if strings.Contains(subject, " ") {
			if strings.Contains(summary.text, flat(subject)) {
				return true
			}
		} else if isName(subject) && summary.has(subject) {
			return true
		}
	}
	return e.Found >= 2 && e.Found*3 >= e.Names
}
