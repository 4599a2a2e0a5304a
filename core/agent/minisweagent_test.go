// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"
	"testing"
)

// TestACommandInABlockOfAnAnswerIsNamed checks that the command in the last block of the model's text names the output.
func TestACommandInABlockOfAnAnswerIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"THOUGHT: I look.\n\n```bash\nls -la\n```":                                  "command ls",
		"```bash\nnever run\n```\nNo, rather:\n```bash\ncat src/api.go\n```\nDone.": "file cat src/api.go",
		"```mswea_bash_command\nexport TOKEN=s3cret; npm test\n```":                 "command npm test",
		"```bash\nnot closed":      "",
		"```python\nprint(1)\n```": "",
		"Nothing to run.":          "",
	} {
		at := blockCommand(text)
		if got := strings.TrimSpace(strings.Join([]string{at.What.String(), at.Holder, at.Name}, " ")); strings.Join(strings.Fields(got), " ") != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
