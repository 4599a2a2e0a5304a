// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// fileNames are the names of files that a setting has: one, or a list.
func fileNames(v json.Value) (names []string) {
	if v.Kind() == json.String {
		names = append(names, v.String())
	}
	for e := v.Elements(); e.Next() && len(names) < 20; {
		names = append(names, e.Value.String())
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" || strings.ContainsAny(name, `/\`) })
}

// listing collects the skills and agents that an agent lists by name and description.
type listing struct {
	loader *loader
	most   int    // characters that the agent spends on it
	as     string // goes before the names: the plugin's own name
	used   int
}

// skill lists a skill or a command, unless only people may call it or the list is full.
func (l *listing) skill(f *folder, path, name string) {
	if l.used >= l.most {
		l.loader.unlisted++
		return
	}
	text, ok := l.loader.read(f, path, maxListedHead)
	if !ok {
		return
	}
	view := l.loader.view(f, path, text)
	if view == nil || strings.Contains(frontOf(text), "disable-model-invocation: true") {
		return
	}
	line := l.listed(name, view)
	if l.used += len(line); l.used > l.most {
		l.loader.unlisted++
		return
	}
	l.loader.out.Skills = append(l.loader.out.Skills, LoadedText{l.as + name, line})
}

// agent lists an agent that the model may call.
func (l *listing) agent(f *folder, path string) {
	text, ok := l.loader.read(f, path, maxListedHead)
	if !ok {
		return
	}
	if view := l.loader.view(f, path, text); view != nil && view.Load.When == promptfile.OnDemand {
		name := nameOf(path)
		l.loader.out.Agents = append(l.loader.out.Agents, LoadedText{l.as + name, l.listed(name, view)})
	}
}

// listed is the line of a list by which the model chooses.
func (l *listing) listed(name string, view *promptfile.View) string {
	if strings.HasPrefix(view.Load.Listed, name+":") {
		return "- " + l.as + view.Load.Listed + "\n"
	}
	return "- " + l.as + name + ": " + view.Load.Listed + "\n"
}

// frontOf is the front matter of a prompt file, which stands between two lines of dashes.
func frontOf(text []byte) string {
	rest, ok := strings.CutPrefix(string(text), "---")
	front, _, closed := strings.Cut(rest, "\n---")
	if !ok || !closed {
		return ""
	}
	return front
}

// nameOf is the name of a file without its folder and ending.
func nameOf(path string) string {
	base := path[strings.LastIndexByte(path, '/')+1:]
	return strings.TrimSuffix(base, filepath.Ext(base))
}
