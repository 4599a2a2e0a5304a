// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestWhatAgentsLoadWhenASessionBegins checks the files, skills and servers of each agent that records none of them.
func TestWhatAgentsLoadWhenASessionBegins(t *testing.T) {
	skill := func(name string) string { return "---\nname: " + name + "\ndescription: Does it.\n---\nLong" }
	for about, c := range map[string]struct {
		agent, path string // below the home directory
		files       map[string]string
		want        []string
	}{
		"Cline": {agent.Cline, ".cline/data/sessions/s/s.messages.json", map[string]string{
			"Documents/Cline/Rules/mine.md": "Mine", "shop/.clinerules/a.md": "A", "shop/AGENTS.md": "Agents", "shop/.clinerules/skills/x/SKILL.md": "S",
			".cline/data/settings/cline_mcp_settings.json": `{"mcpServers":{"b":{"command":"x"},"a":{"command":"x"},"off":{"command":"x","disabled":true}}}`,
		}, []string{"memory ~/Documents/Cline/Rules/mine.md", "memory .clinerules/a.md", "memory AGENTS.md", "skill skills 237", "server a", "server b"}},
		"Cline with a file of rules":    {agent.Cline, ".cline/data/sessions/s/s.messages.json", map[string]string{"shop/.clinerules": "One file"}, []string{"memory .clinerules"}},
		"Cline with skills of the user": {agent.Cline, ".cline/data/sessions/s/s.messages.json", map[string]string{".agents/skills/y/SKILL.md": "S"}, []string{"skill skills 237"}},
		"Cline with its own skills":     {agent.Cline, ".cline/data/sessions/s/s.messages.json", map[string]string{".cline/skills/y/SKILL.md": "S"}, []string{"skill skills 237"}},
		"Cline with other files":        {agent.Cline, ".cline/data/sessions/s/s.messages.json", map[string]string{".cline/skills/y/README.md": "S", "shop/skills/y/SKILL.md": "S", ".agents/.agents/skills/y/SKILL.md": "S"}, nil},
		"Roo Code": {agent.RooCode, ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/ui_messages.json", map[string]string{
			".roo/rules/mine.md": "Mine", "shop/.roo/rules/a.md": "A", "shop/.roorules": "Old", "shop/AGENTS.md": "Agents", "shop/.roo/rules-code/b.md": "B",
		}, []string{"memory ~/.roo/rules/mine.md", "memory .roo/rules/a.md", "memory .roorules", "memory AGENTS.md"}},
		"gptme": {agent.GPTMe, ".local/share/gptme/logs/c/conversation.jsonl", map[string]string{
			"shop/AGENTS.md": "A", "CLAUDE.md": "Above", "shop/GEMINI.md": "G", "shop/.github/copilot-instructions.md": "C", "shop/README.md": "R", ".git/x": "",
		}, []string{"memory /CLAUDE.md", "memory AGENTS.md", "memory GEMINI.md", "memory .github/copilot-instructions.md", "memory README.md"}},
		"Gemini CLI": {agent.GeminiCLI, ".gemini/tmp/p/chats/s.jsonl", map[string]string{
			".gemini/GEMINI.md": "Mine", "shop/GEMINI.md": "Ours", "GEMINI.md": "Above", ".git/x": "", "shop/.agents/skills/a/SKILL.md": skill("a"), "shop/.gemini/skills/b/SKILL.md": skill("b"), ".agents/skills/c/SKILL.md": skill("c"), ".gemini/skills/d/SKILL.md": skill("d"), "shop/.gemini/skills/a/SKILL.md": skill("a"),
			".gemini/settings.json": `{"mcpServers":{"s":{"command":"x"}}}`, "shop/.gemini/settings.json": `{"mcpServers":{"t":{"command":"x"},"s":{"command":"y"}}}`,
		}, []string{"memory ~/.gemini/GEMINI.md", "memory /GEMINI.md", "memory GEMINI.md", "skill a", "skill b", "skill c", "skill d", "server s", "server t"}},
		"Gemini CLI, which has recorded its memory": {agent.GeminiCLI, ".gemini/tmp/p/chats/s.jsonl", map[string]string{
			".gemini/GEMINI.md": "Mine", "shop/GEMINI.md": "Ours", ".gemini/tmp/p/chats/s.jsonl": strings.Repeat(" ", geminiHead-len("<loaded_context>")) + "<loaded_context>",
		}, []string{"memory ~/.gemini/GEMINI.md"}},
		"Gemini CLI, which has recorded something later": {agent.GeminiCLI, ".gemini/tmp/p/chats/s.jsonl", map[string]string{
			"shop/GEMINI.md": "Ours", ".gemini/tmp/p/chats/s.jsonl": strings.Repeat(" ", geminiHead-len("<loaded_context>")+1) + "<loaded_context>",
		}, []string{"memory GEMINI.md"}},
		"Gemini CLI with other names": {agent.GeminiCLI, ".gemini/tmp/p/chats/s.jsonl", map[string]string{
			".gemini/settings.json": `{"contextFileName":"OLD.md"}`, "shop/.gemini/settings.json": `{"context":{"fileName":["A.md","B.md"]}}`, "shop/A.md": "A", "shop/B.md": "B", "shop/GEMINI.md": "G", "shop/OLD.md": "O",
		}, []string{"memory A.md", "memory B.md"}},
		"Qwen Code": {agent.QwenCode, ".qwen/projects/p/chats/s.jsonl", map[string]string{
			".qwen/QWEN.md": "Mine", "shop/QWEN.md": "Ours", "shop/AGENTS.md": "Agents", "shop/.qwen/skills/a/SKILL.md": skill("a"), ".qwen/skills/b/SKILL.md": skill("b"), ".qwen/settings.json": `{"contextFileName":"QWEN.md"}`,
		}, []string{"memory ~/.qwen/QWEN.md", "memory QWEN.md", "skill a project", "skill b user"}},
		"Codex": {agent.Codex, ".codex/sessions/s.jsonl", map[string]string{
			".codex/config.toml": "[mcp_servers.a]\ncommand = \"x\"\n[mcp_servers.a.env]\nenabled = false\n [ mcp_servers.x]\n[mcp_servers.\"b\"] # mine\nenabled = false # for now\n[mcp_servers.c]\nenabled = true\nenabled = false\nenabled = false\n[mcp_servers.d]\n#enabled = false\nother = false\n[other]\nenabled = false\n",
		}, []string{"server a", "server d"}},
	} {
		m := dirstest.NewMachine(t)
		m.Put("shop/x", "")
		m.Put(c.path, "")
		for path, text := range c.files {
			m.Put(path, text)
		}
		e := dirs.Environment{OS: "linux", Home: m.Home, Getenv: func(string) string { return "" }}
		s := transcript.Session{Agent: c.agent, Path: filepath.Join(m.Home, filepath.FromSlash(c.path)), Workspace: filepath.Join(m.Home, "shop"), Started: m.At.Add(time.Hour)}
		var got []string
		if found := Loads(e, s, nil, false); found != nil {
			for _, text := range found.Memory {
				got = append(got, "memory "+text.Label)
			}
			for _, text := range found.Skills {
				line := fmt.Sprintf("skill %s %d", text.Label, text.Tokens)
				for _, level := range []string{"project", "user"} {
					if strings.Contains(text.Text, "<location>\n"+level+"\n") {
						line = "skill " + text.Label + " " + level
					}
				}
				got = append(got, strings.TrimSuffix(line, " 0"))
			}
			for _, server := range found.Servers {
				got = append(got, "server "+server)
			}
			for _, message := range found.Unknown {
				got = append(got, message.String())
			}
		}
		real, err := filepath.EvalSymlinks(m.Home)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			got[i] = strings.NewReplacer(filepath.ToSlash(m.Home), "", filepath.ToSlash(real), "").Replace(filepath.ToSlash(got[i]))
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s:\n got %q\nwant %q", about, got, c.want)
		}
		s.Parent = "p"
		if Loads(e, s, nil, false) != nil {
			t.Errorf("%s: a sub-agent loads something", about)
		}
		if s.Parent, s.Path = "", filepath.Join(m.Home, "elsewhere.jsonl"); Loads(e, s, nil, false) != nil {
			t.Errorf("%s: a session elsewhere loads something", about)
		}
	}
}

