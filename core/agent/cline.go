// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"bytes"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var clineEntry = Entry{
	ID: Cline, Name: "Cline",
	Proof:          Proof{Lab: "3.0.65"},
	CompactCommand: "/compact",
	Commands:       core.Commands{New: "/newtask"},
	Recognise:      isClineTask, Read: newClineTask,
	Rule: clineRule, Window: clineWindow,
}

var rooCodeEntry = Entry{
	ID: RooCode, Name: "Roo Code",
	Proof:          Proof{Dated: "2026-11"},
	CompactCommand: "Condense Context",
	Recognise:      func(r json.Value) bool { return isTaskOf(r, rooCodeExtension) },
	Read:           newClineTask,
	Rule:           rooCodeRule,
}

var kiloCodeEntry = Entry{
	ID: KiloCode, Name: "Kilo Code",
	Proof:          Proof{Dated: "2026-11"},
	CompactCommand: "Condense Context",
	Recognise:      func(r json.Value) bool { return isTaskOf(r, kiloCodeExtension) },
	Read:           newClineTask,
	Rule:           kiloCodeRule,
}

func newClineTask(id string) Reader { return &clineTask{id: id} }

// These extensions are derived from Cline; the values are their names in the editors' marketplaces.
const (
	rooCodeExtension  = "rooveterinaryinc.roo-cline"
	kiloCodeExtension = "kilocode.kilo-code"
)

// isTaskOf reports whether a record is the head of an extension's task.
func isTaskOf(r json.Value, extension string) bool {
	return r.Get("table").Is("task") && r.Get("extension").Is(extension)
}

// isClineTask reports whether a record is a message that the extension has shown, or the head of a session of Cline 4.
func isClineTask(r json.Value) bool {
	if r.Get("table").Is("task") {
		return !isTaskOf(r, rooCodeExtension) && !isTaskOf(r, kiloCodeExtension)
	}
	if r.Get("table").Is(ClineSession) || r.Get("sessionId").Exists() && r.Get("agent").Exists() && r.Get("messages").Kind() == json.Array {
		return true
	}
	kind := r.Get("type")
	return r.Get("ts").Kind() == json.Number && (kind.Is("say") && r.Get("say").Exists() || kind.Is("ask") && r.Get("ask").Exists())
}

// clineTask reads a task: the messages that the extension has shown, with the usage of every request, and the messages
// that were sent, ordered by time.
//
// A request is announced before its prompt is written, and its usage is added later: the usage belongs to everything
// before the response.
type clineTask struct {
	reader.Transcript
	id string

	asked    int64 // the time of the announced request; 0 for none
	held     core.Metered
	holding  bool
	given    core.Metered // the last request that was emitted
	messages []taskMessage
	ranged   [2]int64 // the range of messages that the extension reports as cut
	hasRange bool
	summed   bool // a summary was read since the last request
	window   int64
	tools    reader.Calls
	sent     bool   // the sent messages are also read
	base     []byte // the system prompt, until the model, and so the tokenizer, is known
	program  string // the version of the program that began a session of Cline 4
	outdated outdatedReads
}

// A taskMessage contains the indices of a message's items, and the marker that hides it.
type taskMessage struct {
	first, next int32
	hiddenBy    uint64
}

func (c *clineTask) Record(r json.Value, emit func(core.Event)) {
	c.Emit = emit
	switch kind := r.Get("type"); {
	case r.Get("table").Is("task"):
		c.begun()
		c.sent = r.Get("sent").Bool()
		c.SetWorkspace(r.Get("workspace"))
		if model := r.Get("model"); reader.HasText(model) {
			c.SetModel(reader.Short(model), reader.Short(r.Get("provider")), "")
		}
	case r.Get("table").Is(ClineSession):
		c.manifest(r)
	case r.Get("table").Is(ClineCompaction):
		c.replaced(r)
	case r.Get("messages").Kind() == json.Array:
		c.document(r)
	case kind.Is("say"), kind.Is("ask"):
		c.begun()
		c.shown(r)
	case r.Get("role").Exists():
		c.begun()
		c.message(r)
	case kind.Is("reasoning"): // a block of reasoning with its own message
		c.begun()
		c.flush()
		first := c.Items
		c.reasoning(r)
		c.remember(r, first)
	default:
		c.SkipUnknown(r, kind)
	}
}

