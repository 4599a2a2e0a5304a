// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// session adds who the session is, and its activity.
func (p *panel) session() {
	model := Named(p.Model)
	if p.Model == "" {
		model = phrase.NoModel.Text()
	}
	rows := slices.Concat(
		some("name", phrase.PanelSession, p.name(p.Workspace, p.Title)),
		some("title", phrase.PanelTitle, Named(p.Title)),
		some("agent", phrase.PanelAgent, Named(p.AgentName)),
		some("model", phrase.PanelModel, model),
		some("workspace", phrase.PanelFolder, Named(p.Workspace)),
		p.activity(),
	)
	if p.Branch != "" {
		rows = append(rows, newRow("branch", "", phrase.BranchNamed.Text(phrase.Name(p.Branch))))
	}
	p.add("session", rows...)
}

// name returns the shortest name for the session.
func (p *panel) name(workspace, title string) Text {
	if name := cmp.Or(lastElement(workspace), title); name != "" {
		return Named(name)
	}
	return phrase.SessionNamed.Text(phrase.Name(p.ID))
}

// activity returns the agent's activity and how long it has lasted, the age of the last record, and that of the number
// if the agent has reported it since.
func (p *panel) activity() []PanelRow {
	var rows []PanelRow
	if doing, lasts := p.doing(); doing != "" {
		row := newRow("activity", phrase.PanelActivity, doing.Text())
		if p.Since != Unknown {
			row.Dated = []Dated{{0, doing.Text(), Unknown, ""}, {p.Since + 60_000, lasts.Text(phrase.Name(Time)), p.Since, Age}}
		}
		rows = append(rows, row)
	}
	if p.AsOf != Unknown {
		row := newRow("record", "", Text{})
		row.Dated = []Dated{{p.AsOf, phrase.LastRecord.Text(phrase.Name(Time)), p.AsOf, Age}}
		rows = append(rows, row)
	}
	if at := p.storage.reportedAt; at > 0 {
		row := newRow("reported", "", Text{})
		row.Dated = []Dated{{at, phrase.LastReport.Text(phrase.Name(Time)), at, Age}}
		rows = append(rows, row)
	}
	return rows
}

// doing returns the agent's activity, and the same with the time that it has lasted; "" if it is unknown.
func (p *panel) doing() (now, lasts phrase.ID) {
	switch {
	case p.Activity == Waiting && p.WaitingFor == ForApproval:
		return phrase.WaitsApproval, phrase.WaitsApprovalFor
	case p.Activity == Waiting:
		return phrase.WaitsYou, phrase.WaitsYouFor
	case p.Activity == Working:
		return phrase.IsWorking, phrase.WorkingFor
	case p.Activity == Idle:
		return phrase.IsIdle, phrase.IdleFor
	case p.Activity == Ended:
		return phrase.HasEnded, phrase.EndedFor
	case p.Pending:
		return phrase.RequestRunning, phrase.RunningFor
	}
	return "", ""
}

// window adds how full the window is, and how far the next compaction is.
func (p *panel) window() {
	usage := newRow("usage", phrase.PanelWindow, Named(p.Display.Mark+p.percentage()))
	usage.Note = p.ofWindow("")
	usage.Tone, usage.Share, usage.Mark = p.Compaction.Level.tone(), p.Percent, p.Compaction.ThresholdShare
	full := p.ofWindow(p.Display.Mark)
	if p.percentage() != "" && p.Limit != Unknown && p.Unmeasured.Empty() {
		full = phrase.PanelFull.Text(phrase.Name(p.Display.Mark + p.Display.Percent))
	}
	rows := []PanelRow{newRow("full", "", full), usage}
	if until := p.until(); !until.Empty() {
		row := newRow("until", "", until)
		row.Tone = usage.Tone
		rows = append(rows, row)
	}
	p.add("window", rows...)
}

// percentage returns the percentage of the window, "" if provider mode does not show one.
func (p *panel) percentage() string {
	if p.Percent == Unknown && p.Mode == ProviderOnly {
		return ""
	}
	return p.Display.Percent
}