// TestMemoryOfGeminiHasItsHeadings checks the text around a memory file, and an agent without a directory of its own.
func TestMemoryOfGeminiHasItsHeadings(t *testing.T) {
	m := dirstest.NewMachine(t)
	path := m.Put(".gemini/tmp/p/chats/s.jsonl", "")
	m.Put("shop/GEMINI.md", "Ours")
	m.Put("shop/.agents/skills/a/SKILL.md", "---\nname: a\ndescription: Near.\n---\n")
	m.Put(".gemini/skills/a/SKILL.md", "---\nname: a\ndescription: Far.\n---\n")
	s := transcript.Session{Agent: agent.GeminiCLI, Path: path, Workspace: filepath.Join(m.Home, "shop"), Started: m.At.Add(time.Hour)}
	found := Loads(m.Environment(), s, nil, false)
	file := filepath.Join(m.Home, "shop", "GEMINI.md")
	if found == nil || len(found.Memory) != 1 || found.Memory[0].Text != "--- Context from: "+file+" ---\nOurs\n--- End of Context from: "+file+" ---\n" {
		t.Errorf("%+v", found)
	}
	if found == nil || len(found.Skills) != 1 || !strings.Contains(found.Skills[0].Text, "Near.") {
		t.Errorf("%+v", found)
	}
	if recordsMemory(path + "x") {
		t.Error("a missing session has recorded its memory")
	}
	m.Env["QWEN_RUNTIME_DIR"], m.Env["QWEN_HOME"] = filepath.Join(m.Home, "runtime"), filepath.Join(m.Home, "gone")
	m.Put("shop/QWEN.md", "Ours")
	qwen := transcript.Session{Agent: agent.QwenCode, Path: m.Put("runtime/projects/p/chats/s.jsonl", ""), Workspace: s.Workspace, Started: m.At.Add(time.Hour)}
	if found := Loads(m.Environment(), qwen, nil, false); found == nil || len(found.Memory) != 1 {
		t.Errorf("%+v", found)
	}
}

