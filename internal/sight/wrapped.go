// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"encoding/json"
	"strings"
)

// Hermes sends the results of its tools as JSON objects: the lines of a file with a number and a bar before each, or
// the output of a command.
type wrapped struct {
	Content   *string `json:"content"`
	Lines     *int    `json:"total_lines"`
	Truncated bool    `json:"truncated"`
	Output    *string `json:"output"`
	Exit      *int    `json:"exit_code"`
}

// afterLast is the number that is written after the last line end.
var afterLast = onFirstUse(`\n\d+\|$`)

// unwrapped returns the text of a result without the object around it, and whether the file goes on after it.
func unwrapped(shown string) (text string, cut bool) {
	var w wrapped
	if !strings.HasPrefix(shown, "{") || json.Unmarshal([]byte(shown), &w) != nil {
		return shown, false
	}
	switch {
	case w.Content != nil && w.Lines != nil:
		return afterLast().ReplaceAllLiteralString(*w.Content, ""), w.Truncated
	case w.Output != nil && w.Exit != nil:
		return *w.Output, false
	}
	return shown, false
}
