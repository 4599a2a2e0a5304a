// Copyright The ctx-lsp authors. MIT licence.

package sight_test

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/sight"
)

// TestWhatIsReadAgainIsFound checks which outputs repeat lines of the request: a file read twice, a part of it in a
// shell, text that the agent wrote, and a file that a compaction had dropped.
func TestWhatIsReadAgainIsFound(t *testing.T) {
	w := newWorld(t, 3)
	f := w.files[0]
	path := filepath.Join(w.folder, f.name)
	n := len(f.lines)
	w.call("Read", map[string]any{"file_path": path}, withNumbers(f, 0, n, "\t"))
	w.call("Read", map[string]any{"file_path": path}, withNumbers(f, 0, n, "→"))
	w.call("Bash", map[string]any{"command": "sed -n '3,12p' " + f.name + "; date"}, f.text(2, 12)+strings.Repeat("Sun Nov 29\n", 3))
	w.call("Bash", map[string]any{"command": "ls"}, "a\nb\nc\nd\ne\nf\n")
	w.call("Write", map[string]any{"file_path": path + ".txt", "content": "one line\ntwo lines\nthree lines\nfour lines\nfive lines\n"}, "The file has been created.")
	w.call("Bash", map[string]any{"command": "cat " + f.name + ".txt"}, "one line\ntwo lines\nthree lines\nfour lines\nfive lines\n")
	w.compact()
	w.call("Read", map[string]any{"file_path": path}, withNumbers(f, 0, n, "\t"))
	s, err := sessions.At(w.transcript())
	if err != nil {
		t.Fatal(err)
	}
	c, err := conversation.Read(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := sight.FindRepeats(c)
	var got []string
	for _, each := range append(found.List, found.Lost...) {
		got = append(got, fmt.Sprintf("%s %s %s %d", each.Tool, filepath.Base(each.Path), each.Kind, each.Requests))
	}
	want := []string{"Read f0.go same 4", "Bash . part 3", "Bash f0.go.txt own 0", "Read f0.go after 0"}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("found %q, want %q", got, want)
		}
	}
	if len(got) != len(want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// TestRepeatsInRecordedSessions prints what real sessions have read again while it was still in the request, by agent,
// tool and kind. It needs CTX_TRANSCRIPTS or CTX_FRESH.
func TestRepeatsInRecordedSessions(t *testing.T) {
	type sum struct{ characters, all int64 }
	kinds, agents := map[string]*sum{}, map[string]*sum{}
	lost := map[string]int64{}
	add := func(to map[string]*sum, name string, characters, all int64) {
		if to[name] == nil {
			to[name] = &sum{}
		}
		to[name].characters += characters
		to[name].all += all
	}
	var shares []int64
	var examples []string
	for _, name := range []string{"CTX_TRANSCRIPTS", "CTX_FRESH"} {
		root := os.Getenv(name)
		if root == "" {
			continue
		}
		_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.HasSuffix(path, ".md") || strings.HasSuffix(path, "MANIFEST.json") {
				return nil
			}
			s, err := sessions.At(path)
			if err != nil {
				return nil
			}
			c, err := conversation.Read(context.Background(), s, nil)
			if err != nil {
				return nil
			}
			found := sight.FindRepeats(c)
			total := int64(0)
			for _, each := range found.List {
				add(kinds, fmt.Sprintf("%-12s %-16s %s", c.Agent, each.Tool, each.Kind), each.Characters, 0)
				total += each.Characters
				if each.Characters > 1500 {
					examples = append(examples, fmt.Sprintf("%s item %d %s %s %s: %d of %d", filepath.Base(path), each.Item, each.Tool, each.Path, each.Kind, each.Characters, each.Of))
				}
			}
			for _, each := range found.Lost {
				lost[c.Agent] += each.Characters
			}
			add(agents, c.Agent, total, found.All)
			if found.All > 0 {
				shares = append(shares, total*1000/found.All)
			}
			return nil
		})
	}
	if len(shares) == 0 {
		t.Skip("CTX_TRANSCRIPTS and CTX_FRESH are not set")
	}
	slices.Sort(shares)
	t.Logf("%d sessions, median %.1f%%, p90 %.1f%%", len(shares), float64(shares[len(shares)/2])/10, float64(shares[len(shares)*9/10])/10)
	for _, agent := range slices.Sorted(maps.Keys(agents)) {
		t.Logf("%-12s %9d of %9d characters, %.1f%%; after a loss %d", agent, agents[agent].characters, agents[agent].all, share(int(agents[agent].characters), int(agents[agent].all)), lost[agent])
	}
	for _, kind := range slices.SortedFunc(maps.Keys(kinds), func(a, b string) int { return cmp.Compare(kinds[b].characters, kinds[a].characters) })[:min(20, len(kinds))] {
		t.Logf("%-40s %9d", kind, kinds[kind].characters)
	}
	for i, each := range examples {
		if i%max(1, len(examples)/10) == 0 {
			t.Log(each)
		}
	}
}
