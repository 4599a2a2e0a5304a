// Copyright The ctx-lsp authors. MIT licence.

package api

import (
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

// TestHostsThatWereWrong checks conversations that had a wrong number once.
func TestHostsThatWereWrong(t *testing.T) {
	core, twin := withVocabularies(t), withVocabularies(t)
	for _, seed := range seedsOnceWrong {
		h := randomhost.First(seed, core, twin, func() randomhost.Caller { return withVocabularies(t) })
		h.Converse()
		core.Call("ctx/session/close", []byte(`{"id":"host"}`))
		twin.Call("ctx/session/close", []byte(`{"id":"host"}`))
		if h.Failure != "" {
			t.Errorf("%d %s, %s: %s\n%s", seed, h.Shape(), h.Trouble, h.Failure, strings.Join(h.Past, "\n"))
		}
	}
}
