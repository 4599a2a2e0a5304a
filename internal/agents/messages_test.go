// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestTheAgentOfAHooksEventIsKnownByItsFields checks who has sent an event, and the form of the reply.
func TestTheAgentOfAHooksEventIsKnownByItsFields(t *testing.T) {
	for _, c := range []struct{ event, agent, answer string }{
		{`{"session_id":"s","transcript_path":"/t","hook_event_name":"PostToolUse"}`, agent.ClaudeCode, `{"hookSpecificOutput":{"additionalContext":"T","hookEventName":"PostToolUse"}}`},
		{`{"session_id":"s","hook_event_name":"Stop"}`, agent.ClaudeCode, `{"systemMessage":"T"}`},
		{`{"session_id":"s","hook_event_name":"BeforeAgent"}`, agent.GeminiCLI, `{"hookSpecificOutput":{"additionalContext":"T","hookEventName":"BeforeAgent"}}`},
		{`{"session_id":"s","hook_event_name":"AfterModel"}`, agent.GeminiCLI, `{"systemMessage":"T"}`},
		{`{"sessionId":"s","hook_event_name":"postToolUse"}`, agent.CopilotCLI, `{"additionalContext":"T"}`},
		{`{"conversation_id":"c","cursor_version":"2.1","hook_event_name":"postToolUse"}`, agent.Cursor, `{"additional_context":"T"}`},
		{`{"conversation_id":"c","cursor_version":"2.1","hook_event_name":"sessionStart"}`, agent.Cursor, `{"additional_context":"T"}`},
		{`{"conversation_id":"c","cursor_version":"2.1","hook_event_name":"stop"}`, agent.Cursor, `{"user_message":"T"}`},
		{`{"cwd":"/w","hook_event_name":"agentSpawn"}`, agent.Kiro, `"T"`},
		{`{"cwd":"/w","hook_event_name":"userPromptSubmit"}`, agent.Kiro, `"T"`},
		{`{"cwd":"/w","hook_event_name":"stop"}`, agent.Kiro, `null`},
		{`{"cwd":"/w","hook_event_name":"another"}`, agent.ClaudeCode, `{"systemMessage":"T"}`},
		{`{"hook_event_name":"stop"}`, agent.ClaudeCode, `{"systemMessage":"T"}`},
		{`{"cwd":"/w","session_id":"s","hook_event_name":"stop"}`, agent.ClaudeCode, `{"systemMessage":"T"}`},
		{`{"cwd":"/w","conversation_id":"s","hook_event_name":"stop"}`, agent.ClaudeCode, `{"systemMessage":"T"}`},
		{`{"cwd":"/w","transcript_path":"/t","hook_event_name":"stop"}`, agent.ClaudeCode, `{"systemMessage":"T"}`},
	} {
		var e HookEvent
		if err := json.Unmarshal([]byte(c.event), &e); err != nil {
			t.Fatal(err)
		}
		sender := e.Sender()
		answer, _ := json.Marshal(sender.AnswerHook(e.Name, "T"))
		if sender.ID != c.agent || string(answer) != c.answer {
			t.Errorf("%s is of %s, and answered with %s; want %s, %s", c.event, sender.ID, answer, c.agent, c.answer)
		}
	}
}

