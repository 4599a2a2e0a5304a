// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var openCodeEntry = Entry{
	ID: OpenCode, Name: "OpenCode",
	Proof:          Proof{Lab: "1.18.33"},
	CompactCommand: "/compact",
	MCPOff:         `"enabled": false in mcp.NAME of opencode.json`,
	Commands:       core.Commands{New: "/new"},
	Recognise:      isOpenCode, Read: newOpenCode,
	Rule: openCodeRule, Window: openCodeWindow,
}

// kiloEntry describes a fork of OpenCode that kept the format. It recognizes no records, because only their location
// shows which program wrote them.
var kiloEntry = Entry{
	ID: Kilo, Name: "Kilo CLI",
	Proof:          Proof{Lab: "7.7.9"},
	CompactCommand: "/compact",
	MCPOff:         `"enabled": false in mcp.NAME of kilo.json`,
	Commands:       core.Commands{New: "/new"},
	Read:           newOpenCode,
	Rule:           kiloRule, Window: openCodeWindow,
}

// miMoCodeEntry and zCodeEntry are also derived from OpenCode.
var (
	miMoCodeEntry = Entry{
		ID: MiMoCode, Name: "MiMo Code", CompactCommand: "/compact", Proof: Proof{Dated: "2026-11"},
		Read: newOpenCode, Rule: unversioned(openCodeRule),
	}
	zCodeEntry = Entry{
		ID: ZCode, Name: "ZCode", CompactCommand: "/compact", Proof: Proof{Dated: "2026-11"},
		Read: newOpenCode, Rule: unversioned(openCodeRule),
	}
)

func newOpenCode(id string) Reader { return &openCode{id: id} }

func isOpenCode(r json.Value) bool {
	switch table := r.Get("table"); {
	case table.Is("session"), table.Is("message"), table.Is("part"), table.Is("session_v2"), table.Is("session_message"):
		return true
	}
	info := r.Get("info")
	if r.Get("parts").Kind() == json.Array && info.Get("role").Exists() {
		return true
	}
	return info.Get("projectID").Exists() || info.Get("slug").Exists() && info.Get("directory").Exists()
}

// openCode reads the rows that OpenCode keeps in SQLite, and the sessions that it exports. Both contain the same
// objects: sessions, messages and their parts. A changed row is read again.
type openCode struct {
	reader.Transcript
	id         string
	messages   map[uint64]openMessage
	parts      map[uint64]openPart
	cleared    []clearing
	block      uint64 // the last block of reasoning
	summed     uint64 // the message of the summary with which the conversation begins
	byRow      bool   // each part has its own row, after the row of its message
	manual     bool   // the user requested the summary
	summing    uint64 // the message of a summary that is being written
	tail       uint64 // the first message that the newest compaction keeps, 0 if none
	second     bool   // rows of version 2
	twice      doubled
	current    uint64          // the last message that was read
	nameless   uint64          // number of messages and parts with neither an id nor a time
	read       map[uint64]bool // the parts of the exported message that is being read
	compacted2 int64           // seq of the newest compaction, version 2 only
	stepOf     uint64          // the message whose step has begun and not ended, 0 if none
	stepFrom   int32           // the first item of that step
	// order is the first item of each message, and forgotten the number of messages before them.
	order     []int32
	forgotten int
}

// openMessage is the stored data of a message that was read.
type openMessage struct {
	first    int32 // its first item
	user     bool
	done     bool
	opening  bool // the first response to a user message
	reasoned bool // it has shown its reasoning
	begun    bool // a part of its response was read
	created  int64
}

// openPart is the stored data of a part: its items, and a hash of its content.
type openPart struct {
	index, result int32 // the item and its result's; -1 if there is none
	content       uint64
	compressed    bool // a call that has just replaced messages
}

// clearing is a tool result that OpenCode has cleared, with the time.
type clearing struct {
	index   int
	cleared int64
}

