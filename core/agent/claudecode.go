// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var claudeCodeEntry = Entry{
	ID: ClaudeCode, Name: "Claude Code",
	Proof:          Proof{Lab: "2.1.332"},
	CompactCommand: "/compact",
	MCPOff:         "claude mcp remove NAME",
	Commands:       core.Commands{New: "/clear", Memory: "/memory", Agents: "/agents", OtherServers: "claude_ai_ plugin_", ServerMenu: "/mcp"},
	Recognise:      isClaudeCode, Read: newClaudeCode,
	Rule: claudeCodeRule, Window: claudeCodeWindow, Caches: claudeCodeCaches,
}

// newClaudeCode returns a reader for an agent that writes the records of Claude Code.
func newClaudeCode(id string) Reader { return &claudeCode{id: id} }

// newChild returns a reader of another conversation of the same agent.
func (c *claudeCode) newChild() Reader { return newClaudeCode(c.id) }

// isClaudeCode recognizes a record by the keys that every message has, and the few records without them by their type
// and session.
func isClaudeCode(r json.Value) bool {
	switch kind := r.Get("type"); {
	case kind.Is("api-request-shape"):
		return r.Path("shape", "system").Exists()
	case kind.Is("user"), kind.Is("assistant"), kind.Is("system"), kind.Is("attachment"), kind.Is("progress"):
		return r.Get("uuid").Exists() && r.Get("parentUuid").Exists() && r.Get("isSidechain").Kind() == json.Bool
	case kind.Is("summary"):
		return r.Get("leafUuid").Exists()
	case kind.Is("file-history-snapshot"), kind.Is("file-history-delta"):
		return r.Get("messageId").Exists()
	case claudeCodeSilent(kind):
		return r.Get("sessionId").Exists()
	}
	return false
}

// claudeCodeSilent reports whether records of a type do not affect the context.
func claudeCodeSilent(kind json.Value) bool {
	if kind.Kind() != json.String {
		return false
	}
	switch kind.String() {
	case "summary", "file-history-snapshot", "file-history-delta", "queue-operation", "mode", "permission-mode",
		"last-prompt", "ai-title", "custom-title", "agent-name", "agent-color", "agent-setting", "tag", "pr-link", "progress",
		"api-request", "api-request-blob", "api-request-resumed", "atis-latch", "cost-state",
		"bridge-session", "frame-link", "tools-used",
		"relocated", "fork-context-ref", "worktree-state", "task-summary", "attribution-snapshot",
		"speculation-accept", "context-collapse-commit", "context-collapse-snapshot", "marble-origami-commit", "marble-origami-snapshot":
		return true
	}
	return false
}

// claudeCode reads the JSONL of Claude Code. Each line is one content block; the blocks of one response share
// message.id, and results and attachments may be between them.
type claudeCode struct {
	reader.Transcript
	id       string // the agent's id
	chain    reader.Chain
	begun    bool         // a record of the conversation was read
	sideOnly bool         // the file is a sub-agent's own, whose sidechain is its main chain
	request  uint64       // message.id of the current response
	asked    uint64       // its requestId
	in, out  int64        // its reported prompt and its output so far
	through  int          // number of items in its prompt
	tools    reader.Calls // tool names by the ids of their calls
	files    reader.RecentFiles
	opted    bool // the larger window is used
	resuming bool
	old      bool // a version before attachments were recorded and outputs reliable
	clears   bool // a version before clearing was recorded
	deferred bool // tools are only listed, and loaded on demand
	micro    microcompact
	children reader.Children
	writers  []uint64 // the children that are other programs writing into this file
	team     uint64   // team of the last record
	inside   bool     // this reader is such a child, and has no children
	hosted   bool     // the agent runs inside another program instead of a terminal
	inAnswer bool     // the last record was a part of a response
	left     bool     // the last prompt was recorded separately, as at the end of a process
	loaded   []loadedTool
	skills   bool // a skill was changed since the user's last message
	waits    bool // the last message is the output of a local command

	reminders reminders
	budget    budgetReminder
	own       int64 // Claude Code's estimate of everything after the last response
}

