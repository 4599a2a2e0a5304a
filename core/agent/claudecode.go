// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var claudeCodeEntry = Entry{
	ID: ClaudeCode, Name: "Claude Code", Program: "claude", AlwaysProcess: true, Webview: "claudeVSCodePanel|claude-code",
	CompactCommand: "/compact",
	MCPOff:         "claude mcp remove NAME",
	Commands:       core.Commands{New: "/clear", Memory: "/memory", Agents: "/agents"},
	HookEvents:     []string{"UserPromptSubmit", "PostToolUse", "PostToolBatch", "SessionStart", "SubagentStart"},
	PromptFiles: []string{
		"CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules/*.md", ".claude/rules/*/*.md",
		"~/.claude/CLAUDE.md",
	},
	HomeFolders: []string{".claude"},
	Recognise:   isClaudeCode, Read: readsClaude(ClaudeCode),
	Rule: claudeCodeRule, Window: claudeCodeWindow,
}

// readsClaude makes the reader of an agent that writes the records of Claude Code.
func readsClaude(id string) func() Reader { return (&claudeCode{id: id}).another }

// another is a reader of another conversation of the same agent.
func (c *claudeCode) another() Reader { return &claudeCode{id: c.id} }

// isClaudeCode recognises a record by the keys that every message carries, and
// the few records without them by their type and session.
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

// claudeCodeSilent is true of the records that say nothing about the context.
func claudeCodeSilent(kind json.Value) bool {
	if kind.Kind() != json.String {
		return false
	}
	switch kind.String() {
	case "summary", "file-history-snapshot", "file-history-delta", "queue-operation", "mode", "permission-mode",
		"last-prompt", "ai-title", "custom-title", "agent-name", "agent-color", "agent-setting", "tag", "pr-link", "progress",
		"api-request", "api-request-blob", "api-request-resumed", "atis-latch", "cost-state",
		"relocated", "fork-context-ref", "worktree-state", "task-summary", "attribution-snapshot",
		"speculation-accept", "context-collapse-commit", "context-collapse-snapshot", "marble-origami-commit", "marble-origami-snapshot":
		return true
	}
	return false
}

// claudeCode reads the JSONL of Claude Code. Each line is one content block;
// the blocks of one answer share message.id, and results and attachments may
// stand between them.
type claudeCode struct {
	transcript
	id       string // of the agent
	chain    chain
	begun    bool   // a record of the conversation was seen
	sideOnly bool   // the file is a sub-agent's own, whose sidechain is its main chain
	request  uint64 // message.id of the running answer
	asked    uint64 // its requestId
	in, out  int64  // its reported prompt and its output so far
	through  int    // the items its prompt held
	tools    names  // the names of tools, by the ids of their calls
	files    recent
	opted    bool // the larger window is used
	resuming bool
	old      bool // of a version before attachments were recorded and outputs reliable
	clears   bool // of a version before clearing was recorded
	deferred bool // tools are only listed, and loaded when they are asked for
	micro    microcompact
	children children
	writers  []uint64 // the children that are other programs writing into this file
	team     uint64   // of the last record
	inside   bool     // this one is such a child, and has none of its own

	reminders reminders
	own       int64 // Claude Code's estimate of what came after the last answer
}

func (c *claudeCode) Record(r json.Value, emit func(core.Event)) {
	c.emit = emit
	kind := r.Get("type")
	if claudeCodeSilent(kind) {
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
		c.unknown(r, kind)
		return
	}
	side := r.Get("isSidechain").Bool()
	if !c.begun {
		c.begun, c.sideOnly = true, side
	}
	if side && !c.sideOnly {
		c.children.record(c.another, r.Get("agentId"), r, emit)
		return
	}
	if known, shared := c.chain.knows(r); known {
		return
	} else if shared {
		c.twoWithOneID()
	}
	if c.elsewhere(r, kind, emit) {
		return
	}
	c.team = teamOf(r)
	c.advanceTo(r.Get("timestamp"))
	before := c.version
	c.seen(c.id, r.Get("version"))
	if c.version != before {
		c.old = !parseVersion(c.version).since("2.1.100")
		c.clears = !parseVersion(c.version).since(microcompactBefore)
	}
	c.cwd(r.Get("cwd"))
	c.onBranch(r.Get("gitBranch"))
	first := c.items
	switch {
	case kind.Is("assistant"):
		c.assistant(r)
	case kind.Is("user"):
		c.user(r)
		c.remind()
		c.microcompacted()
	case kind.Is("attachment"):
		c.attached(r)
	default:
		c.system(r)
	}
	if first > c.items {
		first = 0 // the conversation was compacted
	}
	c.chain.add(r, first, c.items, kind.Is("assistant"))
}

