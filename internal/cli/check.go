// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/check"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
)

// checkFlags are the flags of check.
type checkFlags struct {
	diff, model   string
	added         int64
	budget        api.FileBudget
	failOn, shape *choice
	color         *choice
	json          bool
}

// failLevels are the values of --fail-on.
var failLevels = map[string]int{"error": check.Error, "warning": check.Warning, "note": check.Note, "never": 0}

func checkCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "check [FILE | DIRECTORY ...]",
		Short: "check prompt files: problems, and what they add to every request",
		Example: `  ctx-lsp check                         AGENTS.md, CLAUDE.md, rules, skills, settings … of this directory
  ctx-lsp check CLAUDE.md docs          these files, and those below a directory
  ctx-lsp check --diff=origin/main      also what the change since a commit adds to every request
  ctx-lsp check --format=sarif > f      for code scanning services; github for annotations in GitHub workflows`,
		Long: `The problems are those that editors show in each file: over budget, imports that are missing, circular or repeated,
paragraphs that are loaded twice, skills that cannot be found, unreadable lists of MCP servers, agents' settings that are
not used as they are written. An agent's files are counted for the model that its settings name. Files that .gitignore excludes are skipped. Paths are relative to the root of the repository.

Exit codes: 0 no findings, 1 error, 2 usage, 3 findings at or above --fail-on, or more tokens added than --added.`,
	}
	fs := c.Flags()
	f := checkFlags{budget: document.DefaultSettings().Budget}
	fs.StringVar(&f.diff, "diff", "", "compare with a `COMMIT`; git provides its files")
	fs.Int64Var(&f.added, "added", -1, "with --diff: exit with 3 if the change adds more than `N` tokens to every request of an agent")
	fs.Lookup("added").DefValue = "0" // not shown
	fs.Int64Var(&f.budget.Always, "always", f.budget.Always, "limit a file in every request to `N` tokens; 0 for no limit")
	fs.Int64Var(&f.budget.Loaded, "loaded", f.budget.Loaded, "limit other files to `N` tokens")
	f.failOn = choiceFlag(fs, "fail-on", "exit with 3 for findings of this level or above", "warning", "error", "note", "never")
	fs.StringVar(&f.model, "model", "", "count for this `MODEL` instead of each agent's own")
	f.shape = choiceFlag(fs, "format", "print in this format; schema ctx.check/1 for json", "text", "json", "sarif", "github")
	fs.BoolVar(&f.json, "json", false, "the same as --format=json")
	f.color = colorFlag(fs)
	c.RunE = does(func(ctx context.Context, names []string) int {
		var err error
		switch {
		case f.budget.Always < 0 || f.budget.Loaded < 0:
			err = errors.New("--always and --loaded must not be negative")
		case f.added >= 0 && f.diff == "":
			err = errors.New("--added requires --diff")
		case slices.Contains(names, "-"):
			err = errors.New("expected names of files and directories")
		}
		if err != nil {
			return env.usageError("check", err)
		}
		if f.json {
			f.shape.value = "json"
		}
		report, err := f.check(ctx, env, names)
		if err == nil {
			err = f.print(env, report)
		}
		if err != nil {
			return env.fail(err)
		}
		if report.Worst() <= failLevels[f.failOn.value] || f.added >= 0 && report.Added() > f.added {
			return exitOver
		}
		return exitOK
	})
	return c
}

// check checks the named files, and compares them with a commit if that is requested.
func (f *checkFlags) check(ctx context.Context, env *environment, names []string) (*check.Report, error) {
	here, err := filepath.EvalSymlinks(env.Dir)
	if err != nil {
		return nil, err
	}
	top := here
	if above := textfiles.FoldersAbove(here); len(above) > 0 {
		top = above[0]
	}
	paths, err := promptFilesBelow(env, top, here, names)
	if err != nil {
		return nil, err
	}
	e, err := nativeEngine(env, 1)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	options := check.Options{
		Folder: top, Home: env.host().Home, Budget: f.budget, Model: f.model,
		Call:    e.Call,
		ModelOf: func(agent string) string { return agents.ModelOf(env.host(), agent, top) },
	}
	if f.model != "" {
		m, ok := model.Find(f.model, "", "")
		if !ok {
			return nil, fmt.Errorf("unknown model %q; ctx-lsp models lists the known ones", f.model)
		}
		options.Limit = m.Limit()
	}
	report, err := check.Run(ctx, options, paths)
	if err != nil {
		return nil, err
	}
	_, unread := agents.MCPServers(dirs.Environment{Getenv: env.Getenv}, top)
	for _, path := range unread {
		name, err := filepath.Rel(top, path)
		if err != nil {
			name = path
		}
		report.Findings = append(report.Findings, check.Finding{
			Path: filepath.ToSlash(name), Line: 1, Column: 1, EndLine: 1, Severity: check.Error, Code: "mcp-unreadable",
			Message: "The MCP servers in this file cannot be read, so an agent may start without them.",
		})
	}
	if f.diff != "" {
		err = f.compare(ctx, report, options, top, here, names)
	}
	return report, err
}

