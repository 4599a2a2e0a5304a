// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
)

// TestAnAgentsOwnCountIsNoMeasurement protects the basis: a number that was not measured is never shown as measured.
func TestAnAgentsOwnCountIsNoMeasurement(t *testing.T) {
	for _, own := range []string{"true", "false"} {
		session, reader := core.New(core.Identity{ID: "s"}, count.NewVocabularies()), agent.New(agent.Cursor)
		for _, record := range []string{
			`{"by":"cursor","is":"session","model":"gpt-5","window":200000}`,
			`{"by":"cursor","is":"item","kind":"user","text":"hello","turn":true}`,
			`{"by":"cursor","is":"usage","id":"u","in":50000,"own":` + own + `}`,
		} {
			reader.Record(parse(t, []byte(record)), session.Apply)
		}
		want := core.Measured
		if own == "true" {
			want = core.Estimated
		}
		if r := session.Reading(); r.Used != 50_000 || r.Basis != want {
			t.Errorf("own %s: %d tokens, %v", own, r.Used, r.Basis)
		}
	}
}
