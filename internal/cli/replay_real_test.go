// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/history"
)

// realReplay is the output of ctx-lsp replay for real sessions.
type realReplay struct {
	Total  history.Quality
	Groups []history.Quality
	Kinds  []history.Quality
	Ahead  []history.AheadQuality
}

func replayReal(t *testing.T, env *environment, out, errs *bytes.Buffer, paths ...string) (result realReplay) {
	t.Helper()
	out.Reset()
	if code := run(context.Background(), env, append([]string{"replay", "--json"}, paths...)); code != exitOK {
		t.Fatalf("it exits with %d: %s", code, errs.String())
	}
	if strings.Contains(errs.String(), "could not be read") {
		t.Error(errs.String())
	}
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", result.Total)
	return result
}

// Every transcript is read to its end, no record of a known kind is left out, and the promises of docs/accuracy.md
// about ranges and forecasts are kept.
func TestReplayReadsEveryTranscript(t *testing.T) {
	if os.Getenv("CTX_TRANSCRIPTS") == "" {
		t.Skip("CTX_TRANSCRIPTS is not set")
	}
	var out, errs bytes.Buffer
	result := replayReal(t, testEnvironment(t, &out, &errs), &out, &errs, os.Getenv("CTX_TRANSCRIPTS"))
	result.holds(t)
	if q := result.Total; q.Steps < 3000 || q.MedianTokens > 5 || q.P95Percent > 0.3 {
		t.Errorf("total %+v; promised are a median of at most 5 tokens and a p95 of at most 0.30 %%", q)
	}
}

// With the vocabularies of Claude the same sessions are predicted more closely.
func TestReplayWithTheVocabulariesOfClaude(t *testing.T) {
	folder := os.Getenv("CTX_VOCABULARIES")
	if os.Getenv("CTX_TRANSCRIPTS") == "" || folder == "" {
		t.Skip("CTX_TRANSCRIPTS or CTX_VOCABULARIES is not set")
	}
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	add := []string{"vocab", "add", "claude", filepath.Join(folder, "claude", "pieces_v3.json"), filepath.Join(folder, "claude", "pieces_v4_7.json")}
	if code := run(context.Background(), env, add); code != exitOK {
		t.Fatalf("vocab add exits with %d: %s", code, errs.String())
	}
	result := replayReal(t, env, &out, &errs, os.Getenv("CTX_TRANSCRIPTS"))
	result.holds(t)
	if q := result.Total; q.Steps < 3000 || q.MedianTokens > 2 || q.P95Percent > 0.2 {
		t.Errorf("total %+v; promised are a median of at most 2 tokens and a p95 of at most 0.20 %%", q)
	}
	newer := recordingAttachments(t)
	if len(newer) == 0 {
		t.Log("there is no session of Claude Code from 2.1.100 on")
		return
	}
	if q := replayReal(t, env, &out, &errs, newer...).Total; q.Steps < 200 || q.MedianTokens > 1 || q.P95Percent > 0.03 {
		t.Errorf("Claude Code from 2.1.100 on: %+v; promised are a median of at most 1 token and a p95 of at most 0.03 %%", q)
	}
}

// recordingAttachments lists the sessions that Claude Code from 2.1.100 on has written completely.
func recordingAttachments(t *testing.T) (paths []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv("CTX_TRANSCRIPTS"), "claude-code", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found := ofClaudeCode.FindAllSubmatch(text, -1)
		older := func(version [][]byte) bool { return len(version[1]) < 3 }
		if len(found) > 0 && !slices.ContainsFunc(found, older) {
			paths = append(paths, path)
		}
	}
	return paths
}

// ofClaudeCode matches the last number of a version 2.1 in a record.
var ofClaudeCode = regexp.MustCompile(`"version":"2\.[01]\.([0-9]+)"`)

// holds compares ranges and forecasts with their promised coverage, 90% and 80%. The fewer there are, the larger the
// allowed deviation.
func (r *realReplay) holds(t *testing.T) {
	t.Helper()
	// With many forecasts and steps there is no allowance for chance.
	slack := func(part float64, n int) float64 {
		if n >= 200 {
			return 0
		}
		return 196 * math.Sqrt(part*(1-part)/float64(n))
	}
	for _, q := range r.Kinds {
		t.Logf("%s: %d steps, ranges held %.1f %%, more came in %.1f %%", q.Kind, q.Steps, q.HeldPercent, q.AbovePercent)
		if more := slack(0.9, q.Steps); !strings.Contains(q.Kind, "redacted") && (q.HeldPercent < 88-more || q.HeldPercent > 93+more) {
			t.Errorf("the ranges of %d %s steps held %.1f %%; nine of ten are promised", q.Steps, q.Kind, q.HeldPercent)
		}
		if q.Kind == "compaction" && q.MedianPercent > 5 {
			t.Errorf("the first request after a compaction is missed by %.1f %% in the median; promised are 5", q.MedianPercent)
		}
	}
	r.forecasts(t)
}

// forecasts compares the forecasts with the promise: all together cover about 80%, and their median is off by at most
// 15%. Those of one size may cover 15 points less or more, because sessions differ by more than that: widths that cover
// 80% of each size in some sessions cover less in others.
func (r *realReplay) forecasts(t *testing.T) {
	t.Helper()
	for _, q := range r.Ahead {
		if q.Agent != "all" {
			continue
		}
		t.Logf("%s, %s calls likely: %d forecasts held %.1f %%, more came in %.1f %%, %.1f %% named one number, the real by the likely one is %.2f", q.What, q.Size, q.Forecasts, q.HeldPercent, q.AbovePercent, q.OnePercent, q.MedianRatio)
		least, most := 78.0, 90.5
		if q.Size != "" {
			least, most = 65, 95
		}
		if q.Size == "under 5" {
			most = 100 // no range is shorter than three requests or one turn
		}
		if q.What == "landing" {
			more := 196 * math.Sqrt(0.8*0.2/float64(q.Forecasts))
			least, most = 78-more, 83+more
		}
		if q.HeldPercent < least || q.HeldPercent > most {
			t.Errorf("%d forecasts of %s, %s calls likely, held %.1f %%; %.0f to %.0f are promised", q.Forecasts, q.What, q.Size, q.HeldPercent, least, most)
		}
		if q.Size == "" && q.What != "landing" && (q.MedianRatio > 1.15 || q.MedianRatio < 1/1.15) {
			t.Errorf("the median of %s is off by %.2f; at most 1.15 is promised", q.What, q.MedianRatio)
		}
	}
}

// TestForecastsOfSessionsThatTheyWereNotFittedTo checks the statements of docs/accuracy.md about forecasts in the
// sessions of CTX_FRESH. The constants of core/forecast.go come from those of CTX_TRANSCRIPTS and CTX_SAMPLES.
func TestForecastsOfSessionsThatTheyWereNotFittedTo(t *testing.T) {
	if os.Getenv("CTX_FRESH") == "" {
		t.Skip("CTX_FRESH is not set")
	}
	var out, errs bytes.Buffer
	result := replayReal(t, testEnvironment(t, &out, &errs), &out, &errs, os.Getenv("CTX_FRESH"))
	result.forecasts(t)
}
