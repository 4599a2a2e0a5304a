// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"bytes"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var codexEntry = Entry{
	ID: Codex, Name: "Codex",
	Proof:          Proof{Lab: "0.171.0"},
	CompactCommand: "/compact",
	MCPOff:         `enabled = false in [mcp_servers.NAME] of config.toml`,
	Commands:       core.Commands{New: "/new", Skills: "/skills"},
	Recognise:      isCodex, Read: func(id string) Reader { return &codex{id: id, answer: -1} },
	Rule: codexRule, Window: codexWindow,
}

func isCodex(r json.Value) bool {
	kind := r.Get("type")
	if r.Get("payload").Kind() != json.Object || kind.Kind() != json.String {
		return false
	}
	switch kind.String() {
	case "session_meta", "turn_context", "response_item", "event_msg", "compacted":
		return true
	}
	return codexSilent(kind)
}

// codexSilent reports whether records of a type do not affect the context. The usage in a token_usage_record is
// repeated in its token_count.
func codexSilent(kind json.Value) bool {
	if kind.Kind() != json.String {
		return false
	}
	switch kind.String() {
	case "token_usage_record", "world_state", "dynamic_tools_updated", "inter_agent_communication",
		"inter_agent_communication_metadata", "security_risk_score", "realtime_item", "ghost_snapshot":
		return true
	}
	return false
}

// codex reads rollouts. The items of a response come first, then the outputs of Codex's own tools, and then the
// token_count that measures the prompt before the response: outputs before the token_count are new in the next request.
type codex struct {
	reader.Transcript
	id           string // the agent's id
	answer       int    // index of the first item of the current response; -1 before it
	first        bool   // a session_meta was read
	total        int64
	tools        reader.Calls
	server       bool // a provider-side tool ran in the current response
	aborted      bool
	answered     bool   // a request was answered in the current turn
	userSent     bool   // the user has sent a message since the turn began
	reasoned     bool   // the current response has only reasoning so far
	last         int64  // time of the last response
	turns        []int  // the starts of the turns since the last compaction
	instructions int64  // bytes of the base instructions
	base         []byte // the base instructions, until the model, and so the tokenizer, is known
	baseHash     uint64 // their hash: a message may repeat them
	early        []byte // the first items, one per line, until the model is known
	toolsSet     bool   // the tools of this window were read
	compacting   bool   // the current response is the summary of a compaction
	left         leftByCodex
}

func (c *codex) Record(r json.Value, emit func(core.Event)) {
	c.Emit = emit
	c.AdvanceTo(r.Get("timestamp"))
	p := r.Get("payload")
	switch kind := r.Get("type"); {
	case kind.Is("session_meta"):
		c.meta(p)
	case kind.Is("turn_context"):
		c.context(p)
	case kind.Is("response_item"):
		if r.Path("metadata", "compaction_output").Bool() {
			c.compacting = true // neither the request nor its response is part of the conversation
			return
		}
		c.keepEarly(p)
		c.item(p)
	case kind.Is("event_msg"):
		c.event(p)
	case kind.Is("compacted"):
		c.compacted(p)
	case codexSilent(kind):
	default:
		c.SkipUnknown(r, kind)
	}
}

func (c *codex) meta(p json.Value) {
	c.SetAgent(c.id, p.Get("cli_version"))
	c.SetWorkspace(p.Get("cwd"))
	c.SetBranch(p.Path("git", "branch"))
	if c.first {
		// The head of the file is written again by a resume, and in every turn by the desktop program. It does not
		// describe the connection.
		return
	}
	c.first = true
	c.Provider = reader.Short(p.Get("model_provider"))
	if c.Provider == "" {
		c.Provider = "openai"
	}
	if text := p.Path("base_instructions", "text"); reader.HasText(text) {
		var instructions []byte
		instructions, c.Scratch = text.Text(c.Scratch)
		c.instructions, c.baseHash = int64(len(instructions)), fnv.Hash(instructions)
		c.setBase(instructions)
		if c.Model == "" && len(instructions) <= maxBase {
			c.base = append(c.base[:0], instructions...)
		}
	}
}

