// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var vibeEntry = Entry{
	ID: Vibe, Name: "Mistral Vibe", CompactCommand: "/compact",
	Proof:     Proof{Dated: "2026-11"},
	Recognise: isVibe, Read: func(string) Reader { return &vibe{} }, Rule: vibeRule,
}

// vibeRule returns Mistral Vibe's rule: it compacts at a number of tokens, whatever the window.
func vibeRule(in *Installation) core.Rule {
	rule := core.Rule{
		Name: "vibe", Since: "2026-06-01", Source: "mistral-vibe vibe/core/middleware.py, config: auto_compact_threshold 200000",
		Threshold: 200_000, Prints: printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Mistral Vibe")),
	}
	if set := tokens(in.setting("auto_compact_threshold")); set > 0 {
		rule.Threshold = set
		rule.Name += " with auto_compact_threshold"
	} else if set == 0 {
		return core.Rule{Name: "vibe with automatic compaction off", Since: rule.Since, Source: rule.Source, Hard: true}
	}
	return rule
}

func isVibe(r json.Value) bool {
	if r.Get(sidecarKey).Is("meta.json") {
		return r.Path("data", "stats").Exists()
	}
	return r.Get("role").Exists() && r.Get("message_id").Exists()
}

// vibe reads the messages of Mistral Vibe. The provider's measurement of the last request is in a document next to
// them.
type vibe struct {
	reader.Messages
	messages int64
	reply    int // index where the last reply begins
}

func (v *vibe) Walk(c *codec.Codec) {
	v.WalkMessages(c)
	codec.Within(c, "messages", &v.messages, 0, maxRecords)
	codec.Within(c, "reply", &v.reply, 0, core.MaxItems)
}

func (v *vibe) Record(r json.Value, emit func(core.Event)) {
	v.Emit = emit
	if v.Agent == "" {
		v.SetAgent(Vibe, json.Value{})
	}
	if r.Get(sidecarKey).Is("meta.json") {
		v.meta(r.Get("data"))
		return
	}
	v.messages++
	if r.Get("role").Is("assistant") {
		v.reply = v.Items
	}
	v.Message(r)
}

// meta reads the document next to the messages. If it counts another number of messages, it does not describe the last
// reply, and its numbers are left out.
func (v *vibe) meta(m json.Value) {
	v.AdvanceTo(reader.FirstOf(m, "end_time", "start_time"))
	v.SetWorkspace(m.Path("environment", "working_directory"))
	v.SetBranch(m.Get("git_branch"))
	v.SetTitle(m.Get("title"), core.ByAgent)
	v.SetModel(reader.Short(m.Get("model")), "mistral", "")
	stats := m.Get("stats")
	total := reader.Count(stats.Get("context_tokens"))
	if n := reader.Count(m.Get("total_messages")); total <= 0 || n >= 0 && n != v.messages {
		return
	}
	u := reader.DisjointUsage(stats, reader.UsageKeys{Fresh: "last_turn_prompt_tokens", Out: "last_turn_completion_tokens"})
	if u.In <= 0 || u.Out < 0 || u.In+u.Out != total {
		v.MeterOwnCount(total, "Mistral Vibe")
		return
	}
	u.Through, u.ThroughSet = min(v.reply, v.Items), true
	v.Emit(u)
}
