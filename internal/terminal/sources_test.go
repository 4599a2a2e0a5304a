// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal/terminaltest"
)

// TestSourcesOfTheThresholdAreListed checks that every page lists the sources in order of precedence, with the value of
// a setting and how it is read.
func TestSourcesOfTheThresholdAreListed(t *testing.T) {
	line := func(n int64) *int64 { return &n }
	r := sample(t)
	r.Compaction.Sources = []api.ThresholdSource{
		{Source: "session", Name: api.Text{Text: "this session's compactions"}, Threshold: line(167_000), State: "inForce"},
		{Source: "setting", Name: api.Text{Text: "WINDOW"}, Setting: "WINDOW", Value: "200k", State: "withoutEffect", Note: api.Text{Text: "is read as 200"}},
		{Source: "rule", Name: api.Text{Text: "the agent's rule: claude-code 2.1.20+"}, Threshold: line(967_000), State: "overruled"},
		{Source: "limit", Name: api.Text{Text: "the window minus the space for the response"}, Threshold: line(184_000), State: "withoutEffect"},
	}
	sentences := []string{
		"167,000 in force: this session's compactions",
		"- unused: WINDOW = 200k (is read as 200)",
		"967,000 overruled: the agent's rule: claude-code 2.1.20+",
		"184,000 unused: the window minus the space for the response",
	}
	now, style := time.UnixMilli(1_772_450_000_000), Style{Unicode: true, Width: 80}
	listed := "Sources     " + strings.Join(sentences, "\n            ") + "\n"
	if got := overlayOf(t, r, style); !strings.Contains(got, listed) {
		t.Errorf("the overlay is\n%swithout\n%s", got, listed)
	}
	if got := strings.Join(Page(terminaltest.WithPanel(r), nil, now, style), "\n") + "\n"; !strings.Contains(got, listed) {
		t.Errorf("the page is\n%swithout\n%s", got, listed)
	}
	want := "Sources of the threshold, in order of precedence: " + strings.Join(sentences, "; ") + ".\n"
	if got := ForAgent(terminaltest.WithPanel(r), now); !strings.Contains(got, want) {
		t.Errorf("an agent is told\n%swithout\n%s", got, want)
	}

	// Sources that change nothing are not listed for an agent: the line above names the rule.
	r.Compaction.Sources = r.Compaction.Sources[2:]
	r.Compaction.Sources[0].State = "inForce"
	if got := ForAgent(terminaltest.WithPanel(r), now); strings.Contains(got, "Sources") {
		t.Errorf("an agent is told\n%s", got)
	}
	r.Compaction.Sources[0].State, r.Compaction.Sources[1].State = "overruled", "inForce"
	if got := ForAgent(terminaltest.WithPanel(r), now); !strings.Contains(got, "precedence: 967,000 overruled: the agent's rule: claude-code 2.1.20+; 184,000 in force: ") {
		t.Errorf("of a limit below the rule's threshold, an agent is told\n%s", got)
	}
}