// maxBase bounds the base instructions that are kept until they are counted again.
const maxBase = 1 << 18

func (c *codex) setBase(text []byte) {
	part := core.Part{Label: phrase.BaseInstructions.Text(), Tokens: core.Unknown, Text: text}
	c.Emit(core.ContextSet{Kind: core.System, Parts: []core.Part{part}})
}

func (c *codex) context(p json.Value) {
	c.SetWorkspace(p.Get("cwd"))
	if model := p.Get("model"); reader.HasText(model) {
		c.SetModel(reader.Short(model), c.Provider, "responses")
		if len(c.base) > 0 {
			c.setBase(c.base)
			c.base = nil
		}
		c.recount()
	}
}

// keepEarly stores an item from before the model is known. Since 0.169, instructions, memory files and tools come
// first.
func (c *codex) keepEarly(p json.Value) {
	kind, role := p.Get("type"), p.Get("role")
	if c.Model != "" || len(c.early) == 0 && c.Items > 0 {
		return
	}
	raw := p.Raw()
	if !kind.Is("additional_tools") && !kind.Is("message") || role.Is("assistant") || len(c.early)+len(raw) >= maxBase {
		c.early = nil
		return
	}
	for _, char := range raw {
		if char != '\n' && char != '\r' {
			c.early = append(c.early, char)
		}
	}
	c.early = append(c.early, '\n')
}

// recount emits the early items again, now that their tokens can be counted.
func (c *codex) recount() {
	early, emit, items := c.early, c.Emit, c.Items
	if len(early) == 0 {
		return
	}
	c.early, c.Items, c.toolsSet = nil, 0, false
	c.Emit = func(e core.Event) {
		switch e := e.(type) {
		case core.Appended:
			if c.Items < items {
				emit(core.Replaced{Index: c.Items, Item: e.Item})
			}
		case core.ContextSet:
			emit(e)
		}
	}
	for len(early) > 0 {
		line, rest, _ := bytes.Cut(early, []byte{'\n'})
		early = rest
		if p, err := json.Parse(line); err == nil {
			c.item(p)
		}
	}
	c.Emit, c.Items, c.answer = emit, items, -1
}

func (c *codex) event(p json.Value) {
	switch kind := p.Get("type"); {
	case kind.Is("token_count"):
		c.tokenCount(p.Get("info"))
	case kind.Is("task_started"), kind.Is("turn_started"):
		c.turnBegins()
		if w := reader.Count(p.Get("model_context_window")); w > 0 {
			c.window(w)
		}
	case kind.Is("task_complete"), kind.Is("turn_complete"):
		c.EndTurn()
	case kind.Is("turn_aborted"):
		c.abort()
	case kind.Is("thread_rolled_back"):
		c.rollBack(reader.Count(p.Get("num_turns")))
	case kind.Is("error"):
		c.failure(p)
	case kind.Is("thread_name_updated"):
		c.SetTitle(p.Get("thread_name"), core.ByUser)
	case kind.Is("exec_approval_request"), kind.Is("apply_patch_approval_request"), kind.Is("request_permissions"):
		c.Emit(core.ActivitySeen{Activity: core.Waiting, For: core.ForApproval, Since: core.Unknown})
	}
}

// turnBegins starts a turn, unless it continues one that was stopped. After a stop or a long pause, the connection is
// reopened.
func (c *codex) turnBegins() {
	if c.answered && (c.aborted || c.Time-c.last > staleConnection) {
		c.Emit(core.Resumed{})
	}
	if !c.aborted || c.abortEnds() {
		c.StartTurn()
		c.answered, c.userSent = false, false
		if len(c.turns) >= maxTurns {
			c.turns = append(c.turns[:0], c.turns[maxTurns/2:]...)
		}
		c.turns = append(c.turns, c.Items)
	}
}

