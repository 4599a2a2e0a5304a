// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestSubjects(t *testing.T) {
	for _, c := range []struct{ subject, wrong string }{
		{"core: fix the wording for servers of unknown size", ""},
		{"core/agent, docs: read the newest form of a store", ""},
		{"mk: seed the random tests", ""},
		{"cli: process archives in parallel", ""},
		{"Merge branch 'x'", ""},
		{`Revert "core: add a row"`, ""},
		{"core: " + strings.Repeat("ä", 66), ""},
		{"core: " + strings.Repeat("a", 67), "73 characters"},
		{"fix the wording", "is not"},
		{"Core: fix the wording", "is not"},
		{"core:fix the wording", "is not"},
		{"core: Fix the wording", "capital"},
		{"core: fix the wording.", "full stop"},
		{"core: fixed the wording", "not an imperative"},
		{"core: fixing the wording", "not an imperative"},
		{"core: fixes the wording", "not an imperative"},
		{"source: skips say why", "not an imperative"},
		{"vscode: a session that is closed leaves no row", "not an imperative"},
		{"release: what dist/ is tested with is installed", "not an imperative"},
	} {
		got := checkSubject(c.subject)
		if (got == "") != (c.wrong == "") || !strings.Contains(got, c.wrong) {
			t.Errorf("%q: %q, want %q", c.subject, got, c.wrong)
		}
	}
}

// TestMessages checks that the subject is the first line that git uses.
func TestMessages(t *testing.T) {
	for _, c := range []struct {
		text string
		line int // 0 for a good message
	}{
		{"core: add a row\n\nIt Explains.\n", 0},
		{"\n# a comment\ncore: adds a row\n", 3},
		{"# only a comment\n", 0},
		{"", 0},
	} {
		line := 0
		if findings := checkMessage(c.text); len(findings) > 0 {
			line = findings[0].line
		}
		if line != c.line {
			t.Errorf("%q: line %d, want %d", c.text, line, c.line)
		}
	}
}

// TestTheHook commits in a repository with the hook, which must refuse only the wrong subject, and checks the range of
// both commits.
func TestTheHook(t *testing.T) {
	for _, program := range []string{"git", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	repository := t.TempDir()
	put := func(name string, text []byte) {
		path := filepath.Join(repository, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	copied := func(name, from string) {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		put(name, text)
	}
	put("go.mod", []byte("module example.org/hooked\n\ngo 1.25\n"))
	copied(".githooks/commit-msg", "../../.githooks/commit-msg")
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		copied("tools/style/"+name, name)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	git := func(args ...string) (string, error) {
		settings := []string{"-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "core.hooksPath=.githooks"}
		cmd := exec.Command("git", append(settings, args...)...)
		cmd.Dir = repository
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	commit := func(subject string, more ...string) (string, error) {
		return git(append([]string{"commit", "-q", "--allow-empty", "-m", subject}, more...)...)
	}
	if out, err := git("init", "-q"); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if out, err := commit("Begin.", "--no-verify"); err != nil {
		t.Fatalf("without the hook: %v %s", err, out)
	}
	if out, err := commit("core: adds a row"); err == nil || !strings.Contains(out, "not an imperative") {
		t.Errorf("a wrong subject: %v %s", err, out)
	}
	if out, err := commit("core: add a row"); err != nil {
		t.Errorf("a good subject: %v %s", err, out)
	}
	if out, err := commit("core: adds another", "--no-verify"); err != nil {
		t.Fatalf("without the hook: %v %s", err, out)
	}
	t.Chdir(repository)
	findings, err := runCommits([]string{"HEAD~2..HEAD"})
	if err != nil || len(findings) != 1 || !strings.Contains(findings[0].what, "adds another") {
		t.Errorf("the range: %v %v", findings, err)
	}
	if _, err := runCommits([]string{"missing..HEAD"}); err == nil {
		t.Error("a range that does not exist is accepted")
	}
}