// begun emits the agent. The version is not recorded; this format was written before version 4, whose sessions are
// elsewhere.
func (c *clineTask) begun() {
	if c.Agent != "" {
		return
	}
	c.Agent, c.Version = c.id, ""
	if c.id == Cline {
		c.Version = "3.x"
	}
	c.Emit(core.AgentSeen{Agent: c.id, Version: c.Version})
}

// ClineSession and ClineCompaction are the tables of the files that Cline 4 keeps next to the messages of a session.
const (
	ClineSession    = "cline-session"
	ClineCompaction = "cline-compaction"
)

// manifest reads the files that Cline 4 keeps next to the messages of a session.
func (c *clineTask) manifest(r json.Value) {
	c.Agent, c.Version = c.id, "4.x"
	c.Emit(core.AgentSeen{Agent: c.id, Version: c.Version})
	c.program = reader.Short(r.Get("version"))
	if model := r.Get("model"); reader.HasText(model) {
		c.SetModel(reader.Short(model), reader.Short(r.Get("provider")), "")
		c.ownTools()
	}
}

// ownTools emits the size of Cline's own tools, which its sessions lack.
func (c *clineTask) ownTools() {
	if form := c.Version; c.program != "" {
		c.Version = c.program
		builtIn(&c.Transcript, false)
		c.Version = form
	}
}

// document reads the head of a session of Cline 4, which is one document.
func (c *clineTask) document(r json.Value) {
	if c.Agent == "" {
		c.Agent, c.Version = c.id, "4.x"
		c.Emit(core.AgentSeen{Agent: c.id, Version: c.Version})
	}
	if text := r.Get("system_prompt"); reader.HasText(text) {
		var prompt []byte
		prompt, c.Scratch = text.Text(c.Scratch)
		c.setBase(prompt)
		if c.base = c.base[:0]; c.Model == "" && len(prompt) <= maxEarly {
			c.base = append(c.base, prompt...)
		}
	}
	for e := r.Get("messages").Elements(); e.Next(); {
		c.message(e.Value)
	}
}

func (c *clineTask) setBase(text []byte) {
	part := core.Part{Label: phrase.System.Text(), Tokens: core.Unknown, Text: text}
	c.Emit(core.ContextSet{Kind: core.System, Parts: []core.Part{part}})
}

// named emits a model that the records have just named, and recounts earlier content for it.
func (c *clineTask) named() {
	if len(c.base) > 0 && c.Model != "" {
		c.Emit(core.ModelSet{Model: c.Model, Provider: c.Provider})
		c.setBase(c.base)
		c.base = c.base[:0]
	}
}

// replaced reads the messages that Cline 4 sends instead of the previous ones: it keeps them in a separate file.
func (c *clineTask) replaced(r json.Value) {
	var head []core.Appended
	emit := c.Emit
	c.Items, c.outdated = 0, outdatedReads{}
	c.tools.ForgetIndices()
	c.Emit = func(e core.Event) {
		if added, ok := e.(core.Appended); ok {
			added.Item.Text = bytes.Clone(added.Item.Text)
			head = append(head, added)
		}
	}
	for e := r.Get("sent").Elements(); e.Next(); {
		kind := core.User
		if e.Value.Get("role").Is("assistant") {
			kind = core.Assistant
		} else if e.Value.Path("metadata", "kind").Is("compaction_summary") {
			kind = core.Summary
		}
		c.blocks(kind, e.Value.Get("content"))
	}
	c.Emit = emit
	c.Emit(core.Compacted{Auto: true, Head: head, Tokens: core.Unknown, Before: core.Unknown})
	for i := range c.messages {
		c.messages[i].first, c.messages[i].next = 0, 0
	}
}

