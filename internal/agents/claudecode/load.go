// Copyright The ctx-lsp authors. MIT licence.

// Package claudecode finds what Claude Code loads, and the files that it sends without a record.
package claudecode

import (
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
)

// claudeListing is how many characters Claude Code spends on its list of skills
// and commands. It leaves out those for which there is no room.
const claudeListing = 16_000

// autoMemoryLines is how many lines of its own notes Claude Code loads.
const autoMemoryLines = 200

// Load finds what Claude Code loads: the user's own memory file, then
// those of all folders from the root of the disk down to the workspace; rules
// that are not limited to paths; its own notes; and the descriptions of skills,
// commands and agents.
func Load(l *promptload.Loader) {
	own := l.Own(l.Home)
	settings := readSettings(l, own)
	switch l.Environment.OS { // what the machine's owner prescribes is never left out
	case "linux":
		l.Memory(l.Own("/etc/claude-code"), "CLAUDE.md")
	case "darwin":
		l.Memory(l.Own("/Library/Application Support/ClaudeCode"), "CLAUDE.md")
	}
	l.Excludes = settings.excludes
	l.Memory(own, "CLAUDE.md")
	l.Rules(own, "rules")
	for _, f := range l.Above(func(string) bool { return false }) {
		l.Memory(f, "CLAUDE.md")
		l.Memory(f, ".claude/CLAUDE.md")
		if f != own {
			l.Rules(f, ".claude/rules")
		}
		l.Memory(f, "CLAUDE.local.md")
	}
	autoMemory(l)
	list := promptload.Listing{Loader: l, Most: claudeListing}
	for _, at := range [...]struct {
		in     *promptload.Folder
		prefix string
	}{{own, ""}, {l.Workspace, ".claude/"}} {
		if at.in == nil || own != nil && at.in != own && filepath.Join(at.in.Real, ".claude") == own.Real {
			continue
		}
		for _, entry := range l.Names(at.in, at.prefix+"skills") {
			list.Skill(at.in, at.prefix+"skills/"+entry.Name()+"/SKILL.md", entry.Name())
		}
		for _, path := range l.Files(at.in, at.prefix+"commands", ".md", 0) {
			list.Skill(at.in, path, promptload.NameOf(path))
		}
		for _, path := range l.Files(at.in, at.prefix+"agents", ".md", 0) {
			list.Agent(at.in, path)
		}
	}
	for _, p := range plugins(l, own, settings.plugins) {
		listPlugin(&list, p)
	}
}

// autoMemory loads the first lines of the notes that Claude Code keeps about a
// project, next to the project's transcripts.
func autoMemory(l *promptload.Loader) {
	f := l.Own(filepath.Join(filepath.Dir(l.Session.Path), "memory"))
	text, ok := l.Read(f, "MEMORY.md", promptload.MaxLoadedFile)
	if !ok {
		return
	}
	lines := strings.SplitAfterN(string(text), "\n", autoMemoryLines+1)
	l.Out.Memory = append(l.Out.Memory, promptload.Text{Label: "MEMORY.md", Text: strings.Join(lines[:min(len(lines), autoMemoryLines)], "")})
}
