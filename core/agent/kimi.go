// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var kimiCodeEntry = Entry{
	ID: KimiCode, Name: "Kimi Code", CompactCommand: "/compact",
	Proof:     Proof{Lab: "2.1.0"},
	Recognise: isKimiCode, Read: newKimi, Rule: kimiRule, Window: kimiCodeWindow,
}

var kimiCLIEntry = Entry{
	ID: KimiCLI, Name: "Kimi CLI", CompactCommand: "/compact",
	Proof:     Proof{Dated: "2026-11"},
	Recognise: isKimiCLI, Read: newKimi, Rule: kimiRule,
}

// kimiRule returns Kimi's rule: it compacts at a share of the window, or when only a reserve is left, whichever comes
// first.
func kimiRule(in *Installation) core.Rule {
	share, reserve := int64(8500), int64(50_000)
	if set := in.fraction("loop_control.compaction_trigger_ratio", 50, 99); set > 0 {
		share = set * 100
	}
	if set := tokens(in.setting("loop_control.reserved_context_size")); set >= 0 {
		reserve = set
	}
	return core.Rule{
		Name: in.Agent, Since: "2026-08-01", Source: "kimi-code packages/agent-core-v2/src/agent/fullCompaction/strategy.ts: 0.85, or 50,000 left",
		Prints: printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Kimi")),
		First: core.FirstPrompt{Hidden: true},
		Formula: func(l core.Limits) int64 {
			most := l.Input
			if most <= 0 {
				most = l.Window
			}
			if most <= 0 {
				return core.Unknown
			}
			line := most * share / 10_000
			if reserve < most {
				line = min(line, most-reserve)
			}
			return line
		},
	}
}

// kimiCodeWindow returns the limits of a model that is described by environment variables.
func kimiCodeWindow(in *Installation) (core.Limits, bool) {
	if name := in.setting("KIMI_MODEL_NAME"); name == "" || name != in.Model {
		return core.NoLimits, false
	}
	window := tokens(in.setting("KIMI_MODEL_MAX_CONTEXT_SIZE"))
	if window <= 0 {
		window = 262_144
	}
	return core.Limits{Window: window, Input: core.Unknown, Output: core.Unknown}, true
}

func isKimiCode(r json.Value) bool {
	kind := r.Get("type")
	if r.Get("protocol_version").Exists() {
		return kind.Is("metadata") && r.Get("created_at").Exists()
	}
	return r.Get("time").Kind() == json.Number && reader.HasText(kind) && strings.IndexByte(kind.String(), '.') > 0
}

func isKimiCLI(r json.Value) bool {
	if r.Get("protocol_version").Exists() {
		return r.Get("type").Is("metadata")
	}
	return r.Get("timestamp").Kind() == json.Number && r.Path("message", "type").Exists() && r.Path("message", "payload").Exists()
}

// kimi reads the wire events of Kimi Code, and those of its predecessor, Kimi CLI. The usage of a request follows its
// reply, and the results of the tools that the reply has called.
type kimi struct {
	reader.Messages
	id       string
	isChild  bool // it reads the events of a sub-agent, which cannot have sub-agents
	children reader.Children
	begun    int  // start of the reply to the current request
	aside    bool // the current request compacts the conversation
	// starts are the first items of the last messages, and messages is the number of all. A compaction gives the number
	// of messages that it summarizes.
	starts   []int
	messages int64
	// tables are the recorded tables of tools, each once; table is the index of the current one, plus one.
	tables []kimiTools
	table  int
	// users are the user messages, which a compaction keeps.
	users []kimiUser
	early []byte // the first records, one per line, until the model, and so the tokenizer, is known
}

// kimiUser is the range of items of one user message.
type kimiUser struct{ first, next int }

// maxUsers bounds the user messages that are remembered: a compaction keeps 20,000 tokens of them. maxEarly is how many
// bytes of the first records are saved.
const (
	maxUsers = 2048
	maxEarly = 1 << 15
)

