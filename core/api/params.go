// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/json"
)

// The readers below turn parameters into facts. Each refuses what it does not
// understand with the name of the field, so that a caller's typo is an error
// and not a silence.

func readString(field string, v json.Value, to *string) *Error {
	if v.Kind() == json.Null {
		return nil
	}
	if v.Kind() != json.String {
		return invalid(field, "must be a string, not "+v.Kind().String()+".")
	}
	if v.TextLen() > 4096 {
		return invalid(field, "is longer than 4096 bytes.")
	}
	*to = v.String()
	return nil
}

func readTokens(field string, v json.Value, to *int64) *Error {
	n, fault := v.Int64()
	switch {
	case fault == json.NotANumber:
		return invalid(field, "must be a number of tokens, not "+v.Kind().String()+".")
	case fault == json.NotWhole:
		return invalid(field, "must be a whole number.")
	case fault == json.OutOfRange || n > core.MaxTokens:
		return invalid(field, "is larger than "+strconv.FormatInt(core.MaxTokens, 10)+".")
	case n < 0:
		return invalid(field, "must not be negative.")
	}
	*to = n
	return nil
}

// readOptional is readTokens for a field that may be null.
func readOptional(field string, v json.Value, to *int64) *Error {
	if v.Kind() == json.Null {
		return nil
	}
	return readTokens(field, v, to)
}

func readIndex(field string, v json.Value, most int, to *int) *Error {
	n := int64(0)
	if err := readTokens(field, v, &n); err != nil {
		return err
	}
	if n > int64(most) {
		return invalid(field, "is "+strconv.FormatInt(n, 10)+", beyond the end at "+strconv.Itoa(most)+".")
	}
	*to = int(n)
	return nil
}

func readTime(field string, v json.Value, to *int64) *Error {
	if v.Kind() == json.Null {
		return nil
	}
	n, fault := v.Int64()
	if fault != json.NumberOK || n < 0 || n > 1<<52 {
		return invalid(field, "must be a time in milliseconds since 1970.")
	}
	*to = n
	return nil
}

func readBool(field string, v json.Value, to *bool) *Error {
	if v.Kind() == json.Null {
		return nil
	}
	if v.Kind() != json.Bool {
		return invalid(field, "must be true or false, not "+v.Kind().String()+".")
	}
	*to = v.Bool()
	return nil
}

var limitFields = []string{"window", "input", "output"}

