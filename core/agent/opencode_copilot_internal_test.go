// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// TestCopilotCountsUncachedTokensTwice checks when the prompt of a response that reasoned is corrected: each uncached
// token except one was counted twice, so their number is odd.
func TestCopilotCountsUncachedTokensTwice(t *testing.T) {
	for name, c := range map[string]struct {
		in, read int64
		answer   openMessage
		want     int64
	}{
		"reasoned":                    {12_001, 10_000, openMessage{begun: true, reasoned: true}, 11_001},
		"one uncached token":          {10_001, 10_000, openMessage{begun: true, reasoned: true}, 10_001},
		"an even number":              {12_000, 10_000, openMessage{begun: true, reasoned: true}, 12_000},
		"did not reason":              {12_001, 10_000, openMessage{begun: true}, 12_001},
		"the first after a user":      {12_001, 10_000, openMessage{begun: true, reasoned: true, opening: true}, 12_001},
		"nothing cached":              {12_001, 0, openMessage{begun: true, reasoned: true}, 12_001},
		"cached tokens are not known": {12_001, core.Unknown, openMessage{begun: true, reasoned: true}, 12_001},
		"one cached token":            {4, 1, openMessage{begun: true, reasoned: true}, 3},
	} {
		var d doubled
		m := core.NewMetered()
		m.In, m.CacheRead = c.in, c.read
		var got []core.Metered
		d.meter(1, m, &c.answer, func(e core.Event) { got = append(got, e.(core.Metered)) })
		if len(got) != 1 || got[0].In != c.want || got[0].Note.Is(phrase.CopilotTwice) != (c.in != c.want || name == "one uncached token") || got[0].Volatile {
			t.Errorf("%s: %+v, want a prompt of %d", name, got, c.want)
		}
	}
}

// TestTheNextCachedPromptAuditsACorrection checks that corrections end once the cached tokens of later requests, which
// are the whole prompt before except a few, have contradicted more of them than they have confirmed.
func TestTheNextCachedPromptAuditsACorrection(t *testing.T) {
	answer := &openMessage{begun: true, reasoned: true}
	measure := func(d *doubled, in, read int64) (got core.Metered) {
		m := core.NewMetered()
		m.In, m.CacheRead = in, read
		d.meter(1, m, answer, func(e core.Event) { got = e.(core.Metered) })
		return got
	}
	for read, stays := range map[int64]bool{
		11_001: true, 11_001 - 16: true, 11_001 - 17: true, 11_002: true, // the corrected prompt, and neither
		12_001: false, 12_001 - 16: false, 12_001 - 17: true, 12_002: true, // the reported prompt, and neither
	} {
		var d doubled
		if got := measure(&d, 12_001, 10_000); got.In != 11_001 {
			t.Fatalf("the prompt is %d before any audit", got.In)
		}
		want := read + 500
		if !stays {
			want = read + 999
		}
		if got := measure(&d, read+999, read); got.In != want || got.Volatile == stays {
			t.Errorf("after %d cached tokens the prompt is %d, volatile %t; want %d", read, got.In, got.Volatile, want)
		}
	}
	var d doubled
	measure(&d, 12_001, 10_000)
	measure(&d, 13_000, 11_001)                               // confirmed, and corrected to 12,001
	if got := measure(&d, 13_999, 13_000); got.In != 13_500 { // contradicted as often
		t.Errorf("one contradiction ends a correction that was confirmed: %d", got.In)
	}
	if got := measure(&d, 15_000, 13_999); got.In != 15_000 || !got.Volatile { // contradicted more often
		t.Errorf("a correction that was contradicted twice still applies: %d", got.In)
	}
}

// TestNumbersOfMessagesThatOpenCodeCompresses checks the numbers by which a compression names messages.
func TestNumbersOfMessagesThatOpenCodeCompresses(t *testing.T) {
	o := &openCode{order: make([]int32, 9), forgotten: 3}
	for id, want := range map[string]int{"m0004": 0, "m4": 0, "m0012": 8, "m0013": -1, "m0003": -1, "m": -1, "m5x": -1, "5": -1, "b0005": -1, "": -1, "mx": -1} {
		v, err := json.Parse([]byte(`"` + id + `"`))
		if err != nil {
			t.Fatal(err)
		}
		if got := o.messageNumber(v); got != want {
			t.Errorf("%q is message %d, want %d", id, got, want)
		}
	}
	for title, want := range map[string]bool{"New session - 2026-11-20": true, "Child session - 1": true, "New session - ": false, "New session": false, "A new session - 1": false, "": false} {
		if got := IsPlaceholder(title); got != want {
			t.Errorf("%q is a placeholder: %t, want %t", title, got, want)
		}
	}
}
