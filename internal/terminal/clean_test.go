// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"errors"
	"fmt"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestNamesOfOthersReachATerminalQuoted(t *testing.T) {
	for name, want := range map[string]string{
		"main.go":                 "main.go",
		"Grüße 世界 🌍.md":           "Grüße 世界 🌍.md",
		"it's \"so\".md":          "it's \"so\".md",
		"\x1b]0;PWNED\x07x":       `"\x1b]0;PWNED\ax"`,
		"a\u202egpj.exe":          `"a\u202egpj.exe"`,
		"two\nctx-lsp: hint: rm":  `"two\nctx-lsp: hint: rm"`,
		"\xff\xfe":                `"\xff\xfe"`,
		"\u009b31m":               `"\u009b31m"`,
		"zero\u200bwidth\u00adno": `"zero\u200bwidth\u00adno"`,
		"":                        "",
	} {
		if got := Name(name); got != want {
			t.Errorf("%q is printed as %s, want %s", name, got, want)
		}
	}
	if got := fmt.Sprintf("%s: %v, %d", Args([]any{"a\x1b[2J", errors.New("open b\x07: no"), 5})...); got != `a\x1b[2J: open b\a: no, 5` {
		t.Errorf("an error says %s", got)
	}
}

func FuzzName(f *testing.F) {
	f.Add("a\x1b[31m\u202e\xff")
	f.Fuzz(func(t *testing.T, name string) {
		for _, shown := range []string{Name(name), Sentence(name)} {
			if !utf8.ValidString(shown) {
				t.Errorf("%q is printed as %q", name, shown)
			}
			for _, r := range shown {
				if r != ' ' && !unicode.IsPrint(r) || unicode.Is(unicode.Cf, r) {
					t.Errorf("%q is printed with %q", name, r)
				}
			}
		}
	})
}
