// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
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
var afterLast = regexp.MustCompile(`\n\d+\|$`)

// unwrapped returns the text of a result without the object around it, and whether the file goes on after it.
func unwrapped(shown string) (text string, cut bool) {
	var w wrapped
	if !strings.HasPrefix(shown, "{") || json.Unmarshal([]byte(shown), &w) != nil {
		return shown, false
	}
	switch {
	case w.Content != nil && w.Lines != nil:
		return afterLast.ReplaceAllLiteralString(*w.Content, ""), w.Truncated
	case w.Output != nil && w.Exit != nil:
		return *w.Output, false
	}
	return shown, false
}

// A terminal shows a tab as spaces, as many as fill a column, so the lines of an agent whose shell is one are compared
// by their words.
func expandsTabs(id string) bool {
	e, known := agent.Find(id)
	return known && e.ExpandsTabs
}

// spacedNumber is the number before a line of nl and cat -n, whose tab a terminal has shown as spaces.
var spacedNumber = regexp.MustCompile(`(?m)^( {0,5}\d{1,6}) {2,}`)

// comparable returns a text with its lines as they are compared.
func (s *Session) comparable(text string) string {
	if !s.words || text == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Join(lines, "\n")
}

// comparableStep returns a step with its lines as they are compared.
func (s *Session) comparableStep(st step) step {
	if !s.words {
		return st
	}
	lines := make([]string, len(st.block.lines))
	for i, line := range st.block.lines {
		lines[i] = s.comparable(line)
	}
	if st.block.lines != nil {
		st.block.lines, st.block.trimmed = lines, false
	}
	st.text = s.comparable(st.text)
	if st.edit != nil {
		edit := *st.edit
		edit.old, edit.new = s.comparable(edit.old), s.comparable(edit.new)
		st.edit = &edit
	}
	return st
}

// fenced returns the output in the message of gptme about a command; false for other texts.
func fenced(text string) (string, bool) {
	if !strings.HasPrefix(text, "Ran ") {
		return "", false
	}
	_, output, ok := strings.Cut(text, "`\n\n```stdout\n")
	if !ok {
		return "", false
	}
	if before, _, errors := strings.Cut(output, "\n```\n\n```stderr\n"); errors {
		return before, true
	}
	if end := strings.LastIndex(output, "\n```\n"); end >= 0 {
		output = output[:end]
	}
	return output, true
}

// The lines of a patch in the form of git's conflicts, as gptme's model writes it.
const (
	conflictOld = "<<<<<<< ORIGINAL\n"
	conflictMid = "\n=======\n"
	conflictEnd = "\n>>>>>>> UPDATED"
)

// conflicts reads the replacements in such a patch; none for other texts.
func conflicts(patch string) (all []change) {
	for {
		_, rest, ok := strings.Cut(patch, conflictOld)
		if !ok {
			return all
		}
		block, after, ended := strings.Cut(rest, conflictEnd)
		before, updated, split := strings.Cut("\n"+block+"\n", conflictMid)
		if !ended || !split {
			return all
		}
		all = append(all, change{old: strings.TrimPrefix(before, "\n"), new: strings.TrimSuffix(updated, "\n"), lines: true})
		patch = after
	}
}