func readLimits(field string, v json.Value, to *core.Limits) *Error {
	if v.Kind() == json.Null {
		return nil
	}
	if v.Kind() != json.Object {
		return invalid(field, "must be an object with window, input and output, not "+v.Kind().String()+".")
	}
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch {
		case f.KeyIs("window"):
			err = readOptional(field+".window", f.Value, &to.Window)
		case f.KeyIs("input"):
			err = readOptional(field+".input", f.Value, &to.Input)
		case f.KeyIs("output"):
			err = readOptional(field+".output", f.Value, &to.Output)
		default:
			err = unknownField(field, &f, limitFields)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var itemKinds = []string{"user", "assistant", "toolCalls", "toolResults", "reasoning", "media", "summary", "documents"}

// itemKind reads an item's kind: the row it is added to. The singular of the
// plural ones is understood too.
func itemKind(name string) (core.Kind, bool) {
	switch name {
	case "toolCall":
		return core.ToolCalls, true
	case "toolResult":
		return core.ToolResults, true
	case "document":
		return core.Documents, true
	}
	for _, k := range itemKinds {
		if k == name {
			return core.KindOf(name)
		}
	}
	return 0, false
}

var itemFields = []string{"kind", "text", "tokens", "label", "name", "mediaType", "width", "height", "pages", "seconds", "error", "reply", "opaque", "parameters", "hidden"}

// readItem reads an item. Its text goes into the arena, because it must
// outlive the scratch space of the next one.
func (c *Core) readItem(field string, v json.Value, to *core.Item) *Error {
	if v.Kind() != json.Object {
		return invalid(field, "must be an item object, not "+v.Kind().String()+".")
	}
	*to = core.Item{Tokens: core.Unknown, Parameters: core.Unknown}
	hasKind, hasText := false, false
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch {
		case f.KeyIs("kind"):
			name := ""
			if err = readString(field+".kind", f.Value, &name); err == nil {
				if to.Kind, hasKind = itemKind(name); !hasKind {
					err = unknownName(field+".kind", "kind", name, itemKinds)
				}
			}
		case f.KeyIs("text"):
			if f.Value.Kind() != json.String {
				err = invalid(field+".text", "must be a string, not "+f.Value.Kind().String()+".")
				break
			}
			to.Text, hasText = c.text(f.Value), true
		case f.KeyIs("tokens"):
			err = readOptional(field+".tokens", f.Value, &to.Tokens)
		case f.KeyIs("label"):
			err = readString(field+".label", f.Value, &to.Label)
		case f.KeyIs("name"):
			err = readString(field+".name", f.Value, &to.Name)
		case f.KeyIs("mediaType"):
			err = readString(field+".mediaType", f.Value, &to.MediaType)
		case f.KeyIs("width"):
			err = readOptional(field+".width", f.Value, &to.Width)
		case f.KeyIs("height"):
			err = readOptional(field+".height", f.Value, &to.Height)
		case f.KeyIs("pages"):
			err = readOptional(field+".pages", f.Value, &to.Pages)
		case f.KeyIs("seconds"):
			err = readOptional(field+".seconds", f.Value, &to.Seconds)
		case f.KeyIs("opaque"):
			err = readOptional(field+".opaque", f.Value, &to.Opaque)
		case f.KeyIs("parameters"):
			err = readOptional(field+".parameters", f.Value, &to.Parameters)
		case f.KeyIs("error"):
			err = readBool(field+".error", f.Value, &to.Error)
		case f.KeyIs("hidden"):
			err = readBool(field+".hidden", f.Value, &to.Hidden)
		case f.KeyIs("reply"):
			reply := true
			err = readBool(field+".reply", f.Value, &reply)
			to.NotReply = !reply
		default:
			err = unknownField(field, &f, itemFields)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case !hasKind:
		return &Error{Kind: InvalidParams, Field: field + ".kind", Known: itemKinds, Message: "The parameter \"" + field + "\" has no kind; known are " + join(itemKinds) + "."}
	case to.Tokens > 1<<31:
		return invalid(field+".tokens", "is larger than an item can be.")
	case !hasText && to.Tokens == core.Unknown && to.Kind != core.Media && to.Opaque == 0:
		return invalid(field, "needs text or tokens.")
	}
	if to.Tokens == core.Unknown {
		return c.wantVocabulary()
	}
	return nil
}

var partFields = []string{"text", "tokens", "label", "deferred"}

// readParts reads a fixed row: a text, a number of tokens, a part or several.
func (c *Core) readParts(field string, v json.Value) ([]core.Part, *Error) {
	switch v.Kind() {
	case json.Null:
		return nil, nil
	case json.Array:
		if v.Len() > 10_000 {
			return nil, &Error{Kind: LimitExceeded, Field: field, Message: "The parameter \"" + field + "\" has more than 10000 parts."}
		}
		var out []core.Part
		i := 0
		for e := v.Elements(); e.Next(); i++ {
			p, err := c.readPart(field+"["+strconv.Itoa(i)+"]", e.Value)
			if err != nil {
				return nil, err
			}
			out = append(out, p)
		}
		return out, nil
	}
	p, err := c.readPart(field, v)
	if err != nil {
		return nil, err
	}
	return []core.Part{p}, nil
}

func (c *Core) readPart(field string, v json.Value) (core.Part, *Error) {
	p := core.Part{Tokens: core.Unknown}
	hasText := false
	switch v.Kind() {
	case json.String:
		p.Text, hasText = c.text(v), true
	case json.Number:
		if err := readTokens(field, v, &p.Tokens); err != nil {
			return p, err
		}
	case json.Object:
		for f := v.Fields(); f.Next(); {
			var err *Error
			switch {
			case f.KeyIs("text"):
				if f.Value.Kind() != json.String {
					err = invalid(field+".text", "must be a string, not "+f.Value.Kind().String()+".")
					break
				}
				p.Text, hasText = c.text(f.Value), true
			case f.KeyIs("tokens"):
				err = readOptional(field+".tokens", f.Value, &p.Tokens)
			case f.KeyIs("label"):
				err = readString(field+".label", f.Value, &p.Label)
			case f.KeyIs("deferred"):
				err = readBool(field+".deferred", f.Value, &p.Deferred)
			default:
				err = unknownField(field, &f, partFields)
			}
			if err != nil {
				return p, err
			}
		}
	default:
		return p, invalid(field, "must be a text, a number of tokens or an object with either, not "+v.Kind().String()+".")
	}
	if p.Tokens == core.Unknown {
		if !hasText {
			return p, invalid(field, "needs text or tokens.")
		}
		return p, c.wantVocabulary()
	}
	return p, nil
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

// wantVocabulary refuses the call when the session's model cannot be counted
// for without a vocabulary that is not loaded.
func (c *Core) wantVocabulary() *Error {
	if c.missing == "" {
		return nil
	}
	return needsVocabulary(c.missing)
}

func needsVocabulary(name string) *Error {
	return &Error{Kind: NeedsVocabulary, Name: name,
		Message: "Counting this text needs the vocabulary \"" + name + "\"; load it and call again."}
}