// silent reads the little that the other records tell.
func (c *claudeCode) silent(r, kind json.Value) {
	switch {
	case kind.Is("custom-title"):
		c.called(r.Get("customTitle"), core.ByPerson)
	case kind.Is("ai-title"):
		c.called(r.Get("aiTitle"), core.ByAgent)
	case kind.Is("summary"):
		// Old versions write the summaries of other sessions at the head of a file.
		if c.chain.has(r.Get("leafUuid")) {
			c.called(r.Get("summary"), core.BySummary)
		}
	}
	if !kind.Is("progress") {
		return
	}
	// Progress records are part of the chain of parents but add nothing to it.
	if !r.Get("isSidechain").Bool() || c.sideOnly {
		if c.elsewhere(r, kind, c.emit) {
			return
		}
		if r.Path("data", "hookName").Is("SessionStart:resume") {
			c.resuming = true
		}
		c.chain.add(r, c.items, c.items, false)
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
		c.request, c.through, c.out, c.own = id, c.items, core.Unknown, 0
		c.asked, c.in = hash(r.Get("requestId")), metered.In
	}
	if usage.Kind() == json.Object && !r.Get("isUnmetered").Bool() {
		metered.Through, metered.ThroughSet = c.through, true
		if metered.In > 0 && (fresh || metered.Out != c.out) {
			c.out = metered.Out
			metered.Model = c.answered(short(m.Get("model")), "anthropic", "messages")
			c.emit(metered)
			c.million(metered.In)
			c.builtIn(c.deferred)
			c.micro.measured(metered.In, metered.Out)
		}
	}
	for e := m.Get("content").Elements(); e.Next(); {
		c.block(e.Value)
	}
}

// answerOf is the identity of an answer: the id of its message. If there is no
// id, or it belonged to another request, the length of the prompt distinguishes
// the answer from the one before.
func (c *claudeCode) answerOf(r json.Value, m *core.Metered) uint64 {
	id := r.Path("message", "id")
	key := identity(id)
	switch {
	case !id.Exists():
		return 0
	case key == 0 && m.In > 0:
		key = mix(uint64(m.In), 4)
	case key == c.request && m.In != c.in && hash(r.Get("requestId")) != c.asked:
		c.twoWithOneID()
		key = mix(key, uint64(m.In))
	default:
		return key
	}
	m.Request = "request " + strconv.FormatUint(key, 16)
	return key
}

// million notices the larger window of models that have one on request. No
// record names it, but no smaller window could have held the prompt.
func (c *claudeCode) million(in int64) {
	if in <= 200_000 || c.opted {
		return
	}
	if l, ok := table(claudeCodeOptIn, claudeName(bare(c.model))); ok && in <= l.Window {
		c.opted = true
		c.emit(core.LimitsKnown{Limits: l, Source: core.FromAgent})
	}
}

