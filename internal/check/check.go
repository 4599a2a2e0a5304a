// Copyright The ctx-lsp authors. MIT licence.

// Package check reports problems of the prompt files and agents' settings in a directory, and what the prompt files add
// to every request: what editors show in each file, for all files at once.
package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/settingsfile"
)

// Schema is the schema of a Report.
const Schema = "ctx.check/1"

// mostText is the maximum size of a prompt file that is read. No agent sends a larger one.
const mostText = 4 << 20

// The severities of the language server protocol.
const (
	Error   = 1
	Warning = 2
	Note    = 3
	Hint    = 4
)

// Options specify what is checked, and how.
type Options struct {
	Folder string // the workspace, an absolute path without links
	Home   string // the home directory, whose agent directories files may be imported from; "" for none
	Call   client.Call
	Budget api.FileBudget
	Model  string // the model to count for; "" for each agent's own
	Limit  int64  // the limit of that model's window; 0 if unknown
	// ModelOf returns the model that an agent's settings name, "" if they name none; it may be nil.
	ModelOf func(agent string) string
}

// A Report is the result of a check.
type Report struct {
	Schema   string    `json:"schema"`
	Files    []File    `json:"files"`
	Every    []Every   `json:"everyRequest"` // the largest first
	Findings []Finding `json:"findings"`
	Change   *Change   `json:"change,omitempty"` // the difference from another state of the directory
}

// A File is a prompt file with its tokens.
type File struct {
	Path   string    `json:"path"` // relative to the directory, with slashes
	Kind   string    `json:"kind"`
	Agent  string    `json:"agent"`  // the agent that reads it; "" for several
	Model  string    `json:"model"`  // the model of its counts
	When   string    `json:"when"`   // always, path or demand
	Tokens int64     `json:"tokens"` // including imports
	Basis  api.Basis `json:"basis"`
	// Every is the part that is in every request: all tokens, those of a skill's description, or 0.
	Every int64 `json:"every"`

	also   int64  // the tokens in every request of another agent, which loads the file in place of its own
	alsoBy string // that agent; "" for none
}

// Every is the tokens that an agent's files add to every request.
type Every struct {
	Agent  string    `json:"agent"` // "" for files that several agents read
	Name   string    `json:"name"`
	Model  string    `json:"model"` // the model of the counts; "" for several
	Tokens int64     `json:"tokens"`
	Basis  api.Basis `json:"basis"`
}

// A Finding is a problem. Lines and columns start at 1; columns count characters.
type Finding struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	EndLine  int    `json:"endLine"`
	Severity int    `json:"severity"` // 1 error, 2 warning, 3 information, 4 hint
	Code     string `json:"code"`
	Message  string `json:"message"`
}

// Checked returns a function that reports whether a path relative to the directory names a prompt file, or a file with
// an agent's settings.
func Checked(folder string) func(path string) bool {
	written := writtenIn(folder)
	return func(path string) bool {
		return promptfile.KindOf(path) != promptfile.None || written.IsPlace(filepath.Join(folder, filepath.FromSlash(path)))
	}
}

// writtenIn returns the Host that explains the settings in a directory. It ignores the settings of this machine, so
// that the findings are the same everywhere.
func writtenIn(folder string) *settingsfile.Host {
	nothing := func(string) string { return "" }
	return &settingsfile.Host{Environment: dirs.Environment{OS: runtime.GOOS, Getenv: nothing}, Workspace: folder}
}

// Run checks the files, which are named by paths relative to the directory. It skips files other than prompt files and
// agents' settings.
func Run(ctx context.Context, o Options, paths []string) (*Report, error) {
	report := &Report{Schema: Schema, Files: []File{}, Every: []Every{}, Findings: []Finding{}}
	root, err := os.OpenRoot(o.Folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	settings := document.DefaultSettings()
	settings.Budget = o.Budget
	written := writtenIn(o.Folder)
	written.Call = o.Call
	if o.Limit > 0 {
		written.Running = func(string) *settingsfile.Running {
			return &settingsfile.Running{Model: o.Model, Limit: o.Limit}
		}
	}
	exists := func(path string) bool {
		info, err := root.Stat(filepath.FromSlash(path))
		return err == nil && info.Mode().IsRegular()
	}
	loads := "" // the agent that loads the file being opened in place of one of its own
	set := document.NewSet(document.Host{
		Call:     o.Call,
		Encoding: func() promptfile.Encoding { return promptfile.UTF32 },
		Settings: func() document.Settings { return settings },
		Places:   func() document.Places { return document.Places{Folders: []string{o.Folder}, Home: o.Home} },
		Counting: o.countingFor,
		Agent:    func() string { return loads },
		Written:  func(string) *settingsfile.Host { return written },
		Complain: func(sentence string) { report.add(Finding{Severity: Note, Code: "not-checked", Message: sentence}) },
	})
	defer set.CloseAll(context.WithoutCancel(ctx))
	checked := Checked(o.Folder)
	var open []string
	for _, path := range paths {
		if !checked(path) {
			continue
		}
		text, err := read(root, filepath.FromSlash(path))
		if err != nil {
			report.add(Finding{Path: path, Line: 1, Column: 1, EndLine: 1, Severity: Error, Code: "unreadable", Message: "The file could not be read: " + err.Error() + "."})
			continue
		}
		loads = agents.SubstituteFor(path, exists)
		set.Open(ctx, document.URI(filepath.Join(o.Folder, filepath.FromSlash(path))), 1, string(text))
		open = append(open, path)
		if promptfile.KindOf(path) == promptfile.Skill && !described(string(text)) {
			report.add(Finding{
				Path: path, Line: 1, Column: 1, EndLine: 1, Severity: Warning, Code: "skill-undescribed",
				Message: "The skill has no description in its front matter, so agents cannot know when to use it.",
			})
		}
	}
	for _, path := range open { // after all are open, because one may repeat text of another
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		report.weigh(ctx, set, o.Folder, path, agents.SubstituteFor(path, exists))
	}
	report.sum()
	slices.SortStableFunc(report.Findings, func(a, b Finding) int { return strings.Compare(a.Path, b.Path) })
	return report, nil
}

// countingFor returns the model to count an agent's file for.
func (o *Options) countingFor(agent string) document.Counting {
	if o.Model != "" || o.ModelOf == nil || agent == "" {
		return document.Counting{Model: o.Model, Limit: o.Limit}
	}
	counting := document.Counting{Model: o.ModelOf(agent)}
	if m, ok := model.Find(counting.Model, "", ""); ok {
		counting.Limit = m.Limit()
	}
	return counting
}

// read reads a prompt file. Links may lead to other files of the directory, but not out of it.
func read(root *os.Root, path string) ([]byte, error) {
	info, err := root.Stat(path)
	switch {
	case err != nil:
		return nil, errors.New("it does not exist, or is a link to a file outside the directory")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > mostText:
		return nil, fmt.Errorf("it is larger than %d MB", mostText>>20)
	}
	f, err := root.Open(path)
	if err != nil {
		return nil, errors.New("the system denies access")
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostText))
}

