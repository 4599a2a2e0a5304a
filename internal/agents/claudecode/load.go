// Copyright The ctx-lsp authors. MIT licence.

// Package claudecode finds what Claude Code loads, and the files that it sends without a record.
package claudecode

import (
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
)

// claudeListing is how many characters Claude Code spends on its list of skills and commands. It leaves out those that
// do not fit.
const claudeListing = 16_000

// autoMemoryLines is how many lines of its own notes Claude Code loads.
const autoMemoryLines = 200

// Load finds the files that Claude Code loads: the user's own memory file, then those of all directories from the root
// of the disk down to the workspace; rules that are not limited to paths; its own notes; and the descriptions of
// skills, commands and agents.
func Load(l *promptload.Loader) {
	own := l.Own(l.Home)
	settings := readSettings(l, own)
	switch l.Environment.OS { // files prescribed by the machine's administrator are never left out
	case "linux":
		l.Memory(l.Own("/etc/claude-code"), "CLAUDE.md")
	case "darwin":
		l.Memory(l.Own("/Library/Application Support/ClaudeCode"), "CLAUDE.md")
	}
	l.Excludes = settings.excludes
	l.Memory(own, "CLAUDE.md")
	l.Rules(own, "rules")
	above := l.Above(func(string) bool { return false })
	agentsMD := readsAgentsMD(l, own, above)
	for _, f := range above {
		l.Memory(f, "CLAUDE.md")
		l.Memory(f, ".claude/CLAUDE.md")
		if agentsMD {
			l.Memory(f, "AGENTS.md")
			l.Memory(f, ".claude/AGENTS.md")
		}
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

// readsAgentsMD reports whether Claude Code loads AGENTS.md: since 2.1.277, if no folder from the root down to the
// workspace has a memory file of its own kind. Its option for loading both is not read.
func readsAgentsMD(l *promptload.Loader, own *promptload.Folder, above []*promptload.Folder) bool {
	if l.Session.Version == "" || !agent.AtLeast(l.Session.Version, "2.1.277") {
		return false
	}
	for _, f := range above {
		for _, name := range [...]string{"CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"} {
			if own != nil && filepath.Join(f.Real, filepath.Dir(name)) == own.Real {
				continue // the user's own file is not one of a project
			}
			if info, err := f.Root.Stat(filepath.FromSlash(name)); err == nil && info.Mode().IsRegular() {
				return false
			}
		}
	}
	return true
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