// metered reads the usage of an answer. If it has iterations, the last one of
// this conversation is used, because the outer numbers are sums. An answer that
// a compaction carried over is written again with outer numbers of zero and the
// iterations of its old request; it is no new request.
func (c *claudeCode) metered(m, usage json.Value) core.Metered {
	metered := core.NewMetered()
	metered.Request = short(m.Get("id"))
	from, spoken := usage, 0
	for e := usage.Get("iterations").Elements(); !carriedOver(usage) && e.Next(); {
		kind := e.Value.Get("type")
		if kind.Is("message") || kind.Is("fallback_message") {
			from = e.Value
			spoken++
		}
	}
	if spoken > 1 {
		metered.Note = phrase.Iterations.Text()
	}
	read, write := count(from.Get("cache_read_input_tokens")), count(from.Get("cache_creation_input_tokens"))
	metered.In = sum(count(from.Get("input_tokens")), read, write)
	metered.CacheRead, metered.CacheWrite = read, write
	metered.KeptLong = max(count(from.Path("cache_creation", "ephemeral_1h_input_tokens")), 0)
	metered.Out = count(from.Get("output_tokens"))
	if n := count(from.Path("output_tokens_details", "thinking_tokens")); n > 0 && n <= metered.Out {
		metered.Reasoning = n // 0 is written where the provider said nothing
	}
	stopped := textual(m.Get("stop_reason"))
	metered.OutPlaceholder = !stopped
	server := usage.Get("server_tool_use")
	metered.ServerTools = count(server.Get("web_search_requests")) > 0 || count(server.Get("web_fetch_requests")) > 0
	return metered
}

// carriedOver reports whether a usage has only zeros, as Claude Code writes them
// for an answer that it carries over a compaction.
func carriedOver(usage json.Value) bool {
	for _, name := range []string{"input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"} {
		if count(usage.Get(name)) != 0 {
			return false
		}
	}
	return true
}

// block reads a piece of the answer.
func (c *claudeCode) block(b json.Value) {
	kind := b.Get("type")
	if !kind.Is("thinking") && !kind.Is("redacted_thinking") {
		c.reminders.said(c.request)
	}
	switch {
	case kind.Is("text"):
		c.text(core.Assistant, b.Get("text"))
	case kind.Is("thinking"):
		item := newItem(core.Reasoning)
		item.Text, c.scratch = b.Get("thinking").Text(c.scratch)
		item.Opaque = int64(b.Get("signature").TextLen())
		c.add(item)
	case kind.Is("redacted_thinking"):
		item := newItem(core.Reasoning)
		item.Opaque = int64(b.Get("data").TextLen())
		c.add(item)
	case kind.Is("tool_use"), kind.Is("server_tool_use"):
		if c.id == IFlow && c.tools.get(hash(b.Get("id"))) != "" {
			return // it writes a call that is running again in later records, and sends it once
		}
		item := newItem(core.ToolCalls)
		item.Name = short(b.Get("name"))
		item.Label = core.Named(item.Name)
		item.Text, item.Parameters = c.call(item.Name, b.Get("input"))
		item.About = about(item.Name, b.Get("input"))
		c.reminders.called(item.Name, b.Get("input"))
		c.tools.put(hash(b.Get("id")), item.Name, c.items)
		index := c.add(item)
		if c.clears {
			c.micro.called(hash(b.Get("id")), item.Name)
		}
		switch item.Name {
		case "Read", "Edit", "MultiEdit", "Write":
			c.uses(item.Name, b.Get("input"))
		}
		switch item.Name {
		case "Read", "Edit", "MultiEdit":
			c.tools.about(hash(b.Get("id")), hash(b.Path("input", "file_path")))
			if item.Name == "Read" && isJSON(b.Path("input", "file_path")) {
				c.tools.markDense(hash(b.Get("id")))
			}
			c.files.touch(hash(b.Path("input", "file_path")), -1)
		case "Write":
			c.files.touch(hash(b.Path("input", "file_path")), index)
		}
	}
}

// call is the text of a tool call as it is counted besides the tool's name:
// each parameter's name and value on a line. The plan of ExitPlanMode is left
// out: it is in a file, and Claude Code adds it to the record, but the model
// neither wrote nor gets it.
func (c *claudeCode) call(tool string, input json.Value) (text []byte, parameters int64) {
	text = c.scratch[:0]
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
	c.scratch = text
	return text, parameters
}

