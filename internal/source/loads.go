// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// loadings find what each agent loads. Of Codex only the servers are looked
// for, and of Copilot CLI and mini-SWE-agent nothing: they record the rest.
var loadings = map[string]func(*loader){
	agent.Codex:      codexServers,
	agent.ClaudeCode: loadClaude,
	agent.OpenCode:   func(l *loader) { loadOpenCode(l, "opencode") },
	agent.Kilo:       func(l *loader) { loadOpenCode(l, "kilo") },
	agent.GeminiCLI:  func(l *loader) { loadUpwards(l, ".gemini", "GEMINI.md") },
	agent.QwenCode:   func(l *loader) { loadUpwards(l, ".qwen", "QWEN.md") },
	agent.Cline: func(l *loader) {
		if f := l.own(l.environment.join(l.environment.Home, "Documents", "Cline", "Rules")); f != nil {
			f.as = ".clinerules/"
			l.rules(f, ".")
		}
		l.rules(l.workspace, ".clinerules")
		l.memory(l.workspace, ".clinerules")
		l.memory(l.workspace, "AGENTS.md")
	},
	agent.RooCode: func(l *loader) {
		l.rules(l.own(l.environment.join(l.environment.Home, ".roo")), "rules")
		l.rules(l.workspace, ".roo/rules")
		l.memory(l.workspace, ".roorules")
		l.memory(l.workspace, "AGENTS.md")
	},
}

// claudeListing is how many characters of skills and commands Claude Code
// lists; those beyond are left out.
const claudeListing = 16_000

// autoMemoryLines is how much of its own notes Claude Code loads.
const autoMemoryLines = 200

// loadClaude: memory files from the root of the disk down to the workspace,
// the person's own first; rules without paths; notes of its own; skills and
// commands, agents by their descriptions.
func loadClaude(l *loader) {
	own := l.own(l.environment.ClaudeHome())
	switch l.environment.OS {
	case "linux":
		l.memory(l.own("/etc/claude-code"), "CLAUDE.md")
	case "darwin":
		l.memory(l.own("/Library/Application Support/ClaudeCode"), "CLAUDE.md")
	}
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
	l.autoMemory()
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
}

// autoMemory is the beginning of what Claude Code notes for itself of a
// project, beside the transcripts.
func (l *loader) autoMemory() {
	f := l.own(filepath.Join(filepath.Dir(l.session.Path), "memory"))
	text, ok := l.read(f, "MEMORY.md", maxLoadedFile)
	if !ok {
		return
	}
	lines := strings.SplitAfterN(string(text), "\n", autoMemoryLines+1)
	l.out.Memory = append(l.out.Memory, LoadedText{"MEMORY.md", strings.Join(lines[:min(len(lines), autoMemoryLines)], "")})
}

// loadOpenCode: AGENTS.md of the folders from the workspace up to the root of
// its repository, else CLAUDE.md; the person's own; what the settings name as
// instructions; skills and agents by their descriptions.
func loadOpenCode(l *loader, name string) {
	e := l.environment
	own := l.own(e.join(e.configHome(), name))
	if !l.memory(own, "AGENTS.md") {
		l.memory(l.own(e.ClaudeHome()), "CLAUDE.md")
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
	for _, at := range []*folder{own, l.workspace} {
		if at == nil {
			continue
		}
		if text, ok := l.settings(at, name+".json"); ok {
			for each := text.Get("instructions").Elements(); each.Next(); {
				l.instructed(at, each.Value.String())
			}
		}
	}
	list := listing{loader: l, most: maxListedHead * 4}
	for _, at := range [...]struct {
		in     *folder
		prefix string
	}{{own, ""}, {l.workspace, "." + name + "/"}, {l.workspace, ".claude/"}} {
		for _, dir := range []string{"skill", "skills"} {
			if at.in == nil {
				continue
			}
			for _, entry := range l.names(at.in, at.prefix+dir) {
				list.skill(at.in, at.prefix+dir+"/"+entry.Name()+"/SKILL.md", entry.Name())
			}
		}
	}
}

// codexServers are the MCP servers of Codex's config.toml: its tables below
// mcp_servers, but for those that are switched off.
func codexServers(l *loader) {
	home := l.environment.variable("CODEX_HOME")
	if home == "" {
		home = l.environment.join(l.environment.Home, ".codex")
	}
	text, ok := smallFile(filepath.Join(home, "config.toml"))
	if !ok {
		return
	}
	server := ""
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		if table, ok := strings.CutPrefix(strings.TrimSpace(line), "["); ok {
			server = ""
			if name, ok := strings.CutPrefix(strings.TrimSuffix(table, "]"), "mcp_servers."); ok {
				if name = strings.Trim(name, `"'`); !strings.Contains(name, ".") {
					server = name
					l.out.Servers = append(l.out.Servers, name)
				}
			}
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if server != "" && strings.TrimSpace(key) == "enabled" && strings.TrimSpace(value) == "false" {
			l.out.Servers = l.out.Servers[:len(l.out.Servers)-1]
			server = ""
		}
	}
}

// settings reads a small file of settings as JSON.
func (l *loader) settings(f *folder, path string) (json.Value, bool) {
	file, err := f.root.Open(path)
	if err != nil {
		return json.Value{}, false
	}
	defer file.Close()
	text := make([]byte, maxSettings)
	n, _ := file.ReadAt(text, 0)
	v, err := json.Parse(text[:n])
	return v, err == nil && n < maxSettings
}

// instructed loads a file that settings name; a pattern or an address is not
// looked for, and is said.
func (l *loader) instructed(f *folder, path string) {
	if rel, err := filepath.Rel(f.dir, path); err == nil && filepath.IsAbs(path) {
		path = filepath.ToSlash(rel)
	}
	if path = strings.TrimPrefix(path, "./"); strings.ContainsAny(path, "*?[{:") || !filepath.IsLocal(filepath.FromSlash(path)) {
		l.outside = append(l.outside, l.named(path))
		return
	}
	l.memory(f, path)
}

// loadUpwards: the person's own file, and those of the folders from the root
// of the repository down to the workspace, with their imports.
func loadUpwards(l *loader, home, file string) {
	l.memory(l.own(l.environment.join(l.environment.Home, home)), file)
	for _, f := range l.above(repositoryRoot) {
		l.memory(f, file)
	}
}

// listing is what an agent lists by name and description.
type listing struct {
	loader *loader
	most   int // characters
	used   int
}

// skill lists a skill or a command, unless only people may call it.
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
	line := listed(name, view)
	if l.used += len(line); l.used > l.most {
		l.loader.unlisted++
		return
	}
	l.loader.out.Skills = append(l.loader.out.Skills, LoadedText{name, line})
}

func (l *listing) agent(f *folder, path string) {
	text, ok := l.loader.read(f, path, maxListedHead)
	if !ok {
		return
	}
	if view := l.loader.view(f, path, text); view != nil && view.Load.When == promptfile.OnDemand {
		name := nameOf(path)
		l.loader.out.Agents = append(l.loader.out.Agents, LoadedText{name, listed(name, view)})
	}
}

// listed is the line by which a model chooses.
func listed(name string, view *promptfile.View) string {
	if strings.HasPrefix(view.Load.Listed, name+":") {
		return "- " + view.Load.Listed + "\n"
	}
	return "- " + name + ": " + view.Load.Listed + "\n"
}

// frontOf is the beginning of a prompt file, between its two lines of dashes.
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
