// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var geminiCLIEntry = Entry{
	ID: GeminiCLI, Name: "Gemini CLI", Program: "gemini", AlwaysProcess: true, Webview: "gemini",
	CompactCommand: "/compress",
	MCPOff:         "gemini mcp remove NAME",
	Commands:       core.Commands{New: "/clear", Skills: "/skills disable NAME", Agents: "/agents disable NAME"},
	HookEvents:     []string{"BeforeAgent", "AfterTool"},
	PromptFiles:    []string{"GEMINI.md", "~/.gemini/GEMINI.md"},
	HomeFolders:    []string{".gemini"},
	Recognise:      isGeminiCLI, Read: func() Reader { return &geminiCLI{} },
	Rule: geminiCLIRule, Window: geminiCLIWindow,
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

// geminiCLI reads both formats: the document that is rewritten as a whole, and
// the JSONL in which a changed message appears again and its last version
// counts.
type geminiCLI struct {
	transcript
	messages []geminiMessage
	places   map[uint64]int // of messages, by id
}

// A geminiMessage says where a message's items stand, and what it said when it
// was last read, because a message that comes again unchanged is no news.
type geminiMessage struct {
	id          uint64
	first, next int
	content     uint64
	written     int64
}

// maxMessages is how many messages can still be changed or rewound to.
const maxMessages = 50_000

func (g *geminiCLI) Record(r json.Value, emit func(core.Event)) {
	g.emit = emit
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
		g.unknown(r, r.Get("type"))
	}
}

func (g *geminiCLI) head(r json.Value) {
	g.seen(GeminiCLI, r.Get("version"))
	if roots := r.Get("directories"); roots.Len() > 0 {
		e := roots.Elements()
		e.Next()
		g.cwd(e.Value)
	}
	g.advanceTo(r.Get("startTime"))
	g.called(r.Get("summary"), core.BySummary)
}

// set changes the session. A new list of messages is a checkpoint, by which
// compression can be recognised.
func (g *geminiCLI) set(s json.Value) {
	g.called(s.Get("summary"), core.BySummary)
	list := s.Get("messages")
	if list.Kind() != json.Array {
		return
	}
	if list.Len() >= len(g.messages) {
		g.sync(list)
		return
	}
	if g.begins(list) {
		g.back(list.Len()) // a turn that was stopped is removed
		return
	}
	g.emit(core.Compacted{Auto: true, Tokens: core.Unknown, Before: core.Unknown})
	g.items, g.messages, g.places = 0, g.messages[:0], nil
	for e := list.Elements(); e.Next(); {
		g.kept(e.Value)
	}
}

// begins says whether a list is the beginning of the known messages.
func (g *geminiCLI) begins(list json.Value) bool {
	i := 0
	for e := list.Elements(); e.Next(); i++ {
		if id := identity(e.Value.Get("id")); id == 0 || i >= len(g.messages) || g.messages[i].id != id {
			return false
		}
	}
	return true
}

// back forgets the messages from one on.
func (g *geminiCLI) back(to int) {
	if from := g.messages[to].first; from < g.items {
		g.emit(core.Truncated{From: from})
		g.items = from
	}
	g.messages = g.messages[:to]
}

// sync reads a list of messages of which some may be known already.
func (g *geminiCLI) sync(list json.Value) {
	for e := list.Elements(); e.Next(); {
		g.message(e.Value)
	}
}

// kept appends a message that has survived a compression; its usage is older.
func (g *geminiCLI) kept(m json.Value) {
	first := g.items
	g.says(m)
	g.note(m, first)
}

// rewind goes back to before a message. The message and all after it are gone.
func (g *geminiCLI) rewind(to json.Value) {
	if i := g.placeOf(identity(to)); i >= 0 {
		g.back(i)
		return
	}
	g.emit(core.Warned{Sentence: phrase.Rewound.Text(), OfUsage: true})
}

