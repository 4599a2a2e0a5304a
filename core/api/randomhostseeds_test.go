// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/randomhost"
)

// seedsOnceWrong are conversations of random hosts that had a wrong number before.
var seedsOnceWrong = []uint64{
	64000117, 64000293, 64000536, 64000980, 64001415, 64001808, 64002296, 64002534,
	64003035, 64003188, 64003430, 64003547, 64003569, 64003583, 64003766, 64004246,
	64004423, 64004922, 64005564, 64006072, 64006484, 64006715, 64007081, 64007942,
	64008394, 64008480, 64008510, 64008545, 64008912, 64008938, 64009103, 64009614,
	64009805, 64009834,
	65000321, 65000924, 65001616, 65002346, 65005876, 65007982, 65008396, 65008401,
	65006777, 65008027, 66000900, 66002539,
	64000401, 64001436, 64005762, 64008378, 64008433,
}

// laterSeeds are such conversations of hosts that change models, show their reasoning or mix both ways.
var laterSeeds = []uint64{
	69100014, 69100024, 69100058, 69100157, 69100168, 69100319, 69100782, 69100833, 69200393, 69201558, 69201737,
	69000212, 69002717, 69003596, 69004056, 10197223912265,
	69000016, 69000161, 69000218, 69000801, 69001445, 69002542, 69004766,
	10197223911985, 10197223912027, 10197223912254, 10197223912662, 10197223913288, 10197223915697, 69004229,
}

// TestHostsThatWereWrong checks conversations that had a wrong number once.
func TestHostsThatWereWrong(t *testing.T) {
	core, twin := withVocabularies(t), withVocabularies(t)
	for i, seed := range append(slices.Clone(seedsOnceWrong), laterSeeds...) {
		series := randomhost.First
		if i >= len(seedsOnceWrong) {
			series = randomhost.New
		}
		h := series(seed, core, twin, func() randomhost.Caller { return withVocabularies(t) })
		h.Converse()
		core.Call("ctx/session/close", []byte(`{"id":"host"}`))
		twin.Call("ctx/session/close", []byte(`{"id":"host"}`))
		if h.Failure != "" {
			t.Errorf("%d %s, %s: %s\n%s", seed, h.Shape(), h.Trouble, h.Failure, strings.Join(h.Past, "\n"))
		}
	}
}

// TestUsagesAfterARestore checks that a usage without an ID, in a message or of a stream, replaces no request from
// before the session was restored.
func TestUsagesAfterARestore(t *testing.T) {
	messages := func(usages ...int) string {
		var list strings.Builder
		for _, in := range usages {
			fmt.Fprintf(&list, `,{"role":"user","content":"a%d"},{"role":"assistant","content":"b","usage":{"input_tokens":%d,"output_tokens":10}}`, in, in)
		}
		return `ctx/session/messages {"id":"a","messages":[` + list.String()[1:] + `]}`
	}
	stream := func(in int) string {
		return fmt.Sprintf(`ctx/session/usage {"id":"a","usage":{"type":"finish-step","usage":{"inputTokens":%d,"outputTokens":10}},"final":false}`, in)
	}
	for name, usages := range map[string][3]string{
		"in messages": {messages(1000), messages(1000, 2000), messages(1000, 2000, 5000)},
		"of a stream": {stream(1000), stream(2000), stream(5000)},
	} {
		t.Run(name, func(t *testing.T) {
			core := withVocabularies(t)
			used := func(call string) int64 {
				method, params, _ := strings.Cut(call, " ")
				var answer struct {
					Result struct{ Used int64 }
					Error  json.RawMessage
				}
				if err := json.Unmarshal(core.Call(method, []byte(params)), &answer); err != nil || answer.Error != nil {
					t.Fatalf("%s: %v %s", call, err, answer.Error)
				}
				return answer.Result.Used
			}
			used(`ctx/session/open {"id":"a","limits":{"window":200000}}`)
			used(usages[0])
			used(usages[1])
			saved := core.Call("ctx/session/save", []byte(`{"id":"a"}`))
			ledger := strings.TrimSuffix(strings.TrimPrefix(string(saved), `{"result":{"ledger":`), `}}`)
			core.Call("ctx/session/close", []byte(`{"id":"a"}`))
			used(`ctx/session/restore {"id":"a","ledger":` + ledger + `}`)
			if now := used(usages[2]); now < 5010 || now > 5030 {
				t.Errorf("used is %d after a usage of 5,010", now)
			}
		})
	}
}