func (c *claudeCode) Record(r json.Value, emit func(core.Event)) {
	c.Emit = emit
	kind := r.Get("type")
	if claudeCodeSilent(kind) {
		if c.Agent == "" && !kind.Is("summary") { // the session has only begun
			c.SetAgent(c.id, json.Value{})
		}
		c.silent(r, kind)
		return
	}
	switch {
	case kind.Is("user"), kind.Is("assistant"), kind.Is("system"), kind.Is("attachment"):
	case kind.Is("content-replacement"):
		c.replacements(r)
		return
	case kind.Is("api-request-shape"):
		c.shape(r)
		return
	default:
		c.SkipUnknown(r, kind)
		return
	}
	side := r.Get("isSidechain").Bool()
	if !c.begun {
		c.begun, c.sideOnly = true, side
	}
	if side && !c.sideOnly {
		c.children.Record(c.newChild, r.Get("agentId"), r, emit)
		return
	}
	if known, shared := c.chain.WasRead(r); known {
		return
	} else if shared {
		c.WarnOfSharedID()
	}
	if c.elsewhere(r, kind, emit) {
		return
	}
	c.team = teamOf(r)
	c.AdvanceTo(r.Get("timestamp"))
	before := c.Version
	c.SetAgent(c.id, r.Get("version"))
	if c.Version != before {
		c.old = !reader.ParseVersion(c.Version).AtLeast("2.1.100")
		c.clears = !reader.ParseVersion(c.Version).AtLeast(microcompactBefore)
	}
	c.SetWorkspace(r.Get("cwd"))
	c.SetBranch(r.Get("gitBranch"))
	c.hosted, c.inAnswer = r.Get("entrypoint").Kind() == json.String && !r.Get("entrypoint").Is("cli"), kind.Is("assistant")
	c.left = false
	first := c.Items
	switch {
	case kind.Is("assistant"):
		c.waits = false
		c.assistant(r)
	case kind.Is("user"):
		c.user(r)
		c.remind()
		c.listSkillsAgain()
		c.microcompacted()
	case kind.Is("attachment"):
		if c.attached(r); c.waits {
			c.WaitForUser() // attachments are not a prompt
		}
	default:
		c.system(r)
	}
	if first > c.Items {
		first = 0 // the conversation was compacted
	}
	c.chain.Add(r, first, c.Items, kind.Is("assistant"))
}

// silent reads the few facts in the other records.
func (c *claudeCode) silent(r, kind json.Value) {
	switch {
	case kind.Is("last-prompt") && (c.inAnswer || !c.hosted):
		// A process writes this record when it ends. While it runs in a terminal, the record is followed by others with
		// its modes; while another program hosts it, the record does not follow a response.
		c.left = true
		c.Emit(core.ProcessEnded{})
	case c.left && !c.hosted && (kind.Is("mode") || kind.Is("permission-mode")):
		c.left = false
		c.Emit(core.ProcessEnded{Runs: true})
	case kind.Is("custom-title"):
		c.SetTitle(r.Get("customTitle"), core.ByUser)
	case kind.Is("ai-title"):
		c.SetTitle(r.Get("aiTitle"), core.ByAgent)
	case kind.Is("summary"):
		// Old versions write summaries of other sessions at the beginning of a file.
		if c.chain.Has(r.Get("leafUuid")) {
			c.SetTitle(r.Get("summary"), core.BySummary)
		}
	}
	if !kind.Is("progress") {
		return
	}
	// Progress records are part of the chain of parents but add no item.
	if !r.Get("isSidechain").Bool() || c.sideOnly {
		if c.elsewhere(r, kind, c.Emit) {
			return
		}
		if r.Path("data", "hookName").Is("SessionStart:resume") {
			c.resuming = true
			c.Emit(core.ProcessEnded{Certain: true})
		}
		if is := r.Path("data", "type"); is.Is("agent_progress") || is.Is("bash_progress") || is.Is("mcp_progress") {
			c.AdvanceTo(r.Get("timestamp")) // a sub-agent or a tool is working
		}
		c.chain.Add(r, c.Items, c.Items, false)
	}
}