// staleConnection is the lifetime of Codex's connection to the model after the last response.
const staleConnection = 10 * 60 * 1000

// maxTurns is the maximum number of turns that can be rolled back.
const maxTurns = 1000

// rollBack removes the last turns.
func (c *codex) rollBack(turns int64) {
	turn := len(c.turns) - int(min(max(turns, 0), maxTurns))
	if turns <= 0 || turn < 0 {
		c.Emit(core.Warned{Sentence: phrase.RolledBack.Text(), OfUsage: true})
		return
	}
	if from := c.turns[turn]; from < c.Items {
		c.Emit(core.Truncated{From: from})
		c.Items = from
	}
	c.turns = c.turns[:turn]
	c.answer = -1
}

func (c *codex) window(w int64) {
	c.Emit(core.LimitsKnown{Limits: core.Limits{Window: w, Input: core.Unknown, Output: core.Unknown}, Source: core.FromAgent})
}

// abort stops a turn in the middle. With gpt-5.4 its reasoning stays in the conversation, because the next turn
// continues this one. With gpt-5.5 it leaves, as at the end of any turn.
func (c *codex) abort() {
	c.answer = -1
	c.server = false
	c.aborted = true
	if c.abortEnds() {
		c.EndTurn()
	}
	c.WaitForUser()
}

// abortEnds reports whether a stopped turn ends with the current model.
func (c *codex) abortEnds() bool { return strings.Contains(c.Model, "gpt-5.5") }

func (c *codex) failure(p json.Value) {
	code := p.Get("codex_error_info")
	if code.Is("context_window_exceeded") || code.Get("context_window_exceeded").Exists() {
		c.Emit(core.Overflowed{Prompt: core.Unknown, Output: core.Unknown, Limit: core.Unknown})
	}
}

func (c *codex) tokenCount(info json.Value) {
	if info.IsNull() {
		return // it contains only rate limits
	}
	if w := reader.Count(info.Get("model_context_window")); w > 0 {
		c.window(w)
	}
	last, total := info.Get("last_token_usage"), info.Get("total_token_usage")
	sum := reader.Count(total.Get("total_tokens"))
	in := reader.Count(last.Get("input_tokens"))
	if in <= 0 {
		c.estimated(reader.Count(last.Get("total_tokens")))
		return
	}
	if sum == c.total && sum > 0 {
		return // the same count, repeated
	}
	c.total = sum
	m := core.NewMetered()
	m.In = in
	m.Out = reader.Count(last.Get("output_tokens"))
	m.Reasoning = reader.Count(last.Get("reasoning_output_tokens"))
	m.CacheRead = reader.Count(last.Get("cached_input_tokens"))
	m.CacheWrite = reader.Count(last.Get("cache_write_input_tokens"))
	m.ServerTools = c.server
	m.ServerStays = !strings.Contains(c.Model, "gpt-5.4")
	m.Through, m.ThroughSet, m.Complete = c.Items, true, true
	if c.answer >= 0 {
		m.Through = c.answer
	}
	if c.compacting {
		c.compacting, m.SideRequest = false, true
		c.Emit(m)
		return
	}
	c.answer, c.server, c.answered, c.aborted, c.last = -1, false, true, false, c.Time
	c.Emit(m)
}

// answerBegins stores where the response of the current request begins.
func (c *codex) answerBegins() {
	if c.answer < 0 {
		c.answer = c.Items
	}
}

