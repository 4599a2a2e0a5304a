// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A store that is not text is a database, an operation log or binary messages. It is read outside core and converted to
// records that have the same form for every agent and one reader, core/agent/storerecords.go. So a new agent of this
// kind adds only its entry and its rule to core.
//
// Every record is one JSON object. "by" is the agent's id, "is" the record's type, "at" its time in milliseconds since
// 1970:
//
//	session    cwd, branch, title, version, model, provider, route, and the limits that the agent states: window, input,
//	           output
//	context    a fixed row of a kind ("system", "tools", "memory", …) with its parts: each has a label and its text, or
//	           the definition of a tool, or the tokens that the agent states for it; the latter two divide what is in
//	           the window
//	item       an item of the conversation of a kind ("user", "assistant", "reasoning", "toolCalls", "toolResults",
//	           "media", "summary"); "turn" if the user begins a turn with it, "call" joins a result to its call, and the
//	           same "key" again replaces the item
//	usage      the usage of a request by its id: in (with the cached part), out, reasoning, read, write; "own" if it is
//	           the agent's own count and not measured, "side" for a request outside the conversation, "sum" for a total
//	           of several, "before" the key of the first item of the response, if known
//	compacted  a compaction: text, kept items, before, tokens
//	own        the percentage that the agent prints, in hundredths
//	over       the agent hands control back to the user
//	warning    a sentence that explains why a number is unusual
//
// The order is that of the prompt: the items in a request come before its usage, and its response follows.

// Unknown is a number that the store does not contain. It is left out of a record.
const Unknown = -1

// A StoreRecord is one record, with the name that identifies it when the store is read again. A record with the name of
// an earlier one and different content replaces it. The order matters only for placed records: each has to follow those
// returned before it.
type StoreRecord struct {
	Name   string
	JSON   []byte
	Placed bool
}

// A StoreWriter collects the records of one session.
type StoreWriter struct {
	// By is the agent's id in core/agent.
	By      string
	Records []StoreRecord
}

// StoreSession describes the whole session. Numbers that are 0 are left out.
type StoreSession struct {
	CWD, Branch, Title, Version, Model, Provider, Route string
	Window, Input, Output                               int64
	At                                                  int64
}

// StorePart is a part of a fixed row, given by its text, by the definition of a tool (JSON with name, description and
// parameters), or by the tokens that the agent states. Reference is set if the tokens are a usual size in o200k.
type StorePart struct {
	Label    phrase.Text
	Text     string
	Tool     []byte
	Tokens   int64
	Deferred bool

	Reference bool
}

// StoreItem is an item of the conversation. Key is its name in the store.
type StoreItem struct {
	Key, Kind, Name, Call, Text string
	// JSON is a text that is JSON, such as the arguments of a call; it is used in place of Text.
	JSON  []byte
	Media string // the media type of a picture
	// Pixels is the beginning of a picture in base64.
	Pixels string
	// Tokens is the size of the item if the agent states it, otherwise 0.
	Tokens, Opaque int64
	At             int64
	Turn, Error    bool
	// Unanswered is set for a response that does not belong to the last request.
	Unanswered bool
}

// StoreUsage is the usage of a request. Unknown numbers are [Unknown]. Before is the key of the first item that was not
// in the prompt.
type StoreUsage struct {
	Before                         string
	ID, Model, Provider            string
	Note                           phrase.Text
	In, Out, Reasoning             int64
	Read, Write                    int64
	At                             int64
	Own, Side, Sum, OutPlaceholder bool
}

// NewStoreUsage returns a usage with all numbers unknown.
func NewStoreUsage(id string) StoreUsage {
	return StoreUsage{ID: id, In: Unknown, Out: Unknown, Reasoning: Unknown, Read: Unknown, Write: Unknown}
}

// StoreCompacted is a summary that replaces what came before it. Unknown numbers are [Unknown].
type StoreCompacted struct {
	Key, Text    string
	Kept         int64
	Before, Left int64
	At           int64
	Auto         bool
}

type writing struct{ w json.Writer }

func (t *StoreWriter) begin(is string, at int64) *writing {
	r := &writing{}
	r.w.BeginObject()
	r.text("by", t.By)
	r.text("is", is)
	if at > 0 {
		r.w.Key("at")
		r.w.Int(at)
	}
	return r
}

func (t *StoreWriter) end(r *writing, name string) {
	r.w.EndObject()
	placed := strings.HasPrefix(name, "item ") || strings.HasPrefix(name, "compacted ")
	t.Records = append(t.Records, StoreRecord{Name: name, JSON: r.w.Buf, Placed: placed})
}

func (r *writing) text(key, text string) {
	if text != "" {
		r.w.Key(key)
		r.w.String(strings.ToValidUTF8(text, "\uFFFD"))
	}
}

