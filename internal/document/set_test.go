// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

// A bench is a Set with its own engine, which records all calls.
type bench struct {
	*Set
	calls      []string // methods
	opened     int64    // bytes of texts
	complaints []string
	now        time.Time
	fail       func(method string, params []byte) error
}

func newBench(t testing.TB, places Places) *bench {
	t.Helper()
	core, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { core.Close() })
	b := &bench{now: time.Unix(1_700_000_000, 0)}
	b.Set = NewSet(Host{
		Scope: "test",
		Call: func(ctx context.Context, method string, params []byte) ([]byte, error) {
			b.calls = append(b.calls, method)
			if b.fail != nil {
				if err := b.fail(method, params); err != nil {
					return nil, err
				}
			}
			if method == "ctx/document/open" {
				b.opened += int64(len(params))
			}
			return core.Call(ctx, method, params)
		},
		Encoding: func() promptfile.Encoding { return promptfile.UTF16 },
		Settings: func() Settings { return Settings{CodeLens: true, InlayHints: true, Hover: true, Diagnostics: true} },
		Places:   func() Places { return places },
		Counting: func(string) Counting { return Counting{} },
		Agent:    func() string { return "" },
		Complain: func(sentence string) { b.complaints = append(b.complaints, sentence) },
		Now:      func() time.Time { return b.now },
	})
	return b
}

func (b *bench) count(method string) int {
	n := 0
	for _, each := range b.calls {
		if each == method {
			n++
		}
	}
	return n
}

func TestImportsHaveABudgetOfBytes(t *testing.T) {
	files, imports := map[string]string{}, ""
	for i := range 40 {
		name := fmt.Sprintf("part-%02d.md", i)
		files[name] = strings.Repeat("word ", maxImport/5)
		imports += "@" + name + "\n"
	}
	dir := tree(t, files)
	b := newBench(t, Places{Folders: []string{dir}})
	uri := URI(filepath.Join(dir, "CLAUDE.md"))
	b.Open(context.Background(), uri, 1, imports)
	if b.opened > maxBytes+1<<20 || b.opened < maxBytes/2 {
		t.Errorf("%d bytes were given to the engine, %d is the most", b.opened, maxBytes)
	}
	if len(b.complaints) != 1 || !strings.Contains(b.complaints[0], "16 MB") {
		t.Errorf("it was said: %q", b.complaints)
	}
	found := 0
	for _, d := range b.Diagnostics(context.Background(), uri) {
		if d.Code == "import-too-large" {
			found++
		}
	}
	if want := 40 - maxBytes/maxImport; found != want {
		t.Errorf("%d imports are said not to be read, want %d", found, want)
	}
	// Nothing changes on disk, so nothing is read again by any feature.
	before := len(b.calls)
	for range 3 {
		b.looked = time.Time{}
		b.Lenses(context.Background(), uri)
	}
	if opened := len(b.calls) - before; opened != 3 {
		t.Errorf("looking three times made %d calls", opened)
	}
	// With fewer imports there is space for those refused before.
	for i := range 30 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%02d.md", i)), []byte("word"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.FilesChanged(context.Background())
	for _, d := range b.Diagnostics(context.Background(), uri) {
		if d.Code == "import-too-large" {
			t.Errorf("there is room, and yet: %s", d.Message)
		}
	}
}

// TestImportsHaveABudgetOfParts checks that files of nothing but headings or imports, which need a hundred times
// their own size in the engine, neither crash it nor are read without limit.
func TestImportsHaveABudgetOfParts(t *testing.T) {
	for _, unit := range []string{"#\n", "@a\n", "# a @b\n", "```\n"} {
		files, imports := map[string]string{}, ""
		for i := range 8 {
			files[fmt.Sprintf("part-%d.md", i)] = strings.Repeat(unit, promptfile.MaxParts+1)
			imports += fmt.Sprintf("@part-%d.md\n", i)
		}
		dir := tree(t, files)
		b := newBench(t, Places{Folders: []string{dir}})
		uri := URI(filepath.Join(dir, "CLAUDE.md"))
		b.Open(context.Background(), uri, 1, imports)
		if want := maxParts / promptfile.MaxParts; len(b.files) != want {
			t.Errorf("%q: %d files are kept, want %d", unit, len(b.files), want)
		}
		if len(b.complaints) != 1 || !strings.Contains(b.complaints[0], "headings") {
			t.Errorf("%q: it was said: %q", unit, b.complaints)
		}
		counts := map[string]int{}
		for _, d := range b.Diagnostics(context.Background(), uri) {
			counts[d.Code]++
		}
		if counts["import-too-large"] != 8-maxParts/promptfile.MaxParts || counts["too-many-parts"] != maxParts/promptfile.MaxParts {
			t.Errorf("%q: the diagnostics are %v", unit, counts)
		}
		b.Close(context.Background(), uri)
		b.CloseAll(context.Background())
		if b.parts != 0 || b.bytes != 0 {
			t.Errorf("%q: %d parts and %d bytes are counted of no file", unit, b.parts, b.bytes)
		}
	}
}