func (c *claudeCode) assistant(r json.Value) {
	m := r.Get("message")
	if m.Get("model").Is("<synthetic>") || r.Get("isApiErrorMessage").Bool() {
		c.refusal(m)
		return
	}
	usage := m.Get("usage")
	metered := c.metered(m, usage)
	id := c.answerOf(r, &metered)
	fresh := id == 0 || id != c.request
	if fresh {
		c.request, c.through, c.out, c.own = id, c.Items, core.Unknown, 0
		c.asked, c.in = reader.Hash(r.Get("requestId")), metered.In
		c.noBudget()
	}
	if usage.Kind() == json.Object && !r.Get("isUnmetered").Bool() {
		metered.Through, metered.ThroughSet = c.through, true
		if metered.In > 0 && (fresh || metered.Out != c.out) {
			c.out = metered.Out
			metered.Model = c.AnsweredBy(reader.Short(m.Get("model")), "anthropic", "messages")
			if effort := reader.Short(r.Get("effort")); fresh && effort != "" {
				c.Emit(core.EffortSet{Level: effort})
			}
			c.Emit(metered)
			c.million(metered.In)
			builtIn(&c.Transcript, c.deferred)
			c.micro.measured(metered.In, metered.Out)
		}
	}
	for e := m.Get("content").Elements(); e.Next(); {
		c.block(e.Value)
	}
}

// answerOf returns the identity of a response: the id of its message. If there is no id, or it belonged to another
// request, the length of the prompt distinguishes the response from the previous one.
func (c *claudeCode) answerOf(r json.Value, m *core.Metered) uint64 {
	id := r.Path("message", "id")
	key := reader.Identity(id)
	switch {
	case !id.Exists():
		return 0
	case key == 0 && m.In > 0:
		key = reader.Mix(uint64(m.In), 4)
	case key == c.request && m.In != c.in && reader.Hash(r.Get("requestId")) != c.asked:
		c.WarnOfSharedID()
		key = reader.Mix(key, uint64(m.In))
	default:
		return key
	}
	m.Request = "request " + strconv.FormatUint(key, 16)
	return key
}

// million detects the larger window of models that have one on request. No record names it, but a smaller window could
// not have contained the prompt.
func (c *claudeCode) million(in int64) {
	if in <= 200_000 || c.opted {
		return
	}
	if l, ok := table(claudeCodeOptIn, claudeName(bare(c.Model))); ok && in <= l.Window {
		c.opted = true
		c.Emit(core.LimitsKnown{Limits: l, Source: core.FromAgent})
	}
}

// metered reads the usage of a response. If it has iterations, the last one of this conversation is used, because the
// outer numbers are sums. A response that a compaction carried over is written again with outer numbers of zero and the
// iterations of its old request; it is not a new request.
func (c *claudeCode) metered(m, usage json.Value) core.Metered {
	metered := core.NewMetered()
	metered.Request = reader.Short(m.Get("id"))
	from, messages := usage, 0
	for e := usage.Get("iterations").Elements(); !carriedOver(usage) && e.Next(); {
		kind := e.Value.Get("type")
		if kind.Is("message") || kind.Is("fallback_message") {
			from = e.Value
			messages++
		}
	}
	if messages > 1 {
		metered.Note = phrase.Iterations.Text()
	}
	read, write := reader.Count(from.Get("cache_read_input_tokens")), reader.Count(from.Get("cache_creation_input_tokens"))
	metered.In = reader.Sum(reader.Count(from.Get("input_tokens")), read, write)
	metered.CacheRead, metered.CacheWrite = read, write
	metered.KeptLong = max(reader.Count(from.Path("cache_creation", "ephemeral_1h_input_tokens")), 0)
	metered.CacheLife = core.CacheLife(reader.Count(from.Path("cache_creation", "ephemeral_5m_input_tokens")), metered.KeptLong)
	metered.Out = reader.Count(from.Get("output_tokens"))
	if n := reader.Count(from.Path("output_tokens_details", "thinking_tokens")); n > 0 && n <= metered.Out {
		metered.Reasoning = n // 0 is written if the provider reported nothing
	}
	stopped := reader.HasText(m.Get("stop_reason"))
	metered.OutPlaceholder = !stopped
	metered.CacheMiss = cacheMiss(m)
	server := usage.Get("server_tool_use")
	metered.ServerTools = reader.Count(server.Get("web_search_requests")) > 0 || reader.Count(server.Get("web_fetch_requests")) > 0
	return metered
}

