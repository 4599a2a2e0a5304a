// Copyright The ctx-lsp authors. MIT licence.

package allowance

import (
	"encoding/json"
	"os"
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
		`{"payload":{"rate_limits":null}}`:                                                    `null`,
		`{"payload":{"rate_limits":{"primary":{"used_percent":-1,"window_minutes":300}}}}`:    `null`,
		`{"payload":{"rate_limits":{"primary":{"used_percent":1e300,"window_minutes":300}}}}`: `null`,
		`{"payload":"rate_limits"}`:                                                           `null`,
	} {
		if got := text(t, OfCodex([]byte(record))); got != want {
			t.Errorf("%s\n is %s,\nwant %s", record, got, want)
		}
	}
}

func TestWhatAStatusLineIsToldIsKeptForTheEditors(t *testing.T) {
	t.Parallel()
	told := In(t.TempDir())
	now := time.UnixMilli(1_782_000_000_000)
	said := OfStatusLine([]byte(`{"rate_limits":{"five_hour":{"used_percentage":41.5,"resets_at":1782003600},"seven_day":{"used_percentage":9}},"prompt_cache":{"expires_at":"2026-06-21T00:30:00Z"}}`), now)
	told.Keep("claude-code", "one", said)
	told.Keep("claude-code", "two", OfStatusLine([]byte(`{"prompt_cache":{"expires_at":1782000300}}`), now))
	const windows = `{"windows":[{"minutes":300,"percent":41.5,"resets":1782003600000},{"minutes":10080,"percent":9,"resets":null}],`
	for session, want := range map[string]string{
		"one":   windows + `"cacheUntil":1782001800000,"at":1782000000000}`,
		"two":   windows + `"cacheUntil":1782000300000,"at":1782000000000}`,
		"three": windows + `"cacheUntil":null,"at":1782000000000}`,
	} {
		if got := text(t, told.Of("claude-code", session)); got != want {
			t.Errorf("%s: %s,\nwant %s", session, got, want)
		}
	}
	if a := told.Of("codex", "one"); a != nil {
		t.Errorf("another agent has %s", text(t, a))
	}
	if a := In("").Of("claude-code", "one"); a != nil {
		t.Errorf("without a cache there is %s", text(t, a))
	}
	if err := os.WriteFile(told.path("claude-code"), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := told.Of("claude-code", "one"); a != nil {
		t.Errorf("a damaged file says %s", text(t, a))
	}
	told.Keep("claude-code", "one", said)
	if a := told.Of("claude-code", "one"); a == nil {
		t.Error("a damaged file is not replaced")
	}
}
