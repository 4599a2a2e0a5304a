// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/history"
)

// TestReturnsOfRealSessions checks the forecasts of pauses against the requests after them, and that no real session is
// reported as looping: each of their compactions freed more than a fifth.
func TestReturnsOfRealSessions(t *testing.T) {
	var folders []string
	for _, name := range []string{"CTX_TRANSCRIPTS", "CTX_FRESH", "CTX_SAMPLES"} {
		if os.Getenv(name) == "" {
			t.Skip(name + " is not set")
		}
		folders = append(folders, os.Getenv(name))
	}
	var out, errs bytes.Buffer
	if code := run(context.Background(), testEnvironment(t, &out, &errs), append([]string{"replay", "--returns", "--json"}, folders...)); code > exitError {
		t.Fatalf("it exits with %d: %s", code, errs.String())
	}
	var result struct {
		Returns  []history.ReturnQuality
		Verdicts []history.Judged
	}
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	var all, unresumed history.ReturnQuality
	for _, q := range result.Returns {
		switch {
		case q.Life == "all" && q.Cause == "":
			all = q
		case q.Life == "all" && q.Cause == "time":
			unresumed = q
		}
	}
	t.Logf("all %+v, by time %+v", all, unresumed)
	if all.Pauses < 100 || all.HitPercent < 94 || unresumed.HitPercent < 97 {
		t.Errorf("of %d pauses %.1f%% are right, and %.1f%% of those that only the clock decides; promised are 94 and 97", all.Pauses, all.HitPercent, unresumed.HitPercent)
	}
	if all.Perhaps*20 > all.Pauses || all.MedianPercent > 5 {
		t.Errorf("%d of %d are left open; the tokens rewritten are off by %.1f%% in the median", all.Perhaps, all.Pauses, all.MedianPercent)
	}
	judgedAt := 0
	for _, v := range result.Verdicts {
		if v.Loop {
			t.Errorf("%s is said to loop: %s", v.File, v.Text)
		}
		if v.AsPredicted != "unknown" {
			judgedAt++
		}
	}
	if judgedAt < 8 {
		t.Errorf("%d compactions are judged", judgedAt)
	}
}
