// Copyright The ctx-lsp authors. MIT licence.

package template

import (
	"strings"
	"testing"
)

// The vectors of testdata/conformance/lines.json test the language with Readings; this tests it alone.
func TestTemplatesAreFilled(t *testing.T) {
	values := map[string]string{"a": "1", "b": "2", "empty": "", "?yes": ""}
	known := func(name string) bool { return name == "none" || name == "?no" || has(values, name) }
	for template, want := range map[string]string{
		"":                                "",
		"{a}":                             "1",
		"{a}{b}":                          "12",
		"x{empty}y":                       "xy",
		"[{none}]":                        "",
		"[{none}|{a}]":                    "1",
		"[{none}|{none}|z]":               "z",
		"[{a}{none}|{b}]":                 "2",
		"[ | {a}]":                        "| 1",
		"[{a}||{b}]":                      "1|2",
		"[ || {a}]":                       "| 1",
		"{?yes}a":                         "a",
		"[{?no}a|{?yes}b]":                "b",
		"{{a}} [[b]] }{a}]":               "{a} [b] }1]",
		"[{none}] · {a} · [{none}] · {b}": "1 · 2",
		"{a} · ":                          "1",
		"  {a}  ":                         "1",
		"[x[{a}]":                         "x[1",
		"{sep= | }{a} · [{none}] · {b}":   "1 | 2",
		"{a} · {b}[{sep=, }]":             "1, 2",
		"{#red}{a}{#} · {#}[{none}]":      "<#red>1<#><#>",
		"{#ff8700}[{none}]{#} · {a}":      "<#ff8700><#>1",
		"[{#red}x|y]":                     "<#red>x|y",
	} {
		parsed, fault := Parse(template, known)
		if fault != nil {
			t.Errorf("%q: %s", template, fault.Message)
			continue
		}
		got, complete := parsed.Fill(func(name string) (string, bool) {
			if name[0] == '#' {
				return "\x1b[" + name + "m", true
			}
			return values[name], has(values, name)
		})
		got = strings.NewReplacer("\x1b[", "<", "m", ">").Replace(got)
		if got != want || !complete {
			t.Errorf("%q is %q, complete %v; want %q", template, got, complete, want)
		}
	}
}

func TestWhatLacksAFieldOutsideOfBracketsIsNotComplete(t *testing.T) {
	parsed, _ := Parse("{none} and [{none}]{a}", func(string) bool { return true })
	got, complete := parsed.Fill(func(name string) (string, bool) {
		if name == "a" {
			return "1", true
		}
		return "?", false
	})
	if got != "? and 1" || complete {
		t.Errorf("it is %q, complete %v", got, complete)
	}
}

func TestFaultsSayWhatToDo(t *testing.T) {
	for template, want := range map[string]string{"{a": "{{", "[a": "[[", "x{nope}": "{nope}", "[{}]": "{}", "{?nope}": "{?nope}", "{#pink}": "{#pink}", "{sep}": "{sep}", "{sep=" + strings.Repeat("-", 33) + "}": "32 bytes"} {
		if _, fault := Parse(template, func(name string) bool { return name == "a" }); fault == nil || !strings.Contains(fault.Message, want) {
			t.Errorf("%q: %+v", template, fault)
		}
	}
}

// FuzzParse checks that any text gives a template or a fault, and that a template keeps its plain texts.
func FuzzParse(f *testing.F) {
	for _, template := range []string{"{a}[ · {b}|{c}]", "{{}}[[]]", "[|{a}||]", "{", "[", "·", "{?a}", "{sep=|}a · {#red}b{#}"} {
		f.Add(template)
	}
	f.Fuzz(func(t *testing.T, template string) {
		parsed, fault := Parse(template, func(string) bool { return true })
		if fault != nil {
			if !strings.ContainsAny(template, "{[") {
				t.Errorf("%q: %s", template, fault.Message)
			}
			return
		}
		got, complete := parsed.Fill(func(string) (string, bool) { return "", true })
		most := len(template) + longestSeparator*strings.Count(template, "·") // the template's own separators
		if len(got) > most || !complete {
			t.Errorf("%q is %q", template, got)
		}
	})
}

func has(values map[string]string, name string) bool { _, ok := values[name]; return ok }
