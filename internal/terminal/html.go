// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A HistoryPage is the usage history of one session, for a page of its own.
type HistoryPage struct {
	Reading *api.Reading
	History *api.HistoryAnswer
	Filled  []Filled
	Largest []api.LargeItem
	Written time.Time
}

// Filled is the content of the window after one request.
type Filled struct {
	Call int64
	Rows []api.Row
}

// HTML writes the page. It refers to nothing outside: no script, font or address.
func HTML(w io.Writer, p HistoryPage, s Style) error {
	s.Unicode, s.Color = true, false
	d := &htmlPage{p: p, s: s, view: panelView{panel: p.Reading.Panel, short: true, now: p.Written, s: s}}
	d.head()
	d.window()
	d.filled()
	d.compactions()
	d.breaks()
	d.rows()
	d.largest()
	d.add(`<footer>Written by ctx-lsp on %s. It contains names of files, commands and tools, but no text of the conversation.</footer>`, p.Written.Format("2 January 2006 15:04"))
	d.add("</main></body></html>")
	_, err := io.WriteString(w, d.out.String())
	return err
}

type htmlPage struct {
	p HistoryPage
	s Style
	// view is the short form of the panel.
	view panelView
	out  strings.Builder
}

func (d *htmlPage) add(format string, args ...any) { fmt.Fprintf(&d.out, format+"\n", args...) }

// text makes a name from a transcript safe for the page.
func (d *htmlPage) text(text string) string { return escape(d.s.Clean(text)) }

const pageStyle = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --ground: #ffffff; --card: #f6f8fa; --edge: #d1d9e0;
  --ok: #1a7f37; --soon: #9a6700; --now: #cf222e; --mark: #0969da; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --ground: #0d1117; --card: #151b23;
  --edge: #3d444d; --ok: #3fb950; --soon: #d29922; --now: #f85149; --mark: #58a6ff; } }
* { box-sizing: border-box; } body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 24px 20px 40px; } h1 { font-size: 22px; margin: 0; }
h2 { font-size: 16px; margin: 32px 0 8px; } p { margin: 4px 0; } .soft, footer { color: var(--soft); }
.standing { font-size: 17px; margin: 14px 0; } .standing b { font-size: 28px; } .ok { color: var(--ok); } .soon { color: var(--soon); }
.now, .over { color: var(--now); } svg { width: 100%; height: auto; display: block; } svg text { fill: var(--soft); font-size: 12px; }
table { border-collapse: collapse; width: 100%; } td, th { padding: 3px 8px 3px 0; text-align: left; vertical-align: middle; }
th { color: var(--soft); font-weight: normal; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
table.few { width: auto; } table.few td, table.few th { padding-right: 28px; } td.name { overflow-wrap: anywhere; } td.bar { width: 32%; } td.bar i { display: block; height: 10px; border-radius: 2px; min-width: 1px; }
.key { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 8px 0 0; padding: 0; list-style: none; } .key i { display: inline-block; width: 11px; height: 11px;
  border-radius: 2px; margin-right: 6px; } footer { margin-top: 40px; font-size: 13px; border-top: 1px solid var(--edge); padding-top: 10px; }
`

// kindColors are the colors of the kinds, light enough for a dark page and dark enough for a light one.
var kindColors = map[api.Kind]string{
	"system": "#8b949e", "prefix": "#8b949e", "tools": "#5f8fb3", "mcpTools": "#3f6f9a", "memory": "#b59a3c", "skills": "#c77d2f", "agents": "#7a9a5a",
	"documents": "#a3729c", "summary": "#767ea8", "user": "#3b82d6", "assistant": "#5a67c8", "toolCalls": "#3fa37a", "toolResults": "#b0569b",
	"reasoning": "#cf6a5a", "media": "#c9a227", "messages": "#5a67c8", "unattributed": "#a0a4a8",
}

func kindColor(kind api.Kind) string {
	if color, known := kindColors[kind]; known {
		return color
	}
	return "#a0a4a8"
}

func (d *htmlPage) head() {
	r := d.p.Reading
	title := r.Title
	if title == "" {
		title = "Session " + r.Session
	}
	d.add("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
	d.add(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`)
	d.add("<title>%s</title><style>%s</style></head><body><main>", d.text(title), pageStyle)
	d.add("<h1>%s</h1>", d.text(title))
	about := []string{agentName(r.Agent), r.Model, r.Workspace}
	about = append(about, timeSpan(d.p.History))
	about = slices.DeleteFunc(about, func(text string) bool { return text == "" || text == "generic" })
	d.add(`<p class="soft">%s</p>`, d.text(strings.Join(about, " · ")))
}

