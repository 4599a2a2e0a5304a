// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/redact"
)

// A noteHead identifies the session of a note.
type noteHead struct {
	Title, Agent, Model, Workspace, Branch, Session, Transcript, Last string

	Turns, Compactions, Skipped int
	Struck                      int // values that look like secrets
}

// countText counts a text with the vocabulary of the model that will read it.
type countText func(text string) (int64, error)

// SmallestHandover is the smallest allowed size of a note: its head and one part fit.
const SmallestHandover = 150

// Note writes the facts in at most the given number of tokens. It uses that size fully if there is enough to write.
func (f *Facts) Note(head *noteHead, most int64, count countText) (text string, tokens int64, err error) {
	parts := f.parts()
	sum := 0
	for i := range parts {
		sum += parts[i].need
	}
	write := func(room int) string { return head.text() + body(parts, room) }
	fits := func(room int) bool {
		if err != nil {
			return false
		}
		tokens, err = count(write(room))
		return err == nil && tokens <= most
	}
	// More space can make a note slightly shorter, when another entry of a list begins, so check the size found again.
	room := sort.Search(sum+1, func(room int) bool { return !fits(room) }) - 1
	for ; room > 0 && err == nil && !fits(room); room-- {
	}
	if err != nil {
		return "", 0, err
	}
	text = write(max(room, 0))
	if tokens, err = count(text); err != nil || tokens <= most {
		return text, tokens, err
	}
	// Not even the head fits.
	n := sort.Search(len(text), func(n int) bool {
		cost, fault := count(cut(text, n))
		return fault != nil || cost > most
	})
	text = cut(text, max(n-1, 0))
	tokens, err = count(text)
	return text, tokens, err
}

// A part is a section of the note that can be shortened to less space than it needs.
type part struct {
	heading string
	weight  int // share of the space, among the parts that need more than there is
	need    int
	write   func(room int) string // returns at most room bytes; "" if nothing useful fits
}

func (f *Facts) parts() []part {
	var list []part
	add := func(heading string, weight int, write func(room int) string) {
		if full := write(1 << 30); full != "" {
			list = append(list, part{heading, weight, len(heading) + 6 + len(full), write})
		}
	}
	words := func(text string) func(int) string {
		return func(room int) string { return quote(shorten(text, room, 70, 2)) }
	}
	if f.Latest != "" {
		add("Goal (first request)", 14, words(f.First))
		add("Last request", 16, words(f.Latest))
	} else if f.First != "" {
		add("Goal (the request)", 20, words(f.First))
	}
	add("To do", 14, f.todos().text)
	add("Files touched", 12, f.files().text)
	add("Failing commands", 16, f.failures)
	add("Last reply", 24, f.answered)
	add("Requests in between, newest first", 5, f.others().text)
	return list
}

// body writes the parts in the given number of bytes: parts that need less than their share leave the rest to the
// others.
func body(parts []part, room int) string {
	rooms := make([]int, len(parts))
	open := make([]bool, len(parts))
	for i := range parts {
		open[i] = true
	}
	for left, again := room, true; again; {
		again = false
		weights := 0
		for i := range parts {
			if open[i] {
				weights += parts[i].weight
			}
		}
		for i := range parts {
			if !open[i] {
				continue
			}
			if rooms[i] = left * parts[i].weight / weights; rooms[i] >= parts[i].need {
				rooms[i], open[i], again = parts[i].need, false, true
				left -= parts[i].need
				break
			}
		}
	}
	var out strings.Builder
	for i := range parts {
		p := &parts[i]
		if text := p.write(rooms[i] - len(p.heading) - 6); text != "" {
			fmt.Fprintf(&out, "\n## %s\n\n%s\n", p.heading, text)
		}
	}
	return out.String()
}

// text returns the head of the note: which session it is about.
func (h *noteHead) text() string {
	title := h.Title
	if title == "" {
		title = "session " + h.Session
	}
	who := []string{}
	for _, word := range []string{h.Agent, h.Model} {
		if word != "" {
			who = append(who, word)
		}
	}
	line := strings.Join(who, ", ")
	if h.Workspace != "" {
		line += " in " + h.Workspace
	}
	if h.Branch != "" {
		line += " on branch " + h.Branch
	}
	facts := []string{}
	if h.Turns > 0 {
		facts = append(facts, plural(h.Turns, "turn", "turns"))
	}
	if h.Compactions > 0 {
		facts = append(facts, plural(h.Compactions, "compaction", "compactions"))
	}
	if h.Last != "" {
		facts = append(facts, "last at "+h.Last)
	}
	if len(facts) > 0 {
		line += "; " + strings.Join(facts, ", ")
	}
	out := "# Handover: " + title + "\n\n" + strings.TrimPrefix(line, "; ") + ".\n"
	if h.Transcript != "" {
		out += "Transcript: " + h.Transcript + "\n"
	}
	if h.Skipped > 0 {
		out += plural(h.Skipped, "record", "records") + " of it could not be read.\n"
	}
	if note := redact.Note(h.Struck); note != "" {
		out += note + "\n"
	}
	return out
}