const maxParts = 200_000

func (o *openCode) Record(r json.Value, emit func(core.Event)) {
	o.Emit = emit
	switch table := r.Get("table"); {
	case table.Is("session"):
		o.session(r, r.Get("data"))
	case table.Is("message"):
		o.byRow = true
		o.twice.release(o.Emit)
		o.message(o.keyOf(r.Get("id"), rowData(r)), r.Get("id"), rowData(r))
	case table.Is("part"):
		message := r.Get("message_id")
		if !message.Exists() {
			message = rowData(r).Get("messageID")
		}
		from := reader.Identity(message)
		if from == 0 {
			from = o.current
		}
		key := reader.Identity(r.Get("id"))
		if key == 0 {
			key = o.newKey()
		}
		o.part(key, from, rowData(r))
	case table.Is("session_v2"):
		o.session2(r)
	case table.Is("session_message"):
		o.message2(r)
	case table.Exists():
		o.SkipUnknown(r, table)
	case r.Get("parts").Kind() == json.Array:
		o.exported(r)
	case r.Get("info").Kind() == json.Object:
		o.session(r.Get("info"), json.Value{})
		for e := r.Get("messages").Elements(); e.Next(); {
			o.exported(e.Value)
		}
	default:
		o.SkipUnknown(r, r.Get("type"))
	}
}

// rowData returns the object in a row. Some rows are that object themselves.
func rowData(r json.Value) json.Value {
	if data := r.Get("data"); data.Kind() == json.Object {
		return data
	}
	return r
}

func (o *openCode) session(row, data json.Value) {
	if !row.Get("directory").Exists() && data.Exists() {
		row = data
	}
	o.SetAgent(o.id, row.Get("version"))
	o.placed(row)
}

// placed reads the session's directory and its title.
func (o *openCode) placed(row json.Value) {
	o.SetWorkspace(row.Get("directory"))
	if title := row.Get("title"); reader.HasText(title) && !placeholderTitle(title) {
		o.SetTitle(title, core.ByAgent)
	}
}

// placeholderTitle reports whether OpenCode has not named a session yet.
func placeholderTitle(v json.Value) bool {
	raw := v.Raw()
	return len(raw) > 1 && IsPlaceholder(string(raw[1:]))
}

// IsPlaceholder reports whether a title is OpenCode's title for unnamed sessions.
func IsPlaceholder(title string) bool {
	for _, start := range []string{"New session - ", "Child session - "} {
		if len(title) > len(start) && title[:len(start)] == start {
			return true
		}
	}
	return false
}

func (o *openCode) exported(r json.Value) {
	info := r.Get("info")
	id := info.Get("id")
	if !id.Exists() {
		// In exports, parts contain the message's id.
		e := r.Get("parts").Elements()
		e.Next()
		id = e.Value.Get("messageID")
	}
	o.twice.release(o.Emit)
	key := o.keyOf(id, info)
	o.message(key, id, info)
	place := uint64(0)
	for e := r.Get("parts").Elements(); e.Next(); {
		place++
		o.part(o.partOf(key, e.Value.Get("id"), place), key, e.Value)
	}
	o.read = nil
	o.twice.release(o.Emit)
	o.finish(info)
}

// keyOf returns the key of a message: its id, or the time at which it was written, which stays the same when a message
// changes. The time is also used if another message has the same id.
func (o *openCode) keyOf(id, m json.Value) uint64 {
	key := reader.Identity(id)
	created, _ := reader.ParseTime(m.Path("time", "created"))
	user := m.Get("role").Is("user")
	if key != 0 {
		known, seen := o.messages[key]
		if !seen || known.created == created && known.user == user || known.created == 0 || created == 0 {
			return key
		}
		o.WarnOfSharedID()
	}
	if created == 0 {
		return o.newKey()
	}
	if user {
		return reader.Mix(uint64(created), 1)
	}
	return reader.Mix(uint64(created), 2)
}

