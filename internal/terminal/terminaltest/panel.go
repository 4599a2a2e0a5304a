// Copyright The ctx-lsp authors. MIT licence.

// Package terminaltest makes panels of Readings that tests write by hand.
package terminaltest

import (
	"cmp"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// WithPanel returns a Reading with the panel that the core makes of it.
func WithPanel(r *api.Reading) *api.Reading {
	in := core.Reading{
		Identity: &core.Identity{ID: r.Session, Agent: r.Agent, Model: r.Model, Workspace: r.Workspace, Title: r.Title, Branch: r.Branch},
		Pending:  r.Pending, WaitingFor: r.WaitingFor, Since: timeOf(r.Since), AsOf: timeOf(r.AsOf),
		Basis: basisOf(r.Basis), Used: r.Used, Low: r.Range.Low, High: r.Range.High, Reserve: r.Reserve, Limit: numberOf(r.Limit), Free: numberOf(r.Free),
		Percent: shareOf(r.Percent), FreeShare: shareOf(r.FreeShare), Unmeasured: textOf(r.Unmeasured.Text),
		Leaving: core.Leaving{Tokens: r.Leaving.Tokens}, New: core.NewItems{Tokens: r.New.Tokens, Items: int(r.New.Items), Basis: basisOf(r.New.Basis)},
		Accuracy: core.Accuracy{Ratio: int64(r.Accuracy.Ratio), MedianTokens: numberOf(r.Accuracy.MedianTokens), P95Tokens: numberOf(r.Accuracy.P95Tokens), Steps: r.Accuracy.Steps},
		Display: core.Display{
			Percent: r.Display.Percent, Used: r.Display.Used, Limit: r.Display.Limit, Left: r.Display.Left, Mark: r.Display.Mark, ThresholdPercent: r.Display.ThresholdPercent,
		},
	}
	in.Activity, _ = core.ActivityOf(string(r.Activity))
	if r.Mode == "provider" {
		in.Mode = core.ProviderOnly
	}
	for source := core.FromNoSource; source.String() != string(cmp.Or(r.LimitSource, "unknown")); source++ {
		in.LimitSource = source + 1
	}
	for _, reason := range r.Leaving.Reasons {
		in.Leaving.Reasons = append(in.Leaving.Reasons, core.LeavingReason{Reason: textOf(reason.Reason.Text), Tokens: reason.Tokens})
	}
	if l := r.LastRequest; l != nil {
		in.LastRequest = &core.LastRequest{In: l.In, Out: numberOf(l.Out), Carry: l.Carry, CarryBasis: basisOf(l.CarryBasis)}
	}
	if m := r.Accuracy.Last; m != nil {
		in.Accuracy.Last = &core.Miss{Predicted: m.Predicted, Actual: m.Actual, Error: m.Error, Percent: int64(m.Percent), Cause: textOf(m.Cause.Text)}
	}
	for _, row := range r.Breakdown {
		kind, _ := kindOf(row.Kind)
		in.Breakdown = append(in.Breakdown, core.Row{
			Kind: kind, Label: textOf(row.Label.Text), Tokens: row.Tokens, Share: shareOf(row.Share), Bar: int64(row.Bar), Basis: basisOf(row.Basis), Deferred: row.Deferred,
		})
	}
	for _, server := range r.MCPServers {
		in.Servers = append(in.Servers, core.Server{Text: textOf(server.Text.Text)})
	}
	for _, item := range r.Largest {
		in.Largest = append(in.Largest, core.Largest{Label: textOf(item.Label.Text), Times: item.Times, Tokens: item.Tokens, Basis: basisOf(item.Basis), Share: shareOf(item.Share), Bar: int64(item.Bar), Place: core.Unknown})
	}
	for _, a := range r.Advice {
		in.Advice = append(in.Advice, core.Advice{Label: textOf(a.Label.Text), Tokens: a.Tokens, Basis: basisOf(a.Basis), AtMost: a.AtMost, How: textOf(a.How.Text), BreaksCache: a.BreaksCache})
	}
	in.Compaction = compactionOf(&r.Compaction)
	if b := r.Cache.Back; b != nil {
		in.Back = &core.Back{WarmUntil: b.WarmUntil, ColdFrom: b.ColdFrom, Life: b.Life, Display: b.Display, Text: textOf(b.Text.Text), FirstText: textOf(b.FirstText.Text), CompactsAt: timeOf(b.CompactsAt), CompactsText: textOf(b.CompactsText.Text)}
		for cause := range core.BackCompacted + 1 {
			if cause.String() == string(b.Cause) {
				in.Back.Cause = cause
			}
		}
	}
	if b := r.Cache.Breaks; b != nil {
		in.Breaks = &core.Breaks{Text: textOf(b.Text.Text), Last: core.CacheBreak{At: timeOf(b.Last.At), CauseText: textOf(b.Last.CauseText.Text)}}
	}
	for _, warning := range r.Warnings {
		in.Warnings = append(in.Warnings, textOf(warning.Text))
	}
	if own := r.AgentOwn; own != nil {
		in.AgentCounts = textOf(own.Counts.Text)
		if own.Percent != nil {
			in.AgentOwn = &core.AgentPercent{Hundredths: int64(*own.Percent), Label: textOf(own.Label.Text)}
		}
	}
	options := core.PanelOptions{Children: childrenOf(r.Children, 0)}
	if e, known := agent.Find(r.Agent); known {
		options.AgentName = e.Name
	} else if r.Agent != "generic" {
		options.AgentName = r.Agent
	}
	for id, value := range map[string]string{"host": r.Host, "opening": r.Opening} {
		if row := core.NewHostRow(); value != "" {
			row.ID, row.Value = id, core.Named(value)
			options.Rows = append(options.Rows, row)
		}
	}
	r.Panel = written(in.Panel(options))
	return r
}

func compactionOf(c *api.Compaction) core.Compaction {
	level, _ := core.LevelOf(string(c.Level))
	out := core.Compaction{
		Rule: c.Rule, Since: c.Since, Threshold: numberOf(c.Threshold), Left: numberOf(c.Left), Percent: shareOf(c.Percent), Buffer: numberOf(c.Buffer),
		ThresholdShare: shareOf(c.ThresholdShare), LeftShare: shareOf(c.LeftShare), Level: level, ForecastFrom: textOf(c.ForecastFrom.Text), Hint: textOf(c.Hint.Text),
	}
	if v := c.Last; v != nil {
		out.Last = &core.Verdict{Text: textOf(v.Text.Text)}
	}
	if c.Landing != nil {
		out.Landing = &core.Range{Low: c.Landing.Low, High: c.Landing.High}
	}
	if r := c.CallsLeft; r != nil {
		out.CallsLeft = &core.Range{Low: r.Low, Likely: r.Likely, High: r.High}
	}
	if r := c.TurnsLeft; r != nil {
		out.TurnsLeft = &core.Range{Low: r.Low, Likely: r.Likely, High: r.High}
	}
	for _, s := range c.Sources {
		state := map[api.ThresholdState]core.ThresholdState{"overruled": core.ThresholdOverruled, "withoutEffect": core.ThresholdWithoutEffect}[s.State]
		out.Sources = append(out.Sources, core.ThresholdSource{Name: textOf(s.Name.Text), Setting: s.Setting, Value: s.Value, Threshold: numberOf(s.Threshold), State: state, Note: textOf(s.Note.Text)})
	}
	return out
}

func childrenOf(list []api.Brief, depth int64) []core.PanelChild {
	var out []core.PanelChild
	for _, c := range list {
		level, _ := core.LevelOf(string(c.Level))
		out = append(out, core.PanelChild{Session: c.Session, Name: cmp.Or(c.Label, c.Session), Percent: c.Display.Mark + c.Display.Percent, Level: level, Depth: depth})
		out = append(out, childrenOf(c.Children, depth+1)...)
	}
	return out
}

// written returns a panel as a front end reads it.
func written(p *core.Panel) *api.Panel {
	out := &api.Panel{}
	plain := func(t core.Text) api.Text { return api.Text{Text: t.String()} }
	share := func(n int64) *api.Hundredths {
		if n == core.Unknown {
			return nil
		}
		h := api.Hundredths(n)
		return &h
	}
	for _, s := range p.Sections {
		section := api.PanelSection{ID: s.ID, Title: plain(s.Title), Only: api.PanelForm(s.Only)}
		for _, r := range s.Rows {
			row := api.PanelRow{
				ID: r.ID, Label: plain(r.Label), Value: plain(r.Value), Short: plain(r.Short), Note: plain(r.Note), Only: api.PanelForm(r.Only), Tone: api.Tone(r.Tone),
				Share: share(r.Share), Bar: share(r.Bar), Mark: share(r.Mark), Kind: r.Kind, Depth: r.Depth, Session: r.Session, Action: r.Action,
			}
			for _, d := range r.Dated {
				dated := api.Dated{From: api.Time(d.From), Value: plain(d.Value), As: api.TimeForm(d.As)}
				if d.At != core.Unknown {
					at := api.Time(d.At)
					dated.At = &at
				}
				row.Dated = append(row.Dated, dated)
			}
			section.Rows = append(section.Rows, row)
		}
		out.Sections = append(out.Sections, section)
	}
	return out
}

// textOf returns the phrase without values that reads like a text, otherwise a third-party text.
func textOf(text string) core.Text {
	for _, id := range phrase.All() {
		if text != "" && id.English() == text {
			return id.Text()
		}
	}
	return core.Named(text)
}

func kindOf(kind api.Kind) (core.Kind, bool) {
	for k := core.Kind(0); k <= core.Prefix; k++ {
		if k.String() == string(kind) {
			return k, true
		}
	}
	return 0, false
}

func basisOf(basis api.Basis) core.Basis {
	for b := core.BasisUnknown; b <= core.MeasuredEstimated; b++ {
		if b.String() == string(basis) {
			return b
		}
	}
	return core.BasisUnknown
}

func numberOf(n *int64) int64 {
	if n == nil {
		return core.Unknown
	}
	return *n
}

func shareOf(h *api.Hundredths) int64 {
	if h == nil {
		return core.Unknown
	}
	return int64(*h)
}

func timeOf(at *api.Time) int64 {
	if at == nil {
		return core.Unknown
	}
	return int64(*at)
}