// todos lists the entries that are not done, and the number of those that are.
func (f *Facts) todos() *list {
	var lines []string
	finished := 0
	for _, t := range f.Todos {
		switch t.State {
		case done:
			finished++
		case doing:
			lines = append(lines, "- "+core.OneLine(t.Text)+" (in progress)")
		default:
			lines = append(lines, "- "+core.OneLine(t.Text))
		}
	}
	rest := ""
	switch {
	case finished > 0 && len(lines) == 0:
		rest = "All " + plural(finished, "entry of the agent's list is", "entries of the agent's list are") + " done."
	case finished > 0:
		rest = plural(finished, "other is done", "others are done") + "."
	}
	return newList(lines, rest)
}

func (f *Facts) files() *list {
	var lines []string
	for _, file := range f.Files {
		switch {
		case file.Changes > 1:
			lines = append(lines, fmt.Sprintf("- %s (changed %d times)", file.Path, file.Changes))
		case file.Changes == 1:
			lines = append(lines, "- "+file.Path+" (changed)")
		default:
			lines = append(lines, "- "+file.Path+" (read)")
		}
	}
	return newList(lines, "")
}

// longestOther is how many bytes are shown of a request between the first and the last.
const longestOther = 160

func (f *Facts) others() *list {
	var lines []string
	for _, words := range f.Others {
		line := strings.Join(strings.Fields(words), " ")
		if len(line) > longestOther {
			line = wordEnd(cut(line, longestOther)) + " …"
		}
		lines = append(lines, "- "+line)
	}
	return newList(lines, "")
}

// leastOfFailure is the minimum space for a command and the end of its output to be useful; with less, the oldest
// commands are left out.
const leastOfFailure = 240

// failures lists the last failing commands, each with the end of its output.
func (f *Facts) failures(room int) string {
	var all []string
	for i := range f.Failed {
		all = append(all, f.Failed[i].text(1<<20))
	}
	if text := strings.Join(all, "\n"); len(text) <= room {
		return text
	}
	for shown := len(f.Failed); shown > 0; shown-- {
		each := room / shown
		if each < leastOfFailure && shown > 1 {
			continue
		}
		var out []string
		for i := range f.Failed[:shown] {
			if text := f.Failed[i].text(each - 1); text != "" {
				out = append(out, text)
			}
		}
		return strings.Join(out, "\n")
	}
	return ""
}

func (f *Failure) text(room int) string {
	ago := ""
	if f.Ago > 0 {
		ago = ", " + plural(f.Ago, "command", "commands") + " ago"
	}
	command := strings.ReplaceAll(f.Command, "`", "'")
	line := func(n int) string {
		return "- `" + shorten(strings.Join(strings.Fields(command), " "), n, 80, 0) + "` exit " + strconv.Itoa(f.Exit) + ago
	}
	text := line(min(room/2, 300))
	if len(text) > room {
		return ""
	}
	if left := room - len(text) - 20; left > 30 && f.Output != "" {
		text += "\n  " + strings.ReplaceAll(shorten(f.Output, min(left, 1500), 25, 2), "\n", "\n  ")
	}
	return cut(text, room)
}

// answered returns the agent's last message, and what it did since.
func (f *Facts) answered(room int) string {
	since := ""
	if f.Doing != "" {
		since = "Since then, without a final reply: " + f.Doing + "."
	}
	left := room
	if since != "" {
		left -= len(since) + 2
	}
	text := shorten(f.Answer, left, 60, 0)
	if text == "" {
		return cut(since, room)
	}
	if since != "" {
		text += "\n\n" + since
	}
	return text
}

// quote marks a text as a quotation.
func quote(text string) string {
	if text == "" {
		return ""
	}
	return "> " + strings.ReplaceAll(text, "\n", "\n> ")
}

const gap = " […] "

// shorten removes the middle of a text that does not fit. The given percentage of what remains is the beginning. indent
// is added to the size of each line, because the text will be quoted or indented.
func shorten(text string, room, beginning, indent int) string {
	text = strings.TrimSpace(blankLines(text))
	room -= indent
	if len(text)+indent*strings.Count(text, "\n") <= room {
		return text
	}
	room -= len(gap)
	if room < 30 {
		return ""
	}
	room -= indent * strings.Count(text[:min(room, len(text))], "\n")
	head := max(room, 0) * beginning / 100
	from := len(text) - (max(room, 0) - head)
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return strings.TrimRight(wordEnd(cut(text, head)), " \n") + gap + strings.TrimLeft(wordBegin(text[from:]), " \n")
}

// blankLines reduces several blank lines in a row to one.
func blankLines(text string) string {
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return text
}

// wordEnd removes the last word of a text if it is short, because it may be cut off.
func wordEnd(text string) string {
	if at := strings.LastIndexAny(text, " \n"); at > len(text)-20 && at > 0 {
		return text[:at]
	}
	return text
}

func wordBegin(text string) string {
	if at := strings.IndexAny(text, " \n"); at >= 0 && at < 20 && at < len(text)-1 {
		return text[at+1:]
	}
	return text
}

// cut returns at most the first n bytes of a text, ending between characters.
func cut(text string, n int) string {
	if n <= 0 {
		return ""
	}
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
