// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Advice names something that the user can remove, how many tokens that frees, and how to do it. ctx-lsp itself never
// changes anything.
type Advice struct {
	Action string
	Label  Text
	Tokens int64
	// Basis is the basis of Tokens. AtMost means that less may be freed, because only a part can be removed, or because
	// something unknown stays.
	Basis       Basis
	AtMost      bool
	Items       int64
	How         Text
	BreaksCache bool
}

// Commands are the commands that a user types to an agent, by purpose; "" if the agent has no such command. NAME is a
// placeholder for a name.
type Commands struct {
	// Agent is set for a known agent: items leave its conversation only by its own commands.
	Agent bool
	// Compact summarizes the conversation, and New begins a session. ServerOff switches off an MCP server, and the
	// others manage the things they are named after.
	Compact, New, ServerOff, Memory, Skills, Agents string
	// OtherServers are the beginnings of the names of servers that ServerOff does not know, with spaces between them:
	// those of an account or a plugin. ServerMenu switches them off.
	OtherServers, ServerMenu string
}

// resultsKept is how many of the newest tool results and media are never advised to be dropped: the model may still be
// working with them.
const resultsKept = 3

// advice appends advice to out once the window is getting full, by the tokens that it frees, the most first; advice
// about a loop of compactions comes first. Each piece of advice applies to this session, and frees only what its
// command frees.
func (s *Session) advice(r *Reading, out []Advice) []Advice {
	c := &r.Compaction
	if r.Basis == BasisUnknown || r.Limit <= 0 {
		return out
	}
	add := func(a Advice) {
		if a.Tokens > 0 {
			out = append(out, a)
		}
	}
	if s.loops(r) {
		add(s.loopAdvice(r))
	}
	if c.Level == OK {
		return out
	}
	own, items := &s.rule.Commands, int64(len(s.conversation.items))
	// An agent with a command for it can compact before compaction is due.
	if c.Advised || own.Compact != "" && s.worthCompacting() {
		a := Advice{Action: "compact", Label: phrase.Compact.Text(), Items: items, How: Named(own.Compact), BreaksCache: true, Basis: Estimated}
		if own.Compact == "" {
			a.How = phrase.CompactHow.Text()
		}
		if c.Landing != nil {
			a.Tokens = r.Used - c.Landing.Likely
		} else {
			a.Tokens, a.AtMost = r.Used-sumRows(&s.fixed.now), true
		}
		add(a)
	}
	worth := r.Limit / 20
	for _, k := range []Kind{ToolResults, Media, Documents, MCPTools, Memory, Skills, Agents} {
		if own.Agent && !k.Fixed() {
			continue // no agent has a command that removes single items
		}
		a := adviceFor(k)
		switch k {
		case ToolResults, Media:
			s.oldItems(k, r.Breakdown, &a)
		case MCPTools:
			unusedServers(r.Servers, &a)
		case Skills, Agents:
			if s.history.compactions > 0 {
				continue // their use before the compaction is unknown
			}
			if sumOf(k, r.Breakdown, &a); a.Tokens >= worth {
				s.leaveUsed(k, r.Breakdown, &a)
			}
		default:
			sumOf(k, r.Breakdown, &a)
		}
		if k.Fixed() && k != MCPTools {
			a.Items = int64(len(s.fixed.parts[k]))
		}
		if how := own.forKind(k); how != "" {
			a.How = Named(how)
		}
		if a.Tokens >= worth {
			add(a)
		}
	}
	if c.Level >= Now && s.worthCompacting() {
		a := Advice{Action: "newSession", Label: phrase.NewSession.Text(), Items: items, How: Named(own.New), BreaksCache: true, Basis: Estimated}
		if own.New == "" {
			a.How = phrase.NewSessionHow.Text()
		}
		a.Tokens, a.AtMost = r.Used-min(r.Used, s.fixedOnly()), s.residual.first.hidden == Unknown
		add(a)
	}
	first := 0
	if len(out) > 0 && out[0].Action == loop {
		first = 1
	}
	slices.SortStableFunc(out[first:], func(a, b Advice) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return out
}

// forKind returns the command that manages parts of a kind, or "".
func (c *Commands) forKind(k Kind) string {
	switch k {
	case Memory:
		return c.Memory
	case Skills:
		return c.Skills
	case Agents:
		return c.Agents
	}
	return ""
}

// sumOf adds the tokens of a kind's rows to a.
func sumOf(k Kind, rows []Row, a *Advice) {
	for i := range rows {
		if row := &rows[i]; row.Kind == k && !row.Deferred {
			a.Tokens, a.Basis = a.Tokens+row.Tokens, a.Basis.with(row.Basis)
		}
	}
}

// oldItems adds the share of a kind's rows that belongs to old items: a measured prompt contained them, so the model
// has read them, and newer ones follow.
func (s *Session) oldItems(k Kind, rows []Row, a *Advice) {
	c, all, old, newer := &s.conversation, int64(0), int64(0), 0
	for i := len(c.items) - 1; i >= 0; i-- {
		item := &c.items[i]
		if item.kind != k || item.has(slotRemoved) || item.tokens == 0 {
			continue
		}
		all += int64(item.tokens)
		if newer++; newer > resultsKept && i < c.folded {
			old += int64(item.tokens)
			a.Items++
		}
	}
	if old > 0 {
		sumOf(k, rows, a)
		a.Tokens = mulDiv(a.Tokens, old, all)
	}
}

// unusedServers adds the tokens of servers with tools that were never called. A command switches off a single server,
// so if there is one, only the largest server is added.
func unusedServers(servers []Server, a *Advice) {
	for i := range servers { // the largest first
		v := &servers[i]
		if v.called > 0 || v.Tokens <= 0 {
			continue
		}
		if v.Off != "" && a.Tokens > 0 {
			break
		}
		a.Tokens, a.Basis, a.Items = a.Tokens+v.Tokens, a.Basis.with(v.Basis), a.Items+v.Tools
		if v.Off != "" {
			a.How = Named(v.Off)
		}
	}
}

// leaveUsed subtracts the rows of skills or agents that the conversation has used. A row of several of them is
// subtracted only under its own name or that of its file or directory.
func (s *Session) leaveUsed(k Kind, rows []Row, a *Advice) {
	what := OfSkill
	if k == Agents {
		what = OfAgent
	}
	for i := range rows {
		if row := &rows[i]; row.Kind == k && !row.Deferred && s.conversation.labels.use(what, row.Label.Name) {
			a.Tokens -= row.Tokens
		}
	}
}

// use reports whether an item is about a row: its subject is the row's name, or the name of the row's file or
// directory.
func (l *labels) use(what SubjectKind, row string) bool {
	for i := range l.list {
		if name := &l.list[i]; name.what == what && name.subject != "" {
			for _, element := range strings.Split(row, "/") {
				if element == name.subject || element == name.subject+".md" {
					return true
				}
			}
		}
	}
	return false
}

// adviceFor returns the advice about the rows of a kind.
func adviceFor(k Kind) Advice {
	switch k {
	case ToolResults:
		return Advice{Action: "dropToolResults", Label: phrase.DropToolResults.Text(), How: phrase.DropToolResultsHow.Text(), BreaksCache: true}
	case Media:
		return Advice{Action: "dropMedia", Label: phrase.DropMedia.Text(), How: phrase.DropMediaHow.Text(), BreaksCache: true}
	case Documents:
		return Advice{Action: "dropDocuments", Label: phrase.DropDocuments.Text(), How: phrase.DropDocumentsHow.Text(), AtMost: true}
	case MCPTools:
		return Advice{Action: "disableMcpTools", Label: phrase.DisableMCPTools.Text(), How: phrase.DefinitionsHow.Text(), BreaksCache: true}
	case Memory:
		return Advice{Action: "shortenMemory", Label: phrase.ShortenMemory.Text(), How: phrase.EveryRequestHow.Text(), BreaksCache: true, AtMost: true}
	case Skills:
		return Advice{Action: "disableSkills", Label: phrase.DisableSkills.Text(), How: phrase.DescriptionsHow.Text(), BreaksCache: true, AtMost: true}
	}
	return Advice{Action: "disableAgents", Label: phrase.DisableAgents.Text(), How: phrase.DescriptionsHow.Text(), BreaksCache: true, AtMost: true}
}
