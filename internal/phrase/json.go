// Copyright The ctx-lsp authors. MIT licence.

package phrase

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// These bound a phrase that comes from outside.
const (
	mostArgs  = 8
	mostDepth = 6
)

// Write writes a phrase as a JSON value: its name, and the values of its placeholders, if it has any.
func (p *Phrase) Write(w *json.Writer) {
	w.BeginObject()
	p.members(w)
	w.EndObject()
}

// members writes the members of the JSON object that a phrase is.
func (p *Phrase) members(w *json.Writer) {
	w.PlainField(`,"id":`, p.ID.Name())
	if len(p.Args) == 0 {
		return
	}
	w.Field(`,"args":`)
	w.BeginArray()
	for i := range p.Args {
		switch arg := &p.Args[i]; {
		case arg.IsNumber:
			w.Int(arg.Number)
		case arg.Text.IsPhrase():
			arg.Text.Phrase.Write(w)
		default:
			w.String(arg.Text.Name)
		}
	}
	w.EndArray()
}

// WriteBoth writes a text as a JSON object: the English text, and the members of its phrase if it has one.
func (t *Text) WriteBoth(w *json.Writer) {
	w.BeginObject()
	w.Field(`,"text":`)
	t.WriteEnglish(w)
	if t.IsPhrase() {
		t.Phrase.members(w)
	}
	w.EndObject()
}

// Write writes a text as a JSON value: a string, or a phrase.
func (t *Text) Write(w *json.Writer) {
	if t.IsPhrase() {
		t.Phrase.Write(w)
		return
	}
	w.String(t.Name)
}

// WriteEnglish writes the text in English as a JSON string.
func (t *Text) WriteEnglish(w *json.Writer) {
	w.BeginString()
	t.parts(w.Part)
	w.EndString()
}

// Read reads a text that Write has written. A string is a third-party text. It returns false for anything else, for a
// phrase that is not in the list, and for values that the phrase does not take.
func Read(v json.Value) (Text, bool) { return read(v, mostDepth) }

func read(v json.Value, depth int) (Text, bool) {
	if v.Kind() == json.String {
		return Named(v.String()), true
	}
	id, ok := Find(v.Get("id").String())
	if !ok || depth == 0 {
		return Text{}, false
	}
	var args []Arg
	for e := v.Get("args").Elements(); e.Next(); {
		arg := Arg{IsNumber: e.Value.Kind() == json.Number}
		if len(args) == mostArgs {
			return Text{}, false
		}
		if arg.IsNumber {
			n, fault := e.Value.Int64()
			if arg.Number = n; fault != json.NumberOK {
				return Text{}, false
			}
		} else if arg.Text, ok = read(e.Value, depth-1); !ok {
			return Text{}, false
		}
		args = append(args, arg)
	}
	return id.Text(args...), id.Takes(args)
}

// Saved returns the text as one string, from which Restore makes it again: a third-party text as it is, with = before
// one that begins like a phrase, and a phrase as JSON.
func (t *Text) Saved() string {
	if !t.IsPhrase() {
		if t.Name != "" && (t.Name[0] == '{' || t.Name[0] == '=') {
			return "=" + t.Name
		}
		return t.Name
	}
	w := json.Writer{}
	t.Phrase.Write(&w)
	return string(w.Buf)
}

// Restore returns a text that was saved, and false for a string that Saved does not return.
func Restore(saved string) (Text, bool) {
	switch {
	case saved == "" || saved[0] != '{' && saved[0] != '=':
		return Named(saved), true
	case saved[0] == '=':
		return Named(saved[1:]), true
	}
	v, err := json.Parse([]byte(saved))
	if err != nil {
		return Text{}, false
	}
	return Read(v)
}