// ofWindow returns the tokens in use and the size of the window, or why that is unknown.
func (p *panel) ofWindow(mark string) Text {
	used := phrase.Tokens(mark + p.Display.Used)
	text := phrase.ShareOf.Text(used, phrase.Tokens(p.Display.Limit))
	if p.Limit == Unknown {
		text = phrase.TokensOnly.Text(used)
	}
	switch {
	case !p.Unmeasured.Empty():
		return and(text, p.Unmeasured)
	case p.Limit == Unknown:
		return and(text, phrase.WindowUnknown.Text())
	}
	return text
}

// until returns how far the next compaction is, or the full window if nothing compacts; empty if neither is known.
func (p *panel) until() Text {
	c := &p.Compaction
	switch calls := c.CallsLeft; {
	case c.Threshold == Unknown || c.Left == Unknown:
		return c.Hint
	case c.Left <= 0:
		return phrase.ItDoes.Text(p.past().Arg())
	case calls == nil:
		return phrase.LeftUntil.Text(phrase.Tokens(p.Display.Left))
	case calls.High == 0:
		return phrase.AtNextRequest.Text()
	case calls.many():
		return p.forecast(phrase.UntilMany.Text(phrase.Count(MostShown)))
	case calls.Likely == 1:
		return p.forecast(phrase.UntilOne.Text())
	default:
		return p.forecast(phrase.UntilAbout.Text(phrase.Count(calls.Likely)))
	}
}

// forecast returns a forecast with its source, unless that is the session itself.
func (p *panel) forecast(text Text) Text {
	if from := p.Compaction.ForecastFrom; !from.Empty() {
		return and(text, from)
	}
	return text
}

// past returns what the agent does past its threshold: not every agent compacts within a turn.
func (p *panel) past() Text {
	if hint := p.Compaction.Hint; hint.Is(phrase.CompactsAtPrompt) || hint.Is(phrase.CompactsAfter) {
		return hint
	}
	return phrase.CompactsNow.Text()
}

// atMost returns the mark of what is left if only a part of the prompt is known.
func (p *panel) atMost() string {
	if p.Display.Mark == "≥" {
		return "≤"
	}
	return ""
}

// contents adds the parts of the window: the largest kinds in the short form, every row in the long one.
func (p *panel) contents() {
	p.add("parts", append(p.parts(), p.free()...)...)
	var rows, deferred []PanelRow
	for i := range p.Breakdown {
		part := &p.Breakdown[i]
		row := newRow("part", "", marked(part.Basis.Mark(), part.Tokens))
		row.Label, row.Kind, row.Short = part.Label, part.Kind.String(), Named(part.Basis.Mark()+Short(part.Tokens))
		if part.Deferred {
			row.Note, row.Tone = phrase.LoadedOnDemand.Text(), Quiet
			deferred = append(deferred, row)
			continue
		}
		row.Bar, row.Share = part.Bar, part.Share
		rows = append(rows, row)
	}
	used := newRow("used", phrase.PanelUsed, marked(p.Display.Mark, p.Used))
	used.Tone, used.Share = Strong, p.Percent
	if p.Low != p.High {
		used.Note = phrase.FromTo.Text(phrase.Count(p.Low), phrase.Count(p.High))
	}
	rows = append(append(rows, used), p.free()...)
	if p.Limit != Unknown {
		limit := newRow("limit", phrase.PanelWindow, marked("", p.Limit))
		limit.Tone = Strong
		rows = append(rows, limit)
	}
	p.add("contents", append(rows, deferred...)...)
}

