// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal/terminaltest"
)

// returning returns a Reading of a session with its last request at the given time and a cache lifetime of an hour.
func returning(asked time.Time) *api.Reading {
	at := func(after time.Duration) int64 { return asked.Add(after).UnixMilli() }
	compacts := api.Time(at(54 * time.Minute))
	return &api.Reading{
		Activity:   "waiting",
		Compaction: api.Compaction{Last: &api.Verdict{Text: api.Text{Text: "Compacted by command at 90,000 tokens."}}},
		Cache: api.Cache{Back: &api.Back{
			WarmUntil: at(55 * time.Minute), ColdFrom: at(60 * time.Minute), WarnFrom: at(44 * time.Minute), Life: 3_600_000, Cause: "time",
			Rewritten: 441_000, Display: "441k", Text: api.Text{Text: "the next prompt rewrites 441k to the cache"}, FirstText: api.Text{Text: "after /compact, it writes 19k"},
			CompactsAt: &compacts, CompactsText: api.Text{Text: "the agent may compact it automatically, to about 31k"},
		}},
	}
}

// cacheText returns the rows of the panel about the cache at a time.
func cacheText(r *api.Reading, now time.Time) string {
	v := panelView{panel: terminaltest.WithPanel(r).Panel, now: now, s: Style{Unicode: true}}
	var texts []string
	for _, row := range v.rows("cache") {
		if row.ID != "verdict" {
			texts = append(texts, row.value)
		}
	}
	return strings.Join(texts, " ")
}

// TestTheCostOfReturningFollowsTheClock checks the sentences and the status line at each moment of a cache's lifetime,
// and with wrong clocks.
func TestTheCostOfReturningFollowsTheClock(t *testing.T) {
	zone := time.FixedZone("somewhere", 2*3600)
	asked := time.Date(2026, 11, 26, 17, 10, 0, 0, zone)
	const then = "the next prompt rewrites 441k to the cache; after /compact, it writes 19k."
	for _, c := range []struct {
		after        time.Duration
		state        Warmth
		line, column string
		sentence     string
	}{
		{-3 * time.Hour, MaybeWarm, "", "may", "may be cold: " + then + " At 18:04 the agent may compact it automatically, to about 31k."},
		{0, Warm, "", "56m", "cold in 56 min; then " + then + " At 18:04 the agent may compact it automatically, to about 31k."},
		{43 * time.Minute, Warm, "", "13m", "cold in 13 min; then " + then + " At 18:04 the agent may compact it automatically, to about 31k."},
		{44 * time.Minute, Warm, "cold in 12 min", "12m", "cold in 12 min; then " + then + " At 18:04 the agent may compact it automatically, to about 31k."},
		{55 * time.Minute, Warm, "cold in 1 min", "1m", "cold in 1 min; then " + then},
		{57 * time.Minute, MaybeWarm, "may be cold", "may", "may be cold: " + then},
		{time.Hour, Cold, "cold: 441k", "cold", "cold: " + then},
		{9 * 24 * time.Hour, Cold, "cold: 441k", "cold", "cold: " + then},
	} {
		r, now := returning(asked), asked.Add(c.after)
		if got := WarmthOf(r.Cache.Back, now); got != c.state {
			t.Errorf("after %s it is %q, want %q", c.after, got, c.state)
		}
		if got := BackSoon(r, now); got != c.line {
			t.Errorf("after %s the line says %q, want %q", c.after, got, c.line)
		}
		if got := CacheState(r.Cache.Back, now); got != c.column {
			t.Errorf("after %s the column says %q, want %q", c.after, got, c.column)
		}
		if got := cacheText(r, now); got != c.sentence {
			t.Errorf("after %s:\n%s\nwant\n%s", c.after, got, c.sentence)
		}
		// In another time zone only the time of day differs.
		if got := cacheText(r, now.UTC()); got != strings.ReplaceAll(c.sentence, "18:04", "16:04") {
			t.Errorf("in UTC after %s: %s", c.after, got)
		}
		r.Activity = "working"
		if got := BackSoon(r, now); got != "" {
			t.Errorf("while the agent works the line says %q", got)
		}
	}
}