func TestADocumentThatBreaksTheEngineIsLeftAlone(t *testing.T) {
	dir := tree(t, map[string]string{"bomb.md": "boom", "fine.md": "fine"})
	b := newBench(t, Places{Folders: []string{dir}})
	tried := 0
	b.fail = func(method string, params []byte) error {
		if method == "ctx/document/open" && strings.Contains(string(params), "boom") {
			tried++
			return &api.Error{Kind: api.Internal, Message: "out of memory"}
		}
		return nil
	}
	bad, good := URI(filepath.Join(dir, "CLAUDE.md")), URI(filepath.Join(dir, "AGENTS.md"))
	b.Open(context.Background(), good, 1, "@fine.md\n")
	b.Open(context.Background(), bad, 1, "@bomb.md\n")
	at := b.now
	for _, c := range []struct {
		after time.Duration
		tried int
	}{{0, 1}, {59 * time.Second, 1}, {61 * time.Second, 2}, {2 * time.Minute, 2}, {3*time.Minute + 2*time.Second, 3}, {5 * time.Minute, 3}, {7*time.Minute + 3*time.Second, 4}} {
		b.now = at.Add(c.after)
		for range 5 {
			b.Reopen(context.Background())
			b.Lenses(context.Background(), bad)
			b.Hover(context.Background(), bad, Position{}, true)
			if err := b.Change(context.Background(), bad, nil, []Change{{Text: "@bomb.md\nmore\n"}}); err != nil {
				t.Fatal(err)
			}
		}
		if tried != c.tried {
			t.Errorf("after %s it was given to the engine %d times, want %d", c.after, tried, c.tried)
		}
		if lenses := b.Lenses(context.Background(), good); len(lenses) != 1 {
			t.Errorf("after %s the other document has %d lenses", c.after, len(lenses))
		}
	}
	if len(b.complaints) == 0 || !strings.Contains(b.complaints[0], "; it is retried in 1m") {
		t.Errorf("it was said: %q", b.complaints)
	}
}

func TestManyImportsAreNotLookedForAgainAndAgain(t *testing.T) {
	var imports strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&imports, "@missing-%d.md\n", i)
	}
	dir := tree(t, nil)
	b := newBench(t, Places{Folders: []string{dir}})
	uri := URI(filepath.Join(dir, "CLAUDE.md"))
	begin := time.Now()
	b.Open(context.Background(), uri, 1, imports.String())
	b.looked = time.Time{}
	b.Lenses(context.Background(), uri)
	if links := b.Links(context.Background(), uri); len(links) != 0 {
		t.Errorf("%d links", len(links))
	}
	b.Diagnostics(context.Background(), uri)
	if len(b.complaints) == 0 || !strings.Contains(b.complaints[0], "imports 20000 files; only the first 1000 are read") {
		t.Errorf("it was said: %q", b.complaints)
	}
	const enough = 20 * time.Second // about fifty times the usual duration
	if took := time.Since(begin); took > enough {
		t.Errorf("it took %s", took)
	}
}

func TestFilesNoLongerImportedAreClosed(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "@b.md\n", "b.md": "b"})
	b := newBench(t, Places{Folders: []string{dir}})
	uri := URI(filepath.Join(dir, "CLAUDE.md"))
	b.Open(context.Background(), uri, 1, "@a.md\n")
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("nothing\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.FilesChanged(context.Background())
	if n := b.count("ctx/document/close"); n != 1 {
		t.Errorf("%d documents were closed in the engine, want 1", n)
	}
	if len(b.files) != 1 {
		t.Errorf("%d files are remembered", len(b.files))
	}
}
