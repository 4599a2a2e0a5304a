// Copyright The ctx-lsp authors. MIT licence.

package sight_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A world is a workspace with a session of Claude Code, made by random steps, and the truth about each line. The judge
// follows lines by their identity through every change; it never compares texts, and shares no code with the package.
type world struct {
	t       *testing.T
	r       *rand.Rand
	folder  string
	files   []*judgedFile
	records []string
	parents []string // the records on the current chain
	items   []*judgedItem
	turns   []turnMark // where the user spoke
	now     time.Time
	serial  int
	summary string
	log     []string
}

// A turnMark is a state to which a rewind can go back.
type turnMark struct{ chain, items int }

type judgedItem struct {
	live  bool
	wrote bool
	shows map[*judgedLine]bool
}

// A judgedLine is one line for its life. Another text at its place is another line.
type judgedLine struct {
	text         string
	before       []*judgedLine // the lines that it replaced
	after, until *judgedLine   // the neighbors between which it was inserted, if it replaced none
}

type judgedFile struct {
	name       string
	lines      []*judgedLine
	begin, end *judgedLine // stand for the file's ends
}

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{t: t, r: rand.New(rand.NewPCG(seed, 7)), folder: t.TempDir(), now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
	if real, err := filepath.EvalSymlinks(w.folder); err == nil {
		w.folder = real
	}
	for i := range 2 + w.r.IntN(3) {
		f := &judgedFile{name: fmt.Sprintf("f%d.go", i), begin: &judgedLine{}, end: &judgedLine{}}
		for range 20 + w.r.IntN(180) {
			f.lines = append(f.lines, &judgedLine{text: w.newText()})
		}
		w.files = append(w.files, f)
		w.save(f)
	}
	w.speak()
	return w
}

// newText returns a line: half are unique, the others repeat within files and across them.
func (w *world) newText() string {
	w.serial++
	switch n := w.r.IntN(40); {
	case n < 20:
		return fmt.Sprintf("\tvalue%d := call%d(%d) // line", w.serial, w.r.IntN(50), w.serial)
	case n < 22:
		return ""
	default:
		return repeated[w.r.IntN(len(repeated))]
	}
}

// repeated are lines that occur again and again.
var repeated = []string{
	"}", "\t}", "\t\t}", "\treturn nil", "\t\treturn err", "\tif err != nil {", "// Next step.", "\tcount++", "\t\tbreak", "\tdefer lock.Unlock()",
	"import (", ")", "\t\treturn", "\t\tcontinue", "\tlock.Lock()", "\tfor i := range list {", "\t} else {", "\tdefault:", "type options struct {",
	"\treturn true", "\tt.Parallel()", "\t})", "\tvar out []string", "\treturn out, nil",
}

func (w *world) save(f *judgedFile) {
	if err := os.WriteFile(filepath.Join(w.folder, f.name), []byte(f.text(0, len(f.lines))), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (f *judgedFile) text(from, to int) string {
	var text strings.Builder
	for _, l := range f.lines[from:to] {
		text.WriteString(l.text)
		text.WriteByte('\n')
	}
	return text.String()
}

// record appends a record to the transcript, as a child of the last one.
func (w *world) record(kind string, fields map[string]any) {
	w.now = w.now.Add(3 * time.Second)
	id := fmt.Sprintf("00000000-0000-4000-8000-%012d", len(w.records)+1)
	all := map[string]any{
		"type": kind, "uuid": id, "parentUuid": nil, "isSidechain": false, "userType": "external", "cwd": w.folder,
		"sessionId": "11111111-2222-4333-8444-555555555555", "version": "2.1.204", "timestamp": w.now.Format("2006-01-02T15:04:05.000Z"),
	}
	if n := len(w.parents); n > 0 {
		all["parentUuid"] = w.parents[n-1]
	}
	for name, value := range fields {
		all[name] = value
	}
	line, err := json.Marshal(all)
	if err != nil {
		w.t.Fatal(err)
	}
	w.records = append(w.records, string(line))
	w.parents = append(w.parents, id)
}

func (w *world) speak() {
	w.turns = append(w.turns, turnMark{len(w.parents), len(w.items)})
	w.record("user", map[string]any{"message": map[string]any{"role": "user", "content": fmt.Sprintf("Please do step %d.", len(w.records))}})
}

// call records a call of a tool and its result, and returns the items of both.
func (w *world) call(tool string, input any, result string) (call, shown *judgedItem) {
	n := len(w.records)
	id := fmt.Sprintf("toolu_%d", n)
	w.record("assistant", map[string]any{"requestId": fmt.Sprintf("req_%d", n), "message": map[string]any{
		"id": fmt.Sprintf("msg_%d", n), "role": "assistant", "model": "claude-opus-5", "type": "message", "stop_reason": "tool_use",
		"content": []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}},
		"usage":   map[string]any{"input_tokens": 10, "cache_read_input_tokens": 1000 + n, "cache_creation_input_tokens": 100, "output_tokens": 50},
	}})
	w.record("user", map[string]any{"message": map[string]any{"role": "user", "content": []any{
		map[string]any{"type": "tool_result", "tool_use_id": id, "content": result},
	}}})
	call = &judgedItem{live: true, wrote: true, shows: map[*judgedLine]bool{}}
	shown = &judgedItem{live: true, shows: map[*judgedLine]bool{}}
	w.items = append(w.items, call, shown)
	return call, shown
}