// partOf returns the key of an exported message's part: its message and its id, or its position in the message if it
// has no id or shares it with another part.
func (o *openCode) partOf(message uint64, id json.Value, place uint64) uint64 {
	if own := reader.Identity(id); own != 0 {
		key := reader.Mix(message, own)
		if !o.read[key] {
			if o.read == nil {
				o.read = make(map[uint64]bool)
			}
			o.read[key] = true
			return key
		}
		o.WarnOfSharedID()
	}
	return reader.Mix(message, place)
}

// newKey returns an unused key.
func (o *openCode) newKey() uint64 {
	o.nameless++
	return reader.Mix(o.nameless, 3)
}

// requestID returns a name for a request: the id of its message if keyOf used that.
func requestID(key uint64, id json.Value) string {
	if key == 0 {
		return ""
	}
	if reader.Identity(id) == key {
		return reader.Short(id)
	}
	return "message " + strconv.FormatUint(key, 16)
}

// message reads a message without its parts: the role, and the usage of the request.
func (o *openCode) message(key uint64, id, m json.Value) {
	o.current = key
	known, seen := o.messages[key]
	if key == o.summed {
		return // the conversation already begins with this summary
	}
	if o.summing != 0 && key != o.summing && !seen {
		o.compacted()
	}
	created := m.Path("time", "created")
	if o.Agent == "" {
		o.SetAgent(o.id, json.Value{})
	}
	switch role := m.Get("role"); {
	case role.Is("user"):
		if !seen {
			o.AdvanceTo(created)
			o.clear(created)
			o.StartTurn()
			o.twice.asked = true
			o.numbered()
			written, _ := reader.ParseTime(created)
			o.remember(key, openMessage{first: int32(o.Items), user: true, created: written})
		}
		if model := m.Get("model"); reader.HasText(model.Get("modelID")) {
			o.SetModel(reader.Short(model.Get("modelID")), reader.Short(model.Get("providerID")), "")
		}
		if usualPrompt(m) {
			builtIn(&o.Transcript, false)
		}
	case role.Is("assistant"):
		if !seen {
			o.AdvanceTo(created)
			o.numbered()
			known.first = int32(o.Items)
			known.created, _ = reader.ParseTime(created)
			known.opening, o.twice.asked = o.twice.asked, false
		}
		o.SetWorkspace(m.Path("path", "cwd"))
		o.meter(key, id, m, &known)
		known.done = m.Path("time", "completed").Exists() || reader.HasText(m.Get("finish"))
		o.remember(key, known)
		if m.Get("summary").Bool() {
			o.summing = key
		}
	default:
		o.SkipUnknown(m, role)
	}
}

func (o *openCode) remember(key uint64, m openMessage) {
	if o.messages == nil || len(o.messages) >= maxMessages {
		o.messages = make(map[uint64]openMessage)
	}
	o.messages[key] = m
}

// meter reads the usage of a response. OpenCode counts the cached part of the input separately. The total shows whether
// the output includes the reasoning.
func (o *openCode) meter(key uint64, id, m json.Value, known *openMessage) {
	t := m.Get("tokens")
	read, write := reader.Count(t.Path("cache", "read")), reader.Count(t.Path("cache", "write"))
	input := reader.Count(t.Get("input"))
	in := reader.Sum(input, read, write)
	if in <= 0 {
		return // a placeholder while the response streams
	}
	metered := core.NewMetered()
	metered.Request = requestID(key, id)
	model, provider := modelOf(m)
	metered.Model = o.AnsweredBy(model, provider, "")
	metered.In, metered.CacheRead, metered.CacheWrite = in, read, write
	metered.Reasoning = reader.Count(t.Get("reasoning"))
	metered.Out = reader.Count(t.Get("output"))
	inside := !reader.ParseVersion(o.Version).AtLeast("1.3")
	if total := reader.Count(t.Get("total")); total > 0 {
		inside = total == in+metered.Out
	}
	if !inside {
		metered.Out = reader.Sum(metered.Out, metered.Reasoning)
	}
	metered.Through, metered.ThroughSet = min(int(known.first), o.Items), true
	metered.SideRequest = m.Get("summary").Bool()
	metered.Volatile = o.Provider == "github-copilot" && !strings.Contains(o.Model, "gpt")
	if metered.Volatile && !metered.SideRequest && !o.second && strings.Contains(o.Model, "claude") {
		o.twice.meter(key, metered, known, o.Emit)
	} else {
		o.Emit(metered)
	}
	if o.second {
		return // its own prompt and tools have not been measured
	}
	if usualPrompt(m) {
		builtIn(&o.Transcript, false)
	} else {
		forgetBuiltIn(&o.Transcript)
	}
}

