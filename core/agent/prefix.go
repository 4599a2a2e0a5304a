// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// builtIn emits the sizes of the agent's own system prompt and tools, from the table's row for the nearest version that
// is not newer. deferred is set if tools are only listed until they are loaded on demand.
func builtIn(t *reader.Transcript, deferred bool) {
	if t.Version == "" && t.Time == 0 {
		return
	}
	key := t.Version + " " + t.Model
	if deferred {
		key += " deferred"
	}
	if t.Branch != "" {
		key += " git"
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
	here := row.system
	if row.repository > 0 && (t.Branch != "" || row.agent == GeminiCLI) { // Gemini CLI records no branch
		here += row.repository
		tabled += " git"
	}
	if row.skills > 0 {
		tabled += withSkills
	}
	if tabled == t.Tabled {
		return
	}
	t.Tabled = tabled
	part := func(label core.Text, tokens int64, cached core.Cached) core.PrefixPart {
		return core.PrefixPart{Part: core.Part{Label: label, Tokens: tokens}, Cached: cached, Reference: row.reference}
	}
	// Only Claude Code marks where a cache may end: after the fixed part of its system prompt. In earlier versions the
	// rest of the prompt is cached with it; from 2.1.126 on, the rest is separate. For other agents, a cache read ends
	// where an earlier request began to differ.
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
	if here > 0 {
		system = append(system, part(phrase.SystemHere.Text(), here, rest))
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
	if row.skills > 0 {
		t.SetPrefix(core.FromTable, core.Skills, []core.PrefixPart{part(phrase.FirstReminder.Text(), row.skills, core.NotCached)})
	}
}

// withSkills ends the name of a row with a list of skills.
const withSkills = " skills"

// forgetBuiltIn withdraws sizes that were emitted before the model or the kind of agent was known.
func forgetBuiltIn(t *reader.Transcript) {
	if t.Tabled != "" {
		if strings.HasSuffix(t.Tabled, withSkills) {
			t.SetPrefix(core.FromTable, core.Skills, nil)
		}
		t.Tabled, t.LookedUp = "", ""
		t.SetPrefix(core.FromTable, core.System, nil)
		t.SetPrefix(core.FromTable, core.Tools, nil)
	}
}

// A builtInRow is a row of the table.
type builtInRow struct {
	agent, versionName string
	pattern            string // matches the models
	version            reader.Version
	since              int64 // when it was released; 0 if transcripts name the version
	reference          bool  // counted in o200k instead of the model's own encoding
	// fixed is the part of the system prompt that is the same in all sessions, and system the rest. tools is the size
	// of all tools, loaded that of the tools that are not deferred, and optional a tool that only some sessions have.
	// repository is what the system prompt has in addition in a repository, and skills the reminder before the first
	// message: skills that come with the agent, environment, tools.
	fixed, system, tools, loaded, optional, repository, skills int64
}

// builtInOf finds an agent's row: for its own version, otherwise the nearest one, and the first model whose pattern
// matches. Without a version, it is the newest row released by the day before the session. Before an agent has named
// its model, it is the row for any model, or for Claude Code's first one.
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
		for _, to := range []*int64{&row.fixed, &row.system, &row.tools, &row.loaded, &row.optional, &row.repository, &row.skills} {
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

// nearer reports whether the sizes of version v are a better guess for another version than the best so far. The best
// is the newest one that is not newer, but one shortly after it is better than an older one with another minor number.
// An unknown version is closest to the newest.
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

// gitStatus is how many o200k tokens longer a repository's status, which Claude Code puts into its system prompt, is
// than that of the repository that the table was measured in. The difference is its last five commits: 70 to 155 tokens
// in 27 public repositories, 85 in the median. Changed files add to it.
const gitStatus = 85

const dayLong = 24 * 60 * 60 * 1000
