// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
)

// cachedAnswer is a response with the usage of its prompt cache and the provider's reason for a miss.
type cachedAnswer struct {
	read, write   int
	reason        string
	model, effort string
	side          bool
}

func (f *claudeFile) answers(id string, a cachedAnswer) {
	diagnostics := "null"
	if a.reason != "" {
		diagnostics = fmt.Sprintf(`{"cache_miss_reason":{"type":%q}}`, a.reason)
	}
	if a.model == "" {
		a.model = "claude-opus-4-6"
	}
	effort := ""
	if a.effort != "" {
		effort = fmt.Sprintf(`"effort":%q,`, a.effort)
	}
	f.add("", "assistant", fmt.Sprintf(`%s"requestId":"req_%s","message":{"id":"msg_%s","role":"assistant","model":%q,"stop_reason":"end_turn","diagnostics":%s,"content":[{"type":"text","text":"so"}],`+
		`"usage":{"input_tokens":3,"output_tokens":20,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d,"cache_creation":{"ephemeral_1h_input_tokens":%d,"ephemeral_5m_input_tokens":0}}}`,
		effort, id, id, a.model, diagnostics, a.read, a.write, a.write))
}

func (f *claudeFile) attaches(attachment string) { f.add("", "attachment", `"attachment":`+attachment) }

