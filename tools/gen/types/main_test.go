// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"strings"
	"testing"
)

// TestGeneratedFilesAreUpToDate fails if the schema was changed and `make generated` was not run.
func TestGeneratedFilesAreUpToDate(t *testing.T) {
	if err := run("../../..", true); err != nil {
		t.Error(err)
	}
}

// TestDeclarationsMatchTheSchema checks one field for each kind of type.
func TestDeclarationsMatchTheSchema(t *testing.T) {
	s, err := load("../../../core/api")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		make func(*schema, []byte) ([]byte, error)
		want []string
	}{
		{"TypeScript", typescript, []string{
			"export type Level = 'ok' | 'soon' | 'now' | 'over'\n",
			"  schema: 'ctx.reading/3'\n",
			"  limit: number | null\n",
			"  deferred?: boolean\n",
			"  breakdown: Row[]\n",
			"  settings?: Record<string, string>\n",
			"  lastRequest: LastRequest | null\n",
			"  'ctx/session/open': { params: OpenParams; result: Reading }\n",
			"  'ctx/watch': { params: WatchParams; result: WatchAnswer }\n",
			"  'ctx/closed': { params: ClosedParams }\n",
		}},
		{"Lua", lua, []string{
			"---@alias ctx.Level\n---| \"ok\"\n",
			"---@field schema \"ctx.reading/3\"",
			"---@field limit? integer",
			"---@field deferred? boolean",
			"---@field breakdown ctx.Row[]",
			"---@field settings? table<string, string>",
			"---@field percent? number",
		}},
		{"readers", readers, []string{
			"var limitsFields = []string{\"window\", \"input\", \"output\", \"withheld\"}\n",
			"\t\tcase \"window\":\n\t\t\terr = readLimit(&f, &to.Window)\n",
		}},
		{"writers", writers, []string{
			"\tnumberIf(w, `,\"left\":`, s.Threshold, s.Left)\n",
			"\tif s.Deferred {\n\t\tw.Field(`,\"deferred\":`)\n\t\tw.Bool(true)\n\t}\n",
		}},
	} {
		text, err := c.make(s, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		for _, want := range c.want {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q", c.what, want)
			}
		}
	}
}

// TestADocumentNamesOnlyExistingTables checks that a table cannot silently disappear.
func TestADocumentNamesOnlyExistingTables(t *testing.T) {
	s, err := load("../../../core/api")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range []string{"no table", "<!-- generated: Reeding -->\n<!-- end -->"} {
		if _, err := tables(s, []byte(document)); err == nil {
			t.Errorf("%q is taken", document)
		}
	}
	text, err := tables(s, []byte("before\n<!-- generated: Landing, Range -->\nold\n<!-- end -->\nafter"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "before\n<!-- generated: Landing, Range -->\n\n| field | type | |\n|---|---|---|\n| `low` | number |  |\n| `high` | number |  |\n\n" +
		"`Range` is a forecast with its 80% interval.\n\n| field | type | |\n|---|---|---|\n| `low` | number |  |\n| `likely` | number |  |\n| `high` | number |  |\n\n<!-- end -->\nafter"
	if string(text) != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}
