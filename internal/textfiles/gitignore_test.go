// Copyright The ctx-lsp authors. MIT licence.

package textfiles

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFoldersAreWalkedAsGitDoes compares the walk with the files that git itself would include.
func TestFoldersAreWalkedAsGitDoes(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not there")
	}
	folder := t.TempDir()
	files := map[string]string{
		".gitignore":     "*.log\n!keep.log\n/build/\ndocs/*.html\n**/cache/\na/**/z\n# not this\n\\#this\nspace \\ \n[Tt]emp?\n/top*\ndeep/**\n!deep/\n",
		"sub/.gitignore": "!again.log\nonly\n/anchored\n",
	}
	for _, name := range strings.Fields("x.log keep.log build/a sub/build/b docs/i.html docs/sub/i.html cache/c sub/cache/d a/z a/b/z a/b/c/z a/y #this temp1 Tempo " +
		"temporary topmost sub/topmost deep/er/f deep/g sub/again.log sub/only sub/x/only sub/anchored sub/x/anchored sub/y.log .hidden sub/.config") {
		files[name] = "x"
	}
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"-c", "core.excludesFile=/dev/null", "ls-files", "--others", "--exclude-standard"}} {
		cmd := exec.Command(git, args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if args[0] == "init" {
			continue
		}
		want := strings.Split(strings.TrimSpace(string(out)), "\n")
		var got []string
		if err := (Walk{Problem: func(sentence string) { t.Error(sentence) }, File: func(path string) error {
			below, err := filepath.Rel(folder, path)
			got = append(got, filepath.ToSlash(below))
			return err
		}}).Below(folder); err != nil {
			t.Fatal(err)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("walked\n%v\ngit says\n%v", got, want)
		}
	}
}