// refusal reads an answer that Claude Code has made up to show an error.
func (c *claudeCode) refusal(m json.Value) {
	for e := m.Get("content").Elements(); e.Next(); {
		if e.Value.Get("text").Is("No response requested.") {
			c.resuming = true // the agent puts this record between two prompts at a resume
		}
		var text []byte
		text, c.scratch = e.Value.Get("text").Text(c.scratch)
		if o, ok := promptTooLong(text); ok {
			c.emit(o)
		}
	}
	c.handsBack()
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
	if !results && c.chain.anew(r) {
		c.cleared(r)
	}
	if !results && !r.Get("isMeta").Bool() && !interruption(content) {
		c.prompt(r)
	}
	if !results && !interruption(content) {
		c.mentions(content)
	}
	c.blocks(core.User, content)
	if interruption(content) {
		c.turnOver()
		c.handsBack()
	}
}

// interruption is true of the note that stands in place of a prompt when the
// person has stopped the agent.
func interruption(content json.Value) bool {
	raw := content.Raw()
	if e := content.Elements(); content.Kind() == json.Array && e.Next() {
		raw = e.Value.Get("text").Raw()
	}
	return len(raw) > 20 && string(raw[:20]) == `"[Request interrupte`
}

// prompt reads what the person says: a turn begins, perhaps after a pause,
// perhaps at an earlier point of the conversation.
func (c *claudeCode) prompt(r json.Value) {
	now, ok := parseTime(r.Get("timestamp"))
	if from, rewound := c.chain.rewound(r); rewound {
		c.chain.leaves(r)
		if from < c.items {
			c.emit(core.Truncated{From: from})
			c.items = from
			c.files.cut(from)
			c.micro.cut(from)
		}
	}
	switch {
	case c.resuming:
		c.resuming = false
		c.emit(core.Resumed{Reloaded: c.old})
		if c.old {
			c.reload(r)
			c.reminders.resumed()
			c.wants("", core.FilesForgotten)
		}
	case ok && c.chain.last > 0 && now-c.chain.last > pause:
		c.emit(core.Resumed{}) // the same program continues, so nothing was loaded anew
	}
	c.turn()
}

// reload drops what does not stand on the chain of parents and is therefore not
// loaded again. Results of parallel calls stand beside the chain, and a call
// without its result is left out too.
func (c *claudeCode) reload(prompt json.Value) {
	on := c.chain.onChain(prompt, c.items)
	drop := func(index int) {
		c.emit(core.Dropped{Index: index, Reason: phrase.LeavesChain.Text()})
	}
	for i, loaded := range on {
		if !loaded {
			drop(i)
		}
	}
	c.tools.orphans(func(i int) bool { return i < len(on) && !on[i] }, drop)
}

// pause is after how long the next prompt counts as resuming the conversation.
const pause = 30 * 60 * 1000

// blocks appends the contents of a user message.
func (c *claudeCode) blocks(kind core.Kind, content json.Value) {
	if content.Kind() == json.String {
		c.words(kind, content)
		return
	}
	for e := content.Elements(); e.Next(); {
		switch b := e.Value; {
		case b.Get("type").Is("tool_result"):
			c.result(b)
		case b.Get("type").Is("text"):
			c.words(kind, b.Get("text"))
		default:
			c.media(b, 0)
		}
	}
}

// words appends a text of a user message. The report of a background task is
// sent with an explanation that is not recorded.
func (c *claudeCode) words(kind core.Kind, text json.Value) {
	if text.TextLen() == 0 {
		return
	}
	item := newItem(kind)
	item.Text, c.scratch = text.Text(c.scratch)
	c.printed(item.Text)
	if bytes.HasPrefix(item.Text, []byte("<task-notification>")) && !c.old {
		item.Wrapping = 125
	}
	if model := modelSwitched(item.Text); model != "" && !strings.HasPrefix(claudeName(bare(c.model)), model) {
		c.modelIs(model, "anthropic", "messages")
	}
	c.add(item)
}

