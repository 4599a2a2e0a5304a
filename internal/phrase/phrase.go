// Copyright The ctx-lsp authors. MIT licence.

// Package phrase has the texts of ctx-lsp that front ends show, as values: an id and the values of its placeholders.
// Front ends translate them by their ids. A text that ctx-lsp did not write, such as the name of a file, is never a
// phrase, whatever it reads like: the type says which of the two a text is.
package phrase

import (
	"slices"
	"strconv"
	"strings"
)

// An ID is an entry of the list: a name, a colon and the English text. A placeholder has a position and a type: count,
// a number; tokens, a number of tokens as it is displayed; name, a third-party text; or text, a phrase or a third-party
// text.
type ID string

// Name returns the name by which front ends find a translation.
func (id ID) Name() string {
	name, _, _ := strings.Cut(string(id), ":")
	return name
}

// English returns the English text with its placeholders.
func (id ID) English() string {
	_, text, _ := strings.Cut(string(id), ":")
	return text
}

// Find returns the entry with a name.
func Find(name string) (ID, bool) {
	for i := range list {
		if id := list[i]; len(id) > len(name) && id[len(name)] == ':' && string(id[:len(name)]) == name {
			return id, true
		}
	}
	return "", false
}

// All returns the list.
func All() []ID { return list[:] }

// A Phrase is a text of ctx-lsp.
type Phrase struct {
	ID   ID
	Args []Arg
}

// A Text is a phrase or a third-party text. The zero Text is empty.
type Text struct {
	Phrase Phrase // of no id for a third-party text
	Name   string // the third-party text; empty for a phrase
}

// An Arg is the value of a placeholder: a number, or a text.
type Arg struct {
	Text     Text
	Number   int64
	IsNumber bool
}

// Text returns the text that the phrase is with these values.
func (id ID) Text(args ...Arg) Text { return Text{Phrase: Phrase{id, args}} }

// Named returns a third-party text.
func Named(name string) Text { return Text{Name: name} }

// Count returns the value of a placeholder for a number.
func Count(n int64) Arg { return Arg{Number: n, IsNumber: true} }

// Tokens returns the value of a placeholder for a number of tokens, as it is displayed.
func Tokens(displayed string) Arg { return Name(displayed) }

// Name returns the value of a placeholder for a third-party text.
func Name(name string) Arg { return Arg{Text: Named(name)} }

// Arg returns the text as the value of a placeholder.
func (t Text) Arg() Arg { return Arg{Text: t} }

// Arg returns the phrase as the value of a placeholder.
func (id ID) Arg(args ...Arg) Arg { return id.Text(args...).Arg() }

// Is reports whether the text is the phrase without values.
func (t *Text) Is(id ID) bool { return t.Phrase.ID == id && len(t.Phrase.Args) == 0 }

// IsPhrase reports whether the text is a phrase.
func (t *Text) IsPhrase() bool { return t.Phrase.ID != "" }

// Empty reports whether there is no text.
func (t *Text) Empty() bool { return t.Phrase.ID == "" && t.Name == "" }

// Equal reports whether two texts are the same phrase with the same values, or the same third-party text.
func (t Text) Equal(other Text) bool {
	return t.Phrase.ID == other.Phrase.ID && t.Name == other.Name && slices.EqualFunc(t.Phrase.Args, other.Phrase.Args, Arg.equal)
}

func (a Arg) equal(other Arg) bool {
	return a.IsNumber == other.IsNumber && a.Number == other.Number && a.Text.Equal(other.Text)
}

// String returns the text in English.
func (t Text) String() string {
	id := t.Phrase.ID
	if id == "" {
		return t.Name
	}
	if len(t.Phrase.Args) == 0 {
		return id.English()
	}
	out := make([]byte, 0, 128)
	t.parts(func(part string) { out = append(out, part...) })
	return string(out)
}

// parts calls add with the parts of the text in English, in their order.
func (t *Text) parts(add func(string)) {
	switch t.Phrase.ID {
	case "":
		add(t.Name)
		return
	case Sequence:
		for i := range t.Phrase.Args {
			t.Phrase.Args[i].parts(add)
		}
		return
	}
	text := t.Phrase.ID.English()
	for {
		before, at, _, after, ok := placeholder(text)
		add(before)
		if !ok {
			return
		}
		if at < len(t.Phrase.Args) {
			t.Phrase.Args[at].parts(add)
		}
		text = after
	}
}

func (a *Arg) parts(add func(string)) {
	if !a.IsNumber {
		a.Text.parts(add)
		return
	}
	digits := strconv.FormatInt(a.Number, 10)
	if digits[0] == '-' {
		add("-")
		digits = digits[1:]
	}
	first := (len(digits)-1)%3 + 1
	add(digits[:first])
	for digits = digits[first:]; digits != ""; digits = digits[3:] {
		add(",")
		add(digits[:3])
	}
}

// placeholder cuts a text around its first placeholder. Without one, before is all of it.
func placeholder(text string) (before string, at int, kind, after string, ok bool) {
	for i := 0; i+3 < len(text); i++ {
		if text[i] != '{' || text[i+1] < '0' || text[i+1] > '9' || text[i+2] != ':' {
			continue
		}
		if end := strings.IndexByte(text[i:], '}'); end > 0 {
			return text[:i], int(text[i+1] - '0'), text[i+3 : i+end], text[i+end+1:], true
		}
	}
	return text, 0, "", "", false
}

// Takes reports whether the values are those of the phrase's placeholders, by their number and their types.
func (id ID) Takes(args []Arg) bool {
	if id == Sequence {
		return true
	}
	most := 0
	for text := id.English(); ; {
		_, at, kind, after, ok := placeholder(text)
		if !ok {
			return len(args) == most
		}
		if at >= len(args) || args[at].IsNumber != (kind == "count") || kind != "text" && args[at].Text.IsPhrase() {
			return false
		}
		most, text = max(most, at+1), after
	}
}