// TestLabeledBreaksAreInferred plays a session for each way in which Claude Code's cache breaks: with the provider's
// reason, and with that reason hidden. The first request reads the 20,000 tokens that sessions share and writes the
// rest of a fixed context of 26,000; the second leaves 60,000 in the cache.
func TestLabeledBreaksAreInferred(t *testing.T) {
	const none = ""
	rest := func(read int, reason string) cachedAnswer {
		return cachedAnswer{read: read, write: 60_800 - read, reason: reason}
	}
	toolResult := func(f *claudeFile, content string) {
		f.add("", "user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_9","content":`+content+`}]}`)
	}
	for name, c := range map[string]struct {
		side     bool // a sub-agent's transcript
		first    int  // what the first request reads; 20,000 if 0
		between  func(f *claudeFile)
		answer   cachedAnswer
		recorded string // the cause with the reason, and "recorded" if the record names it
		inferred string // the cause without
	}{
		"an ordinary turn":                   {between: func(f *claudeFile) { f.says("on") }, answer: cachedAnswer{read: 60_000, write: 800}, recorded: none, inferred: none},
		"a reason, though all was read":      {between: func(f *claudeFile) { f.says("on") }, answer: cachedAnswer{read: 60_000, write: 800, reason: "unavailable"}, recorded: none, inferred: none},
		"another model, though all was read": {between: func(f *claudeFile) { f.says("on") }, answer: cachedAnswer{read: 60_000, write: 800, reason: "model_changed", model: "claude-sonnet-4-6"}, recorded: none, inferred: none},
		"a pause": {
			between: func(f *claudeFile) { f.minutes += 70; f.says("on") }, answer: rest(20_000, "previous_message_not_found"),
			recorded: "time", inferred: "time",
		},
		"a pause, and nothing was read": {
			between: func(f *claudeFile) { f.minutes += 300; f.says("on") }, answer: rest(0, "previous_message_not_found"),
			recorded: "time", inferred: "time",
		},
		"a new process that reads nothing": {
			between: func(f *claudeFile) {
				f.attaches(`{"type":"hook_success","hookName":"SessionStart:resume","content":"x"}`)
				f.says("on")
			},
			answer: rest(0, "previous_message_not_found"), recorded: "process, recorded", inferred: "process",
		},
		"a new process with another system prompt": {
			between: func(f *claudeFile) {
				f.attaches(`{"type":"hook_success","hookName":"SessionStart:resume","content":"x"}`)
				f.says("on")
			},
			answer: rest(20_000, "system_changed"), recorded: "system, recorded", inferred: "system",
		},
		"another version": {
			between: func(f *claudeFile) { f.version = "2.1.301"; f.says("on") },
			answer:  rest(20_000, "system_changed"), recorded: "system, recorded", inferred: "system",
		},
		"a new process with another memory file": {
			between: func(f *claudeFile) {
				f.attaches(`{"type":"hook_success","hookName":"SessionStart:resume","content":"x"}`)
				f.says("on")
			},
			answer: rest(26_000, "messages_changed"), recorded: "messages, recorded", inferred: "messages",
		},
		"a server that connected": {
			between: func(f *claudeFile) {
				f.says("on")
				f.attaches(`{"type":"deferred_tools_delta","addedNames":["mcp__docs__read"],"removedNames":[]}`)
				f.attaches(`{"type":"mcp_instructions_delta","addedNames":["docs"],"addedBlocks":["## docs"],"removedNames":[]}`)
			},
			answer: rest(20_000, "system_changed"), recorded: "system, recorded", inferred: "system",
		},
		"a system prompt that was built anew": {
			between: func(f *claudeFile) { f.says("on") },
			answer:  rest(20_000, "system_changed"), recorded: "system, recorded", inferred: "system",
		},
		"messages that were sent otherwise": {
			between: func(f *claudeFile) { f.says("on") },
			answer:  rest(26_000, "messages_changed"), recorded: "messages, recorded", inferred: "messages",
		},
		"messages in the middle": {
			between: func(f *claudeFile) { f.says("on") },
			answer:  rest(45_000, "messages_changed"), recorded: "messages, recorded", inferred: "messages",
		},
		"results that were cleared": {
			between: func(f *claudeFile) {
				f.add("", "system", `"subtype":"microcompact_boundary","microcompactMetadata":{"tokensSaved":9000}`)
				f.says("on")
			},
			answer: cachedAnswer{read: 26_000, write: 26_000, reason: "messages_changed"}, recorded: "messages, recorded", inferred: "messages",
		},
		"the result of a background task": {
			between: func(f *claudeFile) {
				f.add("", "user", `"origin":{"kind":"task-notification"},"message":{"role":"user","content":"<task-notification>done</task-notification>"}`)
			},
			answer: rest(20_000, "messages_changed"), recorded: "messages, recorded", inferred: "messages",
		},
		"a message to a sub-agent": {
			side: true,
			between: func(f *claudeFile) {
				f.add("", "user", `"isMeta":true,"origin":{"kind":"coordinator"},"message":{"role":"user","content":"The coordinator sent a message: go on"}`)
			},
			answer: rest(20_000, "messages_changed"), recorded: "messages, recorded", inferred: "messages",
		},
		"a message to a sub-agent that was the first of its kind": {
			side: true, first: -1,
			between: func(f *claudeFile) { f.says("go on") },
			answer:  rest(22_300, "messages_changed"), recorded: "messages, recorded", inferred: "messages",
		},
		"a message to a fork, which had read its parent's prompt": {
			side: true, first: 26_000,
			between: func(f *claudeFile) { f.says("go on") },
			answer:  rest(17_000, "messages_changed"), recorded: "messages, recorded", inferred: "messages",
		},
		"a message to a teammate": {
			between: func(f *claudeFile) { f.says(`<teammate-message teammate_id="lead">go on</teammate-message>`) },
			answer:  rest(20_000, "messages_changed"), recorded: "messages, recorded", inferred: "messages",
		},
		"a tool that was loaded": {
			between: func(f *claudeFile) { toolResult(f, `[{"type":"tool_reference","tool_name":"WebFetch"}]`) },
			answer:  rest(20_093, "tools_changed"), recorded: "tools, recorded", inferred: "tools",
		},
		"a server whose tools changed within a turn": {
			between: func(f *claudeFile) { toolResult(f, `"done"`) },
			answer:  rest(0, "tools_changed"), recorded: "tools, recorded", inferred: "tools",
		},
		"a server whose tools changed between turns": {
			between: func(f *claudeFile) { f.says("on") },
			answer:  rest(0, "tools_changed"), recorded: "tools, recorded", inferred: "tools",
		},
		"remote control": {
			between: func(f *claudeFile) { f.add("", "system", `"subtype":"bridge_status"`); f.says("on") },
			answer:  rest(0, "tools_changed"), recorded: "tools, recorded", inferred: "tools",
		},
		"another model": {
			between: func(f *claudeFile) { f.says("on") },
			answer:  cachedAnswer{write: 60_800, reason: "model_changed", model: "claude-sonnet-4-6"}, recorded: "model, recorded", inferred: "model",
		},
		"another effort": {
			between: func(f *claudeFile) { f.says("on") },
			answer:  cachedAnswer{read: 20_000, write: 40_800, reason: "unavailable", effort: "max"}, recorded: "effort", inferred: "effort",
		},
		"no comparison, and nothing that explains the loss": {
			between: func(f *claudeFile) { f.says("on") },
			answer:  rest(20_000, "unavailable"), recorded: "provider, recorded", inferred: "system",
		},
	} {
		f := claudeFile{version: "2.1.300"}
		first := 20_000
		if c.first != 0 {
			first = max(c.first, 0)
		}
		f.says("go")
		f.answers("1", cachedAnswer{read: first, write: 30_000 - first, effort: "high"})
		f.says("more")
		f.answers("2", cachedAnswer{read: 30_000, write: 30_000})
		c.between(&f)
		f.answers("3", c.answer)
		if c.side {
			for i := range f.records {
				f.records[i] = strings.Replace(f.records[i], `"isSidechain":false`, `"isSidechain":true,"agentId":"a1"`, 1)
			}
		}
		for _, hidden := range []bool{false, true} {
			want, got := c.recorded, none
			if hidden {
				want = c.inferred
			}
			s := core.New(core.Identity{ID: "s"}, count.NewVocabularies())
			s.Recording, s.Inferring = true, hidden
			for _, e := range f.events(t) {
				s.Apply(e)
			}
			_, _, list := s.CacheBreaks()
			for _, b := range list {
				got += b.Cause.String()
				if b.Recorded {
					got += ", recorded"
				}
				if lost := int64(60_000 - c.answer.read); b.Request != "msg_3" || b.Written != min(lost, int64(c.answer.write)) || b.Kept != int64(c.answer.read) {
					t.Errorf("%s: %+v, want %d tokens of msg_3", name, b, lost)
				}
			}
			if got != want {
				t.Errorf("%s: %q, want %q, with the reason hidden: %t", name, got, want, hidden)
			}
		}
	}
}
