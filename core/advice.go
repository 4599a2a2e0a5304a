// Copyright The ctx-lsp authors. MIT licence.

package core

import "sort"

// Advice names something that could go, how many tokens that frees, and how to
// do it. Nothing is ever changed for the user.
type Advice struct {
	Action, Label string
	Tokens        int64
	Items         int64
	How           string
	BreaksCache   bool
}

// Commands are what a person types to an agent, by what that does; "" where
// the agent has no such command. NAME stands for a name.
type Commands struct {
	// Agent is true for an agent of which something is known: nothing leaves
	// its conversation but by its own commands.
	Agent bool
	// Compact summarises the conversation, and Focus does so with what the
	// person wants to be kept.
	Compact, Focus string
	// New begins a session. ServerOff switches off an MCP server, and the others
	// manage what their names say.
	New, ServerOff, Memory, Skills, Agents string
}

// how says by which command something goes; "" where the advice itself does.
func (c *Commands) how(k Kind, servers []Server) string {
	switch k {
	case ToolResults, Media:
		if c.Focus != "" {
			return c.Focus
		}
		return c.Compact
	case MCPTools:
		for i := range servers {
			if servers[i].Calls == 0 && servers[i].Off != "" {
				return servers[i].Off
			}
		}
	case Memory:
		return c.Memory
	case Skills:
		return c.Skills
	case Agents:
		return c.Agents
	}
	return ""
}

// advice adds to out what would free most, the most first, once the window
// is getting full.
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
	if c.Advised {
		how := s.rule.Commands.Compact
		if how == "" {
			how = "Summarise the conversation and go on from the summary."
		}
		frees := r.Used - sumRows(&s.fixed.now)
		if c.Landing != nil {
			frees = r.Used - c.Landing.Likely
		}
		add(Advice{"compact", "Compact the conversation", frees, int64(len(s.conversation.items)), how, true})
	}
	worth, own := r.Limit/20, &s.rule.Commands
	for _, k := range []Kind{ToolResults, Media, Documents, MCPTools, Memory, Skills, Agents} {
		tokens, items := int64(0), s.conversation.rows.items[k]
		for i := range r.Breakdown {
			if row := &r.Breakdown[i]; row.Kind == k && !row.Deferred {
				tokens += row.Tokens
			}
		}
		if k.Fixed() {
			items = int64(len(s.fixed.parts[k]))
		}
		if tokens < worth {
			continue
		}
		a, how := adviceFor[k], own.how(k, r.Servers)
		if own.Agent && !k.Fixed() && (how == "" || c.Advised) {
			continue // an agent takes nothing out of a conversation, or it goes with the compaction that is advised
		}
		if how != "" {
			a.How = how
		}
		add(Advice{a.Action, a.Label, tokens, items, a.How, a.BreaksCache})
	}
	if c.Level >= Now && s.worthCompacting() {
		how := own.New
		if how == "" {
			how = "Ask for a hand-over note first, and begin the new session with it."
		}
		add(Advice{"newSession", "Start a new session", r.Used - min(r.Used, s.fixedOnly()), int64(len(s.conversation.items)), how, true})
	}
	sort.Stable(largestAdvice(out))
	return out
}

var adviceFor = [kinds]Advice{
	ToolResults: {Action: "dropToolResults", Label: "Drop old tool results", How: "Clear results that were read and acted upon.", BreaksCache: true},
	Media:       {Action: "dropMedia", Label: "Drop images and files", How: "Take attachments out of the history.", BreaksCache: true},
	Documents:   {Action: "dropDocuments", Label: "Attach fewer documents", How: "They are sent again with every turn.", BreaksCache: false},
	MCPTools:    {Action: "disableMcpTools", Label: "Disable tool servers that are not used", How: "Their definitions are in every request.", BreaksCache: true},
	Memory:      {Action: "shortenMemory", Label: "Shorten memory files", How: "They are in every request.", BreaksCache: true},
	Skills:      {Action: "disableSkills", Label: "Disable skills that are not used", How: "Their descriptions are in every request.", BreaksCache: true},
	Agents:      {Action: "disableAgents", Label: "Remove agent definitions that are not used", How: "Their descriptions are in every request.", BreaksCache: true},
}