// shown reads a message that was shown in the extension's panel.
func (c *clineTask) shown(r json.Value) {
	c.AdvanceTo(r.Get("ts"))
	c.cut(r.Get("conversationHistoryDeletedRange"))
	if model := r.Path("modelInfo", "modelId"); reader.HasText(model) {
		c.Model, c.Provider = reader.Short(model), reader.Short(r.Path("modelInfo", "providerId"))
	}
	switch message := r.Get("say"); {
	case message.Is("task"), message.Is("user_feedback"):
		c.StartTurn()
	case message.Is("api_req_started"):
		c.request(r)
	case message.Is("api_req_finished"): // up to 2024, the usage came in a separate message
		c.usage(c.asked, r)
	case message.Is("condense_context"):
		c.condensed(r.Get("contextCondense"), "prevContextTokens", "newContextTokens")
	case message.Is("compaction"):
		if report, ok := c.inner(r.Get("text")); ok && report.Get("status").Is("completed") {
			c.condensed(report, "tokensBefore", "tokensAfter")
		}
	}
}

// inner parses JSON that is the text of a message.
func (c *clineTask) inner(text json.Value) (json.Value, bool) {
	if !reader.HasText(text) {
		return json.Value{}, false
	}
	v, err := json.Parse([]byte(text.String()))
	return v, err == nil && v.Kind() == json.Object
}

func (c *clineTask) request(r json.Value) {
	ts, _ := r.Get("ts").Int64()
	if !c.InTurn {
		c.StartTurn() // the first message is the task, whatever its kind
	}
	if c.id == RooCode {
		builtIn(&c.Transcript, false)
	}
	if ts != c.asked {
		c.flush()
		c.asked, c.summed = ts, false
	}
	c.usage(ts, r)
}

// usage reads the usage of a request once it is complete.
func (c *clineTask) usage(ts int64, r json.Value) {
	report, ok := c.inner(r.Get("text"))
	if !ok {
		return
	}
	m := core.NewMetered()
	m.CacheRead, m.CacheWrite = reader.Count(report.Get("cacheReads")), reader.Count(report.Get("cacheWrites"))
	m.In = reader.Count(report.Get("tokensIn"))
	m.Out = reader.Count(report.Get("tokensOut"))
	cached := reader.Sum(m.CacheRead, m.CacheWrite)
	if m.In < cached || !c.total(ts, report) {
		m.In = reader.Sum(m.In, cached)
	}
	if m.In <= 0 {
		return
	}
	m.Request = string(r.Get("ts").Raw())
	if c.given.Request == m.Request {
		// The usage was emitted before and has changed since.
		m.Model, m.Through, m.ThroughSet = c.given.Model, c.given.Through, true
		c.given = m
		c.Emit(m)
		return
	}
	c.held, c.holding = m, true
	if !c.sent {
		c.flush() // only the shown messages exist, so no response will follow
	}
}

// The extensions have changed the meaning of tokensIn: from these times on, it is the whole prompt; before, it was the
// uncached part.
const (
	rooCodeTotals  = 1_761_955_200_000 // 3.29.5, 2025-11-01
	kiloCodeTotals = 1_762_905_600_000 // 4.119.0, 2025-11-12
)

// total reports whether tokensIn is the whole prompt.
func (c *clineTask) total(ts int64, report json.Value) bool {
	since := int64(rooCodeTotals)
	switch c.id {
	case KiloCode:
		since = kiloCodeTotals
	case Cline:
		// Some providers report everything, like OpenAI.
		switch c.Provider {
		case "openai", "litellm", "doubao", "fireworks", "hicap", "lmstudio", "qwen", "xai", "zai":
			return true
		}
		return report.Get("apiProtocol").Exists()
	}
	return ts >= since || !report.Get("apiProtocol").Is("anthropic")
}

