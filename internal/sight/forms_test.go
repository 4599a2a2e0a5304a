// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
)

// TestNumbersOfToolsAreRemoved checks the forms in which tools number lines, and that text with numbers of its own
// stays.
func TestNumbersOfToolsAreRemoved(t *testing.T) {
	for _, c := range []struct {
		text, want string
	}{
		{"    12→a\n    13→\tb", "12 [a|\tb]"},
		{"1\ta\n2\t\n3\tc", "1 [a||c]"},
		{"1: a\n2: \n3:  c", "1 [a|| c]"},
		{"00007| a\n00008| b", "7 [ a| b]"},
		{"3:x\n4:y\n9:z", "3 [x|y] 9 [z]"},
		{"     1  one\n     2  two", ""},
		{"package a\n\n12: x", ""},
	} {
		var got []string
		for _, b := range numberedBlocks(linesOf(c.text), true) {
			got = append(got, fmt.Sprintf("%d [%s]", b.start, strings.Join(b.lines, "|")))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestFramesOfOutputsAreRemoved checks the words that agents put around a command's output.
func TestFramesOfOutputsAreRemoved(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a\nb\n", "a\nb\n"},
		{"Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 3\nOutput:\na\nb\n", "a\nb\n"},
		{"Exit code: 0\nWall time: 0 seconds\nOutput:\na\n", "a\n"},
		{"<untrusted_context>\nOutput: a\nb\nProcess Group PGID: 12\n</untrusted_context>", "a\nb"},
		{"Exit code 1\na\n", "a\n"},
		{"a\nb\n<shellId: 3 completed with exit code 0>", "a\nb"},
		{"a\nOutput:\nb\n", "a\nOutput:\nb\n"},
	} {
		if got := body(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// inMemory are files that exist for a test.
type inMemory map[string]string

func (f inMemory) Resolve(folder, path string) string {
	if !strings.HasPrefix(path, "/") {
		path = strings.TrimSuffix(folder, "/") + "/" + strings.TrimPrefix(path, "./")
	}
	return path
}

func (f inMemory) Read(path string) (string, bool) { text, ok := f[path]; return text, ok }

// TestOutputsOfCommandsAreRecognized checks which lines of which files commands print, by the steps that they become.
func TestOutputsOfCommandsAreRecognized(t *testing.T) {
	for _, c := range []struct{ command, printed, want string }{
		{"cat a.go", "x\ny\n", "/w/a.go 1 x|y end"},
		{"cat a.go | head -2", "x\ny\n", "/w/a.go 1 x|y"},
		{"head -n 3 a.go", "x\n", "/w/a.go 1 x"},
		{"tail -n +5 a.go", "x\ny\n", "/w/a.go 5 x|y end"},
		{"tail -5 a.go", "x\n", "/w/a.go 0 x end"},
		{"sed -n '3,4p' a.go", "x\ny\n", "/w/a.go 3 x|y"},
		{"sed -n 3,$p a.go", "", ""}, // the shell would substitute $p
		{"sed -n '7p' sub/a.go", "x\n", "/w/sub/a.go 7 x"},
		{"cd sub && sed -n '3,4p' a.go", "x\ny\n", "/w/sub/a.go 3 x|y"},
		{"nl -ba a.go | sed -n '3,4p'", "     3\tx\n     4\ty\n", "/w/a.go 3 x|y"},
		{"cat -n a.go", "     1\tx\n     2\ty\n", "/w/a.go 1 x|y end"},
		{"awk 'NR>=3 && NR<=4' a.go", "x\ny\n", "/w/a.go 3 x|y"},
		{"rg -n foo a.go", "3:foo\n9:foo bar\n", "/w/a.go 3 foo; /w/a.go 9 foo bar"},
		{"grep -rn foo .", "a.go:3:foo\nb.go:4:foo\n", "/w/a.go 3 foo; /w/b.go 4 foo"},
		{"rg -n -C 1 foo", "a.go-2-x\na.go:3:foo\na.go-4-y\n", "/w/a.go 2 x|foo|y"},
		{"sed -n '1,2p' a.go; sed -n '5,6p' b.go", "x\ny\nu\nv\n", "/w/a.go 1 x|y; /w/b.go 5 u|v"},
		{"cat a.go; echo ---; cat b.go", "x\ny\n---\nu\n", "/w/a.go 1 x|y end; /w/b.go 1 u end"},
		{"cat a.go && cat b.go", "x\ny\nu\n", ""},
		{"git diff", "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,3 +1,3 @@\n x\n-y\n+z\n u\n", "/w/a.go 1 x|z|u"},
		{"git show HEAD:a.go", "x\n", ""},
		{"for f in *.go; do cat $f; done", "x\n", ""},
		{"cat a.go > b.go", "", ""},
		{"cat > b.go <<'EOF'\nx\ny\nEOF\n", "", "/w/b.go 1 x|y end"},
		{"cat a.go", "x\ny\n…12 tokens truncated…\nu\nv\n", "/w/a.go 1 x|y; /w/a.go 0 u|v end"},
		{"head -n 2 a.go", "x\ny\n<ended: 0>\n", "/w/a.go 1 x|y"},
		{"make test", "ok\n", ""},
	} {
		s := &Session{c: &conversation.Conversation{}, files: inMemory{}, steps: map[string][]step{}}
		x := &extractor{s: s, folder: "/w"}
		x.shell(c.command, nil, origin{item: 1}, origin{item: 0, wrote: true}, c.printed, false)
		var got []string
		for _, path := range s.Paths() {
			for i := range s.steps[path] {
				st := &s.steps[path][i]
				b := st.block
				if b.lines == nil {
					b = block{start: st.number, lines: linesOf(st.text), eof: st.eof}
				}
				text := fmt.Sprintf("%s %d %s", path, b.start, strings.Join(b.lines, "|"))
				if b.eof {
					text += " end"
				}
				got = append(got, text)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.command, got, c.want)
		}
	}
}

// TestPatchesAreApplied checks both forms of a patch, and that a file it adds is known whole.
func TestPatchesAreApplied(t *testing.T) {
	patch := "*** Begin Patch\n*** Update File: a.go\n@@\n x\n-y\n+z\n+u\n*** Add File: b.go\n+one\n+two\n*** End Patch"
	for _, text := range []string{patch, `{"patchText":` + fmt.Sprintf("%q", patch) + `}`} {
		call := &conversation.Item{Kind: core.ToolCalls, Tool: "apply_patch", Text: text}
		s := &Session{c: &conversation.Conversation{}, files: inMemory{}, steps: map[string][]step{}, present: []bool{true, true}}
		x := &extractor{s: s, folder: "/w"}
		x.add("a.go", step{by: origin{item: 0}, block: block{start: 1, lines: []string{"x", "y", "w"}, eof: true}})
		x.patch(patchIn(call, call.Arguments()), origin{item: 1, wrote: true})
		var lines []string
		for _, c := range s.model("/w/a.go").cells {
			lines = append(lines, c.text)
		}
		if want := []string{"x", "z", "u", "w"}; !reflect.DeepEqual(lines, want) {
			t.Errorf("the patched file is %q, want %q", lines, want)
		}
		if m := s.model("/w/b.go"); len(m.cells) != 2 || !m.begins || !m.ends {
			t.Errorf("the new file is %+v", m)
		}
	}
}

// TestEditsChangeTheModel checks changes within a line, of line ends, and of lines that repeat.
func TestEditsChangeTheModel(t *testing.T) {
	for _, c := range []struct {
		old, new string
		all      bool
		want     string
	}{
		{"two", "2", false, "one|2|three|one"},
		{"two\n", "", false, "one|three|one"},
		{"one\ntwo", "1\n2\n2b", false, "1|2|2b|three|one"},
		{"wo\nthr", "-", false, "one|t-ee|one"},
		{"one", "1", true, "1|two|three|1"},
		{"one", "1", false, "one|two|three|one"}, // it has no single place
		{"three", "", false, "one|two||one"},
		{"none", "x", false, "one|two|three|one"},
	} {
		m := &model{}
		m.show(block{start: 1, lines: []string{"one", "two", "three", "one"}, eof: true}, origin{item: 0})
		m.edit(change{old: c.old, new: c.new, all: c.all}, origin{item: 1, wrote: true})
		var lines []string
		for i, cell := range m.cells {
			lines = append(lines, cell.text)
			if cell.number != i+1 {
				t.Errorf("%q: line %d has the number %d", c.old, i+1, cell.number)
			}
		}
		if strings.Join(lines, "|") != c.want {
			t.Errorf("%q to %q: %q, want %q", c.old, c.new, lines, c.want)
		}
	}
}

// TestATextWithoutAPathNeedsFourLines checks that a text counts if four of its lines are in this file alone.
func TestATextWithoutAPathNeedsFourLines(t *testing.T) {
	lines := []string{"alpha()", "beta()", "gamma()", "delta()", "epsilon()"}
	for _, c := range []struct {
		shown, other string
		want         State
		inferred     bool
	}{
		{strings.Join(lines[:4], "\n"), "", Verbatim, true},
		{strings.Join(lines[:3], "\n"), "", Never, false},
		{strings.Join(lines[:4], "\n"), strings.Join(lines, "\n"), Never, false},
	} {
		files := inMemory{"/w/a.go": strings.Join(lines, "\n"), "/w/b.go": c.other}
		conv := &conversation.Conversation{Items: []conversation.Item{{Kind: core.User, Call: -1}}}
		s := &Session{c: conv, files: files, steps: map[string][]step{"/w/b.go": nil}, present: []bool{true}, sealed: -1}
		s.texts = []text{{by: origin{item: 0}, text: c.shown}}
		got := s.Of("/w/a.go", files["/w/a.go"]).Ranges[0]
		if got.State != c.want || got.Inferred != c.inferred {
			t.Errorf("%q beside %q: %s, inferred %t; want %s, %t", c.shown, c.other, got.State, got.Inferred, c.want, c.inferred)
		}
	}
}

// TestAFirstLineWithoutItsWhitespaceIsKnown checks outputs whose beginning an agent has trimmed, with and without a
// known place.
func TestAFirstLineWithoutItsWhitespaceIsKnown(t *testing.T) {
	conv := &conversation.Conversation{Items: []conversation.Item{{Kind: core.ToolResults, Call: -1}}}
	for _, start := range []int{2, 0} {
		s := &Session{c: conv, files: inMemory{}, steps: map[string][]step{}, present: []bool{true}, sealed: -1}
		shown := step{block: block{start: start, lines: []string{"second line of it", "\tthird line of it"}, trimmed: true}}
		s.steps["/a"] = []step{shown, shown}
		var got []string
		for _, r := range s.Of("/a", "first line of it\n\tsecond line of it\n\tthird line of it\nlast\n").Ranges {
			got = append(got, fmt.Sprintf("%d-%d %s", r.From, r.To, r.State))
		}
		if want := "1-1 never 2-3 verbatim 4-4 never"; strings.Join(got, " ") != want {
			t.Errorf("from line %d: %q, want %q", start, got, want)
		}
	}
}

// TestBlankLinesFollowTheirNeighbors checks lines of whitespace between lines in different states.
func TestBlankLinesFollowTheirNeighbors(t *testing.T) {
	conv := &conversation.Conversation{Items: []conversation.Item{{Kind: core.ToolResults, Call: -1}}}
	s := &Session{c: conv, files: inMemory{}, steps: map[string][]step{}, present: []bool{true}, sealed: -1}
	s.steps["/a"] = []step{{block: block{start: 1, lines: []string{"", "first line of it"}}}}
	var states []State
	for _, r := range s.Of("/a", "\nfirst line of it\n\n\nlast\n").Ranges {
		states = append(states, r.State)
		if r.State == Verbatim && (r.From != 1 || r.To != 4) {
			t.Errorf("verbatim lines are %d to %d", r.From, r.To)
		}
	}
	if !slices.Equal(states, []State{Verbatim, Never}) {
		t.Errorf("the states are %v", states)
	}
}
