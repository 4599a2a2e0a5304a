// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

func text(t *testing.T, a *api.Allowance) string {
	t.Helper()
	out, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestLimitsAreThoseThatCodexNotesBesideARequest(t *testing.T) {
	t.Parallel()
	for record, want := range map[string]string{
		`{"timestamp":"2026-06-25T08:00:00Z","payload":{"type":"token_count","rate_limits":{"primary":{"used_percent":12.34,"window_minutes":300,"resets_at":1782147435},"secondary":{"used_percent":2,"window_minutes":10080,"resets_at":1782708127}}}}`: `{"windows":[{"minutes":300,"percent":12.34,"resets":1782147435000},{"minutes":10080,"percent":2,"resets":1782708127000}],"cacheUntil":null,"at":1782374400000}`,
		`{"timestamp":"2026-06-25T08:00:00Z","payload":{"rate_limits":{"primary":{"used_percent":7,"window_minutes":299,"resets_in_seconds":60}}}}`:                                                                                                       `{"windows":[{"minutes":299,"percent":7,"resets":1782374460000}],"cacheUntil":null,"at":1782374400000}`,
		`{"timestamp":"2026-06-25T08:00:00Z","payload":{"rate_limits":{"primary":{"used_percent":7,"window_minutes":1,"resets_in_seconds":0}}}}`:                                                                                                          `{"windows":[{"minutes":1,"percent":7,"resets":1782374400000}],"cacheUntil":null,"at":1782374400000}`,
		`{"timestamp":"2026-06-25T08:00:00Z","payload":{"rate_limits":{"primary":{"used_percent":7,"window_minutes":299,"resets_in_seconds":1000000000}}}}`:                                                                                               `{"windows":[{"minutes":299,"percent":7,"resets":null}],"cacheUntil":null,"at":1782374400000}`,
		`{"payload":{"rate_limits":{"primary":{"used_percent":7,"window_minutes":299,"resets_in_seconds":60}}}}`:                                                                                                                                          `{"windows":[{"minutes":299,"percent":7,"resets":null}],"cacheUntil":null,"at":null}`,
		`{"payload":{"rate_limits":{"primary":{"used_percent":7,"window_minutes":0},"secondary":{"used_percent":1000000,"window_minutes":5}}}}`:                                                                                                           `{"windows":[{"minutes":5,"percent":1000000,"resets":null}],"cacheUntil":null,"at":null}`,
		`{"payload":{"rate_limits":null}}`:                                                    `null`,
		`{"payload":{"rate_limits":{"primary":{"used_percent":-1,"window_minutes":300}}}}`:    `null`,
		`{"payload":{"rate_limits":{"primary":{"used_percent":1e300,"window_minutes":300}}}}`: `null`,
		`{"payload":"rate_limits"}`:                                                           `null`,
	} {
		if got := text(t, codexLimits([]byte(record))); got != want {
			t.Errorf("%s\n is %s,\nwant %s", record, got, want)
		}
	}
}

func TestLimitsOfAStatusLinesMessage(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_782_000_000_000)
	for message, want := range map[string]string{
		`{"rate_limits":{"five_hour":{"used_percentage":41.5,"resets_at":1782003600},"seven_day":{"used_percentage":9}},"prompt_cache":{"expires_at":"2026-06-21T00:30:00Z"}}`: `{"windows":[{"minutes":300,"percent":41.5,"resets":1782003600000},{"minutes":10080,"percent":9,"resets":null}],"cacheUntil":1782001800000,"at":1782000000000}`,
		`{"prompt_cache":{"expires_at":1782000300}}`: `{"windows":[],"cacheUntil":1782000300000,"at":1782000000000}`,
		`{}`: `null`,
	} {
		if got := text(t, StatusLineLimits([]byte(message), now)); got != want {
			t.Errorf("%s\n is %s,\nwant %s", message, got, want)
		}
	}
}

// TestTimesOfLimitsAreSecondsMillisecondsOrDates checks the edges between them, and times that cannot be.
func TestTimesOfLimitsAreSecondsMillisecondsOrDates(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]int64{
		`1`: 1000, `100000000000`: 100_000_000_000_000, `100000000001`: 100_000_000_001, `999999999999999`: 999_999_999_999_999, `1000000000000000`: 0, `0`: 0, `-1`: 0, `1782147435.9`: 1_782_147_435_000,
		`"2000-01-01T00:00:00Z"`: 946_684_800_000, `"1999-12-31T23:59:59Z"`: 0, `"9000-12-31T00:00:00Z"`: 221_876_841_600_000, `"9001-01-01T00:00:00Z"`: 0, `"x"`: 0, `null`: 0,
	} {
		var at limitTime
		if err := at.UnmarshalJSON([]byte(written)); err != nil {
			t.Fatal(err)
		}
		got := int64(0)
		if at.at != nil {
			got = int64(*at.at)
		}
		if got != want {
			t.Errorf("%s is %d, want %d", written, got, want)
		}
	}
}
