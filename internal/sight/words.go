// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// A terminal shows a tab as spaces, as many as fill a column, so the lines of an agent whose shell is one are compared
// by their words.
func expandsTabs(id string) bool {
	e, known := agent.Find(id)
	return known && e.ExpandsTabs
}

// spacedNumber is the number before a line of nl and cat -n, whose tab a terminal has shown as spaces.
var spacedNumber = onFirstUse(`(?m)^( {0,5}\d{1,6}) {2,}`)

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
