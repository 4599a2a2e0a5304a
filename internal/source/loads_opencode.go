// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// loadOpenCode finds what OpenCode and its fork load: the person's own memory
// file; AGENTS.md of the folders from the root of the repository down to the
// workspace, or CLAUDE.md if none of them has one; the files that settings name
// as instructions; and the descriptions of skills.
func loadOpenCode(l *loader, name string) {
	e := l.environment
	l.around = func(path string) (above, below string) { return "Instructions from: " + path + "\n", "" }
	own := l.own(e.Join(e.ConfigHome(), name))
	claude := l.own(agents.HomeOf(e, agent.ClaudeCode))
	if !l.memory(own, "AGENTS.md") {
		l.memory(claude, "CLAUDE.md")
	}
	folders := l.above(repositoryRoot)
	for _, file := range []string{"AGENTS.md", "CLAUDE.md"} {
		found := false
		for _, f := range folders {
			found = l.memory(f, file) || found
		}
		if found {
			break
		}
	}
	for _, ending := range [...]string{".json", ".jsonc"} {
		l.instructions(own, folders, name+ending)
	}
	for _, f := range folders {
		for _, path := range [...]string{"", "." + name + "/"} {
			l.instructions(f, folders, path+name+".json")
			l.instructions(f, folders, path+name+".jsonc")
		}
	}
	list := taggedSkills{loader: l, line: openCodeLine(l.session.Version), seen: map[string]bool{}}
	list.below(own, "skill")
	list.below(own, "skills")
	list.below(claude, "skills")
	list.below(l.own(e.Join(e.Home, ".agents")), "skills")
	for i := len(folders) - 1; i >= 0; i-- { // the nearest counts
		for _, dir := range [...]string{"." + name + "/skill", "." + name + "/skills", ".claude/skills", ".agents/skills"} {
			list.below(folders[i], dir)
		}
	}
}

// taggedSkills lists skills as OpenCode and Gemini CLI do: every file SKILL.md
// below their folders of skills, each name once, between tags.
type taggedSkills struct {
	loader *loader
	line   func(name, about, path string) string
	seen   map[string]bool
}

// openCodeLine is what OpenCode sends of a skill: an entry in the system prompt,
// up to 1.2 in the description of a tool instead, and from 1.3 to 1.14 a line
// there beside the entry.
func openCodeLine(version string) func(name, about, path string) string {
	return func(name, about, path string) string {
		if agent.AtLeast(version, "1.15") {
			return taggedLine(name, about, path)
		}
		line := taggedLine(name, about, "file://"+path)
		if agent.AtLeast(version, "1.3") {
			line += "- **" + name + "**: " + about + "\n"
		}
		return line
	}
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

// instructions loads what a file of settings names as instructions.
func (l *loader) instructions(f *folder, folders []*folder, path string) {
	if f == nil {
		return
	}
	v, ok := l.settings(f, path)
	if !ok {
		return
	}
	for each := v.Get("instructions").Elements(); each.Next(); {
		l.instructed(f, folders, each.Value.String())
	}
}

// instructed loads a file or a pattern that settings name, below the workspace
// or a folder above it. The user's own settings may name files anywhere on this machine; settings of a workspace, which
// may be someone else's, cannot. Files that are not loaded are noted.
func (l *loader) instructed(f *folder, folders []*folder, path string) {
	path = filepath.ToSlash(path)
	if strings.Contains(path, "://") {
		l.outside = append(l.outside, l.named(path))
		return
	}
	shown := path
	if rest, home := strings.CutPrefix(path, "~/"); home {
		path = filepath.ToSlash(filepath.Join(l.environment.Home, filepath.FromSlash(rest)))
	}
	if filepath.IsAbs(filepath.FromSlash(path)) {
		in, rest := f, ""
		if rel, err := filepath.Rel(f.dir, filepath.FromSlash(path)); err == nil && filepath.IsLocal(rel) {
			rest = filepath.ToSlash(rel)
		} else if f.mayImport {
			in, rest = l.elsewhere(path, shown)
		}
		if rest == "" || in == nil {
			l.outside = append(l.outside, l.named(shown))
			return
		}
		l.pattern(in, rest)
		return
	}
	if path = strings.TrimPrefix(path, "./"); !filepath.IsLocal(filepath.FromSlash(path)) {
		l.outside = append(l.outside, l.named(shown))
		return
	}
	for i := len(folders) - 1; i >= 0; i-- { // the nearest first
		l.pattern(folders[i], path)
	}
}

// elsewhere opens the folder of a file or pattern that a person's own settings
// name, and returns what is left of the path.
func (l *loader) elsewhere(path, shown string) (in *folder, rest string) {
	end := len(path)
	if isGlob(path) {
		end = strings.IndexAny(path, "*?[{")
	}
	end = strings.LastIndexByte(path[:end], '/')
	if end <= 0 {
		return nil, ""
	}
	if in = l.root(filepath.FromSlash(path[:end])); in != nil && in.label == "" && in != l.workspace {
		in.label = cmp.Or(strings.TrimSuffix(shown, path[end+1:]), path[:end+1])
	}
	return in, path[end+1:]
}

// pattern loads a file, or the files that a pattern names.
func (l *loader) pattern(f *folder, path string) {
	if !isGlob(path) {
		l.memory(f, path)
		return
	}
	found, complete := l.matching(f, path)
	if !complete {
		l.unfinished = append(l.unfinished, path)
	}
	for _, file := range found {
		l.memory(f, file)
	}
}
