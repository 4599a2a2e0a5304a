// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/history"
)

// TestTheCorpusGivesTheTableOfTheDocument replays testdata/accuracy and compares the result with the table in
// docs/accuracy.md for these sessions with their own texts.
func TestTheCorpusGivesTheTableOfTheDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("replaying 45 sessions takes a while")
	}
	here, err := filepath.Abs("../../testdata/accuracy")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(here, "*", "*.zst"))
	if err != nil || len(files) < 40 {
		t.Fatalf("there are %d sessions in testdata/accuracy: %v", len(files), err)
	}
	page, err := os.ReadFile("../../docs/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tables, _ := strings.Cut(string(page), "\n### Sessions that constants were fitted to\n")
	var out, errs bytes.Buffer
	result := replayReal(t, testEnvironment(t, &out, &errs), &out, &errs, files...)
	measured := map[string]history.Quality{"all": result.Total}
	for _, q := range result.Kinds {
		measured[q.Kind] = q
	}
	number := regexp.MustCompile(`[0-9][0-9,.]*`)
	for title, kind := range map[string]string{
		"all": "all", "tool steps": "tool", "user steps": "user", "resume": "resume", "first request after a compaction": "compaction",
	} {
		_, row, found := strings.Cut(tables, "\n| "+title+" |")
		row, _, _ = strings.Cut(row, "\n")
		cells := strings.Split(row, "|")
		if !found || len(cells) < 4 {
			t.Fatalf("docs/accuracy.md has no row %q", title)
		}
		var documented [4]float64 // steps, median, p95, p95 of the prompt
		for i := range documented {
			if documented[i], err = strconv.ParseFloat(strings.ReplaceAll(number.FindString(cells[i]), ",", ""), 64); err != nil {
				t.Fatalf("%s: %v", title, err)
			}
		}
		q := measured[kind]
		for i, have := range [...]float64{float64(q.Steps), float64(q.MedianTokens), float64(q.P95Tokens), q.P95Percent} {
			want := documented[i]
			near := [...]float64{0, max(1, want*15/100), max(1, want*5/100), max(0.005, want*5/100)}[i]
			if math.Abs(have-want) > near {
				t.Errorf("%s: %v in the document is %v in the corpus (%+v)", title, want, have, q)
			}
		}
	}
}