// flush emits the request that is held back, because its response begins or was never recorded.
func (c *clineTask) flush() {
	if !c.holding {
		return
	}
	m := c.held
	c.holding = false
	m.Model = c.AnsweredBy(c.Model, c.Provider, "")
	m.Through, m.ThroughSet = c.Items, true
	c.given = m
	if c.id == RooCode {
		builtIn(&c.Transcript, false)
	}
	c.Emit(m)
}

// condensed reads a summary that has replaced the conversation.
func (c *clineTask) condensed(report json.Value, before, after string) {
	if c.summed || !report.Exists() {
		return // the summary itself was read
	}
	if left := reader.Count(report.Get(after)); left > 0 {
		c.compacted(core.Compacted{Auto: true, Tokens: left, Before: reader.Count(report.Get(before))})
	}
}

func (c *clineTask) compacted(e core.Compacted) {
	c.Emit(e)
	c.Items = 0
	if e.Summary != nil {
		c.Items = 1
	}
	c.summed = true
	for i := range c.messages {
		c.messages[i].first, c.messages[i].next = 0, 0
	}
	c.tools.ForgetIndices()
	c.outdated = outdatedReads{}
}

// cut drops the messages in a range of indices, which are no longer sent.
func (c *clineTask) cut(r json.Value) {
	if r.Len() != 2 || r.Kind() != json.Array {
		return
	}
	var to [2]int64
	i := 0
	for e := r.Elements(); e.Next(); i++ {
		to[i] = reader.Count(e.Value)
	}
	if to[0] < 0 || to[1] < to[0] || c.hasRange && c.ranged == to {
		return
	}
	c.ranged, c.hasRange = to, true
	for i := to[0]; i <= to[1] && i < int64(len(c.messages)); i++ {
		c.hide(&c.messages[i])
	}
}

func (c *clineTask) hide(m *taskMessage) {
	for i := m.first; i < m.next; i++ {
		c.Emit(core.Dropped{Index: int(i), Reason: phrase.LeavesCut.Text()})
	}
	m.next = m.first
}

// message reads a message that was sent, or a response.
func (c *clineTask) message(r json.Value) {
	c.AdvanceTo(r.Get("ts"))
	content := r.Get("content")
	if marker := reader.Hash(r.Get("truncationId")); marker != 0 && r.Get("isTruncationMarker").Bool() {
		for i := range c.messages {
			if c.messages[i].hiddenBy == marker {
				c.hide(&c.messages[i])
			}
		}
		c.remember(r, c.Items)
		return
	}
	if r.Get("isSummary").Bool() {
		summary := reader.NewItem(core.Summary)
		summary.Text = c.joined(content, false)
		c.compacted(core.Compacted{Auto: true, Tokens: core.Unknown, Before: core.Unknown, Summary: &summary})
		c.remember(r, 0)
		return
	}
	first := c.Items
	switch role := r.Get("role"); {
	case role.Is("assistant"):
		c.answer(r)
		first = min(first, c.Items)
		c.blocks(core.Assistant, content)
		if c.Version == "4.x" {
			c.retried(content, first)
			if !hasCalls(content) {
				c.EndTurn()
			}
		}
	case role.Is("user"), role.Is("tool"):
		if c.id == Cline && c.Version == "4.x" && !hasResults(content) {
			c.StartTurn()
		}
		reads := len(c.outdated.reads)
		c.blocks(core.User, content)
		if len(c.outdated.reads) > reads {
			c.outdated.replace(c.Emit)
		}
	case role.Is("system"):
		c.blocks(core.System, content)
	default:
		c.SkipUnknown(r, role)
	}
	c.remember(r, first)
}