// cacheMiss reads the provider's comparison of a prompt with the previous one, which Claude Code records from 2.1.126
// on.
func cacheMiss(m json.Value) core.CacheMiss {
	diagnostics := m.Get("diagnostics")
	if diagnostics.Kind() != json.Object {
		return core.MissUnrecorded
	}
	switch kind := diagnostics.Path("cache_miss_reason", "type"); {
	case kind.Kind() != json.String:
		return core.MissNone
	case kind.Is("previous_message_not_found"):
		return core.MissNotFound
	case kind.Is("messages_changed"):
		return core.MissMessages
	case kind.Is("system_changed"):
		return core.MissSystem
	case kind.Is("tools_changed"):
		return core.MissTools
	case kind.Is("model_changed"):
		return core.MissModel
	default:
		return core.MissUnavailable
	}
}

// carriedOver reports whether a usage has only zeros, as Claude Code writes it for a response that it carries over a
// compaction.
func carriedOver(usage json.Value) bool {
	for _, name := range []string{"input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"} {
		if reader.Count(usage.Get(name)) != 0 {
			return false
		}
	}
	return true
}

// block reads a part of the response.
func (c *claudeCode) block(b json.Value) {
	kind := b.Get("type")
	if !kind.Is("thinking") && !kind.Is("redacted_thinking") {
		c.reminders.answerPart(c.request)
	}
	switch {
	case kind.Is("text"):
		c.text(core.Assistant, b.Get("text"))
	case kind.Is("thinking"):
		item := reader.NewItem(core.Reasoning)
		item.Text, c.Scratch = b.Get("thinking").Text(c.Scratch)
		item.Opaque = int64(b.Get("signature").TextLen())
		c.add(item)
	case kind.Is("redacted_thinking"):
		item := reader.NewItem(core.Reasoning)
		item.Opaque = int64(b.Get("data").TextLen())
		c.add(item)
	case kind.Is("tool_use"), kind.Is("server_tool_use"):
		if c.id == IFlow && c.tools.Name(reader.Hash(b.Get("id"))) != "" {
			return // a call that is still running is written again in later records, and sent once
		}
		item := reader.NewItem(core.ToolCalls)
		item.Name = reader.Short(b.Get("name"))
		item.Label = core.Named(item.Name)
		item.Text, item.Parameters = c.call(item.Name, b.Get("input"))
		item.About = reader.About(item.Name, b.Get("input"))
		c.reminders.called(item.Name, b.Get("input"))
		c.tools.Add(reader.Hash(b.Get("id")), item.Name, c.Items)
		index := c.add(item)
		if c.clears {
			c.micro.called(reader.Hash(b.Get("id")), item.Name)
		}
		switch item.Name {
		case "Read", "Edit", "MultiEdit", "Write":
			c.uses(item.Name, b.Get("input"))
		}
		if c.old && item.Name != "Read" && strings.HasSuffix(string(b.Path("input", "file_path").Raw()), `SKILL.md"`) {
			c.skills = true
		}
		switch item.Name {
		case "Read", "Edit", "MultiEdit":
			c.tools.SetFile(reader.Hash(b.Get("id")), reader.Hash(b.Path("input", "file_path")))
			if item.Name == "Read" && isJSON(b.Path("input", "file_path")) {
				c.tools.MarkDense(reader.Hash(b.Get("id")))
			}
			c.files.Touch(reader.Hash(b.Path("input", "file_path")), -1)
		case "Write":
			c.files.Touch(reader.Hash(b.Path("input", "file_path")), index)
		}
	}
}

// call returns the text of a tool call without the tool's name, as it is counted: the name and the value of each
// parameter on a line. The plan of ExitPlanMode is left out: it is in a file, and Claude Code adds it to the record,
// but the model neither wrote nor receives it.
func (c *claudeCode) call(tool string, input json.Value) (text []byte, parameters int64) {
	text = c.Scratch[:0]
	for f := input.Fields(); f.Next(); {
		if tool == "ExitPlanMode" && (f.KeyIs("plan") || f.KeyIs("planFilePath")) {
			continue
		}
		parameters++
		text = f.Key.AppendText(text)
		if f.Value.Kind() == json.String {
			text = f.Value.AppendText(text)
		} else {
			text = append(text, f.Value.Raw()...)
		}
		text = append(text, '\n')
	}
	c.Scratch = text
	return text, parameters
}

