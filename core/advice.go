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
		how := s.rule.How
		if how == "" {
			how = "Summarise the conversation and go on from the summary."
		}
		frees := r.Used - sumRows(&s.fixed.now)
		if c.Landing != nil {
			frees = r.Used - c.Landing.Likely
		}
		add(Advice{"compact", "Compact the conversation", frees, int64(len(s.conversation.items)), how, true})
	}
	worth := r.Limit / 20
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
		a := adviceFor[k]
		add(Advice{a.Action, a.Label, tokens, items, a.How, a.BreaksCache})
	}
	if c.Level >= Now && s.worthCompacting() {
		add(Advice{
			"newSession", "Start a new session", r.Used - min(r.Used, s.fixedOnly()), int64(len(s.conversation.items)),
			"Ask for a hand-over note first, and begin the new session with it.", true,
		})
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