// retried emits that a response begins with output of one that broke off, if it reasons again after its text: Cline 4
// appends the output of the retry to the same message, and sends all of it again.
func (c *clineTask) retried(content json.Value, first int) {
	from, texts, at := -1, false, first
	for e := content.Elements(); e.Next(); {
		switch kind := e.Value.Get("type"); {
		case kind.Is("thinking"), kind.Is("reasoning"):
			if texts {
				from, texts = at, false
			}
		case kind.Is("text"):
			texts = true
			if e.Value.Get("text").TextLen() == 0 {
				continue
			}
		default:
			texts = false
		}
		at++
	}
	if from > first && from < c.Items {
		c.Emit(core.BrokenOff{From: first, Until: from, Measured: true})
	}
}

func hasCalls(content json.Value) bool {
	for e := content.Elements(); e.Next(); {
		if kind := e.Value.Get("type"); kind.Is("tool_use") || kind.Is("tool-call") {
			return true
		}
	}
	return false
}

func hasResults(content json.Value) bool {
	for e := content.Elements(); e.Next(); {
		if kind := e.Value.Get("type"); kind.Is("tool_result") || kind.Is("tool-result") {
			return true
		}
	}
	return false
}

func (c *clineTask) remember(r json.Value, first int) {
	if len(c.messages) >= maxMessages {
		return // a longer task is read further, but later cuts are not detected
	}
	c.messages = append(c.messages, taskMessage{int32(min(first, c.Items)), int32(c.Items), reader.Hash(r.Get("truncationParent"))})
}

// answer emits the measured request: with the shown usage, or in Cline 4 with the usage in the message itself.
func (c *clineTask) answer(r json.Value) {
	if info := r.Get("modelInfo"); info.Kind() == json.Object {
		for _, name := range []string{"id", "modelId"} {
			if reader.HasText(info.Get(name)) {
				c.Model = reader.Short(info.Get(name))
			}
		}
		for _, name := range []string{"provider", "providerId"} {
			if reader.HasText(info.Get(name)) {
				c.Provider = reader.Short(info.Get(name))
			}
		}
	}
	c.named()
	c.ownTools()
	c.outdated.replacing = false
	if c.flush(); c.Version != "4.x" {
		return
	}
	u := r.Get("metrics")
	m := core.NewMetered()
	m.CacheRead, m.CacheWrite = reader.Count(u.Get("cacheReadTokens")), reader.Count(u.Get("cacheWriteTokens"))
	m.In = reader.Count(u.Get("inputTokens"))
	if cached := reader.Sum(m.CacheRead, m.CacheWrite); m.In >= 0 && m.In < cached {
		m.In += cached
	}
	if m.In <= 0 {
		return
	}
	m.Out = reader.Count(u.Get("outputTokens"))
	m.Request = reader.Short(r.Get("id"))
	c.held, c.holding = m, true
	c.flush()
}

func (c *clineTask) blocks(kind core.Kind, content json.Value) {
	if content.Kind() == json.String {
		c.addText(kind, content)
		return
	}
	for e := content.Elements(); e.Next(); {
		switch b := e.Value; {
		case b.Get("type").Is("text"):
			c.addText(kind, b.Get("text"))
		case b.Get("type").Is("tool_use"), b.Get("type").Is("tool-call"):
			c.call(b)
		case b.Get("type").Is("tool_result"), b.Get("type").Is("tool-result"):
			c.result(b)
		case b.Get("type").Is("thinking"), b.Get("type").Is("reasoning"), b.Get("type").Is("redacted_thinking"):
			c.reasoning(b)
		case b.Get("type").Is("image"):
			c.image(b)
		}
	}
}

// addText appends a text. Results of tools have the shape of user messages, each below a line that names the tool.
func (c *clineTask) addText(kind core.Kind, text json.Value) {
	if text.TextLen() == 0 {
		return
	}
	item := reader.NewItem(kind)
	item.Text, c.Scratch = text.Text(c.Scratch)
	if kind == core.User {
		switch {
		case bytes.HasPrefix(item.Text, []byte("<environment_details>")):
			item.Kind, item.Label, item.Hidden = core.Documents, phrase.Surroundings.Text(), true
			c.environment(item.Text)
		case bytes.HasPrefix(item.Text, []byte("[")) && bytes.Contains(item.Text[:min(len(item.Text), 400)], []byte("] Result:")):
			item.Kind = core.ToolResults
		}
	}
	c.Add(item)
}

