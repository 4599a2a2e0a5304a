// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"sort"
	"strings"
)

// Advice names something that could go, how many tokens that frees, and how to
// do it. Nothing is ever changed for the user.
type Advice struct {
	Action, Label string
	Tokens        int64
	// Basis is how Tokens is known. AtMost means that less may be freed, because
	// only a part of it can go, or because something unknown stays.
	Basis       Basis
	AtMost      bool
	Items       int64
	How         string
	BreaksCache bool
}

// Commands are the commands that a user types to an agent, by what they do; ""
// if the agent has no such command. NAME stands for a name.
type Commands struct {
	// Agent is true for an agent of which something is known: nothing leaves
	// its conversation but by its own commands.
	Agent bool
	// Compact summarises the conversation, and New begins a session. ServerOff
	// switches off an MCP server, and the others manage what their names say.
	Compact, New, ServerOff, Memory, Skills, Agents string
}

// resultsKept is how many of the newest tool results and media are not old:
// the model may still be working with them.
const resultsKept = 3

// advice adds to out what would free most, the most first, once the window
// is getting full. It names only what is true of this session, and each piece
// of advice frees what its command frees, and no more.
func (s *Session) advice(r *Reading, out []Advice) []Advice {
	c := &r.Compaction
	if r.Basis == BasisUnknown || c.Level == OK || r.Limit <= 0 {
		return out
	}
	add := func(a Advice) {
		if a.Tokens > 0 {
			out = append(out, a)
		}
	}
	own, items := &s.rule.Commands, int64(len(s.conversation.items))
	// An agent with a command for it can be asked to compact before it is time.
	if c.Advised || own.Compact != "" && s.worthCompacting() {
		a := Advice{Action: "compact", Label: "Compact the conversation", Items: items, How: own.Compact, BreaksCache: true, Basis: Estimated}
		if a.How == "" {
			a.How = "Summarise the conversation and go on from the summary."
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
			continue // no command of an agent takes single items out of its conversation
		}
		a := adviceFor[k]
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
		if how := own.of(k); how != "" {
			a.How = how
		}
		if a.Tokens >= worth {
			add(a)
		}
	}
	if c.Level >= Now && s.worthCompacting() {
		a := Advice{Action: "newSession", Label: "Start a new session", Items: items, How: own.New, BreaksCache: true, Basis: Estimated}
		if a.How == "" {
			a.How = "Ask for a hand-over note first, and begin the new session with it."
		}
		a.Tokens, a.AtMost = r.Used-min(r.Used, s.fixedOnly()), s.residual.first.hidden == Unknown
		add(a)
	}
	sort.Stable(largestAdvice(out))
	return out
}

// of returns the command that manages the things of a kind, or "".
func (c *Commands) of(k Kind) string {
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

// sumOf adds up the rows of a kind.
func sumOf(k Kind, rows []Row, a *Advice) {
	for i := range rows {
		if row := &rows[i]; row.Kind == k && !row.Deferred {
			a.Tokens, a.Basis = a.Tokens+row.Tokens, a.Basis.with(row.Basis)
		}
	}
}

// oldItems is the share of a kind's rows that belongs to old items: a measured
// prompt held them, so the model has read them, and newer ones follow.
func (s *Session) oldItems(k Kind, rows []Row, a *Advice) {
	c, all, old, newer := &s.conversation, int64(0), int64(0), 0
	for i := len(c.items) - 1; i >= 0; i-- {
		item := &c.items[i]
		if item.kind != k || item.has(slotGone) || item.tokens == 0 {
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

// unusedServers is what the servers occupy whose tools were never called. A
// command switches off one server, so then it is the largest of them.
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
			a.How = v.Off
		}
	}
}

// leaveUsed subtracts the rows of things that the conversation has used. A row
// of several things stays, even if some of them were used.
func (s *Session) leaveUsed(k Kind, rows []Row, a *Advice) {
	what := OfSkill
	if k == Agents {
		what = OfAgent
	}
	for i := range rows {
		if row := &rows[i]; row.Kind == k && !row.Deferred && s.conversation.labels.use(what, row.Label) {
			a.Tokens -= row.Tokens
		}
	}
}

// use reports whether an item is about the thing of a row: it has the row's
// name, or the name of its file or of the folder that holds it.
func (l *labels) use(what What, row string) bool {
	for i := range l.list {
		if of := &l.list[i]; of.what == what && of.subject != "" {
			for _, element := range strings.Split(row, "/") {
				if element == of.subject || element == of.subject+".md" {
					return true
				}
			}
		}
	}
	return false
}

var adviceFor = [kinds]Advice{
	ToolResults: {Action: "dropToolResults", Label: "Drop old tool results", How: "Clear results that were read and acted upon.", BreaksCache: true},
	Media:       {Action: "dropMedia", Label: "Drop old images and files", How: "Take attachments out of the history.", BreaksCache: true},
	Documents:   {Action: "dropDocuments", Label: "Attach fewer documents", How: "They are sent again with every turn.", AtMost: true},
	MCPTools:    {Action: "disableMcpTools", Label: "Disable tool servers that are not used", How: "Their definitions are in every request.", BreaksCache: true},
	Memory:      {Action: "shortenMemory", Label: "Shorten memory files", How: "They are in every request.", BreaksCache: true, AtMost: true},
	Skills:      {Action: "disableSkills", Label: "Disable skills that are not used", How: "Their descriptions are in every request.", BreaksCache: true, AtMost: true},
	Agents:      {Action: "disableAgents", Label: "Remove agent definitions that are not used", How: "Their descriptions are in every request.", BreaksCache: true, AtMost: true},
}
