// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
)

// TestEveryAgentIsConverted checks that each agent's conversation has its texts: the user's request and the agent's
// reply.
func TestEveryAgentIsConverted(t *testing.T) {
	for _, each := range []struct{ file, request string }{
		{"claude-code/turns.jsonl", ""},
		{"claude-code/compacted.jsonl", "Add a search box to the catalogue."},
		{"codex/rollout.jsonl", "Why is the total off by one cent?"},
		{"copilot-cli/events.jsonl", ""},
		{"gemini-cli/session.jsonl", ""},
		{"gemini-cli/document.json", ""},
		{"qwen-code/chat.jsonl", ""},
		{"mini-swe-agent/trajectory.json", ""},
		{"mini-swe-agent/tool-calls.json", ""},
		{"opencode/export.json", ""},
		{"opencode/rows.jsonl", ""},
		{"cline/task.jsonl", ""},
		{"roo-code/task.jsonl", ""},
		{"kilo-code/task.jsonl", ""},
	} {
		s, err := sessions.At(filepath.Join("../../testdata/sessions", each.file))
		if err != nil {
			t.Fatal(err)
		}
		c, err := Read(context.Background(), s, nil)
		if err != nil {
			t.Errorf("%s: %s", each.file, err)
			continue
		}
		first, answers := "", 0
		for i := range c.Items {
			if words, ok := c.Items[i].Request(); ok && first == "" {
				first = words
			}
			if c.Items[i].Kind.Reply() && c.Items[i].Text != "" {
				answers++
			}
		}
		if first == "" || each.request != "" && first != each.request || answers == 0 {
			t.Errorf("%s: the first request is %q, %d answers, agent %q", each.file, first, answers, c.Agent)
		}
	}
}

// TestMessagesWrittenByAgentsAreNotRequests checks that reminders, outputs and instructions among the user's
// messages do not become the goal of a note.
func TestMessagesWrittenByAgentsAreNotRequests(t *testing.T) {
	for _, each := range []struct{ text, request string }{
		{"Fix the retry.", "Fix the retry."},
		{"<system-reminder>\nBe kind.\n</system-reminder>\nFix it.", "Fix it."},
		{"<command-name>/review</command-name>\n<command-message>review</command-message>\n<command-args>src/api.go</command-args>", "/review src/api.go"},
		{"<command-name>/clear</command-name>\n<command-args></command-args>", ""},
		{"<local-command-stdout>Bye</local-command-stdout>", ""},
		{"[Request interrupted by user]", ""},
		{"This session is being continued from a previous conversation that ran out of context.", ""},
		{"# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>", ""},
		{"<environment_context>\n<cwd>/w</cwd>\n</environment_context>", ""},
		{"<task>\nAdd a search box.\n</task>\n<environment_details>\n# Time\n</environment_details>", "Add a search box."},
		{"<pr_description>Literal is flagged.</pr_description>\n<instructions>\n# Task\n</instructions>", "Literal is flagged."},
		{"<image name=[Image #1]></image>Align it.", "Align it."},
	} {
		item := Item{Kind: core.User, Spoken: true, Text: each.text}
		if got, ok := item.Request(); got != each.request || ok != (each.request != "") {
			t.Errorf("%q is the request %q, %v; it should be %q", each.text, got, ok, each.request)
		}
	}
}

// TestArgumentsAreReadInTheFormOfEachAgent checks commands and lists given as JSON, or as a line for each parameter.
func TestArgumentsAreReadInTheFormOfEachAgent(t *testing.T) {
	for _, each := range []struct{ tool, text, command string }{
		{"Bash", "commandnpm test\ndescriptionRun the tests\n", "npm test"},
		{"Bash", "descriptionRun\ncommandgit commit -m 'a\n\nb'\ntimeout5000\n", "git commit -m 'a\n\nb'"},
		{"shell", `{"command":["bash","-lc","go test ./..."],"workdir":"/w"}`, "go test ./..."},
		{"shell", `{"command":["git","status"]}`, "git status"},
		{"exec_command", `{"cmd":"rg round src"}`, "rg round src"},
		{"run_shell_command", `{"command":"make lint","description":"x"}`, "make lint"},
		{"Read", "file_path/w/a.go\n", ""},
	} {
		item := Item{Kind: core.ToolCalls, Tool: each.tool, Text: each.text}
		if got := item.Command(); got != each.command {
			t.Errorf("%s %q runs %q; it should be %q", each.tool, each.text, got, each.command)
		}
	}
	if got := FencedCommand("I look.\n\n```bash\nls -la\n```\n"); got != "ls -la" {
		t.Errorf("the block asks for %q", got)
	}
}

// TestHowACommandEnded checks that an exit code is read where an agent writes it, and not from the middle of a
// command's output.
func TestHowACommandEnded(t *testing.T) {
	two := 2
	long := string(make([]byte, 400))
	for _, each := range []struct {
		agent, text string
		failed      bool
		exit        *int
		code        int
		known       bool
		printed     string
	}{
		{"claude-code", "Exit code 1\nFAIL x", true, nil, 1, true, "FAIL x"},
		{"claude-code", "ok", false, nil, 0, true, "ok"},
		{"codex", `{"output":"boom","metadata":{"exit_code":2,"duration_seconds":0.1}}`, false, nil, 2, true, "boom"},
		{"codex", "Chunk ID: 5\nWall time: 0.1 seconds\nProcess exited with code 101\nOutput:\nerror[E0308]", false, nil, 101, true, "error[E0308]"},
		{"codex", "no word of it", false, nil, 0, false, "no word of it"},
		{"gemini-cli", "Command: x\nDirectory: (root)\nOutput: a\nError: (none)\nExit Code: 3\nSignal: (none)", false, nil, 3, true, "a"},
		{"mini-swe-agent", "<returncode>127</returncode>\n<output>\nnot found\n</output>", false, nil, 127, true, "not found"},
		{"copilot-cli", "bad\n<exited with exit code 4>", false, nil, 4, true, "bad"},
		{"opencode", "x", false, &two, 2, true, "x"},
		{"codex", long + "<returncode>1</returncode>" + long, false, nil, 0, false, ""},
	} {
		item := Item{Kind: core.ToolResults, Text: each.text, Failed: each.failed, Exit: each.exit}
		code, printed, known := item.Outcome(each.agent)
		if code != each.code || known != each.known || each.printed != "" && printed != each.printed {
			t.Errorf("%s %.60q: exit %d, told %v, printed %q", each.agent, each.text, code, known, printed)
		}
	}
}

// TestRewoundItemsAreDropped checks that a note leaves out what the user rewound; in the transcript written by hand
// that is "Now style it.".
func TestRewoundItemsAreDropped(t *testing.T) {
	s, err := sessions.At("../../testdata/sessions/claude-code/compacted.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	dropped := false
	for i := range c.Items {
		if c.Items[i].Text == "Now style it." {
			dropped = c.Items[i].Dropped
		}
	}
	if !dropped || len(c.Boundaries) != 1 || c.Boundaries[0].Summary == "" {
		t.Errorf("gone %v, boundaries %+v", dropped, c.Boundaries)
	}
	empty := filepath.Join(t.TempDir(), "empty.jsonl")
	os.WriteFile(empty, []byte("{\"type\":\"mode\",\"sessionId\":\"s\"}\n"), 0o600)
	if s, err = sessions.At(empty); err == nil {
		if _, err = Read(context.Background(), s, nil); err == nil {
			t.Error("a session without a conversation was told")
		}
	}
}
