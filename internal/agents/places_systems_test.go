// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// homesOf are the places of each agent on Linux, macOS and Windows, by its own rules: a place of which nothing is set.
// Those with an asterisk are below the folder of an editor.
var homesOf = map[string][3]string{
	agent.ClaudeCode:   {"/home/ada/.claude/projects", "/Users/ada/.claude/projects", `C:\Users\ada\.claude\projects`},
	agent.Codex:        {"/home/ada/.codex/sessions", "/Users/ada/.codex/sessions", `C:\Users\ada\.codex\sessions`},
	agent.OpenCode:     {"/home/ada/.local/share/opencode/opencode.db", "/Users/ada/.local/share/opencode/opencode.db", `C:\Users\ada\.local\share\opencode\opencode.db`},
	agent.Kilo:         {"/home/ada/.local/share/kilo/kilo.db", "/Users/ada/.local/share/kilo/kilo.db", `C:\Users\ada\.local\share\kilo\kilo.db`},
	agent.MiMoCode:     {"/home/ada/.local/share/mimocode/mimocode.db", "/Users/ada/.local/share/mimocode/mimocode.db", `C:\Users\ada\.local\share\mimocode\mimocode.db`},
	agent.ZCode:        {"/home/ada/.zcode/cli/db/db.sqlite", "/Users/ada/.zcode/cli/db/db.sqlite", `C:\Users\ada\.zcode\cli\db\db.sqlite`},
	agent.GeminiCLI:    {"/home/ada/.gemini/tmp", "/Users/ada/.gemini/tmp", `C:\Users\ada\.gemini\tmp`},
	agent.QwenCode:     {"/home/ada/.qwen/projects", "/Users/ada/.qwen/projects", `C:\Users\ada\.qwen\projects`},
	agent.CopilotCLI:   {"/home/ada/.copilot/session-state", "/Users/ada/.copilot/session-state", `C:\Users\ada\.copilot\session-state`},
	agent.JetBrains:    {"/home/ada/.copilot/jb", "/Users/ada/.copilot/jb", `C:\Users\ada\.copilot\jb`},
	agent.Auggie:       {"/home/ada/.augment/sessions", "/Users/ada/.augment/sessions", `C:\Users\ada\.augment\sessions`},
	agent.Junie:        {"/home/ada/.junie/sessions", "/Users/ada/.junie/sessions", `C:\Users\ada\.junie\sessions`},
	agent.MiniSWEAgent: {"/home/ada/.config/mini-swe-agent/last_mini_run.traj.json", "/Users/ada/Library/Application Support/mini-swe-agent/last_mini_run.traj.json", `C:\Users\ada\AppData\Local\mini-swe-agent\mini-swe-agent\last_mini_run.traj.json`},
	agent.Cline:        {"*/globalStorage/saoudrizwan.claude-dev/tasks", "*/globalStorage/saoudrizwan.claude-dev/tasks", `*\globalStorage\saoudrizwan.claude-dev\tasks`},
	agent.RooCode:      {"*/globalStorage/rooveterinaryinc.roo-cline/tasks", "*/globalStorage/rooveterinaryinc.roo-cline/tasks", `*\globalStorage\rooveterinaryinc.roo-cline\tasks`},
	agent.KiloCode:     {"*/globalStorage/kilocode.kilo-code/tasks", "*/globalStorage/kilocode.kilo-code/tasks", `*\globalStorage\kilocode.kilo-code\tasks`},
	agent.ZooCode:      {"*/globalStorage/zoocodeorganization.zoo-code/tasks", "*/globalStorage/zoocodeorganization.zoo-code/tasks", `*\globalStorage\zoocodeorganization.zoo-code\tasks`},
	agent.Copilot:      {"*", "*", "*"},
	agent.Goose:        {"/home/ada/.local/share/goose/sessions/sessions.db", "/Users/ada/.local/share/goose/sessions/sessions.db", `C:\Users\ada\AppData\Roaming\Block\goose\data\sessions\sessions.db`},
	agent.Amp:          {"/home/ada/.local/share/amp/threads", "/Users/ada/.local/share/amp/threads", `C:\Users\ada\.local\share\amp\threads`},
	agent.Crush:        {"/home/ada/.local/share/crush/projects.json", "/Users/ada/.local/share/crush/projects.json", `C:\Users\ada\AppData\Local\crush\projects.json`},
	agent.Antigravity:  {"/home/ada/.gemini/antigravity-cli/conversations", "/Users/ada/.gemini/antigravity-cli/conversations", `C:\Users\ada\.gemini\antigravity-cli\conversations`},
	agent.Hermes:       {"/home/ada/.hermes/state.db", "/Users/ada/.hermes/state.db", `C:\Users\ada\.hermes\state.db`},
	agent.Kiro:         {"/home/ada/.local/share/kiro-cli/data.sqlite3", "/Users/ada/Library/Application Support/kiro-cli/data.sqlite3", `C:\Users\ada\AppData\Local\kiro-cli\data.sqlite3`},
	agent.Cursor:       {"/home/ada/.config/Cursor/User/globalStorage/state.vscdb", "/Users/ada/Library/Application Support/Cursor/User/globalStorage/state.vscdb", `C:\Users\ada\AppData\Roaming\Cursor\User\globalStorage\state.vscdb`},
	agent.OpenHands:    {"/home/ada/.openhands/conversations", "/Users/ada/.openhands/conversations", `C:\Users\ada\.openhands\conversations`},
	agent.GPTMe:        {"/home/ada/.local/share/gptme/logs", "/Users/ada/Library/Application Support/gptme/logs", `C:\Users\ada\AppData\Local\gptme\gptme\logs`},
	agent.Zed:          {"/home/ada/.local/share/zed/threads/threads.db", "/Users/ada/Library/Application Support/Zed/threads/threads.db", `C:\Users\ada\AppData\Local\Zed\threads\threads.db`},
	agent.Continue:     {"/home/ada/.continue/sessions", "/Users/ada/.continue/sessions", `C:\Users\ada\.continue\sessions`},
	agent.Pi:           {"/home/ada/.pi/agent/sessions", "/Users/ada/.pi/agent/sessions", `C:\Users\ada\.pi\agent\sessions`},
	agent.OMP:          {"/home/ada/.omp/agent/sessions", "/Users/ada/.omp/agent/sessions", `C:\Users\ada\.omp\agent\sessions`},
	agent.Prime:        {"/home/ada/.prime/agent/sessions", "/Users/ada/.prime/agent/sessions", `C:\Users\ada\.prime\agent\sessions`},
	agent.OpenClaw:     {"/home/ada/.openclaw/agents", "/Users/ada/.openclaw/agents", `C:\Users\ada\.openclaw\agents`},
	agent.KimiCode:     {"/home/ada/.kimi-code/sessions", "/Users/ada/.kimi-code/sessions", `C:\Users\ada\.kimi-code\sessions`},
	agent.KimiCLI:      {"/home/ada/.kimi/sessions", "/Users/ada/.kimi/sessions", `C:\Users\ada\.kimi\sessions`},
	agent.Grok:         {"/home/ada/.grok/sessions", "/Users/ada/.grok/sessions", `C:\Users\ada\.grok\sessions`},
	agent.DSH:          {"/home/ada/.dsh/sessions", "/Users/ada/.dsh/sessions", `C:\Users\ada\.dsh\sessions`},
	agent.Vibe:         {"/home/ada/.vibe/logs/session", "/Users/ada/.vibe/logs/session", `C:\Users\ada\.vibe\logs\session`},
	agent.Droid:        {"/home/ada/.factory/sessions", "/Users/ada/.factory/sessions", `C:\Users\ada\.factory\sessions`},
	agent.OpenClaude:   {"/home/ada/.openclaude/projects", "/Users/ada/.openclaude/projects", `C:\Users\ada\.openclaude\projects`},
	agent.Devin:        {"/home/ada/.local/share/devin/cli/sessions.db", "/Users/ada/.local/share/devin/cli/sessions.db", `C:\Users\ada\.local\share\devin\cli\sessions.db`},
	agent.Qoder:        {"/home/ada/.qoder/projects", "/Users/ada/.qoder/projects", `C:\Users\ada\.qoder\projects`},
	agent.Augure:       {"/home/ada/.augure/sessions", "/Users/ada/.augure/sessions", `C:\Users\ada\.augure\sessions`},
	agent.TraeX:        {"/home/ada/.trae/cli/sessions", "/Users/ada/.trae/cli/sessions", `C:\Users\ada\.trae\cli\sessions`},
	agent.IFlow:        {"/home/ada/.iflow/projects", "/Users/ada/.iflow/projects", `C:\Users\ada\.iflow\projects`},
}

