// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

// edge is how many bytes at the start and at the end of an output may contain the exit code. Elsewhere, such words
// belong to the command.
const edge = 300

// Outcome returns a command's exit code and output. known is false if neither the record nor the agent's rules show how
// the command ended.
func (i *Item) Outcome(of string) (code int, output string, known bool) {
	output = i.Text
	if i.Exit != nil {
		return *i.Exit, printed(output), true
	}
	var wrapped struct {
		Output   string `json:"output"`
		Metadata struct {
			ExitCode *int `json:"exit_code"`
		} `json:"metadata"`
	}
	if strings.HasPrefix(output, "{") && json.Unmarshal([]byte(output), &wrapped) == nil && wrapped.Metadata.ExitCode != nil {
		return *wrapped.Metadata.ExitCode, printed(wrapped.Output), true // older versions of Codex
	}
	head, tail := output[:min(edge, len(output))], output[max(0, len(output)-edge):]
	for _, end := range agents.ExitCodes(of) {
		for _, part := range []string{head, tail} {
			if m := end.FindStringSubmatch(part); m != nil {
				if n, err := strconv.Atoi(m[1]); err == nil {
					return n, printed(output), true
				}
			}
		}
	}
	if i.Failed {
		return 1, printed(output), true
	}
	a := agents.ByID(of)
	return 0, output, a != nil && a.MarksFailures
}

// frame matches the lines that agents write around a command's output.
var frame = regexp.MustCompile(`(?m)^(Exit code:? -?\d+|Chunk ID: .*|Wall time: .*|Original token count: .*|Process exited with code .*|` +
	`Output:|Total output lines: .*|Command: .*|Directory: .*|Stdout: \(empty\)|Stderr: \(empty\)|Error: \(none\)|Exit Code: .*|` +
	`Signal: .*|Background PIDs: .*|Process Group PGID: .*|<returncode>.*</returncode>|</?output>|<exited with exit code .*>)\n?`)

// printed returns an output without the lines that the agent wrote around it.
func printed(output string) string {
	return strings.TrimSpace(frame.ReplaceAllString(colors.ReplaceAllString(output, ""), ""))
}

var colors = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

// refused are the beginnings of results for calls that the user did not allow, so that nothing ran.
var refused = []string{
	"The user doesn't want to", "The user rejected", "User rejected", "Permission to use", "[Request interrupted",
	"The tool use was rejected", "The user denied", "<tool_use_error>", "This command requires approval", "Interrupted",
}

// Refused reports whether a call was not carried out.
func (i *Item) Refused() bool {
	for _, start := range refused {
		if strings.HasPrefix(i.Text, start) {
			return true
		}
	}
	return false
}