// sees marks lines as shown by an item.
func (f *judgedFile) sees(item *judgedItem, from, to int) {
	for _, l := range f.lines[from:to] {
		item.shows[l] = true
	}
	if from == 0 {
		item.shows[f.begin] = true
	}
}

// change replaces lines [from, to) by others. A line whose text is among the others, in the same order, stays the same.
func (f *judgedFile) change(from, to int, texts []string) []*judgedLine {
	stays := kept(f.lines[from:to], texts)
	var made []*judgedLine
	last := len(texts)
	for i := len(texts) - 1; i >= -1; i-- {
		if i >= 0 && stays[i] == nil {
			continue
		}
		at := from // after the line that stays
		for n := from; i >= 0 && n < to; n++ {
			if f.lines[n] == stays[i] {
				at = n + 1
			}
		}
		made = append(f.replace(at, to, texts[i+1:last]), made...)
		if i >= 0 {
			made = append([]*judgedLine{stays[i]}, made...)
			to, last = at-1, i
		}
	}
	return made
}

// replace puts new lines in the place of others.
func (f *judgedFile) replace(from, to int, texts []string) []*judgedLine {
	before := slices.Clone(f.lines[from:to])
	made := make([]*judgedLine, len(texts))
	for i, text := range texts {
		made[i] = &judgedLine{text: text, before: before}
		if from == to {
			made[i].after, made[i].until = f.at(from-1), f.at(from)
		}
	}
	rest := append([]*judgedLine{}, f.lines[to:]...)
	f.lines = append(append(f.lines[:from:from], made...), rest...)
	return made
}