// TestTheAgentOfAStatusLinesMessageIsKnownByItsFields checks who has sent a message, and the usage in it.
func TestTheAgentOfAStatusLinesMessageIsKnownByItsFields(t *testing.T) {
	for _, c := range []struct{ message, agent, provider, usage string }{
		{`{"session_id":"s","transcript_path":"/t"}`, agent.ClaudeCode, "", ""},
		{`{"session_id":"s","context_window":{"current_usage":{"input_tokens":5}}}`, agent.ClaudeCode, "anthropic", `{"input_tokens":5}`},
		{`{"session_id":"s","context_window":{"current_usage":null}}`, agent.ClaudeCode, "", ""},
		{`{"session_id":"s"}`, "", "", ""},
		{`{"transcript_path":"/t"}`, "", "", ""},
		{`{"session_id":"s","render_width_chars":80,"context_window":{"current_usage":{"input_tokens":5}}}`, agent.Cursor, "anthropic", `{"input_tokens":5}`},
		{`{"session_id":"s","autorun":{},"transcript_path":"/t"}`, agent.Cursor, "", ""},
		{`{"agent_state":"idle","context_window":{"current_usage":{"input_tokens":0}}}`, agent.Antigravity, "", ""},
		{`{"conversation_id":"c","context_window":{"current_usage":{"input_tokens":1,"cache_read_input_tokens":2}}}`, agent.Antigravity, "anthropic", `{"input_tokens":1,"cache_read_input_tokens":2}`},
		{`{"product":"Google Antigravity"}`, agent.Antigravity, "", ""},
		{`{"quota":{}}`, agent.Antigravity, "", ""},
		{`{"session_id":"s","context_window":{"last_call_input_tokens":7,"last_call_output_tokens":2}}`, agent.CopilotCLI, "ctx", `{"in":7,"out":2}`},
		{`{"session_id":"s","context_window":{"last_call_input_tokens":0,"current_context_tokens":9,"last_call_output_tokens":2}}`, agent.CopilotCLI, "ctx", `{"in":9}`},
		{`{"session_id":"s","context_window":{"current_context_tokens":0}}`, agent.CopilotCLI, "", ""},
		{`{"session_id":"s","context_window":{"current_context_tokens":1}}`, agent.CopilotCLI, "ctx", `{"in":1}`},
		{`{"session_id":"s","context_window":{"current_usage":1}}`, agent.QwenCode, "ctx", `{"in":1}`},
		{`{"session_id":"s","context_window":{"current_usage":0}}`, agent.QwenCode, "", ""},
		{`{"session_id":"s","context_window":{"current_usage":9.5}}`, agent.QwenCode, "", ""},
		{`{"session_id":"s","version":"2026.01.02-ab12","context_window":{"current_usage":{"input_tokens":5}}}`, agent.Cursor, "anthropic", `{"input_tokens":5}`},
		{`{"session_id":"s","version":"2.1.0","context_window":{"current_usage":{"input_tokens":5}}}`, agent.ClaudeCode, "anthropic", `{"input_tokens":5}`},
	} {
		var m StatusMessage
		if err := json.Unmarshal([]byte(c.message), &m); err != nil {
			t.Fatal(err)
		}
		sender, id := m.Sender(), ""
		if sender != nil {
			id = sender.ID
		}
		if id != c.agent {
			t.Errorf("%s is of %q, want %q", c.message, id, c.agent)
			continue
		}
		if sender == nil || m.Window == nil {
			continue
		}
		if provider, usage := sender.StatusLine.Usage(m.Window); provider != c.provider || string(usage) != c.usage {
			t.Errorf("%s: the usage is %s of %q", c.message, usage, provider)
		}
	}
	for usage, want := range map[string]int64{
		`{"in":1,"input_tokens":20,"cache_creation_input_tokens":300,"cache_read_input_tokens":4000}`: 4321, `{}`: 0, `7`: 0, ``: 0,
	} {
		if got := PromptOf(json.RawMessage(usage)); got != want {
			t.Errorf("the prompt of %s has %d tokens", usage, got)
		}
	}
}