// modelOf returns the model of a response, and its provider.
func modelOf(m json.Value) (model, provider string) {
	if object := m.Get("model"); object.Kind() == json.Object {
		return reader.Short(object.Get("id")), reader.Short(object.Get("providerID"))
	}
	return reader.Short(m.Get("modelID")), reader.Short(m.Get("providerID"))
}

// usualPrompt reports whether the agent that answered has the built-in system prompt and tools. OpenCode's agents that
// search, name sessions or summarize them have their own, and an agent defined by the user may too.
func usualPrompt(m json.Value) bool {
	mode := m.Get("agent")
	if !reader.HasText(mode) {
		mode = m.Get("mode")
	}
	if !reader.HasText(mode) {
		return true
	}
	switch reader.Short(mode) {
	case "build", "plan", "general", "code", "ask", "debug", "architect", "orchestrator":
		return true
	}
	return false
}

// finish ends an exported message. A summary replaces the messages that it summarizes.
func (o *openCode) finish(m json.Value) {
	if o.summing == 0 || !m.Get("summary").Bool() {
		return
	}
	o.compacted()
}

// compacted emits that the conversation now consists of the summary, which is the response to the message summing, and
// of the kept messages.
func (o *openCode) compacted() {
	from := o.messages[o.summing].first
	if tail, ok := o.messages[o.tail]; ok && tail.first < from {
		from = tail.first
	} else {
		o.messages, o.parts, o.cleared = nil, nil, nil
	}
	for key, m := range o.messages {
		if m.first < from {
			delete(o.messages, key)
		}
	}
	removed := 0
	for removed < len(o.order) && (o.messages == nil || o.order[removed] < from) {
		removed++
	}
	o.summed, o.summing, o.tail = o.summing, 0, 0
	o.Emit(core.Compacted{Auto: !o.manual, Recorded: true, Kept: o.Items - int(from), Tokens: core.Unknown, Before: core.Unknown})
	o.drop(int(from), removed)
}

// part reads one part of a message, and reads it again if it has changed.
func (o *openCode) part(key, message uint64, p json.Value) {
	kind := p.Get("type")
	switch {
	case kind.Is("step-start"), kind.Is("step-finish"):
		o.step(key, message, kind.Is("step-start"))
		return
	case kind.Is("snapshot"), kind.Is("patch"), kind.Is("retry"), kind.Is("agent"):
		return
	case kind.Is("text"), kind.Is("reasoning"), kind.Is("tool"), kind.Is("file"), kind.Is("compaction"), kind.Is("subtask"):
	default:
		o.SkipUnknown(p, kind)
		return
	}
	if message == o.summed {
		return
	}
	o.shown(message, kind)
	now := fnv.Hash(p.Raw())
	known, seen := o.parts[key]
	if seen && known.content == now {
		return
	}
	if !seen {
		known = openPart{index: -1, result: -1}
	}
	known.content = now
	from := o.messages[message]
	switch {
	case kind.Is("tool"):
		o.tool(p, &known)
	case kind.Is("file"):
		if known.index < 0 {
			known.index = int32(o.file(p, 0))
		}
	case kind.Is("compaction"):
		o.manual = p.Get("auto").Kind() == json.Bool && !p.Get("auto").Bool()
		o.tail = reader.Identity(p.Get("tail_start_id"))
	case kind.Is("subtask"):
	case p.Get("ignored").Bool():
	default:
		as := core.Assistant
		if from.user {
			as = core.User
		} else if kind.Is("reasoning") {
			as = core.Reasoning
		}
		o.addText(message, p, as, &known)
	}
	if o.summing != 0 && message == o.summing && kind.Is("text") && from.done && o.byRow {
		o.compacted()
		return
	}
	if o.parts == nil || len(o.parts) >= maxParts {
		o.parts = make(map[uint64]openPart)
	}
	o.parts[key] = known
	if known.compressed {
		o.compress(p.Path("state", "input"))
	}
}