// weigh adds an open file and its problems to the report.
func (r *Report) weigh(ctx context.Context, set *document.Set, folder, path, loads string) {
	uri := document.URI(filepath.Join(folder, filepath.FromSlash(path)))
	if promptfile.KindOf(path) == promptfile.None {
		r.wrong(ctx, set, uri, path)
		return
	}
	view := set.View(ctx, uri)
	if view == nil {
		r.add(Finding{Path: path, Line: 1, Column: 1, EndLine: 1, Severity: Note, Code: "not-checked", Message: "The file could not be counted."})
		return
	}
	file := File{Path: path, Kind: view.Kind, Agent: promptfile.KindOf(path).Reader(), Model: view.Model, When: view.Load.When, Tokens: view.Total, Basis: view.Basis, Every: view.Listed}
	only := agents.OnlySubstitutes(path)
	switch {
	case file.When != "always":
	case only != "":
		if file.Agent = only; loads == only {
			file.Every = view.Total
		}
	case loads != "": // several agents read it, and this one reads its imports, too
		file.Every = view.Tokens
		file.also, file.alsoBy = view.Total, loads
	default:
		file.Every = view.Total
	}
	r.Files = append(r.Files, file)
	r.wrong(ctx, set, uri, path)
}

// wrong adds the problems of an open file.
func (r *Report) wrong(ctx context.Context, set *document.Set, uri, path string) {
	for _, d := range set.Diagnostics(ctx, uri) {
		r.add(Finding{
			Path: path, Line: d.Range.Start.Line + 1, Column: d.Range.Start.Character + 1, EndLine: d.Range.End.Line + 1,
			Severity: d.Severity, Code: d.Code, Message: d.Message,
		})
	}
}

// described reports whether the front matter of a skill has a line with its description.
func described(text string) bool {
	front, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n")
	if !ok {
		return false
	}
	front, _, _ = strings.Cut(front, "\n---")
	for line := range strings.Lines(front) {
		if _, ok := strings.CutPrefix(line, "description:"); ok {
			return true
		}
	}
	return false
}

func (r *Report) add(f Finding) { r.Findings = append(r.Findings, f) }

// sum adds up the tokens in every request, agent by agent.
func (r *Report) sum() {
	for i := range r.Files {
		file := &r.Files[i]
		r.inEvery(file, file.Agent, file.Every)
		r.inEvery(file, file.alsoBy, file.also)
	}
	slices.SortStableFunc(r.Every, func(a, b Every) int { return int(min(max(b.Tokens-a.Tokens, -1), 1)) })
}

// inEvery adds tokens of a file to those in every request of an agent.
func (r *Report) inEvery(file *File, by string, tokens int64) {
	if tokens == 0 {
		return
	}
	i := slices.IndexFunc(r.Every, func(e Every) bool { return e.Agent == by })
	if i < 0 {
		i = len(r.Every)
		r.Every = append(r.Every, Every{Agent: by, Name: nameOf(by), Model: file.Model, Basis: file.Basis})
	}
	r.Every[i].Tokens += tokens
	if r.Every[i].Model != file.Model {
		r.Every[i].Model = ""
	}
	if r.Every[i].Basis != file.Basis {
		r.Every[i].Basis = "estimated"
	}
}

// nameOf returns the display name of an agent.
func nameOf(id string) string {
	if id == "" {
		return "agents that read AGENTS.md and skills"
	}
	for _, entry := range agent.Entries() {
		if entry.ID == id {
			return entry.Name
		}
	}
	return id
}

// Worst returns the highest severity of the findings, Hint if there are none.
func (r *Report) Worst() int {
	worst := Hint
	for _, f := range r.Findings {
		worst = min(worst, f.Severity)
	}
	return worst
}
