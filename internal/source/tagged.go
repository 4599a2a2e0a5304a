// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// taggedSkills lists skills as OpenCode and Gemini CLI do: every file SKILL.md
// below their folders of skills, each name once, between tags.
type taggedSkills struct {
	loader *loader
	line   func(name, about, path string) string
	seen   map[string]bool
}

func taggedLine(name, about, path string) string {
	return "  <skill>\n    <name>" + name + "</name>\n    <description>" + about + "</description>\n    <location>" + path + "</location>\n  </skill>\n"
}

func (o *taggedSkills) below(f *folder, dir string) {
	if f == nil {
		return
	}
	for _, entry := range o.loader.names(f, dir) { // a skill may be a link
		o.skill(f, dir+"/"+entry.Name()+"/SKILL.md")
	}
	for _, path := range o.loader.files(f, dir, "SKILL.md", 0) {
		o.skill(f, path)
	}
}

// skill lists one skill.
func (o *taggedSkills) skill(f *folder, path string) {
	whole := filepath.Join(f.dir, filepath.FromSlash(path))
	if o.seen[whole] || nameOf(path) != "SKILL" {
		return
	}
	if o.seen[whole] = true; o.loader.budget <= 0 {
		o.loader.unfinished = append(o.loader.unfinished, o.loader.named(f.label+path[:strings.IndexByte(path, '/')]+"/**/SKILL.md"))
		return
	}
	text, ok := o.loader.read(f, path, maxListedHead)
	if !ok {
		return
	}
	view := o.loader.view(f, path, text)
	if view == nil {
		return
	}
	name, about, ok := strings.Cut(view.Load.Listed, ": ")
	if !ok || o.seen[name] { // one without a name or a description is not listed
		return
	}
	o.seen[name] = true
	line := o.line(name, about, whole)
	o.loader.budget -= int64(len(line)) // it is told too
	o.loader.out.Skills = append(o.loader.out.Skills, LoadedText{name, line})
}

// settings reads a small file of settings as JSON, which may have comments.
func (l *loader) settings(f *folder, path string) (json.Value, bool) {
	file, err := f.root.Open(path)
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
