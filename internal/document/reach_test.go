// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// tree writes files below a new directory, which has no links in its own path. A text "-> x" creates a link to x.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := real(t.TempDir())
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		err := error(nil)
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			link := strings.ReplaceAll(target, "$DIR", dir)
			if err = os.Symlink(link, path); err == nil {
				_, err = os.Lstat(path) // Wine reports success without creating a link
			}
			if err != nil && runtime.GOOS == "windows" {
				t.Skip("links cannot be made here: ", err)
			}
		} else {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestImportsAreFoundInThePlacesAndNowhereElse(t *testing.T) {
	dir := tree(t, map[string]string{
		"ws/CLAUDE.md":             "",
		"ws/docs/a.md":             "a",
		"ws/docs/up.md":            "-> ../inner.md",
		"ws/inner.md":              "inner",
		"ws/full.md":               "-> $DIR/ws/inner.md",
		"ws/home.md":               "-> $DIR/home/.claude/mine.md",
		"ws/folder":                "-> $DIR/home/.claude",
		"ws/chain.md":              "-> full.md",
		"ws/out.md":                "-> $DIR/secret.md",
		"ws/out-short.md":          "-> ../secret.md",
		"ws/loop.md":               "-> loop2.md",
		"ws/loop2.md":              "-> $DIR/ws/loop.md",
		"ws/host.md":               "-> //host/share/x.md",
		"ws/dangling.md":           "-> nothing.md",
		"ws/large.md":              strings.Repeat("x", maxImport+1),
		"home/.claude/mine.md":     "mine",
		"home/.roo/rules/r.md":     "roo",
		"home/.claude/back.md":     "-> $DIR/ws/inner.md",
		"home/notes.md":            "private",
		"secret.md":                "secret",
		"elsewhere-ws":             "-> ws",
		"ws/docs/deep/er/and/x.md": "x",
	})
	ws := filepath.Join(dir, "ws")
	places := Places{Folders: []string{ws}, Home: filepath.Join(dir, "home")}
	for _, c := range []struct{ target, problem, text string }{
		{"docs/a.md", "", "a"},
		{"./docs/../docs/a.md", "", "a"},
		{"docs/up.md", "", "inner"},
		{"full.md", "", "inner"},
		{"home.md", "", "mine"},
		{"folder/mine.md", "", "mine"},
		{"folder/back.md", "", "inner"},
		{"chain.md", "", "inner"},
		{"~/.claude/mine.md", "", "mine"},
		{"~/.roo/rules/r.md", "", "roo"},
		{filepath.ToSlash(filepath.Join(ws, "inner.md")), "", "inner"},
		{strings.TrimPrefix(filepath.ToSlash(filepath.Join(ws, "inner.md")), filepath.VolumeName(ws)), "", "inner"},
		{"docs/deep/er/and/x.md", "", "x"},
		{"out.md", "outside", ""},
		{"out-short.md", "outside", ""},
		{"../secret.md", "outside", ""},
		{filepath.ToSlash(filepath.Join(dir, "secret.md")), "outside", ""},
		{strings.TrimPrefix(filepath.ToSlash(filepath.Join(dir, "secret.md")), filepath.VolumeName(ws)), "outside", ""},
		{"/docs/a.md", "outside", ""},
		{"~/notes.md", "outside", ""},
		{"//" + strings.TrimLeft(filepath.ToSlash(filepath.Join(ws, "inner.md")), "/"), "outside", ""},
		{`\\host\share\x.md`, "outside", ""},
		{`/\host/share/x.md`, "outside", ""},
		{"host.md", "missing", ""},
		{"loop.md", "missing", ""},
		{"dangling.md", "missing", ""},
		{"nothing.md", "missing", ""},
		{"docs", "missing", ""},
		{"large.md", "tooLarge", ""},
	} {
		r := places.reach()
		result := r.find(c.target, filepath.Join(ws, "CLAUDE.md"))
		if result.problem != c.problem {
			t.Errorf("@%s: %q, want %q", c.target, result.problem, c.problem)
		}
		if result.problem == "" {
			if text, _, problem := r.read(result.path); string(text) != c.text || problem != "" {
				t.Errorf("@%s holds %q, want %q (%s)", c.target, text, c.text, problem)
			}
		}
		r.close()
	}
	// A workspace whose own path is a link.
	r := Places{Folders: []string{filepath.Join(dir, "elsewhere-ws")}}.reach()
	defer r.close()
	for _, importer := range []string{filepath.Join(dir, "elsewhere-ws", "CLAUDE.md"), filepath.Join(ws, "CLAUDE.md")} {
		if result := r.find("inner.md", importer); result.problem != "" {
			t.Errorf("in a workspace named by a link: %q", result.problem)
		}
	}
}

func TestLookupsAreBounded(t *testing.T) {
	dir := tree(t, map[string]string{"last.md": "x"})
	r := Places{Folders: []string{dir}}.reach()
	defer r.close()
	for i := range maxLookups {
		r.find(fmt.Sprintf("missing-%d.md", i), filepath.Join(dir, "AGENTS.md"))
	}
	if result := r.find("last.md", filepath.Join(dir, "AGENTS.md")); result.problem != "tooLarge" {
		t.Errorf("after %d lookups another one is made: %+v", maxLookups, result)
	}
	if result := r.find("missing-1.md", filepath.Join(dir, "AGENTS.md")); result.problem != "missing" {
		t.Errorf("what was found before is forgotten: %+v", result)
	}
}

func TestCompanionsAreFoundOverLinksInside(t *testing.T) {
	dir := tree(t, map[string]string{
		"ws/CLAUDE.md":               "",
		"ws/.claude/rules":           "-> $DIR/home/.claude/shared",
		"home/.claude/shared/a.md":   "a",
		"home/.claude/shared/b/c.md": "c",
		"home/.claude/CLAUDE.md":     "mine",
		"ws/CLAUDE.local.md":         "-> $DIR/secret.md",
		"secret.md":                  "",
	})
	r := Places{Folders: []string{filepath.Join(dir, "ws")}, Home: filepath.Join(dir, "home")}.reach()
	defer r.close()
	var got []string
	for _, path := range r.companions("claude-code") {
		rel, _ := filepath.Rel(dir, path)
		got = append(got, filepath.ToSlash(rel))
	}
	want := "[ws/CLAUDE.md ws/.claude/rules/a.md ws/.claude/rules/b/c.md home/.claude/CLAUDE.md]"
	if fmt.Sprint(got) != want {
		t.Errorf("found %v, want %s", got, want)
	}
}
