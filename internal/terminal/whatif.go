// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"io"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A Run is a session under some settings, ready to be drawn.
type Run struct {
	Calls, Compactions, Input, CacheRead, Highest int64
	Curve                                         *api.HistoryAnswer
}

// A Comparison is a session as it was and as it would have been.
type Comparison struct {
	Title, Settings         string
	Was, Would              Run
	WasThreshold, Threshold *int64
	CacheMeasured           bool
}

// WhatIf draws a comparison: the numbers side by side, and both charts on one scale.
func WhatIf(w io.Writer, c Comparison, s Style) error {
	o := overlay{s: s, width: min(max(s.Width, 24), 120)}
	o.line(s.paint(strong, s.cut(s.Clean(c.Title), o.width)))
	for _, text := range wrap("With different settings: "+s.Clean(c.Settings)+".", o.width) {
		o.line(text)
	}
	o.line("")
	o.line(s.paint(faint, padRight("", 24)+padLeft("WAS", 12)+"  "+padLeft("WOULD BE", 12)))
	row := func(label string, was, would string) {
		o.line(padRight(s.cut(label, 24), 24) + padLeft(was, 12) + "  " + padLeft(would, 12))
	}
	row("Compactions", Digits(c.Was.Compactions), "~"+Digits(c.Would.Compactions))
	row("Requests", Digits(c.Was.Calls), "~"+Digits(c.Would.Calls))
	row("Fullest request", Digits(c.Was.Highest), "~"+Digits(c.Would.Highest))
	row("Tokens of all prompts", core.Short(c.Was.Input), "~"+core.Short(c.Would.Input))
	mark := ""
	if !c.CacheMeasured {
		mark = "~"
	}
	row("  read from the cache", mark+core.Short(c.Was.CacheRead), "~"+core.Short(c.Would.CacheRead))
	row("  not from the cache", mark+core.Short(max(c.Was.Input-c.Was.CacheRead, 0)), "~"+core.Short(max(c.Would.Input-c.Would.CacheRead, 0)))
	top := max(c.Was.Highest, c.Would.Highest)
	for _, part := range []struct {
		name      string
		run       Run
		threshold *int64
	}{{"As it was", c.Was, c.WasThreshold}, {"As it would have been", c.Would, c.Threshold}} {
		o.line("")
		o.heading(part.name)
		h := *part.run.Curve
		h.Threshold = part.threshold
		if h.Threshold != nil && *h.Threshold == 0 {
			h.Threshold = nil
		}
		h.Limit = &top // same scale for both
		chart := s
		chart.Width = o.width
		if err := drawChart(&o.out, &h, chart, chartLook{rows: 8, brief: true}); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, strings.TrimRight(o.out.String(), "\n")+"\n")
	return err
}
