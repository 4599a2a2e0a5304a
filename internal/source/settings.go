// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// Settings returns those of the agent's own variables and settings that move
// its window or its compaction line, by the agent's names for them: from the
// environment, from the agent's settings files, and from those of the
// workspace. Of a file, only the names that are listed here are read.
func Settings(e dirs.Environment, of, workspace string) map[string]string {
	found := map[string]string{}
	fromJSON := func(file configfile.File, names ...string) { configfile.JSON(file, found, names...) }
	fromEnvironment := func(names ...string) {
		for _, name := range names {
			if v := strings.TrimSpace(e.Getenv(name)); v != "" {
				found[name] = v
			}
		}
	}
	either := func(variable, fallback string) string {
		if v := e.Variable(variable); v != "" {
			return v
		}
		return fallback
	}
	files := func(own ...string) []configfile.File {
		return append([]configfile.File{{Name: e.Join(own...)}}, workspaceSettings(of, workspace)...)
	}
	switch of {
	case agent.ClaudeCode:
		names := []string{"CLAUDE_CODE_MAX_CONTEXT_TOKENS", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "CLAUDE_CODE_AUTO_COMPACT_WINDOW", "CLAUDE_CODE_DISABLE_1M_CONTEXT", "DISABLE_COMPACT", "DISABLE_AUTO_COMPACT"}
		fromEnvironment(names...)
		for _, file := range files(either("CLAUDE_CONFIG_DIR", e.Join(e.Home, ".claude")), "settings.json") {
			claudeSettings(file, names, found)
		}
	case agent.Codex:
		configfile.TOML(e.Join(either("CODEX_HOME", e.Join(e.Home, ".codex")), "config.toml"), found, "model_auto_compact_token_limit", "model_context_window")
	case agent.OpenCode, agent.Kilo:
		fromEnvironment("OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX", "OPENCODE_DISABLE_AUTOCOMPACT", "OPENCODE_DISABLE_PRUNE")
		own := files(e.ConfigHome(), of, of+".json")
		own = slices.Insert(own, 1, configfile.File{Name: e.Join(e.ConfigHome(), of, of+".jsonc")})
		file, folderOf, contentOf := "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG_CONTENT"
		if of == agent.Kilo {
			file, folderOf, contentOf = "KILO_CONFIG", "KILO_CONFIG_DIR", "KILO_CONFIG_CONTENT"
		}
		own = slices.Insert(own, 2, configfile.File{Name: e.Folder(file)})
		if folder := e.Folder(folderOf); folder != "" {
			own = append(own, configfile.File{Name: e.Join(folder, of+".json")}, configfile.File{Name: e.Join(folder, of+".jsonc")})
		}
		if text := e.Getenv(contentOf); text != "" && len(text) <= safefile.MaxSmall {
			own = append(own, configfile.File{Text: text})
		}
		for _, file := range own {
			fromJSON(file, "compaction.auto", "compaction.prune", "compaction.reserved", "compaction.threshold_percent")
		}
		openCodeModels(e, of, own, found)
	case agent.GeminiCLI:
		for _, file := range files(either("GEMINI_CLI_HOME", e.Home), ".gemini", "settings.json") {
			fromJSON(file, "model.compressionThreshold")
		}
	case agent.QwenCode:
		for _, file := range files(either("QWEN_HOME", e.Join(e.Home, ".qwen")), "settings.json") {
			fromJSON(file, "chatCompression.contextPercentageThreshold")
		}
	case agent.CopilotCLI:
		fromEnvironment("COPILOT_BACKGROUND_COMPACTION_THRESHOLD", "COPILOT_BUFFER_EXHAUSTION_THRESHOLD")
	case agent.Pi, agent.OMP, agent.Prime:
		home := e.Join(e.Home, "."+of, "agent")
		if of == agent.Pi {
			home = either("PI_CODING_AGENT_DIR", home)
		}
		for _, file := range files(home, "settings.json") {
			fromJSON(file, "compaction.enabled", "compaction.reserveTokens")
		}
	case agent.KimiCode, agent.KimiCLI:
		home := either("KIMI_CODE_HOME", e.Join(e.Home, ".kimi-code"))
		if of == agent.KimiCLI {
			home = either("KIMI_SHARE_DIR", e.Join(e.Home, ".kimi"))
		}
		configfile.TOML(e.Join(home, "config.toml"), found, "loop_control.compaction_trigger_ratio", "loop_control.reserved_context_size")
	case agent.Grok:
		fromEnvironment("GROK_AUTO_COMPACT_THRESHOLD_PERCENT")
		configfile.TOML(e.Join(either("GROK_HOME", e.Join(e.Home, ".grok")), "config.toml"), found, "session.auto_compact_threshold_percent")
	case agent.Cline:
		fromJSON(configfile.File{Name: e.Join(either("CLINE_DIR", e.Join(e.Home, ".cline")), "data", "globalState.json")}, "autoCondenseThreshold")
	case agent.Copilot:
		for _, file := range workspaceSettings(of, workspace) {
			editorSettings(file, found)
		}
	case agent.Goose:
		folder := e.Join(e.ConfigHome(), "goose")
		if e.OS == "windows" {
			folder = e.Join(e.Roaming(), "Block", "goose", "config")
		}
		configfile.YAML(e.Join(folder, "config.yaml"), found, "GOOSE_AUTO_COMPACT_THRESHOLD")
		fromEnvironment("GOOSE_AUTO_COMPACT_THRESHOLD")
	case agent.Hermes:
		hermesSettings(e.Join(either("HERMES_HOME", e.Join(e.Home, ".hermes")), "config.yaml"), found)
	case agent.Zed:
		folder := e.Join(e.ConfigHome(), "zed")
		if e.OS == "windows" {
			folder = e.Join(e.Roaming(), "Zed")
		}
		for _, file := range files(folder, "settings.json") {
			fromJSON(file, "agent.auto_compact.enabled", "agent.auto_compact.threshold")
		}
	case agent.Vibe:
		configfile.TOML(e.Join(either("VIBE_HOME", e.Join(e.Home, ".vibe")), "config.toml"), found, "auto_compact_threshold")
	}
	return found
}

