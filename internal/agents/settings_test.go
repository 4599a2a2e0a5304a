// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"maps"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func TestSettingsOfAnAgentAreFound(t *testing.T) {
	m := dirstest.NewMachine(t)
	workspace := filepath.Join(m.Home, "shop")
	m.Put(".claude/settings.json", `{"env":{"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE":"70","ANTHROPIC_AUTH_TOKEN":"secret"},"autoCompactWindow":"400k","apiKeyHelper":"secret"}`)
	m.Put("shop/.claude/settings.local.json", `{"env":{"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE":80},"autoCompactEnabled":false,"modelSettings":{"claude-opus-5":{"autoCompactWindow":500000}}}`)
	m.Put(".codex/config.toml", "model = \"gpt-5.5\"\nmodel_auto_compact_token_limit = 200_000 # mine\n[profiles.x]\nmodel_context_window = 1\n")
	m.Put(".config/opencode/opencode.json", `{"compaction":{"auto":true,"reserved":30000},"provider":{"key":"secret"}}`)
	m.Put(".gemini/settings.json", `{"model":{"compressionThreshold":0.7},"security":{}}`)
	m.Put(".qwen/settings.json", `not JSON`)
	m.Env["DISABLE_COMPACT"] = "1"
	m.Env["COPILOT_BACKGROUND_COMPACTION_THRESHOLD"] = "0.9"
	m.Put(".pi/agent/settings.json", `{"compaction":{"enabled":true,"reserveTokens":9000}}`)
	m.Put("shop/.pi/settings.json", `{"compaction":{"reserveTokens":20000}}`)
	m.Put(".kimi-code/config.toml", "reserved_context_size = 1\n[loop_control]\ncompaction_trigger_ratio = 0.8 # earlier\nreserved_context_size = 40_000\n[other]\nreserved_context_size = 2\n")
	m.Put(".grok/config.toml", "[session]\nauto_compact_threshold_percent = 70\n")
	m.Put(".vibe/config.toml", "auto_compact_threshold = 150_000\n[models]\nauto_compact_threshold = 3\n")
	for agent, want := range map[string]map[string]string{
		"claude-code": {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "80", "autoCompactWindow": "400k", "autoCompactEnabled": "false", "modelSettings.claude-opus-5.autoCompactWindow": "500000", "DISABLE_COMPACT": "1"},
		"codex":       {"model_auto_compact_token_limit": "200000"},
		"opencode":    {"compaction.auto": "true", "compaction.reserved": "30000"},
		"gemini-cli":  {"model.compressionThreshold": "0.7"},
		"qwen-code":   {},
		"copilot-cli": {"COPILOT_BACKGROUND_COMPACTION_THRESHOLD": "0.9"},
		"unheard-of":  {},
		"pi":          {"compaction.enabled": "true", "compaction.reserveTokens": "20000"},
		"omp":         {},
		"kimi-code":   {"loop_control.compaction_trigger_ratio": "0.8", "loop_control.reserved_context_size": "40000"},
		"kimi-cli":    {},
		"grok":        {"session.auto_compact_threshold_percent": "70"},
		"vibe":        {"auto_compact_threshold": "150000"},
	} {
		if got := Settings(m.Environment(), agent, workspace); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", agent, got, want)
		}
	}
}

// TestTheVariablesOfOpenCodeOutrankItsFiles: a file that a variable names counts more than the person's own, a folder
// and a text more than those of the workspace.
func TestTheVariablesOfOpenCodeOutrankItsFiles(t *testing.T) {
	m := dirstest.NewMachine(t)
	workspace := filepath.Join(m.Home, "shop")
	m.Put(".config/opencode/opencode.json", `{"compaction":{"reserved":1,"prune":true}}`)
	m.Put(".config/opencode/opencode.jsonc", "{ // mine\n\"compaction\":{\"reserved\":2,},}")
	expect := func(want string) {
		t.Helper()
		if got := Settings(m.Environment(), "opencode", workspace)["compaction.reserved"]; got != want {
			t.Errorf("%s is reserved, want %s", got, want)
		}
	}
	expect("2")
	m.Env["OPENCODE_CONFIG"] = m.Put("elsewhere/mine.json", `{"compaction":{"reserved":3}}`)
	expect("3")
	m.Put("shop/opencode.jsonc", `{"compaction":{"reserved":4}}`)
	expect("4")
	m.Env["OPENCODE_CONFIG_DIR"] = filepath.Dir(m.Put("folder/opencode.json", `{"compaction":{"reserved":5}}`))
	expect("5")
	m.Env["OPENCODE_CONFIG_CONTENT"] = `{"compaction":{"reserved":6}}`
	expect("6")
	m.Env["OPENCODE_CONFIG_CONTENT"] = `{"compaction":`
	expect("5")
}

