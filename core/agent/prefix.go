// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// builtIn emits the sizes of the agent's own system prompt and tools, from the
// table of the nearest version that is not newer. deferred is true where tools
// are only listed until they are asked for.
func builtIn(t *reader.Transcript, deferred bool) {
	if t.Version == "" && t.Time == 0 {
		return
	}
	key := t.Version + " " + t.Model
	if deferred {
		key += " deferred"
	}
	if key == t.LookedUp {
		return
	}
	t.LookedUp = key
	row, ok := builtInOf(t.Agent, t.Version, t.Time, strings.ToLower(bare(t.Model)))
	if !ok {
		forgetBuiltIn(t)
		t.LookedUp = key
		return
	}
	tabled := row.versionName + " " + row.pattern
	if deferred {
		tabled += " deferred"
	}
	if tabled == t.Tabled {
		return
	}
	t.Tabled = tabled
	part := func(label core.Text, tokens int64, cached core.Cached) core.PrefixPart {
		if row.version != reader.ParseVersion(t.Version) {
			label = phrase.AsIn.Text(label.Arg(), phrase.Name(row.versionName))
		}
		return core.PrefixPart{Part: core.Part{Label: label, Tokens: tokens}, Cached: cached, Reference: row.reference}
	}
	// Only Claude Code says where a cache may end: behind the fixed part of its
	// system prompt, whose rest is cached with it in the versions before it was
	// kept apart, and has a place of its own from 2.1.126 on. What others read
	// from a cache ends where some earlier request began to differ.
	first, rest := core.IsCached, core.NotCached
	switch own := reader.ParseVersion(t.Version); {
	case row.agent != ClaudeCode:
		first = core.NotCached
	case own < reader.ParseVersion("2.1.89"):
		rest = core.MayBeCached
	case own >= reader.ParseVersion("2.1.126"):
		rest = core.ExactlyCached
	}
	system := []core.PrefixPart{part(phrase.System.Text(), row.fixed, first)}
	if row.system > 0 {
		system = append(system, part(phrase.SystemHere.Text(), row.system, rest))
	}
	if row.agent == ClaudeCode && t.Branch != "" {
		system = append(system, core.PrefixPart{Part: core.Part{Label: phrase.GitStatus.Text(), Tokens: gitStatus}, Cached: rest, Reference: true})
	}
	tools := []core.PrefixPart{part(phrase.BuiltIn.Text(), row.tools, first)}
	if deferred && row.loaded > 0 {
		tools[0].Tokens = row.loaded
	}
	if row.optional > 0 {
		tools = append(tools, part(phrase.Workflow.Text(), row.optional, first))
		tools[1].Optional = true
	}
	t.SetPrefix(core.FromTable, core.System, system)
	t.SetPrefix(core.FromTable, core.Tools, tools)
}

// forgetBuiltIn withdraws the sizes that were emitted before the model or the kind of agent was known.
func forgetBuiltIn(t *reader.Transcript) {
	if t.Tabled != "" {
		t.Tabled, t.LookedUp = "", ""
		t.SetPrefix(core.FromTable, core.System, nil)
		t.SetPrefix(core.FromTable, core.Tools, nil)
	}
}

// A builtInRow is a line of the table.
type builtInRow struct {
	agent, versionName string
	pattern            string // matches the models
	version            reader.Version
	since              int64 // when it was released, 0 where transcripts name their version
	reference          bool  // counted in o200k, and not in the model's own encoding
	// fixed is the part of the system prompt that is the same in all sessions, and
	// system is the rest. tools is all tools, loaded those that are not deferred,
	// and optional a tool that some sessions do without.
	fixed, system, tools, loaded, optional int64
}

// builtInOf finds the line of an agent: that of its own version, else of the nearest, of the first model whose pattern
// fits. Without a version it is the newest that had been released the day before a session's time. Before an agent has
// named its model, the row is that of any model, or of Claude Code's first one.
func builtInOf(agent, version string, time int64, model string) (best builtInRow, ok bool) {
	own := reader.ParseVersion(version)
	for line := range strings.SplitSeq(builtInTable, "\n") {
		name, rest := field(line)
		if name != agent {
			continue
		}
		row := builtInRow{agent: name}
		row.versionName, rest = field(rest)
		row.version = reader.ParseVersion(row.versionName)
		pattern, rest := field(rest)
		row.pattern = pattern
		if !matches(pattern, model) && !(model == "" && agent == ClaudeCode) {
			continue
		}
		unit, rest := field(rest)
		row.reference = unit == "o200k"
		for _, to := range []*int64{&row.fixed, &row.system, &row.tools, &row.loaded, &row.optional} {
			var column string
			column, rest = field(rest)
			*to = max(tokens(column), 0)
		}
		since, _ := field(rest)
		row.since, _ = reader.ParseRFC3339([]byte(since + "T00:00:00"))
		if own == 0 && (row.since == 0 || row.since+dayLong > time) {
			continue
		}
		if !ok || nearer(row.version, best.version, own) {
			best, ok = row, true
		}
	}
	return best, ok && (own == 0 || best.version <= own || best.version.IsJustAfter(own))
}

// nearer is true if a version tells more of another one than the best so far
// does: the newest that is no newer, but rather one that came just after it
// than an older one of another minor. What has no version is near the newest.
func nearer(v, best, to reader.Version) bool {
	if to == 0 {
		return v > best
	}
	near := func(v reader.Version) bool { return v <= to && v.IsSameMinor(to) || v.IsJustAfter(to) }
	if n := near(v); n != near(best) {
		return n
	}
	if older := v <= to; older != (best <= to) {
		return older
	} else if older {
		return v > best
	}
	return v < best
}

// gitStatus is by how many tokens of o200k the status of a repository, which
// Claude Code puts into its system prompt, is longer than that of the one that
// the table was measured in: by its last five commits. They took 70 to 155 in
// 27 public repositories, 85 in the median. Changed files come on top.
const gitStatus = 85

const dayLong = 24 * 60 * 60 * 1000
