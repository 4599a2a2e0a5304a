// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var copilotCLIEntry = Entry{
	ID: CopilotCLI, Name: "Copilot CLI", Program: "copilot", AlwaysProcess: true,
	CompactCommand: "/compact",
	MCPOff:         "/mcp disable NAME",
	Commands:       core.Commands{New: "/clear"},
	HomeFolders:    []string{".copilot"},
	Recognise:      isCopilotCLI, Read: func() Reader { return &copilotCLI{} },
	Rule: copilotCLIRule,
}

func isCopilotCLI(r json.Value) bool {
	if r.Get("data").Kind() != json.Object || !r.Get("parentId").Exists() || !r.Get("timestamp").Exists() {
		return false
	}
	kind := r.Get("type")
	if kind.Kind() != json.String {
		return false
	}
	return strings.IndexByte(kind.String(), '.') > 0 || kind.Is("abort")
}

// copilotCLI reads the events of GitHub Copilot CLI. Before 1.0.102 the
// provider's usage of a request is not on disk: what is there is Copilot's own
// count at a compaction, a truncation and the end, and the output of every
// answer. The rest is estimated, and the reading says so.
type copilotCLI struct {
	transcript
	tools    names
	children children
	warned   bool
	prompted bool // the system prompt is on record
	usage    copilotUsage
}

func (c *copilotCLI) Record(r json.Value, emit func(core.Event)) {
	c.emit = emit
	id := r.Get("agentId")
	if !textual(id) {
		id = r.Path("data", "parentToolCallId") // the call for which the sub-agent works
	}
	if textual(id) {
		c.children.record(func() Reader { return &copilotChild{} }, id, r, emit)
		return
	}
	c.record(r)
}

// copilotChild reads a sub-agent's events, which stand in its parent's file.
type copilotChild struct{ copilotCLI }

func (c *copilotChild) Record(r json.Value, emit func(core.Event)) {
	c.emit, c.warned = emit, true
	c.record(r)
}

func (c *copilotCLI) record(r json.Value) {
	kind, data := r.Get("type"), r.Get("data")
	c.advanceTo(r.Get("timestamp"))
	if c.agent == "" && !kind.Is("session.start") {
		c.seen(CopilotCLI, json.Value{})
	}
	switch {
	case kind.Is("session.start"), kind.Is("session.resume"):
		c.seen(CopilotCLI, data.Get("copilotVersion"))
		c.cwd(data.Path("context", "cwd"))
		c.onBranch(data.Path("context", "branch"))
		c.usesModel(data.Get("selectedModel"))
		c.usesTier(data)
		if kind.Is("session.resume") {
			c.emit(core.Resumed{})
		}
		if !c.warned && !c.measures() {
			c.warned = true
			c.emit(core.Warned{Sentence: phrase.CopilotEstimate.Text()})
		}
	case kind.Is("session.title_changed"):
		c.called(data.Get("title"), core.ByAgent)
	case kind.Is("permission.requested"):
		c.emit(core.ActivityTold{Activity: core.Waiting, For: core.ForApproval, Since: core.Unknown})
	case kind.Is("permission.completed"):
		c.emit(core.ActivityTold{Activity: core.Working, Since: core.Unknown})
	case kind.Is("abort"):
		c.handsBack()
	case kind.Is("session.model_change"):
		c.usesModel(data.Get("newModel"))
		c.usesTier(data)
	case kind.Is("user.message"):
		c.turn()
		text := data.Get("transformedContent")
		if !textual(text) {
			text = data.Get("content")
		}
		c.text(core.User, text)
	case kind.Is("system.message"):
		c.systemPrompt(data.Get("content"))
	case kind.Is("assistant.message"):
		c.answer(data)
	case kind.Is("tool.execution_complete"):
		c.result(data)
	case kind.Is("session.compaction_start"):
		c.ownCount(sum(count(data.Get("systemTokens")), count(data.Get("conversationTokens")), count(data.Get("toolDefinitionsTokens"))), "Copilot CLI")
		c.toolSizes(data)
	case kind.Is("session.compaction_complete"):
		c.compacted(data)
	case kind.Is("session.truncation"):
		c.truncated(data)
	case kind.Is("session.usage_store"): // not Copilot's: a host says that it adds usages from beside the log
		c.warned = true
	case kind.Is("session.usage_record"):
		c.used(data.Get("usage"))
	case kind.Is("session.shutdown"):
		c.turnOver()
		c.ownCount(count(data.Get("currentTokens")), "Copilot CLI")
		c.toolSizes(data)
		c.emit(core.ActivityTold{Activity: core.Ended, Since: core.Unknown})
	default:
		// Most events only tell a face what happens, and change nothing.
		if !isCopilotCLI(r) {
			c.unknown(r, kind)
		}
	}
}

