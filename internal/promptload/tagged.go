// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// TaggedSkills lists skills like OpenCode and Gemini CLI: every file SKILL.md below their directories of skills, each
// name once, between tags.
type TaggedSkills struct {
	Loader *Loader
	Line   func(name, about, path string) string
	Seen   map[string]bool
}

// TaggedLine returns a skill as an entry of the list.
func TaggedLine(name, about, path string) string {
	return "  <skill>\n    <name>" + name + "</name>\n    <description>" + about + "</description>\n    <location>" + path + "</location>\n  </skill>\n"
}

// Below lists the skills of a directory in f; none if f is nil.
func (o *TaggedSkills) Below(f *Folder, dir string) {
	if f == nil {
		return
	}
	for _, entry := range o.Loader.Names(f, dir) { // a skill may be a link
		o.skill(f, dir+"/"+entry.Name()+"/SKILL.md")
	}
	for _, path := range o.Loader.Files(f, dir, "SKILL.md", 0) {
		o.skill(f, path)
	}
}

// skill lists one skill.
func (o *TaggedSkills) skill(f *Folder, path string) {
	whole := filepath.Join(f.Dir, filepath.FromSlash(path))
	if o.Seen[whole] || NameOf(path) != "SKILL" {
		return
	}
	if o.Seen[whole] = true; o.Loader.Budget <= 0 {
		o.Loader.unfinished = append(o.Loader.unfinished, o.Loader.Named(f.label+path[:strings.IndexByte(path, '/')]+"/**/SKILL.md"))
		return
	}
	text, ok := o.Loader.Read(f, path, maxListedHead)
	if !ok {
		return
	}
	view := o.Loader.view(f, path, text)
	if view == nil {
		return
	}
	name, about, ok := strings.Cut(view.Load.Listed, ": ")
	if !ok || o.Seen[name] { // a skill without a name or a description is not listed
		return
	}
	o.Seen[name] = true
	line := o.Line(name, about, whole)
	o.Loader.Budget -= int64(len(line)) // the list is sent too
	o.Loader.Out.Skills = append(o.Loader.Out.Skills, Text{Label: name, Text: line})
}

// Settings reads a small settings file as JSON that may contain comments.
func (l *Loader) Settings(f *Folder, path string) (json.Value, bool) {
	f.note(path)
	file, err := f.Root.Open(path)
	if err != nil {
		return json.Value{}, false
	}
	defer file.Close()
	text, ok := safefile.SmallText(file)
	if !ok {
		return json.Value{}, false
	}
	return configfile.ParseJSON(text)
}
