// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"encoding/json"
	"testing"
)

func must(t *testing.T, c *Core, method, params string) map[string]any {
	t.Helper()
	var out struct {
		Result map[string]any
		Error  map[string]any
	}
	answer := c.Call(method, []byte(params))
	if err := json.Unmarshal(answer, &out); err != nil {
		t.Fatalf("%s answered no JSON: %v\n%s", method, err, answer)
	}
	if out.Error != nil {
		t.Fatalf("%s(%s): %s", method, params, answer)
	}
	return out.Result
}

func TestFirstExample(t *testing.T) {
	c := New()
	must(t, c, "ctx/session/open", `{"id":"a","limits":{"window":200000}}`)
	must(t, c, "ctx/session/update", `{"id":"a","append":[{"kind":"user","tokens":10}]}`)
	must(t, c, "ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":5000,"out":100}}`)
	r := must(t, c, "ctx/session/update", `{"id":"a","append":[{"kind":"toolResults","tokens":20}]}`)
	if r["used"] != 5120.0 {
		t.Errorf("used %v", r["used"])
	}
	r = must(t, c, "ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":5115,"out":1}}`)
	b, _ := json.MarshalIndent(r, "", " ")
	t.Logf("%s", b)
}
