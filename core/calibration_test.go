// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

func TestTheRatioFollowsWhatEstimatesTurnOutToBe(t *testing.T) {
	for _, c := range []struct {
		name              string
		estimated, actual int64
		rises, falls      bool
	}{
		{"more than estimated", 1000, 1200, true, false},
		{"less than estimated", 1000, 800, false, true},
		{"too little text to tell", 39, 80, false, false},
		{"another reason than tokenization: far more", 1000, 2600, false, false},
		{"another reason than tokenization: far less", 1000, 300, false, false},
	} {
		r := newRatio()
		r.add(c.estimated, c.actual)
		if got := r.scale(10_000); got > 10_000 != c.rises || got < 10_000 != c.falls {
			t.Errorf("%s: 10000 estimated are %d", c.name, got)
		}
	}
	r := newRatio()
	for range 100 {
		r.add(5000, 6000)
	}
	if got := r.scale(10_000); got < 11_950 || got > 12_000 {
		t.Errorf("after a hundred steps of 6 for 5, 10000 are %d", got)
	}
	if got := (ratio{actual: 6000, estimated: 5000}).learned(); got != (ratio{4800, ratioPrior, true}) {
		t.Errorf("learned from other sessions: %v", got)
	}
}

func TestTheRecordSumsUpTheErrorsOfTheLastSteps(t *testing.T) {
	var r record
	for i := int64(1); i <= 100; i++ {
		r.add(StepMade{Predicted: 10_000 + i, Actual: 10_000}, Text{})
	}
	if r.median != 50 || r.p90 != 90 || r.p95 != 95 || r.p95Share != 95 {
		t.Errorf("median %d, p90 %d, p95 %d, %d hundredths of a percent", r.median, r.p90, r.p95, r.p95Share)
	}
	r.correct(10_100)
	if miss, percent := r.last.Error(); miss != 0 || percent != 0 || r.errors[r.newest] != 0 || r.steps != 100 {
		t.Errorf("corrected: %d, %d", miss, percent)
	}
	for range errorsKept {
		r.add(StepMade{Predicted: 9, Actual: 10}, Text{})
	}
	if r.median != 1 || r.p95 != 1 || r.p95Share != 1000 {
		t.Errorf("old errors are still counted: median %d, p95 %d, %d", r.median, r.p95, r.p95Share)
	}
}
