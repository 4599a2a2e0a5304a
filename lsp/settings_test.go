// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"reflect"
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

// TestEachWrongSettingIsReported checks that a value of the wrong type is ignored, with a message about the setting.
func TestEachWrongSettingIsReported(t *testing.T) {
	for _, name := range []string{"model", "agent", "watch", "notify", "promptFiles", "globalStorage"} {
		got, problems := readSettings(defaultSettings(), []byte(`{"`+name+`":7}`))
		if !reflect.DeepEqual(got, defaultSettings()) || len(problems) != 1 || !strings.Contains(problems[0], "ctx."+name+" must be ") {
			t.Errorf("%s: %+v, %q", name, got, problems)
		}
	}
}

// TestSettingsOfTheUserApplyUnlessTheEditorSendsOthers checks the order of settings: the editor's, then the user's.
func TestSettingsOfTheUserApplyUnlessTheEditorSendsOthers(t *testing.T) {
	for sent, want := range map[string]Settings{
		`null`:                        {Model: "gpt-5.5", Agent: "codex"},
		`{"agent":"cursor"}`:          {Model: "gpt-5.5", Agent: "cursor"},
		`{"ctx":{"model":"gpt-4.1"}}`: {Model: "gpt-4.1", Agent: "codex"},
		`{"watch":true,"ctx":1}`:      {Model: "gpt-5.5", Agent: "codex", Watch: true},
	} {
		s := newTestServer(t, Options{Defaults: json.RawMessage(`{"model":"gpt-5.5","agent":"codex","watch":false,"notify":{"level":"over"}}`)})
		c := connect(t, s)
		c.call("initialize", `{"capabilities":{},"initializationOptions":`+sent+`}`)
		s.eachConnection(func(of *connection) {
			got := of.currentSettings()
			if got.Model != want.Model || got.Agent != want.Agent || got.Watch != want.Watch || got.Notify.Level != "over" {
				t.Errorf("%s: %+v", sent, got)
			}
		})
	}
}

// TestWrongSettingsAreReported checks settings that are not an object, and a level that does not exist.
func TestWrongSettingsAreReported(t *testing.T) {
	before := defaultSettings()
	before.Notify.Level = "soon"
	for sent, want := range map[string]string{
		`[1]`:                          "soon The settings are ignored, because they are not an object.",
		`7`:                            "soon The settings are ignored, because they are not an object.",
		`{"notify":{"level":"often"}}`: `none The setting ctx.notify.level is ignored: "often" is not one of none, soon, now, over.`,
		`{"notify":{"level":"none"}}`:  "none ",
		`{"notify":{"level":"over"}}`:  "over ",
		`{"other":{"level":1}}`:        "soon ",
	} {
		got, problems := readSettings(before, []byte(sent))
		if text := got.Notify.Level + " " + strings.Join(problems, " "); text != want {
			t.Errorf("%s: %s", sent, text)
		}
	}
}

// TestANotificationWithoutSettingsChangesNone checks workspace/didChangeConfiguration of clients that send the settings
// with it, and of those that send none.
func TestANotificationWithoutSettingsChangesNone(t *testing.T) {
	s := newTestServer(t, Options{})
	c := connect(t, s)
	c.call("initialize", `{"capabilities":{},"initializationOptions":{"model":"gpt-5","agent":"codex"}}`)
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	for _, test := range []struct{ params, model string }{
		{`{}`, "gpt-5"}, {`{"settings":{"ctx":{"model":"gpt-4.1"}}}`, "gpt-4.1"}, {`{"settings":null}`, "gpt-4.1"}, {`{}`, "gpt-4.1"}, {`{"settings":{}}`, "gpt-5"},
	} {
		c.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":` + test.params + `}`)
		c.call("textDocument/codeLens", `{"textDocument":{"uri":"file:///w/x.md"}}`) // the notification was handled
		s.eachConnection(func(of *connection) {
			if got := of.currentSettings(); got.Model != test.model || got.Agent != "codex" {
				t.Errorf("after %s: %+v", test.params, got)
			}
		})
	}
}