// TestAColdCacheShowsItsReason checks causes other than time, and a session without any record of its
// cache.
func TestAColdCacheShowsItsReason(t *testing.T) {
	now := time.Now()
	r := returning(now)
	r.Cache.Back.Cause, r.Cache.Back.WarmUntil, r.Cache.Back.ColdFrom, r.Cache.Back.WarnFrom = "model", now.UnixMilli(), now.UnixMilli(), now.UnixMilli()
	r.Cache.Back.Text, r.Cache.Back.CompactsAt = api.Text{Text: "the model has changed, so the next prompt rewrites 441k to the cache"}, nil
	if got := cacheText(r, now); got != "The model has changed, so the next prompt rewrites 441k to the cache; after /compact, it writes 19k." {
		t.Error(got)
	}
	if got := BackSoon(r, now); got != "" {
		t.Errorf("the line says %q", got)
	}
	r.Cache.Back = nil
	if got := cacheText(r, now) + BackSoon(r, now) + CacheState(nil, now) + string(WarmthOf(nil, now)); got != "" {
		t.Errorf("of an unknown cache it says %q", got)
	}
}

// TestTheScreenShowsVerdictAndCache checks that status has both facts, within 24 lines and 80 columns.
func TestTheScreenShowsVerdictAndCache(t *testing.T) {
	now := time.Now()
	r := returning(now)
	limit := int64(200_000)
	r.Limit = &limit
	for name, draw := range map[string]func(*bytes.Buffer) error{
		"status": func(out *bytes.Buffer) error {
			return Status(out, terminaltest.WithPanel(r), "", now, Style{Width: 80})
		},
		"status --all": func(out *bytes.Buffer) error {
			return Overlay(out, terminaltest.WithPanel(r), "", now, Style{Width: 80})
		},
		"an agent": func(out *bytes.Buffer) error {
			_, err := out.WriteString(ForAgent(terminaltest.WithPanel(r), now))
			return err
		},
	} {
		var out bytes.Buffer
		if err := draw(&out); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(out.String()), " ")
		for _, want := range []string{"Compacted by command at 90,000 tokens.", "cold in 56 min; then the next prompt rewrites 441k to the cache; after /compact, it writes 19k."} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, out.String())
			}
		}
		if lines := strings.Count(out.String(), "\n"); name == "status" && lines > 24 {
			t.Errorf("%d lines:\n%s", lines, out.String())
		}
	}
}

// TestBreaksOfTheCacheAreShown checks the row of breaks on all screens, the time of the last one, and the list.
func TestBreaksOfTheCacheAreShown(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	now := time.Date(2026, 3, 2, 18, 0, 0, 0, zone)
	at := api.Time(time.Date(2026, 3, 2, 16, 43, 0, 0, zone).UnixMilli())
	last := api.DetailedBreak{At: &at, Cause: "model", CauseText: api.Text{Text: "the model was changed"}, Text: api.Text{Text: "the model was changed: 162,614 tokens were written to the cache again"}}
	r := returning(now)
	r.Cache.Breaks = &api.CacheBreaks{Count: 3, Written: 512_000, Last: last, Text: api.Text{Text: "3 breaks, 512k written again"}}
	const want = "3 breaks, 512k written again; the last at 16:43: the model was changed"
	if got := cacheText(r, now); !strings.HasSuffix(got, want) {
		t.Error(got)
	}
	if got := cacheText(r, now.AddDate(0, 0, 1)); !strings.Contains(got, "the last at 2026-03-02 16:43: ") {
		t.Error("a day later: " + got)
	}
	for name, draw := range map[string]func(*bytes.Buffer) error{
		"status": func(out *bytes.Buffer) error {
			return Status(out, terminaltest.WithPanel(r), "", now, Style{Width: 80})
		},
		"status --all": func(out *bytes.Buffer) error {
			return Overlay(out, terminaltest.WithPanel(r), "", now, Style{Width: 80})
		},
		"top's page": func(out *bytes.Buffer) error {
			out.WriteString(strings.Join(Page(terminaltest.WithPanel(r), nil, now, Style{Width: 80}), "\n"))
			return nil
		},
		"an agent": func(out *bytes.Buffer) error {
			_, err := out.WriteString(ForAgent(terminaltest.WithPanel(r), now))
			return err
		},
	} {
		var out bytes.Buffer
		if err := draw(&out); err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(text, want) {
			t.Errorf("%s lacks the breaks:\n%s", name, out.String())
		}
	}
	var out bytes.Buffer
	if err := CacheBreaks(&out, slices.Repeat([]api.DetailedBreak{last}, 22), now, Style{Width: 100}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if lines[0] != "The last 20 breaks of the cache; --json lists more:" || strings.Count(out.String(), "2026-03-02 16:43 Cache: the model was changed: ") != 20 {
		t.Error(out.String())
	}
	if r.Cache.Breaks = nil; strings.Contains(cacheText(r, now), "breaks") {
		t.Error(cacheText(r, now))
	}
}