// environment reads the window and the model from the data that the extension adds to every prompt.
func (c *clineTask) environment(text []byte) {
	s := string(text[max(0, len(text)-4096):])
	if _, usage, ok := strings.Cut(s, "# Context Window Usage\n"); ok {
		// for example "868,854 / 1,000K tokens used (87%)"
		line, _, _ := strings.Cut(usage, "\n")
		if _, window, ok := strings.Cut(line, "/"); ok {
			w, rest := number(window)
			if w *= 1000; w > 0 && w <= core.MaxTokens && strings.HasPrefix(rest, "K tokens") && w != c.window {
				c.window = w
				c.Emit(core.LimitsKnown{Limits: core.Limits{Window: w, Input: core.Unknown, Output: core.Unknown}, Source: core.FromAgent})
			}
		}
	}
	if _, model, ok := strings.Cut(s, "<model>"); ok {
		if name, _, ended := strings.Cut(model, "<"); ended && name != "" && reader.IsName(name) {
			c.SetModel(name, c.Provider, "")
		}
	}
}

func (c *clineTask) call(b json.Value) {
	item := reader.NewItem(core.ToolCalls)
	name := b.Get("name")
	if !name.Exists() {
		name = b.Get("toolName")
	}
	item.Name = reader.Short(name)
	item.Label = core.Named(item.Name)
	input := b.Get("input")
	item.Text = input.Raw()
	item.Parameters = int64(input.Len())
	item.About = reader.About(item.Name, input)
	id := b.Get("id")
	if !id.Exists() {
		id = b.Get("toolCallId")
	}
	c.tools.Add(reader.Hash(id), item.Name, c.Items)
	c.Add(item)
}

func (c *clineTask) result(b json.Value) {
	id := b.Get("tool_use_id")
	if !id.Exists() {
		id = b.Get("toolCallId")
	}
	item := reader.NewItem(core.ToolResults)
	item.Name = c.tools.Name(reader.Hash(id))
	item.Label = core.Named(item.Name)
	item.Answers = c.tools.Answers(reader.Hash(id))
	item.Error = b.Get("is_error").Bool()
	content := b.Get("content")
	if !content.Exists() {
		content = b.Path("output", "value")
	}
	cut := c.Version == "4.x"
	if cut && !item.Error {
		c.outdated.read(strings.ToLower(item.Name), reader.Hash(id), c.Items, content)
	}
	if isBlocks(content) {
		item.Text = c.joined(content, cut)
	} else {
		item.Text = appendSent(c.Scratch[:0], content, cut)
		c.Scratch = item.Text
	}
	c.Add(item)
	c.images(content)
}

// isBlocks reports whether a result is a text or a list of blocks. The CLI of Cline 3 sends any other result as JSON.
func isBlocks(content json.Value) bool {
	if content.Kind() != json.Array {
		return content.Kind() != json.Object
	}
	for e := content.Elements(); e.Next(); {
		if kind := e.Value.Get("type"); !kind.Is("text") && !kind.Is("image") {
			return false
		}
	}
	return true
}

// appendSent appends a result as JSON without spaces. Its images are sent as separate blocks.
func appendSent(to []byte, v json.Value, cut bool) []byte {
	switch v.Kind() {
	case json.Array:
		to = append(to, '[')
		for e := v.Elements(); e.Next(); {
			if !isImage(e.Value) {
				to = append(appendSent(to, e.Value, cut), ',')
			}
		}
		return closed(to, ']')
	case json.Object:
		to = append(to, '{')
		for f := v.Fields(); f.Next(); {
			to = append(append(to, f.Key.Raw()...), ':')
			to = append(appendSent(to, f.Value, cut), ',')
		}
		return closed(to, '}')
	}
	start := len(to) + 1 // after the quote
	to = append(to, v.Raw()...)
	if cut && v.Kind() == json.String {
		to = append(cutResult(to[:len(to)-1], start, true), '"')
	}
	return to
}