// window writes how full the window is, and when the agent compacts.
func (d *htmlPage) window() {
	for _, row := range d.view.rows("window") {
		switch row.ID {
		case "full":
		case "usage":
			d.add(`<p class="standing"><b class="%s">%s</b> %s</p>`, escape(string(row.Tone)), escape(row.value), escape(row.note))
		default:
			d.add(`<p class="%s">%s</p>`, escape(string(row.Tone)), escape(row.value))
		}
	}
}

// filled draws the content of the window after each request, stacked by kind, with the threshold, the limit and the
// compactions.
func (d *htmlPage) filled() {
	const wide, high, left, right, above, below = 960, 380, 54, 112, 14, 34
	h := d.p.History
	top, last := upperEdge(h), int64(1)
	var kinds []api.Kind
	labels := map[api.Kind]string{}
	for _, f := range d.p.Filled {
		sum := int64(0)
		last = max(last, f.Call)
		for _, row := range f.Rows {
			if row.Deferred {
				continue
			}
			sum += row.Tokens
			if !slices.Contains(kinds, row.Kind) {
				kinds = append(kinds, row.Kind)
				labels[row.Kind] = kindLabel(row)
			}
		}
		top = max(top, sum)
	}
	x := func(call int64) int64 { return left + (call-1)*(wide-left-right)/max(last-1, 1) }
	y := func(tokens int64) int64 { return above + (high - above - below) - tokens*(high-above-below)/top }
	d.add("<h2>Content of the window after each request</h2>")
	d.add(`<svg viewBox="0 0 %d %d" role="img" aria-label="tokens by kind over %d requests">`, wide, high, last)
	for i := int64(0); i <= 4; i++ {
		at := top * i / 4
		d.add(`<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="var(--edge)" stroke-width=".6"/><text x="%d" y="%d" text-anchor="end">%s</text>`, left, wide-right, y(at), y(at), left-6, y(at)+4, core.Short(at))
	}
	below0 := make([]int64, len(d.p.Filled))
	for _, kind := range kinds {
		var upper, lower []string
		for i, f := range d.p.Filled {
			tokens := int64(0)
			for _, row := range f.Rows {
				if row.Kind == kind && !row.Deferred {
					tokens += row.Tokens
				}
			}
			lower = append(lower, fmt.Sprintf("%d,%d", x(f.Call), y(below0[i])))
			below0[i] += tokens
			upper = append(upper, fmt.Sprintf("%d,%d", x(f.Call), y(below0[i])))
		}
		slices.Reverse(lower)
		d.add(`<polygon fill="%s" points="%s %s"><title>%s</title></polygon>`, kindColor(kind), strings.Join(upper, " "), strings.Join(lower, " "), d.text(labels[kind]))
	}
	level := func(tokens *int64, color, name string) {
		if tokens != nil && *tokens <= top {
			d.add(`<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="%s" stroke-width="1.5" stroke-dasharray="6 4"/><text x="%d" y="%d">%s %s</text>`,
				left, wide-right, y(*tokens), y(*tokens), color, wide-right+6, y(*tokens)+4, name, core.Short(*tokens))
		}
	}
	level(h.Limit, "var(--now)", "window")
	level(h.Threshold, "var(--soon)", "compacts")
	for _, c := range h.Compactions {
		d.add(`<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="var(--mark)" stroke-width="1.5"/><circle cx="%d" cy="%d" r="4" fill="var(--mark)"><title>compacted before request %d</title></circle>`,
			x(c.Call), x(c.Call), above, high-below, x(c.Call), high-below, c.Call)
	}
	for _, broke := range brokenAlone(h) {
		d.add("%s", breakDiamond(x(broke.Call), high-below, &broke, d.s, "var(--soon)"))
	}
	d.add(`<text x="%d" y="%d">call 1</text><text x="%d" y="%d" text-anchor="end">call %d</text></svg>`, left, high-12, wide-right, high-12, last)
	d.add(`<ul class="key">`)
	for _, kind := range kinds {
		d.add(`<li><i style="background:%s"></i>%s</li>`, kindColor(kind), d.text(labels[kind]))
	}
	if len(h.Breaks) > 0 {
		d.add(`<li><b style="color:var(--soon)">◆</b> break of the prompt cache</li>`)
	}
	d.add("</ul>")
}

