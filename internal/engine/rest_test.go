// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"fmt"
	"testing"
)

// TestSessionsAndCorrectionsSurviveARest checks that an engine returns the same results after its instances were
// stopped.
func TestSessionsAndCorrectionsSurviveARest(t *testing.T) {
	for name, p := range map[string]*Pool{"native": nativePool(t, Options{Instances: 2}), "wasm": wasmPool(t, Options{Module: module(t, "core"), Instances: 2})} {
		for i := range 6 {
			id := fmt.Sprintf("session %d", i)
			must(t, p, "ctx/session/open", fmt.Sprintf(`{"id":%q,"model":"gpt-5.5"}`, id))
			must(t, p, "ctx/session/update", fmt.Sprintf(`{"id":%q,"append":[{"kind":"user","text":"the world is round %d"}]}`, id, i))
			must(t, p, "ctx/session/usage", fmt.Sprintf(`{"id":%q,"provider":"ctx","usage":{"in":%d,"out":20}}`, id, 1000+i))
		}
		learned := must(t, p, "ctx/learned/get", `{}`)
		var before []string
		for i := range 6 {
			before = append(before, must(t, p, "ctx/session/reading", fmt.Sprintf(`{"id":"session %d"}`, i)))
		}
		for range 2 {
			if !p.Rest() {
				t.Errorf("%s: no instance was stopped", name)
			}
			if p.Rest() {
				t.Errorf("%s: an instance was stopped twice", name)
			}
			for _, s := range p.shards {
				if s.running != nil {
					t.Errorf("%s: an instance still runs", name)
				}
			}
			for i := range 6 {
				if after := must(t, p, "ctx/session/reading", fmt.Sprintf(`{"id":"session %d"}`, i)); after != before[i] {
					t.Errorf("%s: session %d is\n%s\nand was\n%s", name, i, after, before[i])
				}
			}
		}
		if after := must(t, p, "ctx/learned/get", `{}`); after != learned {
			t.Errorf("%s: lessons are\n%s\nand were\n%s", name, after, learned)
		}
	}
}