// refusal reads a response that Claude Code itself has made to show an error.
func (c *claudeCode) refusal(m json.Value) {
	for e := m.Get("content").Elements(); e.Next(); {
		if e.Value.Get("text").Is("No response requested.") {
			c.resuming = true // at a resume, the agent puts this record between two prompts
			c.Emit(core.ProcessEnded{Certain: true})
		}
		var text []byte
		text, c.Scratch = e.Value.Get("text").Text(c.Scratch)
		if o, ok := promptTooLong(text); ok {
			c.Emit(o)
		}
	}
	c.WaitForUser()
}

func (c *claudeCode) user(r json.Value) {
	content := r.Path("message", "content")
	if r.Get("isCompactSummary").Bool() {
		c.blocks(core.Summary, content)
		return
	}
	results := false
	for e := content.Elements(); e.Next(); {
		if e.Value.Get("type").Is("tool_result") {
			results = true
		}
	}
	if !results && c.chain.StartsOver(r) {
		c.cleared(r)
	}
	switch {
	case results || interruption(content):
	case !r.Get("isMeta").Bool():
		c.prompt(r)
	case c.in > 0 && fromAgent(r):
		c.Emit(core.BegunByAgent{}) // a message to a sub-agent, which continues with it
	}
	if !results && !interruption(content) {
		c.mentions(content)
	}
	c.blocks(core.User, content)
	if results {
		c.expectBudget()
	}
	if interruption(content) {
		c.EndTurn()
		c.WaitForUser()
	}
	if c.waits = !results && printed(content); c.waits {
		c.WaitForUser()
	}
	if leaves(content) {
		c.Emit(core.ProcessEnded{Certain: true})
	}
}

// printed reports whether a user message is the output of a local command, which the model reads only with the next
// prompt.
func printed(content json.Value) bool {
	raw := string(content.Raw()[:min(len(content.Raw()), 40)])
	return strings.HasPrefix(raw, `"<local-command-stdout>`) || strings.HasPrefix(raw, `"## Context Usage`)
}

// leaves reports whether a user message records the command that ends the program.
func leaves(content json.Value) bool {
	raw := content.Raw()
	raw = raw[:min(len(raw), 200)]
	return content.Kind() == json.String && (bytes.Contains(raw, []byte("<command-name>/exit<")) || bytes.Contains(raw, []byte("<command-name>/quit<")))
}

// interruption reports whether a user message is the note that replaces a prompt when the user has stopped the agent.
func interruption(content json.Value) bool {
	raw := content.Raw()
	if e := content.Elements(); content.Kind() == json.Array && e.Next() {
		raw = e.Value.Get("text").Raw()
	}
	return len(raw) > 20 && string(raw[:20]) == `"[Request interrupte`
}

// prompt reads a user message: it begins a turn, perhaps after a pause, perhaps at an earlier point of the
// conversation.
func (c *claudeCode) prompt(r json.Value) {
	now, ok := reader.ParseTime(r.Get("timestamp"))
	if from, rewound := c.chain.Rewound(r); rewound {
		c.chain.LeaveAfter(r)
		if from < c.Items {
			c.Emit(core.Truncated{From: from})
			c.Items = from
			c.files.Cut(from)
			c.micro.cut(from)
			c.budget.expected = 0
			c.unload(from)
		}
	}
	switch {
	case c.resuming:
		c.resuming = false
		c.Emit(core.Resumed{Reloaded: c.old})
		if c.old {
			c.reload(r)
			c.reminders.resumed()
			c.wants("", core.FilesForgotten)
		}
	case ok && c.chain.Last > 0 && now-c.chain.Last > pause:
		c.Emit(core.Resumed{}) // the same program continues, so nothing was loaded again
	}
	c.StartTurn()
	if c.in > 0 && (fromAgent(r) || c.sideOnly) {
		c.Emit(core.BegunByAgent{})
	}
	c.expectFirst()
}