// kimiContinue is the size of the unrecorded message after a summary.
const kimiContinue = 27

// kimiTools contains the names of the tools in a table: Kimi's own, and those of MCP servers. A request names its
// table.
type kimiTools struct {
	hash        uint64
	own, served []string
}

// maxTables is how many tables of tools are kept, and maxTools how many names in total.
const (
	maxTables = 16
	maxTools  = 1500
)

// maxStarts is how many of the last messages have a known beginning. A compaction keeps four at most.
const maxStarts = 32

// newKimi returns a reader of the events of an agent.
func newKimi(id string) Reader { return &kimi{id: id} }

// newChild returns a reader for the events of a sub-agent.
func (k *kimi) newChild() Reader { return &kimi{id: k.id, isChild: true} }

func (k *kimi) subAgents() *reader.Children { return &k.children }

func (k *kimi) Walk(c *codec.Codec) {
	k.WalkMessages(c)
	codec.Within(c, "begun", &k.begun, 0, core.MaxItems)
	c.Bools("aside", &k.aside)
	codec.List(c, "starts", &k.starts, maxStarts, func(start *int, c *codec.Codec) { codec.Within(c, "start", start, 0, core.MaxItems) })
	codec.Within(c, "messages", &k.messages, 0, maxRecords)
	codec.List(c, "tables", &k.tables, maxTables, func(t *kimiTools, c *codec.Codec) {
		c.Hash("hash", &t.hash)
		codec.List(c, "own", &t.own, reader.MaxTools, func(name *string, c *codec.Codec) { c.Names("name", name) })
		codec.List(c, "served", &t.served, reader.MaxTools, func(name *string, c *codec.Codec) { c.Names("name", name) })
	})
	codec.Within(c, "table", &k.table, 0, maxTables)
	codec.List(c, "users", &k.users, maxUsers, func(u *kimiUser, c *codec.Codec) {
		codec.Within(c, "first", &u.first, 0, core.MaxItems)
		codec.Within(c, "next", &u.next, 0, core.MaxItems)
		c.Refuse(u.next < u.first)
	})
	early := k.early
	if len(early) > maxEarly { // its estimate is kept
		early = nil
	}
	c.Bytes("early", &early, maxEarly)
	if c.Restoring() {
		k.early = early
	}
	c.Refuse(k.table > len(k.tables))
	k.children.Walk(c.Part("children"), k.newChild)
}

func (k *kimi) Record(r json.Value, emit func(core.Event)) {
	k.Emit = emit
	k.AdvanceTo(reader.FirstOf(r, "time", "timestamp"))
	if k.Agent == "" {
		k.SetAgent(k.id, json.Value{})
	}
	if m := r.Get("message"); m.Get("payload").Exists() {
		k.wire(m.Get("type"), m.Get("payload"))
		return
	} else if r.Get("payload").Exists() { // an event of a sub-agent
		k.wire(r.Get("type"), r.Get("payload"))
		return
	}
	k.keepEarly(r)
	k.record(r)
}