func (g *geminiCLI) message(m json.Value) {
	kind := m.Get("type")
	if g.agent == "" {
		g.seen(GeminiCLI, json.Value{})
	}
	if !kind.Is("user") && !kind.Is("gemini") {
		if !kind.Is("info") && !kind.Is("error") && !kind.Is("warning") {
			g.unknown(m, kind)
		}
		return
	}
	if known := g.find(m); known >= 0 {
		g.again(m, known)
		return
	}
	g.advanceTo(m.Get("timestamp"))
	first := g.items
	if kind.Is("user") {
		g.turn()
	} else {
		g.meter(m)
	}
	g.says(m)
	g.note(m, first)
}

// find is the place of a message that was read before, -1 for a new one. A
// changed message keeps its time; one with another time is another message.
func (g *geminiCLI) find(m json.Value) int {
	i := g.placeOf(geminiID(m))
	if i < 0 {
		return i
	}
	if written, ok := parseTime(m.Get("timestamp")); ok && g.messages[i].written != 0 && written != g.messages[i].written {
		g.twoWithOneID()
		return -1
	}
	return i
}

// geminiID is the identity of a message: its id, or else the time at which it
// was written.
func geminiID(m json.Value) uint64 {
	if id := identity(m.Get("id")); id != 0 {
		return id
	}
	written, ok := parseTime(m.Get("timestamp"))
	switch {
	case !ok:
		return 0
	case m.Get("type").Is("user"):
		return mix(uint64(written), 1)
	}
	return mix(uint64(written), 2)
}

// placeOf is the place of a message that is still there.
func (g *geminiCLI) placeOf(id uint64) int {
	index, known := g.places[id]
	if !known || index >= len(g.messages) || g.messages[index].id != id {
		return -1
	}
	return index
}

