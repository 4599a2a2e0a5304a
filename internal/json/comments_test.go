// Copyright The ctx-lsp authors. MIT licence.

package json

import "testing"

func TestCommentsOfSettingsAreBlanks(t *testing.T) {
	for text, want := range map[string]string{
		"{}":                                    "{}",
		"{\"a\":1, // one\n\"b\":[2,/*two*/],}": "{\"a\":1,       \n\"b\":[2        ] }",
		`{"a":"// no \" comment, /* neither */,}"}`: `{"a":"// no \" comment, /* neither */,}"}`,
		"// only":      "       ",
		"/* open":      "       ",
		"/*/ open":     "        ",
		`{"a":"open`:   `{"a":"open`,
		`{"a":"open\`:  `{"a":"open\`,
		"[1,\n// x\n]": "[1 \n    \n]",
		"/":            "/",
	} {
		if got := string(WithoutComments([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
