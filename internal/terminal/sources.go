// Copyright The ctx-lsp authors. MIT licence.

package terminal

import "github.com/ctx-lsp/ctx-lsp/core/api"

// SourceState returns the state of a source of the compaction threshold in words.
func SourceState(state api.ThresholdState) string {
	switch state {
	case "inForce":
		return "in force"
	case "withoutEffect":
		return "unused"
	case "adjusts":
		return "added"
	}
	return string(state)
}

// SourceThreshold returns the threshold that a source alone gives, or what it adds to another one; "-" if it gives
// none.
func SourceThreshold(source *api.ThresholdSource) string {
	if source.Adds != 0 {
		return signed(source.Adds)
	}
	if source.Threshold == nil {
		return "-"
	}
	return Digits(*source.Threshold)
}

// SourceTitle returns the name of a source, the value of a setting, and how that value is read.
func SourceTitle(source *api.ThresholdSource) string {
	title := source.Name.Text
	if source.Setting != "" {
		title += " = " + source.Value
	}
	if source.Note.Text != "" {
		title += " (" + source.Note.Text + ")"
	}
	return title
}

// onlyRule reports whether the agent's rule decides without overruling anything.
func onlyRule(sources []api.ThresholdSource) bool {
	for i := range sources {
		if of := &sources[i]; of.Source != "limit" && of.Source != "rule" || (of.Source == "rule") != (of.State == "inForce") {
			return false
		}
	}
	return true
}
