// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// loadings are the functions that find what each agent loads. Codex records what
// it loads except its servers, and Copilot CLI and mini-SWE-agent record all of
// it.
var loadings = map[string]func(*loader){
	agent.Codex:      codexServers,
	agent.ClaudeCode: loadClaude,
	agent.OpenCode:   func(l *loader) { loadOpenCode(l, "opencode") },
	agent.Kilo:       func(l *loader) { loadOpenCode(l, "kilo") },
	agent.GeminiCLI:  loadGemini,
	agent.QwenCode: func(l *loader) {
		loadUpwards(l, l.own(l.environment.Join(l.environment.Home, ".qwen")), "QWEN.md", "AGENTS.md")
	},
	agent.Cline: func(l *loader) {
		if f := l.own(l.environment.Join(l.environment.Home, "Documents", "Cline", "Rules")); f != nil {
			f.as = ".clinerules/"
			l.rules(f, ".")
		}
		l.rules(l.workspace, ".clinerules")
		l.memory(l.workspace, ".clinerules")
		l.memory(l.workspace, "AGENTS.md")
	},
	agent.RooCode: func(l *loader) {
		l.rules(l.own(l.environment.Join(l.environment.Home, ".roo")), "rules")
		l.rules(l.workspace, ".roo/rules")
		l.memory(l.workspace, ".roorules")
		l.memory(l.workspace, "AGENTS.md")
	},
}

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
	own := l.own(agents.HomeOf(l.environment, agent.ClaudeCode))
	settings := l.loadSettings(own)
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
	for _, p := range l.plugins(own, settings.plugins) {
		list.plugged(p)
	}
}

// autoMemory loads the first lines of the notes that Claude Code keeps about a
// project, beside the project's transcripts.
func (l *loader) autoMemory() {
	f := l.own(filepath.Join(filepath.Dir(l.session.Path), "memory"))
	text, ok := l.read(f, "MEMORY.md", maxLoadedFile)
	if !ok {
		return
	}
	lines := strings.SplitAfterN(string(text), "\n", autoMemoryLines+1)
	l.out.Memory = append(l.out.Memory, LoadedText{"MEMORY.md", strings.Join(lines[:min(len(lines), autoMemoryLines)], "")})
}

// codexServers finds the MCP servers in Codex's config.toml. They are the tables
// below mcp_servers, without those that are switched off.
func codexServers(l *loader) {
	home := l.environment.Variable("CODEX_HOME")
	if home == "" {
		home = l.environment.Join(l.environment.Home, ".codex")
	}
	text, ok := safefile.Small(filepath.Join(home, "config.toml"))
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

// loadGemini finds what Gemini CLI loads: memory files, and the descriptions of
// skills.
func loadGemini(l *loader) {
	l.around = func(path string) (above, below string) {
		return "--- Context from: " + path + " ---\n", "\n--- End of Context from: " + path + " ---\n"
	}
	own := l.own(l.environment.Join(l.environment.Home, ".gemini"))
	loadUpwards(l, own, "GEMINI.md")
	list := taggedSkills{loader: l, line: taggedLine, seen: map[string]bool{}}
	list.below(l.workspace, ".agents/skills") // what stands nearer counts
	list.below(l.workspace, ".gemini/skills")
	list.below(l.own(l.environment.Join(l.environment.Home, ".agents")), "skills")
	list.below(own, "skills")
}

// loadUpwards finds the memory files of Gemini CLI and Qwen Code: the person's
// own, and those of the folders from the root of the repository down to the
// workspace, with their imports. Settings may give them other names.
func loadUpwards(l *loader, own *folder, names ...string) {
	home := "." + strings.ToLower(strings.TrimSuffix(names[0], ".md"))
	for _, at := range [...]struct {
		in   *folder
		path string
	}{{own, "settings.json"}, {l.workspace, home + "/settings.json"}} {
		if at.in == nil {
			continue
		}
		v, _ := l.settings(at.in, at.path)
		for _, named := range [...]json.Value{v.Get("contextFileName"), v.Path("context", "fileName")} {
			if given := fileNames(named); len(given) > 0 {
				names = given
			}
		}
	}
	folders := l.above(repositoryRoot)
	for _, f := range append([]*folder{own}, folders...) {
		for _, name := range names {
			l.memory(f, name)
		}
	}
}

// fileNames are the names of files that a setting has: one, or a list.
func fileNames(v json.Value) (names []string) {
	if v.Kind() == json.String {
		names = append(names, v.String())
	}
	for e := v.Elements(); e.Next() && len(names) < 20; {
		names = append(names, e.Value.String())
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" || strings.ContainsAny(name, `/\`) })
}

// listing collects the skills and agents that an agent lists by name and description.
type listing struct {
	loader *loader
	most   int    // characters that the agent spends on it
	as     string // goes before the names: the plugin's own name
	used   int
}

// skill lists a skill or a command, unless only people may call it or the list is full.
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
	line := l.listed(name, view)
	if l.used += len(line); l.used > l.most {
		l.loader.unlisted++
		return
	}
	l.loader.out.Skills = append(l.loader.out.Skills, LoadedText{l.as + name, line})
}

// agent lists an agent that the model may call.
func (l *listing) agent(f *folder, path string) {
	text, ok := l.loader.read(f, path, maxListedHead)
	if !ok {
		return
	}
	if view := l.loader.view(f, path, text); view != nil && view.Load.When == promptfile.OnDemand {
		name := nameOf(path)
		l.loader.out.Agents = append(l.loader.out.Agents, LoadedText{l.as + name, l.listed(name, view)})
	}
}

// listed is the line of a list by which the model chooses.
func (l *listing) listed(name string, view *promptfile.View) string {
	if strings.HasPrefix(view.Load.Listed, name+":") {
		return "- " + l.as + view.Load.Listed + "\n"
	}
	return "- " + l.as + name + ": " + view.Load.Listed + "\n"
}

// frontOf is the front matter of a prompt file, which stands between two lines of dashes.
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
