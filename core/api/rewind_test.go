// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestARewindForgetsNoneOfTheEditsBeforeIt checks that removed items stay removed, and that measured ones return once.
func TestARewindForgetsNoneOfTheEditsBeforeIt(t *testing.T) {
	const opened = `ctx/session/open {"id":"s","limits":{"window":1000000},"reasoning":"turn"}
ctx/session/update {"id":"s","system":1000}
ctx/session/usage {"id":"s","provider":"ctx","usage":{"in":50000,"out":200}}
ctx/session/update {"id":"s","append":[{"kind":"assistant","tokens":200}]}
`
	const answered = `ctx/session/update {"id":"s","append":[{"kind":"user","tokens":300}]}
ctx/session/usage {"id":"s","provider":"ctx","usage":{"in":50500,"out":90}}
ctx/session/update {"id":"s","append":[{"kind":"toolCalls","tokens":90},{"kind":"toolResults","tokens":4000}]}
ctx/session/usage {"id":"s","provider":"ctx","usage":{"in":54590,"out":80}}
ctx/session/update {"id":"s","append":[{"kind":"assistant","tokens":80}]}
`
	for _, c := range []struct {
		name, calls string
		used        int64
	}{
		{"the oldest answer was removed, and the conversation went back to right behind it", opened + answered + `ctx/session/update {"id":"s","removeFirst":1}
ctx/session/update {"id":"s","removeFrom":1,"append":[{"kind":"user","tokens":10}]}`, 50010},
		{"a turn begins in the call that takes back", opened + answered + `ctx/session/update {"id":"s","turn":"end"}
ctx/session/update {"id":"s","removeFirst":1}
ctx/session/update {"id":"s","turn":"start","removeFrom":1,"append":[{"kind":"user","tokens":10}]}
ctx/session/update {"id":"s","append":[{"kind":"reasoning","tokens":700},{"kind":"assistant","tokens":5}]}`, 50715},
		{"a result was cut and the oldest item removed", opened + answered + `ctx/session/update {"id":"s","append":[{"kind":"user","tokens":7}]}
ctx/session/usage {"id":"s","provider":"ctx","usage":{"in":58677,"out":3}}
ctx/session/update {"id":"s","replace":[{"index":3,"item":{"kind":"toolResults","tokens":10}}]}
ctx/session/update {"id":"s","removeFirst":1}
ctx/session/update {"id":"s","removeFrom":5,"append":[{"kind":"user","tokens":10}]}`, 50490},
	} {
		core, last := New(), []byte(nil)
		for _, call := range strings.Split(c.calls, "\n") {
			method, params, _ := strings.Cut(call, " ")
			last = core.Call(method, []byte(params))
		}
		var answer struct {
			Result struct {
				Used      int64
				Breakdown []struct{ Tokens int64 }
			}
		}
		if err := json.Unmarshal(last, &answer); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		sum := int64(0)
		for _, row := range answer.Result.Breakdown {
			sum += row.Tokens
		}
		if answer.Result.Used != c.used || sum != c.used {
			t.Errorf("%s: used is %d and the rows are %d, and both should be %d: %s", c.name, answer.Result.Used, sum, c.used, last)
		}
	}
}
