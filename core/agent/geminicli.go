// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"bytes"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var geminiCLIEntry = Entry{
	ID: GeminiCLI, Name: "Gemini CLI",
	Proof:          Proof{Lab: "0.61.0"},
	CompactCommand: "/compress",
	MCPOff:         "NAME in mcp.excluded of settings.json",
	Commands:       core.Commands{New: "/clear", Skills: "/skills disable NAME", Agents: "/agents disable NAME"},
	Recognise:      isGeminiCLI, Read: func(string) Reader { return &geminiCLI{} },
	Rule: geminiCLIRule, Window: geminiCLIWindow, OffsetsFromZero: true,
}

func isGeminiCLI(r json.Value) bool {
	if r.Get("projectHash").Exists() && r.Get("sessionId").Exists() {
		return true
	}
	if r.Get("$set").Exists() || r.Get("$rewindTo").Exists() {
		return true
	}
	kind := r.Get("type")
	return r.Get("id").Exists() && r.Get("timestamp").Exists() && (kind.Is("gemini") || r.Get("content").Exists() && (kind.Is("user") || kind.Is("info")))
}

// geminiCLI reads both formats: the document that is rewritten as a whole, and the JSONL in which a changed message
// appears again and its last version applies.
type geminiCLI struct {
	reader.Transcript
	messages []geminiMessage
	places   map[uint64]int // indices of messages, by id
	contents []uint64       // hashes of the items, in order; 0 for removed ones
	answered []uint64       // calls of the last message that contains their results
	emptied  bool           // a resume has restarted the list of messages, and has not written the others yet
	past     bool           // set while records from before the last request are read
	held     *[]core.Item   // if not nil, receives the items instead of the session
}

// A geminiMessage contains the indices of a message's items, and a hash of its content when it was last read, so that
// an unchanged message is recognized.
type geminiMessage struct {
	id          uint64
	first, next int
	content     uint64
	written     int64
}

// maxMessages bounds the messages that can still be changed or rewound to.
const maxMessages = 50_000

func (g *geminiCLI) Record(r json.Value, emit func(core.Event)) {
	g.Emit = emit
	if g.emptied && !r.Get("$set").Exists() {
		g.emptied = false
		g.back(min(1, len(g.messages)))
	}
	switch {
	case r.Get("$rewindTo").Exists():
		g.rewind(r.Get("$rewindTo"))
	case r.Get("$set").Exists():
		g.set(r.Get("$set"))
	case r.Get("sessionId").Exists() && !r.Get("id").Exists():
		g.head(r)
		for e := r.Get("messages").Elements(); e.Next(); {
			g.message(e.Value)
		}
	case r.Get("type").Exists():
		g.message(r)
	default:
		g.SkipUnknown(r, r.Get("type"))
	}
}

func (g *geminiCLI) head(r json.Value) {
	g.SetAgent(GeminiCLI, r.Get("version"))
	if roots := r.Get("directories"); roots.Len() > 0 {
		e := roots.Elements()
		e.Next()
		g.SetWorkspace(e.Value)
	}
	g.AdvanceTo(r.Get("startTime"))
	g.SetTitle(r.Get("summary"), core.BySummary)
}

// set changes the session. A new list of messages replaces all earlier ones: after a compression, after a resume, and
// when results are masked.
func (g *geminiCLI) set(s json.Value) {
	g.SetTitle(s.Get("summary"), core.BySummary)
	list := s.Get("messages")
	if list.Kind() != json.Array {
		return
	}
	common := g.begins(list)
	switch length := list.Len(); {
	case len(g.messages) == 0:
		g.sync(list)
	case length == 1 && common == 1 && len(g.messages) > 1:
		// A resume writes the first message, and then all of them.
		g.emptied = true
		return
	case g.compresses(list, common):
		g.Emit(core.Compacted{Auto: true, Tokens: core.Unknown, Before: core.Unknown})
		g.Items, g.messages, g.places, g.contents = 0, g.messages[:0], nil, g.contents[:0]
		for e := list.Elements(); e.Next(); {
			g.kept(e.Value)
		}
	default:
		if common == length && length < len(g.messages) {
			g.back(length) // a stopped turn is removed
		}
		if known := len(g.messages); common == known {
			g.replace(list.Elements(), known)
			i := 0
			for e := list.Elements(); e.Next(); i++ {
				if i >= known {
					g.message(e.Value)
				}
			}
		} else {
			g.replace(list.Elements(), length)
		}
	}
	g.emptied = false
}

