// Copyright The ctx-lsp authors. MIT licence.

package sight_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/sight"
)

// TestTheExtentOfAChangeAtAnEdgeIsUnknown checks the lines next to a partial read whose last line another program has
// changed: how many of them are new is not recorded. A change inside of the read is stale, and so is one that reaches
// the end of a whole read.
func TestTheExtentOfAChangeAtAnEdgeIsUnknown(t *testing.T) {
	w := newWorld(t, 5)
	f := w.files[0]
	f.lines = nil
	for n := range 40 {
		f.lines = append(f.lines, &judgedLine{text: string(rune('a'+n%26)) + " is a line that is long enough to be found " + string(rune('0'+n/26))})
	}
	path := filepath.Join(w.folder, f.name)
	w.call("Read", map[string]any{"file_path": path, "offset": 11, "limit": 10}, withNumbers(f, 10, 20, "\t"))
	f.lines[13] = &judgedLine{text: "another text inside"}
	f.lines[19] = &judgedLine{text: "another text at the end"}
	w.save(f)
	expectStates(t, w, f, map[sight.State]int{sight.Verbatim: 8, sight.Stale: 1, sight.Unknown: 8, sight.Never: 23})

	w.call("Read", map[string]any{"file_path": path}, withNumbers(f, 0, 40, "\t"))
	f.lines[39] = &judgedLine{text: "another last line"}
	w.save(f)
	expectStates(t, w, f, map[sight.State]int{sight.Verbatim: 39, sight.Stale: 1})
}

// TestTheLineAfterAPartIsNoPartOfIt checks a read of the first lines whose result ends with the number of the others.
func TestTheLineAfterAPartIsNoPartOfIt(t *testing.T) {
	w := newWorld(t, 5)
	f := w.files[0]
	f.lines = nil
	for n := range 30 {
		f.lines = append(f.lines, &judgedLine{text: fmt.Sprintf("the line %d is long enough to be found", n)})
	}
	w.save(f)
	w.call("Read", map[string]any{"file_path": filepath.Join(w.folder, f.name), "offset": 1, "limit": 20}, f.text(0, 20)+"\n[10 more lines in file. Use offset=21 to continue.]")
	expectStates(t, w, f, map[sight.State]int{sight.Verbatim: 20, sight.Never: 10})
}

// TestALineThatMayBeAnotherOneIsUnknown checks a short line that was among replaced lines and is among the new ones.
func TestALineThatMayBeAnotherOneIsUnknown(t *testing.T) {
	w := newWorld(t, 5)
	f := w.files[0]
	f.lines = judged([]string{"the first line is a long one", "	old := 1", "}", "	old := 2", "the last line is a long one"})
	path := filepath.Join(w.folder, f.name)
	w.call("Read", map[string]any{"file_path": path}, withNumbers(f, 0, 5, "\t"))
	f.lines = judged([]string{"the first line is a long one", "	fresh := 1", "}", "	fresh := 2", "}", "	fresh := 3", "the last line is a long one"})
	w.save(f)
	expectStates(t, w, f, map[sight.State]int{sight.Verbatim: 2, sight.Stale: 3, sight.Unknown: 2})
}

// TestAnEditBeforeTheFirstReadIsOwn checks that the agent's text has its place once a read shows it, also after a
// rewind has dropped the read.
func TestAnEditBeforeTheFirstReadIsOwn(t *testing.T) {
	w := newWorld(t, 5)
	f := w.files[0]
	f.lines = judged([]string{"the first line is a long one", "the second line is new and long", "the third line is a long one", "the last line is a long one"})
	path := filepath.Join(w.folder, f.name)
	w.call("Edit", map[string]any{"file_path": path, "old_string": "the second line", "new_string": "the second line is new and long\n"}, "The file has been updated.")
	w.speak()
	chain := len(w.parents) - 1
	w.call("Read", map[string]any{"file_path": path}, withNumbers(f, 0, 4, "\t"))
	w.parents = w.parents[:chain]
	w.speak()
	f.lines[1] = &judgedLine{text: "someone has changed the second line"}
	w.save(f)
	expectStates(t, w, f, map[sight.State]int{sight.Gone: 3, sight.Stale: 1})
}

