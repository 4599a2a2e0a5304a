// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// FileNames returns the file names in a setting, which is a name or a list.
func FileNames(v json.Value) (names []string) {
	if v.Kind() == json.String {
		names = append(names, v.String())
	}
	for e := v.Elements(); e.Next() && len(names) < 20; {
		names = append(names, e.Value.String())
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" || strings.ContainsAny(name, `/\`) })
}

// Listing collects the skills and agents that an agent lists by name and description.
type Listing struct {
	Loader *Loader
	Most   int    // characters that the agent's list may have
	As     string // a prefix for the names: the plugin's own name
	used   int
}

// Skill lists a skill or a command, unless only users may call it or the list is full.
func (l *Listing) Skill(f *Folder, path, name string) {
	if l.used >= l.Most {
		l.Loader.unlisted++
		return
	}
	text, ok := l.Loader.Read(f, path, maxListedHead)
	if !ok {
		return
	}
	view := l.Loader.view(f, path, text)
	if view == nil || strings.Contains(frontOf(text), "disable-model-invocation: true") {
		return
	}
	line := l.listed(name, view)
	if l.used += len(line); l.used > l.Most {
		l.Loader.unlisted++
		return
	}
	l.Loader.Out.Skills = append(l.Loader.Out.Skills, Text{Label: l.As + name, Text: line})
}

// Agent lists an agent that the model may call.
func (l *Listing) Agent(f *Folder, path string) {
	text, ok := l.Loader.Read(f, path, maxListedHead)
	if !ok {
		return
	}
	if view := l.Loader.view(f, path, text); view != nil && view.Load.When == promptfile.OnDemand {
		name := NameOf(path)
		l.Loader.Out.Agents = append(l.Loader.Out.Agents, Text{Label: l.As + name, Text: l.listed(name, view)})
	}
}

// listed returns an entry of the list from which the model chooses.
func (l *Listing) listed(name string, view *promptfile.View) string {
	if strings.HasPrefix(view.Load.Listed, name+":") {
		return "- " + l.As + view.Load.Listed + "\n"
	}
	return "- " + l.As + name + ": " + view.Load.Listed + "\n"
}

// frontOf returns the front matter of a prompt file, which is between two lines of dashes.
func frontOf(text []byte) string {
	rest, ok := strings.CutPrefix(string(text), "---")
	front, _, closed := strings.Cut(rest, "\n---")
	if !ok || !closed {
		return ""
	}
	return front
}

// NameOf returns the name of a file without its directory and extension.
func NameOf(path string) string {
	base := path[strings.LastIndexByte(path, '/')+1:]
	return strings.TrimSuffix(base, filepath.Ext(base))
}