func (c *codex) item(p json.Value) {
	c.reasoned = c.answer >= 0 && (c.answer == c.Items || c.reasoned) && p.Get("type").Is("reasoning") ||
		c.reasoned && p.Get("type").Is("agent_message") || c.answer < 0 && p.Get("type").Is("reasoning")
	switch kind := p.Get("type"); {
	case kind.Is("message"):
		c.message(p)
	case kind.Is("reasoning"):
		c.answerBegins()
		item := reader.NewItem(core.Reasoning)
		item.Opaque = int64(p.Get("encrypted_content").TextLen())
		c.Add(item)
	case kind.Is("function_call"), kind.Is("custom_tool_call"), kind.Is("local_shell_call"), kind.Is("tool_search_call"), kind.Is("mcp_tool_call"):
		c.call(p)
	case kind.Is("function_call_output"), kind.Is("custom_tool_call_output"), kind.Is("local_shell_call_output"), kind.Is("mcp_tool_call_output"):
		c.output(p, kind.Is("custom_tool_call_output"))
	case kind.Is("tool_search_output"):
		c.loaded(p)
	case kind.Is("additional_tools"):
		c.recordedTools(p.Get("tools"))
	case kind.Is("web_search_call"), kind.Is("image_generation_call"), kind.Is("code_interpreter_call"), kind.Is("file_search_call"):
		c.answerBegins()
		c.server = true
		item := reader.NewItem(core.ToolCalls)
		item.Name = reader.Short(kind)
		item.Text = p.Get("action").Raw()
		item.About = reader.About(item.Name, p.Get("action"))
		c.Add(item)
	case encryptedSummary(kind):
		item := reader.NewItem(core.Summary)
		item.Opaque = int64(p.Get("encrypted_content").TextLen())
		c.Add(item)
	case kind.Is("agent_message"):
		c.fromAgent(p)
	case kind.Is("ghost_snapshot"), kind.Is("other"):
	default:
		c.SkipUnknown(p, kind)
	}
}

// message appends the text of a message as one item, and its images as others.
func (c *codex) message(p json.Value) {
	role := p.Get("role")
	item := reader.NewItem(core.User)
	switch {
	case role.Is("assistant"):
		c.answerBegins()
		item.Kind = core.Assistant
	case role.Is("developer"), role.Is("system"):
		item.Kind = core.System
		item.Label = phrase.DeveloperInstructions.Text()
	}
	item.Text = c.parts(p.Get("content"))
	if item.Kind == core.System && c.baseHash != 0 && fnv.Hash(item.Text) == c.baseHash {
		return // models without a field for instructions get them like this
	}
	if item.Kind == core.User {
		c.ownContext(&item)
	}
	if item.Kind == core.User && !c.aborted && !bytes.HasPrefix(item.Text, []byte("<turn_aborted>")) {
		c.userMessage()
	}
	if len(item.Text) > 0 {
		c.Add(item)
	}
	for e := p.Get("content").Elements(); e.Next(); {
		if e.Value.Get("type").Is("input_image") {
			c.image(e.Value.Get("image_url"), 0)
		}
	}
}

// fromAgent appends a message of another agent of the session: the response of a sub-agent, or a task for one. It is
// not a user message, but Codex counts the reasoning before it like that before one. If it comes while the model
// reasons, the request is sent again with the message and that reasoning.
func (c *codex) fromAgent(p json.Value) {
	if c.reasoned {
		c.answer, c.reasoned = -1, false
	}
	item := reader.NewItem(core.User)
	item.Label = core.Named(reader.Short(p.Get("author")))
	item.Text = c.parts(p.Get("content"))
	for e := p.Get("content").Elements(); e.Next(); {
		item.Opaque += int64(e.Value.Get("encrypted_content").TextLen())
	}
	if len(item.Text) > 0 || item.Opaque > 0 {
		c.Emit(core.MessagedByAgent{})
		c.Add(item)
	}
}

// userMessage reports a user message sent while the agent was working. The turn's reasoning so far is then no longer
// sent, as at the end of a turn.
func (c *codex) userMessage() {
	c.userSent = true
	if c.answered {
		// The alpha versions of mid 2026 keep the reasoning. For other versions, only the session itself shows it.
		c.Emit(core.Steered{Keeps: strings.Contains(c.Version, "-alpha")})
	}
}

