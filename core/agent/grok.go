// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var grokEntry = Entry{
	ID: Grok, Name: "Grok Build", Program: "grok", CompactCommand: "/compact",
	PromptFiles: []string{"AGENTS.md"}, HomeFolders: []string{".grok"},
	Recognise: isGrok, Read: func() Reader { return &grok{} }, Rule: grokRule,
}

// grokRule: compact at a share of the window, 85 % unless it is set.
func grokRule(of *Installation) core.Rule {
	rule := core.Rule{
		Name: "grok", Since: "2026-11-01", Source: "grok-build: auto_compact_threshold_percent 85",
		Percent: 8500, OfWindow: true, Prints: printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Grok Build")),
	}
	for _, name := range []string{"GROK_AUTO_COMPACT_THRESHOLD_PERCENT", "session.auto_compact_threshold_percent"} {
		if share := hundredth(of.setting(name)); share >= 100 && share <= 10_000 {
			rule.Percent = share
			rule.Name += " with " + name
			break
		}
	}
	return rule
}

func isGrok(r json.Value) bool {
	kind := r.Get("type")
	switch name := r.Get(besideKey); {
	case name.Is("signals.json"), name.Is("summary.json"), name.Is("updates.jsonl"):
		return r.Get("data").Kind() == json.Object
	case r.Get("timestamp").Exists(), r.Get("uuid").Exists(), r.Get("message").Exists(), r.Get("ts").Exists():
		return false
	case kind.Is("system"), kind.Is("user"):
		return r.Get("content").Exists() && !r.Get("id").Exists()
	case kind.Is("assistant"):
		return r.Get("content").Exists() && (r.Get("model_id").Exists() || r.Get("tool_calls").Exists())
	case kind.Is("reasoning"):
		return r.Get("summary").Kind() == json.Array
	case kind.Is("tool_result"):
		return r.Get("tool_call_id").Exists()
	}
	return kind.Is("backend_tool_call") && r.Get("kind").Exists()
}

// grok reads the chat history of Grok Build, and its own meter beside it, which is what it compares with its line.
type grok struct {
	speech
	turns []int64 // where each turn begins, among all items that there ever were
	gone  int64   // how many of these stand as a summary now
	fell  int64   // how many compactions were told
	live  bool    // the log of updates has told how much the window holds, and signals.json is older
}

func (g *grok) walk(c *codec.Codec) {
	g.walkSpeech(c)
	codec.List(c, "turns", &g.turns, maxGrokTurns, func(turn *int64, c *codec.Codec) { codec.Within(c, "turn", turn, 0, maxRecords) })
	codec.Within(c, "gone", &g.gone, 0, maxRecords)
	codec.Within(c, "fell", &g.fell, 0, maxRecords)
	c.Bools("live", &g.live)
}

func (g *grok) Record(r json.Value, emit func(core.Event)) {
	g.emit = emit
	if g.agent == "" {
		g.seen(Grok, json.Value{})
	}
	switch kind, data := r.Get("type"), r.Get("data"); {
	case r.Get(besideKey).Is("summary.json"):
		g.advanceTo(data.Get("last_active_at"))
		g.cwd(data.Path("info", "cwd"))
		g.onBranch(data.Get("head_branch"))
		g.called(data.Get("generated_title"), core.ByAgent)
		g.modelIs(short(data.Get("current_model_id")), "xai", "")
	case r.Get(besideKey).Is("signals.json"):
		g.modelIs(short(data.Get("primaryModelId")), "xai", "")
		g.windowIs(count(data.Get("contextWindowTokens")), core.Unknown, core.Unknown)
		if !g.live {
			g.ownCount(count(data.Get("contextTokensUsed")), "Grok Build")
		}
	case r.Get(besideKey).Is("updates.jsonl"):
		g.updates(data)
	case kind.Is("system"):
		g.prefixed = false
		g.systemIs(r.Get("content"), json.Value{})
	case kind.Is("user"):
		if r.Get("synthetic_reason").IsNull() {
			if len(g.turns) < maxGrokTurns {
				g.turns = append(g.turns, g.gone+int64(g.items))
			}
			g.turn()
		}
		g.blocks(core.User, r.Get("content"))
	case kind.Is("reasoning"):
		item := newItem(core.Reasoning)
		item.Text = appendTexts(g.scratch[:0], r.Get("summary"), 0)
		g.scratch, item.Opaque = item.Text, int64(r.Get("encrypted_content").TextLen())
		g.add(item)
	case kind.Is("assistant"):
		g.modelIs(short(r.Get("model_id")), "xai", "")
		g.blocks(core.Assistant, r.Get("content"))
		for e := r.Get("tool_calls").Elements(); e.Next(); {
			g.call(e.Value)
		}
	case kind.Is("tool_result"):
		g.result(r)
	case kind.Is("backend_tool_call"): // what the provider did by itself is not sent again
	default:
		g.unknown(r, kind)
	}
}

// maxGrokTurns bounds how many turns are remembered.
const maxGrokTurns = 100_000

// updates reads what the log of updates says: how much the window holds, and when it fell to less than half. Such a
// fall is taken for a compaction in the turn after those that were complete.
func (g *grok) updates(data json.Value) {
	n := int64(0)
	for e := data.Get("falls").Elements(); e.Next(); n++ {
		if n < g.fell {
			continue
		}
		if g.fell++; g.fell == 1 {
			g.emit(core.Warned{Sentence: phrase.GrokFell.Text()})
		}
		kept := 0
		if turn := count(e.Value.Get("turn")); turn >= 0 && turn < int64(len(g.turns)) {
			kept = int(max(g.gone+int64(g.items)-g.turns[turn], 0))
		}
		kept = min(kept, g.items)
		g.gone += int64(g.items - kept)
		g.compactedTo(json.Value{}, kept, core.Compacted{Auto: true, Before: count(e.Value.Get("before")), Tokens: count(e.Value.Get("after"))})
	}
	if total := count(data.Get("totalTokens")); total > 0 {
		g.live = true
		g.ownCount(total, "Grok Build")
	}
}