// step reads where a step of a message begins or ends. A step that begins before the last one has ended follows a
// response that broke off, whose output is sent again from the request after the next on.
func (o *openCode) step(key, message uint64, begins bool) {
	if _, seen := o.parts[key]; seen {
		return
	}
	if o.parts == nil || len(o.parts) >= maxParts {
		o.parts = make(map[uint64]openPart)
	}
	o.parts[key] = openPart{index: -1, result: -1}
	if begins && o.stepOf == message && o.Items > int(o.stepFrom) {
		o.Emit(core.BrokenOff{From: int(o.stepFrom), Until: o.Items})
	}
	o.stepOf, o.stepFrom = 0, int32(o.Items)
	if begins {
		o.stepOf = message
	}
}

// put appends the item of a part, or replaces it if the part has changed.
func (o *openCode) put(item core.Item, index *int32, reason core.Text) {
	if *index < 0 {
		*index = int32(o.Add(item))
		return
	}
	o.Emit(core.Replaced{Index: int(*index), Item: item, Reason: reason})
}

func (o *openCode) addText(message uint64, p json.Value, kind core.Kind, known *openPart) {
	if kind == core.Reasoning && known.index < 0 {
		// Each summary of a block of reasoning is a separate part, and only the first becomes an item.
		block := reader.Hash(stateOf(p).Get("itemId"))
		if block != 0 {
			block = reader.Mix(message, block)
			if block == o.block {
				return
			}
		}
		o.block = block
	}
	item := reader.NewItem(kind)
	item.Text, o.Scratch = p.Get("text").Text(o.Scratch)
	if kind == core.Reasoning {
		item.Opaque = int64(stateOf(p).Get("reasoningEncryptedContent").TextLen())
	}
	if len(item.Text) == 0 && kind != core.Reasoning && known.index < 0 {
		return
	}
	o.put(item, &known.index, phrase.LeavesGrown.Text())
}

// stateOf returns the provider's own data of a part, which is sent again with it.
func stateOf(p json.Value) json.Value {
	if state := p.Path("metadata", "openai"); state.Exists() {
		return state
	}
	return reader.FirstOf(p, "native", "state") // version 2 and its older name
}