// ownContext marks content that Codex itself adds to the conversation in the shape of a user message.
func (c *codex) ownContext(item *core.Item) {
	switch {
	case bytes.HasPrefix(item.Text, []byte("# AGENTS.md instructions")), bytes.HasPrefix(item.Text, []byte("<user_instructions>")):
		item.Kind, item.Label = core.Memory, core.Named("AGENTS.md")
	case bytes.HasPrefix(item.Text, []byte("<environment_context>")):
		item.Kind, item.Label = core.System, phrase.Environment.Text()
	case bytes.HasPrefix(item.Text, []byte("<skill>")), bytes.HasPrefix(item.Text, []byte("<skills")):
		item.Kind, item.Label = core.Skills, phrase.SkillItem.Text()
	}
}

// parts joins the texts of a content list.
func (c *codex) parts(content json.Value) []byte {
	if content.Kind() == json.String {
		var text []byte
		text, c.Scratch = content.Text(c.Scratch)
		return text
	}
	text := c.Scratch[:0]
	for e := content.Elements(); e.Next(); {
		text = e.Value.Get("text").AppendText(text)
	}
	c.Scratch = text
	return text
}

func (c *codex) image(url json.Value, answers int) {
	item := reader.NewItem(core.Media)
	item.Label = phrase.Image.Text()
	item.Answers = answers
	item.MediaType, item.Width, item.Height = reader.DataURL(url)
	c.Add(item)
}

func (c *codex) call(p json.Value) {
	c.answerBegins()
	item := reader.NewItem(core.ToolCalls)
	item.Name = reader.Short(p.Get("name"))
	if space := reader.Short(p.Get("namespace")); space != "" {
		// The request contains the full name of an MCP server's tool.
		item.Name = space + "." + item.Name
	}
	if p.Get("type").Is("tool_search_call") {
		item.Name = "tool_search"
	}
	item.Label = core.Named(item.Name)
	switch args := p.Get("arguments"); {
	case args.Kind() == json.String:
		item.Text, c.Scratch = args.Text(c.Scratch)
	case args.Exists():
		item.Text = args.Raw()
	case p.Get("input").Exists():
		item.Text, c.Scratch = p.Get("input").Text(c.Scratch)
	default:
		item.Text = p.Get("action").Raw()
	}
	item.About = c.about(item.Name, p)
	c.tools.Add(reader.Hash(p.Get("call_id")), item.Name, c.Items)
	c.Add(item)
}

// about returns the subject of a call.
func (c *codex) about(tool string, p json.Value) core.Subject {
	for _, name := range []string{"arguments", "input", "action"} {
		if v := p.Get(name); v.Exists() {
			return reader.About(tool, v)
		}
	}
	return core.Subject{}
}

func (c *codex) output(p json.Value, custom bool) {
	call := reader.Hash(p.Get("call_id"))
	content := fnv.Hash(p.Get("output").Raw())
	if _, twice := c.tools.ResultIndex(call); twice {
		if c.tools.File(call) == content {
			return
		}
		c.WarnOfSharedID()
	}
	c.tools.SetResultIndex(call, c.Items)
	c.tools.SetFile(call, content)
	item := reader.NewItem(core.ToolResults)
	item.Name = c.tools.Name(call)
	item.Label = core.Named(item.Name)
	item.Answers = c.tools.Answers(call)
	output := p.Get("output")
	switch output.Kind() {
	case json.String, json.Array:
		item.Text = c.sent(output)
	case json.Object: // in older rollouts: {"content": …, "success": …}
		item.Text = c.sent(output.Get("content"))
		item.Error = output.Get("success").Kind() == json.Bool && !output.Get("success").Bool()
	}
	if custom && strings.Contains(c.Model, "gpt-5.4") {
		item.Wrapping = -4 // a custom tool has a smaller frame there
	}
	c.Add(item)
	for e := output.Elements(); e.Next(); {
		if e.Value.Get("type").Is("input_image") {
			c.image(e.Value.Get("image_url"), item.Answers)
		}
	}
}

