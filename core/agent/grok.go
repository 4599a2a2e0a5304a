// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var grokEntry = Entry{
	ID: Grok, Name: "Grok Build", CompactCommand: "/compact",
	Proof:     Proof{Dated: "2026-11", FromTexts: true},
	Recognise: isGrok, Read: func(string) Reader { return &grok{} }, Rule: grokRule,
}

// grokRule returns Grok Build's rule: it compacts at a share of the window, 85% unless it is set.
func grokRule(in *Installation) core.Rule {
	rule := core.Rule{
		Name: "grok", Since: "2026-11-01", Source: "grok-build: auto_compact_threshold_percent 85",
		Percent: 8500, OfWindow: true, Prints: printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Grok Build")),
	}
	for _, name := range []string{"GROK_AUTO_COMPACT_THRESHOLD_PERCENT", "session.auto_compact_threshold_percent"} {
		if share := in.percentage(name, 100); share > 0 {
			rule.Percent = share
			rule.Name += " with " + name
			break
		}
	}
	return rule
}

func isGrok(r json.Value) bool {
	kind := r.Get("type")
	switch name := r.Get(sidecarKey); {
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

// grok reads the chat history of Grok Build, and the agent's own meter next to it, which it compares with its
// threshold.
type grok struct {
	reader.Messages
	turns      []int64 // the start of each turn, among all items ever appended
	summarized int64   // how many of these are now summarized
	fell       int64   // number of reported compactions
	live       bool    // the log of updates has shown the window's content, so signals.json is older
}

func (g *grok) Walk(c *codec.Codec) {
	g.WalkMessages(c)
	codec.List(c, "turns", &g.turns, maxGrokTurns, func(turn *int64, c *codec.Codec) { codec.Within(c, "turn", turn, 0, maxRecords) })
	codec.Within(c, "summarized", &g.summarized, 0, maxRecords)
	codec.Within(c, "fell", &g.fell, 0, maxRecords)
	c.Bools("live", &g.live)
}

func (g *grok) Record(r json.Value, emit func(core.Event)) {
	g.Emit = emit
	if g.Agent == "" {
		g.SetAgent(Grok, json.Value{})
	}
	switch kind, data := r.Get("type"), r.Get("data"); {
	case r.Get(sidecarKey).Is("summary.json"):
		g.AdvanceTo(data.Get("last_active_at"))
		g.SetWorkspace(data.Path("info", "cwd"))
		g.SetBranch(data.Get("head_branch"))
		g.SetTitle(data.Get("generated_title"), core.ByAgent)
		g.SetModel(reader.Short(data.Get("current_model_id")), "xai", "")
	case r.Get(sidecarKey).Is("signals.json"):
		g.SetModel(reader.Short(data.Get("primaryModelId")), "xai", "")
		g.SetWindow(reader.Count(data.Get("contextWindowTokens")), core.Unknown, core.Unknown)
		if !g.live {
			g.MeterOwnCount(reader.Count(data.Get("contextTokensUsed")), "Grok Build")
		}
	case r.Get(sidecarKey).Is("updates.jsonl"):
		g.updates(data)
	case kind.Is("system"):
		g.HasPrefix = false
		g.SetSystem(r.Get("content"), json.Value{})
	case kind.Is("user"):
		if r.Get("synthetic_reason").IsNull() {
			if len(g.turns) < maxGrokTurns {
				g.turns = append(g.turns, g.summarized+int64(g.Items))
			}
			g.StartTurn()
		}
		g.AddBlocks(core.User, r.Get("content"))
	case kind.Is("reasoning"):
		item := reader.NewItem(core.Reasoning)
		item.Text = reader.AppendTexts(g.Scratch[:0], r.Get("summary"), 0)
		g.Scratch, item.Opaque = item.Text, int64(r.Get("encrypted_content").TextLen())
		g.Add(item)
	case kind.Is("assistant"):
		g.SetModel(reader.Short(r.Get("model_id")), "xai", "")
		g.AddBlocks(core.Assistant, r.Get("content"))
		for e := r.Get("tool_calls").Elements(); e.Next(); {
			g.AddCall(e.Value)
		}
	case kind.Is("tool_result"):
		g.AddResult(r)
	case kind.Is("backend_tool_call"): // results of provider-side tools are not sent again
	default:
		g.SkipUnknown(r, kind)
	}
}

// maxGrokTurns bounds how many turns are remembered.
const maxGrokTurns = 100_000

// updates reads the log of updates: how much the window contains, and when that fell to less than half. Such a fall is
// treated as a compaction in the turn after the completed ones.
func (g *grok) updates(data json.Value) {
	n := int64(0)
	for e := data.Get("falls").Elements(); e.Next(); n++ {
		if n < g.fell {
			continue
		}
		if g.fell++; g.fell == 1 {
			g.Emit(core.Warned{Sentence: phrase.GrokFell.Text()})
		}
		kept := 0
		if turn := reader.Count(e.Value.Get("turn")); turn >= 0 && turn < int64(len(g.turns)) {
			kept = int(max(g.summarized+int64(g.Items)-g.turns[turn], 0))
		}
		kept = min(kept, g.Items)
		g.summarized += int64(g.Items - kept)
		g.Compact(json.Value{}, kept, core.Compacted{Auto: true, Before: reader.Count(e.Value.Get("before")), Tokens: reader.Count(e.Value.Get("after"))})
	}
	if total := reader.Count(data.Get("totalTokens")); total > 0 {
		g.live = true
		g.MeterOwnCount(total, "Grok Build")
	}
}