// TestALineBetweenLinesOfOneItemIsStale checks lines that were put into what one read shows, and of which a later read
// shows a part: the others are stale, also after a rewind has dropped the read that showed them all.
func TestALineBetweenLinesOfOneItemIsStale(t *testing.T) {
	w := newWorld(t, 5)
	f := w.files[0]
	f.lines = judged([]string{"the first line is a long one", "the second line is a long one", "the third line is a long one", "the last line is a long one"})
	path := filepath.Join(w.folder, f.name)
	w.call("Read", map[string]any{"file_path": path}, withNumbers(f, 0, 4, "\t"))
	f.replace(2, 2, []string{"one line is new and long", "two lines are new and long", "three lines are new and long"})
	w.save(f)
	w.call("Read", map[string]any{"file_path": path, "offset": 5}, withNumbers(f, 4, 7, "\t"))
	w.speak()
	chain := len(w.parents) - 1
	w.call("Read", map[string]any{"file_path": path}, withNumbers(f, 0, 7, "\t"))
	w.parents = w.parents[:chain]
	w.speak()
	expectStates(t, w, f, map[sight.State]int{sight.Verbatim: 5, sight.Stale: 2})
}

// TestLinesBetweenTwoReadsThatShowTheirEndsAreNotStale checks lines that replace others between two partial reads: what
// was there is gone, so that the request has nothing at their place.
func TestLinesBetweenTwoReadsThatShowTheirEndsAreNotStale(t *testing.T) {
	w := newWorld(t, 5)
	f := w.files[0]
	f.lines = nil
	for n := range 30 {
		f.lines = append(f.lines, &judgedLine{text: fmt.Sprintf("the line %d is long enough to be found", n)})
	}
	path := filepath.Join(w.folder, f.name)
	w.call("Read", map[string]any{"file_path": path}, withNumbers(f, 0, 30, "\t"))
	w.compact()
	f.change(12, 14, []string{"one line is new and long", "two lines are new and long"})
	w.save(f)
	w.call("Read", map[string]any{"file_path": path, "limit": 12}, withNumbers(f, 0, 12, "\t"))
	w.call("Read", map[string]any{"file_path": path, "offset": 15}, withNumbers(f, 14, 30, "\t"))
	expectStates(t, w, f, map[sight.State]int{sight.Verbatim: 28, sight.Never: 2})
}

// TestASummaryThatNamesAFile checks the lines of a file that a compaction's summary names: lines that were sent are
// gone, whatever the summary says. Only of a file that was never sent the summary is all that the request has.
func TestASummaryThatNamesAFile(t *testing.T) {
	for sent, want := range map[bool]map[sight.State]int{
		true:  {sight.Gone: 2, sight.Never: 2},
		false: {sight.Summarized: 4},
	} {
		w := newWorld(t, 5)
		f := w.files[0]
		f.lines = judged([]string{"the first line is a long one", "the second line is a long one", "the third line is a long one", "the last line is a long one"})
		w.save(f)
		path := filepath.Join(w.folder, f.name)
		if sent {
			w.call("Read", map[string]any{"file_path": path, "limit": 2}, withNumbers(f, 0, 2, "\t"))
		}
		for w.compact(); !strings.Contains(w.summary, f.name); {
			w.compact()
		}
		expectStates(t, w, f, want)
		answer := open(t, w).Of(path, f.text(0, len(f.lines)))
		if brief := answer.Brief(100); !sent && brief != "only a summary names it: 1-4" || sent && brief != "no longer in the request: 1-2; the rest never sent" {
			t.Errorf("in brief: %s", brief)
		}
		if r := answer.Ranges[0]; r.Item == nil || r.At == nil {
			t.Errorf("the range has no item or no time: %s", list(answer))
		}
	}
}

func expectStates(t *testing.T, w *world, f *judgedFile, want map[sight.State]int) {
	t.Helper()
	answer := open(t, w).Of(filepath.Join(w.folder, f.name), f.text(0, len(f.lines)))
	for state, n := range answer.Count() {
		if want[state] != n {
			t.Errorf("%d lines are %s, expected %d: %s", n, state, want[state], list(answer))
		}
	}
	for _, r := range answer.Ranges {
		if r.State == sight.Unknown && r.Why.String() != "the record does not show how far a change goes" {
			t.Errorf("lines %d to %d are unknown because %q", r.From, r.To, r.Why)
		}
	}
}

// TestAnEditOfWholeLinesKeepsTheNextOne checks an edit whose last argument ends with a line end: the line after it
// stays.
func TestAnEditOfWholeLinesKeepsTheNextOne(t *testing.T) {
	w := newWorld(t, 5)
	f := w.files[0]
	f.lines = judged([]string{"the first line is a long one", "	return sum", "}"})
	path := filepath.Join(w.folder, f.name)
	w.call("Read", map[string]any{"file_path": path}, withNumbers(f, 0, 3, "\t"))
	w.call("Edit", json.RawMessage(fmt.Sprintf(`{"file_path":%q,"old_string":"\treturn sum\n","new_string":"\treturn total\n"}`, path)), "The file has been updated.")
	f.lines[1] = &judgedLine{text: "	return total"}
	w.save(f)
	expectStates(t, w, f, map[sight.State]int{sight.Verbatim: 2, sight.Own: 1})
}
