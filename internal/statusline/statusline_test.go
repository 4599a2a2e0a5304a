// Copyright The ctx-lsp authors. MIT licence.

package statusline

import (
	"fmt"
	"testing"
	"time"
)

func TestBoundsOfTheStatusline(t *testing.T) {
	for text, want := range map[string]Bound{
		"80%": {true, true, 80, "80%"}, "160k": {true, false, 160000, "160k"}, "1.2M": {true, false, 1200000, "1.2M"}, "5000": {true, false, 5000, "5000"},
	} {
		var b Bound
		if err := b.Set(text); err != nil || b != want {
			t.Errorf("%s is %+v, %v", text, b, err)
		}
	}
	for _, text := range []string{"", "much", "-5", "%", "k", "12x"} {
		var b Bound
		if err := b.Set(text); err == nil {
			t.Errorf("%q is taken for %+v", text, b)
		}
	}
}

// A limit is shown with the time until it resets, in each form that an agent writes.
func TestTimesReportedByAnAgent(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		fmt.Sprint(now.Add(3 * time.Hour).Unix()):      "3h",
		fmt.Sprint(now.Add(3 * time.Hour).UnixMilli()): "3h",
		`"2026-11-01T12:05:00Z"`:                       "5m",
		`"2026-11-01T11:00:00Z"`:                       "",
		`"soon"`:                                       "",
		`null`:                                         "",
		`-5`:                                           "",
		`1e300`:                                        "",
		``:                                             "",
	} {
		got := ""
		for _, word := range fieldsOf([]byte(`{"rate_limits":{"five_hour":{"used_percentage":1,"resets_at":`+text+`}}}`), "", now) {
			if word.Name == "reset5h" {
				got = word.Value
			}
		}
		if got != want {
			t.Errorf("%s is in %q, not in %q", text, got, want)
		}
	}
}

// The limits of the group of models at work are shown with the time until they reset, and whether the prompt cache is
// warm.
func TestLimitsAndCacheReportedByAnAgent(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		`{"rate_limits":{"five_hour":{"used_percentage":23.5,"resets_at":"2026-11-01T14:30:00Z"},"seven_day":{"used_percentage":41}},"prompt_cache":{"expires_at":"2026-11-01T12:04:30Z"}}`: "5h 24% (resets in 2h), 7d 41%|warm 4m",
		`{"prompt_cache":{"expires_at":"2026-11-01T11:59:59Z"}}`: "|cold",
		`{"model":{"display_name":"Gemini 3.5 Flash"},"quota":{"gemini-5h":{"remaining_fraction":0.25,"reset_time":"2026-11-01T12:30:00Z"},"3p-5h":{"remaining_fraction":1}}}`: "5h 75% (resets in 30m)|",
		`{"model":{"id":"claude-opus-4-6"},"quota":{"gemini-5h":{"remaining_fraction":0.25},"3p-weekly":{"remaining_fraction":0.9}}}`:                                          "7d 10%|",
		`{"quota":{"3p-5h":{"remaining_fraction":7},"3p-weekly":{"remaining_fraction":"much"}},"rate_limits":[],"prompt_cache":3}`:                                             "|",
	} {
		got := map[string]string{}
		for _, word := range fieldsOf([]byte(text), "", now) {
			got[word.Name] = word.Value
		}
		if line := got["limits"] + "|" + got["cache"]; line != want {
			t.Errorf("%s\n%q, not %q", text, line, want)
		}
	}
}
