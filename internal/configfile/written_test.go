// Copyright The ctx-lsp authors. MIT licence.

package configfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestWrittenSettingsAreFoundAtTheirPosition checks names, values and positions in both notations.
func TestWrittenSettingsAreFoundAtTheirPosition(t *testing.T) {
	for name, c := range map[string]struct {
		form     Form
		text     string
		patterns string
		want     string // name=value@text of the key@text of the value
	}{
		"a member":               {InJSON, `{"a": {"b": 12}}`, "a.b", `a.b=12@"b"@12`},
		"comments, a last comma": {InJSON, "{ // é \"a\": 1\n \"é\": 1, /* \"a\":2 */ \"a\": \"4 €\",\n}", "a", `a=4 €@"a"@"4 €"`},
		"any key":                {InJSON, `{"m": {"x.y": {"n": 1}, "z": {"n": true}, "q": 3}}`, "m.*.n", `m.x.y.n=1@"n"@1 m.z.n=true@"n"@true`},
		"objects":                {InJSON, `{"s": {"one": {"k": 1}, "two": []}}`, "s.*", `s.one=@"one"@{"k": 1} s.two=@"two"@[]`},
		"elements with ids":      {InJSON, `{"l": [{"id": "x", "n": 1}, {"n": 2}]}`, "l.*.n", `l.x.n=1@"n"@1 l.1.n=2@"n"@2`},
		"escapes":                {InJSON, `{"\u0061": "\t"}`, "a", `a=` + "\t" + `@"\u0061"@"\t"`},
		"not JSON":               {InJSON, `{"a": `, "a", "unreadable"},
		"a number":               {InTOML, "x = 1\n a = 200_000 # mine\r\n", "a", "a=200000@a@200_000"},
		"a table":                {InTOML, "[t] # c\nb=0.5\n[ t . \"u.v\" ]\nb = 'c#d'\n[[w]]\nb=1", "t.b t.u.v.b w.b", "t.b=0.5@b@0.5 w.b=1@b@1"},
		"dots in keys":           {InTOML, "t.b = true\n\"t\".'b' = \"x\\\"y\"", "t.b", `t.b=true@b@true t.b=x"y@'b'@"x\"y"`},
		"tables as such":         {InTOML, "[s.one]\ncommand='x'\n[s.\"two\"]\n", "s.*", `s.one=@[s.one]@[s.one] s.two=@[s."two"]@[s."two"]`},
		"several lines":          {InTOML, "l = [\n  \"a = 1]\", # ]\n  { a = 2 },\n]\nt = \"\"\"\na = 3\n\"\"\"\na = 4", "a", "a=4@a@4"},
		"an open string":         {InTOML, "b = \"x\na = 1\n", "a", "a=1@a@1"},
		"an open list":           {InTOML, "b = [1,\na = 1\n", "a", ""},
		"no key":                 {InTOML, "= 1\n\x00\na = 1", "a", "a=1@a@1"},
		"nothing":                {InTOML, "", "a", ""},
		"a key without value":    {InTOML, "a =\nb = 1", "a b", "a=@a@ b=1@b@1"},
	} {
		found, ok := Find(c.form, []byte(c.text), strings.Fields(c.patterns)...)
		var got []string
		for _, w := range found {
			got = append(got, fmt.Sprintf("%s=%s@%s@%s", w.Name(), w.Value, c.text[w.Key.From:w.Key.To], c.text[w.At.From:w.At.To]))
		}
		if !ok {
			got = []string{"unreadable"}
		}
		if want := c.want; strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, " "), want)
		}
	}
}

// FuzzFind reads any text in both notations, and checks that it returns and that all positions are inside the text.
func FuzzFind(f *testing.F) {
	for _, text := range []string{`{"a":{"b":[{"id":"x"}]}}`, "[a]\nb = \"x\"\n", "a.b=[{'", "a='''", "\"\"\"=1", "{//", "[[[", "a=\\"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range []Form{InJSON, InTOML} {
			found, _ := Find(form, []byte(text), "a", "a.b", "*", "*.*", "*.*.*")
			for _, w := range found {
				for _, at := range []Span{w.Key, w.At} {
					if at.From < 0 || at.To < at.From || at.To > len(text) {
						t.Fatalf("%q has %q at %v", text, w.Keys, at)
					}
				}
				if slices.Contains(w.Keys, "") && form == InTOML && !strings.ContainsAny(text, `"'`) {
					t.Fatalf("%q has an empty key: %q", text, w.Keys)
				}
			}
		}
	})
}
