// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/meter"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// The readers below turn parameters into facts. Each refuses what it does not
// understand with the name of the field, so that a caller's typo is an error
// and not a silence.

func wrong(f *json.Fields, problem string) *Error { return invalid(shorten(f.Key.String()), problem) }

// mustBe refuses a value of the wrong type.
func mustBe(f *json.Fields, what string) *Error {
	return wrong(f, "must be "+what+", not "+f.Value.Kind().String()+".")
}

func readString(f *json.Fields, to *string) *Error {
	switch {
	case f.Value.Kind() == json.Null:
		return nil
	case f.Value.Kind() != json.String:
		return mustBe(f, "a string")
	case f.Value.TextLen() > maxString:
		return wrong(f, "is longer than 4096 bytes.")
	}
	*to = f.Value.String()
	return nil
}

const maxString = 4096

func readText(c *Core, f *json.Fields, to *[]byte) *Error {
	if f.Value.Kind() != json.String {
		return mustBe(f, "a string")
	}
	*to = c.text(f.Value)
	return nil
}

// tokens reads a number of tokens, or says what is wrong with it.
func tokens(v json.Value, to *int64) (problem string) {
	n, fault := v.Int64()
	switch {
	case fault == json.NotANumber:
		return "must be a number of tokens, not " + v.Kind().String() + "."
	case fault == json.NotWhole:
		return "must be a whole number."
	case fault == json.OutOfRange || n > core.MaxTokens:
		return "is larger than " + strconv.FormatInt(core.MaxTokens, 10) + "."
	case n < 0:
		return "must not be negative."
	}
	*to = n
	return ""
}

func readTokens(f *json.Fields, to *int64) *Error {
	if problem := tokens(f.Value, to); problem != "" {
		return wrong(f, problem)
	}
	return nil
}

// readOptional is readTokens for a field that may be null.
func readOptional(f *json.Fields, to *int64) *Error {
	if f.Value.Kind() == json.Null {
		return nil
	}
	return readTokens(f, to)
}

func readIndex(f *json.Fields, most int, to *int) *Error {
	n := int64(0)
	if err := readTokens(f, &n); err != nil {
		return err
	}
	if n > int64(most) {
		return wrong(f, "is "+strconv.FormatInt(n, 10)+", beyond the end at "+strconv.Itoa(most)+".")
	}
	*to = int(n)
	return nil
}

const maxTime = 1 << 52

// moment reads a time in milliseconds since 1970.
func moment(v json.Value, to *int64) bool {
	n, fault := v.Int64()
	if fault != json.NumberOK || n < 0 || n > maxTime {
		return false
	}
	*to = n
	return true
}

func readTime(f *json.Fields, to *int64) *Error {
	if f.Value.Kind() != json.Null && !moment(f.Value, to) {
		return wrong(f, "must be a time in milliseconds since 1970.")
	}
	return nil
}

func readBool(f *json.Fields, to *bool) *Error {
	switch f.Value.Kind() {
	case json.Null:
		return nil
	case json.Bool:
		*to = f.Value.Bool()
		return nil
	}
	return mustBe(f, "true or false")
}

var limitFields = []string{"window", "input", "output"}

func readLimits(limits *json.Fields, to *core.Limits) *Error {
	switch limits.Value.Kind() {
	case json.Null:
		return nil
	case json.Object:
	default:
		return mustBe(limits, "an object with window, input and output")
	}
	for f := limits.Value.Fields(); f.Next(); {
		var err *Error
		switch string(f.Name()) {
		case "window":
			err = readOptional(&f, &to.Window)
		case "input":
			err = readOptional(&f, &to.Input)
		case "output":
			err = readOptional(&f, &to.Output)
		default:
			err = unknownField(&f, limitFields)
		}
		if err != nil {
			return err.within(limits.Key.String())
		}
	}
	return nil
}

var itemKinds = []string{"user", "assistant", "toolCalls", "toolResults", "reasoning", "media", "summary", "documents"}

// itemKind reads an item's kind: the row it is added to. The singular of the
// plural ones is understood too.
func itemKind(v json.Value) (core.Kind, bool) {
	name, _ := v.Text(nil)
	switch string(name) {
	case "user":
		return core.User, true
	case "assistant":
		return core.Assistant, true
	case "toolCalls", "toolCall":
		return core.ToolCalls, true
	case "toolResults", "toolResult":
		return core.ToolResults, true
	case "reasoning":
		return core.Reasoning, true
	case "media":
		return core.Media, true
	case "summary":
		return core.Summary, true
	case "documents", "document":
		return core.Documents, true
	}
	return 0, false
}

func unknownKind(f *json.Fields) *Error {
	name := ""
	if err := readString(f, &name); err != nil {
		return err
	}
	return unknownName(f.Key.String(), "kind", name, itemKinds)
}

var itemFields = []string{"kind", "text", "tokens", "label", "name", "mediaType", "width", "height", "pages", "seconds", "error", "reply", "opaque", "parameters", "hidden"}

