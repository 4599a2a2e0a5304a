// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

func TestEqualWarningsAreToldOnceWithHowOften(t *testing.T) {
	var l warnings
	l.add(Named("One."))
	l.add(Named("Two."))
	l.add(Named("One."))
	l.skipped(Skipped{Bytes: 100, Reason: Named("overlong")})
	l.skipped(Skipped{Bytes: 50, Reason: Named("overlong")})
	l.skipped(Skipped{Bytes: 1, Reason: Named("no JSON")})
	const want = "One. (2 times) Two. 2 records were skipped: overlong. 1 record was skipped: no JSON."
	if got := english(l.sentences(nil)); got != want {
		t.Errorf("%q", got)
	}
	if l.skippedRecords != 3 || l.skippedBytes != 151 {
		t.Errorf("%d records of %d bytes", l.skippedRecords, l.skippedBytes)
	}
}

func TestWarningsAreBounded(t *testing.T) {
	var l warnings
	for i := range int64(warningsKept + 4) {
		l.add(Named(itoa(i) + strings.Repeat("!", 600)))
	}
	got := l.sentences(nil)
	if len(got) != warningsKept+1 || len(got[0].Name) != 500 || got[warningsKept].String() != "4 further warnings were dropped." {
		t.Errorf("%d sentences, the first of %d bytes, the last %q", len(got), len(got[0].Name), got[len(got)-1])
	}
}

func TestReasonsAreSummedByCauseAndBounded(t *testing.T) {
	var l reasons
	l.add(Text{}, 5)
	l.add(Named("cut"), 7)
	l.add(Named("cut"), 1)
	if !slices.EqualFunc(l, reasons{{phrase.Leaves.Text(), 5}, {Named("cut"), 8}}, sameReason) {
		t.Errorf("%v", l)
	}
	for i := range int64(40) {
		l.add(Named(itoa(i)), 1)
	}
	if len(l) != reasonsKept || l.total() != 5+8+40 {
		t.Errorf("%d causes with %d in all", len(l), l.total())
	}
}

// TestWarningsOfAnAgentsUsageGoWithTheNextRequest checks that a warning about the usage in an agent's record, which no
// host has announced, stays with the records of its request and is removed with the next one.
func TestWarningsOfAnAgentsUsageGoWithTheNextRequest(t *testing.T) {
	sum, side, none := NewMetered(), NewMetered(), NewMetered()
	sum.In, sum.Sum = 90_000, true
	side.In, side.SideRequest = 50_000, true
	none.Out = 5
	noted := measured(30_000, 10)
	noted.Note, noted.Request = Named("The usage is odd."), "r1"
	for _, m := range []Metered{sum, side, none, noted} {
		s := after(measured(20_000, 10), m)
		if got := s.Reading().Warnings; len(got) != 1 {
			t.Errorf("%+v has the warnings %q", m, got)
		}
		if m.Request != "" {
			s.Apply(m)
			if got := s.Reading().Warnings; len(got) != 1 {
				t.Errorf("after another record of the request: %q", got)
			}
		}
		s.Apply(measured(31_000, 10))
		if got := s.Reading().Warnings; len(got) != 0 {
			t.Errorf("after the next request: %q", got)
		}
	}
	both := sum
	both.Note = Named("The agent records only sums.")
	if got := after(both).Reading().Warnings; len(got) != 1 {
		t.Errorf("one cause has the warnings %q", got)
	}
	s := after(UsageRead{First: true}, Warned{Sentence: Named("A field was left out."), OfUsage: true}, measured(20_000, 10))
	if got := s.Reading().Warnings; len(got) != 1 {
		t.Errorf("a host's usage has the warnings %q", got)
	}
}

func sameReason(a, b reason) bool { return a.why.Equal(b.why) && a.amount == b.amount }
