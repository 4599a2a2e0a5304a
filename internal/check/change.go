// Copyright The ctx-lsp authors. MIT licence.

package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// A Change is the difference between the prompt files of two states of the directory.
type Change struct {
	Base  string        `json:"base"`
	Every []EveryChange `json:"everyRequest"` // the agents with a change, the largest change first
	Files []FileChange  `json:"files"`        // the files with another size now
	Text  string        `json:"text"`
}

// EveryChange is the tokens that a change adds to every request of an agent.
type EveryChange struct {
	Agent  string `json:"agent"`
	Name   string `json:"name"`
	Before int64  `json:"before"`
	After  int64  `json:"after"`
	Added  int64  `json:"added"` // negative if there are fewer tokens now
}

// FileChange is a file whose number of tokens has changed.
type FileChange struct {
	Path   string `json:"path"`
	Before int64  `json:"before"` // 0 for a new file
	After  int64  `json:"after"`  // 0 for a removed file
}

// Since sets the report's Change to its difference from the report of an earlier state.
func (r *Report) Since(base string, before *Report) {
	c := &Change{Base: base, Every: []EveryChange{}, Files: []FileChange{}}
	tokens := func(in *Report, agent string) int64 {
		if i := slices.IndexFunc(in.Every, func(e Every) bool { return e.Agent == agent }); i >= 0 {
			return in.Every[i].Tokens
		}
		return 0
	}
	for _, e := range append(slices.Clone(r.Every), before.Every...) {
		was, is := tokens(before, e.Agent), tokens(r, e.Agent)
		if was != is && !slices.ContainsFunc(c.Every, func(known EveryChange) bool { return known.Agent == e.Agent }) {
			c.Every = append(c.Every, EveryChange{Agent: e.Agent, Name: e.Name, Before: was, After: is, Added: is - was})
		}
	}
	slices.SortStableFunc(c.Every, func(a, b EveryChange) int { return int(min(max(size(b.Added)-size(a.Added), -1), 1)) })
	weights := map[string]*FileChange{}
	var paths []string
	at := func(path string) *FileChange {
		if weights[path] == nil {
			weights[path] = &FileChange{Path: path}
			paths = append(paths, path)
		}
		return weights[path]
	}
	for _, f := range before.Files {
		at(f.Path).Before = f.Tokens
	}
	for _, f := range r.Files {
		at(f.Path).After = f.Tokens
	}
	slices.Sort(paths)
	for _, path := range paths {
		if w := weights[path]; w.Before != w.After {
			c.Files = append(c.Files, *w)
		}
	}
	c.Text = c.sentence()
	r.Change = c
}

func size(n int64) int64 { return max(n, -n) }

// sentence returns a message about the change's effect on every request.
func (c *Change) sentence() string {
	if len(c.Every) == 0 {
		return "This change adds nothing to every request."
	}
	var parts []string
	for _, e := range c.Every {
		verb := "adds"
		if e.Added < 0 {
			verb = "saves"
		}
		parts = append(parts, fmt.Sprintf("%s %s tokens in every request of %s (%s → %s)", verb, core.Short(size(e.Added)), e.Name, core.Short(e.Before), core.Short(e.After)))
	}
	return "This change " + strings.Join(parts, ", and ") + "."
}

// Added returns the largest number of tokens that the change adds to every request of any agent, 0 if there is no
// change.
func (r *Report) Added() int64 {
	most := int64(0)
	if r.Change != nil {
		for _, e := range r.Change.Every {
			most = max(most, e.Added)
		}
	}
	return most
}
