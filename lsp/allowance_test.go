// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// TestAReadingHasTheLimitsReportedByItsAgent checks that limits come from data on this machine: Codex's own rollout,
// and what Claude Code passed to its status line command. Without such data, a Reading has no limits.
func TestAReadingHasTheLimitsReportedByItsAgent(t *testing.T) {
	m := newMachine(t)
	rollout, err := os.ReadFile("../testdata/sessions/codex/rollout.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	const noted = `"rate_limits": {"primary": {"used_percent": 12.5, "window_minutes": 300, "resets_at": 1782147435}}`
	text := strings.ReplaceAll(string(rollout), `"rate_limits": null`, noted)
	if text == string(rollout) {
		t.Fatal("the rollout has no place for limits")
	}
	const name = ".codex/sessions/2026/06/25/rollout-2026-06-25T08-00-00-0197a000-0000-7000-8000-000000000001.jsonl"
	placed, err := os.ReadFile(dirstest.Place(t, m.home, dirstest.Recording{name: text}, time.Minute)[name])
	if err != nil {
		t.Fatal(err)
	}
	resets, _ := strconv.ParseInt(regexp.MustCompile(`"resets_at": (\d+)`).FindStringSubmatch(string(placed))[1], 10, 64)
	m.session("00000001-0000-4000-8000-000000000000", 1, m.work, time.Minute, 50_000)
	m.session("00000002-0000-4000-8000-000000000000", 1, m.work, time.Minute, 50_000)
	limits := state.LimitsIn(filepath.Join(m.home, ".cache"))
	c := m.daemon()
	readings := func() map[string]api.Reading {
		var watched struct{ Sessions []api.Reading }
		if err := json.Unmarshal(c.call("ctx/watch", `{}`), &watched); err != nil {
			t.Fatal(err)
		}
		all := map[string]api.Reading{}
		for _, r := range watched.Sessions {
			all[r.Session] = r
		}
		return all
	}
	var codex *api.Allowance
	all := readings()
	for end := time.Now().Add(20 * time.Second); len(all) < 3 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		all = readings() // the daemon responds after a while even if not everything has been read
	}
	for id, r := range all {
		if r.Agent == "codex" {
			codex = r.Allowance
		} else if r.Allowance != nil {
			t.Errorf("%s has %+v, which nobody told", id, r.Allowance)
		}
	}
	if codex == nil || len(codex.Windows) != 1 || codex.Windows[0].Percent != 1250 || int64(*codex.Windows[0].Resets) != resets*1000 {
		t.Errorf("Codex noted 12.5 %% of five hours; the Reading has %+v", codex)
	}
	limits.Keep("claude-code", "00000001-0000-4000-8000-000000000000", agents.StatusLineLimits(
		[]byte(`{"rate_limits":{"five_hour":{"used_percentage":41}},"prompt_cache":{"expires_at":1782000300}}`), time.Now()))
	m.session("00000001-0000-4000-8000-000000000000", 2, m.work, 0, 51_000)
	deadline := time.Now().Add(20 * time.Second)
	for {
		claude := readings()["00000001-0000-4000-8000-000000000000"].Allowance
		if claude != nil && claude.Windows[0].Percent == 4100 && claude.CacheUntil != nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("after the status line was told, the Reading has %+v", claude)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