// TestAStatusLineThatWouldNotBeSeenIsExplained checks the settings that turn Claude Code's status line off.
func TestAStatusLineThatWouldNotBeSeenIsExplained(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, ".claude", "settings.json")
	problems := func(settings, target string) string {
		return strings.Join(statusLineProblems([]byte(settings), target, dir), "|")
	}
	if got := problems(`{"disableAllHooks":true}`, ""); got != "disableAllHooks is set in it, which also turns off Claude Code's status line" {
		t.Errorf("without hooks: %q", got)
	}
	if got := problems(`{"disableAllHooks":false}`, ""); got != "" {
		t.Errorf("with hooks: %q", got)
	}
	if err := os.MkdirAll(filepath.Dir(own), 0o755); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{`{"statusLine":{"command":"x"}}`: true, `{"other":1}`: false, `broken`: false} {
		if err := os.WriteFile(own, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := problems(`{}`, ""); (got == "this directory has its own status line, which takes precedence: "+own) != want {
			t.Errorf("%s: %q", text, got)
		}
		if got := problems(`{}`, own); got != "" {
			t.Errorf("%s, as the target: %q", text, got)
		}
	}
}

// TestExitCodesAreFoundInTheOutputOfEveryAgent checks that an agent's own patterns come first.
func TestExitCodesAreFoundInTheOutputOfEveryAgent(t *testing.T) {
	for output, want := range map[string]string{
		"Exit code: 7\nfailed": "7", "Process exited with code 3": "3", "<exited with exit code -1>": "-1", "Command exited with code 5": "5", "it is fine": "",
	} {
		for _, id := range []string{agent.ClaudeCode, agent.CopilotCLI, "another"} {
			got := ""
			for _, pattern := range ExitCodes(id) {
				if found := pattern.FindStringSubmatch(output); found != nil {
					got = found[1]
					break
				}
			}
			if got != want {
				t.Errorf("%q of %s has the exit code %q", output, id, got)
			}
		}
	}
	own := Named(agent.CopilotCLI).ExitCodes
	if first := ExitCodes(agent.CopilotCLI); first[0] != own[0] || len(first) != len(ExitCodes("another")) || slices.Contains(first[len(own):], own[0]) {
		t.Error("an agent's own patterns are not the first ones, or are there twice")
	}
}