// TestFilesThatAreSentUnrecordedAreOfItsOwnSessions checks the sessions whose files are looked for.
func TestFilesThatAreSentUnrecordedAreOfItsOwnSessions(t *testing.T) {
	m := dirstest.NewMachine(t)
	own := m.Put(".claude/projects/-w/s.jsonl", "")
	for _, c := range []struct {
		about string
		s     transcript.Session
		want  bool
	}{
		{"its own", transcript.Session{Agent: agent.ClaudeCode, Path: own, Workspace: m.Home}, true},
		{"a sub-agent's", transcript.Session{Agent: agent.ClaudeCode, Path: own, Workspace: m.Home, Parent: "p"}, false},
		{"one elsewhere", transcript.Session{Agent: agent.ClaudeCode, Path: filepath.Join(m.Home, "s.jsonl"), Workspace: m.Home}, false},
		{"one without a folder", transcript.Session{Agent: agent.ClaudeCode, Path: own}, false},
		{"another agent's", transcript.Session{Agent: agent.Codex, Path: own, Workspace: m.Home}, false},
	} {
		if files := FilesOf(m.Environment(), c.s); (files != nil) != c.want {
			t.Errorf("%s: %v", c.about, files)
		}
	}
}

// TestPropertiesOfAgents checks what holds of some agents only, by the agents' own documentation.
func TestPropertiesOfAgents(t *testing.T) {
	for property, c := range map[string]struct {
		has  func(*Agent) bool
		want string
	}{
		"runs in its own process":       {func(a *Agent) bool { return a.AlwaysProcess }, "claude-code codex opencode gemini-cli qwen-code copilot-cli"},
		"hosts run it too":              {func(a *Agent) bool { return a.Hosted }, "claude-code codex copilot-cli"},
		"keeps its transcript open":     {func(a *Agent) bool { return a.HoldsOpen }, "codex"},
		"names tokens in its records":   {func(a *Agent) bool { return a.NamesTokens }, "claude-code codex"},
		"marks failures":                {func(a *Agent) bool { return a.MarksFailures }, "claude-code"},
		"dates its records":             {func(a *Agent) bool { return a.DatesRecords }, "claude-code"},
		"has exit codes next to output": {func(a *Agent) bool { return a.ExitsBeside }, "opencode kilo"},
		"asks for a summary":            {func(a *Agent) bool { return a.AsksForSummary }, "opencode kilo"},
		"may lack its directory":        {func(a *Agent) bool { return a.NoDirectory }, "mini-swe-agent"},
		"does not record its servers":   {func(a *Agent) bool { return a.ServersUnrecorded }, "opencode kilo gemini-cli qwen-code copilot-cli cline"},
		"has long turns":                {func(a *Agent) bool { return a.Marks != nil && a.Marks.LongTurns }, "codex augure traex"},
		"names a conversation":          {func(a *Agent) bool { return a.StatusLine != nil && a.StatusLine.Conversation }, "antigravity"},
		"writes before its status line": {func(a *Agent) bool { return a.StatusLine != nil && a.StatusLine.WritesFirst }, "claude-code"},
		"has its session elsewhere":     {func(a *Agent) bool { return a.StatusLine != nil && a.StatusLine.OwnFolder }, "copilot-cli cursor"},
		"sends a hook's session by id":  {func(a *Agent) bool { return a.Hooks != nil && a.Hooks.ByID }, "copilot-cli cursor"},
		"sends a hook's folder only":    {func(a *Agent) bool { return a.Hooks != nil && a.Hooks.NewestOfFolder }, "kiro"},
		"starts with a long record":     {func(a *Agent) bool { return len(a.Tried) > 0 && a.Tried[0].Long && a.Tried[len(a.Tried)-1].Long }, "copilot"},
		"has a prompt file at home":     {func(a *Agent) bool { return a.PromptsAtHome }, "claude-code codex gemini-cli qwen-code copilot-cli antigravity kiro cursor pi kimi-code kimi-cli grok dsh vibe droid omp prime openclaude iflow qoder augure traex"},
		"starts with a prompt":          {func(a *Agent) bool { return a.Start != "" }, "claude-code codex opencode gemini-cli qwen-code copilot-cli"},
	} {
		var got []string
		for _, a := range All() {
			if c.has(a) {
				got = append(got, a.ID)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s", property, strings.Join(got, " "))
		}
	}
	if got := Named(agent.OpenCode).Start; got != "opencode --prompt" {
		t.Errorf("OpenCode starts with %s", got)
	}
}

// TestPromptFilesOfSeveralAgents checks which agent loads another's file in place of its own.
func TestPromptFilesOfSeveralAgents(t *testing.T) {
	exists := func(names ...string) func(string) bool {
		return func(path string) bool { return strings.Contains(" "+strings.Join(names, " ")+" ", " "+path+" ") }
	}
	for _, c := range []struct {
		path   string
		exists func(string) bool
		want   string
	}{
		{"AGENTS.md", exists(), agent.ClaudeCode}, {".claude/AGENTS.md", exists("README.md"), agent.ClaudeCode}, {"AGENTS.md", exists("CLAUDE.local.md"), ""}, {"README.md", exists(), ""},
	} {
		if got := SubstituteFor(c.path, c.exists); got != c.want {
			t.Errorf("%s is loaded by %q", c.path, got)
		}
	}
	for path, want := range map[string]string{".claude/AGENTS.md": agent.ClaudeCode, "AGENTS.md": "", ".claude/CLAUDE.md": ""} {
		if got := OnlySubstitutes(path); got != want {
			t.Errorf("%s is of %q", path, got)
		}
	}
	if got := strings.Join(SharedPromptFiles(), " "); got != "AGENTS.md ~/.codex/AGENTS.md .github/copilot-instructions.md .cursorrules .windsurfrules" {
		t.Errorf("shared are %s", got)
	}
	if got := strings.Join(Named(agent.GeminiCLI).PromptHomes(), " ") + " " + strings.Join(Named(agent.Crush).PromptHomes(), " "); got != ".gemini .config/crush" {
		t.Errorf("the folders are %s", got)
	}
}

// TestSettingsFilesAreThoseOfTheirAgents checks the files that are explained as settings, and what a text in the place
// of one would change.
func TestSettingsFilesAreThoseOfTheirAgents(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Linux")
	}
	m := dirstest.NewMachine(t)
	e := m.Environment()
	e.OS = "linux"
	workspace := filepath.Join(m.Home, "shop")
	places := map[string]string{}
	for _, p := range SettingsPlaces(e, workspace) {
		path := strings.Replace(p.File.Path(), m.Home, "~", 1)
		places[p.Agent.ID+" "+path] = strings.Join(p.File.Servers, " ")
		if !p.IsAt(p.File.Path()) || p.IsAt(p.File.Path()+"x") || p.IsAt(filepath.Join(m.Home, "elsewhere", filepath.Base(path))) {
			t.Errorf("%s is not where it is", path)
		}
	}
	for place, servers := range map[string]string{
		"claude-code ~/.claude/settings.json": "", "claude-code ~/shop/.claude/settings.local.json": "", "claude-code ~/.claude.json": "mcpServers.* projects.*.mcpServers.*", "claude-code ~/shop/.mcp.json": "mcpServers.*",
		"opencode ~/.config/opencode/opencode.json": "mcp.* mcp.servers.*", "opencode ~/shop/opencode.jsonc": "mcp.* mcp.servers.*", "codex ~/.codex/config.toml": "mcp_servers.*", "gemini-cli ~/shop/.gemini/settings.json": "mcpServers.*",
		"cursor ~/.cursor/mcp.json": "mcpServers.*", "zed ~/.config/zed/settings.json": "", "gptme ~/shop/gptme.toml": "", "kilo ~/shop/.kilo/kilo.jsonc": "mcp.* mcp.servers.*", "copilot ~/shop/.vscode/mcp.json": "servers.*",
	} {
		if got, ok := places[place]; !ok || got != servers {
			t.Errorf("%s: %q, %v", place, got, ok)
		}
	}
	for _, p := range SettingsPlaces(e, "") {
		if strings.Contains(p.File.Path(), "shop") || p.File.Path() == "" {
			t.Errorf("without a workspace: %s", p.File.Path())
		}
	}
	e.Allowed = func(id string) bool { return id == agent.Codex }
	if list := SettingsPlaces(e, workspace); len(list) != 1 || list[0].Agent.ID != agent.Codex {
		t.Errorf("of one agent: %+v", list)
	}
	globs := SettingsGlobs()
	for _, glob := range []string{"**/.claude/settings.json", "**/opencode.jsonc", "**/.mcp.json", "**/.codex/config.toml"} {
		if !strings.Contains(" "+strings.Join(globs, " ")+" ", " "+glob+" ") {
			t.Errorf("%s is not in %q", glob, globs)
		}
	}
	for i, glob := range globs {
		if i > 0 && globs[i-1] >= glob || strings.Contains(glob, "~") || strings.Contains(glob, "/./") || strings.Contains(glob, "//") {
			t.Errorf("%q after %q", glob, globs[max(i-1, 0)])
		}
	}
	if SameFile("", "") || SameFile("/a", "/b") || !SameFile("/a", "/a") {
		t.Error("the wrong paths are one file")
	}
}

