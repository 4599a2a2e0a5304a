// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

func TestTypesAreUpToDate(t *testing.T) {
	if err := run("../../..", true); err != nil {
		t.Error(err)
	}
}

func TestDeclarationsSayWhatTheGoTypesSay(t *testing.T) {
	text, err := declarations("../../../core/api")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"export type Basis = 'measured' | 'counted' | 'derived' | 'estimated' | 'unknown' | 'measured+counted' | 'measured+estimated'\n",
		"export type Level = 'ok' | 'soon' | 'now' | 'over'\n",
		"  schema: 'ctx.reading/1'\n",
		"  limit: number | null\n",
		"  deferred?: boolean\n",
		"  breakdown: Row[]\n",
		"  settings?: Record<string, string>\n",
		"  lastRequest: LastRequest | null\n",
		"  'ctx/session/open': { params: OpenParams; result: Reading }\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the declarations lack %q", want)
		}
	}
}

func TestEveryMethodHasItsShapes(t *testing.T) {
	for _, method := range api.Methods {
		if _, ok := shapes[method]; !ok {
			t.Errorf("%s has none", method)
		}
	}
	if len(shapes) != len(api.Methods) {
		t.Errorf("there are shapes for %d methods, and %d methods", len(shapes), len(api.Methods))
	}
}