// systemPrompt replaces the system prompt, which Copilot records again whenever
// it has built a new one.
func (c *copilotCLI) systemPrompt(text json.Value) {
	if !textual(text) {
		return
	}
	c.prompted = true
	part := core.Part{Label: phrase.System.Text(), Tokens: core.Unknown}
	part.Text, c.scratch = text.Text(c.scratch)
	c.emit(core.ContextSet{Kind: core.System, Parts: []core.Part{part}})
}

// toolSizes says how large the definitions of the tools are, and the system prompt
// where it is not on record (1.0.12 to 1.0.20), by Copilot's own count.
func (c *copilotCLI) toolSizes(data json.Value) {
	if n := count(data.Get("systemTokens")); n > 0 && !c.prompted {
		parts := []core.PrefixPart{{Part: core.Part{Label: phrase.System.Text(), Tokens: n}}}
		c.tell(core.FromRecord, core.System, parts)
	}
	if n := count(data.Get("toolDefinitionsTokens")); n > 0 {
		parts := []core.PrefixPart{{Part: core.Part{Label: phrase.Tools.Text(), Tokens: n}}}
		c.tell(core.FromRecord, core.Tools, parts)
	}
}

func (c *copilotCLI) usesModel(v json.Value) {
	if textual(v) {
		c.modelIs(short(v), "github-copilot", "copilot")
	}
}

// usesTier sets the window that the person has chosen: models of Claude with a
// million tokens have 200,000 in the default tier.
func (c *copilotCLI) usesTier(data json.Value) {
	tier := data.Get("contextTier")
	if !tier.Exists() {
		return
	}
	if tier.Is("default") && strings.Contains(c.model, "claude") {
		c.emit(core.LimitsKnown{Limits: core.Limits{Window: 200_000, Input: core.Unknown, Output: core.Unknown}, Source: core.FromAgent})
		return
	}
	c.emit(core.LimitsForgotten{Source: core.FromAgent})
}

// answer appends the parts of an answer. The record has one number of tokens
// for all of them, which is divided by their lengths.
func (c *copilotCLI) answer(data json.Value) {
	c.usesModel(data.Get("model"))
	call, from := hash(data.Get("apiCallId")), c.items
	measured := c.measuredBefore(call)
	reasoning, content, calls := data.Get("reasoningText"), data.Get("content"), data.Get("toolRequests")
	left, length := count(data.Get("outputTokens")), int64(reasoning.TextLen()+content.TextLen())
	for e := calls.Elements(); e.Next(); {
		length += int64(len(e.Value.Raw()))
	}
	sized := !measured && (left != core.Unknown || !c.measures()) // else the usage that follows tells
	share := func(of int) int64 {
		if measured || left <= 0 || length <= 0 {
			return core.Unknown
		}
		tokens := left * int64(of) / length
		left, length = left-tokens, length-int64(of)
		return tokens
	}
	if textual(reasoning) {
		item := newItem(core.Reasoning)
		item.Text, c.scratch = reasoning.Text(c.scratch)
		item.Opaque = int64(data.Get("reasoningOpaque").TextLen())
		item.NotReply, item.Tokens = sized, share(reasoning.TextLen())
		c.add(item)
	}
	if textual(content) {
		item := newItem(core.Assistant)
		item.Text, c.scratch = content.Text(c.scratch)
		item.NotReply, item.Tokens = sized, share(content.TextLen())
		c.add(item)
	}
	for e := calls.Elements(); e.Next(); {
		item := newItem(core.ToolCalls)
		item.Name = short(e.Value.Get("name"))
		item.Label = core.Named(item.Name)
		item.About = copilotAbout(item.Name, e.Value)
		item.NotReply, item.Tokens = sized, share(len(e.Value.Raw()))
		args := e.Value.Get("arguments")
		if args.Kind() == json.String {
			item.Text, c.scratch = args.Text(c.scratch)
		} else {
			item.Text = args.Raw()
			item.Parameters = int64(args.Len())
		}
		c.tools.put(hash(e.Value.Get("toolCallId")), item.Name, c.items)
		c.add(item)
	}
	if call != 0 {
		c.usage.last = copilotAnswer{call, from, c.items, sized}
	}
}

