// Copyright The ctx-lsp authors. MIT licence.

package opencode

import (
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
)

// Load finds what OpenCode and its fork load: the user's own memory file; AGENTS.md of the folders from the root of the
// repository down to the workspace, or CLAUDE.md if none of them has one; the files that settings name as instructions;
// and the descriptions of skills.
func Load(l *promptload.Loader, name, claudeHome string) {
	e := l.Environment
	l.Around = func(path string) (above, below string) { return "Instructions from: " + path + "\n", "" }
	own := l.Own(e.Join(e.ConfigHome(), name))
	claude := l.Own(claudeHome)
	if !l.Memory(own, "AGENTS.md") {
		l.Memory(claude, "CLAUDE.md")
	}
	folders := l.Above(promptload.RepositoryRoot)
	for _, file := range []string{"AGENTS.md", "CLAUDE.md"} {
		found := false
		for _, f := range folders {
			found = l.Memory(f, file) || found
		}
		if found {
			break
		}
	}
	for _, ending := range [...]string{".json", ".jsonc"} {
		l.Instructions(own, folders, name+ending)
	}
	for _, f := range folders {
		for _, path := range [...]string{"", "." + name + "/"} {
			l.Instructions(f, folders, path+name+".json")
			l.Instructions(f, folders, path+name+".jsonc")
		}
	}
	list := promptload.TaggedSkills{Loader: l, Line: openCodeLine(l.Session.Version), Seen: map[string]bool{}}
	list.Below(own, "skill")
	list.Below(own, "skills")
	list.Below(claude, "skills")
	list.Below(l.Own(e.Join(e.Home, ".agents")), "skills")
	for i := len(folders) - 1; i >= 0; i-- { // the nearest one is used
		for _, dir := range [...]string{"." + name + "/skill", "." + name + "/skills", ".claude/skills", ".agents/skills"} {
			list.Below(folders[i], dir)
		}
	}
}

// openCodeLine is what OpenCode sends of a skill: an entry in the system prompt, up to 1.2 in the description of a tool
// instead, and from 1.3 to 1.14 a line there next to the entry.
func openCodeLine(version string) func(name, about, path string) string {
	return func(name, about, path string) string {
		if agent.AtLeast(version, "1.15") {
			return promptload.TaggedLine(name, about, path)
		}
		line := promptload.TaggedLine(name, about, "file://"+path)
		if agent.AtLeast(version, "1.3") {
			line += "- **" + name + "**: " + about + "\n"
		}
		return line
	}
}
