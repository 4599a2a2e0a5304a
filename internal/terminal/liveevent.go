// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// subject returns the agent and the name of a session, before a colon: a title that ends in a period loses it.
func (l *Live) subject(s Style) string {
	return s.Clean(l.AgentName() + ", " + strings.TrimRight(l.Name(), ".:"))
}

// Fullness returns a line about how full a session is, for screen readers and logs.
func (l *Live) Fullness(s Style) string {
	text := l.subject(s) + ": " + l.Display.Mark + l.Display.Percent
	if l.Display.Limit != "" && l.Display.Limit != "?" {
		text += " of " + l.Display.Limit
	}
	switch {
	case l.Left == nil && l.Hint != "":
		text += ", " + s.Clean(l.Hint)
	case l.Left == nil:
	case *l.Left <= 0:
		text += ", " + past(l.Hint)
	default:
		text += ", " + l.Display.Left + " until it compacts" + l.ahead()
	}
	return text
}

// Rose returns a line about a session that has come near its compaction threshold, or near the full window if nothing
// compacts.
func (l *Live) Rose(s Style, to api.Level) string {
	name := l.subject(s)
	switch {
	case l.Left == nil: // nothing compacts
		return l.Fullness(s)
	case to == "soon":
		return name + ": compacts soon, " + l.Display.Left + " left at " + l.Display.Mark + l.Display.Percent
	case to == "now":
		return name + ": compacts now, at " + l.Display.Mark + l.Display.Percent
	case to == "over":
		return name + ": " + past(l.Hint) + ", at " + l.Display.Mark + l.Display.Percent
	}
	return l.Fullness(s)
}

// Compacted returns a line about a session that was compacted. before is its size before the compaction.
func (l *Live) Compacted(s Style, before string) string {
	return l.subject(s) + ": was compacted, " + before + s.either(" → ", " -> ") + l.Display.Mark + l.Display.Percent
}

// Moved returns a line about a compaction threshold that has changed.
func (l *Live) Moved(s Style, m *api.ThresholdMove) string {
	return l.subject(s) + s.Clean(": threshold "+m.Text.Text)
}

// past returns the hint for a session past its threshold: not every agent compacts within a turn.
func past(hint string) string {
	switch hint {
	case phrase.CompactsAtPrompt.Text().String(), phrase.CompactsAfter.Text().String():
		return hint
	}
	return phrase.CompactsNow.Text().String()
}