// TestWhatIsSetInAnEditorIsFound: in its settings, and in the state that it keeps for extensions.
func TestWhatIsSetInAnEditorIsFound(t *testing.T) {
	m := dirstest.NewMachine(t)
	user := ".config/Code - Insiders/User/"
	m.Put(user+"settings.json", "{\n// mine\n\"github.copilot.chat.summarizeAgentConversationHistoryThreshold\": 60000,\n\"github.copilot.chat.summarizeAgentConversationHistory.enabled\": false}")
	m.Put("shop/.vscode/settings.json", `{"github.copilot.chat.summarizeAgentConversationHistory.enabled": true, "other": 1}`)
	db := dirstest.OpenCodeDatabase(t, filepath.Join(m.Home, filepath.FromSlash(user), "globalStorage", "state.vscdb"), "delete")
	dirstest.Run(t, db, `CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`)
	dirstest.Run(t, db, `INSERT INTO ItemTable VALUES ('RooVeterinaryInc.roo-cline', '{"autoCondenseContextPercent":60,"apiKey":"secret"}'), ('saoudrizwan.claude-dev', '{"autoCondenseThreshold":0.75}'), ('kilocode.Kilo-Code', 'no JSON')`)
	m.Env["GOOSE_AUTO_COMPACT_THRESHOLD"] = ""
	goose, zed := ".config/goose/", ".config/zed/"
	if runtime.GOOS == "windows" {
		goose, zed = "AppData/Roaming/Block/goose/config/", "AppData/Roaming/Zed/"
	}
	m.Put(goose+"config.yaml", "GOOSE_MODEL: x\nGOOSE_AUTO_COMPACT_THRESHOLD: \"0.6\" # mine\n")
	m.Put(zed+"settings.json", "{\n  // mine\n  \"agent\": {\"auto_compact\": {\"threshold\": \"70%\"}, \"x\": 1,},\n}")
	m.Put("shop/.zed/settings.json", `{"agent":{"auto_compact":{"threshold":-20000}}}`)
	workspace := filepath.Join(m.Home, "shop")
	task := func(extension string) string {
		return filepath.Join(m.Home, filepath.FromSlash(user), "globalStorage", extension, "tasks", "1", ShownFile)
	}
	for _, c := range []struct {
		s    transcript.Session
		want map[string]string
	}{
		{transcript.Session{Agent: "copilot", Path: filepath.Join(m.Home, filepath.FromSlash(user), "workspaceStorage", "h", "chatSessions", "c.jsonl"), Workspace: workspace}, map[string]string{
			"github.copilot.chat.summarizeAgentConversationHistoryThreshold": "60000", "github.copilot.chat.summarizeAgentConversationHistory.enabled": "true",
		}},
		{transcript.Session{Agent: "roo-code", Path: task("rooveterinaryinc.roo-cline")}, map[string]string{"autoCondenseContextPercent": "60"}},
		{transcript.Session{Agent: "cline", Path: task("saoudrizwan.claude-dev")}, map[string]string{"autoCondenseThreshold": "0.75"}},
		{transcript.Session{Agent: "kilo-code", Path: task("kilocode.kilo-code")}, map[string]string{}},
		{transcript.Session{Agent: "cline", Path: filepath.Join(m.Home, "elsewhere", "1", ShownFile)}, map[string]string{}},
		{transcript.Session{Agent: "goose"}, map[string]string{"GOOSE_AUTO_COMPACT_THRESHOLD": "0.6"}},
		{transcript.Session{Agent: "zed"}, map[string]string{"agent.auto_compact.threshold": "70%"}},
		{transcript.Session{Agent: "zed", Workspace: workspace}, map[string]string{"agent.auto_compact.threshold": "-20000"}},
	} {
		if got := SettingsOf(m.Environment(), c.s); !maps.Equal(got, c.want) {
			t.Errorf("%s of %s: %v, want %v", c.s.Agent, c.s.Path, got, c.want)
		}
	}
}

// OpenCode's own copy of a registry has the limits that GitHub Copilot sets, and its settings those of models that the
// user has described. Nothing else of either applies.
func TestModelsOfOpenCodeAreFound(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".cache/opencode/models.json", `{"github-copilot":{"models":{"claude-sonnet-4.6":{"name":"x","limit":{"context":128000,"output":16000}},"none":{"limit":{}}}},
		"anthropic":{"models":{"claude-opus-4-6":{"limit":{"context":1}}}}}`)
	m.Put(".config/opencode/opencode.json", `{"provider":{"mine":{"options":{"apiKey":"secret"},"models":{"local":{"limit":{"context":32000,"input":30000,"output":2000}}}}}}`)
	want := map[string]string{"models.github-copilot/claude-sonnet-4.6": "128000 - 16000", "models.mine/local": "32000 30000 2000"}
	if got := Settings(m.Environment(), "opencode", ""); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	m.Put(".cache/opencode/models.json", `{"github-copilot":{"models":{`+strings.Repeat(" ", MaxModelList)+`}}}`)
	if got := Settings(m.Environment(), "opencode", ""); len(got) != 1 {
		t.Errorf("of a list that is too long %v is taken", got)
	}
}

