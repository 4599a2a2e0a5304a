// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"encoding/json"
	"testing"
)

// TestARestoredSessionShowsNothingMeasured checks provider mode after a restart: the conversation may have continued
// since the last measurement.
func TestARestoredSessionShowsNothingMeasured(t *testing.T) {
	c := withVocabularies(t)
	call := func(method, params string) (r Reading) {
		t.Helper()
		var answer struct{ Result, Error json.RawMessage }
		if err := json.Unmarshal(c.Call(method, []byte(params)), &answer); err != nil || answer.Error != nil {
			t.Fatalf("%s: %v %s", method, err, answer.Error)
		}
		if err := json.Unmarshal(answer.Result, &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	call("ctx/session/open", `{"id":"a","agent":"claude-code","limits":{"window":200000}}`)
	call("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":50000,"out":60}}`)
	var saved struct {
		Result struct{ Ledger json.RawMessage }
	}
	if err := json.Unmarshal(c.Call("ctx/session/save", []byte(`{"id":"a"}`)), &saved); err != nil {
		t.Fatal(err)
	}
	if call("ctx/session/restore", `{"id":"b","ledger":`+string(saved.Result.Ledger)+`}`).Used == 0 {
		t.Error("hybrid mode has forgotten what was measured")
	}
	r := call("ctx/session/reading", `{"id":"b","mode":"provider"}`)
	if r.Used != 0 || r.LastRequest != nil || r.AgentOwn != nil || r.Display.Percent != "0.0%" || r.Unmeasured.Text != "not measured since it was restored" {
		t.Errorf("after a restore: used %d, last request %+v, agent %+v, %q because %q", r.Used, r.LastRequest, r.AgentOwn, r.Display.Percent, r.Unmeasured)
	}
	call("ctx/session/usage", `{"id":"b","provider":"ctx","usage":{"in":60000,"out":60}}`)
	if r = call("ctx/session/reading", `{"id":"b","mode":"provider"}`); r.Used != 60000 || r.LastRequest == nil || r.Unmeasured.Text != "" {
		t.Errorf("after the next request: used %d because %q", r.Used, r.Unmeasured)
	}
}
