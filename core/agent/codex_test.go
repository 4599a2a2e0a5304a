// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
)

// codexLine returns a record of a rollout.
func codexLine(second int, kind, payload string) string {
	return fmt.Sprintf(`{"timestamp":"2026-06-26T12:%02d:%02d.000Z","type":%q,"payload":{%s}}`, second/60, second%60, kind, payload)
}

func codexCount(second, in, total int) string {
	return codexLine(second, "event_msg", fmt.Sprintf(`"type":"token_count","info":{"total_token_usage":{"total_tokens":%d},"last_token_usage":{"input_tokens":%d,"cached_input_tokens":0,"output_tokens":300,"reasoning_output_tokens":200}}`, total, in))
}

// TestASecondHeadIsNoNewConnection checks that the head of the file, which the desktop program writes in every turn,
// does not reopen the connection.
func TestASecondHeadIsNoNewConnection(t *testing.T) {
	head := codexLine(0, "session_meta", `"cli_version":"0.142.0","cwd":"/w","model_provider":"openai"`)
	events := eventsOf(t, agent.Codex, head, codexLine(1, "turn_context", `"model":"gpt-5.5"`), codexLine(2, "event_msg", `"type":"task_started"`),
		codexCount(3, 1000, 1300), codexLine(4, "event_msg", `"type":"task_complete"`), head, codexLine(20, "event_msg", `"type":"task_started"`))
	if n := len(of[core.Resumed](events)); n > 0 {
		t.Errorf("%d times the conversation is resumed", n)
	}
}

// TestTheReasoningOfAStoppedTurnDependsOnTheModel checks that a stopped turn ends with gpt-5.5, and continues with
// gpt-5.4.
func TestTheReasoningOfAStoppedTurnDependsOnTheModel(t *testing.T) {
	for model, want := range map[string]int{"gpt-5.5": 2, "gpt-5.4": 1} {
		events := eventsOf(t, agent.Codex, codexLine(1, "turn_context", `"model":"`+model+`"`), codexLine(2, "event_msg", `"type":"task_started"`),
			codexCount(3, 1000, 1300), codexLine(4, "event_msg", `"type":"turn_aborted"`), codexLine(5, "event_msg", `"type":"task_started"`))
		if n := len(of[core.TurnStarted](events)); n != want {
			t.Errorf("%s: %d turns, want %d", model, n, want)
		}
	}
}

// TestSteeringKeepsReasoningInAlphaVersions checks that the effect of a message during a turn on its reasoning depends
// on the version.
func TestSteeringKeepsReasoningInAlphaVersions(t *testing.T) {
	for version, want := range map[string]bool{"0.142.2": false, "0.140.0-alpha.3": true} {
		events := eventsOf(t, agent.Codex, codexLine(0, "session_meta", `"cli_version":"`+version+`"`), codexLine(1, "turn_context", `"model":"gpt-5.5"`),
			codexLine(2, "event_msg", `"type":"task_started"`), codexCount(3, 1000, 1300),
			codexLine(4, "response_item", `"type":"message","role":"user","content":[{"type":"input_text","text":"Stop that."}]`))
		if s := of[core.Steered](events); len(s) != 1 || s[0].Keeps != want {
			t.Errorf("%s: %+v", version, s)
		}
	}
}

// TestDefinitionsOfToolsAreRendered checks that definitions of tools are sent as types, not as JSON.
func TestDefinitionsOfToolsAreRendered(t *testing.T) {
	events := eventsOf(t, agent.Codex, codexLine(1, "response_item", `"type":"tool_search_output","tools":[{"type":"namespace","name":"mcp__git","description":"Work with git.\nGently.","tools":[`+
		`{"type":"function","name":"_log","description":"Shows the log.","strict":false,"parameters":{"type":"object","required":["path"],"properties":{`+
		`"path":{"type":"string","description":"Where."},"since":{"anyOf":[{"type":"integer"},{"type":"null"}]},"by":{"enum":["date","name"]},"only":{"type":"array","items":{"type":"string"},"default":["*"]}}}}]}]`))
	want := `// Work with git.
// Gently.
namespace mcp__git {

// Shows the log.
type _log = (_: {
// Where.
path: string,
since?: number | null,
by?: "date" | "name",
only?: string[], // default: ["*"]
}) => any;

} // namespace mcp__git

`
	if got := string(of[core.Appended](events)[0].Item.Text); got != want {
		t.Errorf("%s", got)
	}
	for kind, tools := range map[core.Kind]string{
		core.MCPTools:    `{"type":"namespace","name":"mcp__git","tools":[]}`,
		core.ToolResults: `{"type":"namespace","name":"mcp__git","tools":[]},{"type":"function","name":"shell","parameters":{}}`,
	} {
		events := eventsOf(t, agent.Codex, codexLine(1, "response_item", `"type":"tool_search_output","tools":[`+tools+`]`))
		if got := of[core.Appended](events)[0].Item.Kind; got != kind {
			t.Errorf("%s is of kind %v", tools, got)
		}
	}
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 60) + `{}` + strings.Repeat(`}}`, 60)
	eventsOf(t, agent.Codex, codexLine(1, "response_item", `"type":"tool_search_output","tools":[{"name":"x","parameters":`+deep+`}]`))
}