// TestModelsOfPiAreFound checks the limits of the models that a user has described to Pi.
func TestModelsOfPiAreFound(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".pi/agent/models.json", `{"providers":{"mine":{"baseUrl":"http://127.0.0.1:1/v1","apiKey":"secret","models":[{"id":"local","contextWindow":100000,"maxTokens":8000},{"id":"none"}]}}}`)
	got := Settings(m.Environment(), "pi", "")
	if want := map[string]string{"models.mine/local": "100000 - 8000"}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	of := agent.Installation{Agent: agent.Pi, Provider: "mine", Model: "local", Setting: func(name string) string { return got[name] }}
	if l, ok := agent.Window(of); !ok || l.Window != 100_000 {
		t.Errorf("%+v, %v", l, ok)
	}
}

// TestAModelOfKimiCodesVariablesHasItsWindow checks the model that variables describe to Kimi Code, and that other
// models keep their windows.
func TestAModelOfKimiCodesVariablesHasItsWindow(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Env["KIMI_MODEL_NAME"] = "gpt-5.5"
	m.Env["KIMI_MODEL_API_KEY"] = "secret"
	m.Put(".kimi-code/config.toml", "[loop_control]\nreserved_context_size = 40000\n")
	for size, want := range map[string]int64{"": 262_144, "100000": 100_000} {
		m.Env["KIMI_MODEL_MAX_CONTEXT_SIZE"] = size
		got := Settings(m.Environment(), agent.KimiCode, "")
		of := agent.Installation{Agent: agent.KimiCode, Model: "gpt-5.5", Setting: func(name string) string { return got[name] }}
		l, ok := agent.Window(of)
		if !ok || l.Window != want {
			t.Errorf("size %q: %+v, %v, want %d", size, l, ok, want)
		}
		rule, _ := agent.Rule(of)
		if line := rule.Formula(l); line != min(want*85/100, want-40_000) {
			t.Errorf("size %q: the threshold is %d", size, line)
		}
		if of.Model = "kimi-k2"; got["KIMI_MODEL_API_KEY"] != "" {
			t.Error("a key is among the settings")
		}
		if l, ok := agent.Window(of); ok {
			t.Errorf("another model has the window %+v", l)
		}
	}
}

// An export from elsewhere is not read by what OpenCode knows of models on this
// machine; the session that OpenCode keeps here is.
func TestModelsOfThisMachineAreForItsOwnSessions(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".cache/opencode/models.json", `{"github-copilot":{"models":{"claude-sonnet-4.6":{"limit":{"context":128000,"output":16000}}}}}`)
	m.Put(".config/opencode/opencode.json", `{"compaction":{"auto":true},"provider":{"mine":{"models":{"local":{"limit":{"context":32000}}}}}}`)
	for path, want := range map[string]int{
		filepath.Join(m.Home, ".local", "share", "opencode", "opencode.db"): 3,
		filepath.Join(m.Home, "Downloads", "export.json"):                   1,
	} {
		got := SettingsOf(m.Environment(), transcript.Session{Agent: "opencode", Path: path})
		if len(got) != want || got["compaction.auto"] != "true" {
			t.Errorf("%s: %v, want %d settings", path, got, want)
		}
	}
}

// OpenCode reads settings with comments, the user's and the workspace's, and the last one applies.
func TestSettingsOfOpenCodeMayHaveComments(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".config/opencode/opencode.json", `{"compaction":{"auto":true,"reserved":1000}}`)
	m.Put(".config/opencode/opencode.jsonc", "{\n  // less\n  \"compaction\": {\"reserved\": 2000},\n}\n")
	m.Put("w/.opencode/opencode.jsonc", `{"compaction":{"auto":false /* never */}}`)
	got := Settings(m.Environment(), "opencode", filepath.Join(m.Home, "w"))
	if got["compaction.auto"] != "false" || got["compaction.reserved"] != "2000" {
		t.Errorf("%v", got)
	}
}

// A transcript may name any directory as its own.
func TestOnlyDirectoriesOfThisMachineAreLookedAt(t *testing.T) {
	for path, want := range map[string]bool{
		"": false, "relative": false, `\\server\share`: false, "//server/share": false, `/\server\share`: false, t.TempDir(): true,
	} {
		if dirs.Local(path) != want {
			t.Errorf("dirs.Local(%q) is %v", path, !want)
		}
	}
}