// tool reads a call, and its result as soon as the call has ended.
func (o *openCode) tool(p json.Value, known *openPart) {
	state := p.Get("state")
	name := reader.Short(reader.FirstOf(p, "tool", "name"))
	if known.index < 0 {
		item := reader.NewItem(core.ToolCalls)
		item.Name, item.Label = name, core.Named(name)
		item.Text = state.Get("input").Raw()
		item.Parameters = int64(state.Get("input").Len())
		item.About = reader.About(name, state.Get("input"))
		known.index = int32(o.Add(item))
	}
	status := state.Get("status")
	failed := status.Is("error")
	if !failed && !status.Is("completed") {
		return
	}
	item := reader.NewItem(core.ToolResults)
	item.Name, item.Label = name, core.Named(name)
	item.Answers = int(known.index) + 1
	item.Error = failed
	output := state.Get("output")
	if failed {
		output = state.Get("error")
	}
	if o.second {
		o.Scratch = resultText2(o.Scratch[:0], state)
		item.Text = o.Scratch
	} else {
		item.Text, o.Scratch = output.Text(o.Scratch)
	}
	ended := known.result < 0
	o.put(item, &known.result, phrase.LeavesChanged.Text())
	if cleared, ok := reader.ParseTime(state.Path("time", "compacted")); ok && len(o.cleared) < maxMessages {
		o.cleared = append(o.cleared, clearing{int(known.result), cleared})
		if cleared <= o.Time {
			o.clear(json.Value{})
		}
	}
	for e := state.Get("attachments").Elements(); e.Next(); {
		o.file(e.Value, item.Answers)
	}
	for e := state.Get("content").Elements(); ended && e.Next(); {
		if e.Value.Get("type").Is("file") {
			o.file(e.Value, item.Answers)
		}
	}
	known.compressed = ended && !failed && name == "compress"
}

// clear replaces the results that OpenCode had cleared by a time, or by now, with the text that it sends instead.
func (o *openCode) clear(before json.Value) {
	now, ok := reader.ParseTime(before)
	if !ok {
		now = o.Time
	}
	rest := o.cleared[:0]
	for _, c := range o.cleared {
		if c.cleared > now {
			rest = append(rest, c)
			continue
		}
		item := reader.NewItem(core.ToolResults)
		item.Text = []byte("[Old tool result content cleared]")
		o.Emit(core.Replaced{Index: c.index, Item: item, Reason: phrase.LeavesCleared.Text()})
	}
	o.cleared = rest
}

// file appends an attached image or document and returns its item. It returns -1 for a text file or a directory, whose
// text is a separate part.
func (o *openCode) file(p json.Value, answers int) int {
	mime := reader.Short(p.Get("mime"))
	if len(mime) >= 5 && mime[:5] == "text/" || mime == "application/x-directory" {
		return -1
	}
	item := reader.NewItem(core.Media)
	item.Label = phrase.Image.Text()
	_, item.Width, item.Height = reader.DataURL(reader.FirstOf(p, "url", "uri"))
	if data := p.Get("data"); data.Exists() {
		item.Width, item.Height = reader.ImageSize(data)
	}
	item.MediaType = mime
	if item.Answers = answers; answers == 0 {
		item.About = reader.AboutFile(reader.FirstOf(p, "filename", "name"))
	}
	if mime == "application/pdf" {
		item.Label = phrase.Document.Text()
	}
	return o.Add(item)
}

// openCodeFirst is the size of MCP servers' tools and instruction files in a first prompt.
var openCodeFirst = core.FirstPrompt{Tools: core.Unrecorded{Usual: 1_000, Most: 16_000}, Memory: core.Unrecorded{Usual: 1_500, Most: 12_000}}

// openCodeRule returns OpenCode's rule: it keeps an output reserve, or a reserve below the largest prompt if that is
// known. Before 1.1, it did not count input that was written to the cache, which no threshold can express.
func openCodeRule(in *Installation) core.Rule {
	rule := core.Rule{
		Name: "opencode 1.1+", Since: "2026-01-01", Source: "read from the shipped program, version 1.18.33: overflow in session/compaction",
		Spread: core.Spread{User: 300}, First: openCodeFirst,
		Growth: 1_897, Prints: printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("OpenCode")),
	}
	if in.off("compaction.auto") || in.on("OPENCODE_DISABLE_AUTOCOMPACT") {
		rule.Name = "opencode with automatic compaction off"
		rule.Hard = true
		return rule
	}
	if v := in.version(); v != 0 && v.AtLeast("2") {
		return openCode2Rule(in, rule)
	}
	cap := int64(core.DefaultOutputCap)
	if n := tokens(in.setting("OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX")); n > 0 {
		cap = n
	}
	if v := in.version(); v != 0 && !v.AtLeast("1.1") {
		rule.Name, rule.Since = "opencode 1.0", "2025-11-01"
		rule.Source = "read from the shipped program, version 1.0.0"
		rule.Formula = func(l core.Limits) int64 {
			if l.Window <= 0 {
				return core.Unknown
			}
			return max(l.Window-room(l.Output, cap), 0)
		}
		return rule
	}
	reserved := tokens(in.setting("compaction.reserved"))
	rule.Formula = func(l core.Limits) int64 { return openCodeUsable(l, cap, reserved) }
	return rule
}

