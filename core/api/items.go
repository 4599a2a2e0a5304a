// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// noKind is the kind of an item before it has been read.
const noKind core.Kind = 0xff

var itemKinds = []string{"user", "assistant", "toolCalls", "toolResults", "reasoning", "media", "summary", "documents", "memory", "system", "developer"}

// itemKind returns an item's kind, which is the row it is added to. It returns false for an unknown kind.
func itemKind(v json.Value) (core.Kind, bool) {
	name, _ := v.Text(nil)
	switch string(name) {
	case "user":
		return core.User, true
	case "assistant":
		return core.Assistant, true
	case "toolCalls":
		return core.ToolCalls, true
	case "toolResults":
		return core.ToolResults, true
	case "reasoning":
		return core.Reasoning, true
	case "media":
		return core.Media, true
	case "summary":
		return core.Summary, true
	case "documents":
		return core.Documents, true
	case "memory":
		return core.Memory, true
	case "system", "developer":
		return core.System, true
	}
	return 0, false
}

func readItemKind(f *json.Fields, to *core.Kind) *Error {
	kind, ok := itemKind(f.Value)
	if ok {
		*to = kind
		return nil
	}
	name := ""
	if err := readString(f, &name); err != nil {
		return err
	}
	return unknownName(f.Key.String(), "kind", name, itemKinds)
}

// readItem reads an item. Its text is copied to the arena, because the scratch space is reused for the next item.
func (c *Core) readItem(v json.Value, to *core.Item) *Error {
	if v.Kind() != json.Object {
		return invalid("", "must be an item object, not "+v.Kind().String()+".")
	}
	if isMessage(v) {
		return c.onlyItem(v, to)
	}
	*to = core.Item{Kind: noKind, Tokens: core.Unknown, Parameters: core.Unknown}
	if err := c.fillItem(v, to); err != nil {
		return err
	}
	switch {
	case to.Kind == noKind:
		e := invalid("kind", "is missing; known are "+strings.Join(itemKinds, ", ")+".")
		e.Known = itemKinds
		return e
	case to.Tokens > 1<<31:
		return invalid("tokens", "is larger than an item can be.")
	case to.Text == nil && to.Tokens == core.Unknown && to.Kind != core.Media && to.Opaque == 0:
		return invalid("", "needs text or tokens.")
	}
	if to.Tokens == core.Unknown {
		return c.wantVocabulary()
	}
	return nil
}

// onlyItem reads a message in a context that allows only one item.
func (c *Core) onlyItem(v json.Value, to *core.Item) *Error {
	from := len(c.added)
	if err := c.readMessage(v); err != nil {
		return err
	}
	items := c.added[from:]
	c.added = c.added[:from]
	if len(items) != 1 {
		return invalid("", "must be one item, but the message has "+strconv.Itoa(len(items))+" parts.")
	}
	*to = items[0].Item
	return nil
}

// readMetadata measures the longest string of a provider's metadata, which represents the block of reasoning.
func readMetadata(f *json.Fields, to *int64) *Error {
	*to = max(*to, longest(f.Value, 4))
	return nil
}

// readParts reads a fixed row: a text, a number of tokens, one part, or several.
func (c *Core) readParts(name string, v json.Value) ([]core.Part, *Error) {
	switch v.Kind() {
	case json.Null:
		return nil, nil
	case json.Object:
		var tools []core.Part
		if (name == "tools" || name == "mcpTools") && c.toolRecord(v, &tools) {
			return tools, c.wantVocabulary()
		}
	case json.Array:
		n := v.Len()
		if n > 10_000 {
			return nil, about(LimitExceeded, name, "The parameter \"", "\" has more than 10000 parts.")
		}
		out := make([]core.Part, 0, n)
		i := 0
		for e := v.Elements(); e.Next(); i++ {
			if err := c.addPart(e.Value, &out); err != nil {
				return nil, err.within(element(name, i))
			}
		}
		return out, nil
	}
	var out []core.Part
	err := c.addPart(v, &out).within(name)
	return out, err
}

// addPart adds a part of a fixed row, in the shape of ctx-lsp or a provider's.
func (c *Core) addPart(v json.Value, to *[]core.Part) *Error {
	if isForeignPart(v) {
		c.foreignPart(v, to)
		return c.wantVocabulary()
	}
	var p core.Part
	err := c.readPart(v, &p)
	*to = append(*to, p)
	return err
}

func (c *Core) readPart(v json.Value, to *core.Part) *Error {
	*to = core.Part{Tokens: core.Unknown}
	switch v.Kind() {
	case json.String:
		to.Text = c.text(v)
	case json.Number:
		if problem := tokens(v, &to.Tokens); problem != "" {
			return invalid("", problem)
		}
	case json.Object:
		if err := c.fillPart(v, to); err != nil {
			return err
		}
	default:
		return invalid("", "must be a text, a number of tokens or an object with either, not "+v.Kind().String()+".")
	}
	if to.Tokens == core.Unknown {
		if to.Text == nil {
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

// wantVocabulary returns an error if the call's texts need a vocabulary that is not loaded.
func (c *Core) wantVocabulary() *Error {
	if missing := missing(c.counter); missing != "" {
		return needsVocabulary(missing)
	}
	return nil
}

// missing returns the vocabulary that a meter needs but does not have, or "".
func missing(m core.Meter) string {
	if m, ok := m.(*count.Meter); ok {
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

// readSubjectKind reads the kind of thing that an item's name refers to.
func readSubjectKind(f *json.Fields, to *core.SubjectKind) *Error {
	var word SubjectKind
	if err := readWord(f, &word, subjectKindWords, "thing to name"); err != nil {
		return err
	}
	*to, _ = core.SubjectKindOf(string(word))
	return nil
}
