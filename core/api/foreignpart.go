// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// isForeignPart reports whether a part of a fixed row has a provider's shape, such as a block of a system prompt or the
// definition of a tool, instead of being a Part.
func isForeignPart(v json.Value) bool {
	for f := v.Fields(); f.Next(); {
		switch ownKey(f.Key) {
		case "type", "role", "parts", "content", "name", "function", "functionDeclarations", "function_declarations", "toolSpec",
			"googleSearch", "google_search", "codeExecution", "code_execution", "urlContext", "url_context":
			return true
		}
	}
	return false
}

// foreignPart reads a system prompt's block, or the definitions of tools.
func (c *Core) foreignPart(v json.Value, to *[]core.Part) {
	content := firstOf(v, "text", "parts", "content")
	if content.Exists() {
		m := message{Core: c, kind: core.System, first: len(c.added)}
		m.content(content)
		for _, at := range c.added[m.first:] {
			*to = append(*to, core.Part{Text: at.Item.Text, Tokens: core.Unknown, Label: at.Item.Label})
		}
		c.added = c.added[:m.first]
		return
	}
	declared := false
	for f := v.Fields(); f.Next(); {
		switch ownKey(f.Key) {
		case "functionDeclarations", "function_declarations":
			declared = true
			for e := f.Value.Elements(); e.Next(); {
				c.tool(e.Value, to)
			}
		case "function", "toolSpec", "custom":
			if f.Value.Kind() == json.Object {
				declared = true
				c.tool(f.Value, to)
			}
		}
	}
	if !declared {
		c.tool(v, to)
	}
}

// tool adds the definition of a tool: its JSON, as received. A tool without a schema is the provider's own, and its
// definition is not visible.
func (c *Core) tool(v json.Value, to *[]core.Part) {
	p := core.Part{Tokens: core.Unknown, Text: c.compact(v.Raw()), Label: core.Named(label(firstOf(v, "name", "type"))), Deferred: v.Get("defer_loading").Bool()}
	if !firstOf(v, "input_schema", "inputSchema", "parameters", "parametersJsonSchema", "description", "format").Exists() {
		c.warn("tool", firstOf(v, "type", "name"))
	}
	*to = append(*to, p)
}
