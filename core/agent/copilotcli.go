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

var copilotCLIEntry = Entry{
	ID: CopilotCLI, Name: "Copilot CLI",
	Proof:          Proof{Lab: "1.0.102"},
	CompactCommand: "/compact",
	MCPOff:         "copilot mcp disable NAME",
	Commands:       core.Commands{New: "/clear"},
	Recognise:      isCopilotCLI, Read: func(string) Reader { return &copilotCLI{} },
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

// copilotCLI reads the events of GitHub Copilot CLI. Before 1.0.102, the provider's usage of a request is not on disk,
// only Copilot's own count at a compaction, a truncation and the end, and the output of every response. Everything else
// is estimated, and the Reading reports this.
type copilotCLI struct {
	reader.Transcript
	tools    reader.Calls
	children reader.Children
	warned   bool
	prompted bool // the system prompt is recorded
	resends  bool // encrypted reasoning is recorded, which is sent again within the turn
	usage    copilotUsage
	skill    []byte // the skill that was invoked last, until its delivery is recorded
}

// maxSkill bounds the text of a skill that is kept.
const maxSkill = 1 << 18

func (c *copilotCLI) Record(r json.Value, emit func(core.Event)) {
	c.Emit = emit
	id := r.Get("agentId")
	if !reader.HasText(id) {
		id = r.Path("data", "parentToolCallId") // the call that the sub-agent works for
	}
	if reader.HasText(id) {
		c.children.Record(func() Reader { return &copilotChild{} }, id, r, emit)
		return
	}
	c.record(r)
}

// copilotChild reads a sub-agent's events, which are in its parent's file.
type copilotChild struct{ copilotCLI }

func (c *copilotChild) Record(r json.Value, emit func(core.Event)) {
	c.Emit, c.warned = emit, true
	c.record(r)
}

func (c *copilotCLI) record(r json.Value) {
	kind, data := r.Get("type"), r.Get("data")
	c.AdvanceTo(r.Get("timestamp"))
	if c.Agent == "" && !kind.Is("session.start") {
		c.SetAgent(CopilotCLI, json.Value{})
	}
	switch {
	case kind.Is("session.start"), kind.Is("session.resume"):
		c.SetAgent(CopilotCLI, data.Get("copilotVersion"))
		c.SetWorkspace(data.Path("context", "cwd"))
		c.SetBranch(data.Path("context", "branch"))
		c.usesModel(data.Get("selectedModel"))
		if reader.HasText(data.Get("contextTier")) { // otherwise a resume keeps the limits that requests had
			c.usesTier(data)
		}
		if kind.Is("session.resume") {
			c.Emit(core.Resumed{})
		}
		if !c.warned && !c.measures() {
			c.warned = true
			c.Emit(core.Warned{Sentence: phrase.CopilotEstimate.Text()})
		}
	case kind.Is("session.title_changed"):
		c.SetTitle(data.Get("title"), core.ByAgent)
	case kind.Is("permission.requested"):
		c.Emit(core.ActivitySeen{Activity: core.Waiting, For: core.ForApproval, Since: core.Unknown})
	case kind.Is("permission.completed"):
		c.Emit(core.ActivitySeen{Activity: core.Working, Since: core.Unknown})
	case kind.Is("abort"):
		c.WaitForUser()
	case kind.Is("session.model_change"):
		c.usesModel(data.Get("newModel"))
		c.usesTier(data)
	case kind.Is("user.message"):
		c.StartTurn()
		text := data.Get("transformedContent")
		if !reader.HasText(text) {
			text = data.Get("content")
		}
		c.AddText(core.User, text)
	case kind.Is("skill.invoked"):
		if c.skill = c.skill[:0]; data.Get("content").TextLen() <= maxSkill {
			c.skill = data.Get("content").AppendText(c.skill)
		}
	case kind.Is("skill.context_delivered_ref"): // older versions record a message with the whole text
		item := reader.NewItem(core.Skills)
		item.Label = phrase.SkillItem.Text()
		item.Text = append(data.Get("prefix").AppendText(c.Scratch[:0]), c.skill...)
		item.Text = data.Get("suffix").AppendText(item.Text)
		c.Scratch, c.skill = item.Text, c.skill[:0]
		c.Add(item)
	case kind.Is("system.message"):
		c.systemPrompt(data.Get("content"))
	case kind.Is("assistant.message"):
		c.answer(data)
	case kind.Is("tool.execution_complete"):
		c.result(data)
	case kind.Is("session.compaction_start"):
		if !c.measures() {
			c.MeterOwnCount(reader.Sum(reader.Count(data.Get("systemTokens")), reader.Count(data.Get("conversationTokens")), reader.Count(data.Get("toolDefinitionsTokens"))), "Copilot CLI")
		}
		c.toolSizes(data)
	case kind.Is("session.compaction_complete"):
		c.compacted(data)
	case kind.Is("session.truncation"):
		c.truncated(data)
	case kind.Is("session.usage_store"): // from a host, which adds usages from outside the log
		c.warned = true
	case kind.Is("session.usage_record"):
		c.used(data.Get("usage"))
	case kind.Is("session.host_context"): // also from a host
		c.composition(data.Get("composition"))
	case kind.Is("session.shutdown"):
		c.EndTurn()
		if !c.measures() { // otherwise the last request was measured, which is more accurate
			c.MeterOwnCount(reader.Count(data.Get("currentTokens")), "Copilot CLI")
		}
		c.toolSizes(data)
		c.Emit(core.ActivitySeen{Activity: core.Ended, Since: core.Unknown})
	default:
		// Most events only describe progress, and change nothing.
		if !isCopilotCLI(r) {
			c.SkipUnknown(r, kind)
		}
	}
}

// systemPrompt replaces the system prompt, which Copilot records again whenever it has rebuilt it.
func (c *copilotCLI) systemPrompt(text json.Value) {
	if !reader.HasText(text) {
		return
	}
	c.prompted = true
	part := core.Part{Label: phrase.System.Text(), Tokens: core.Unknown}
	part.Text, c.Scratch = text.Text(c.Scratch)
	c.Emit(core.ContextSet{Kind: core.System, Parts: []core.Part{part}})
}

// toolSizes reads the size of the tools' definitions, and of the system prompt if it is not recorded (1.0.12 to
// 1.0.20), by Copilot's own count.
func (c *copilotCLI) toolSizes(data json.Value) {
	if n := reader.Count(data.Get("systemTokens")); n > 0 && !c.prompted {
		parts := []core.PrefixPart{{Part: core.Part{Label: phrase.System.Text(), Tokens: n}}}
		c.SetPrefix(core.FromRecord, core.System, parts)
	}
	c.toolSize(reader.Count(data.Get("toolDefinitionsTokens")))
}

// toolSize sets the size of the tools by Copilot's own count, which is that of their JSON. OpenAI's models receive
// types instead: in five real sessions of one request each, with gpt-5.3 and gpt-5.4, the measured prompt was smaller
// than Copilot's count by 8.5% of the tools. If nothing is measured, Copilot's count is used for the whole prompt.
func (c *copilotCLI) toolSize(n int64) {
	if n <= 0 {
		return
	}
	if c.measures() && strings.HasPrefix(c.Model, "gpt-") {
		n = n * 915 / 1000
	}
	parts := []core.PrefixPart{{Part: core.Part{Label: phrase.Tools.Text(), Tokens: n}}}
	c.SetPrefix(core.FromRecord, core.Tools, parts)
}

// copilotRows bounds the rows of a composition: as many as a phrase accepts.
const copilotRows = 8

// copilotKind returns the row of Copilot's own composition with a name; false for an unknown name.
func copilotKind(name json.Value) (phrase.ID, bool) {
	switch {
	case name.Is("systemPrompt"):
		return phrase.System, true
	case name.Is("customInstructions"):
		return phrase.Memory, true
	case name.Is("systemTools"):
		return phrase.Tools, true
	case name.Is("mcpTools"):
		return phrase.MCPTools, true
	case name.Is("messages"):
		return phrase.Messages, true
	}
	return "", false
}

// composition reads Copilot's own count of its window, as sent to the host.
func (c *copilotCLI) composition(rows json.Value) {
	total, list := int64(0), make([]phrase.Arg, 0, copilotRows)
	for e := rows.Elements(); e.Next(); {
		n, label := reader.Count(e.Value.Get("tokens")), phrase.Named(reader.Short(e.Value.Get("label")))
		if id, known := copilotKind(e.Value.Get("kind")); known {
			label = id.Text()
		}
		if n <= 0 || label.Empty() {
			continue
		}
		if total += n; len(list) < copilotRows {
			row := phrase.AgentCountsRow
			if len(list) > 0 {
				row = phrase.AgentCountsNext
			}
			list = append(list, row.Arg(label.Arg(), phrase.Tokens(core.Short(n))))
		}
	}
	if total > 0 {
		c.Emit(core.AgentCounts{Text: phrase.AgentCounts.Text(phrase.Name("Copilot CLI"), phrase.Tokens(core.Short(total)), phrase.Sequence.Arg(list...))})
	}
}

func (c *copilotCLI) usesModel(v json.Value) {
	if reader.HasText(v) {
		c.SetModel(reader.Short(v), "github-copilot", c.route())
	}
}

// route returns the way to the model: reasoning is sent again only by OpenAI's Responses, as encrypted content.
func (c *copilotCLI) route() string {
	if c.resends {
		return "openai-responses"
	}
	return "copilot"
}

// usesTier sets the window that the user has chosen: Claude models with a million tokens have 200,000 in the default
// tier.
func (c *copilotCLI) usesTier(data json.Value) {
	tier := data.Get("contextTier")
	if !tier.Exists() {
		return
	}
	if tier.Is("default") && strings.Contains(c.Model, "claude") {
		c.Emit(core.LimitsKnown{Limits: core.Limits{Window: 200_000, Input: core.Unknown, Output: core.Unknown}, Source: core.FromAgent})
		return
	}
	c.Emit(core.LimitsForgotten{Source: core.FromAgent})
}

// answer appends the parts of a response. The record has one number of tokens for all of them, which is divided by
// their lengths.
func (c *copilotCLI) answer(data json.Value) {
	encrypted := int64(data.Get("encryptedContent").TextLen())
	c.resends = c.resends || encrypted > 0
	c.usesModel(data.Get("model"))
	call, from := reader.Hash(data.Get("apiCallId")), c.Items
	measured := c.measuredBefore(call)
	reasoning, content, calls := data.Get("reasoningText"), data.Get("content"), data.Get("toolRequests")
	left, length := reader.Count(data.Get("outputTokens")), int64(reasoning.TextLen()+content.TextLen())
	for e := calls.Elements(); e.Next(); {
		length += int64(len(e.Value.Raw()))
	}
	sized := !measured && (left != core.Unknown || !c.measures()) // otherwise the usage that follows shows it
	share := func(whole int) int64 {
		if measured || left <= 0 || length <= 0 {
			return core.Unknown
		}
		tokens := left * int64(whole) / length
		left, length = left-tokens, length-int64(whole)
		return tokens
	}
	if reader.HasText(reasoning) || encrypted > 0 && c.measures() {
		item := reader.NewItem(core.Reasoning)
		item.Text, c.Scratch = reasoning.Text(c.Scratch)
		item.Opaque = max(int64(data.Get("reasoningOpaque").TextLen()), encrypted)
		item.NotReply, item.Tokens = sized, share(reasoning.TextLen())
		c.Add(item)
	}
	if reader.HasText(content) {
		item := reader.NewItem(core.Assistant)
		item.Text, c.Scratch = content.Text(c.Scratch)
		item.NotReply, item.Tokens = sized, share(content.TextLen())
		c.Add(item)
	}
	for e := data.Path("serverTools", "items").Elements(); e.Next(); {
		if e.Value.Get("type").Is("tool_search_output") {
			c.found(e.Value.Get("tools"))
		}
	}
	for e := calls.Elements(); e.Next(); {
		item := reader.NewItem(core.ToolCalls)
		item.Name = reader.Short(e.Value.Get("name"))
		item.Label = core.Named(item.Name)
		item.About = copilotAbout(item.Name, e.Value)
		item.NotReply, item.Tokens = sized, share(len(e.Value.Raw()))
		args := e.Value.Get("arguments")
		if args.Kind() == json.String {
			item.Text, c.Scratch = args.Text(c.Scratch)
		} else {
			item.Text = args.Raw()
			item.Parameters = int64(args.Len())
		}
		c.tools.Add(reader.Hash(e.Value.Get("toolCallId")), item.Name, c.Items)
		c.Add(item)
	}
	if call != 0 {
		c.usage.last = copilotAnswer{call, from, c.Items, sized}
	}
}

// found appends the definitions of MCP tools that the provider's search found. Copilot defers them until then.
func (c *copilotCLI) found(tools json.Value) {
	item := reader.NewItem(core.MCPTools)
	item.NotReply = true
	item.Text = reader.Definitions(c.Scratch[:0], tools)
	c.Scratch = item.Text
	c.Add(item)
}

// copilotAbout returns the subject of a call; newer versions name the MCP server.
func copilotAbout(tool string, call json.Value) core.Subject {
	if server, name := call.Get("mcpServerName"), call.Get("mcpToolName"); reader.HasText(server) && reader.HasText(name) {
		return core.Subject{What: core.OfServer, Holder: reader.Short(server), Name: reader.Short(name)}
	}
	return reader.About(tool, call.Get("arguments"))
}

func (c *copilotCLI) result(data json.Value) {
	item := reader.NewItem(core.ToolResults)
	item.Name = c.tools.Name(reader.Hash(data.Get("toolCallId")))
	item.Label = core.Named(item.Name)
	item.Answers = c.tools.Answers(reader.Hash(data.Get("toolCallId")))
	item.Error = data.Get("success").Kind() == json.Bool && !data.Get("success").Bool()
	text := data.Path("result", "content")
	if !reader.HasText(text) {
		text = data.Path("error", "message")
	}
	item.Text, c.Scratch = text.Text(c.Scratch)
	c.Add(item)
}

func (c *copilotCLI) compacted(data json.Value) {
	if !data.Get("success").Bool() {
		return
	}
	event := core.Compacted{Auto: true, Tokens: reader.Count(data.Get("postCompactionTokens")), Before: reader.Count(data.Get("preCompactionTokens"))}
	if text := data.Get("summaryContent"); reader.HasText(text) {
		summary := reader.NewItem(core.Summary)
		summary.Text, c.Scratch = text.Text(c.Scratch)
		event.Summary = &summary
	}
	c.Emit(event)
	c.Items, c.usage.last.call = 0, 0
	if event.Summary != nil {
		c.Items = 1
	}
}

func (c *copilotCLI) truncated(data json.Value) {
	if limit := reader.Count(data.Get("tokenLimit")); limit > 0 {
		c.Emit(core.LimitsKnown{Limits: core.Limits{Window: limit, Input: core.Unknown, Output: core.Unknown}, Source: core.FromAgent})
	}
}

// copilotCLIRule returns Copilot CLI's rule: compaction in the background at 0.80 of the limit, and before anything
// else at 0.95.
func copilotCLIRule(in *Installation) core.Rule {
	rule := core.Rule{
		Name: "copilot-cli", Since: "2026-06-01", Source: "read from the shipped program, version 1.0.60", Percent: 8000,
		ToolsUnrecorded: true,
		First:           core.FirstPrompt{Tools: core.Unrecorded{Usual: 4_500, Most: 9_000}, SystemRecorded: true, Hidden: true},
		Prints:          printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Copilot CLI")),
	}
	if share := in.fraction("COPILOT_BACKGROUND_COMPACTION_THRESHOLD", 1, 100); share > 0 {
		rule.Percent = share * 100
		rule.Name += " with COPILOT_BACKGROUND_COMPACTION_THRESHOLD"
	}
	return rule
}

func (c *copilotCLI) subAgents() *reader.Children { return &c.children }

func (c *copilotCLI) Walk(to *codec.Codec) {
	c.WalkTranscript(to)
	to.Bools("warned prompted resends", &c.warned, &c.prompted, &c.resends)
	to.Bytes("skill", &c.skill, maxSkill)
	c.tools.Walk(to.Part("tools"))
	c.children.Walk(to.Part("children"), func() Reader { return &copilotChild{} })
}
