// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var piEntry = Entry{
	ID: Pi, Name: "Pi", CompactCommand: "/compact",
	Proof:     Proof{Lab: "1.6.0"},
	Recognise: isPi, Read: newPi, Rule: piRule, Window: openCodeWindow,
}

// openClawEntry describes a program that is derived from Pi. Only the location of its records shows which program wrote
// them.
var openClawEntry = Entry{
	ID: OpenClaw, Name: "OpenClaw", CompactCommand: "/compact",
	Proof: Proof{Dated: "2026-11"},
	Read:  newPi, Rule: piRule,
}

// piRule returns Pi's rule: it compacts when less than a reserve of 16,384 is left of the window.
func piRule(in *Installation) core.Rule {
	rule := core.Rule{
		Name: in.Agent, Since: "2026-10-01", Source: "pi packages/coding-agent/src/core/compaction: reserveTokens 16384, keepRecentTokens 20000",
		First: core.FirstPrompt{Tools: core.Unrecorded{Usual: 2_600, Most: 12_000}, Memory: core.Unrecorded{Most: 2_000}},
		Below: 16_384, OfWindow: true, Past: phrase.CompactsAfter, Prints: printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Pi")),
	}
	if in.off("compaction.enabled") {
		return core.Rule{Name: in.Agent + " with compaction off", Since: rule.Since, Source: rule.Source, Hard: true}
	}
	if reserve := in.sized("compaction.reserveTokens"); reserve > 0 {
		rule.Below = reserve
		rule.Name += " with compaction.reserveTokens"
	}
	return rule
}

// isPi recognizes entries by their ids. The first version had none.
func isPi(r json.Value) bool {
	if !r.Get("timestamp").Exists() {
		return false
	}
	kind := r.Get("type")
	switch {
	case kind.Is("session"):
		return reader.HasText(r.Get("id")) && r.Get("cwd").Exists()
	case kind.Is("message"):
		m := r.Get("message")
		return (m.Get("timestamp").Exists() || m.Get("api").Exists() || m.Get("toolCallId").Exists()) &&
			(r.Get("parentId").Exists() || !r.Get("id").Exists()) && !r.Get("sessionId").Exists()
	case kind.Is("model_change"):
		return r.Get("modelId").Exists()
	case kind.Is("compaction"):
		return r.Get("tokensBefore").Exists()
	}
	return kind.Is("thinking_level_change") || r.Get("parentId").Exists() && (kind.Is("custom") || kind.Is("custom_message") ||
		kind.Is("label") || kind.Is("session_info") || kind.Is("branch_summary") || kind.Is("context_edit"))
}

// pi reads the entries of a session, which form a tree: each names its parent, and the last one is the present state of
// the conversation.
type pi struct {
	reader.Messages
	id    string
	chain reader.Chain
	lines int64 // lines so far; entries of the first version are identified by their lines
}

// newPi returns a reader of the entries that an agent writes.
func newPi(id string) Reader { return &pi{id: id, chain: reader.Chain{Brief: true}} }

func (p *pi) Walk(c *codec.Codec) {
	p.WalkMessages(c)
	codec.Within(c, "lines", &p.lines, 0, maxRecords)
	p.chain.Walk(c.Part("chain"))
}

func (p *pi) Record(r json.Value, emit func(core.Event)) {
	p.Emit = emit
	p.lines++
	if known, shared := p.chain.WasRead(r); known {
		return
	} else if shared {
		p.WarnOfSharedID()
	}
	p.AdvanceTo(r.Get("timestamp"))
	if p.Agent == "" {
		p.SetAgent(p.id, json.Value{})
	}
	if from, left := p.chain.Fork(r); left && from < p.Items {
		p.Emit(core.Truncated{From: from})
		p.Items = from
	}
	first := p.Items
	if p.entry(r, r.Get("type")) {
		first = min(first, p.Items)
	}
	if p.chain.ID(r) != 0 {
		p.chain.Add(r, first, p.Items, true)
	} else {
		p.chain.Put(lineID(p.lines), lineID(p.lines-1), first, p.Items)
	}
}

// lineID returns the id of an entry without one: its line.
func lineID(line int64) uint64 { return reader.Mix(uint64(line), 5) }

