// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"
	"strings"
)

// claudeListing is how many characters Claude Code spends on its list of skills
// and commands. It leaves out those for which there is no room.
const claudeListing = 16_000

// autoMemoryLines is how many lines of its own notes Claude Code loads.
const autoMemoryLines = 200

// loadClaude finds what Claude Code loads: the person's own memory file, then
// those of all folders from the root of the disk down to the workspace; rules
// that are not limited to paths; its own notes; and the descriptions of skills,
// commands and agents.
func loadClaude(l *loader) {
	own := l.own(l.home)
	settings := readSettings(l, own)
	switch l.environment.OS { // what the machine's owner prescribes is never left out
	case "linux":
		l.memory(l.own("/etc/claude-code"), "CLAUDE.md")
	case "darwin":
		l.memory(l.own("/Library/Application Support/ClaudeCode"), "CLAUDE.md")
	}
	l.excludes = settings.excludes
	l.memory(own, "CLAUDE.md")
	l.rules(own, "rules")
	for _, f := range l.above(func(string) bool { return false }) {
		l.memory(f, "CLAUDE.md")
		l.memory(f, ".claude/CLAUDE.md")
		if f != own {
			l.rules(f, ".claude/rules")
		}
		l.memory(f, "CLAUDE.local.md")
	}
	autoMemory(l)
	list := listing{loader: l, most: claudeListing}
	for _, at := range [...]struct {
		in     *folder
		prefix string
	}{{own, ""}, {l.workspace, ".claude/"}} {
		if at.in == nil || own != nil && at.in != own && filepath.Join(at.in.real, ".claude") == own.real {
			continue
		}
		for _, entry := range l.names(at.in, at.prefix+"skills") {
			list.skill(at.in, at.prefix+"skills/"+entry.Name()+"/SKILL.md", entry.Name())
		}
		for _, path := range l.files(at.in, at.prefix+"commands", ".md", 0) {
			list.skill(at.in, path, nameOf(path))
		}
		for _, path := range l.files(at.in, at.prefix+"agents", ".md", 0) {
			list.agent(at.in, path)
		}
	}
	for _, p := range plugins(l, own, settings.plugins) {
		listPlugin(&list, p)
	}
}

// autoMemory loads the first lines of the notes that Claude Code keeps about a
// project, beside the project's transcripts.
func autoMemory(l *loader) {
	f := l.own(filepath.Join(filepath.Dir(l.session.Path), "memory"))
	text, ok := l.read(f, "MEMORY.md", maxLoadedFile)
	if !ok {
		return
	}
	lines := strings.SplitAfterN(string(text), "\n", autoMemoryLines+1)
	l.out.Memory = append(l.out.Memory, LoadedText{"MEMORY.md", strings.Join(lines[:min(len(lines), autoMemoryLines)], "")})
}