func (k *kimi) record(r json.Value) {
	switch kind := r.Get("type"); {
	case kind.Is("config.update"), kind.Is("profile.bind"):
		k.SetWorkspace(r.Get("cwd"))
		if prompt := r.Get("systemPrompt"); reader.HasText(prompt) {
			k.HasPrefix = false
			k.SetSystem(prompt, json.Value{})
		}
	case kind.Is("llm.tools_snapshot"):
		k.tools(reader.Hash(r.Get("hash")), r.Get("tools"))
	case kind.Is("llm.request"):
		k.usesTable(reader.Hash(r.Get("toolsHash")))
		k.aside = r.Get("kind").Is("compaction")
		k.begun = k.Items
		k.SetModel(reader.Short(r.Get("model")), reader.Short(r.Get("provider")), "")
		k.recount()
	case kind.Is("context.append_message"):
		k.messageStarts()
		m := r.Get("message")
		if from := m.Path("origin", "kind"); m.Get("role").Is("user") && reader.HasText(from) && !from.Is("user") {
			k.AddBlocks(core.User, m.Get("content"))
			return
		}
		first := k.Items
		k.Message(m)
		if m.Get("role").Is("user") && len(k.users) < maxUsers {
			k.users = append(k.users, kimiUser{first, k.Items})
		}
	case kind.Is("context.append_loop_event"):
		k.event(r.Get("event"))
	case kind.Is("usage.record"):
		if k.aside {
			k.used(r.Get("usage"), kimiUsage, "")
		}
	case kind.Is("context.apply_compaction"):
		if kept := reader.Count(r.Get("keptUserMessageCount")); kept >= 0 {
			k.summarized(reader.FirstOf(r, "contextSummary", "summary"), kept, reader.Count(r.Get("keptHeadUserMessageCount")))
			return
		}
		removed := reader.Count(reader.FirstOf(r, "compactedCount", "count"))
		k.compacted(reader.FirstOf(r, "contextSummary", "summary"), k.messages-removed)
	case kind.Is("context.clear"):
		k.Emit(core.Truncated{})
		k.Items, k.starts, k.messages, k.users = 0, nil, 0, nil
	default:
		if !isKimiCode(r) && !isKimiCLI(r) || reader.HasText(kind) && strings.HasPrefix(kind.String(), "context.") {
			k.SkipUnknown(r, kind)
		}
	}
}

// keepEarly stores a record from before the model is known: the system prompt, the tools or a message.
func (k *kimi) keepEarly(r json.Value) {
	if k.Model != "" || len(k.early) == 0 && k.Items > 0 {
		return
	}
	switch kind := r.Get("type"); {
	case kind.Is("config.update"), kind.Is("profile.bind"), kind.Is("llm.tools_snapshot"), kind.Is("context.append_message"):
		if len(k.early)+len(r.Raw()) < maxBase {
			k.early = append(append(k.early, r.Raw()...), '\n')
		}
	}
}

// recount emits the early records again, now that their tokens can be counted.
func (k *kimi) recount() {
	early, emit, before := k.early, k.Emit, *k
	if len(early) == 0 || k.Model == "" {
		return
	}
	k.Items, k.HasPrefix, k.tables, k.table = 0, false, nil, 0
	k.Emit = func(e core.Event) {
		switch e := e.(type) {
		case core.Appended:
			if k.Items < before.Items {
				emit(core.Replaced{Index: k.Items, Item: e.Item})
			}
		case core.PrefixKnown:
			emit(e)
		}
	}
	for len(early) > 0 {
		line, rest, _ := bytes.Cut(early, []byte{'\n'})
		early = rest
		if r, err := json.Parse(line); err == nil {
			k.record(r)
		}
	}
	k.Emit, k.Items, k.starts, k.messages, k.begun = emit, before.Items, before.starts, before.messages, before.begun
	k.users, k.early = before.users, nil
}

// tools reads a table of tools, which replaces the previous one in the next request.
func (k *kimi) tools(hash uint64, list json.Value) {
	own, served := reader.ToolParts(list)
	if len(own)+len(served) == 0 {
		return
	}
	k.setTools(own, served)
	named := len(own) + len(served)
	for _, t := range k.tables {
		named += len(t.own) + len(t.served)
	}
	if hash == 0 || len(k.tables) == maxTables || named > maxTools {
		k.tables, k.table = nil, 0
	}
	if hash != 0 && len(own)+len(served) <= maxTools {
		k.tables = append(k.tables, kimiTools{hash, names(own), names(served)})
		k.table = len(k.tables)
	}
}

// usesTable switches to a table that was recorded before: Kimi records each one once.
func (k *kimi) usesTable(hash uint64) {
	for i, t := range k.tables {
		if t.hash == hash && i+1 != k.table {
			k.table = i + 1
			k.setTools(former(t.own), former(t.served))
		}
	}
}

