// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
)

// TestReturnsOfRealSessions checks the forecasts of pauses against the requests after them, and that no real session is
// said to loop: each of their compactions freed more than a fifth.
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
		Returns  []returnQuality
		Verdicts []judged
	}
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	var all, unresumed returnQuality
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

// TestReturnsAreCountedByOutcome checks the three outcomes of a forecast, and that a request that is in two files is
// counted once.
func TestReturnsAreCountedByOutcome(t *testing.T) {
	at := func(sent, read int64, cold bool) follow.Step {
		time := api.Time(sent)
		return follow.Step{Return: &api.Return{
			Back:  api.Back{WarmUntil: 1000, ColdFrom: 2000, Cause: "time", Life: 300_000, Anew: 110},
			Pause: 400_000, Sent: &time, Read: read, Wrote: 100, Cold: cold,
		}}
	}
	r := newReturns()
	r.add("a", []follow.Step{at(1000, 1, false), at(1500, 2, true), at(2000, 3, true), at(2001, 4, false), {}}, nil)
	r.add("b", []follow.Step{at(2001, 4, false)}, []api.Verdict{{Trigger: "auto"}})
	list := r.list()
	q := list[len(list)-1]
	if q.Pauses != 4 || q.Cold != 2 || q.Right != 2 || q.Perhaps != 1 || q.HitPercent != 62.5 || q.MedianPercent != 10 {
		t.Errorf("%+v", q)
	}
	if len(r.wrong) != 1 || r.wrong[0].Read != 4 || len(r.verdicts) != 1 {
		t.Errorf("%+v", r)
	}
}