// withoutPlaces are agents that keep nothing by which a session could be found.
var withoutPlaces = []string{agent.Aider, agent.Dexto, agent.Codelet, "windsurf"}

// editorsOn are folders of editors on each system, all of which every extension may be in.
var editorsOn = [3][]string{
	{"/home/ada/.config/Code/User", "/home/ada/.config/Code - Insiders/User", "/home/ada/.config/VSCodium/User", "/home/ada/.config/Cursor/User", "/home/ada/.local/share/code-server/User", "/home/ada/.vscode-server/data/User", "/home/ada/.vscode-server-insiders/data/User"},
	{"/Users/ada/Library/Application Support/Code/User", "/Users/ada/Library/Application Support/Code - Insiders/User", "/Users/ada/Library/Application Support/VSCodium/User", "/Users/ada/.vscode-server/data/User"},
	{`C:\Users\ada\AppData\Roaming\Code\User`, `C:\Users\ada\AppData\Roaming\Code - Insiders\User`, `C:\Users\ada\AppData\Roaming\VSCodium\User`, `C:\Users\ada\.vscode-server\data\User`},
}

var systems = [3]struct{ name, home string }{{"linux", "/home/ada"}, {"darwin", "/Users/ada"}, {"windows", `C:\Users\ada`}}

// TestEveryAgentHasItsHomeOnEverySystem protects the places of all agents on the three systems. An agent that is not in
// the table fails it.
func TestEveryAgentHasItsHomeOnEverySystem(t *testing.T) {
	for _, entry := range agent.Entries() {
		if _, ok := homesOf[entry.ID]; ok == slices.Contains(withoutPlaces, entry.ID) {
			t.Errorf("%s is in one of the two tables", entry.ID)
		}
	}
	for i, system := range systems {
		var found []string
		for _, root := range Roots(dirs.New(system.name, system.home, func(string) string { return "" })) {
			found = append(found, root.Agent+" "+root.Path)
			foreign := `\`
			if system.name == "windows" {
				foreign = "/"
			}
			if strings.Contains(root.Path, foreign) || !strings.HasPrefix(root.Path, system.home) {
				t.Errorf("%s: %s of %s is no path of this system", system.name, root.Path, root.Agent)
			}
		}
		for of, homes := range homesOf {
			places := []string{homes[i]}
			if below, ok := strings.CutPrefix(homes[i], "*"); ok {
				places = nil
				for _, editor := range editorsOn[i] {
					places = append(places, editor+below)
				}
			}
			for _, place := range places {
				if !slices.Contains(found, of+" "+place) {
					t.Errorf("%s: %s is not looked for in %s", system.name, of, place)
				}
			}
		}
	}
}

// TestFoldersOfASystemMoveTheHomes protects %APPDATA%, %LOCALAPPDATA% and the XDG folders, for each agent that goes by
// them: what is moved is looked for there and no more in the default place. A relative folder moves nothing.
func TestFoldersOfASystemMoveTheHomes(t *testing.T) {
	for _, c := range []struct {
		system, variable, value, from string
		moves                         []string
	}{
		{"windows", "APPDATA", `D:\roaming`, `C:\Users\ada\AppData\Roaming`, []string{agent.Cline, agent.RooCode, agent.KiloCode, agent.ZooCode, agent.Copilot, agent.Goose, agent.Cursor, agent.KimiCode, agent.Kiro}},
		{"windows", "LOCALAPPDATA", `D:\local`, `C:\Users\ada\AppData\Local`, []string{agent.Zed, agent.Crush, agent.Kiro, agent.MiniSWEAgent}},
		{"windows", "APPDATA", `roaming`, ``, nil},
		{"linux", "XDG_DATA_HOME", "/data", "/home/ada/.local/share", []string{agent.OpenCode, agent.Kilo, agent.MiMoCode, agent.Goose, agent.Amp, agent.Crush, agent.Kiro, agent.Zed, agent.Cline, agent.Copilot}},
		{"linux", "XDG_CONFIG_HOME", "/config", "/home/ada/.config", []string{agent.Cursor, agent.Cline, agent.RooCode, agent.Copilot, agent.MiniSWEAgent, agent.Kiro}},
		{"linux", "XDG_DATA_HOME", "data", "", nil},
		{"darwin", "XDG_DATA_HOME", "/data", "/Users/ada/.local/share", []string{agent.OpenCode, agent.Kilo, agent.MiMoCode, agent.Crush}},
	} {
		home := systems[slices.IndexFunc(systems[:], func(s struct{ name, home string }) bool { return s.name == c.system })].home
		roots := func(value string) (found []string) {
			for _, root := range Roots(dirs.New(c.system, home, func(name string) string {
				if name == c.variable {
					return value
				}
				return ""
			})) {
				found = append(found, root.Agent+" "+root.Path)
			}
			return found
		}
		before, after := roots(""), roots(c.value)
		if len(c.moves) == 0 && !slices.Equal(before, after) {
			t.Errorf("%s: the relative %s=%s moves places", c.system, c.variable, c.value)
		}
		for _, of := range c.moves {
			moved := 0
			for _, place := range before {
				if rest, ok := strings.CutPrefix(place, of+" "+c.from); ok {
					moved++
					if !slices.Contains(after, of+" "+c.value+rest) || slices.Contains(after, place) {
						t.Errorf("%s: %s=%s does not move %s", c.system, c.variable, c.value, place)
					}
				}
			}
			if moved == 0 {
				t.Errorf("%s: nothing of %s is in %s", c.system, of, c.from)
			}
		}
	}
}

// TestEveryVariableOfAnAgentMovesItsPlace walks the variables by which the makers of agents let people move what is
// kept: each moves something, and what it moves says so.
func TestEveryVariableOfAnAgentMovesItsPlace(t *testing.T) {
	for variable, of := range map[string]string{
		"CLAUDE_CONFIG_DIR": agent.ClaudeCode, "CODEX_HOME": agent.Codex, "COPILOT_HOME": agent.CopilotCLI, "KIMI_CODE_HOME": agent.KimiCode,
		"KIMI_SHARE_DIR": agent.KimiCLI, "GEMINI_CLI_HOME": agent.GeminiCLI, "QWEN_HOME": agent.QwenCode, "QWEN_RUNTIME_DIR": agent.QwenCode,
		"OPENCODE_DB": agent.OpenCode, "KILO_DB": agent.Kilo, "CRUSH_GLOBAL_DATA": agent.Crush, "CURSOR_CONFIG_DIR": agent.Cursor,
		"DSH_HOME": agent.DSH, "FACTORY_DIR": agent.Droid, "GOOSE_PATH_ROOT": agent.Goose, "GROK_HOME": agent.Grok, "HERMES_HOME": agent.Hermes,
		"KIRO_HOME": agent.Kiro, "PI_CODING_AGENT_DIR": agent.Pi, "PI_CODING_AGENT_SESSION_DIR": agent.Pi, "VIBE_HOME": agent.Vibe,
		"OPENCLAW_STATE_DIR": agent.OpenClaw, "CLINE_DIR": agent.Cline, "CLINE_DATA_DIR": agent.Cline, "CLINE_SESSION_DATA_DIR": agent.Cline,
		"CONTINUE_GLOBAL_DIR": agent.Continue, "ZED_USER_DATA_DIR": agent.Zed, "MSWEA_GLOBAL_CONFIG_DIR": agent.MiniSWEAgent,
		"ZCODE_SESSION_DB": agent.ZCode, "ZCODE_SESSION_DB_PATH": agent.ZCode, "VSCODE_PORTABLE": agent.Copilot, "VSCODE_AGENT_FOLDER": agent.Copilot,
	} {
		if !slices.Contains(Variables(), variable) {
			t.Errorf("%s is not in Variables", variable)
		}
		for _, system := range systems {
			value := "/moved/here"
			if system.name == "windows" {
				value = `E:\moved\here`
			}
			found := false
			for _, root := range Roots(dirs.New(system.name, system.home, func(name string) string {
				if name == variable {
					return value
				}
				return ""
			})) {
				if root.From == variable && strings.HasPrefix(root.Path, value) {
					found = found || root.Agent == of
				}
			}
			if !found {
				t.Errorf("%s: %s moves nothing of %s", system.name, variable, of)
			}
		}
	}
}

// TestPlacesThatOthersName checks the projects of Crush, the databases of OpenCode, and the profiles of Hermes.
func TestPlacesThatOthersName(t *testing.T) {
	m := dirstest.NewMachine(t)
	places := func(id string) string {
		var list []string
		e := m.Environment()
		e.OS = "linux"
		for _, root := range ByID(id).roots(e) {
			list = append(list, strings.TrimPrefix(root.Name, ByID(id).Name())+" "+strings.Replace(root.Path, m.Home, "~", 1)+" "+root.From)
		}
		return strings.Join(list, "|")
	}
	const projects = ".local/share/crush/projects.json"
	for text, want := range map[string]string{
		`[{"path":"/w/shop"},{"path":"relative"},{"path":"/w/tea","data_dir":"data"},{"path":"/w/pot","data_dir":"/d"}]`: " (shop) /w/shop/.crush/crush.db | (tea) /w/tea/data/crush.db | (pot) /d/crush.db ",
		`{"projects":[{"path":"/w/shop"}]}`: " (shop) /w/shop/.crush/crush.db ", `{"projects":{"x":{"path":"/w/shop"}}}`: " (shop) /w/shop/.crush/crush.db ", `{"x":{"path":"/w/shop"}}`: " (shop) /w/shop/.crush/crush.db ",
		`{`: " (projects) ~/" + projects + " ", `[` + strings.TrimSuffix(strings.Repeat(`{"path":"r"},`, mostProjects-1), ",") + `,{"path":"/w/a"},{"path":"/w/b"}]`: " (a) /w/a/.crush/crush.db ",
	} {
		m.Put(projects, text)
		if got := places(agent.Crush); got != want {
			t.Errorf("%.90s: %q, want %q", text, got, want)
		}
	}
	m.Put(".local/share/opencode/opencode-next.db", "")
	m.Put(".local/share/opencode/other.db", "")
	const files = "| (files) ~/.local/share/opencode/storage "
	for name, want := range map[string]string{
		"": " ~/.local/share/opencode/opencode.db | ~/.local/share/opencode/opencode-next.db " + files, ":memory:": " ~/.local/share/opencode/opencode.db | ~/.local/share/opencode/opencode-next.db " + files,
		"/d/x.db": " /d/x.db OPENCODE_DB" + files, "x.db": " ~/.local/share/opencode/x.db OPENCODE_DB" + files,
	} {
		m.Env["OPENCODE_DB"] = name
		if got := places(agent.OpenCode); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	m.Put(".hermes/profiles/night/config.yaml", "")
	if got := places(agent.Hermes); got != " ~/.hermes/state.db | (night) ~/.hermes/profiles/night/state.db " {
		t.Errorf("Hermes is in %q", got)
	}
	if got := places(agent.OpenClaw); got != " ~/.openclaw/agents | (clawdbot) ~/.clawdbot/agents | (moltbot) ~/.moltbot/agents | (moldbot) ~/.moldbot/agents " {
		t.Errorf("OpenClaw is in %q", got)
	}
	m.Env["OPENCLAW_STATE_DIR"] = "/moved"
	if got := places(agent.OpenClaw); got != " /moved/agents OPENCLAW_STATE_DIR" {
		t.Errorf("moved, OpenClaw is in %q", got)
	}
	m.Env["CLINE_DATA_DIR"] = "/data"
	if got := places(agent.Cline); !strings.HasSuffix(got, "| (tasks) /data/tasks CLINE_DATA_DIR| (sessions) /data/sessions CLINE_DATA_DIR") {
		t.Errorf("moved, Cline is in %q", got)
	}
	m.Env["CLINE_SESSION_DATA_DIR"] = "/sessions"
	if got := places(agent.Cline); !strings.HasSuffix(got, "| (tasks) /data/tasks CLINE_DATA_DIR| (sessions) /sessions CLINE_SESSION_DATA_DIR") {
		t.Errorf("moved, Cline is in %q", got)
	}
	m.Env["ZCODE_SESSION_DB"], m.Env["ZCODE_SESSION_DB_PATH"] = "/one.db", "relative"
	if got := places(agent.ZCode); got != " /one.db ZCODE_SESSION_DB" {
		t.Errorf("moved, ZCode is in %q", got)
	}
}
