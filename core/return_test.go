// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"fmt"
	"testing"
)

// cached returns a request that read a part of its prompt from the cache and wrote the rest to it.
func cached(in, read int64) Metered {
	return measured(in, 100, func(m *Metered) { m.CacheRead, m.CacheWrite, m.CacheLife = read, in-read, CacheShort })
}

// TestAReturnIsComparedWithTheForecast checks the first request after a pause: what it read from the cache is compared
// with the forecast before the pause, or with that after a compaction in between.
func TestAReturnIsComparedWithTheForecast(t *testing.T) {
	compacted := Compacted{Recorded: true, Before: 50_000, Tokens: Unknown, Summary: &Item{Kind: Summary, Tokens: 4000}}
	for name, c := range map[string]struct {
		pause   int64
		between []Event
		next    Metered
		want    string
	}{
		"a short pause":      {CacheShort, nil, cached(51_000, 50_000), "none"},
		"a warm cache":       {CacheShort + 1, nil, cached(51_000, 50_000), "50100 after 300 s, 50000 read, 1000 written, cold false, compacted false"},
		"a cold cache":       {3 * CacheShort, nil, cached(51_000, 10_000), "50100 after 900 s, 10000 read, 41000 written, cold true, compacted false"},
		"half of it is cold": {3 * CacheShort, nil, cached(50_100, 30_050), "50100 after 900 s, 30050 read, 20050 written, cold false, compacted false"},
		"more than half":     {3 * CacheShort, nil, cached(50_100, 30_049), "50100 after 900 s, 30049 read, 20051 written, cold false, compacted false"},
		"an unknown cache":   {3 * CacheShort, nil, measured(51_000, 100), "none"},
		"after a compaction": {3 * CacheShort, []Event{compacted}, cached(15_000, 10_000), "14000 after 900 s, 10000 read, 5000 written, cold false, compacted true"},
	} {
		s := after(At{1_000_000}, cached(10_000, 0), At{1_010_000}, item(ToolResults, 39_900), cached(50_000, 10_000))
		s.Recording = true
		s.Apply(At{1_010_000 + c.pause})
		for _, e := range c.between {
			s.Apply(e)
		}
		s.Apply(c.next)
		steps := s.TakeSteps()
		got := "none"
		if r := steps[len(steps)-1].Return; r != nil {
			got = fmt.Sprintf("%d after %d s, %d read, %d written, cold %t, compacted %t", r.Used, r.Pause/1000, r.Read, r.Wrote, r.Cold, r.Compacted)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestAForecastBeforeAPauseIsReplacedAfterQuiet checks that what follows a prompt within seconds does not replace the
// forecast that was made before the pause.
func TestAForecastBeforeAPauseIsReplacedAfterQuiet(t *testing.T) {
	for quiet, replaced := range map[int64]bool{returnQuiet - 1: false, returnQuiet: true} {
		s := after(At{1_000_000}, cached(10_000, 0), At{1_010_000}, item(ToolResults, 39_900), cached(50_000, 10_000))
		s.Recording = true
		s.Apply(At{1_000_000 + 2*CacheShort})
		s.Apply(item(User, 700))
		s.Apply(At{1_000_000 + 2*CacheShort + quiet})
		if f := s.history.beforePause; f == nil || (f.used == 50_800) != replaced {
			t.Errorf("after %d ms: %+v", quiet, f)
		}
	}
}
