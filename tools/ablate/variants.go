// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A variant switches one correction of the core off, by a substitution at the top of a function.
type variant struct {
	name          string
	file          string // below the root of the repository
	before, after string // before occurs once in the file
}

var variants = []variant{
	{"mode check", "core/modecheck.go",
		"func (s *Session) checkMode(o *outcome) {\n", "func (s *Session) checkMode(o *outcome) {\n\tif true {\n\t\treturn\n\t}\n"},
	{"steering", "core/learn.go",
		"if !s.changes.steered ||", "if true || !s.changes.steered ||"},
	{"returned reasoning", "core/turn.go",
		"if s.calibration.mode != ReasoningTurn || !s.turn.phase.ended() {\n\t\treturn\n\t}\n\tif left :=",
		"if true || s.calibration.mode != ReasoningTurn || !s.turn.phase.ended() {\n\t\treturn\n\t}\n\tif left :="},
	{"second request", "core/residual.go",
		"if s.residual.second > 0 && s.isSecond() {\n\t\treturn s.residual.second",
		"if false && s.residual.second > 0 && s.isSecond() {\n\t\treturn s.residual.second"},
	{"inflation", "core/inflation.go",
		"if !m.ServerTools && !m.Volatile {\n\t\treturn", "if true || !m.ServerTools && !m.Volatile {\n\t\treturn"},
	{"ratio", "core/calibration.go",
		"if !plausible(estimated, actual) {\n\t\treturn\n\t}\n\testimated, actual =",
		"if true || !plausible(estimated, actual) {\n\t\treturn\n\t}\n\testimated, actual ="},
	{"spreads", "core/spread.go",
		"func (w *spread) adjust(kind int, prior int64, covered bool) {\n", "func (w *spread) adjust(kind int, prior int64, covered bool) {\n\tif true {\n\t\treturn\n\t}\n"},
	{"late answers", "core/whole.go",
		"func (s *Session) lateAnswer(m *Metered, end int) (through int, late bool) {\n",
		"func (s *Session) lateAnswer(m *Metered, end int) (through int, late bool) {\n\tif true {\n\t\treturn end, false\n\t}\n"},
}

// changed returns the file of a variant as it is compiled.
func (v *variant) changed(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, v.file))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), v.before); n != 1 {
		return "", fmt.Errorf("%s: the text to replace occurs %d times in %s, and must occur once: %q", v.name, n, v.file, v.before)
	}
	return strings.Replace(string(text), v.before, v.after, 1), nil
}
