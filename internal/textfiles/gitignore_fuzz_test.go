// Copyright The ctx-lsp authors. MIT licence.

package textfiles

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ignorable are the paths that FuzzGitignore checks; a directory ends with a slash.
var ignorable = strings.Fields("a b.log a.txt #x !y dir/a dir/b.log dir/sub/a dir/sub/b.log build/ build/out src/build/out doc/x.html doc/deep/x.html A ab abc a-b a] [a \\a x/y/z z/y/x .a ..a a. é")

// FuzzGitignore compares which paths patterns ignore with git's own result.
func FuzzGitignore(f *testing.F) {
	git, err := exec.LookPath("git")
	if err != nil {
		f.Skip("git is not there")
	}
	for _, patterns := range []string{"*.log\n!b.log\n", "/build/\n", "doc/*.html", "**/sub", "dir/**", "a/**/z", "[ab]", "[!a]", "\\#x", "\\!y", "a*", "?", "*", "!*", "a ", "a\\ ", "[", "[]a]", "dir/", "*/a", "**", "***", "/**/a", "a/b/**/", "x/*/z", "[a-c]", "[[:alpha:]]", "\\", "a\\", "é"} {
		f.Add(patterns)
	}
	folder := f.TempDir()
	asked := func(args []string, input string) (string, error) {
		command := exec.Command(git, args...)
		command.Dir = folder
		command.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+folder)
		command.Stdin = strings.NewReader(input)
		out, err := command.Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 1 {
			err = nil // nothing is ignored
		}
		return string(out), err
	}
	if _, err := asked([]string{"init", "-q"}, ""); err != nil {
		f.Skip(err)
	}
	for _, path := range ignorable {
		if name, isFolder := strings.CutSuffix(path, "/"); isFolder {
			if err := os.MkdirAll(filepath.Join(folder, name), 0o700); err != nil {
				f.Fatal(err)
			}
		}
	}
	names := strings.ReplaceAll(strings.Join(ignorable, "\x00")+"\x00", "/\x00", "\x00")
	f.Fuzz(func(t *testing.T, patterns string) {
		if strings.ContainsRune(patterns, 0) || len(patterns) > 1000 {
			t.Skip()
		}
		if err := os.WriteFile(filepath.Join(folder, ".gitignore"), []byte(patterns), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := asked([]string{"-c", "core.excludesFile=/dev/null", "-c", "core.ignorecase=false", "check-ignore", "--no-index", "--stdin", "-z"}, names)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{}
		for _, path := range strings.Split(out, "\x00") {
			want[path] = true
		}
		rules, problem := readIgnore(folder, maxIgnoreAll)
		if problem != "" {
			t.Fatal(problem)
		}
		for _, path := range ignorable {
			got := false
			parts := strings.Split(strings.TrimSuffix(path, "/"), "/")
			for i := range parts { // everything in an ignored directory is ignored
				isFolder := i < len(parts)-1 || strings.HasSuffix(path, "/")
				got = got || rules != nil && ignored([]*ignoreRules{rules}, filepath.Join(append([]string{folder}, parts[:i+1]...)...), isFolder)
			}
			if got != want[strings.TrimSuffix(path, "/")] {
				t.Errorf("%s is left out by %q: %v, git says %v", path, patterns, got, !got)
			}
		}
	})
}