// TestCopilotsTierIsTheWindow checks that in the default tier, Copilot gives a model of a million tokens 200,000.
func TestCopilotsTierIsTheWindow(t *testing.T) {
	change := func(tier string) string {
		return `{"type":"session.model_change","id":"a","parentId":null,"timestamp":"2026-07-24T16:40:49.681Z","data":{"newModel":"claude-fable-5","contextTier":` + tier + `}}`
	}
	s := core.New(core.Identity{ID: "s"}, count.NewVocabularies())
	for tier, want := range map[string]int64{`"default"`: 200_000, `"long"`: 1_000_000, `null`: 1_000_000} {
		for _, e := range eventsOf(t, agent.CopilotCLI, change(tier)) {
			s.Apply(e)
		}
		if l, _ := s.Limits(); l.Window != want {
			t.Errorf("%s: a window of %d, want %d", tier, l.Window, want)
		}
	}
}

// TestWhatCodexAddsHasItsOwnRow checks texts that Codex adds in the shape of user messages.
func TestWhatCodexAddsHasItsOwnRow(t *testing.T) {
	for text, want := range map[string]string{
		"# AGENTS.md instructions for /w":         "memory AGENTS.md",
		"<user_instructions>Be brief.":            "memory AGENTS.md",
		"<environment_context><cwd>/w</cwd>":      "system Environment",
		"<skill><name>review</name>":              "skills Skill",
		"<skills>review":                          "skills Skill",
		"Please read the <environment_context>.":  "user ",
		" # AGENTS.md instructions are not found": "user ",
	} {
		events := eventsOf(t, agent.Codex, codexLine(1, "response_item", fmt.Sprintf(`"type":"message","role":"user","content":[{"type":"input_text","text":%q}]`, text)))
		var got []string
		for _, e := range of[core.Appended](events) {
			got = append(got, fmt.Sprintf("%s %s", e.Item.Kind, e.Item.Label))
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestAResultOfAnOlderRolloutSaysWhetherItFailed checks that results in older rollouts show whether the call succeeded.
func TestAResultOfAnOlderRolloutSaysWhetherItFailed(t *testing.T) {
	for success, failed := range map[string]bool{`,"success":true`: false, `,"success":false`: true, "": false, `,"success":null`: false, `,"success":"no"`: false} {
		events := eventsOf(t, agent.Codex,
			codexLine(1, "response_item", `"type":"function_call","name":"shell","arguments":"{}","call_id":"call_1"`),
			codexLine(2, "response_item", `"type":"function_call_output","call_id":"call_1","output":{"content":"done"`+success+`}`))
		got := of[core.Appended](events)
		if last := got[len(got)-1].Item; string(last.Text) != "done" || last.Error != failed {
			t.Errorf("%s: %q, failed %v", success, last.Text, last.Error)
		}
	}
}

// TestARollbackRemovesTheLastTurns checks from which item a rollback removes the others, and that one of more turns
// than are known removes none.
func TestARollbackRemovesTheLastTurns(t *testing.T) {
	for turns, want := range map[int]string{1: "[{2}]", 2: "[{1}]", 3: "[{0}]", 4: "unknown", 0: "unknown", -1: "unknown", 2000: "unknown"} {
		var records []string
		for i := range 3 {
			records = append(records, codexLine(i, "event_msg", `"type":"task_started"`),
				codexLine(i, "response_item", `"type":"message","role":"user","content":[{"type":"input_text","text":"Which teas?"}]`), codexLine(i, "event_msg", `"type":"task_complete"`))
		}
		events := eventsOf(t, agent.Codex, append(records, codexLine(9, "event_msg", fmt.Sprintf(`"type":"thread_rolled_back","num_turns":%d`, turns)))...)
		got := fmt.Sprint(of[core.Truncated](events))
		if len(of[core.Warned](events)) > 0 {
			got = "unknown"
		}
		if got != want {
			t.Errorf("%d turns: removed are the items from %s, want %s", turns, got, want)
		}
	}
}

// TestALongPauseClosesTheConnection checks that Codex connects again after ten minutes without a response.
func TestALongPauseClosesTheConnection(t *testing.T) {
	for second, want := range map[int]int{3 + 600: 0, 3 + 601: 1} {
		events := eventsOf(t, agent.Codex, codexLine(1, "turn_context", `"model":"gpt-5.5"`), codexLine(2, "event_msg", `"type":"task_started"`),
			codexCount(3, 1000, 1300), codexLine(4, "event_msg", `"type":"task_complete"`), codexLine(second, "event_msg", `"type":"task_started"`))
		if n := len(of[core.Resumed](events)); n != want {
			t.Errorf("%d s after the response: resumed %d times, want %d", second-3, n, want)
		}
	}
}

// TestACountThatIsRepeatedIsOneRequest checks counts with the same total, which Codex writes again. Without a total,
// each is a request.
func TestACountThatIsRepeatedIsOneRequest(t *testing.T) {
	for totals, want := range map[[2]int]int{{1300, 1300}: 1, {1300, 2600}: 2, {0, 0}: 2, {1, 1}: 1} {
		events := eventsOf(t, agent.Codex, codexLine(1, "turn_context", `"model":"gpt-5.5"`), codexCount(3, 1000, totals[0]), codexCount(4, 1000, totals[1]))
		if n := len(of[core.Metered](events)); n != want {
			t.Errorf("totals %v are %d requests, want %d", totals, n, want)
		}
	}
}
