// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// cache adds the cost of coming back, and the breaks of the prompt cache.
func (p *panel) cache() {
	var rows []PanelRow
	if b := p.Back; b != nil {
		back := newRow("back", "", Text{})
		back.Dated = b.dated()
		if l := p.Compaction.Landing; l != nil && b.CompactFirst != Unknown && b.CompactFirst < b.Rewritten && b.Life > 0 && l.Likely < p.Used {
			frees, rewrites := phrase.Tokens(Short(p.Used-l.Likely)), phrase.Tokens(Short(b.CompactFirst))
			text := phrase.CompactNowFrees.Text(frees, rewrites, phrase.Name(Time), phrase.Tokens(b.Display))
			now := newRow("compactNow", "", Text{})
			now.Dated = []Dated{{b.WarmUntil - b.Life, text, b.WarmUntil, Minutes}, {b.WarmUntil + 1, Text{}, Unknown, ""}}
			brief := back
			if brief.Dated = slices.Clone(back.Dated); len(brief.Dated) > 1 {
				brief.Dated[1].Value = text // while the cache is warm, instead of both
			}
			brief.Only, back.Only, now.Only = OnlyShort, OnlyLong, OnlyLong
			rows = append(rows, brief, back, now)
		} else {
			rows = append(rows, back)
		}
		if b.CompactsAt != Unknown && !b.CompactsText.Empty() {
			at := newRow("compactsAt", "", Text{})
			text := phrase.CompactsAtTime.Text(phrase.Name(Time), b.CompactsText.Arg())
			at.Dated = []Dated{{0, text, b.CompactsAt, Clock}, {b.CompactsAt, Text{}, Unknown, ""}}
			rows = append(rows, at)
		}
	}
	if b := p.Breaks; b != nil {
		row := newRow("breaks", "", Text{})
		last := &b.Last
		row.Dated = []Dated{{0, phrase.BreakLastAt.Text(b.Text.Arg(), phrase.Name(Time), last.CauseText.Arg()), last.At, Clock}}
		if last.At <= 0 {
			row.Dated, row.Value = nil, phrase.BreakLast.Text(b.Text.Arg(), last.CauseText.Arg())
		}
		rows = append(rows, row)
	}
	if n := p.NextBreak; n != nil {
		rows = append(rows, newRow("nextBreak", "", n.Text))
	}
	for i := range min(len(rows), 2) {
		if i == 0 || rows[i-1].Only == OnlyShort { // the first row of each form
			rows[i].Label = phrase.CacheLabel.Text()
		}
	}
	p.add("cache", rows...)
}

// dated returns the cost of coming back, by the state of the cache at a time. A clock that shows a time before the last
// request is wrong, so the state is then uncertain.
func (b *Back) dated() []Dated {
	cost := b.Text
	switch b.Cause {
	case BackEnded:
		cost = phrase.CacheEnded.Text(phrase.Tokens(b.Display))
	case BackModel:
		cost = phrase.CacheModel.Text(phrase.Tokens(b.Display))
	case BackTools:
		cost = phrase.CacheTools.Text(phrase.Tokens(b.Display))
	}
	if !b.FirstText.Empty() {
		cost = phrase.Semicolon.Text(cost.Arg(), b.FirstText.Arg())
	}
	if b.Cause != BackByTime && b.Cause != BackCompacted {
		return []Dated{{0, phrase.SentenceEnds.Text(cost.Arg()), Unknown, ""}}
	}
	perhaps := phrase.CachePerhaps.Text(cost.Arg())
	all := []Dated{
		{0, perhaps, Unknown, ""},
		{b.WarmUntil - b.Life, phrase.CacheWarm.Text(phrase.Name(Time), cost.Arg()), b.WarmUntil, Minutes},
		{b.WarmUntil + 1, perhaps, Unknown, ""},
		{b.ColdFrom, phrase.CacheCold.Text(cost.Arg()), Unknown, ""},
	}
	if b.ColdFrom <= b.WarmUntil {
		return append(all[:2], all[3])
	}
	return all
}
