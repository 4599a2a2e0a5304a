// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"strings"
	"testing"
)

// minimalProfile is guaranteed from release 0.1 on: hosts rely on these methods, parameters and fields, and on their
// types. Nothing may be removed or changed.
const minimalProfile = `
ctx/session/open answers Reading
  id? string
  agent? string
  model? string
  limits? Limits or null
  rule? RuleChoice
ctx/session/update answers Reading
  id string
  system? Content
  tools? Content
  append? Appendix[]
ctx/session/usage answers Reading
  id string
  usage any
ctx/lines answers LinesAnswer
  reading? any
  lines object of Templates
Reading
  percent number or null
  compaction.level ok, soon, now, over
  compaction.hint Text
  display.number string
  display.free string
  display.threshold string
Limits
  window number or null
  input number or null
  output number or null
  withheld boolean
`

// TestTheMinimalProfileIsGuaranteed checks that the schema's minimal profile has not changed.
func TestTheMinimalProfileIsGuaranteed(t *testing.T) {
	s, err := load("../../../core/api")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	got.WriteString("\n")
	write := func(title string, d *declared) {
		got.WriteString(title + "\n")
		for _, f := range s.profileOf(d) {
			got.WriteString("  " + f.name + " " + strings.ReplaceAll(f.kind, "`", "") + "\n")
		}
	}
	for _, m := range s.methods {
		if m.profile {
			write(m.name+" answers "+strings.Join(m.answers, " or "), s.byName[m.takes])
		}
	}
	write("Reading", s.byName["Reading"])
	got.WriteString("Limits\n")
	for _, f := range s.byName["Limits"].fields {
		got.WriteString("  " + f.name + " " + s.inWords(&f) + "\n")
	}
	if got.String() != minimalProfile {
		t.Errorf("the minimal profile is%s\nbut guaranteed is%s", got.String(), minimalProfile)
	}
}