// breaks writes the breaks of the prompt cache: their number in a sentence, and each in a row.
func (d *htmlPage) breaks() {
	sum, list := d.p.Reading.Cache.Breaks, d.p.History.Breaks
	if sum == nil || len(list) == 0 {
		return
	}
	d.add(`<h2>Breaks of the prompt cache</h2><p>%s.</p>`, d.text(sum.Text.Text))
	d.add(`<table class="few"><tr><th>answered</th><th class="n">request</th><th>cause</th><th class="n">written again</th><th class="n">not read</th><th class="n">read from the cache</th></tr>`)
	for _, b := range list {
		at, written, unread := "", Digits(b.Written), ""
		if b.At != nil {
			at = time.UnixMilli(int64(*b.At)).In(d.p.Written.Location()).Format("2 Jan 15:04")
		}
		if b.Unread {
			written, unread = unread, written
		}
		d.add(`<tr><td>%s</td><td class="n">%s</td><td>%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td></tr>`,
			at, Digits(b.Call), d.text(b.CauseText.Text), written, unread, Digits(b.Kept))
	}
	d.add("</table>")
}

func (d *htmlPage) compactions() {
	if len(d.p.History.Compactions) == 0 {
		return
	}
	d.add(`<h2>Compactions</h2><table class="few"><tr><th class="n">before request</th><th class="n">size before</th><th class="n">size after</th><th>by</th></tr>`)
	for _, c := range d.p.History.Compactions {
		d.add(`<tr><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td>%s</td></tr>`, Digits(c.Call), known(c.Before), known(c.After), d.text(string(c.Trigger)))
	}
	d.add("</table>")
}

// table writes the heading and header row of a table with bars.
func (d *htmlPage) table(title string) {
	d.add(`<h2>%s</h2><table><tr><th>item</th><th class="n">tokens</th><th class="n">of the window</th><th></th></tr>`, title)
}

func (d *htmlPage) row(name, tokens string, of *api.Hundredths, bar api.Hundredths, kind api.Kind) {
	share := ""
	if of != nil {
		share = d.text(tenths(*of)) + "%%"
	}
	d.add(`<tr><td class="name">%s</td><td class="n">%s</td><td class="n">`+share+`</td><td class="bar"><i style="width:%d%%;background:%s"></i></td></tr>`,
		d.text(name), tokens, bar.Of(100), kindColor(kind))
}

func (d *htmlPage) rows() {
	d.table("Content now")
	for _, row := range d.p.Reading.Breakdown {
		if !row.Deferred {
			d.row(row.Label.Text, mark(row.Basis)+Digits(row.Tokens), row.Share, row.Bar, row.Kind)
		}
	}
	d.add("</table>")
}

// largestOnPage is how many of the largest items a page lists.
const largestOnPage = 30

func (d *htmlPage) largest() {
	if len(d.p.Largest) == 0 {
		return
	}
	d.table("Largest in the conversation")
	list := d.p.Largest[:min(len(d.p.Largest), largestOnPage)]
	for _, item := range list {
		name := item.Label.Text
		if item.Times > 1 {
			name += " ×" + itoa(item.Times)
		}
		d.row(name, mark(item.Basis)+Digits(item.Tokens), item.Share, item.Bar, item.Kind)
	}
	d.add("</table>")
}
