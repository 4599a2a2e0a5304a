// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// largest adds the largest items of the conversation.
func (p *panel) largest() {
	var rows []PanelRow
	for i := range p.Largest {
		item := &p.Largest[i]
		row := newRow("item", "", marked(item.Basis.Mark(), item.Tokens))
		row.Label, row.Short = item.Label, Named(item.Basis.Mark()+Short(item.Tokens))
		if item.Times > 1 {
			row.Label = phrase.TimesShown.Text(item.Label.Arg(), phrase.Count(item.Times))
		}
		row.Kind, row.Share, row.Bar, row.Place = item.Kind.String(), item.Share, item.Bar, item.Place
		rows = append(rows, row)
	}
	p.add("largest", rows...)
}

// servers adds the cost of the tools of each MCP server.
func (p *panel) servers() {
	var rows []PanelRow
	for i := range p.Servers {
		rows = append(rows, newRow("server", "", p.Servers[i].Text))
	}
	if len(rows) > 0 {
		rows[0].Label = phrase.ServersLabel.Text()
	}
	p.add("servers", rows...)
}

// numbers adds how the number came about, and how good the predictions are.
func (p *panel) numbers() {
	basis := newRow("basis", phrase.BasisLabel, p.basis())
	accuracy := newRow("accuracy", phrase.AccuracyLabel, p.accuracy())
	accuracy.Only = OnlyLong
	if p.Mode != ProviderOnly {
		basis.Only = OnlyLong
	}
	p.add("numbers", basis, accuracy)
	if spent := &p.Spent; spent.Calls > 0 {
		row := newRow("spent", phrase.SpentLabel, phrase.SpentIs.Text(phrase.Count(spent.In), phrase.Count(spent.Out), phrase.Count(spent.Calls)))
		row.Only = OnlyLong
		p.add("numbers", row)
	}
}

// basis explains how the number came about.
func (p *panel) basis() Text {
	last := p.LastRequest
	if p.Mode == ProviderOnly {
		switch {
		case last == nil:
			return phrase.ProviderMode.Text(p.Unmeasured.Arg())
		case last.Out == Unknown:
			return phrase.ProviderInput.Text(phrase.Count(last.In))
		}
		return phrase.ProviderOutput.Text(phrase.Count(last.In), phrase.Count(last.Out))
	}
	fresh := marked(p.New.Basis.Mark(), p.New.Tokens)
	text, added := phrase.NoRequestYet.Text(), phrase.NewTokens.Text(fresh.Arg())
	if last != nil {
		text, added = phrase.LastInput.Text(phrase.Count(last.In)), phrase.NewSince.Text(fresh.Arg())
		if p.Leaving.Tokens != 0 {
			text = phrase.Semicolon.Text(text.Arg(), p.leaving().Arg())
		}
		text = phrase.Semicolon.Text(text.Arg(), last.output().Arg())
	}
	switch items := int64(p.New.Items); {
	case items == 1:
		added = phrase.InOneItem.Text(added.Arg())
	case items > 1:
		added = phrase.InItems.Text(added.Arg(), phrase.Count(items))
	}
	text = phrase.Semicolon.Text(text.Arg(), added.Arg())
	return phrase.Together.Text(text.Arg(), phrase.Name(p.Basis.String()))
}

// leaving returns the tokens that will not be sent again, with the reasons.
func (p *panel) leaving() Text {
	text := phrase.LeavingTokens.Text(phrase.Count(p.Leaving.Tokens))
	var reasons Text
	for i, reason := range p.Leaving.Reasons {
		if reasons = and(reasons, reason.Reason); i == 0 {
			reasons = reason.Reason
		}
	}
	if reasons.Empty() {
		return text
	}
	return phrase.InParentheses.Text(text.Arg(), reasons.Arg())
}

