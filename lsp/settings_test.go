// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"strings"
	"testing"
)

// TestInitializationOptionsApplyIfTheEditorSendsNone checks editors such as lsp-mode, which send settings in
// initializationOptions and an empty object for workspace/configuration.
func TestInitializationOptionsApplyIfTheEditorSendsNone(t *testing.T) {
	initial, problems := readSettings(defaultSettings(), []byte(`{"model":"gpt-5.5","notify":{"level":"soon"},"promptFiles":{"hover":false}}`))
	if len(problems) > 0 || initial.Notify.Level != "soon" {
		t.Fatalf("%+v, %v", initial, problems)
	}
	for _, sent := range []string{`{}`, `{"promptFiles":{"budget":{"always":5}}}`, `null`} {
		got, problems := readSettings(initial, []byte(sent))
		if len(problems) > 0 || got.Notify.Level != "soon" || got.Model != "gpt-5.5" || got.PromptFiles.Hover || !got.PromptFiles.CodeLens {
			t.Errorf("after %s: %+v, %v", sent, got, problems)
		}
	}
}

// TestAWrongSettingCostsItselfAlone checks that the other settings apply, and that the message explains the problem.
func TestAWrongSettingCostsItselfAlone(t *testing.T) {
	got, problems := readSettings(defaultSettings(), []byte(`{"promptFiles":{"hover":false,"budget":{"always":"many","loaded":7},"codeLens":false},"watch":"yes","notify":{"level":"now"}}`))
	if got.PromptFiles.Hover || got.PromptFiles.CodeLens || got.PromptFiles.Budget.Loaded != 7 || !got.Watch || got.Notify.Level != "now" {
		t.Errorf("%+v", got)
	}
	all := strings.Join(problems, " ")
	for _, want := range []string{"ctx.promptFiles.budget.always must be a whole number, not a string.", "ctx.watch must be true or false, not a string."} {
		if !strings.Contains(all, want) {
			t.Errorf("%q does not say %q", all, want)
		}
	}
}
