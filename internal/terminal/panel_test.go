// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal/terminaltest"
)

// The Reading of a window of 200,000 after one request of 50,000 in and 2,000 out, with 100 new since: the example in
// the documentation.
const sampleReading = `{"schema":"ctx.reading/3","session":"s1","agent":"generic","model":"gpt-5.5","workspace":"/w/shop","mode":"hybrid","basis":"measured+estimated","pending":false,
"used":52100,"range":{"low":52050,"high":52150},"limit":200000,"free":131900,"freeShare":65.95,"reserve":16000,"percent":26.05,"limitSource":"user",
"lastRequest":{"in":50000,"percent":25,"cacheRead":0,"cacheWrite":0,"out":2000,"reasoning":0,"carry":2000,"carryBasis":"measured"},
"leaving":{"tokens":0,"reasons":[]},"new":{"tokens":100,"items":1,"basis":"estimated"},
"breakdown":[{"kind":"system","label":{"text":"System prompt"},"tokens":4000,"share":2,"bar":9.98,"basis":"estimated"},{"kind":"tools","label":{"text":"Tools"},"tokens":8000,"share":4,"bar":19.95,"basis":"estimated"},
{"kind":"mcpTools","label":{"text":"github"},"tokens":900,"share":null,"bar":0,"basis":"estimated","deferred":true},{"kind":"messages","label":{"text":"Messages"},"tokens":40100,"share":20.05,"bar":100,"basis":"derived"}],
"compaction":{"rule":"claude-code 2.1.20+","since":"2026-01-10","source":"program","threshold":167000,"thresholdShare":83.5,"left":114900,"leftShare":57.45,"percent":31.2,"level":"ok","buffer":33000,"bufferShare":16.5,"landing":null,"callsLeft":{"low":5,"likely":9,"high":14},"turnsLeft":null,"count":0},
"advice":[],"accuracy":{"last":{"predicted":5120,"actual":5115,"error":5,"percent":0.1},"ratio":1.07,"medianTokens":5,"p95Tokens":5,"p95Percent":0.1,"steps":1},
"spent":{"calls":1,"in":50000,"out":2000,"cacheRead":0,"cacheWrite":0,"reasoning":0},"children":[],"warnings":[],"asOf":null,
"display":{"percent":"26%","used":"52.1k","limit":"200k","free":"131.9k","left":"114.9k","mark":"~","percentLeft":"74%","threshold":"167k","thresholdPercent":"31%","thresholdPercentLeft":"69%","bar":"▰▰▰▱▱▱▱▱▱▱"}}`

