// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// TestNamesInCommandsAreQuoted checks that a server's name cannot add a command to the one that switches it off.
func TestNamesInCommandsAreQuoted(t *testing.T) {
	for name, want := range map[string]string{
		"github": "off github", "my.server:2/a_b-c": "off my.server:2/a_b-c", "two words": `off "two words"`, "x; touch y": `off "x; touch y"`,
		"x & calc": `off "x & calc"`, "it's": `off "it's"`, "日本": `off "日本"`, "a>b|c": `off "a>b|c"`, "@args": `off "@args"`, "~": `off "~"`,
		"": "", "-rf": "", "$(touch x)": "", "`x`": "", `a"b`: "", "%PATH%": "", "a!b": "", `a\`: "", "a\nb": "", "a\u009bb": "", "a\u201db": "", "a\xffb": "",
	} {
		if got := ServerOff("off NAME", name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	own := Commands{ServerOff: "off NAME", OtherServers: "account_ plugin_", ServerMenu: "/menu"}
	for name, want := range map[string]string{"github": "off github", "account_mail": "/menu", "plugin_a_b": "/menu", "my_plugin_a": "off my_plugin_a"} {
		if got := own.serverOff(name); got != want {
			t.Errorf("%q of an account or a plugin: %q, want %q", name, got, want)
		}
	}
	if got := ServerOff("", "github"); got != "" {
		t.Errorf("without a template: %q", got)
	}
}