// fromAgent reports whether a message is the result of a background task or a message of another agent, which Claude
// Code sends by itself.
func fromAgent(r json.Value) bool {
	origin, content := r.Path("origin", "kind"), string(r.Path("message", "content").Raw())
	return origin.Is("task-notification") || origin.Is("coordinator") || origin.Is("peer") ||
		strings.HasPrefix(content, `"<task-notification>`) || strings.HasPrefix(content, `"<teammate-message`)
}

// expectFirst emits the sizes of the first prompt before its response names the model.
func (c *claudeCode) expectFirst() {
	if c.in == 0 {
		builtIn(&c.Transcript, c.deferred)
	}
}

// reload drops items that are not on the chain of parents and therefore are not loaded again. Results of parallel calls
// are outside the chain, and a call without its result is left out too.
func (c *claudeCode) reload(prompt json.Value) {
	on := c.chain.OnChain(prompt, c.Items)
	drop := func(index int) {
		c.Emit(core.Dropped{Index: index, Reason: phrase.LeavesChain.Text()})
	}
	for i, loaded := range on {
		if !loaded {
			drop(i)
		}
	}
	c.tools.Orphans(func(i int) bool { return i < len(on) && !on[i] }, drop)
}

// pause is the time after which the next prompt is treated as a resume.
const pause = 30 * 60 * 1000

// blocks appends the content of a user message.
func (c *claudeCode) blocks(kind core.Kind, content json.Value) {
	if content.Kind() == json.String {
		c.addText(kind, content)
		return
	}
	for e := content.Elements(); e.Next(); {
		switch b := e.Value; {
		case b.Get("type").Is("tool_result"):
			c.result(b)
		case b.Get("type").Is("text"):
			c.addText(kind, b.Get("text"))
		default:
			c.media(b, 0)
		}
	}
}

// addText appends a text of a user message. The report of a background task is sent with an explanation that is not
// recorded.
func (c *claudeCode) addText(kind core.Kind, text json.Value) {
	if text.TextLen() == 0 {
		return
	}
	item := reader.NewItem(kind)
	item.Text, c.Scratch = text.Text(c.Scratch)
	c.printed(item.Text)
	if bytes.HasPrefix(item.Text, []byte("<task-notification>")) && !c.old {
		item.Wrapping = 125
	}
	if model := modelSwitched(item.Text); model != "" && !strings.HasPrefix(claudeName(bare(c.Model)), model) {
		c.SetModel(model, "anthropic", "messages")
	}
	c.add(item)
}

// media appends an image or a document, perhaps as the result of a call. Anything else is left out.
func (c *claudeCode) media(b json.Value, answers int) {
	kind := b.Get("type")
	if !kind.Is("image") && !kind.Is("document") {
		return
	}
	item := reader.NewItem(core.Media)
	item.Answers = answers
	source := b.Get("source")
	item.MediaType = reader.Short(source.Get("media_type"))
	item.Label = phrase.Image.Text()
	if kind.Is("document") {
		item.Label = phrase.Document.Text()
		if source.Get("type").Is("text") {
			item.Kind = core.Documents
			item.Text, c.Scratch = source.Get("data").Text(c.Scratch)
		}
	} else {
		item.Width, item.Height = reader.ImageSize(source.Get("data"))
	}
	c.add(item)
}