// TestSettingsWithAnotherText checks the value of each setting, and the file that sets it.
func TestSettingsWithAnotherText(t *testing.T) {
	m := dirstest.NewMachine(t)
	workspace := filepath.Join(m.Home, "shop")
	own := m.Put(".claude/settings.json", `{"autoCompactWindow":"300k","autoCompactEnabled":false}`)
	shared := m.Put("shop/.claude/settings.json", `{"autoCompactWindow":"200k"}`)
	m.Env["DISABLE_COMPACT"] = "1"
	a := Named(agent.ClaudeCode)
	values := func(path, text string) string {
		found, from := SettingsWith(m.Environment(), a, workspace, path, []byte(text))
		var lines []string
		for _, name := range []string{"autoCompactWindow", "autoCompactEnabled", "DISABLE_COMPACT"} {
			file := from[name].File
			switch file {
			case own:
				file = "own"
			case shared:
				file = "shared"
			}
			if from[name].Value != "" && from[name].Value != found[name] {
				t.Errorf("%s is %s and %s", name, found[name], from[name].Value)
			}
			lines = append(lines, found[name]+" of "+file)
		}
		return strings.Join(lines, ", ")
	}
	for _, c := range []struct{ path, text, want string }{
		{"", "", "200k of shared, false of own, 1 of "},
		{own, `{"autoCompactWindow":"100k"}`, "200k of shared,  of , 1 of "},
		{shared, `{}`, "300k of own, false of own, 1 of "},
		{shared, `{"autoCompactEnabled":true,"env":{"DISABLE_COMPACT":"0"}}`, "300k of own, true of shared, 0 of shared"},
		{own, ``, "200k of shared,  of , 1 of "},
	} {
		if got := values(c.path, c.text); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.text, filepath.Base(filepath.Dir(c.path)), got, c.want)
		}
	}
	if err := os.Remove(shared); err != nil {
		t.Fatal(err)
	}
	if got := values("", ""); got != "300k of own, false of own, 1 of " {
		t.Errorf("without one: %s", got)
	}
	if found, from := SettingsWith(m.Environment(), Named(agent.Aider), workspace, own, nil); len(found) != 0 || len(from) != 0 {
		t.Errorf("an agent without settings: %v, %v", found, from)
	}
}