// kept returns for each new text the old line that has it, as far as they are in the same order; nil for the others.
func kept(old []*judgedLine, texts []string) []*judgedLine {
	longest := make([][]int, len(old)+1)
	for i := len(old); i >= 0; i-- {
		longest[i] = make([]int, len(texts)+1)
		for j := len(texts) - 1; j >= 0 && i < len(old); j-- {
			if longest[i][j] = max(longest[i+1][j], longest[i][j+1]); old[i].text == texts[j] {
				longest[i][j] = max(longest[i][j], longest[i+1][j+1]+1)
			}
		}
	}
	made := make([]*judgedLine, len(texts))
	for i, j := 0, 0; i < len(old) && j < len(texts); {
		switch {
		case old[i].text == texts[j] && longest[i][j] == longest[i+1][j+1]+1:
			made[j] = old[i]
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return made
}

// between returns n random texts to put before a line and after another one. The first differs from the line after
// them, and the last from the line before: otherwise nothing would show which of two equal lines is the new one.
func (w *world) between(f *judgedFile, from, to, n int) []string {
	texts := make([]string, n)
	for i := range texts {
		for texts[i] = w.newText(); ; texts[i] = w.newText() {
			if i == 0 && to < len(f.lines) && f.lines[to].text == texts[i] || i == n-1 && from > 0 && f.lines[from-1].text == texts[i] {
				continue
			}
			break
		}
	}
	return texts
}

// at returns a line, or what stands for the file's ends.
func (f *judgedFile) at(i int) *judgedLine {
	switch {
	case i < 0:
		return f.begin
	case i >= len(f.lines):
		return f.end
	}
	return f.lines[i]
}

// truth returns the state of a line.
func (w *world) truth(f *judgedFile, l *judgedLine) string {
	read, own, was := false, false, false
	for _, item := range w.items {
		if item.shows[l] {
			switch {
			case !item.live:
				was = true
			case item.wrote:
				own = true
			default:
				read = true
			}
		}
	}
	switch {
	case read:
		return "verbatim"
	case own:
		return "own"
	case w.placed(l):
		return "stale"
	case was:
		return "gone"
	}
	return "never"
}

// truths returns the state of each line. If no line was ever sent, the summary may still name the file.
func (w *world) truths(f *judgedFile) (states []string) {
	sent := false
	for _, l := range f.lines {
		states = append(states, w.truth(f, l))
		sent = sent || states[len(states)-1] != "never"
	}
	if !sent && strings.Contains(w.summary, f.name) {
		for i := range states {
			states[i] = "summarized"
		}
	}
	return states
}

// placed reports whether the next request shows the place of a line: the line, one that it replaced, or both lines
// between which it was put.
func (w *world) placed(l *judgedLine) bool {
	for _, item := range w.items {
		if item.live && item.shows[l] {
			return true
		}
	}
	return slices.ContainsFunc(l.before, w.placed) || l.after != nil && w.placed(l.after) && w.placed(l.until)
}

// step does something at random.
func (w *world) step() {
	f := w.files[w.r.IntN(len(w.files))]
	n := len(f.lines)
	from := w.r.IntN(n)
	to := min(n, from+1+w.r.IntN(40))
	path := filepath.Join(w.folder, f.name)
	note := func(format string, args ...any) { w.log = append(w.log, f.name+": "+fmt.Sprintf(format, args...)) }
	switch kind := w.r.IntN(100); {
	case kind < 12: // the whole file
		note("read")
		_, shown := w.call("Read", map[string]any{"file_path": path}, withNumbers(f, 0, n, "\t"))
		f.sees(shown, 0, n)
		shown.shows[f.end] = true
	case kind < 27:
		note("read %d to %d", from+1, to)
		_, shown := w.call("Read", map[string]any{"file_path": path, "offset": from + 1, "limit": to - from}, withNumbers(f, from, to, "→"))
		f.sees(shown, from, to)
	case kind < 50:
		w.edit(f, path, from)
	case kind < 54:
		w.write(f, path)
	case kind < 72:
		w.shell(f, from, to)
	case kind < 90:
		to = min(n, from+w.r.IntN(8))
		texts := w.between(f, from, to, w.r.IntN(8))
		if n-(to-from)+len(texts) < 5 {
			return
		}
		note("another program replaces %d to %d by %q", from+1, to, texts)
		f.change(from, to, texts)
		w.save(f)
	case kind < 91:
		if w.r.IntN(2) == 0 {
			w.compact()
		}
	case kind < 95:
		w.rewind()
	default:
		w.speak()
	}
}

func withNumbers(f *judgedFile, from, to int, by string) string {
	var text strings.Builder
	for i, l := range f.lines[from:to] {
		fmt.Fprintf(&text, "%6d%s%s\n", from+i+1, by, l.text)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// edit replaces a few lines that are unique together. Usually the agent has seen them.
func (w *world) edit(f *judgedFile, path string, from int) {
	all := f.text(0, len(f.lines))
	to := from + 1
	for ; to <= len(f.lines); to++ {
		if old := f.text(from, to); once(all, old) && strings.TrimSpace(old) != "" {
			break
		}
	}
	if to > len(f.lines) || to-from > 12 {
		return
	}
	if seen := w.truth(f, f.lines[from]); seen == "never" && w.r.IntN(8) > 0 {
		return
	}
	texts := w.between(f, from, to, w.r.IntN(4))
	if len(texts) == 0 && len(f.lines)-(to-from) < 5 {
		return
	}
	w.log = append(w.log, fmt.Sprintf("%s: edit %d to %d: %q", f.name, from+1, to, texts))
	old, text := f.text(from, to), strings.Join(texts, "\n")
	if len(texts) > 0 {
		text += "\n"
	}
	if len(texts) > 0 && w.r.IntN(2) == 0 { // usually without the last line end
		old, text = strings.TrimSuffix(old, "\n"), strings.TrimSuffix(text, "\n")
		if !once(all, old) {
			return
		}
	}
	call, _ := w.call("Edit", map[string]any{"file_path": path, "old_string": old, "new_string": text}, "The file "+path+" has been updated successfully.")
	for _, l := range f.change(from, to, texts) {
		call.shows[l] = true
	}
	w.save(f)
}

// once reports whether a text contains another one at a single place.
func once(all, text string) bool {
	at := strings.Index(all, text)
	return at >= 0 && at == strings.LastIndex(all, text)
}

func (w *world) write(f *judgedFile, path string) {
	w.log = append(w.log, f.name+": write")
	from := w.r.IntN(len(f.lines))
	to := min(len(f.lines), from+3)
	f.change(from, to, []string{w.newText(), w.newText()})
	call, _ := w.call("Write", map[string]any{"file_path": path, "content": f.text(0, len(f.lines))}, "The file "+path+" has been updated successfully.")
	f.sees(call, 0, len(f.lines))
	call.shows[f.end] = true
	w.save(f)
}

func (w *world) shell(f *judgedFile, from, to int) {
	n := len(f.lines)
	bash := func(command, result string) *judgedItem {
		w.log = append(w.log, command)
		_, shown := w.call("Bash", map[string]any{"command": command, "description": "Looks"}, strings.TrimRight(result, "\n"))
		return shown
	}
	switch w.r.IntN(8) {
	case 0:
		shown := bash("cat "+f.name, f.text(0, n))
		f.sees(shown, 0, n)
		shown.shows[f.end] = true
	case 1:
		f.sees(bash(fmt.Sprintf("sed -n '%d,%dp' %s", from+1, to, f.name), f.text(from, to)), from, to)
	case 2:
		most := min(n, 1+w.r.IntN(50))
		f.sees(bash(fmt.Sprintf("head -n %d %s", most, f.name), f.text(0, most)), 0, most)
	case 3:
		f.sees(bash(fmt.Sprintf("nl -ba %s | sed -n '%d,%dp'", f.name, from+1, to), withNumbers(f, from, to, "\t")), from, to)
	case 4:
		word := fmt.Sprintf("call%d(", w.r.IntN(50))
		var text strings.Builder
		var found []int
		for i, l := range f.lines {
			if strings.Contains(l.text, word) {
				fmt.Fprintf(&text, "%d:%s\n", i+1, l.text)
				found = append(found, i)
			}
		}
		shown := bash("rg -n '"+word+"' "+f.name, text.String())
		for _, i := range found {
			f.sees(shown, i, i+1)
		}
	case 5:
		g := w.files[w.r.IntN(len(w.files))]
		most := min(len(g.lines), 10)
		shown := bash(fmt.Sprintf("sed -n '%d,%dp' %s; echo ----; head %s", from+1, to, f.name, g.name), f.text(from, to)+"----\n"+g.text(0, most))
		f.sees(shown, from, to)
		g.sees(shown, 0, most)
	case 6:
		shown := bash("cat -n "+f.name+" | tail -n 12", withNumbers(f, max(0, n-12), n, "\t"))
		f.sees(shown, max(0, n-12), n)
		shown.shows[f.end] = true
	case 7:
		bash("go test ./...", "ok  \texample.com/a\t0.01s\n")
	}
}

func (w *world) compact() {
	w.log = append(w.log, "compaction")
	w.summary = "The user wants steps."
	if w.r.IntN(3) == 0 {
		w.summary += " The file " + w.files[0].name + " was changed."
	}
	w.parents = w.parents[:0]
	w.record("system", map[string]any{
		"subtype": "compact_boundary", "content": "Conversation compacted", "isMeta": false, "level": "info",
		"compactMetadata": map[string]any{"trigger": "manual", "preTokens": 100000},
	})
	w.record("user", map[string]any{"isCompactSummary": true, "isVisibleInTranscriptOnly": true, "message": map[string]any{
		"role": "user", "content": "This session is being continued from a previous conversation. " + w.summary,
	}})
	for _, item := range w.items {
		item.live = false
	}
	w.turns = nil
	w.speak()
}

// rewind continues from an earlier prompt; the files stay as they are.
func (w *world) rewind() {
	if len(w.turns) < 2 {
		return
	}
	w.log = append(w.log, "rewind")
	to := w.turns[1+w.r.IntN(len(w.turns)-1)]
	if to.chain >= len(w.parents) || to.chain == 0 {
		return
	}
	for _, item := range w.items[to.items:] {
		item.live = false
	}
	w.parents = w.parents[:to.chain]
	for len(w.turns) > 0 && w.turns[len(w.turns)-1].chain >= to.chain {
		w.turns = w.turns[:len(w.turns)-1]
	}
	w.speak()
}

func (w *world) transcript() string {
	path := filepath.Join(w.folder, "session.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(w.records, "\n")+"\n"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}