// SettingsOf returns the settings that apply to a session. What OpenCode knows of models on this machine says nothing
// about a session that was kept on another: its models had other limits there.
func SettingsOf(e dirs.Environment, s Session) map[string]string {
	found := Settings(e, s.Agent, s.Workspace)
	ofEditor(s, found)
	if s.Agent == agent.Hermes && filepath.Base(s.Path) == "state.db" {
		found = map[string]string{} // each profile has settings of its own
		hermesSettings(filepath.Join(filepath.Dir(s.Path), "config.yaml"), found)
	}
	if !keeps(e, s) {
		maps.DeleteFunc(found, func(name, _ string) bool { return strings.HasPrefix(name, "models.") })
	}
	return found
}

// workspaceSettings lists the files of a workspace that an agent reads after its own, the last of which counts most.
func workspaceSettings(of, workspace string) []configfile.File {
	if !dirs.Local(workspace) {
		return nil
	}
	switch of {
	case agent.ClaudeCode:
		return []configfile.File{{Folder: workspace, Name: ".claude/settings.json"}, {Folder: workspace, Name: ".claude/settings.local.json"}}
	case agent.OpenCode, agent.Kilo:
		inside := "." + of + "/" + of
		return []configfile.File{{Folder: workspace, Name: of + ".json"}, {Folder: workspace, Name: of + ".jsonc"}, {Folder: workspace, Name: inside + ".json"}, {Folder: workspace, Name: inside + ".jsonc"}}
	case agent.GeminiCLI:
		return []configfile.File{{Folder: workspace, Name: ".gemini/settings.json"}}
	case agent.QwenCode:
		return []configfile.File{{Folder: workspace, Name: ".qwen/settings.json"}}
	case agent.Copilot:
		return []configfile.File{{Folder: workspace, Name: ".vscode/settings.json"}}
	case agent.Zed:
		return []configfile.File{{Folder: workspace, Name: ".zed/settings.json"}}
	case agent.Pi, agent.OMP, agent.Prime:
		return []configfile.File{{Folder: workspace, Name: "." + of + "/settings.json"}}
	}
	return nil
}

// RefusedSettings lists the settings files of a workspace that are not read though they are there: they are no files,
// or links that lead out of the workspace.
func RefusedSettings(of, workspace string) []string {
	var refused []string
	for _, file := range workspaceSettings(of, workspace) {
		path := filepath.Join(file.Folder, filepath.FromSlash(file.Name))
		f, err := safefile.Open(file.Folder, file.Name)
		if err == nil {
			f.Close()
		} else if _, err := os.Lstat(path); err == nil {
			refused = append(refused, path)
		}
	}
	return refused
}

// claudeSettings reads one settings file of Claude Code, which may also set
// variables, and a window for each model.
func claudeSettings(file configfile.File, names []string, found map[string]string) {
	v, ok := file.Read()
	if !ok {
		return
	}
	for _, name := range names {
		if text, ok := configfile.Scalar(v.Path("env", name)); ok {
			found[name] = text
		}
	}
	for _, name := range []string{"autoCompactEnabled", "autoCompactWindow"} {
		if text, ok := configfile.Scalar(v.Get(name)); ok {
			found[name] = text
		}
	}
	for f := v.Get("modelSettings").Fields(); f.Next(); {
		if text, ok := configfile.Scalar(f.Value.Get("autoCompactWindow")); ok && f.Key.TextLen() < 200 {
			found["modelSettings."+f.Key.String()+".autoCompactWindow"] = text
		}
	}
}

// hermesSettings reads when Hermes compresses.
func hermesSettings(path string, found map[string]string) {
	configfile.YAML(path, found, "compression.enabled", "compression.threshold")
}
