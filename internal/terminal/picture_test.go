// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// TestTheGridHasAHundredCellsWhateverFillsTheWindow checks that as many cells are lit as the percentage says, that each
// kind has its share of them to within one cell and a row of the legend, and that nothing is drawn beyond the end.
func TestTheGridHasAHundredCellsWhateverFillsTheWindow(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	for range 2000 {
		r := &api.Reading{Agent: "codex", Model: "m"}
		for i := range random.IntN(16) {
			row := api.Row{Kind: api.Kind([]string{"system", "tools", "user", "media", "toolResults"}[i%5]), Label: api.Text{Text: strings.Repeat("名", random.IntN(40))}, Tokens: random.Int64N(1 << uint(random.IntN(40))), Basis: "estimated"}
			r.Used += row.Tokens
			r.Breakdown = append(r.Breakdown, row)
		}
		if random.IntN(4) > 0 {
			limit := random.Int64N(1 << uint(1+random.IntN(40)))
			line := limit * random.Int64N(101) / 100
			left := line - r.Used
			r.Limit, r.Compaction.Threshold, r.Compaction.Left, r.Free = &limit, &line, &left, &left
			r.Percent = api.ShareOf(r.Used, &limit)
			held := max(limit-line, 0)
			r.Compaction.Buffer, r.Compaction.BufferShare = &held, api.ShareOf(held, &limit)
		}
		p := NewPicture(r, nil)
		groups, free, back := p.cells(100)
		lit, tokens := 0, max(r.Used, 1)
		for _, n := range groups {
			lit += n
		}
		want := 0
		if r.Percent != nil {
			want = int(min((*r.Percent+50)/100, 100))
		} else if r.Used > 0 {
			want = 100
		}
		if lit != want || lit+free+back != 100 || free < 0 || back < 0 {
			t.Fatalf("seed %d: %d cells are lit, want %d; %d free, %d back", seed, lit, want, free, back)
		}
		for i, n := range groups {
			if off := int64(n)*tokens - p.Groups[i].Tokens*int64(lit); off <= -tokens || off >= tokens {
				t.Fatalf("seed %d: %d of %d cells for %d of %d tokens", seed, n, lit, p.Groups[i].Tokens, r.Used)
			}
		}
		for _, columns := range []int{24, 40, 60, 80, 200} {
			var b strings.Builder
			if err := Context(&b, p, Style{Unicode: true, Width: columns}); err != nil {
				t.Fatal(err)
			}
			for _, g := range p.Groups {
				if letter, _ := lookOf(g.Kind); !strings.Contains(b.String(), letter+" ") {
					t.Fatalf("seed %d: no row for %q in\n%s", seed, g.Label, b.String())
				}
			}
			for line := range strings.Lines(b.String()) {
				if width(strings.TrimRight(line, "\n")) > max(columns, 36) {
					t.Fatalf("seed %d, %d columns: %q", seed, columns, line)
				}
			}
		}
	}
}

// TestServersAreShownInTheWordsOfTheReading checks that the picture and the status show the sentence of each MCP
// server, in full at any width, and compute nothing.
func TestServersAreShownInTheWordsOfTheReading(t *testing.T) {
	const text = "12 tools of github, 9 never called, 8.1k in every request, switch off with claude mcp remove github"
	r := &api.Reading{Agent: "claude-code", Model: "m", MCPServers: []api.Server{{Name: "github", Text: api.Text{Text: text}}, {Name: "files", Text: api.Text{Text: "files, configured and not called, size unknown"}}}}
	for _, columns := range []int{40, 80} {
		var b strings.Builder
		if err := Context(&b, NewPicture(r, nil), Style{Unicode: true, Width: columns}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(b.String()), " "); !strings.Contains(got, "MCP servers "+text+" files, configured") {
			t.Errorf("%d columns:\n%s", columns, b.String())
		}
	}
}

// TestTheNumbersOfTheLegendAreAligned checks that the numbers align next to kinds with long names.
func TestTheNumbersOfTheLegendAreAligned(t *testing.T) {
	limit := int64(1_000_000)
	r := &api.Reading{Agent: "codex", Model: "m", Used: 9000, Limit: &limit, Breakdown: []api.Row{
		{Kind: "user", Label: api.Text{Text: "User"}, Tokens: 2000, Basis: "estimated"},
		{Kind: "prefix", Label: api.Text{Text: "Memory, skills and others, not recorded"}, Tokens: 7000, Basis: "derived"},
	}}
	for _, columns := range []int{60, 80, 100} {
		var b strings.Builder
		if err := Context(&b, NewPicture(r, nil), Style{Unicode: true, Width: columns}); err != nil {
			t.Fatal(err)
		}
		at := map[int]bool{}
		for line := range strings.Lines(b.String()) {
			if before, _, is := strings.Cut(line, "%\n"); is {
				at[width(before)] = true
			}
		}
		if len(at) != 1 {
			t.Errorf("%d columns:\n%s", columns, b.String())
		}
	}
}

// TestSmallKindsLightNoCellsOfTheirOwn checks a picture that once lit 13 cells at 6%.
func TestSmallKindsLightNoCellsOfTheirOwn(t *testing.T) {
	limit, used := int64(200_000), int64(0)
	r := &api.Reading{Agent: "claude-code", Model: "m", Limit: &limit}
	for i, kind := range []api.Kind{"system", "tools", "mcpTools", "skills", "agents", "memory", "user", "assistant", "toolCalls", "toolResults", "reasoning", "media"} {
		row := api.Row{Kind: kind, Label: api.Text{Text: string(kind)}, Tokens: int64(100 + 150*i), Basis: "estimated"}
		used += row.Tokens
		r.Breakdown = append(r.Breakdown, row)
	}
	r.Used, r.Percent = used, api.ShareOf(used, &limit)
	groups, free, _ := NewPicture(r, nil).cells(100)
	if len(groups) != 12 || free != 94 {
		t.Errorf("%d cells of 100 are free at %s%%, want 94: %v", free, r.Percent, groups)
	}
}

// TestNamesAreNotCutAtAColon checks that a row's own name appears whole, and a kind's name for third-party names and
// for a phrase of one part.
func TestNamesAreNotCutAtAColon(t *testing.T) {
	for _, c := range []struct {
		row  api.Row
		want string
	}{
		{api.Row{Kind: "mcpTools", Label: api.Text{Text: "a: b"}, Basis: "derived"}, "MCP tools"},
		{api.Row{Kind: "unattributed", Label: api.Text{Text: "Not in the transcript: reminders", ID: "unseen"}, Basis: "derived"}, "Not in the transcript"},
		{api.Row{Kind: "mcpTools", Label: api.Text{Text: "Tools: all", ID: "otherTools"}, Basis: "derived"}, "Tools: all"},
		{api.Row{Kind: "prefix", Label: api.Text{Text: "Before: after", ID: "prefix"}, Basis: "derived"}, "Before: after"},
		{api.Row{Kind: "tools", Label: api.Text{Text: "a: b"}, Basis: "counted"}, "Tools"},
	} {
		if got := kindLabel(c.row); got != c.want {
			t.Errorf("%+v is called %q, want %q", c.row, got, c.want)
		}
	}
}
