// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// builtIn says what the agent's own system prompt and tools take, from the
// table of the version nearest to its own that is not newer. deferred is true
// where tools are only listed until they are asked for.
func (t *transcript) builtIn(deferred bool) {
	if t.version == "" || t.model == "" {
		return
	}
	key := t.version + " " + t.model
	if deferred {
		key += " deferred"
	}
	if key == t.looked {
		return
	}
	t.looked = key
	row, ok := builtInOf(t.agent, t.version, strings.ToLower(bare(t.model)))
	if !ok {
		return
	}
	note := ""
	if row.version != parseVersion(t.version) {
		note = ", as in " + row.of
	}
	part := func(label string, tokens int64, cached core.Cached) core.PrefixPart {
		return core.PrefixPart{Part: core.Part{Label: label + note, Tokens: tokens}, Cached: cached, Reference: row.reference}
	}
	// What stands behind the fixed part of the system prompt is cached with it
	// in the versions before it was told apart.
	rest := core.NotCached
	if row.agent == ClaudeCode && row.version < parseVersion("2.1.89") {
		rest = core.MayBeCached
	}
	system := []core.PrefixPart{part("System prompt", row.fixed, core.IsCached)}
	if row.system > 0 {
		system = append(system, part("System prompt, of this workspace", row.system, rest))
	}
	tools := []core.PrefixPart{part("Built-in tools", row.tools, core.IsCached)}
	if deferred && row.loaded > 0 {
		tools[0].Tokens = row.loaded
	}
	if row.optional > 0 {
		tools = append(tools, part("Workflow", row.optional, core.IsCached))
		tools[1].Optional = true
	}
	t.emit(core.PrefixKnown{Source: core.FromTable, Kind: core.System, Parts: system})
	t.emit(core.PrefixKnown{Source: core.FromTable, Kind: core.Tools, Parts: tools})
}

// builtInRow is a line of the table.
type builtInRow struct {
	agent, of string
	version   version
	reference bool // counted with o200k, not with the model's own tokenizer
	// fixed and system are the parts of the system prompt that all sessions
	// share and the rest of it; tools are all, loaded those that are not
	// deferred, optional what some sessions do without.
	fixed, system, tools, loaded, optional int64
}

// builtInOf finds the line of an agent: that of the newest version that is no
// newer than its own, of the first model whose pattern fits.
func builtInOf(agent, of, model string) (best builtInRow, ok bool) {
	own := parseVersion(of)
	for line := range strings.SplitSeq(builtInTable, "\n") {
		name, rest := field(line)
		if name != agent {
			continue
		}
		row := builtInRow{agent: name}
		row.of, rest = field(rest)
		row.version = parseVersion(row.of)
		pattern, rest := field(rest)
		if row.version > own || ok && row.version <= best.version || !matches(pattern, model) {
			continue
		}
		unit, rest := field(rest)
		row.reference = unit == "o200k"
		for _, to := range [...]*int64{&row.fixed, &row.system, &row.tools, &row.loaded, &row.optional} {
			var column string
			column, rest = field(rest)
			*to = max(tokens(column), 0)
		}
		best, ok = row, true
	}
	return best, ok
}