func sample(t *testing.T) *api.Reading {
	t.Helper()
	r, err := Parse([]byte(sampleReading))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func overlayOf(t *testing.T, r *api.Reading, s Style) string {
	t.Helper()
	var b strings.Builder
	if err := Overlay(&b, terminaltest.WithPanel(r), "", time.UnixMilli(1_772_450_000_000), s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTheOverlayShowsTheContentsOfTheWindow(t *testing.T) {
	got := overlayOf(t, sample(t), Style{Unicode: true, Width: 80})
	want := `shop, gpt-5.5: window ~26% full, about 9 requests until it compacts
gpt-5.5 · /w/shop
█████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░│░░░░░░░░  ~26%  52.1k of 200k

Compaction  at 167,000, 114,900 to go (31% of the threshold), about 9 requests
            (5–14) left; rule claude-code 2.1.20+, since 2026-01-10
Window      200,000 tokens, set by you

  System prompt   ~4,000    2.0%  █▌
  Tools           ~8,000    4.0%  ███▏
  Messages        40,100   20.0%  ████████████████
  Used           ~52,100   26.0%  52,050–52,150
  Left           114,900   57.4%  until it compacts at 167,000
                                  33,000 held back
  Window         200,000
  github            ~900          loaded on demand

Basis       last input 50,000; last output 2,000 (all of it stays); new since
            then ~100 in 1 item. Together measured+estimated.
Accuracy    last estimate 5,120, actual 5,115, error +5 (+0.1%); estimates are
            multiplied by 1.07
`
	if got != want {
		t.Errorf("the overlay is\n%s\nwant\n%s", got, want)
	}
}

// The free and held-back tokens share a line if it has space for both.
func TestFreeShowsItsLimitAndTheReserve(t *testing.T) {
	r := sample(t)
	r.Agent = "claude-code"
	got := overlayOf(t, r, Style{Unicode: true, Width: 100})
	if want := "Left           114,900   57.4%  until it compacts at 167,000 · 33,000 held back by Claude Code\n"; !strings.Contains(got, want) {
		t.Errorf("%q is missing from\n%s", want, got)
	}
	got = overlayOf(t, r, Style{Unicode: true, Width: 40})
	if want := "    until it compacts at 167,000 ·\n    33,000 held back by Claude Code\n"; !strings.Contains(got, want) {
		t.Errorf("%q is missing from\n%s", want, got)
	}
}

// An agent may record a response before it is complete. The part that stays is then larger, and is not shown as a part
// of it.
func TestAResponseRecordedTooEarlyIsNotComplete(t *testing.T) {
	r := sample(t)
	r.LastRequest.Out, r.LastRequest.Carry, r.LastRequest.CarryBasis = new(int64), 185, "estimated"
	*r.LastRequest.Out = 167
	got := overlayOf(t, r, Style{Unicode: true, Width: 100})
	if !strings.Contains(got, "last answer ~185 (the agent recorded 167);") || strings.Contains(got, "of which") {
		t.Errorf("the basis is\n%s", got)
	}
}

// Past the threshold nothing is left, and no number is negative.
func TestPastTheThresholdItCompactsNow(t *testing.T) {
	r := sample(t)
	r.Agent, r.Used = "claude-code", 169_000
	*r.Compaction.Left = -2_000
	r.Compaction.Level, r.Compaction.Hint, r.Display.Left = "over", api.Text{Text: "compacts now"}, "-2k"
	got := overlayOf(t, r, Style{Unicode: true, Width: 100})
	for _, want := range []string{"Left                  0          it compacts now, 2,000 past 167,000", "compacts now: over by 2,000"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing from\n%s", want, got)
		}
	}
	if strings.Contains(got, "held back") { // the rest of the window is no longer held back
		t.Errorf("what is used reaches into what is held back, which is shown as a whole:\n%s", got)
	}
	if line, _ := Line(DefaultTemplate, r, "", Style{Unicode: true}); !strings.Contains(line, "~26% · compacts now · gpt-5.5") {
		t.Errorf("the line is %q", line)
	}
	r.Agent, r.Compaction.Hint = "gemini-cli", api.Text{Text: "compacts at the next prompt"}
	got = overlayOf(t, r, Style{Unicode: true, Width: 100})
	for _, want := range []string{"Left                  0          it compacts at the next prompt, 2,000 past 167,000", "compacts at the next prompt: over by 2,000"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing from\n%s", want, got)
		}
	}
}

// TestWithoutAThresholdTheHintIsShown checks that "compacts now" is not printed for a session that nothing compacts.
func TestWithoutAThresholdTheHintIsShown(t *testing.T) {
	r := sample(t)
	r.Compaction.Threshold, r.Compaction.Left, r.Compaction.Level, r.Compaction.Hint = nil, nil, "over", api.Text{Text: "window full"}
	r.Display.Left, r.Display.Threshold = "", ""
	if line, _ := Line(DefaultTemplate, r, "", Style{Unicode: true}); !strings.Contains(line, "~26% · window full · gpt-5.5") {
		t.Errorf("the line is %q", line)
	}
	live := Live{Agent: "codex", Title: "Shop", Hint: "window full in ~2 requests", Display: r.Display}
	want := "Codex, Shop: ~26% of 200k, window full in ~2 requests"
	for _, got := range []string{live.Fullness(Style{}), live.Rose(Style{}, "soon"), live.Rose(Style{}, "over")} {
		if got != want {
			t.Errorf("%q is printed instead of %q", got, want)
		}
	}
}

func TestTheOverlayFitsAnyTerminal(t *testing.T) {
	r := sample(t)
	r.Warnings = []api.Text{{Text: "the rows were estimated 400 tokens higher than what was measured, and scaled to fit"}}
	for _, columns := range []int{24, 30, 40, 60, 80, 200} {
		for _, line := range strings.Split(overlayOf(t, r, Style{Unicode: true, Width: columns}), "\n") {
			if width(line) > columns {
				t.Errorf("at %d columns a line has %d: %s", columns, width(line), line)
			}
		}
	}
}

func TestWithoutUnicodeNothingButASCIIIsPrinted(t *testing.T) {
	r := sample(t)
	r.Model, r.Workspace = "größe", "/w/図"
	r.Children = []api.Brief{{Facts: api.Facts{Label: "späher", Percent: new(api.Hundredths)}}}
	for i, c := range overlayOf(t, r, Style{Width: 80}) {
		if c > 127 {
			t.Fatalf("byte %d is %q", i, c)
		}
	}
}

func TestColourIsAddedAndChangesNothingElse(t *testing.T) {
	r := sample(t)
	colored := overlayOf(t, r, Style{Unicode: true, Color: true, Width: 80})
	if !strings.Contains(colored, "\x1b[32m") {
		t.Error("nothing is green at level ok")
	}
	r.Compaction.Level = "over"
	if over := overlayOf(t, r, Style{Unicode: true, Color: true, Width: 80}); !strings.Contains(over, "\x1b[1;31m") {
		t.Error("nothing is red at level over")
	}
}

func TestAdviceMarksItsNumber(t *testing.T) {
	r := sample(t)
	r.Advice = []api.Advice{
		{Label: api.Text{Text: "Shorten memory files"}, Tokens: 13_091, Basis: "counted", AtMost: true, How: api.Text{Text: "/memory"}},
		{Label: api.Text{Text: "Compact the conversation"}, Tokens: 90_000, Basis: "estimated", How: api.Text{Text: "/compact"}},
	}
	got := overlayOf(t, r, Style{Unicode: true, Width: 100})
	for _, want := range []string{"Shorten memory files: frees at most 13,091 with /memory", "Compact the conversation: frees ~90,000 with /compact"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// Labels come from transcripts and may contain anything.
func TestLabelsCannotSteerTheTerminal(t *testing.T) {
	r := sample(t)
	r.Breakdown[0].Label = api.Text{Text: "a\x1b[2Jb\u202ec\nd\u009bm"}
	r.Warnings = []api.Text{{Text: "\x1b]0;title\x07"}}
	got := overlayOf(t, r, Style{Unicode: true, Width: 80})
	for _, bad := range []string{"\x1b", "\u202e", "\u009b", "\x07"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is printed", bad)
		}
	}
}

func TestUnknownValuesAreShownAsUnknown(t *testing.T) {
	r, err := Parse([]byte(`{"used":900,"limit":null,"percent":null,"basis":"estimated","breakdown":[],"compaction":{"rule":"none","threshold":null,"level":"ok"},"lastRequest":null,
"new":{"tokens":900,"items":3,"basis":"estimated"},"display":{"percent":"?","used":"900","limit":"?","free":"?","left":"?","mark":"~"}}`))
	if err != nil {
		t.Fatal(err)
	}
	got := overlayOf(t, r, Style{Unicode: true, Width: 80})
	for _, want := range []string{"unknown model", "window unknown", "no request yet; new ~900 in 3 items", "nothing to compare yet", "Compaction  none known"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing from\n%s", want, got)
		}
	}
}

func TestTemplates(t *testing.T) {
	r := sample(t)
	s := Style{Unicode: true}
	for template, want := range map[string]string{
		DefaultTemplate:                    "▰▰▰▱▱▱▱▱▱▱ ~26% · 114.9k to compaction · gpt-5.5",
		"{used}/{limit} {level}":           "52.1k/200k ok",
		"{percent}[ agent {agentPercent}]": "26%",
		"{calls} calls[, {turns} turns]":   "5–14 calls",
		"[{age} old]{error}":               "+5",
	} {
		got, err := Line(template, r, "", s)
		if err != nil || got != want {
			t.Errorf("%q gives %q, %v; want %q", template, got, err, want)
		}
	}
	for _, template := range []string{"{percent", "[{used}", "{precent}"} {
		if got, err := Line(template, r, "", s); err == nil {
			t.Errorf("%q gives %q and no error", template, got)
		}
	}
	if got, _ := Line(DefaultTemplate, r, "", Style{}); got != "###....... ~26% - 114.9k to compaction - gpt-5.5" {
		t.Errorf("in ASCII: %q", got)
	}
}

const sampleHistory = `{"points":[{"at":1,"call":1,"used":20000,"limit":200000,"basis":"measured"},{"at":2,"call":2,"used":90000,"limit":200000,"basis":"measured"},
{"at":3,"call":3,"used":168000,"limit":200000,"basis":"measured"},{"at":4,"call":4,"used":30000,"limit":200000,"basis":"measured"}],
"compactions":[{"at":4,"call":4,"before":168500,"after":30000,"trigger":"auto"}],"threshold":167000,"limit":200000}`

func TestTheChartShowsTheCurveAndItsCompactions(t *testing.T) {
	h, err := ParseHistory([]byte(sampleHistory))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Chart(&b, h, Style{Unicode: true, Width: 60}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"200k ┤", "167k ┤", "▲ compacted before request 4: 168,500 → 30,000, auto", "█"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing from\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := Chart(&b, h, Style{Unicode: true, Width: 40}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if width(strings.TrimRight(line, "\n")) > 40 {
			t.Errorf("%q does not fit into 40 columns", line)
		}
	}
}

// TestChartsMarkBreaksOfTheCache checks the mark of a break in the terminal's chart, in the image and on the page, and
// that a compaction's break has only the compaction's mark.
func TestChartsMarkBreaksOfTheCache(t *testing.T) {
	h, err := ParseHistory([]byte(sampleHistory))
	if err != nil {
		t.Fatal(err)
	}
	at := api.Time(1_790_000_000_000)
	h.Breaks = []api.DetailedBreak{
		{At: &at, Call: 2, Cause: "model", Written: 18_000, Kept: 2_000, CauseText: api.Text{Text: "the model was <changed>"}, Text: api.Text{Text: "the model was <changed>: 18,000 tokens"}},
		{Call: 3, Cause: "time", Written: 80_000, Unread: true, CauseText: api.Text{Text: "a pause"}, Text: api.Text{Text: "a pause: 80,000 tokens"}},
		{Call: 4, Cause: "compaction", Written: 9_000, CauseText: api.Text{Text: "compacted"}, Text: api.Text{Text: "compacted: 9,000 tokens"}},
	}
	var chart, image, page strings.Builder
	if err := Chart(&chart, h, Style{Unicode: true, Width: 60}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(chart.String(), "\n            ◆   ◆   ▲\n") {
		t.Errorf("the marks are not those of requests 2, 3 and 4:\n%s", chart.String())
	}
	if err := SVG(&image, h, "a session", Style{Unicode: true}); err != nil {
		t.Fatal(err)
	}
	r := &api.Reading{Cache: api.Cache{Breaks: &api.CacheBreaks{Count: 3, Text: api.Text{Text: "3 breaks, 107k written again"}}}, Display: api.Display{}}
	if err := HTML(&page, HistoryPage{Reading: r, History: h, Written: time.UnixMilli(1_790_000_000_000).UTC()}, Style{}); err != nil {
		t.Fatal(err)
	}
	for _, drawn := range []string{image.String(), page.String()} {
		if n := strings.Count(drawn, "l4 5 l-4 5"); n != 2 || !strings.Contains(drawn, "request 2: the model was &lt;changed&gt;: 18,000 tokens") {
			t.Errorf("%d marks, want 2 with their texts:\n%s", n, drawn)
		}
	}
	for _, want := range []string{
		"<p>3 breaks, 107k written again.</p>",
		`<td>21 Sep 14:13</td><td class="n">2</td><td>the model was &lt;changed&gt;</td><td class="n">18,000</td><td class="n"></td><td class="n">2,000</td>`,
		`<td></td><td class="n">3</td><td>a pause</td><td class="n"></td><td class="n">80,000</td><td class="n">0</td>`,
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is missing from the page", want)
		}
	}
}

func TestTheSVGIsXMLWhateverTheTitle(t *testing.T) {
	h, _ := ParseHistory([]byte(sampleHistory))
	for _, title := range []string{"a session", `<script>&"`, "\x1b\x00\xff"} {
		var b strings.Builder
		if err := SVG(&b, h, title, Style{Unicode: true}); err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(strings.NewReader(b.String()))
		d.Strict = true
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v", title, err)
			}
		}
	}
}

