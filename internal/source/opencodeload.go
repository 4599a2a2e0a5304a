// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// loadOpenCode finds what OpenCode and its fork load: the person's own memory
// file; AGENTS.md of the folders from the root of the repository down to the
// workspace, or CLAUDE.md if none of them has one; the files that settings name
// as instructions; and the descriptions of skills.
func loadOpenCode(l *loader, name, claudeHome string) {
	e := l.environment
	l.around = func(path string) (above, below string) { return "Instructions from: " + path + "\n", "" }
	own := l.own(e.Join(e.ConfigHome(), name))
	claude := l.own(claudeHome)
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