// media appends an image or a document, for which a call may have asked.
// Anything else is left out.
func (c *claudeCode) media(b json.Value, answers int) {
	kind := b.Get("type")
	if !kind.Is("image") && !kind.Is("document") {
		return
	}
	item := newItem(core.Media)
	item.Answers = answers
	source := b.Get("source")
	item.MediaType = short(source.Get("media_type"))
	item.Label = phrase.Image.Text()
	if kind.Is("document") {
		item.Label = phrase.Document.Text()
		if source.Get("type").Is("text") {
			item.Kind = core.Documents
			item.Text, c.scratch = source.Get("data").Text(c.scratch)
		}
	} else {
		item.Width, item.Height = imageSize(source.Get("data"))
	}
	c.add(item)
}

func (c *claudeCode) result(b json.Value) {
	call := hash(b.Get("tool_use_id"))
	item := newItem(core.ToolResults)
	item.Name = c.tools.get(call)
	item.Label = core.Named(item.Name)
	item.Answers = c.tools.answers(call)
	item.Error = b.Get("is_error").Bool()
	content := b.Get("content")
	parts := content.Get("responseParts")
	if content.Kind() == json.String || parts.Exists() {
		if parts.Exists() {
			c.scratch = appendResponse(c.scratch[:0], parts, 0)
			item.Text = c.scratch
		} else {
			item.Text, c.scratch = content.Text(c.scratch)
		}
		if kept, ok := without(item.Text, fileNote); ok {
			item.Text, item.Wrapping = kept, fileNoteTokens
		}
		index := c.transcript.add(item)
		c.estimated(&item, c.tools.dense(call))
		c.tools.setIndex(call, index)
		c.micro.answered(call, index, item.Text)
		if item.Name == "Read" && !item.Error {
			c.files.touch(c.tools.subject(call), index)
		}
		return
	}
	text := c.scratch[:0]
	for e := content.Elements(); e.Next(); {
		if e.Value.Get("type").Is("text") {
			text = e.Value.Get("text").AppendText(text)
		}
	}
	item.Text, c.scratch = text, text
	index := c.add(item)
	c.tools.setIndex(call, index)
	c.micro.answered(call, index, text)
	for e := content.Elements(); e.Next(); {
		if e.Value.Get("type").Is("tool_reference") {
			c.definition(e.Value.Get("tool_name"))
		} else {
			c.media(e.Value, item.Answers)
		}
	}
}

// appendResponse appends the texts of a result in the form of iFlow, which is Gemini CLI's: those of a function's
// response, of its output or its error.
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

// fileNote is the end of the result of every edit; it is known by its size.
const (
	fileNote       = " (file state is current in your context — no need to Read it back)"
	fileNoteTokens = 15
)

// without removes a fixed ending from a text.
func without(text []byte, ending string) (rest []byte, had bool) {
	n := len(text) - len(ending)
	if n < 0 || string(text[n:]) != ending {
		return text, false
	}
	return text[:n], true
}

// definition adds a deferred tool that was asked for: from now on its
// definition is sent, though the transcript does not contain it.
func (c *claudeCode) definition(tool json.Value) {
	item := newItem(core.Tools)
	item.Name = short(tool)
	item.Label = core.Named(item.Name)
	item.Hidden = true
	item.Tokens = claudeCodeDefinition(item.Name)
	if len(item.Name) > 5 && item.Name[:5] == "mcp__" {
		item.Kind = core.MCPTools
	}
	c.add(item)
}

func (c *claudeCode) system(r json.Value) {
	subtype := r.Get("subtype")
	switch {
	case subtype.Is("compact_boundary"):
		c.compacted(r)
	case subtype.Is("microcompact_boundary"):
		meta := r.Get("microcompactMetadata")
		if saved := count(meta.Get("tokensSaved")); saved > 0 {
			c.emit(core.Adjusted{Tokens: -saved, Reason: phrase.LeavesCleared.Text()})
		}
	case subtype.Is("turn_duration"):
		c.turnOver()
	case subtype.Is("local_command"):
		// The output of a local command is sent with the next prompt.
		c.words(core.User, r.Get("content"))
	}
}