// TestTheAddressOfAServerIsShownWithoutSecrets checks headers, variables and addresses of MCP servers.
func TestTheAddressOfAServerIsShownWithoutSecrets(t *testing.T) {
	values := map[string]string{"KEY": "k1", "HOST": "h.example"}
	getenv := func(name string) string { return values[name] }
	var c configuration
	if err := json.Unmarshal([]byte(`{"url":"https://u:p@${HOST}/a/{b}?key=${KEY}#x","headers":{"Authorization":"Bearer ${env:KEY}","X":"{env:HOST}${NONE:-n}"}}`), &c); err != nil {
		t.Fatal(err)
	}
	s, ok := c.server("s", "/w", getenv)
	if !ok || s.URL != "https://u:p@h.example/a/{b}?key=k1#x" || s.Headers["Authorization"] != "Bearer k1" || s.Headers["X"] != "h.examplen" {
		t.Errorf("%+v, %v", s, ok)
	}
	if s.Start() != "https://${HOST}/a/{b}" || !s.Variable() || strings.Join(s.Takes(), " ") != "HOST KEY" {
		t.Errorf("it is shown as %s, with %q", s.Start(), s.Takes())
	}
	for text, want := range map[string]string{
		"${workspaceFolder}/x": "/w/x", "a{b}c": "a{b}c", "${KEY": "${KEY", "$KEY": "$KEY", "${NONE}": "", "${KEY:-no}": "k1", "{env:KEY}{env:KEY}": "k1k1", "{": "{",
	} {
		if got := expanded(text, "/w", getenv); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	for text, want := range map[string]string{
		"http://a": "http://a", "http://u@a?b": "http://a", "http://a/b@c": "http://a/b@c", "stdio": "stdio", "https://a#b": "https://a",
	} {
		if got := address(text); got != want {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
	plain := MCPServer{Command: "run", Args: []string{"a", "b"}}
	if plain.Start() != "run a b" || plain.Variable() {
		t.Errorf("it is shown as %s", plain.Start())
	}
	for text, want := range map[string]bool{`{"url":"ftp://a"}`: false, `{}`: false, `{"httpUrl":"http://a"}`: true, `{"command":"x","cwd":"sub"}`: true} {
		var c configuration
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatal(err)
		}
		if s, ok := c.server("s", "/w", getenv); ok != want || strings.Contains(text, "sub") && s.Dir != filepath.Join("/w", "sub") {
			t.Errorf("%s is a server: %v, in %s", text, ok, s.Dir)
		}
	}
}

// TestLimitsOfAntigravityAreWhatIsLeft checks the quota of the group of the model in use, and times in every form.
func TestLimitsOfAntigravityAreWhatIsLeft(t *testing.T) {
	now := time.UnixMilli(1_782_000_000_000)
	quota := `"quota":{"gemini-5h":{"remaining_fraction":0.75,"reset_time":"2026-06-21T00:30:00Z"},"gemini-weekly":{"remaining_fraction":1},"3p-5h":{"remaining_fraction":0},"3p-weekly":{"remaining_fraction":1.5}}`
	for message, want := range map[string]string{
		`{"model":{"id":"Gemini 3"},` + quota + `}`:                                                       `{"windows":[{"minutes":300,"percent":25,"resets":1782001800000},{"minutes":10080,"percent":0,"resets":null}],"cacheUntil":null,"at":1782000000000}`,
		`{"model":{"display_name":"GEMINI Pro"},` + quota + `}`:                                           `{"windows":[{"minutes":300,"percent":25,"resets":1782001800000},{"minutes":10080,"percent":0,"resets":null}],"cacheUntil":null,"at":1782000000000}`,
		`{"model":{"id":"claude"},` + quota + `}`:                                                         `{"windows":[{"minutes":300,"percent":100,"resets":null}],"cacheUntil":null,"at":1782000000000}`,
		`{"rate_limits":{"five_hour":{"used_percentage":"all"},"seven_day":{"used_percentage":1000001}}}`: `null`,
		`{"rate_limits":{"five_hour":{"used_percentage":0,"resets_at":1782001800000}}}`:                   `{"windows":[{"minutes":300,"percent":0,"resets":1782001800000}],"cacheUntil":null,"at":1782000000000}`,
		`{"prompt_cache":{"expires_at":"1999-06-21T00:30:00Z"}}`:                                          `null`, `{"prompt_cache":{"expires_at":0}}`: `null`, `{"prompt_cache":{"expires_at":1e16}}`: `null`,
	} {
		if got := text(t, StatusLineLimits([]byte(message), now)); got != want {
			t.Errorf("%s\n is %s,\nwant %s", message, got, want)
		}
	}
}

// TestASessionOfCoworkHasTheFolderOfItsUser checks the sessions that Claude Desktop keeps for Cowork.
func TestASessionOfCoworkHasTheFolderOfItsUser(t *testing.T) {
	root := filepath.Join(t.TempDir(), coworkFolder)
	write := func(path, text string) string {
		path = filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	at := write("o/a/local_1/.claude/projects/-s/c.jsonl", "{}\n")
	write("o/a/agent/local_2/.claude/projects/-s/d.jsonl", "{}\n")
	write("o/a/b/c/local_3/.claude/projects/-s/e.jsonl", "{}\n") // too deep
	write("o/local_4/nothing.txt", "")
	write("o/a/other/.claude/projects/-s/f.jsonl", "{}\n")
	var found []string
	if err := listCowork(Root{Agent: agent.ClaudeCode, Path: root}, func(c Candidate) { found = append(found, c.ID) }); err != nil || strings.Join(found, " ") != "c d" && strings.Join(found, " ") != "d c" {
		t.Errorf("found are %q, %v", found, err)
	}
	if err := listCowork(Root{Path: root + "x"}, func(Candidate) {}); !os.IsNotExist(err) {
		t.Errorf("a missing directory: %v", err)
	}
	if of, ok := findCowork(at); !ok || of.title != "" || of.folder != "" {
		t.Errorf("without its document: %+v, %v", of, ok)
	}
	write("o/a/local_1.json", `{"title":"Sort","userSelectedFolders":["/home/ada/r","/x"]}`)
	if of, ok := findCowork(at); !ok || of.title != "Sort" || of.folder != "/home/ada/r" {
		t.Errorf("with its document: %+v, %v", of, ok)
	}
	write("o/a/local_1.json", `broken`)
	if of, ok := findCowork(at); !ok || of.title != "" {
		t.Errorf("with a broken document: %+v, %v", of, ok)
	}
	for _, other := range []string{"/home/a/.claude/projects/-s/c.jsonl", filepath.Join(root, "o", "a", "other", ".claude", "projects", "-s", "f.jsonl"), filepath.Join(root, "o", "a", "local_1", "x.jsonl")} {
		if _, ok := findCowork(other); ok {
			t.Errorf("%s is a session of Cowork", other)
		}
	}
}

// TestAConversationOfGPTMeIsDescribedByItsSettings checks the file next to a conversation, and where conversations are.
func TestAConversationOfGPTMeIsDescribedByItsSettings(t *testing.T) {
	home := t.TempDir()
	folder := filepath.Join(home, "logs", "2026-03-01-calm-river")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"conversation.jsonl": `{"role":"user","content":"hi","timestamp":"2026-03-01T10:00:00.123"}` + "\n",
		"config.toml":        "[chat]\nworkspace = \"/w/shop\"\ncontext_budget = 5000\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var found []Candidate
	if err := listGPTMe(Root{Agent: agent.GPTMe, Path: filepath.Join(home, "logs")}, func(c Candidate) { found = append(found, c) }); err != nil || len(found) != 1 || !found[0].Alone {
		t.Fatalf("%+v, %v", found, err)
	}
	s := transcript.Session{Agent: agent.GPTMe, Path: found[0].Path}
	if gptme.Head(&s) || s.Workspace != "/w/shop" || s.ID != "2026-03-01-calm-river" {
		t.Errorf("the session is %+v", s)
	}
	known := transcript.Session{Agent: agent.GPTMe, Path: found[0].Path, Workspace: "/known"}
	if gptme.Head(&known); known.Workspace != "/known" {
		t.Errorf("a known workspace becomes %s", known.Workspace)
	}
	if err := os.WriteFile(filepath.Join(folder, "config.toml"), []byte("[chat]\nworkspace = 7\ncontext_budget = 5000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if number := (transcript.Session{Agent: agent.GPTMe, Path: s.Path}); gptme.Head(&number) || number.Workspace != "" {
		t.Errorf("a number becomes the workspace %q", number.Workspace)
	}
	values := configfile.Values{}
	if gptme.SessionSettings(s, values); values["chat.context_budget"] != "5000" {
		t.Errorf("its settings are %v", values)
	}
	env := map[string]string{}
	e := dirs.Environment{OS: runtime.GOOS, Home: home, Getenv: func(name string) string { return env[name] }}
	if roots := gptme.Roots(e, home, ""); len(roots) != 1 || roots[0].Path != filepath.Join(home, "logs") {
		t.Errorf("its sessions are in %+v", roots)
	}
	env["GPTME_LOGS_HOME"] = folder
	if roots := gptme.Roots(e, home, ""); len(roots) != 1 || roots[0].Path != folder || roots[0].From != "GPTME_LOGS_HOME" {
		t.Errorf("its sessions are in %+v", roots)
	}
}

// TestOnlySomeAgentsRecordTheirProcesses checks which agents record which process runs which session, and unknown
// agents.
func TestOnlySomeAgentsRecordTheirProcesses(t *testing.T) {
	if !WritesClaims(agent.ClaudeCode) || WritesClaims(agent.Codex) || WritesClaims("another") {
		t.Error("the wrong agents record their processes")
	}
	if Cleared(agent.Codex, "/none") || Cleared("another", "/none") || Cleared(agent.ClaudeCode, "/none") {
		t.Error("a session that cannot be read was cleared")
	}
	if (&Agent{ID: "another"}).Name() != "another" || Named(agent.ClaudeCode).Name() != "Claude Code" {
		t.Error("an agent has the wrong name")
	}
	if RefusedSettings("another", t.TempDir()) != nil || HomeOf(dirs.Environment{Home: "/h"}, "another") != "" {
		t.Error("an unknown agent has settings or a directory")
	}
	s := transcript.Session{Agent: agent.Codex, HostTitle: "Of the host", Path: "/none/sessions/s.jsonl"}
	if IndexedTitle(s) != "Of the host" || TitleIndex(transcript.Session{Agent: agent.ClaudeCode}) != "" || TitleIndex(transcript.Session{Agent: "another"}) != "" {
		t.Error("a session has the wrong title")
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{agent.Codex, agent.Codex, true}, {agent.Codex, "", true}, {agent.Codex, agent.ClaudeCode, false}, {agent.Codex, "another", false}, {"another", agent.Codex, false}} {
		if Related(c.a, c.b) != c.want {
			t.Errorf("%s and %s are related: %v", c.a, c.b, !c.want)
		}
	}
}

// TestTheFileOfAStatusLineIsThatOfItsAgent checks the settings file in which each agent's status line is set.
func TestTheFileOfAStatusLineIsThatOfItsAgent(t *testing.T) {
	variables := map[string]string{}
	e := dirs.New("linux", "/home/ada", func(name string) string { return variables[name] })
	for _, c := range []struct{ variable, value, id, want string }{
		{"", "", agent.ClaudeCode, "/home/ada/.claude/settings.json"},
		{"", "", agent.CopilotCLI, "/home/ada/.copilot/settings.json"},
		{"", "", agent.QwenCode, "/home/ada/.qwen/settings.json"},
		{"", "", agent.Antigravity, "/home/ada/.gemini/antigravity-cli/settings.json"},
		{"", "", agent.Cursor, "/home/ada/.cursor/cli-config.json"},
		{"CURSOR_CONFIG_DIR", "/moved", agent.Cursor, "/moved/cli-config.json"},
		{"XDG_CONFIG_HOME", "/config", agent.Cursor, "/config/cursor/cli-config.json"},
		{"CURSOR_CONFIG_DIR", "relative", agent.Cursor, "/home/ada/.cursor/cli-config.json"},
	} {
		clear(variables)
		variables[c.variable] = c.value
		if got := filepath.ToSlash(Named(c.id).StatusLine.File(e, HomeOf(e, c.id))); got != c.want {
			t.Errorf("%s=%s: %s of %s, want %s", c.variable, c.value, got, c.id, c.want)
		}
	}
	var ids []string
	for _, a := range WithStatusLine() {
		ids = append(ids, a.ID)
	}
	if got := strings.Join(ids, " "); got != "claude-code qwen-code copilot-cli antigravity cursor" {
		t.Errorf("a status line have %s", got)
	}
	mac := dirs.New("darwin", t.TempDir(), func(name string) string { return variables[name] })
	clear(variables)
	old := filepath.Join(mac.Home, ".local", "share", "gptme")
	usual := mac.ApplicationConfig("gptme")
	for step, want := range []string{usual, old, old} {
		switch step {
		case 1:
			if err := os.MkdirAll(old, 0o755); err != nil {
				t.Fatal(err)
			}
		case 2:
			if err := os.RemoveAll(old); err != nil {
				t.Fatal(err)
			}
			variables["XDG_DATA_HOME"] = filepath.Join(mac.Home, ".local", "share")
		}
		if got := gptmeHome(mac); got != want {
			t.Errorf("%d: gptme's directory is %s", step, got)
		}
	}
}