func (c *claudeCode) result(b json.Value) {
	call := reader.Hash(b.Get("tool_use_id"))
	item := reader.NewItem(core.ToolResults)
	item.Name = c.tools.Name(call)
	item.Label = core.Named(item.Name)
	item.Answers = c.tools.Answers(call)
	item.Error = b.Get("is_error").Bool()
	content := b.Get("content")
	parts := content.Get("responseParts")
	if content.Kind() == json.String || parts.Exists() {
		if parts.Exists() {
			c.Scratch = appendResponse(c.Scratch[:0], parts, 0)
			item.Text = c.Scratch
		} else {
			item.Text, c.Scratch = content.Text(c.Scratch)
		}
		if kept, ok := bytes.CutSuffix(item.Text, []byte(fileNote)); ok {
			item.Text, item.Wrapping = kept, fileNoteTokens
		}
		index := c.Transcript.Add(item)
		c.estimated(&item, c.tools.IsDense(call))
		c.tools.SetResultIndex(call, index)
		c.micro.answered(call, index, item.Text)
		if item.Name == "Read" && !item.Error {
			c.files.Touch(c.tools.File(call), index)
		}
		return
	}
	text := c.Scratch[:0]
	for e := content.Elements(); e.Next(); {
		if e.Value.Get("type").Is("text") {
			text = e.Value.Get("text").AppendText(text)
		}
	}
	item.Text, c.Scratch = text, text
	index := c.add(item)
	c.tools.SetResultIndex(call, index)
	c.micro.answered(call, index, text)
	for e := content.Elements(); e.Next(); {
		if e.Value.Get("type").Is("tool_reference") {
			c.definition(e.Value.Get("tool_name"))
			c.Emit(core.PromptTouched{Kind: core.Tools, Name: reader.Short(e.Value.Get("tool_name"))})
		} else {
			c.media(e.Value, item.Answers)
		}
	}
}

// appendResponse appends the texts of a result in the form of iFlow, which is Gemini CLI's: a function's response, its
// output or its error.
func appendResponse(text []byte, v json.Value, depth int) []byte {
	switch v.Kind() {
	case json.String:
		return v.AppendText(text)
	case json.Array:
		for e := v.Elements(); e.Next() && depth < 8; {
			text = appendResponse(text, e.Value, depth+1)
		}
	case json.Object:
		for f := v.Fields(); f.Next() && depth < 8; {
			if f.KeyIs("functionResponse") || f.KeyIs("response") || f.KeyIs("output") || f.KeyIs("error") || f.KeyIs("text") {
				text = appendResponse(text, f.Value, depth+1)
			}
		}
	}
	return text
}

// fileNote is the end of every edit's result; it is recognized by its size.
const (
	fileNote       = " (file state is current in your context — no need to Read it back)"
	fileNoteTokens = 15
)

func (c *claudeCode) system(r json.Value) {
	subtype := r.Get("subtype")
	switch {
	case subtype.Is("compact_boundary"):
		c.compacted(r)
	case subtype.Is("microcompact_boundary"):
		meta := r.Get("microcompactMetadata")
		if saved := reader.Count(meta.Get("tokensSaved")); saved > 0 {
			c.Emit(core.Adjusted{Tokens: -saved, Reason: phrase.LeavesCleared.Text()})
		}
	case subtype.Is("bridge_status"): // remote control brings tools of its own
		c.Emit(core.PromptTouched{Kind: core.Tools})
	case subtype.Is("turn_duration"):
		c.EndTurn()
		c.Emit(core.ProcessEnded{Runs: true})
	case subtype.Is("stop_hook_summary"), subtype.Is("away_summary"):
		c.Emit(core.ProcessEnded{Runs: true})
	case subtype.Is("local_command"):
		if remoteControl(r.Get("content")) {
			c.Emit(core.PromptTouched{Kind: core.Tools})
		}
		// The output of a local command is sent with the next prompt, unless it is only shown.
		if !r.Get("isDisplayOnly").Bool() {
			c.addText(core.User, r.Get("content"))
		}
	}
}

// remoteControl reports whether a text is the command that lets another device control the session, which brings tools
// of its own.
func remoteControl(content json.Value) bool {
	raw := content.Raw()
	raw = raw[:min(len(raw), 200)]
	return bytes.Contains(raw, []byte("<command-name>/remote-control<")) || bytes.Contains(raw, []byte("<command-name>/rc<"))
}