// free returns the row of the tokens left until the agent compacts, with those it holds back beyond its threshold; or,
// if it has no threshold, of those free in the window.
func (p *panel) free() []PanelRow {
	c := &p.Compaction
	switch {
	case (c.Threshold == Unknown || c.Left == Unknown) && p.Limit == Unknown:
		return nil
	case c.Threshold == Unknown || c.Left == Unknown:
		free := newRow("free", phrase.PanelFree, marked(p.atMost(), p.Free))
		free.Share = p.FreeShare
		if p.Reserve > 0 {
			free.Note = phrase.ReservedMore.Text(phrase.Count(p.Reserve))
		}
		return []PanelRow{free}
	case c.Left <= 0:
		left := newRow("left", phrase.PanelLeft, marked("", 0))
		left.Tone, left.Note = Alert, phrase.PastAt.Text(p.past().Arg(), phrase.Count(c.Threshold))
		if c.Left < 0 {
			left.Note = phrase.PastBy.Text(p.past().Arg(), phrase.Count(-c.Left), phrase.Count(c.Threshold))
		}
		return []PanelRow{left}
	}
	left := newRow("left", phrase.PanelLeft, marked(p.atMost(), c.Left))
	left.Share, left.Note = c.LeftShare, phrase.UntilThreshold.Text(phrase.Count(c.Threshold))
	switch {
	case c.Buffer <= 0:
	case !c.byRule() || c.adjusted():
		left.Note = dotted(left.Note, phrase.Unspent.Text(phrase.Count(c.Buffer)))
	case p.AgentName == "":
		left.Note = dotted(left.Note, phrase.HeldBack.Text(phrase.Count(c.Buffer)))
	default:
		left.Note = dotted(left.Note, phrase.HeldBackBy.Text(phrase.Count(c.Buffer), phrase.Name(p.AgentName)))
	}
	return []PanelRow{left}
}

// group is everything of one kind.
type group struct {
	kind   Kind
	label  Text
	tokens int64
	basis  Basis
	names  []Text
}

// largestParts is the number of kinds that the short form lists; the others are one row.
const largestParts = 8

// parts returns the largest parts of the window by kind, and the others as one row.
func (p *panel) parts() []PanelRow {
	groups := p.groups()
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(b.tokens, a.tokens) })
	if len(groups) > largestParts+1 {
		others := group{kind: groups[largestParts].kind, label: phrase.PanelOthers.Text(), basis: groups[largestParts].basis}
		for _, g := range groups[largestParts:] {
			others.add(g.label, g.tokens, g.basis)
		}
		groups = append(groups[:largestParts:largestParts], others)
	}
	var rows []PanelRow
	for i := range groups {
		g := &groups[i]
		row := newRow("part", "", marked(g.basis.Mark(), g.tokens))
		row.Label, row.Kind, row.Share = g.name(), g.kind.String(), shareOf(g.tokens, p.Limit)
		if groups[0].tokens > 0 {
			row.Bar = min(hundredths(g.tokens, groups[0].tokens), 100_00) // the others together may be larger
		}
		rows = append(rows, row)
	}
	return rows
}

// groups returns the rows of the breakdown by kind, in the order of each kind's first.
func (p *panel) groups() []group {
	var groups []group
	for i := range p.Breakdown {
		row := &p.Breakdown[i]
		if row.Deferred {
			continue
		}
		at := slices.IndexFunc(groups, func(g group) bool { return g.kind == row.Kind })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{kind: row.Kind, label: row.kindLabel(), basis: row.Basis})
		}
		groups[at].add(row.Label, row.Tokens, row.Basis)
	}
	for i := range groups {
		if g := &groups[i]; len(g.names) > 1 {
			g.label = g.kind.Label().Text() // whatever the name of the first one
		}
	}
	return groups
}

func (g *group) add(name Text, tokens int64, basis Basis) {
	g.tokens += tokens
	g.names = append(g.names, name)
	if g.basis != basis {
		g.basis = Estimated
	}
}

// name returns the group's label, or the name of its only part.
func (g *group) name() Text {
	if len(g.names) > 1 {
		return g.label
	}
	name, label := g.names[0].String(), g.label.String()
	switch {
	case g.names[0].Phrase.ID == phrase.AsEarlier: // where its size is from
		return g.label
	case strings.HasPrefix(name, label): // it would only repeat the kind
		return g.label
	case strings.Contains(strings.ToLower(name), strings.ToLower(label)):
		return g.names[0]
	}
	return phrase.PartNamed.Text(g.label.Arg(), g.names[0].Arg())
}

// kindLabel returns the name for the kind of a row. A derived row with a phrase of its own keeps its name, unless the
// phrase is about one part of the kind.
func (r *Row) kindLabel() Text {
	own := r.Label.IsPhrase() && !r.Label.Is(r.Kind.Label()) && r.Label.Phrase.ID != phrase.Unseen
	if r.Basis == Derived && own {
		return r.Label
	}
	return r.Kind.Label().Text()
}
