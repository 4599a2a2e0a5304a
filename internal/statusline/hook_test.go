// Copyright The ctx-lsp authors. MIT licence.

package statusline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

func TestAHookOfASubAgentIsAboutTheSubAgent(t *testing.T) {
	home := t.TempDir()
	main := filepath.Join(home, "0197.jsonl")
	event := &HookEvent{HookEvent: agents.HookEvent{TranscriptPath: main, AgentID: "a1"}}
	if got := event.ofSubAgent(); got != main {
		t.Errorf("without a transcript of its own: %s", got)
	}
	own := filepath.Join(home, "0197", "subagents", "agent-a1.jsonl")
	if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := event.ofSubAgent(); got != own {
		t.Errorf("in its place: %s", got)
	}
	event.AgentTranscriptPath = "/named.jsonl"
	if got := event.ofSubAgent(); got != "/named.jsonl" {
		t.Errorf("named: %s", got)
	}
}

// TestAHookAdvisesFromSoonOn checks that no advice is given below the level soon.
func TestAHookAdvisesFromSoonOn(t *testing.T) {
	limit, line := int64(200_000), int64(167_000)
	for level, advises := range map[api.Level]bool{"ok": false, "soon": true, "now": true, "over": true} {
		r := &api.Reading{Used: 12_000, Limit: &limit}
		r.Compaction.Threshold, r.Compaction.Level = &line, level
		if text := HookSentence(r); strings.Contains(text, "write down") != advises || !strings.Contains(text, "compacted at") && level != "over" {
			t.Errorf("at %s it says %q", level, text)
		}
	}
}

// TestPastAnOwnWindowNothingIsRefused checks that the model is not warned of a refusal if only the window that the user
// has set for the agent is exceeded.
func TestPastAnOwnWindowNothingIsRefused(t *testing.T) {
	limit, line := int64(100_000), int64(67_000)
	r := &api.Reading{Used: 120_000, Limit: &limit, LimitSource: "agentNow"}
	r.Compaction.Threshold, r.Compaction.Level, r.Display.Threshold = &line, "over", "67k"
	if text := HookSentence(r); !strings.Contains(text, "may be refused") {
		t.Errorf("past the limit: %s", text)
	}
	r.LimitSource = "setting"
	if text := HookSentence(r); strings.Contains(text, "refused") || !strings.Contains(text, "past the compaction threshold of 67k") {
		t.Errorf("past an own window: %s", text)
	}
}
