// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Two programs may write into one transcript: a session that was resumed in a second terminal, or the agents of a team.
// Their records alternate, and only the chains of parents distinguish them. The reader follows the chain that began
// last. If responses continue on an abandoned chain, they belong to another program and to a separate conversation.

// maxWriters bounds the other programs in one transcript.
const maxWriters = 8

// elsewhere handles a record of another writer, or one that was read before. It returns false for a new record of the
// writer that is followed.
func (c *claudeCode) elsewhere(r, kind json.Value, emit func(core.Event)) bool {
	parent := reader.Identity(r.Get("parentUuid"))
	if parent == 0 {
		parent = reader.Identity(r.Get("logicalParentUuid")) // a compaction begins a new chain
	}
	if parent == 0 && !c.fromOtherTeam(r, kind) {
		return c.before(r)
	}
	for _, id := range c.writers {
		other, ok := c.children.Readers[id].(*claudeCode)
		if !ok {
			continue
		}
		if _, known := other.chain.Links[parent]; known {
			c.children.Pass(id, r, emit)
			return true
		}
	}
	if parent != 0 && !c.chain.IsLeft(parent) {
		return c.before(r)
	}
	if !kind.Is("assistant") || len(c.writers) >= maxWriters || c.inside {
		// Only a response proves that a program continues there.
		c.chain.Add(r, c.Items, c.Items, false)
		c.chain.Leave(reader.Identity(r.Get("uuid")))
		return true
	}
	id := reader.Hash(r.Get("uuid"))
	if !c.children.Open(id, r.Get("uuid"), &claudeCode{id: c.id, inside: true}) {
		return true
	}
	c.writers = append(c.writers, id)
	emit(core.Warned{Sentence: phrase.TwoWriters.Text()})
	c.children.Pass(id, r, emit)
	return true
}

// before reports whether a record was read before the remembered ones: it is older, and does not descend from a newer
// record. Such records exist if files were concatenated, or a session was written again into its own file.
func (c *claudeCode) before(r json.Value) bool {
	ms, ok := reader.ParseTime(r.Get("timestamp"))
	return ok && ms < c.chain.Since && !c.chain.Has(r.Get("parentUuid"))
}

// fromOtherTeam reports whether another agent of a team wrote the root of a chain after this one has responded.
func (c *claudeCode) fromOtherTeam(r, kind json.Value) bool {
	_, answered := c.chain.Links[c.chain.Answer]
	return answered && kind.Is("user") && !r.Get("isCompactSummary").Bool() && teamOf(r) != c.team
}

// teamOf returns a key for an agent of a team; 0 outside of teams.
func teamOf(r json.Value) uint64 {
	team, agent := reader.Hash(r.Get("teamName")), reader.Hash(r.Get("agentName"))
	if team == 0 && agent == 0 {
		return 0
	}
	return reader.Mix(team, agent)
}
