// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal/terminaltest"
)

func statusOf(t *testing.T, r *api.Reading, which string, s Style) string {
	t.Helper()
	var b strings.Builder
	if err := Status(&b, terminaltest.WithPanel(r), which, time.UnixMilli(1_772_450_000_000), s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAStatusIsOneScreen(t *testing.T) {
	r := sample(t)
	r.Agent = "claude-code"
	got := statusOf(t, r, "the newest of 4 here", Style{Unicode: true, Width: 80})
	want := `shop, gpt-5.5: window ~26% full, about 9 requests until it compacts · the newest
of 4 here
Claude Code
█████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░│░░░░░░░░  ~26%  52.1k of 200k

Compaction  at 167,000, 114,900 to go (31% of the threshold), about 9 requests
            (5–14) left

  Messages        40,100   20.0%  ████████████████
  Tools           ~8,000    4.0%  ███▏
  System prompt   ~4,000    2.0%  █▌
  Left           114,900   57.4%  until it compacts at 167,000
                                  33,000 held back by Claude Code

ctx-lsp status --all shows every row and fact.
`
	if got != want {
		t.Errorf("the status is\n%s\nwant\n%s", got, want)
	}
}

// fullReading returns a Reading with more of everything than fits on a screen.
func fullReading(t *testing.T) *api.Reading {
	t.Helper()
	r := sample(t)
	r.Agent, r.Title, r.Branch, r.Activity = "claude-code", strings.Repeat("Fix the tax ", 20), strings.Repeat("b", 90), "working"
	r.Workspace, r.Model = "/w/"+strings.Repeat("shop", 30), strings.Repeat("gpt-5.5", 30)
	r.Breakdown = nil
	kinds := []api.Kind{"system", "mcpTools", "skills", "agents", "memory", "documents", "summary", "user", "assistant", "toolCalls", "toolResults", "reasoning", "media"}
	for i, kind := range kinds {
		r.Breakdown = append(r.Breakdown, api.Row{Kind: kind, Label: api.Text{Text: strings.Repeat(string(kind), 20)}, Tokens: int64(i) * 1_000, Basis: "counted"})
	}
	for i := range int64(24) {
		r.Breakdown = append(r.Breakdown, api.Row{Kind: "tools", Label: api.Text{Text: fmt.Sprintf("tool_%d", i)}, Tokens: 100 + i, Basis: "estimated"})
	}
	for i := range 9 {
		r.Largest = append(r.Largest, api.LargeItem{Label: api.Text{Text: strings.Repeat("a/long/name/", 9)}, Tokens: 9_000 - int64(i), Basis: "counted"})
		r.Warnings = append(r.Warnings, api.Text{Text: strings.Repeat("a warning of several words ", 4)})
		r.Children = append(r.Children, api.Brief{})
	}
	r.Compaction.Landing = &api.Landing{Low: 26_016, High: 40_682}
	r.Accuracy.Last.Cause = api.Text{Text: strings.Repeat("a cause of several words ", 2)}
	return r
}

func TestTheLargestSessionFitsOneScreen(t *testing.T) {
	for _, columns := range []int{80, 100, 200} {
		for warnings := range 10 {
			r := fullReading(t)
			r.Warnings = r.Warnings[:warnings]
			got := statusOf(t, r, "the nearest of 11 live sessions here", Style{Unicode: true, Width: columns})
			if n := strings.Count(got, "\n"); n > 24 {
				t.Errorf("at %d columns, with %d warnings, it has %d lines:\n%s", columns, warnings, n, got)
			}
			for line := range strings.Lines(got) {
				if width(strings.TrimSuffix(line, "\n")) > columns {
					t.Errorf("at %d columns a line is wider: %s", columns, line)
				}
			}
			if warnings > 0 && !strings.Contains(got, "! ") {
				t.Errorf("at %d columns, none of %d warnings is shown or counted:\n%s", columns, warnings, got)
			}
		}
	}
}

// The tools of a server are one row with their sum, and --all lists them.
func TestEqualPartsAreOneRow(t *testing.T) {
	r := fullReading(t)
	r.Breakdown = r.Breakdown[len(r.Breakdown)-24:]
	got := statusOf(t, r, "", Style{Unicode: true, Width: 80})
	if want := "Tools   ~2,676    1.3%"; !strings.Contains(got, want) || strings.Contains(got, "tool_") {
		t.Errorf("%q is missing, or a tool has a row of its own:\n%s", want, got)
	}
	if all := overlayOf(t, r, Style{Unicode: true, Width: 80}); !strings.Contains(all, "tool_0") || !strings.Contains(all, "tool_23") {
		t.Errorf("not every tool has a row:\n%s", all)
	}
}

// The rows and "Others" add up to the used tokens.
func TestTheRestIsOneRow(t *testing.T) {
	r := fullReading(t)
	r.Breakdown = r.Breakdown[:13]
	got := statusOf(t, r, "", Style{Unicode: true, Width: 100})
	if want := "Others "; !strings.Contains(got, want) || !strings.Contains(got, " 10,000 ") {
		t.Errorf("%q, 10,000 tokens, is missing:\n%s", want, got)
	}
	if strings.Contains(got, "Reasoning (") || strings.Count(got, "%  ") < 9 {
		t.Errorf("there are not eight parts:\n%s", got)
	}
	r.Breakdown = r.Breakdown[:9]
	if got := statusOf(t, r, "", Style{Unicode: true, Width: 100}); strings.Contains(got, "Others") {
		t.Errorf("a single part is called others:\n%s", got)
	}
}

func TestTheHeadlineShowsTheDistanceToTheCompaction(t *testing.T) {
	for want, change := range map[string]func(*api.Reading){
		"shop, gpt-5.5: window ~26% full, about 9 requests until it compacts": func(*api.Reading) {},
		"shop, gpt-5.5: window ~26% full, about 1 request until it compacts, as earlier sessions here": func(r *api.Reading) {
			r.Compaction.CallsLeft.Likely, r.Compaction.ForecastFrom = 1, api.Text{Text: "as earlier sessions here"}
		},
		"shop, gpt-5.5: window ~26% full, more than 99 requests until it compacts, as earlier sessions here": func(r *api.Reading) {
			r.Compaction.CallsLeft.Likely, r.Compaction.ForecastFrom = 100, api.Text{Text: "as earlier sessions here"}
		},
		"shop, gpt-5.5: window ~26% full, about 1 request until it compacts":              func(r *api.Reading) { r.Compaction.CallsLeft.Likely = 1 },
		"shop, gpt-5.5: window ~26% full, more than 99 requests until it compacts":        func(r *api.Reading) { r.Compaction.CallsLeft.Likely = 100 },
		"shop, gpt-5.5: window ~26% full, it compacts at the next request":                func(r *api.Reading) { r.Compaction.CallsLeft.High = 0 },
		"shop, gpt-5.5: window ~26% full, it compacts now":                                func(r *api.Reading) { *r.Compaction.Left = 0 },
		"shop, gpt-5.5: window ~26% full, 114.9k tokens until it compacts":                func(r *api.Reading) { r.Compaction.CallsLeft = nil },
		"shop, gpt-5.5: window ~26% full":                                                 func(r *api.Reading) { r.Compaction.Threshold = nil },
		"shop, gpt-5.5: ~52.1k tokens, window unknown":                                    func(r *api.Reading) { r.Limit, r.Compaction.Threshold = nil, nil },
		"session s1, unknown model: window ~26% full, about 9 requests until it compacts": func(r *api.Reading) { r.Workspace, r.Model = "", "" },
	} {
		r := sample(t)
		change(r)
		for name, got := range map[string]string{"status": statusOf(t, r, "", Style{Unicode: true, Width: 100}), "status --all": overlayOf(t, r, Style{Unicode: true, Width: 100})} {
			if first, _, _ := strings.Cut(got, "\n"); first != want {
				t.Errorf("%s begins with %q, want %q", name, first, want)
			}
		}
	}
}