// compresses reports whether a list of messages is the result of a compression: messages are missing, another one
// replaces the oldest, and the content of the oldest is gone. A resume may write the same messages with new ids.
func (g *geminiCLI) compresses(list json.Value, common int) bool {
	if common == len(g.messages) || common == list.Len() {
		return false
	}
	present := make(map[uint64]bool, list.Len())
	i, summary := 0, false
	for e := list.Elements(); e.Next(); i++ {
		id := geminiID(e.Value)
		present[id] = true
		if i == common {
			summary = g.placeOf(id) < 0 && !onlyResponses(e.Value.Get("content"))
		}
	}
	for _, m := range g.messages[common:] {
		if !present[m.id] {
			return summary && !g.keepsOldest(list)
		}
	}
	return false
}

// keepsOldest reports whether a list of messages has most of the older half of the conversation's content.
func (g *geminiCLI) keepsOldest(list json.Value) bool {
	items, answered := []core.Item{}, slices.Clone(g.answered)
	g.held = &items
	for e := list.Elements(); e.Next(); {
		if kind := e.Value.Get("type"); kind.Is("user") || kind.Is("gemini") {
			g.addContents(e.Value)
		}
	}
	g.held, g.answered = nil, answered
	present := make(map[uint64]bool, len(items))
	for i := range items {
		present[contentOf(&items[i])] = true
	}
	old, kept := 0, 0
	contents := g.everyContent()
	for _, content := range contents[:(len(contents)+1)/2] {
		if content != 0 {
			old++
		}
		if present[content] {
			kept++
		}
	}
	return kept*2 > old
}

// replace replaces the known messages with a list. Items in both stay, so that their measurements stay.
func (g *geminiCLI) replace(list json.Elements, length int) {
	messages, contents := make([]geminiMessage, 0, length), g.everyContent()
	at, place := 0, map[uint64][]int{}
	for i, content := range contents {
		if content != 0 {
			place[content] = append(place[content], i)
		}
	}
	moved := 0 // number of inserted items
	to := make([]uint64, 0, len(contents))
	drop := func(until int) {
		for ; at < until; at++ {
			if contents[at] != 0 {
				g.Emit(core.Dropped{Index: at + moved, Reason: phrase.LeavesEdited.Text()})
			}
			to = append(to, 0)
		}
	}
	var items []core.Item
	g.answered, g.past = g.answered[:0], true
	for e := list; length > 0 && e.Next(); length-- {
		if kind := e.Value.Get("type"); !kind.Is("user") && !kind.Is("gemini") {
			continue
		}
		first := len(to)
		items = items[:0]
		g.held = &items
		g.addContents(e.Value)
		g.held = nil
		for _, item := range items {
			content := contentOf(&item)
			known := place[content]
			for len(known) > 0 && known[0] < at {
				known = known[1:]
			}
			if place[content] = known; len(known) > 0 {
				drop(known[0])
				to = append(to, content)
				at++
				continue
			}
			g.Emit(core.Inserted{Index: len(to), Item: item})
			to = append(to, content)
			moved++
			g.Items++
		}
		written, _ := reader.ParseTime(e.Value.Get("timestamp"))
		messages = append(messages, geminiMessage{geminiID(e.Value), first, len(to), fnv.Hash(e.Value.Raw()), written})
	}
	drop(len(contents))
	g.past = false
	if last := len(messages) - 1; last >= 0 {
		messages[last].next = len(to)
	}
	g.messages, g.contents, g.places = messages, to, nil
	for i := range g.messages {
		g.place(i)
	}
}

// everyContent returns contents with an element for each item, also for items that hosts have appended.
func (g *geminiCLI) everyContent() []uint64 {
	for len(g.contents) < g.Items {
		g.contents = append(g.contents, 0)
	}
	return g.contents[:g.Items]
}

// contentOf returns a hash of an item's content.
func contentOf(item *core.Item) uint64 {
	return max(reader.Mix(fnv.Hash(item.Text)^fnv.Hash([]byte(item.Name)), uint64(item.Kind)+1), 1)
}

// add appends an item.
func (g *geminiCLI) add(item core.Item) {
	item.NotReply = item.NotReply || g.past
	if g.held != nil {
		item.Text = append([]byte(nil), item.Text...)
		*g.held = append(*g.held, item)
		return
	}
	g.contents = append(g.everyContent(), contentOf(&item))
	g.Add(item)
}