func TestAges(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "now", 0: "0s", 59 * time.Second: "59s", time.Minute: "1m", 3 * time.Hour: "3h", 47 * time.Hour: "47h", 72 * time.Hour: "3d",
	} {
		if got := Age(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestSessionsAreNamedByTheirDifference(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	rows := []SessionRow{
		{ID: "0197f1c2-0000-7000", Agent: "claude-code", Percent: "~64%", Used: "128k", Limit: "200k", Level: "soon", Modified: now.Add(-time.Minute), Workspace: "/home/ada/shop"},
		{ID: "0197f1c2-0000-7000/agent-abc", Agent: "claude-code", Percent: "3%", Used: "6k", Limit: "200k", Level: "ok", Modified: now, Depth: 1},
		{ID: "0197f1c2-0001-7000", Agent: "codex", Percent: "?", Modified: now.Add(-72 * time.Hour), Problem: "it is locked"},
	}
	var b strings.Builder
	if err := Sessions(&b, rows, now, Style{Unicode: true, Width: 80}); err != nil {
		t.Fatal(err)
	}
	want := `USED  TOKENS        LEVEL  AGE  AGENT        SESSION
~64%  128k of 200k  soon    1m  Claude Code  0197f1c2-0000  /home/ada/shop
  3%  6k of 200k    ok      0s  Claude Code  └ agent-abc
   ?                        3d  Codex        0197f1c2-0001  it is locked
`
	if b.String() != want {
		t.Errorf("the list is\n%s\nwant\n%s", b.String(), want)
	}
}

func TestPercentagesAreRoundedAsCoreRoundsThem(t *testing.T) {
	for percent, want := range map[string]string{"26.05": "26%", "35.5": "36%", "0.49": "0%", "100": "100%", "106.73": "107%"} {
		r, err := Parse([]byte(`{"percent":` + percent + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Percent.Short(); got != want {
			t.Errorf("%s is %q, want %q", percent, got, want)
		}
	}
	if _, err := Parse([]byte(`{"percent":"x"}`)); err == nil {
		t.Error("a percentage that is no number is taken")
	}
}

// In provider mode nothing is estimated, and an unknown value is explained rather than shown as a question mark or left
// out.
func TestProviderModeShowsAMeasurementOrAReason(t *testing.T) {
	measured := sample(t)
	measured.Mode, measured.Used, measured.Basis = "provider", 50000, "measured"
	measured.Display.Percent, measured.Display.Used, measured.Display.Mark = "25.0%", "50k", ""
	nothing := Nothing("gpt-5.5")
	windowless := sample(t)
	windowless.Mode, windowless.Used, windowless.Limit, windowless.Percent, windowless.Free = "provider", 5000, nil, nil, nil
	windowless.Display = api.Display{Percent: "5k", Used: "5k"}
	windowless.Unmeasured, windowless.Compaction = api.Text{Text: "window unknown"}, api.Compaction{Rule: "none", Level: "ok"}
	for name, c := range map[string]struct {
		r             *api.Reading
		overlay, line string
	}{
		"measured":   {measured, "25.0%  50k of 200k", "▰▰▰▱▱▱▱▱▱▱ 25.0% · 114.9k to compaction · gpt-5.5"},
		"nothing":    {nothing, "0.0%  0 tokens, nothing measured yet", "0.0% · nothing measured yet · gpt-5.5"},
		"windowless": {windowless, "5k tokens, window unknown", "5k · window unknown · gpt-5.5"},
	} {
		overlay := overlayOf(t, c.r, Style{Unicode: true, Width: 100})
		if !strings.Contains(overlay, c.overlay) || strings.Contains(overlay, "?") {
			t.Errorf("%s: the overlay lacks %q or has a ?:\n%s", name, c.overlay, overlay)
		}
		if line, err := Line(DefaultTemplate, c.r, "", Style{Unicode: true}); err != nil || line != c.line {
			t.Errorf("%s: the line is %q, want %q", name, line, c.line)
		}
		for _, f := range api.LineFields {
			if line, _ := Line("{"+f.Name+"}", c.r, "", Style{Unicode: true}); strings.Contains(line, "?") {
				t.Errorf("%s: {%s} is %q", name, f.Name, line)
			}
		}
	}
}

// TestAListOfSessionsFitsNarrowTerminals checks the list at 40 columns, where an overlong line would break the table:
// the least useful columns are left out, and a session's id and title stay.
func TestAListOfSessionsFitsNarrowTerminals(t *testing.T) {
	now := time.UnixMilli(1_772_450_000_000)
	rows := []SessionRow{
		{ID: "0197f1c2-1111", Agent: "claude-code", Title: "Mend the parser of dates", Workspace: "/home/ada/shop", Percent: "~73%", Used: "146k", Limit: "200k", Level: "ok", Modified: now},
		{ID: "0297f1c4-3333", Agent: "copilot-cli", Workspace: "/home/ada/a/very/long/path/atlas", Percent: "~34%", Used: "68.7k", Limit: "200k", Level: "soon", Modified: now},
		{ID: "0397f1c5-4444", Agent: "claude-code", Title: "Größe 図表", Problem: "it is locked", Modified: now},
	}
	for _, columns := range []int{24, 40, 50, 60, 80, 120} {
		var b strings.Builder
		if err := Sessions(&b, rows, now, Style{Unicode: true, Width: columns}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			if width(line) > columns {
				t.Errorf("at %d columns a line has %d: %s", columns, width(line), line)
			}
		}
		for _, want := range []string{"0197f1c2", "0297f1c4", "USED"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("at %d columns there is no %s:\n%s", columns, want, b.String())
			}
		}
		if columns >= 40 && !strings.Contains(b.String(), "Mend the ") {
			t.Errorf("at %d columns there is no title:\n%s", columns, b.String())
		}
	}
}

// TestStatusShowsTheSessionAndItsAge checks the lines above the bar, and that no row exceeds the terminal.
func TestStatusShowsTheSessionAndItsAge(t *testing.T) {
	now := time.UnixMilli(1_772_450_000_000)
	r := sample(t)
	ago := func(d time.Duration) *api.Time { at := api.Time(now.Add(-d).UnixMilli()); return &at }
	r.Title, r.Branch, r.Activity, r.Since, r.AsOf = "Mend the parser of dates", "main", "working", ago(12*time.Minute), ago(4*time.Second)
	for _, columns := range []int{40, 80} {
		var b strings.Builder
		if err := Overlay(&b, terminaltest.WithPanel(r), "", now, Style{Unicode: true, Width: columns}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(b.String(), "shop, gpt-5.5: window ~26% full, ") || !strings.Contains(b.String(), "\nMend the parser of dates\n") || !strings.Contains(b.String(), "\nworking for 12m · last record 4s") {
			t.Errorf("at %d columns status begins\n%.200s", columns, b.String())
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			if width(line) > columns || strings.HasSuffix(line, " ") {
				t.Errorf("at %d columns there is a line of %d: %q", columns, width(line), line)
			}
		}
	}
}

// TestALongWordIsWrappedToo checks that paths, which have no spaces, fit narrow terminals.
func TestALongWordIsWrappedToo(t *testing.T) {
	const path = `D:\shop\src\segments\configured_language_of_the_shop.go`
	for _, columns := range []int{8, 20, 28, 60} {
		lines := wrap("Read "+path+" ×3 図表図表図表図表図表図表図表", columns)
		for _, line := range lines {
			if width(line) > columns {
				t.Errorf("%d columns: %q", columns, line)
			}
		}
		if got := strings.Join(lines, ""); !strings.Contains(strings.ReplaceAll(got, " ", ""), path) {
			t.Errorf("%d columns: %q", columns, lines)
		}
	}
	if got := tenths(4); got != "<0.1" {
		t.Errorf("a trace is %s", got)
	}
	if got := tenths(0); got != "0.0" {
		t.Errorf("nothing is %s", got)
	}
}

// TestSessionsShowTheirAgentInEightyColumns checks that at 80 columns the list of one agent's sessions shows the
// directory of each in place of the agent, and that the list of several agents shows the agents.
func TestSessionsShowTheirAgentInEightyColumns(t *testing.T) {
	now := time.UnixMilli(1_790_000_000_000)
	rows := []SessionRow{}
	for i, folder := range []string{"/home/ada/projects/shop-api", "/home/ada/projects/my-game"} {
		rows = append(rows, SessionRow{
			ID: fmt.Sprintf("%d197f1c2-0000", i), Agent: "claude-code", Title: "Create the draft of a long title", Workspace: folder,
			Percent: "6%", Used: "61.7k", Limit: "1M", Level: "ok", Modified: now.Add(-time.Hour), Back: &api.Back{WarmUntil: 1, ColdFrom: 2, Life: 3, Cause: "time"},
		})
	}
	list := func() string {
		var b strings.Builder
		if err := Sessions(&b, rows, now, Style{Unicode: true, Width: 80}); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if width(line) > 80 {
				t.Errorf("%q has %d columns", line, width(line))
			}
		}
		return b.String()
	}
	if got := list(); !strings.Contains(got, "/shop-api\n") || !strings.Contains(got, "/my-game\n") || strings.Contains(got, "AGENT") {
		t.Errorf("sessions of one agent:\n%s", got)
	}
	rows[1].Agent = "codex"
	if got := list(); !strings.Contains(got, "Claude Code") || !strings.Contains(got, "Codex") {
		t.Errorf("sessions of two agents:\n%s", got)
	}
}