// output returns the length of the last response, and the part of it that stays.
func (l *LastRequest) output() Text {
	stays := marked(l.CarryBasis.Mark(), l.Carry)
	switch {
	case l.Out == Unknown && l.Carry > 0:
		return phrase.OutputUnknownStays.Text(stays.Arg())
	case l.Out == Unknown:
		return phrase.OutputUnknown.Text()
	case l.Carry > l.Out: // the agent recorded it before the response was complete
		return phrase.OutputRecorded.Text(stays.Arg(), phrase.Count(l.Out))
	case l.Carry == l.Out && l.Carry > 0:
		return phrase.OutputStays.Text(phrase.Count(l.Out))
	case l.Out > 0:
		return phrase.OutputPartStays.Text(phrase.Count(l.Out), stays.Arg())
	}
	return phrase.LastOutput.Text(phrase.Count(l.Out))
}

// lastStep compares the last prediction with its measurement.
func (p *panel) lastStep() Text {
	last := p.Accuracy.Last
	if last == nil {
		return phrase.NothingToCompare.Text()
	}
	percent := decimal(last.Percent) + "%"
	if last.Percent > 0 {
		percent = "+" + percent
	}
	text := phrase.LastEstimate.Text(phrase.Count(last.Predicted), phrase.Count(last.Actual), phrase.Name(signed(last.Error)), phrase.Name(percent))
	if !last.Cause.Empty() {
		text = phrase.PartNamed.Text(text.Arg(), last.Cause.Arg())
	}
	return text
}

func (p *panel) accuracy() Text {
	a := &p.Accuracy
	text := p.lastStep()
	if a.Last == nil {
		return text
	}
	if a.Ratio != 100 {
		text = phrase.WithRatio.Text(text.Arg(), phrase.Name(decimal(a.Ratio)))
	}
	if a.MedianTokens != Unknown && a.P95Tokens != Unknown && a.Steps > 1 {
		text = phrase.OverRequests.Text(text.Arg(), phrase.Count(a.Steps), phrase.Count(a.MedianTokens), phrase.Count(a.P95Tokens))
	}
	return text
}

// threshold adds when the agent compacts, the sources of that, and the window.
func (p *panel) threshold() {
	row := newRow("compaction", phrase.PanelCompaction, p.compaction())
	row.Short, row.Value = row.Value, p.ruled(row.Value)
	rows := append([]PanelRow{row}, some("sum", "", p.sum())...)
	if v := p.Compaction.Last; v != nil {
		rows = append(rows, some("verdict", phrase.VerdictLabel, v.Text)...)
	}
	rows = append(rows, p.moved()...)
	for i := range p.Compaction.Sources {
		source := newRow("source", phrase.SourcesLabel, p.Compaction.Sources[i].sentence())
		if source.Only = OnlyLong; i > 0 {
			source.Label = Text{}
		}
		rows = append(rows, source)
	}
	for _, rule := range some("rule", phrase.RuleLabel, Named(p.Compaction.Source)) {
		rule.Only = OnlyLong
		rows = append(rows, rule)
	}
	if p.Compaction.Count > 0 {
		compacted := newRow("compacted", phrase.CompactedLabel, phrase.CompactedTimes.Text(phrase.Count(p.Compaction.Count)))
		compacted.Only = OnlyLong
		rows = append(rows, compacted)
	}
	if p.Limit != Unknown {
		window := newRow("window", phrase.PanelWindow, phrase.TokensFrom.Text(phrase.Count(p.Limit), LimitSourceLabel(p.LimitSource.String()).Arg()))
		window.Only = OnlyLong
		rows = append(rows, window)
	}
	rows = append(rows, some("whole", phrase.PanelWindow, p.WholeWindow)...)
	for _, agent := range some("counts", phrase.PanelAgent, p.AgentCounts) {
		agent.Only = OnlyLong
		rows = append(rows, agent)
	}
	if own := p.AgentOwn; own != nil {
		agent := newRow("percent", phrase.PanelAgent, phrase.PercentOf.Text(phrase.Name(decimal(own.Hundredths)), own.Label.Arg()))
		agent.Only = OnlyLong
		rows = append(rows, agent)
	}
	p.add("compaction", rows...)
}