func (k *kimi) setTools(own, served []core.PrefixPart) {
	k.Emit(core.PrefixKnown{Source: core.FromRecord, Kind: core.Tools, Parts: own, Sent: k.table > 0})
	k.Emit(core.PrefixKnown{Source: core.FromRecord, Kind: core.MCPTools, Parts: served, Sent: k.table > 0})
}

func names(parts []core.PrefixPart) []string {
	list := make([]string, len(parts))
	for i := range parts {
		list[i] = parts[i].Label.Name
	}
	return list
}

func former(names []string) []core.PrefixPart {
	parts := make([]core.PrefixPart, len(names))
	for i, name := range names {
		parts[i].Label, parts[i].Tokens, parts[i].Former = core.Named(name), core.Unknown, true
	}
	return parts
}

// event reads a part of a step: a request with its reply and the results of its tools.
func (k *kimi) event(e json.Value) {
	switch kind := e.Get("type"); {
	case kind.Is("step.begin"):
		k.messageStarts()
		k.begun = k.Items
	case kind.Is("content.part"):
		k.part(e.Get("part"))
	case kind.Is("tool.call"):
		k.AddCall(e)
	case kind.Is("tool.result"):
		k.messageStarts()
		k.outcome(e.Get("toolCallId"), e.Get("result"))
	case kind.Is("step.end"):
		k.used(e.Get("usage"), kimiUsage, reader.Short(e.Get("messageId")))
		if e.Get("finishReason").Is("end_turn") {
			k.EndTurn()
		}
	}
}

// wire reads an event of Kimi CLI.
func (k *kimi) wire(kind, p json.Value) {
	switch {
	case kind.Is("TurnBegin"):
		k.messageStarts()
		k.UserMessage(p.Get("user_input"))
	case kind.Is("StepBegin"):
		k.messageStarts()
		k.begun = k.Items
	case kind.Is("ContentPart"):
		k.part(p)
	case kind.Is("ToolCall"):
		k.AddCall(p)
	case kind.Is("ToolResult"):
		k.messageStarts()
		k.outcome(p.Get("tool_call_id"), p.Get("return_value"))
	case kind.Is("StatusUpdate"):
		k.SetWindow(reader.Count(p.Get("max_context_tokens")), core.Unknown, core.Unknown)
		k.used(p.Get("token_usage"), kimiWireUsage, reader.Short(p.Get("message_id")))
	case kind.Is("CompactionEnd"):
		k.compacted(json.Value{}, 2)
	case kind.Is("TurnEnd"), kind.Is("StepInterrupted"):
		k.EndTurn()
	case kind.Is("SubagentEvent"):
		if !k.isChild {
			k.children.Record(k.newChild, reader.FirstOf(p, "agent_id", "parent_tool_call_id", "task_tool_call_id"), p.Get("event"), k.Emit)
		}
	}
}

// part reads one block of a reply.
func (k *kimi) part(p json.Value) {
	if p.Get("type").Is("think") {
		k.AddReasoning(p)
	} else {
		k.AddMessageText(core.Assistant, p.Get("text"))
	}
}