// begins returns how many messages a list has in common with the known ones, from the first on.
func (g *geminiCLI) begins(list json.Value) (common int) {
	for e := list.Elements(); e.Next(); common++ {
		if id := geminiID(e.Value); id == 0 || common >= len(g.messages) || g.messages[common].id != id {
			break
		}
	}
	return common
}

// back drops the messages from one on.
func (g *geminiCLI) back(to int) {
	if to >= len(g.messages) {
		return
	}
	if from := g.messages[to].first; from < g.Items {
		g.Emit(core.Truncated{From: from})
		g.Items = from
	}
	g.messages, g.answered = g.messages[:to], g.answered[:0]
}

// sync reads a list of messages, some of which may be known already.
func (g *geminiCLI) sync(list json.Value) {
	for e := list.Elements(); e.Next(); {
		g.message(e.Value)
	}
}

// kept appends a message that was kept by a compression; its usage is older.
func (g *geminiCLI) kept(m json.Value) {
	first := g.Items
	g.addContents(m)
	g.note(m, first)
}

// rewind returns to the point before a message, and removes the message and all later ones.
func (g *geminiCLI) rewind(to json.Value) {
	if i := g.placeOf(reader.Identity(to)); i >= 0 {
		g.back(i)
		return
	}
	g.Emit(core.Warned{Sentence: phrase.Rewound.Text(), OfUsage: true})
}

func (g *geminiCLI) message(m json.Value) {
	kind := m.Get("type")
	if g.Agent == "" {
		g.SetAgent(GeminiCLI, json.Value{})
	}
	if !kind.Is("user") && !kind.Is("gemini") {
		if !kind.Is("info") && !kind.Is("error") && !kind.Is("warning") {
			g.SkipUnknown(m, kind)
		}
		return
	}
	if known := g.find(m); known >= 0 {
		g.update(m, known)
		return
	}
	g.AdvanceTo(m.Get("timestamp"))
	first := g.Items
	switch {
	case kind.Is("gemini"):
		g.meter(m)
	case !onlyResponses(m.Get("content")):
		g.StartTurn()
		builtIn(&g.Transcript, false)
	}
	g.addContents(m)
	g.note(m, first)
}

// onlyResponses reports whether a user message contains only responses of functions. Gemini CLI writes one after each
// call, which already contains the result; it is not a message of the user.
func onlyResponses(content json.Value) bool {
	for e := content.Elements(); e.Next(); {
		if !e.Value.Get("functionResponse").Exists() {
			return false
		}
	}
	return content.Len() > 0
}

// find returns the index of a message that was read before, -1 for a new one. A changed message keeps its time; one
// with another time is another message.
func (g *geminiCLI) find(m json.Value) int {
	i := g.placeOf(geminiID(m))
	if i < 0 {
		return i
	}
	if written, ok := reader.ParseTime(m.Get("timestamp")); ok && g.messages[i].written != 0 && written != g.messages[i].written {
		g.WarnOfSharedID()
		return -1
	}
	return i
}

// geminiID returns the identity of a message: its id, otherwise the time at which it was written.
func geminiID(m json.Value) uint64 {
	if id := reader.Identity(m.Get("id")); id != 0 {
		return id
	}
	written, ok := reader.ParseTime(m.Get("timestamp"))
	switch {
	case !ok:
		return 0
	case m.Get("type").Is("user"):
		return reader.Mix(uint64(written), 1)
	}
	return reader.Mix(uint64(written), 2)
}

// placeOf returns the index of a message that has not been removed, otherwise -1.
func (g *geminiCLI) placeOf(id uint64) int {
	index, known := g.places[id]
	if !known || index >= len(g.messages) || g.messages[index].id != id {
		return -1
	}
	return index
}

// update replaces a message by its later state. Only the last message can have
// grown; a change before it means that the past was rewritten.
func (g *geminiCLI) update(m json.Value, index int) {
	known := &g.messages[index]
	now := fnv.Hash(m.Raw())
	if now == known.content {
		return
	}
	if index != len(g.messages)-1 {
		g.Emit(core.Warned{Sentence: phrase.ChangedEarlier.Text(), OfUsage: true})
		known.content = now
		return
	}
	if known.first < g.Items {
		g.Emit(core.Truncated{From: known.first})
		g.Items = known.first
	}
	g.messages = g.messages[:index]
	first := g.Items
	if m.Get("type").Is("gemini") {
		g.meter(m)
	}
	g.addContents(m)
	g.note(m, first)
}