// compaction returns the compaction threshold, the distance to it, the forecast and the size afterwards.
func (p *panel) compaction() Text {
	c := &p.Compaction
	switch {
	case c.Threshold != Unknown:
	case c.Rule == "" || c.Rule == "none":
		return phrase.NoneKnown.Text()
	default:
		return phrase.NoThreshold.Text(phrase.Name(c.Rule))
	}
	text := phrase.AtTokens.Text(phrase.Count(c.Threshold))
	switch left := marked(p.atMost(), c.Left); {
	case c.Left == Unknown:
	case c.Left >= 0:
		text = phrase.ToGo.Text(text.Arg(), left.Arg())
	default:
		text = phrase.OverBy.Text(text.Arg(), p.past().Arg(), phrase.Count(-c.Left))
	}
	if c.Percent != Unknown {
		text = phrase.OfThreshold.Text(text.Arg(), phrase.Name(p.Display.ThresholdPercent))
	}
	switch calls := c.CallsLeft; {
	case calls == nil:
	case calls.High == 0:
		text = phrase.NoRequestLeft.Text(text.Arg())
	case calls.many():
		text = phrase.RangeLeft.Text(text.Arg(), phrase.ManyRequests.Text(phrase.Count(MostShown)).Arg())
	default:
		text = phrase.RangeLeft.Text(text.Arg(), calls.words(phrase.AboutRequest, phrase.AboutRequests).Arg())
	}
	if turns := c.TurnsLeft; turns != nil && turns.High > 0 && !turns.many() {
		text = and(text, turns.words(phrase.AboutTurn, phrase.AboutTurns))
	}
	return p.afterwards(p.forecast(text))
}

// ruled adds the name of the rule to a text, if the rule decides.
func (p *panel) ruled(text Text) Text {
	c := &p.Compaction
	if c.Threshold == Unknown {
		return text
	}
	if c.Rule != "" && c.byRule() {
		text = phrase.RuleNamed.Text(text.Arg(), phrase.Name(c.Rule))
	}
	if c.Since != "" && c.byRule() {
		text = phrase.SinceDate.Text(text.Arg(), phrase.Name(c.Since))
	}
	return text
}

// afterwards adds the size after a compaction to a text, if it can be predicted.
func (p *panel) afterwards(text Text) Text {
	if l := p.Compaction.Landing; l != nil && l.Low < p.Used {
		return phrase.Afterwards.Text(text.Arg(), phrase.Count(l.Low), phrase.Count(l.High))
	}
	return text
}

// words returns a forecast such as "about 9 requests (5–14)".
func (r *Range) words(one, several phrase.ID) Text {
	text := several.Text(phrase.Count(r.Likely))
	if r.Likely == 1 {
		text = one.Text()
	}
	if r.Low == r.High || r.High == 1 {
		return text
	}
	return phrase.WithRange.Text(text.Arg(), phrase.Count(r.Low), phrase.Count(r.High))
}

// sum returns the threshold as its source and what the agent counts differently, or its source alone unless that is
// the rule.
func (p *panel) sum() Text {
	c := &p.Compaction
	start, adjusted := c.Threshold, Text{}
	for i := range c.Sources {
		if s := &c.Sources[i]; s.State == ThresholdAdjusts {
			start -= s.Adds
		}
	}
	for i := range c.Sources {
		s := &c.Sources[i]
		if s.State != ThresholdAdjusts {
			continue
		}
		if adjusted.Empty() {
			adjusted = phrase.ThresholdStart.Text(phrase.Count(start), c.inForce().Arg())
		}
		if s.Adds < 0 {
			adjusted = phrase.ThresholdMinus.Text(adjusted.Arg(), phrase.Count(-s.Adds), s.Name.Arg())
		} else {
			adjusted = phrase.ThresholdPlus.Text(adjusted.Arg(), phrase.Count(s.Adds), s.Name.Arg())
		}
	}
	if adjusted.Empty() {
		return c.ThresholdFrom
	}
	return phrase.ThresholdSum.Text(adjusted.Arg(), phrase.Count(c.Threshold))
}

// inForce returns the source in force in a word or two.
func (c *Compaction) inForce() Text {
	for i := range c.Sources {
		if s := &c.Sources[i]; s.State == ThresholdInForce {
			switch s.Kind {
			case FromThisSession:
				return phrase.SourceIsThis.Text()
			case FromEarlierSessions:
				return phrase.SourceIsEarlier.Text()
			case FromSetting:
				return phrase.SourceIsSettings.Text()
			}
		}
	}
	return phrase.SourceIsRule.Text()
}