// addText writes a text as the reader of these records expects it: a string or a phrase.
func (r *writing) addText(key string, text phrase.Text) {
	if text.IsPhrase() {
		r.w.Key(key)
		text.Write(&r.w)
		return
	}
	r.text(key, text.Name)
}

func (r *writing) number(key string, n, none int64) {
	if n > none {
		r.w.Key(key)
		r.w.Int(n)
	}
}

func (r *writing) yes(key string, b bool) {
	if b {
		r.w.Key(key)
		r.w.Bool(true)
	}
}

// Session adds the record about the session as a whole.
func (t *StoreWriter) Session(s StoreSession) {
	r := t.begin("session", s.At)
	r.text("cwd", s.CWD)
	r.text("branch", s.Branch)
	r.text("title", s.Title)
	r.text("version", s.Version)
	r.text("model", s.Model)
	r.text("provider", s.Provider)
	r.text("route", s.Route)
	r.number("window", s.Window, 0)
	r.number("input", s.Input, 0)
	r.number("output", s.Output, 0)
	t.end(r, "session")
}

// Context adds a fixed row.
func (t *StoreWriter) Context(kind string, parts ...StorePart) {
	r := t.begin("context", 0)
	r.text("kind", kind)
	r.w.Key("parts")
	r.w.BeginArray()
	for _, p := range parts {
		r.w.BeginObject()
		r.addText("label", p.Label)
		r.text("text", p.Text)
		if len(p.Tool) > 0 {
			r.w.Key("tool")
			r.w.Raw(p.Tool)
		}
		r.number("tokens", p.Tokens, 0)
		r.yes("deferred", p.Deferred)
		r.yes("reference", p.Reference)
		r.w.EndObject()
	}
	r.w.EndArray()
	t.end(r, "context "+kind)
}

// Item adds an item of the conversation.
func (t *StoreWriter) Item(i StoreItem) {
	r := t.begin("item", i.At)
	r.text("kind", i.Kind)
	r.text("key", i.Key)
	r.text("name", i.Name)
	r.text("call", i.Call)
	if isJSON(i.JSON) {
		r.w.Key("text")
		r.w.Raw(i.JSON)
	} else {
		r.text("text", i.Text+string(i.JSON))
	}
	r.text("media", i.Media)
	r.text("pixels", i.Pixels)
	r.number("tokens", i.Tokens, 0)
	r.number("opaque", i.Opaque, 0)
	r.yes("turn", i.Turn)
	r.yes("error", i.Error)
	r.yes("unanswered", i.Unanswered)
	name := i.Key
	if name == "" {
		name = "#" + strconv.Itoa(len(t.Records))
	}
	t.end(r, "item "+name)
}

// Usage adds the usage of a request.
func (t *StoreWriter) Usage(u StoreUsage) {
	r := t.begin("usage", u.At)
	r.text("id", u.ID)
	r.text("model", u.Model)
	r.text("provider", u.Provider)
	r.addText("note", u.Note)
	r.text("before", u.Before)
	for _, n := range []struct {
		key string
		n   int64
	}{{"in", u.In}, {"out", u.Out}, {"reasoning", u.Reasoning}, {"read", u.Read}, {"write", u.Write}} {
		r.number(n.key, n.n, Unknown)
	}
	r.yes("own", u.Own)
	r.yes("side", u.Side)
	r.yes("sum", u.Sum)
	r.yes("placeholder", u.OutPlaceholder)
	t.end(r, "usage "+u.ID)
}

// Compacted adds a compaction.
func (t *StoreWriter) Compacted(c StoreCompacted) {
	r := t.begin("compacted", c.At)
	r.text("text", c.Text)
	r.number("kept", c.Kept, 0)
	r.number("before", c.Before, Unknown)
	r.number("tokens", c.Left, Unknown)
	r.yes("auto", c.Auto)
	t.end(r, "compacted "+c.Key)
}

// Own adds the percentage that the agent prints, in hundredths.
func (t *StoreWriter) Own(hundredths int64, label phrase.Text) {
	r := t.begin("own", 0)
	r.number("percent", hundredths, Unknown)
	r.addText("label", label)
	t.end(r, "own")
}

// Over records that the agent handed control back to the user after the item with this key.
func (t *StoreWriter) Over(key string) {
	t.end(t.begin("over", 0), "over "+key)
}

// Warning adds a sentence that explains why a number is unusual.
func (t *StoreWriter) Warning(sentence phrase.Text) {
	r := t.begin("warning", 0)
	r.addText("text", sentence)
	t.end(r, "warning "+sentence.String())
}

func isJSON(text []byte) bool {
	_, err := json.Parse(text)
	return err == nil
}