// copilotAbout says what a call is about; newer versions name the MCP server.
func copilotAbout(tool string, call json.Value) core.About {
	if server, name := call.Get("mcpServerName"), call.Get("mcpToolName"); textual(server) && textual(name) {
		return core.About{What: core.OfServer, Holder: short(server), Name: short(name)}
	}
	return about(tool, call.Get("arguments"))
}

func (c *copilotCLI) result(data json.Value) {
	item := newItem(core.ToolResults)
	item.Name = c.tools.get(hash(data.Get("toolCallId")))
	item.Label = core.Named(item.Name)
	item.Answers = c.tools.answers(hash(data.Get("toolCallId")))
	item.Error = data.Get("success").Kind() == json.Bool && !data.Get("success").Bool()
	text := data.Path("result", "content")
	if !textual(text) {
		text = data.Path("error", "message")
	}
	item.Text, c.scratch = text.Text(c.scratch)
	c.add(item)
}

func (c *copilotCLI) compacted(data json.Value) {
	if !data.Get("success").Bool() {
		return
	}
	event := core.Compacted{Auto: true, Tokens: count(data.Get("postCompactionTokens")), Before: count(data.Get("preCompactionTokens"))}
	if text := data.Get("summaryContent"); textual(text) {
		summary := newItem(core.Summary)
		summary.Text, c.scratch = text.Text(c.scratch)
		event.Summary = &summary
	}
	c.emit(event)
	c.items, c.usage.last.call = 0, 0
	if event.Summary != nil {
		c.items = 1
	}
}

func (c *copilotCLI) truncated(data json.Value) {
	if limit := count(data.Get("tokenLimit")); limit > 0 {
		c.emit(core.LimitsKnown{Limits: core.Limits{Window: limit, Input: core.Unknown, Output: core.Unknown}, Source: core.FromAgent})
	}
}

// copilotCLIRule: compaction in the background at 0.80 of the limit, and
// before anything else at 0.95.
func copilotCLIRule(of *Installation) core.Rule {
	rule := core.Rule{
		Name: "copilot-cli", Since: "2026-06-01", Source: "read from the shipped program, version 1.0.60", Percent: 8000,
		ToolsUnrecorded: true,
		Prints:          printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Copilot CLI")),
	}
	if share := hundredth(of.setting("COPILOT_BACKGROUND_COMPACTION_THRESHOLD")); share > 0 && share <= 100 {
		rule.Percent = share * 100
		rule.Name += " with COPILOT_BACKGROUND_COMPACTION_THRESHOLD"
	}
	return rule
}

func (c *copilotCLI) subAgents() *children { return &c.children }

func (c *copilotCLI) walk(to *codec.Codec) {
	c.base(to)
	to.Bools("warned", &c.warned)
	c.tools.walk(to.Part("tools"))
	c.children.walk(to.Part("children"), func() Reader { return &copilotChild{} })
}
