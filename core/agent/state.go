// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

// State is the part of a reader's memory that lets it continue a transcript after a restart: counts, ids, hashes and
// labels, never text.
type State struct {
	Agent string
	// Format identifies the walk that saved it. No other walk can restore it.
	Format string
	Names  []string
	Bytes  []byte
}

// limits bound a state. A ledger is saved after every change, so a reader that remembers more is not saved with it.
var limits = codec.Limits{Total: 128 << 10, Name: reader.MaxPath}

// maxRecords bounds a count of a transcript's records, or of its items.
const maxRecords = 1 << 53

// StateFormat returns the name of the format in which this build saves the readers of an agent, and the only one that
// it restores; "" for an agent whose readers cannot be saved.
func StateFormat(agent string) string {
	k, ok := New(agent).(reader.Keeper)
	if !ok {
		return ""
	}
	return codec.Format(k.Walk)
}

// Save copies a reader's memory into a state, and reuses the state's buffer. It returns false for a reader that cannot
// be saved or remembers too much.
func Save(agent string, from Reader, into *State) bool {
	k, ok := from.(reader.Keeper)
	if !ok {
		return false
	}
	if into.Agent != agent || into.Format == "" {
		into.Agent, into.Format = agent, StateFormat(agent)
	}
	state := codec.State{Names: into.Names, Bytes: into.Bytes}
	ok = codec.Save(&state, into.Format, limits, k.Walk)
	into.Names, into.Bytes = state.Names, state.Bytes
	return ok
}

// Restore returns a reader made from a state; nil if the state is damaged, or has another format than this build saves.
func Restore(from State) Reader {
	k, ok := New(from.Agent).(reader.Keeper)
	if !ok || !codec.Restore(codec.State{Format: from.Format, Names: from.Names, Bytes: from.Bytes}, StateFormat(from.Agent), limits, k.Walk) {
		return nil
	}
	return k
}

// A parent is a reader of a transcript that also contains sub-agents.
type parent interface{ subAgents() *reader.Children }

// Children returns the ids of the sub-agents that a reader follows.
func Children(reader Reader) []string {
	p, ok := reader.(parent)
	if !ok {
		return nil
	}
	within := p.subAgents()
	var ids []string
	for _, key := range codec.Keys(within.IDs) {
		ids = append(ids, within.IDs[key])
	}
	return ids
}

func walkMetered(c *codec.Codec, m *core.Metered) {
	c.Texts("Note", &m.Note)
	c.Names("Request Model.Model Model.Provider Model.Route", &m.Request, &m.Model.Model, &m.Model.Provider, &m.Model.Route)
	modality := &m.ByModality
	c.Ints("In Out Reasoning CacheRead CacheWrite KeptLong CacheLife Window", &m.In, &m.Out, &m.Reasoning, &m.CacheRead, &m.CacheWrite, &m.KeptLong, &m.CacheLife, &m.Window)
	c.Ints("Text Image Audio Video Document", &modality.Text, &modality.Image, &modality.Audio, &modality.Video, &modality.Document)
	for _, n := range [...]int64{m.In, m.Out, m.Reasoning, m.CacheRead, m.CacheWrite, m.KeptLong, m.CacheLife, m.Window, modality.Text, modality.Image, modality.Audio, modality.Video, modality.Document} {
		c.Refuse(n < core.Unknown || n > 16*core.MaxTokens)
	}
	codec.Within(c, "Through", &m.Through, 0, core.MaxItems)
	c.Bools("ThroughSet Partial Sum SideRequest ServerTools ServerStays", &m.ThroughSet, &m.Partial, &m.Sum, &m.SideRequest, &m.ServerTools, &m.ServerStays)
	c.Bools("Volatile OutPlaceholder Ambiguous Counted Own", &m.Volatile, &m.OutPlaceholder, &m.Ambiguous, &m.Counted, &m.Own)
}
