// Copyright The ctx-lsp authors. MIT licence.

package check_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/check"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

// checked writes files and checks all of them.
func checked(t *testing.T, files map[string]string, also ...string) *check.Report {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	paths := also
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, name)
	}
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	report, err := check.Run(t.Context(), check.Options{
		Folder: folder, Budget: api.FileBudget{Always: 500, Loaded: 2000},
		Call: pool.Call,
	}, paths)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestProblemsAreReportedWithTheirPosition(t *testing.T) {
	report := checked(t, map[string]string{
		"CLAUDE.md":                   "# Rules\n\nHëllo @docs/missing.md and @docs/style.md\n",
		"docs/style.md":               "Write plainly.\n",
		"AGENTS.md":                   "# Agents\n\n" + strings.Repeat("Do this and that, and nothing else. ", 100),
		".claude/skills/one/SKILL.md": "---\nname: one\n---\nNobody knows when.\n",
		".claude/skills/two/SKILL.md": "---\nname: two\ndescription: Says when it is of use.\n---\nText.\n",
		"src/main.go":                 "package main\n",
	})
	want := map[string]struct{ path, line string }{
		"import-missing":    {"CLAUDE.md", "3:7"},
		"over-budget":       {"AGENTS.md", "1:1"},
		"skill-undescribed": {".claude/skills/one/SKILL.md", "1:1"},
	}
	for _, f := range report.Findings {
		w, expected := want[f.Code]
		place, _ := json.Marshal([]int{f.Line, f.Column})
		if !expected || f.Path != w.path || strings.ReplaceAll(strings.Trim(string(place), "[]"), ",", ":") != w.line {
			t.Errorf("found %+v", f)
		}
		delete(want, f.Code)
	}
	for code := range want {
		t.Errorf("%s was not found", code)
	}
	if len(report.Files) != 4 {
		t.Errorf("%d prompt files, want 4: %+v", len(report.Files), report.Files)
	}
	if len(report.Every) != 2 || report.Every[0].Agent != "" || report.Every[1].Agent != "claude-code" || report.Every[1].Tokens == 0 {
		t.Errorf("in every request: %+v", report.Every)
	}
	if report.Worst() > check.Warning {
		t.Errorf("the worst is %d", report.Worst())
	}
}

func TestALinkOutOfTheFolderIsNotRead(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "CLAUDE.md")
	if err := os.WriteFile(elsewhere, []byte("private"), 0o644); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	link := filepath.Join(folder, "CLAUDE.md")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Skip("no links can be made here:", err)
	}
	if _, err := os.Lstat(link); err != nil {
		t.Skip("this system says that it makes links and makes none, as Wine does:", err)
	}
	report, err := check.Run(t.Context(), check.Options{Folder: folder, Call: func(context.Context, string, []byte) ([]byte, error) {
		t.Error("the text was given to the engine")
		return nil, errors.New("no")
	}}, []string{"CLAUDE.md"})
	if err != nil || len(report.Findings) != 1 || report.Findings[0].Code != "unreadable" {
		t.Errorf("%v, %+v", err, report)
	}
}

func TestAChangeIsASentence(t *testing.T) {
	before := &check.Report{Every: []check.Every{{Agent: "claude-code", Name: "Claude Code", Tokens: 3100}, {Agent: "cursor", Name: "Cursor", Tokens: 50}}, Files: []check.File{{Path: "CLAUDE.md", Tokens: 3100}, {Path: ".cursorrules", Tokens: 50}}}
	after := &check.Report{Every: []check.Every{{Agent: "claude-code", Name: "Claude Code", Tokens: 3940}}, Files: []check.File{{Path: "CLAUDE.md", Tokens: 3940}}}
	after.Since("main", before)
	if want := "This change adds 840 tokens in every request of Claude Code (3.1k → 3.9k), and saves 50 tokens in every request of Cursor (50 → 0)."; after.Change.Text != want {
		t.Errorf("it says %q, want %q", after.Change.Text, want)
	}
	if after.Added() != 840 || len(after.Change.Files) != 2 {
		t.Errorf("added %d, files %+v", after.Added(), after.Change.Files)
	}
	after.Since("main", after)
	if after.Change.Text != "This change adds nothing to every request." || after.Added() != 0 {
		t.Errorf("of no change it says %q", after.Change.Text)
	}
}

// TestAnnotationsCannotBeForged checks that text of a repository cannot start a workflow command.
func TestAnnotationsCannotBeForged(t *testing.T) {
	report := &check.Report{Findings: []check.Finding{{Path: "a,b:c\n::error::x/CLAUDE.md", Line: 1, Column: 1, EndLine: 1, Severity: check.Warning, Code: "over-budget", Message: "100% \n::set-output name=x::y"}}}
	var out strings.Builder
	if err := report.GitHub(&out); err != nil {
		t.Fatal(err)
	}
	if want := "::warning file=a%2Cb%3Ac%0A%3A%3Aerror%3A%3Ax/CLAUDE.md,line=1,col=1,endLine=1,title=ctx over-budget::100%25 %0A::set-output name=x::y\n"; out.String() != want {
		t.Errorf("got  %q\nwant %q", out.String(), want)
	}
}

// TestClaudeCodeReadsAgentsMDWithoutItsOwnFile checks that AGENTS.md, with its imports, is in every request of Claude
// Code in a directory without a CLAUDE.md, and that other agents do not read the imports.
func TestClaudeCodeReadsAgentsMDWithoutItsOwnFile(t *testing.T) {
	const claude = "claude-code"
	for _, c := range []struct {
		own                        string
		ofClaude, ofOthers, hidden bool
	}{
		{"src/main.go", true, true, true},
		{"CLAUDE.md", false, true, false},
		{"CLAUDE.local.md", false, true, false},
		{".claude/CLAUDE.md", false, true, false},
	} {
		report := checked(t, map[string]string{
			"AGENTS.md":         "# Agents\n\nRead @docs/style.md and @docs/missing.md.\n",
			"docs/style.md":     strings.Repeat("Write plainly, and say what happens. ", 100),
			".claude/AGENTS.md": strings.Repeat("Only for one. ", 50),
			c.own:               "Short.\n",
		})
		tokens := map[string]int64{}
		for _, every := range report.Every {
			tokens[every.Agent] = every.Tokens
		}
		if with := tokens[claude] > 700; with != c.ofClaude || tokens[""] == 0 || tokens[""] > 100 {
			t.Errorf("with %s: in every request %+v", c.own, report.Every)
		}
		for _, f := range report.Files {
			if f.Path == ".claude/AGENTS.md" && (f.Agent != claude || (f.Every > 0) != c.hidden) {
				t.Errorf("with %s: %+v", c.own, f)
			}
		}
		missing := slices.ContainsFunc(report.Findings, func(f check.Finding) bool { return f.Code == "import-missing" && f.Path == "AGENTS.md" })
		if missing != c.ofClaude {
			t.Errorf("with %s the missing import is found: %v", c.own, missing)
		}
	}
}