// again replaces a message by its later state. Only the last message can have
// grown; a change before it means that the past was rewritten.
func (g *geminiCLI) again(m json.Value, index int) {
	known := &g.messages[index]
	now := hashBytes(m.Raw())
	if now == known.content {
		return
	}
	if index != len(g.messages)-1 {
		g.emit(core.Warned{Sentence: phrase.ChangedEarlier.Text(), OfUsage: true})
		known.content = now
		return
	}
	if known.first < g.items {
		g.emit(core.Truncated{From: known.first})
		g.items = known.first
	}
	g.messages = g.messages[:index]
	first := g.items
	if m.Get("type").Is("gemini") {
		g.meter(m)
	}
	g.says(m)
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
	written, _ := parseTime(m.Get("timestamp"))
	g.messages = append(g.messages, geminiMessage{geminiID(m), first, g.items, hashBytes(m.Raw()), written})
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

func hashBytes(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// request is the identity of a message's request; an id that an earlier message
// has counts as none.
func (g *geminiCLI) request(m json.Value) uint64 {
	id := geminiID(m)
	if g.placeOf(id) >= 0 {
		written, _ := parseTime(m.Get("timestamp"))
		return mix(id, uint64(written))
	}
	return id
}

func (g *geminiCLI) meter(m json.Value) {
	t := m.Get("tokens")
	in := count(t.Get("input"))
	if in <= 0 {
		return
	}
	metered := core.NewMetered()
	metered.Request = requestID(g.request(m), m.Get("id"))
	metered.Model = g.answered(short(m.Get("model")), "google", "")
	metered.In = in
	metered.Reasoning = count(t.Get("thoughts"))
	metered.Out = sum(count(t.Get("output")), metered.Reasoning)
	metered.CacheRead = count(t.Get("cached"))
	metered.Through, metered.ThroughSet = g.items, true
	g.emit(metered)
	g.builtIn(false)
}

// says appends the contents of a message: its text, its calls, and their
// results.
func (g *geminiCLI) says(m json.Value) {
	kind := core.User
	if m.Get("type").Is("gemini") {
		kind = core.Assistant
	}
	g.content(kind, m.Get("content"))
	calls, first := m.Get("toolCalls"), g.items+1
	for e := calls.Elements(); e.Next(); {
		item := newItem(core.ToolCalls)
		item.Name = short(e.Value.Get("name"))
		item.Label = core.Named(item.Name)
		item.Text = e.Value.Get("args").Raw()
		item.Parameters = int64(e.Value.Get("args").Len())
		item.About = about(item.Name, e.Value.Get("args"))
		g.add(item)
	}
	for e := calls.Elements(); e.Next(); first++ {
		g.result(e.Value, first)
	}
}

func (g *geminiCLI) content(kind core.Kind, content json.Value) {
	if content.Kind() == json.String {
		g.text(kind, content)
		return
	}
	for e := content.Elements(); e.Next(); {
		g.text(kind, e.Value.Get("text"))
		if data := e.Value.Get("inlineData"); data.Exists() {
			item := newItem(core.Media)
			item.MediaType = short(data.Get("mimeType"))
			item.Label = phrase.MediaFile.Text()
			item.Width, item.Height = imageSize(data.Get("data"))
			g.add(item)
		}
	}
}

// result appends the result of a tool: the text of its function responses.
// answers says to which call it belongs.
func (g *geminiCLI) result(call json.Value, answers int) {
	result := call.Get("result")
	if !result.Exists() {
		return
	}
	item := newItem(core.ToolResults)
	item.Name = short(call.Get("name"))
	item.Label = core.Named(item.Name)
	item.Answers = answers
	item.Error = call.Get("status").Is("error")
	text := g.scratch[:0]
	for e := result.Elements(); e.Next(); {
		response := e.Value.Path("functionResponse", "response")
		for f := response.Fields(); f.Next(); {
			if f.Value.Kind() == json.String {
				text = f.Value.AppendText(text)
			} else {
				text = append(text, f.Value.Raw()...)
			}
		}
		text = e.Value.Get("text").AppendText(text)
	}
	item.Text, g.scratch = text, text
	g.add(item)
}

// geminiCLIWindow: Gemini CLI has one limit for every model, except for the
// open ones.
func geminiCLIWindow(of *Installation) (core.Limits, bool) {
	l := core.Limits{Window: 1_048_576, Input: core.Unknown, Output: core.Unknown}
	if strings.Contains(of.Model, "gemma") {
		l.Window = 256_000
	}
	return l, true
}

func geminiCLIRule(of *Installation) core.Rule {
	rule := core.Rule{
		Name: "gemini-cli", Since: "2026-08-21", Source: "gemini-cli packages/core: DEFAULT_COMPRESSION_TOKEN_THRESHOLD 0.5, COMPRESSION_PRESERVE_THRESHOLD 0.3",
		Percent: 5000, OfWindow: true, Prints: printsPrompt, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Gemini CLI")),
	}
	if share := hundredth(of.setting("model.compressionThreshold")); share > 0 && share <= 100 {
		rule.Percent = share * 100
		rule.Name += " with model.compressionThreshold"
	}
	return rule
}

func (g *geminiCLI) walk(c *codec.Codec) {
	g.base(c)
	end, i := 0, 0
	codec.List(c, "messages", &g.messages, maxMessages, func(m *geminiMessage, c *codec.Codec) {
		c.Hash("id", &m.id)
		c.Hash("content", &m.content)
		codec.Within(c, "written", &m.written, 0, latest)
		first, items := m.first-end, m.next-m.first
		codec.Within(c, "first", &first, 0, core.MaxItems)
		codec.Within(c, "items", &items, 0, core.MaxItems)
		m.first = end + first
		m.next = m.first + items
		end = m.next
		c.Refuse(end > g.items)
		placed := m.id != 0 && g.placeOf(m.id) == i
		c.Bools("placed", &placed)
		if placed && c.Restoring() {
			g.place(i)
		}
		i++
	})
}