func (g *geminiCLI) note(m json.Value, first int) {
	if len(g.messages) >= maxMessages {
		g.messages = append(g.messages[:0], g.messages[maxMessages/2:]...)
		g.places = nil
		for i := range g.messages {
			g.place(i)
		}
	}
	written, _ := reader.ParseTime(m.Get("timestamp"))
	g.messages = append(g.messages, geminiMessage{geminiID(m), first, g.Items, fnv.Hash(m.Raw()), written})
	g.place(len(g.messages) - 1)
}

func (g *geminiCLI) place(i int) {
	if g.places == nil {
		g.places = make(map[uint64]int)
	}
	if id := g.messages[i].id; id != 0 {
		g.places[id] = i
	}
}

// request returns the identity of a message's request. An id that an earlier message has is treated as missing.
func (g *geminiCLI) request(m json.Value) uint64 {
	id := geminiID(m)
	if g.placeOf(id) >= 0 {
		written, _ := reader.ParseTime(m.Get("timestamp"))
		return reader.Mix(id, uint64(written))
	}
	return id
}

func (g *geminiCLI) meter(m json.Value) {
	t := m.Get("tokens")
	in := reader.Count(t.Get("input"))
	if in <= 0 {
		return
	}
	metered := core.NewMetered()
	metered.Request = requestID(g.request(m), m.Get("id"))
	metered.Model = g.AnsweredBy(reader.Short(m.Get("model")), "google", "")
	metered.In = in
	metered.Reasoning = reader.Count(t.Get("thoughts"))
	metered.Out = reader.Sum(reader.Count(t.Get("output")), metered.Reasoning)
	metered.CacheRead = reader.Count(t.Get("cached"))
	metered.Through, metered.ThroughSet = g.Items, true
	g.Emit(metered)
	builtIn(&g.Transcript, false)
}

// addContents appends the content of a message: its text, its calls, and their results. If Gemini CLI has rewritten the
// content, the calls are parts of it, and their results are separate messages.
func (g *geminiCLI) addContents(m json.Value) {
	if m.Get("type").Is("user") {
		g.content(core.User, m.Get("content"))
		return
	}
	g.answered = g.answered[:0]
	if g.content(core.Assistant, m.Get("content")) {
		return
	}
	calls, first := m.Get("toolCalls"), g.Items+1
	for e := calls.Elements(); e.Next(); {
		g.call(e.Value)
	}
	for e := calls.Elements(); e.Next(); first++ {
		if result := e.Value.Get("result"); result.Exists() {
			answers := first
			if g.held != nil {
				answers = 0
			}
			g.result(e.Value, result, answers)
			g.answered = append(g.answered, reader.Hash(e.Value.Get("id")))
		}
	}
}

func (g *geminiCLI) call(call json.Value) {
	item := reader.NewItem(core.ToolCalls)
	item.Name = reader.Short(call.Get("name"))
	item.Label = core.Named(item.Name)
	item.Text = call.Get("args").Raw()
	item.Parameters = int64(call.Get("args").Len())
	item.About = reader.About(item.Name, call.Get("args"))
	g.add(item)
}

// content appends parts, and reports whether calls were among them. Thoughts are not sent again.
func (g *geminiCLI) content(kind core.Kind, content json.Value) (called bool) {
	if content.Kind() == json.String {
		g.text(kind, content)
		return false
	}
	for e := content.Elements(); e.Next(); {
		switch p := e.Value; {
		case p.Get("functionCall").Exists():
			g.call(p.Get("functionCall"))
			called = true
		case p.Get("functionResponse").Exists():
			g.response(p)
		case !p.Get("thought").Bool():
			g.text(kind, p.Get("text"))
		}
		if data := e.Value.Get("inlineData"); data.Exists() {
			item := reader.NewItem(core.Media)
			item.MediaType = reader.Short(data.Get("mimeType"))
			item.Label = phrase.MediaFile.Text()
			item.Width, item.Height = reader.ImageSize(data.Get("data"))
			g.add(item)
		}
	}
	return called
}

func (g *geminiCLI) text(kind core.Kind, v json.Value) {
	if v.TextLen() == 0 {
		return
	}
	item := g.TextItem(kind, v)
	if kind == core.User && bytes.HasPrefix(item.Text, []byte("<session_context>")) {
		g.sessionContext(item)
		return
	}
	g.add(item)
}