// closed ends a list, and replaces its last comma.
func closed(to []byte, end byte) []byte {
	if last := len(to) - 1; to[last] == ',' {
		to[last] = end
		return to
	}
	return append(to, end)
}

func isImage(v json.Value) bool {
	return v.Get("type").Is("image") && (v.Get("data").Exists() || v.Get("source").Exists())
}

// images appends the images of a result, at any depth.
func (c *clineTask) images(v json.Value) {
	if isImage(v) {
		c.image(v)
		return
	}
	for e := v.Elements(); e.Next(); {
		c.images(e.Value)
	}
	for f := v.Fields(); f.Next(); {
		c.images(f.Value)
	}
}

// joined joins the texts of a content, each cut if it is too long to be sent.
func (c *clineTask) joined(content json.Value, cut bool) []byte {
	text := c.Scratch[:0]
	add := func(v json.Value) {
		start := len(text)
		text = v.AppendText(text)
		if cut {
			text = cutResult(text, start, false)
		}
	}
	if content.Kind() == json.String {
		add(content)
	}
	for e := content.Elements(); e.Next(); {
		if e.Value.Get("type").Is("text") {
			add(e.Value.Get("text"))
		}
	}
	c.Scratch = text
	return text
}

func (c *clineTask) reasoning(b json.Value) {
	item := reader.NewItem(core.Reasoning)
	text := b.Get("thinking")
	if !text.Exists() {
		text = b.Get("text")
	}
	item.Text, c.Scratch = text.Text(c.Scratch)
	for _, name := range []string{"signature", "data", "encrypted_content"} {
		item.Opaque += int64(b.Get(name).TextLen())
	}
	c.Add(item)
}

func (c *clineTask) image(b json.Value) {
	item := reader.NewItem(core.Media)
	item.Label = phrase.Image.Text()
	if source := b.Get("source"); source.Exists() {
		item.MediaType = reader.Short(source.Get("media_type"))
		item.Width, item.Height = reader.ImageSize(source.Get("data"))
	} else {
		item.MediaType = reader.Short(b.Get("mediaType"))
		item.Width, item.Height = reader.ImageSize(b.Get("data"))
	}
	c.Add(item)
}

func (c *clineTask) Walk(to *codec.Codec) {
	c.WalkTranscript(to)
	to.Ints("asked window", &c.asked, &c.window)
	to.Array("ranged", c.ranged[:])
	to.Bools("holding hasRange summed sent", &c.holding, &c.hasRange, &c.summed, &c.sent)
	if to.When(c.holding) {
		walkMetered(to.Part("held"), &c.held)
	}
	given := c.given.Request != ""
	to.Bools("given", &given)
	if to.When(given) {
		walkMetered(to.Part("given"), &c.given)
	}
	c.tools.Walk(to.Part("tools"))
	to.Names("program", &c.program)
	to.Bytes("base", &c.base, maxEarly)
	c.outdated.walk(to.Part("outdated"))
	items := int64(0)
	codec.List(to, "messages", &c.messages, maxMessages, func(m *taskMessage, to *codec.Codec) {
		held, hidden := int64(m.next-m.first), m.hiddenBy != 0
		codec.Within(to, "first", &m.first, 0, core.MaxItems)
		codec.Within(to, "held", &held, 0, core.MaxItems)
		m.next = m.first + int32(held)
		items += held
		to.Refuse(m.next > core.MaxItems || items > core.MaxItems)
		to.Bools("hidden", &hidden)
		if to.When(hidden) {
			to.Hash("hiddenBy", &m.hiddenBy)
		}
	})
}