func (c *claudeCode) compacted(r json.Value) {
	meta, kept := r.Get("compactMetadata"), 0
	if uuids := meta.Path("preservedMessages", "uuids"); uuids.Len() > 0 {
		for e := uuids.Elements(); e.Next(); {
			kept += c.chain.itemsOf(e.Value)
		}
	} else if head := meta.Path("preservedSegment", "headUuid"); head.Exists() {
		kept = c.chain.itemsSince(head, c.items)
	}
	// postTokens is a quarter of the characters of the summary, of the kept messages and of what is attached again. It
	// does not include the system prompt and the tools, so it says nothing about the next request.
	c.emit(core.Compacted{
		Auto: meta.Get("trigger").Is("auto"), Kept: kept, Tokens: core.Unknown,
		Before: count(meta.Get("preTokens")), Reattached: c.reattached(), Again: c.again(), AgainMost: 6_500,
		Carried: max(0, count(meta.Get("postTokens"))),
	})
	c.files.moved()
	c.chain.clear()
	c.afresh(r, kept)
}

// afresh forgets everything before r but the items that are left.
func (c *claudeCode) afresh(r json.Value, items int) {
	if ms, ok := parseTime(r.Get("timestamp")); ok {
		c.chain.since = ms
	}
	c.micro, c.own = microcompact{}, 0
	c.reminders.afresh()
	c.items = items
	c.tools.moved()
	c.request = 0
	c.resuming = false
	c.wants("", core.FilesForgotten)
}

// reattached is how many tokens are attached again after a compaction without a
// record, besides the files. Newer versions record it.
func (c *claudeCode) reattached() int64 {
	if parseVersion(c.version).since("2.1.170") {
		return 0
	}
	return 1_500
}

// cleared begins a new conversation in the same file.
func (c *claudeCode) cleared(r json.Value) {
	c.emit(core.Truncated{From: 0})
	c.files.cut(0)
	c.chain.leavesAll(r)
	c.afresh(r, 0)
}

// again says where those files stand that are attached again without a record.
func (c *claudeCode) again() []int {
	if parseVersion(c.version).since("2.1.170") {
		return nil
	}
	return c.files.indices()
}

// replacements reads which tool results were replaced by a stub to save room.
func (c *claudeCode) replacements(r json.Value) {
	for e := r.Get("replacements").Elements(); e.Next(); {
		id := e.Value.Get("toolUseId")
		if !id.Exists() {
			id = e.Value.Get("tool_use_id")
		}
		index, ok := c.tools.index(hash(id))
		if !ok {
			continue
		}
		item := newItem(core.ToolResults)
		item.Name = c.tools.get(hash(id))
		item.Label = core.Named(item.Name)
		item.Text, c.scratch = e.Value.Get("replacement").Text(c.scratch)
		c.emit(core.Replaced{Index: index, Item: item, Reason: phrase.LeavesStub.Text()})
	}
}

func (c *claudeCode) subAgents() *children { return &c.children }

func (c *claudeCode) walk(to *codec.Codec) {
	c.base(to)
	to.Bools("begun sideOnly opted resuming old clears deferred inside", &c.begun, &c.sideOnly, &c.opted, &c.resuming, &c.old, &c.clears, &c.deferred, &c.inside)
	to.Hash("request", &c.request)
	to.Hash("asked", &c.asked)
	to.Ints("in out own", &c.in, &c.out, &c.own)
	codec.Within(to, "through", &c.through, 0, core.MaxItems)
	to.Hash("team", &c.team)
	codec.List(to, "writers", &c.writers, maxWriters, func(writer *uint64, to *codec.Codec) { to.Hash("writer", writer) })
	c.tools.walk(to.Part("tools"))
	c.files.walk(to.Part("files"))
	c.micro.walk(to.Part("micro"))
	c.reminders.walk(to.Part("reminders"))
	c.chain.walk(to.Part("chain"))
	c.children.walk(to.Part("children"), c.another)
}