// compare checks the files as they are in a commit, in a temporary directory.
func (f *checkFlags) compare(ctx context.Context, report *check.Report, options check.Options, top, here string, names []string) error {
	folder, err := os.MkdirTemp("", "ctx-lsp-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return err
	}
	all, err := check.AtCommit(ctx, top, f.diff, folder)
	if err != nil {
		return err
	}
	var asked []string
	for _, path := range all {
		if within(top, here, path, names) {
			asked = append(asked, path)
		}
	}
	options.Folder = folder
	before, err := check.Run(ctx, options, asked)
	if err == nil {
		report.Since(f.diff, before)
	}
	return err
}

// within reports whether a path below top is one of those named, or below one of them.
func within(top, here, path string, names []string) bool {
	if len(names) == 0 {
		names = []string{"."}
	}
	for _, name := range names {
		if !filepath.IsAbs(name) {
			name = filepath.Join(here, name)
		}
		rel, err := filepath.Rel(name, filepath.Join(top, filepath.FromSlash(path)))
		if err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// promptFilesBelow lists the named prompt files, and those below the named directories, by their paths below top.
func promptFilesBelow(env *environment, top, here string, names []string) ([]string, error) {
	if len(names) == 0 {
		names = []string{"."}
	}
	var paths []string
	checked := check.Checked(top)
	add := func(path string) error {
		rel, err := filepath.Rel(top, path)
		if err != nil || !filepath.IsLocal(rel) {
			return fmt.Errorf("%s is outside %s", path, top)
		}
		if rel = filepath.ToSlash(rel); checked(rel) && !slices.Contains(paths, rel) {
			paths = append(paths, rel)
		}
		return nil
	}
	for _, name := range names {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(here, path)
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, errors.New(textfiles.Sentence(name, err))
		}
		if !info.IsDir() {
			if err := add(path); err != nil {
				return nil, err
			}
			continue
		}
		problem := func(sentence string) { env.errorf("%s", sentence) }
		if err := (textfiles.Walk{Problem: problem, File: add, Links: true}).Below(path); err != nil {
			return nil, errors.New(textfiles.Sentence(name, err))
		}
	}
	return paths, nil
}

// print writes the report in the requested format.
func (f *checkFlags) print(env *environment, report *check.Report) error {
	switch f.shape.value {
	case "json", "sarif":
		var out any = report
		if f.shape.value == "sarif" {
			out = report.SARIF(currentVersion().Version)
		}
		if env.printJSON(out) != exitOK {
			return errors.New("the report cannot be printed")
		}
		return nil
	case "github":
		return report.GitHub(env.Stdout)
	}
	color := env.color(f.color.value)
	for _, found := range report.Findings {
		word := check.Words[found.Severity]
		if color {
			word = map[int]string{check.Error: "\x1b[31m", check.Warning: "\x1b[33m"}[found.Severity] + word + "\x1b[0m"
		}
		fmt.Fprintf(env.Stdout, "%s:%d:%d: %s: %s (%s)\n", terminal.Name(found.Path), found.Line, found.Column, word, terminal.Sentence(found.Message), found.Code)
	}
	var every []string
	for _, e := range report.Every {
		counted := map[api.Basis]string{"estimated": "~"}[e.Basis] + core.Short(e.Tokens) + " for " + e.Name
		if e.Model != "" {
			counted += " (as " + e.Model + " counts)"
		}
		every = append(every, counted)
	}
	line := terminal.Count(len(report.Files), "prompt file", "prompt files")
	if len(every) > 0 {
		line += "; in every request " + strings.Join(every, ", ")
	}
	fmt.Fprintf(env.Stdout, "%s. %s.\n", line, terminal.Count(len(report.Findings), "finding", "findings"))
	if report.Change != nil {
		fmt.Fprintln(env.Stdout, report.Change.Text)
		for _, file := range report.Change.Files {
			fmt.Fprintf(env.Stdout, "  %7s → %-7s %s\n", core.Short(file.Before), core.Short(file.After), terminal.Name(file.Path))
		}
	}
	return nil
}