func openCodeUsable(l core.Limits, cap, reserved int64) int64 {
	if l.Input > 0 && l.Input != l.Window {
		if reserved < 0 {
			reserved = min(20_000, room(l.Output, cap))
		}
		return max(l.Input-reserved, 0)
	}
	window := l.Window
	if window <= 0 {
		return core.Unknown
	}
	return max(window-room(l.Output, cap), 0)
}

// room returns how many tokens are kept for a response: the model's largest output, at most the cap, or the cap if the
// largest output is unknown.
func room(output, cap int64) int64 {
	if output <= 0 {
		return cap
	}
	return min(output, cap)
}

// kiloRule returns OpenCode's rule with a fixed reserve, and with the percentage that the user may have set.
func kiloRule(in *Installation) core.Rule {
	percent := in.percentage("compaction.threshold_percent", 0)
	return core.Rule{
		Name: "kilo 7", Since: "2026-11-01", Source: "read from the shipped program, version 7.7.9",
		First:  openCodeFirst,
		Prints: printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Kilo")),
		Formula: func(l core.Limits) int64 {
			threshold := openCodeUsable(l, core.DefaultOutputCap, 20_000)
			if percent > 0 && l.Window > 0 {
				threshold = min(threshold, l.Window*percent/10_000)
			}
			return threshold
		},
	}
}

func (o *openCode) Walk(c *codec.Codec) {
	o.WalkTranscript(c)
	c.Hash("block", &o.block)
	c.Hash("summed", &o.summed)
	c.Hash("summing", &o.summing)
	c.Hash("tail", &o.tail)
	c.Hash("current", &o.current)
	c.Hash("nameless", &o.nameless)
	c.Hash("stepOf", &o.stepOf)
	codec.Within(c, "stepFrom", &o.stepFrom, 0, core.MaxItems)
	c.Bools("byRow manual second", &o.byRow, &o.manual, &o.second)
	codec.Within(c, "compacted2", &o.compacted2, 0, maxRecords)
	codec.Within(c, "forgotten", &o.forgotten, 0, core.MaxItems)
	codec.List(c, "order", &o.order, maxMessages, func(first *int32, c *codec.Codec) { codec.Within(c, "first", first, 0, core.MaxItems) })
	o.twice.Walk(c.Part("twice"))
	codec.List(c, "cleared", &o.cleared, maxMessages, func(each *clearing, c *codec.Codec) {
		codec.Within(c, "index", &each.index, 0, core.MaxItems)
		codec.Within(c, "cleared", &each.cleared, 0, reader.Latest)
	})
	codec.Map(c, "messages", &o.messages, maxMessages, func(m *openMessage, c *codec.Codec) {
		codec.Within(c, "first", &m.first, 0, core.MaxItems)
		c.Bools("user done opening reasoned begun", &m.user, &m.done, &m.opening, &m.reasoned, &m.begun)
		codec.Within(c, "created", &m.created, 0, reader.Latest)
	})
	codec.Map(c, "parts", &o.parts, maxParts, func(p *openPart, c *codec.Codec) {
		codec.Within(c, "index", &p.index, -1, core.MaxItems)
		codec.Within(c, "result", &p.result, -1, core.MaxItems)
		c.Hash("content", &p.content)
	})
}