// loaded reads the definitions that a search for tools has loaded. Those of MCP servers have namespaces.
func (c *codex) loaded(p json.Value) {
	item := reader.NewItem(core.ToolResults)
	item.Wrapping = 22
	if isServed(p.Get("tools")) {
		item.Kind, item.Wrapping = core.MCPTools, 22+resultFrame
	}
	item.Name = "tool_search"
	item.Label = core.Named(item.Name)
	item.Text = c.definitions(p.Get("tools"))
	c.Add(item)
}

// resultFrame is how many tokens a single result of the search has around its text: only results are counted with them.
const resultFrame = 11

// isServed reports whether all tools of a list are those of MCP servers.
func isServed(tools json.Value) bool {
	for e := tools.Elements(); e.Next(); {
		if !strings.HasPrefix(reader.Short(e.Value.Get("name")), "mcp__") {
			return false
		}
	}
	return tools.Len() > 0
}

// recordedTools reads the tools of models that receive them inside the conversation. The first ones, at the beginning
// and after a compaction, are part of the fixed context; later ones are added to the conversation.
func (c *codex) recordedTools(tools json.Value) {
	if c.toolsSet {
		item := reader.NewItem(core.Tools)
		item.Text = c.definitions(tools)
		c.Add(item)
		return
	}
	c.toolsSet = true
	var own, served []core.Part
	add := func(space string, tool json.Value) {
		part := core.Part{Label: core.Named(reader.Short(tool.Get("name"))), Tokens: core.Unknown, Text: reader.Definition(nil, tool)}
		if strings.HasPrefix(space, "mcp__") {
			part.Label = core.Named(space + "." + reader.Short(tool.Get("name")))
			served = append(served, part)
		} else {
			own = append(own, part)
		}
	}
	for e := tools.Elements(); e.Next() && len(own)+len(served) < reader.MaxTools; {
		inner := e.Value.Get("tools")
		if inner.Kind() != json.Array {
			add("", e.Value)
		}
		for t := inner.Elements(); t.Next() && len(own)+len(served) < reader.MaxTools; {
			add(reader.Short(e.Value.Get("name")), t.Value)
		}
	}
	c.Emit(core.ContextSet{Kind: core.Tools, Parts: own})
	c.Emit(core.ContextSet{Kind: core.MCPTools, Parts: served})
}

func (c *codex) Walk(to *codec.Codec) {
	c.WalkTranscript(to)
	codec.Within(to, "answer", &c.answer, -1, core.MaxItems)
	to.Ints("total", &c.total)
	to.Bools("first server aborted answered userSent reasoned", &c.first, &c.server, &c.aborted, &c.answered, &c.userSent, &c.reasoned)
	to.Bytes("early", &c.early, maxBase)
	to.Bools("toolsSet compacting", &c.toolsSet, &c.compacting)
	to.Hash("baseHash", &c.baseHash)
	codec.Within(to, "last", &c.last, 0, reader.Latest)
	codec.List(to, "turns", &c.turns, maxTurns, func(turn *int, to *codec.Codec) { codec.Within(to, "turn", turn, 0, core.MaxItems) })
	codec.Within(to, "instructions", &c.instructions, 0, core.MaxTokens)
	to.Bytes("base", &c.base, maxBase)
	codec.Within(to, "left.bytes", &c.left.bytes, 0, core.MaxTokens)
	codec.Within(to, "left.summary", &c.left.summary, 0, core.MaxItems)
	c.tools.Walk(to.Part("tools"))
}

// definitions writes tools in the form that OpenAI shows to a model: as TypeScript types, with the descriptions as
// comments.
func (c *codex) definitions(tools json.Value) []byte {
	c.Scratch = reader.Definitions(c.Scratch[:0], tools)
	return c.Scratch
}

// ToolsAsTypes returns the definitions of tools in the form that OpenAI shows to a model, for callers that measure
// them. tools is a list of objects with a name, a description and parameters.
func ToolsAsTypes(tools []byte) []byte {
	list, _ := json.Parse(tools)
	return reader.Definitions(nil, list)
}