func (c *claudeCode) compacted(r json.Value) {
	meta, kept := r.Get("compactMetadata"), 0
	if uuids := meta.Path("preservedMessages", "uuids"); uuids.Len() > 0 {
		for e := uuids.Elements(); e.Next(); {
			kept += c.chain.ItemsOf(e.Value)
		}
	} else if head := meta.Path("preservedSegment", "headUuid"); head.Exists() {
		kept = c.chain.ItemsSince(head, c.Items)
	}
	// postTokens is a quarter of the characters of the summary, of the kept messages and of content that is attached
	// again. It does not include the system prompt and the tools, so it does not give the size of the next request.
	c.Emit(core.Compacted{
		Auto: meta.Get("trigger").Is("auto"), Recorded: true, Kept: kept, Tokens: core.Unknown,
		Before: reader.Count(meta.Get("preTokens")), Reattached: c.reattached(), Again: c.filesSentAgain(), AgainMost: 6_500,
		Carried: max(0, reader.Count(meta.Get("postTokens"))),
	})
	c.files.Forget()
	c.chain.Clear()
	c.restart(r, kept)
}

// restart drops everything before r except the remaining items.
func (c *claudeCode) restart(r json.Value, items int) {
	if ms, ok := reader.ParseTime(r.Get("timestamp")); ok {
		c.chain.Since = ms
	}
	c.micro, c.own, c.loaded = microcompact{}, 0, nil
	c.reminders.restart()
	c.budget.expected = 0
	c.Items = items
	c.tools.ForgetIndices()
	c.request = 0
	c.resuming = false
	c.wants("", core.FilesForgotten)
}

// reattached returns how many tokens are attached again after a compaction without a record, apart from the files.
// Newer versions record them.
func (c *claudeCode) reattached() int64 {
	if reader.ParseVersion(c.Version).AtLeast("2.1.170") {
		return 0
	}
	return 1_500
}

// cleared begins a new conversation in the same file.
func (c *claudeCode) cleared(r json.Value) {
	c.Emit(core.Truncated{From: 0})
	c.files.Cut(0)
	c.chain.LeaveAll(r)
	c.restart(r, 0)
}

// filesSentAgain returns the indices of files that are attached again without a record.
func (c *claudeCode) filesSentAgain() []int {
	if reader.ParseVersion(c.Version).AtLeast("2.1.170") {
		return nil
	}
	return c.files.Indices()
}

// replacements reads which tool results were replaced by a stub to save space.
func (c *claudeCode) replacements(r json.Value) {
	for e := r.Get("replacements").Elements(); e.Next(); {
		id := e.Value.Get("toolUseId")
		if !id.Exists() {
			id = e.Value.Get("tool_use_id")
		}
		index, ok := c.tools.ResultIndex(reader.Hash(id))
		if !ok {
			continue
		}
		item := reader.NewItem(core.ToolResults)
		item.Name = c.tools.Name(reader.Hash(id))
		item.Label = core.Named(item.Name)
		item.Text, c.Scratch = e.Value.Get("replacement").Text(c.Scratch)
		c.Emit(core.Replaced{Index: index, Item: item, Reason: phrase.LeavesStub.Text()})
	}
}

func (c *claudeCode) subAgents() *reader.Children { return &c.children }

func (c *claudeCode) Walk(to *codec.Codec) {
	c.WalkTranscript(to)
	to.Bools("begun sideOnly opted resuming old clears deferred inside hosted inAnswer left skills waits", &c.begun, &c.sideOnly, &c.opted, &c.resuming, &c.old, &c.clears, &c.deferred, &c.inside, &c.hosted, &c.inAnswer, &c.left, &c.skills, &c.waits)
	to.Hash("request", &c.request)
	to.Hash("asked", &c.asked)
	to.Ints("in out own", &c.in, &c.out, &c.own)
	codec.Within(to, "through", &c.through, 0, core.MaxItems)
	to.Hash("team", &c.team)
	codec.List(to, "writers", &c.writers, maxWriters, func(writer *uint64, to *codec.Codec) { to.Hash("writer", writer) })
	codec.List(to, "loaded", &c.loaded, maxLoaded, (*loadedTool).walk)
	c.tools.Walk(to.Part("tools"))
	c.files.Walk(to.Part("files"))
	c.micro.Walk(to.Part("micro"))
	c.reminders.Walk(to.Part("reminders"))
	c.budget.walk(to.Part("budget"))
	c.chain.Walk(to.Part("chain"))
	c.children.Walk(to.Part("children"), c.newChild)
}

// ChildLabel returns the label of a conversation that is recorded inside another one.
func (c *claudeCode) ChildLabel() string {
	if c.inside {
		return "another program"
	}
	return "sub-agent"
}