// sessionContext appends the first message, which Gemini CLI writes itself: the environment, and the memory files of
// the workspace.
func (g *geminiCLI) sessionContext(item core.Item) {
	memory := item
	item.Kind, item.Label = core.System, phrase.Environment.Text()
	if at := bytes.Index(item.Text, []byte("<loaded_context>")); at >= 0 {
		item.Text, memory.Text = item.Text[:at], item.Text[at:]
		memory.Kind, memory.Label = core.Memory, core.Named("GEMINI.md")
	}
	g.add(item)
	if memory.Kind == core.Memory {
		g.add(memory)
	}
}

// response appends a function's response, unless the message of the call contained it.
func (g *geminiCLI) response(part json.Value) {
	id := reader.Hash(part.Path("functionResponse", "id"))
	if i := slices.Index(g.answered, id); i >= 0 {
		g.answered = slices.Delete(g.answered, i, i+1)
		return
	}
	if !reader.HasText(part.Path("functionResponse", "id")) {
		return // in older versions, the call contains it
	}
	g.result(part.Get("functionResponse"), part, 0)
}

// result appends the result of a tool: the text of its function responses. answers is the call that it belongs to, 0 if
// unknown.
func (g *geminiCLI) result(call, result json.Value, answers int) {
	item := reader.NewItem(core.ToolResults)
	item.Name = reader.Short(call.Get("name"))
	item.Label = core.Named(item.Name)
	item.Answers = answers
	item.Error = call.Get("status").Is("error")
	text := g.Scratch[:0]
	if result.Kind() == json.Array {
		for e := result.Elements(); e.Next(); {
			text = appendGeminiPart(text, e.Value)
		}
	} else {
		text = appendGeminiPart(text, result)
	}
	item.Text, g.Scratch = text, text
	g.add(item)
}

func appendGeminiPart(text []byte, part json.Value) []byte {
	response := part.Path("functionResponse", "response")
	for f := response.Fields(); f.Next(); {
		if f.Value.Kind() == json.String {
			text = f.Value.AppendText(text)
		} else {
			text = append(text, f.Value.Raw()...)
		}
	}
	return part.Get("text").AppendText(text)
}

// geminiCLIWindow returns Gemini CLI's limits: one limit for every model, except for the open ones.
func geminiCLIWindow(in *Installation) (core.Limits, bool) {
	l := core.Limits{Window: 1_048_576, Input: core.Unknown, Output: core.Unknown}
	if strings.Contains(in.Model, "gemma") {
		l.Window = 256_000
	}
	return l, true
}

func geminiCLIRule(in *Installation) core.Rule {
	rule := core.Rule{
		Name: "gemini-cli", Since: "2026-08-21", Source: "gemini-cli packages/core: DEFAULT_COMPRESSION_TOKEN_THRESHOLD 0.5, COMPRESSION_PRESERVE_THRESHOLD 0.3",
		First:   core.FirstPrompt{Tools: core.Unrecorded{Usual: 1_000, Most: 6_000}, Memory: core.Unrecorded{Usual: 1_500, Most: 9_000}},
		Percent: 5000, OfWindow: true, Past: phrase.CompactsAtPrompt, Prints: printsPrompt, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Gemini CLI")),
	}
	if share := in.fraction("model.compressionThreshold", 1, 100); share > 0 {
		rule.Percent = share * 100
		rule.Name += " with model.compressionThreshold"
	}
	return rule
}

func (g *geminiCLI) Walk(c *codec.Codec) {
	g.WalkTranscript(c)
	c.Bools("emptied", &g.emptied)
	codec.List(c, "contents", &g.contents, core.MaxItems, func(content *uint64, c *codec.Codec) { c.Hash("content", content) })
	codec.List(c, "answered", &g.answered, core.MaxItems, func(id *uint64, c *codec.Codec) { c.Hash("id", id) })
	end, i := 0, 0
	codec.List(c, "messages", &g.messages, maxMessages, func(m *geminiMessage, c *codec.Codec) {
		c.Hash("id", &m.id)
		c.Hash("content", &m.content)
		codec.Within(c, "written", &m.written, 0, reader.Latest)
		first, items := m.first-end, m.next-m.first
		codec.Within(c, "first", &first, 0, core.MaxItems)
		codec.Within(c, "items", &items, 0, core.MaxItems)
		m.first = end + first
		m.next = m.first + items
		end = m.next
		c.Refuse(end > g.Items)
		placed := m.id != 0 && g.placeOf(m.id) == i
		c.Bools("placed", &placed)
		if placed && c.Restoring() {
			g.place(i)
		}
		i++
	})
}
