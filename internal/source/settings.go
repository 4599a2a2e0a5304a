// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// maxSettings bounds settings files, and the small files that agents keep
// beside sessions; longer ones are not read.
const maxSettings = 1 << 20

// Settings returns those of the agent's own variables and settings that move
// its window or its compaction line, by the agent's names for them: from the
// environment, from the agent's settings files, and from those of the
// workspace. Of a file, only the names that are listed here are read.
func Settings(e dirs.Environment, of, workspace string) map[string]string {
	found := map[string]string{}
	fromJSON := func(file settingsFile, names ...string) {
		v, ok := file.read()
		if !ok {
			return
		}
		for _, name := range names {
			if text, ok := scalar(v.Path(strings.Split(name, ".")...)); ok {
				found[name] = text
			}
		}
	}
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
	files := func(own ...string) []settingsFile {
		return append([]settingsFile{{name: e.Join(own...)}}, workspaceSettings(of, workspace)...)
	}
	switch of {
	case agent.ClaudeCode:
		names := []string{"CLAUDE_CODE_MAX_CONTEXT_TOKENS", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "CLAUDE_CODE_AUTO_COMPACT_WINDOW", "CLAUDE_CODE_DISABLE_1M_CONTEXT", "DISABLE_COMPACT", "DISABLE_AUTO_COMPACT"}
		fromEnvironment(names...)
		for _, file := range files(either("CLAUDE_CONFIG_DIR", e.Join(e.Home, ".claude")), "settings.json") {
			claudeSettings(file, names, found)
		}
	case agent.Codex:
		tomlSettings(e.Join(either("CODEX_HOME", e.Join(e.Home, ".codex")), "config.toml"), found, "model_auto_compact_token_limit", "model_context_window")
	case agent.OpenCode, agent.Kilo:
		fromEnvironment("OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX", "OPENCODE_DISABLE_AUTOCOMPACT", "OPENCODE_DISABLE_PRUNE")
		own := files(e.ConfigHome(), of, of+".json")
		own = slices.Insert(own, 1, settingsFile{name: e.Join(e.ConfigHome(), of, of+".jsonc")})
		file, folderOf, contentOf := "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG_CONTENT"
		if of == agent.Kilo {
			file, folderOf, contentOf = "KILO_CONFIG", "KILO_CONFIG_DIR", "KILO_CONFIG_CONTENT"
		}
		own = slices.Insert(own, 2, settingsFile{name: e.Folder(file)})
		if folder := e.Folder(folderOf); folder != "" {
			own = append(own, settingsFile{name: e.Join(folder, of+".json")}, settingsFile{name: e.Join(folder, of+".jsonc")})
		}
		if text := e.Getenv(contentOf); text != "" && len(text) <= maxSettings {
			own = append(own, settingsFile{text: text})
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
		tomlSettings(e.Join(home, "config.toml"), found, "loop_control.compaction_trigger_ratio", "loop_control.reserved_context_size")
	case agent.Grok:
		fromEnvironment("GROK_AUTO_COMPACT_THRESHOLD_PERCENT")
		tomlSettings(e.Join(either("GROK_HOME", e.Join(e.Home, ".grok")), "config.toml"), found, "session.auto_compact_threshold_percent")
	case agent.Cline:
		fromJSON(settingsFile{name: e.Join(either("CLINE_DIR", e.Join(e.Home, ".cline")), "data", "globalState.json")}, "autoCondenseThreshold")
	case agent.Copilot:
		for _, file := range workspaceSettings(of, workspace) {
			editorSettings(file, found)
		}
	case agent.Goose:
		folder := e.Join(e.ConfigHome(), "goose")
		if e.OS == "windows" {
			folder = e.Join(e.Roaming(), "Block", "goose", "config")
		}
		yamlSettings(e.Join(folder, "config.yaml"), found, "GOOSE_AUTO_COMPACT_THRESHOLD")
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
		tomlSettings(e.Join(either("VIBE_HOME", e.Join(e.Home, ".vibe")), "config.toml"), found, "auto_compact_threshold")
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

// A settingsFile is a file of an agent's settings, or one of a workspace, whose links lead nowhere outside of it.
// One that has a text is that text.
type settingsFile struct{ folder, name, text string }

// workspaceSettings lists the files of a workspace that an agent reads after its own, the last of which counts most.
func workspaceSettings(of, workspace string) []settingsFile {
	if !dirs.Local(workspace) {
		return nil
	}
	switch of {
	case agent.ClaudeCode:
		return []settingsFile{{folder: workspace, name: ".claude/settings.json"}, {folder: workspace, name: ".claude/settings.local.json"}}
	case agent.OpenCode, agent.Kilo:
		inside := "." + of + "/" + of
		return []settingsFile{{folder: workspace, name: of + ".json"}, {folder: workspace, name: of + ".jsonc"}, {folder: workspace, name: inside + ".json"}, {folder: workspace, name: inside + ".jsonc"}}
	case agent.GeminiCLI:
		return []settingsFile{{folder: workspace, name: ".gemini/settings.json"}}
	case agent.QwenCode:
		return []settingsFile{{folder: workspace, name: ".qwen/settings.json"}}
	case agent.Copilot:
		return []settingsFile{{folder: workspace, name: ".vscode/settings.json"}}
	case agent.Zed:
		return []settingsFile{{folder: workspace, name: ".zed/settings.json"}}
	case agent.Pi, agent.OMP, agent.Prime:
		return []settingsFile{{folder: workspace, name: "." + of + "/settings.json"}}
	}
	return nil
}

// RefusedSettings lists the settings files of a workspace that are not read though they are there: they are no files,
// or links that lead out of the workspace.
func RefusedSettings(of, workspace string) []string {
	var refused []string
	for _, file := range workspaceSettings(of, workspace) {
		path := filepath.Join(file.folder, filepath.FromSlash(file.name))
		f, err := safefile.Open(file.folder, file.name)
		if err == nil {
			f.Close()
		} else if _, err := os.Lstat(path); err == nil {
			refused = append(refused, path)
		}
	}
	return refused
}

func (file settingsFile) read() (json.Value, bool) {
	switch {
	case file.text != "":
		return parseSettings([]byte(file.text))
	case file.folder == "":
		return readSettings(file.name)
	}
	f, err := safefile.Open(file.folder, file.name)
	if err != nil {
		return json.Value{}, false
	}
	defer f.Close()
	text, ok := smallText(f)
	if !ok {
		return json.Value{}, false
	}
	return parseSettings(text)
}

// claudeSettings reads one settings file of Claude Code, which may also set
// variables, and a window for each model.
func claudeSettings(file settingsFile, names []string, found map[string]string) {
	v, ok := file.read()
	if !ok {
		return
	}
	for _, name := range names {
		if text, ok := scalar(v.Path("env", name)); ok {
			found[name] = text
		}
	}
	for _, name := range []string{"autoCompactEnabled", "autoCompactWindow"} {
		if text, ok := scalar(v.Get(name)); ok {
			found[name] = text
		}
	}
	for f := v.Get("modelSettings").Fields(); f.Next(); {
		if text, ok := scalar(f.Value.Get("autoCompactWindow")); ok && f.Key.TextLen() < 200 {
			found["modelSettings."+f.Key.String()+".autoCompactWindow"] = text
		}
	}
}

// tomlSettings reads those numbers of a file of settings in TOML that are named, each by its table, if it has one, and
// its key.
func tomlSettings(path string, found map[string]string, names ...string) {
	text, ok := smallFile(path)
	if !ok {
		return
	}
	table := ""
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			name, _, _ := strings.Cut(strings.TrimLeft(line, "["), "]")
			table = strings.TrimSpace(name) + "."
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		name := table + strings.TrimSpace(key)
		if !ok || !slices.Contains(names, name) {
			continue
		}
		value, _, _ = strings.Cut(value, "#")
		if value = strings.ReplaceAll(strings.TrimSpace(value), "_", ""); value != "" {
			found[name] = value
		}
	}
}

// hermesSettings reads when Hermes compresses.
func hermesSettings(path string, found map[string]string) {
	yamlSettings(path, found, "compression.enabled", "compression.threshold")
}

// yamlSettings reads those values of a file of settings in YAML that are named, each by the keys that lead to it.
func yamlSettings(path string, found map[string]string, names ...string) {
	text, ok := smallFile(path)
	if !ok {
		return
	}
	type level struct {
		indent int
		key    string
	}
	var above []level
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		rest := strings.TrimLeft(line, " ")
		key, value, isKey := strings.Cut(rest, ":")
		if !isKey || rest[0] == '#' || rest[0] == '-' || rest[0] == '\t' {
			continue
		}
		indent := len(line) - len(rest)
		for len(above) > 0 && above[len(above)-1].indent >= indent {
			above = above[:len(above)-1]
		}
		name := strings.TrimSpace(key)
		for i := len(above) - 1; i >= 0; i-- {
			name = above[i].key + "." + name
		}
		value, _, _ = strings.Cut(value, " #")
		if value = strings.Trim(strings.TrimSpace(value), `"'`); value == "" {
			if len(above) < 8 {
				above = append(above, level{indent, strings.TrimSpace(key)})
			}
		} else if slices.Contains(names, name) && len(value) < 200 {
			found[name] = value
		}
	}
}

func readSettings(path string) (json.Value, bool) {
	text, ok := smallFile(path)
	if !ok {
		return json.Value{}, false
	}
	return parseSettings(text)
}

// parseSettings reads settings, in which people write comments.
func parseSettings(text []byte) (json.Value, bool) {
	v, err := json.Parse(text)
	if err != nil {
		v, err = json.Parse(json.WithoutComments(text))
	}
	return v, err == nil
}

// smallFile reads a file that must be regular and small.
func smallFile(path string) ([]byte, bool) {
	if path == "" {
		return nil, false
	}
	f, err := safefile.File(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	return smallText(f)
}

func smallText(r io.Reader) ([]byte, bool) {
	text, err := io.ReadAll(io.LimitReader(r, maxSettings+1))
	return text, err == nil && len(text) <= maxSettings
}

// scalar is a value as text, as the agents' rules need it.
func scalar(v json.Value) (string, bool) {
	switch v.Kind() {
	case json.String:
		return v.String(), v.TextLen() < 200
	case json.Number, json.Bool:
		return string(v.Raw()), true
	}
	return "", false
}