// readItem reads an item. Its text goes into the arena, because it must
// outlive the scratch space of the next one.
func (c *Core) readItem(v json.Value, to *core.Item) *Error {
	if v.Kind() != json.Object {
		return invalid("", "must be an item object, not "+v.Kind().String()+".")
	}
	*to = core.Item{Tokens: core.Unknown, Parameters: core.Unknown}
	hasKind, hasText, reply := false, false, true
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch string(f.Name()) {
		case "kind":
			if to.Kind, hasKind = itemKind(f.Value); !hasKind {
				err = unknownKind(&f)
			}
		case "text":
			hasText = true
			err = readText(c, &f, &to.Text)
		case "tokens":
			err = readOptional(&f, &to.Tokens)
		case "label":
			err = readString(&f, &to.Label)
		case "name":
			err = readString(&f, &to.Name)
		case "mediaType":
			err = readString(&f, &to.MediaType)
		case "width":
			err = readOptional(&f, &to.Width)
		case "height":
			err = readOptional(&f, &to.Height)
		case "pages":
			err = readOptional(&f, &to.Pages)
		case "seconds":
			err = readOptional(&f, &to.Seconds)
		case "opaque":
			err = readOptional(&f, &to.Opaque)
		case "parameters":
			err = readOptional(&f, &to.Parameters)
		case "error":
			err = readBool(&f, &to.Error)
		case "hidden":
			err = readBool(&f, &to.Hidden)
		case "reply":
			err = readBool(&f, &reply)
		default:
			err = unknownField(&f, itemFields)
		}
		if err != nil {
			return err
		}
	}
	to.NotReply = !reply
	switch {
	case !hasKind:
		e := invalid("kind", "is missing; known are "+strings.Join(itemKinds, ", ")+".")
		e.Known = itemKinds
		return e
	case to.Tokens > 1<<31:
		return invalid("tokens", "is larger than an item can be.")
	case !hasText && to.Tokens == core.Unknown && to.Kind != core.Media && to.Opaque == 0:
		return invalid("", "needs text or tokens.")
	}
	if to.Tokens == core.Unknown {
		return c.wantVocabulary()
	}
	return nil
}

var partFields = []string{"text", "tokens", "label", "deferred"}

// readParts reads a fixed row: a text, a number of tokens, a part or several.
func (c *Core) readParts(f *json.Fields) ([]core.Part, *Error) {
	switch f.Value.Kind() {
	case json.Null:
		return nil, nil
	case json.Array:
		name := f.Key.String()
		n := f.Value.Len()
		if n > 10_000 {
			return nil, about(LimitExceeded, name, "The parameter \"", "\" has more than 10000 parts.")
		}
		out := make([]core.Part, n)
		i := 0
		for e := f.Value.Elements(); e.Next(); i++ {
			if err := c.readPart(e.Value, &out[i]); err != nil {
				return nil, err.within(element(name, i))
			}
		}
		return out, nil
	}
	out := make([]core.Part, 1)
	return out, c.readPart(f.Value, &out[0]).within(f.Key.String())
}

func (c *Core) readPart(v json.Value, to *core.Part) *Error {
	*to = core.Part{Tokens: core.Unknown}
	hasText := false
	switch v.Kind() {
	case json.String:
		to.Text, hasText = c.text(v), true
	case json.Number:
		if problem := tokens(v, &to.Tokens); problem != "" {
			return invalid("", problem)
		}
	case json.Object:
		for f := v.Fields(); f.Next(); {
			var err *Error
			switch string(f.Name()) {
			case "text":
				hasText = true
				err = readText(c, &f, &to.Text)
			case "tokens":
				err = readOptional(&f, &to.Tokens)
			case "label":
				err = readString(&f, &to.Label)
			case "deferred":
				err = readBool(&f, &to.Deferred)
			default:
				err = unknownField(&f, partFields)
			}
			if err != nil {
				return err
			}
		}
	default:
		return invalid("", "must be a text, a number of tokens or an object with either, not "+v.Kind().String()+".")
	}
	if to.Tokens == core.Unknown {
		if !hasText {
			return invalid("", "needs text or tokens.")
		}
		return c.wantVocabulary()
	}
	return nil
}

// text decodes a string into the arena of this call.
func (c *Core) text(v json.Value) []byte {
	from := len(c.arena)
	if raw, plain := v.Plain(); plain {
		return raw
	}
	c.arena = v.AppendText(c.arena)
	return c.arena[from:len(c.arena):len(c.arena)]
}

// wantVocabulary refuses the call when its texts cannot be counted without a
// vocabulary that is not loaded.
func (c *Core) wantVocabulary() *Error {
	if missing := missing(c.counter); missing != "" {
		return needsVocabulary(missing)
	}
	return nil
}

// missing is the vocabulary that a meter needs and does not have.
func missing(m core.Meter) string {
	if m, ok := m.(*meter.Meter); ok {
		return m.Missing()
	}
	return ""
}

func needsVocabulary(name string) *Error {
	return &Error{
		Kind: NeedsVocabulary, Name: name,
		Message: "Counting this text needs the vocabulary \"" + name + "\"; load it and call again.",
	}
}