// entry reads one entry; moved is set if earlier items have changed their indices.
func (p *pi) entry(r, kind json.Value) (moved bool) {
	switch {
	case kind.Is("session"):
		p.SetWorkspace(r.Get("cwd"))
		p.SetModel(reader.Short(r.Get("modelId")), reader.Short(r.Get("provider")), "")
		p.setEffort(r)
	case kind.Is("thinking_level_change"):
		p.setEffort(r)
	case kind.Is("message"):
		p.message(r.Get("message"))
	case kind.Is("custom_message"):
		p.AddBlocks(core.User, r.Get("content"))
	case kind.Is("branch_summary"):
		p.AddBlocks(core.Summary, r.Get("summary"))
	case kind.Is("model_change"):
		p.SetModel(reader.Short(r.Get("modelId")), reader.Short(r.Get("provider")), p.Route)
	case kind.Is("compaction"):
		p.compacted(r)
		return true
	case kind.Is("context_edit"):
		p.edited(r)
	case kind.Is("session_info"):
		p.SetTitle(r.Get("name"), core.ByUser)
	case kind.Is("usage"), kind.Is("custom"), kind.Is("label"):
	default:
		p.SkipUnknown(r, kind)
	}
	return false
}

// setEffort reads the thinking level of the next request.
func (p *pi) setEffort(r json.Value) {
	if level := reader.Short(r.Get("thinkingLevel")); level != "" {
		p.Emit(core.EffortSet{Level: level})
	}
}

func (p *pi) message(m json.Value) {
	switch role := m.Get("role"); {
	case role.Is("assistant"):
		p.answer(m)
	case role.Is("system"):
		p.SetSystem(m.Get("content"), json.Value{})
		p.SetSystem(m.Get("sections"), m.Get("toolsAdded"))
	case role.Is("bashExecution"):
		if !m.Get("excludeFromContext").Bool() {
			item := reader.NewItem(core.ToolResults)
			item.Label = core.Named("bash")
			item.Text = append(m.Get("command").AppendText(p.Scratch[:0]), '\n')
			item.Text = m.Get("output").AppendText(item.Text)
			p.Scratch = item.Text
			p.Add(item)
		}
	case role.Is("custom"), role.Is("hookMessage"):
		p.AddBlocks(core.User, m.Get("content"))
	case role.Is("branchSummary"), role.Is("compactionSummary"):
		p.AddBlocks(core.Summary, m.Get("summary"))
	default:
		p.Message(m)
	}
}

var piUsage = reader.UsageKeys{Fresh: "input", Read: "cacheRead", Written: "cacheWrite", Out: "output", Reasoning: "reasoning"}

// answer reads a reply. A reply that failed or was interrupted is not sent again, unless it was measured.
func (p *pi) answer(m json.Value) {
	usage := reader.DisjointUsage(m.Get("usage"), piUsage)
	usage.KeptLong = max(reader.Count(m.Path("usage", "cacheWrite1h")), 0)
	usage.CacheLife = core.CacheLife(0, usage.KeptLong)
	usage.Request = reader.Short(m.Get("responseId"))
	if usage.In > 0 {
		usage.Model = p.AnsweredBy(reader.Short(m.Get("model")), reader.Short(m.Get("provider")), reader.Short(m.Get("api")))
	}
	stop := m.Get("stopReason")
	// Google's models receive the summary of their thoughts again as text, and the thoughts by the signature of a call.
	p.Echoes = usage.In > 0 && strings.HasPrefix(p.Route, "google-")
	if p.Meter(usage) || !stop.Is("error") && !stop.Is("aborted") {
		p.Message(m)
	}
	if stop.Is("stop") || stop.Is("aborted") {
		p.EndTurn()
	}
}

// compacted reads a compaction. It keeps all items from an entry on, which the first version identified by its line.
func (p *pi) compacted(r json.Value) {
	kept := 0
	from, known := p.chain.Links[reader.Identity(r.Get("firstKeptEntryId"))]
	if line := reader.Count(r.Get("firstKeptEntryIndex")); line >= 0 {
		from, known = p.chain.Links[lineID(line+1)]
	}
	if known {
		kept = p.Items - int(from.First)
	}
	if u := reader.DisjointUsage(r.Get("usage"), piUsage); u.In > 0 {
		u.SideRequest = true
		p.Meter(u)
	}
	before := p.Items
	p.Compact(r.Get("summary"), kept, core.Compacted{Auto: true, Before: reader.Count(r.Get("tokensBefore")), Tokens: core.Unknown})
	kept = min(max(kept, 0), before)
	p.chain.ShiftItems(before - kept)
	if m := r.Get("systemMessage"); m.Exists() {
		p.HasPrefix = false
		p.message(m)
	}
}

// edited removes an entry from the context, or replaces its text.
func (p *pi) edited(r json.Value) {
	target := p.chain.Links[reader.Identity(r.Get("targetId"))]
	for i := int(target.First); i < min(int(target.Next), p.Items); i++ {
		p.Emit(core.Dropped{Index: i, Reason: phrase.LeavesEdited.Text()})
	}
	p.Past = true
	switch other := r.Get("replacement"); {
	case other.Get("role").Exists():
		p.Message(other)
	case other.Get("content").Exists():
		p.AddBlocks(core.User, other.Get("content"))
	default:
		p.AddBlocks(core.User, other)
	}
	p.Past = false
}
