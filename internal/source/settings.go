// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"bufio"
	"bytes"
	"io"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// maxSettings bounds settings files, and the small files that agents keep
// beside sessions; longer ones are not read.
const maxSettings = 1 << 20

// Settings returns those of the agent's own variables and settings that move
// its window or its compaction line, by the agent's names for them: from the
// environment, from the agent's settings files, and from those of the
// workspace. Of a file, only the names that are listed here are read.
func Settings(e Environment, of, workspace string) map[string]string {
	found := map[string]string{}
	fromJSON := func(path string, names ...string) {
		v, ok := readSettings(path)
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
		if v := e.variable(variable); v != "" {
			return v
		}
		return fallback
	}
	in := func(parts ...string) string {
		if !Local(workspace) {
			return ""
		}
		return filepath.Join(append([]string{workspace}, parts...)...)
	}
	switch of {
	case agent.ClaudeCode:
		names := []string{"CLAUDE_CODE_MAX_CONTEXT_TOKENS", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "CLAUDE_CODE_AUTO_COMPACT_WINDOW", "CLAUDE_CODE_DISABLE_1M_CONTEXT", "DISABLE_COMPACT", "DISABLE_AUTO_COMPACT"}
		fromEnvironment(names...)
		for _, path := range []string{e.join(either("CLAUDE_CONFIG_DIR", e.join(e.Home, ".claude")), "settings.json"), in(".claude", "settings.json"), in(".claude", "settings.local.json")} {
			claudeSettings(path, names, found)
		}
	case agent.Codex:
		codexSettings(e.join(either("CODEX_HOME", e.join(e.Home, ".codex")), "config.toml"), found)
	case agent.OpenCode, agent.Kilo:
		fromEnvironment("OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX", "OPENCODE_DISABLE_AUTOCOMPACT", "OPENCODE_DISABLE_PRUNE")
		for _, path := range []string{e.join(e.configHome(), of, of+".json"), in(of + ".json")} {
			fromJSON(path, "compaction.auto", "compaction.prune", "compaction.reserved", "compaction.threshold_percent")
		}
	case agent.GeminiCLI:
		for _, path := range []string{e.join(either("GEMINI_CLI_HOME", e.Home), ".gemini", "settings.json"), in(".gemini", "settings.json")} {
			fromJSON(path, "model.compressionThreshold")
		}
	case agent.QwenCode:
		for _, path := range []string{e.join(either("QWEN_HOME", e.join(e.Home, ".qwen")), "settings.json"), in(".qwen", "settings.json")} {
			fromJSON(path, "chatCompression.contextPercentageThreshold")
		}
	case agent.CopilotCLI:
		fromEnvironment("COPILOT_BACKGROUND_COMPACTION_THRESHOLD", "COPILOT_BUFFER_EXHAUSTION_THRESHOLD")
	}
	return found
}

// Local says whether a path that somebody else has written may be looked at. It
// must be a full path of this system that leads to no other machine: a
// transcript can name any directory as its own, and on Windows even looking at
// \\server\share means to log in there.
func Local(path string) bool {
	slash := func(i int) bool { return i < len(path) && (path[i] == '/' || path[i] == '\\') }
	return filepath.IsAbs(path) && !(slash(0) && slash(1))
}

// claudeSettings reads one settings file of Claude Code, which may also set
// variables, and a window for each model.
func claudeSettings(path string, names []string, found map[string]string) {
	v, ok := readSettings(path)
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

// codexSettings reads the numbers at the top of Codex's config.toml: those
// before the first table.
func codexSettings(path string, found map[string]string) {
	text, ok := smallFile(path)
	if !ok {
		return
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			return
		}
		name, value, ok := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); !ok || name != "model_auto_compact_token_limit" && name != "model_context_window" {
			continue
		}
		value, _, _ = strings.Cut(value, "#")
		if value = strings.ReplaceAll(strings.TrimSpace(value), "_", ""); value != "" {
			found[name] = value
		}
	}
}

func readSettings(path string) (json.Value, bool) {
	text, ok := smallFile(path)
	if !ok {
		return json.Value{}, false
	}
	v, err := json.Parse(text)
	return v, err == nil
}

// smallFile reads a file that must be regular and small.
func smallFile(path string) ([]byte, bool) {
	if path == "" {
		return nil, false
	}
	f, err := openFile(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
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
