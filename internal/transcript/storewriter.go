// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A store that is not text is a database, an operation log or binary messages. It is read outside of core and written
// as records of one shape, the same for every agent. core/agent/storerecords.go is the one reader of them all, so a new
// agent of this kind adds to core no more than its entry and its rule.
//
// Every record is one JSON object. "by" is the agent's id, "is" the record's type, "at" its time in milliseconds since
// 1970:
//
//	session    cwd, branch, title, version, model, provider, route, and the
//	           limits as the agent has them: window, input, output
//	context    a fixed row of a kind ("system", "tools", "memory", …) with its
//	           parts: each has a label and its text, or the tokens that the
//	           agent states for it, which divide what is in the window
//	item       a piece of the conversation of a kind ("user", "assistant",
//	           "reasoning", "toolCalls", "toolResults", "media", "summary");
//	           "turn" where the user begins one, "call" joins a result to its
//	           call, and the same "key" again replaces the item
//	usage      what a request took: in (with the cached part), out, reasoning,
//	           read, write, by its id; "own" where it is the agent's own count
//	           and nobody measured it, "side" for a request beside the
//	           conversation, "sum" for a total of several, "before" the key of
//	           the item with which its answer begins, where that was told
//	compacted  the conversation was summed up: text, kept items, before, tokens
//	own        the percentage that the agent prints, in hundredths
//	over       the agent hands back to the user
//	warning    a sentence for whoever asks why a number is odd
//
// The order is that of the prompt: what a request held stands before its usage, and its answer behind it.

// Unknown is a number that the store does not tell. It is left out of a record.
const Unknown = -1

// A StoreRecord is one record, and the name by which it is found again when the
// store is told anew. A record with the name of another one and other content
// stands in its place. One that is placed has to come behind those that were
// told before it; the others hold wherever they are told.
type StoreRecord struct {
	Name   string
	JSON   []byte
	Placed bool
}

// A StoreWriter collects the records of one session.
type StoreWriter struct {
	// By is the id of the agent, as core/agent has it.
	By      string
	Records []StoreRecord
}

// StoreSession is what is known of the whole session. Numbers that are 0 are left out.
type StoreSession struct {
	CWD, Branch, Title, Version, Model, Provider, Route string
	Window, Input, Output                               int64
	At                                                  int64
}

// StorePart is a piece of a fixed row: by its text, or by the tokens that the agent states.
type StorePart struct {
	Label    phrase.Text
	Text     string
	Tokens   int64
	Deferred bool
}

// StoreItem is a piece of the conversation. Key is its name in the store.
type StoreItem struct {
	Key, Kind, Name, Call, Text string
	// JSON is a text that is JSON, such as the arguments of a call, in place of Text.
	JSON  []byte
	Media string // the media type of a picture, whose beginning in base64 is Pixels
	// Pixels is the beginning of a picture in base64.
	Pixels string
	// Tokens is the size of the item where the agent states it, 0 where it does not.
	Tokens, Opaque int64
	At             int64
	Turn, Error    bool
	// Unanswered marks an answer that is not that of the last request.
	Unanswered bool
}

// StoreUsage is what a request took. Numbers that are not known are Unknown. Before
// is the key of the first item that its prompt did not hold.
type StoreUsage struct {
	Before                         string
	ID, Model, Provider            string
	Note                           phrase.Text
	In, Out, Reasoning             int64
	Read, Write                    int64
	At                             int64
	Own, Side, Sum, OutPlaceholder bool
}

// NewStoreUsage returns a usage of which nothing is known yet.
func NewStoreUsage(id string) StoreUsage {
	return StoreUsage{ID: id, In: Unknown, Out: Unknown, Reasoning: Unknown, Read: Unknown, Write: Unknown}
}

// StoreCompacted is a summary that stands for what came before it. Numbers that are not known are Unknown.
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

// say writes a text as the reader of neutral records expects it: a string, or a phrase.
func (r *writing) say(key string, text phrase.Text) {
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

// Session tells what is known of the session as a whole.
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

// Context tells a fixed row.
func (t *StoreWriter) Context(kind string, parts ...StorePart) {
	r := t.begin("context", 0)
	r.text("kind", kind)
	r.w.Key("parts")
	r.w.BeginArray()
	for _, p := range parts {
		r.w.BeginObject()
		r.say("label", p.Label)
		r.text("text", p.Text)
		r.number("tokens", p.Tokens, 0)
		r.yes("deferred", p.Deferred)
		r.w.EndObject()
	}
	r.w.EndArray()
	t.end(r, "context "+kind)
}

// Item tells a piece of the conversation.
func (t *StoreWriter) Item(i StoreItem) {
	r := t.begin("item", i.At)
	r.text("kind", i.Kind)
	r.text("key", i.Key)
	r.text("name", i.Name)
	r.text("call", i.Call)
	if len(i.JSON) > 0 && isJSON(i.JSON) {
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

// Usage tells what a request took.
func (t *StoreWriter) Usage(u StoreUsage) {
	r := t.begin("usage", u.At)
	r.text("id", u.ID)
	r.text("model", u.Model)
	r.text("provider", u.Provider)
	r.say("note", u.Note)
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

// Compacted tells that the conversation was summed up.
func (t *StoreWriter) Compacted(c StoreCompacted) {
	r := t.begin("compacted", c.At)
	r.text("text", c.Text)
	r.number("kept", c.Kept, 0)
	r.number("before", c.Before, Unknown)
	r.number("tokens", c.Left, Unknown)
	r.yes("auto", c.Auto)
	t.end(r, "compacted "+c.Key)
}

// Own tells the percentage that the agent prints, in hundredths.
func (t *StoreWriter) Own(hundredths int64, label phrase.Text) {
	r := t.begin("own", 0)
	r.number("percent", hundredths, Unknown)
	r.say("label", label)
	t.end(r, "own")
}

// Over tells that the agent handed back to the user after the item with this key.
func (t *StoreWriter) Over(key string) {
	t.end(t.begin("over", 0), "over "+key)
}

// Warning tells a sentence for whoever asks why a number is odd.
func (t *StoreWriter) Warning(sentence phrase.Text) {
	r := t.begin("warning", 0)
	r.say("text", sentence)
	t.end(r, "warning "+sentence.String())
}

func isJSON(text []byte) bool {
	_, err := json.Parse(text)
	return err == nil
}