// outcome reads the result of a call: the returned text, with the notes that Kimi adds when it sends it.
func (k *kimi) outcome(id, result json.Value) {
	item := reader.NewItem(core.ToolResults)
	item.Name = k.Calls.Name(reader.Hash(id))
	item.Label, item.Answers = core.Named(item.Name), k.Calls.Answers(reader.Hash(id))
	item.Error = reader.FirstOf(result, "isError", "is_error").Bool()
	text := k.Scratch[:0]
	if n := reader.Count(result.Get("durationMs")); n >= 0 && timed(item.Name) {
		text = append(text, "Wall time: "...)
		text = strconv.AppendInt(text, n/1000, 10)
		text = append(text, '.', byte('0'+n/100%10), byte('0'+n/10%10), byte('0'+n%10))
		text = append(text, " seconds\n"...)
	}
	start := len(text)
	if item.Error && k.id == KimiCode {
		text = append(text, "<system>ERROR: Tool execution failed.</system>\n"...)
	}
	output := len(text)
	text = reader.AppendTexts(text, result.Get("output"), 0)
	if k.id == KimiCode && len(bytes.TrimSpace(text[output:])) == 0 {
		text = append(text[:start], "<system>Tool output is empty.</system>"...)
		if item.Error {
			text = append(text[:start], "<system>ERROR: Tool execution failed. Tool output is empty.</system>"...)
		}
	}
	if note := result.Get("note"); reader.HasText(note) {
		if k.id == KimiCode {
			text = append(text, '\n')
		}
		text = reader.AppendTexts(text, note, 0)
	}
	item.Text, k.Scratch = text, text
	k.Add(item)
}

// timed reports whether a tool's results begin with their wall time. Read from the shipped program, version 2.1.0:
// toolResultRender.ts.
func timed(tool string) bool {
	switch tool {
	case "Agent", "AgentSwarm", "Bash", "FetchURL", "Glob", "Grep", "WebSearch":
		return true
	}
	return strings.HasPrefix(tool, "mcp__")
}

var (
	kimiUsage     = reader.UsageKeys{Fresh: "inputOther", Read: "inputCacheRead", Written: "inputCacheCreation", Out: "output"}
	kimiWireUsage = reader.UsageKeys{Fresh: "input_other", Read: "input_cache_read", Written: "input_cache_creation", Out: "output"}
)

// used reads the usage of the current request. A request that compacts is outside the conversation.
func (k *kimi) used(u json.Value, keys reader.UsageKeys, request string) {
	m := reader.DisjointUsage(u, keys)
	if m.In <= 0 {
		return
	}
	m.Request, m.SideRequest = request, k.aside
	m.Through, m.ThroughSet = min(k.begun, k.Items), true
	k.aside = false
	k.Emit(m)
}

func (k *kimi) messageStarts() {
	k.messages++
	if len(k.starts) == maxStarts {
		k.starts = append(k.starts[:0], k.starts[1:]...)
	}
	k.starts = append(k.starts, k.Items)
}

// compacted reads a compaction that keeps the given number of last messages.
func (k *kimi) compacted(summary json.Value, messages int64) {
	kept := 0
	if n := int64(len(k.starts)); messages > 0 && messages <= n {
		kept = k.Items - k.starts[n-messages]
	} else {
		messages = 0
	}
	removed := k.Items - kept
	k.Compact(summary, kept, core.Compacted{Auto: true, Before: core.Unknown, Tokens: core.Unknown})
	k.starts = append(k.starts[:0], k.starts[len(k.starts)-int(messages):]...)
	for i := range k.starts {
		k.starts[i] = max(k.starts[i]-removed, 0)
	}
	k.messages, k.begun, k.users = messages+1, k.Items, nil
}

// summarized reads a compaction that keeps user messages: the last ones, perhaps with some of the first. Their summary
// and a message to continue follow.
func (k *kimi) summarized(summary json.Value, kept, head int64) {
	n := int64(len(k.users))
	kept = min(kept, n)
	head = min(max(head, 0), kept)
	list := append(slices.Clone(k.users[:head]), k.users[n-kept+head:]...)
	var remaining []int
	for i, u := range list {
		list[i].first = len(remaining)
		for at := u.first; at < u.next; at++ {
			remaining = append(remaining, at)
		}
		list[i].next = len(remaining)
	}
	k.Compact(summary, 0, core.Compacted{Auto: true, Before: core.Unknown, Tokens: core.Unknown, Remaining: remaining})
	k.Items += len(remaining)
	goOn := reader.NewItem(core.User)
	goOn.Tokens, goOn.Hidden = kimiContinue, true
	k.Add(goOn)
	k.users, k.starts, k.messages, k.begun = list, nil, int64(len(list))+2, k.Items
}