// byRule reports whether the rule or settings decide the threshold, not what sessions have shown.
func (c *Compaction) byRule() bool { return c.ThresholdFrom.Empty() }

// adjusted reports whether the agent compacts earlier or later than at its threshold, because it counts differently.
func (c *Compaction) adjusted() bool {
	return slices.ContainsFunc(c.Sources, func(s ThresholdSource) bool { return s.State == ThresholdAdjusts })
}

// moved returns the last change of the threshold. The short form has it until the next request.
func (p *panel) moved() []PanelRow {
	m := p.Compaction.Moved
	if m == nil {
		return nil
	}
	row := newRow("moved", phrase.ThresholdLabel, m.Text)
	if m.At > 0 {
		row.Dated = []Dated{{0, phrase.MovedAt.Text(m.Text.Arg(), phrase.Name(Time)), m.At, Clock}}
	}
	if m.Call < p.Spent.Calls {
		row.Only = OnlyLong
	}
	return []PanelRow{row}
}

// sentence returns a source of the threshold in one sentence: its threshold, its state and its name.
func (s *ThresholdSource) sentence() Text {
	gives, name := Named("-"), s.Name
	if s.State == ThresholdAdjusts {
		gives = Named(signed(s.Adds))
	} else if s.Threshold != Unknown {
		gives = marked("", s.Threshold)
	}
	if s.Setting != "" {
		name = phrase.SettingIs.Text(name.Arg(), phrase.Name(s.Value))
	}
	if !s.Note.Empty() {
		name = phrase.InParentheses.Text(name.Arg(), s.Note.Arg())
	}
	state := [...]phrase.ID{phrase.ThresholdIsInForce, phrase.ThresholdIsOverruled, phrase.ThresholdWithoutEffect, phrase.ThresholdAdds}[s.State]
	return phrase.SourceSentence.Text(gives.Arg(), state.Arg(), name.Arg())
}

// advice adds what the user can remove.
func (p *panel) advice() {
	var rows []PanelRow
	for i := range p.Advice {
		a := &p.Advice[i]
		row := newRow("advice", phrase.AdviceLabel, a.sentence())
		row.Action = a.Action
		rows = append(rows, row)
	}
	p.add("advice", rows...)
}

// sentence returns the advice with its gain, how to follow it, and whether that breaks the cache.
func (a *Advice) sentence() Text {
	text := a.Label
	if frees := marked(a.Basis.Mark(), a.Tokens); a.Tokens > 0 && a.AtMost {
		text = phrase.FreesAtMost.Text(text.Arg(), frees.Arg())
	} else if a.Tokens > 0 {
		text = phrase.Frees.Text(text.Arg(), frees.Arg())
	}
	sentence := strings.HasSuffix(a.How.String(), ".")
	if !a.How.Empty() && !sentence {
		text = phrase.AdviceWith.Text(text.Arg(), a.How.Arg())
	}
	if a.BreaksCache {
		text = phrase.BreaksCache.Text(text.Arg())
	}
	if sentence {
		text = phrase.Stop.Text(text.Arg(), a.How.Arg())
	}
	return text
}

// children adds the sub-agents: their number in the short form, each in the long one.
func (p *panel) children() {
	if len(p.Children) == 0 {
		return
	}
	top := int64(0)
	for i := range p.Children {
		if p.Children[i].Depth == 0 {
			top++
		}
	}
	number := newRow("children", phrase.PanelChildren, phrase.ChildrenElsewhere.Text(phrase.Count(top)))
	number.Only = OnlyShort
	rows := []PanelRow{number}
	for i := range p.Children {
		c := &p.Children[i]
		row := newRow("child", "", Named(c.Percent))
		row.Label, row.Note, row.Session, row.Depth = Named(c.Name), Named(c.Model), c.Session, c.Depth
		row.Tone, row.Only = c.Level.tone(), OnlyLong
		rows = append(rows, row)
	}
	p.add("children", rows...)
}

// warnings adds messages about problems.
func (p *panel) warnings() {
	var rows []PanelRow
	for _, warning := range p.Warnings {
		row := newRow("warning", "", warning)
		row.Tone = Alert
		rows = append(rows, row)
	}
	p.add("warnings", rows...)
}
