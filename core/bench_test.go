// Copyright The ctx-lsp authors. MIT licence.

package core_test

import (
	"fmt"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
)

// filled returns a session with n items, whose last prompt was measured.
func filled(items int) *core.Session {
	s := core.New(core.Identity{ID: "bench", Agent: "claude-code"}, count.NewVocabularies())
	s.Apply(core.LimitsKnown{Limits: core.Limits{Window: 1_000_000, Input: core.Unknown, Output: core.Unknown}, Source: core.FromUser})
	s.Apply(core.RuleSet{Rule: core.Rule{Reserve: 33_000}})
	s.Apply(core.ContextSet{Kind: core.Memory, Parts: []core.Part{{Label: core.Named("AGENTS.md"), Tokens: 900}}})
	e := &core.Appended{Item: core.Item{Kind: core.ToolResults, Tokens: 10, Label: core.Named("go test ./...")}}
	for range items {
		s.Apply(e)
	}
	m := core.NewMetered()
	m.In, m.Out = 50_000, 100
	s.Apply(m)
	return s
}

// BenchmarkUpdate adds and removes an item, with a Reading after each. It shows the cost of a Reading that reuses the
// memory of another one, and of the strings of its Display, which are cut from one text.
func BenchmarkUpdate(b *testing.B) {
	for _, items := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprintf("items=%d", items), func(b *testing.B) {
			s := filled(items)
			e := &core.Appended{Item: core.Item{Kind: core.User, Tokens: 12}}
			var r core.Reading
			b.ReportAllocs()
			for b.Loop() {
				s.Apply(e)
				s.Read(s.Mode, &r)
				s.Apply(core.Truncated{From: items})
				s.Read(s.Mode, &r)
			}
		})
	}
}

// BenchmarkTurn is a step of the tool loop: a response with a tool call, its result, the next measured prompt. It shows
// what a pointer to Appended saves.
func BenchmarkTurn(b *testing.B) {
	call := &core.Appended{Item: core.Item{Kind: core.ToolCalls, Tokens: 40}}
	result := &core.Appended{Item: core.Item{Kind: core.ToolResults, Tokens: 300}}
	m := core.NewMetered()
	m.In, m.Out, m.Reasoning = 50_000, 200, 100
	s := filled(100)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%1000 == 0 {
			s.Apply(core.Truncated{})
		}
		s.Apply(call)
		s.Apply(result)
		s.Apply(m)
	}
}

// BenchmarkSave saves a session into a reused ledger. It shows what growing numbers in place saves.
func BenchmarkSave(b *testing.B) {
	s := filled(10_000)
	var l core.Ledger
	b.ReportAllocs()
	for b.Loop() {
		s.SaveTo(&l)
	}
}

func BenchmarkRestore(b *testing.B) {
	l := filled(10_000).Save()
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := core.Restore(l, count.NewVocabularies()); !ok {
			b.Fatal("not restored")
		}
	}
}
