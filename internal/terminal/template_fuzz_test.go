// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"strings"
	"testing"
)

// FuzzLine fills any template with a Reading that has hostile names.
func FuzzLine(f *testing.F) {
	for _, template := range []string{DefaultTemplate, "{percent}", "[{calls}]", "{", "}", "[", "]", "[[{left}]", "{nothing}", "[a]{b", "{model}{agent}", "· {age}"} {
		f.Add(template, "gpt-5.5")
	}
	f.Add("{model}", "\x1b]0;x\x07\u202e")
	f.Fuzz(func(t *testing.T, template, name string) {
		r := sample(t)
		r.Model, r.Agent = name, name
		for _, s := range []Style{{}, {Unicode: true}, {Color: true, Unicode: true}} {
			line, err := Line(template, r, "5m", s)
			if err != nil {
				if !strings.ContainsAny(template, "{[") {
					t.Errorf("%q: %v", template, err)
				}
				continue
			}
			if strings.ContainsAny(template, "\x1b\x07\u202e\n\r") {
				continue // the user's own
			}
			if !s.Color && strings.ContainsAny(line, "\x1b\x07\u202e\n\r") {
				t.Errorf("%q of %q is %q", template, name, line)
			}
		}
	})
}
