// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"encoding/json"
	"os"
	"testing"

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

func TestLimitsAreKeptByAgentAndSession(t *testing.T) {
	t.Parallel()
	kept := LimitsIn(t.TempDir())
	at := func(ms api.Time) *api.Time { return &ms }
	limits := &api.Allowance{
		Windows:    []api.AllowanceWindow{{Minutes: 300, Percent: 4150, Resets: at(1782003600000)}, {Minutes: 10080, Percent: 900}},
		CacheUntil: at(1782001800000), At: at(1782000000000),
	}
	kept.Keep("claude-code", "one", limits)
	kept.Keep("claude-code", "two", &api.Allowance{CacheUntil: at(1782000300000), At: at(1782000000000)})
	const windows = `{"windows":[{"minutes":300,"percent":41.5,"resets":1782003600000},{"minutes":10080,"percent":9,"resets":null}],`
	for session, want := range map[string]string{
		"one":   windows + `"cacheUntil":1782001800000,"at":1782000000000}`,
		"two":   windows + `"cacheUntil":1782000300000,"at":1782000000000}`,
		"three": windows + `"cacheUntil":null,"at":1782000000000}`,
	} {
		if got := text(t, kept.Of("claude-code", session)); got != want {
			t.Errorf("%s: %s,\nwant %s", session, got, want)
		}
	}
	if a := kept.Of("codex", "one"); a != nil {
		t.Errorf("another agent has %s", text(t, a))
	}
	if a := LimitsIn("").Of("claude-code", "one"); a != nil {
		t.Errorf("without a cache there is %s", text(t, a))
	}
	if err := os.WriteFile(kept.path("claude-code"), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := kept.Of("claude-code", "one"); a != nil {
		t.Errorf("a damaged file says %s", text(t, a))
	}
	kept.Keep("claude-code", "one", limits)
	if a := kept.Of("claude-code", "one"); a == nil {
		t.Error("a damaged file is not replaced")
	}
}
