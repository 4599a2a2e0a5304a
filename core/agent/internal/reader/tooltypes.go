// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// maxSchemaDepth is the depth to which a schema is followed.
const maxSchemaDepth = 12

// Definitions appends the definitions of tools in TypeScript, with the descriptions as comments. OpenAI shows them to
// the model in this form.
func Definitions(text []byte, tools json.Value) []byte {
	for e := tools.Elements(); e.Next(); {
		if inner := e.Value.Get("tools"); inner.Kind() == json.Array {
			text = comment(text, e.Value.Get("description"))
			text = append(text, "namespace "...)
			text = e.Value.Get("name").AppendText(text)
			text = append(text, " {\n\n"...)
			for t := inner.Elements(); t.Next(); {
				text = Definition(text, t.Value)
			}
			text = append(text, "} // namespace "...)
			text = e.Value.Get("name").AppendText(text)
			text = append(text, "\n\n"...)
			continue
		}
		text = Definition(text, e.Value)
	}
	return text
}

// Definition appends the definition of one tool in the same form. The grammar of a tool's input is a comment.
func Definition(text []byte, tool json.Value) []byte {
	text = comment(text, tool.Get("description"))
	text = comment(text, tool.Path("format", "definition"))
	text = append(text, "type "...)
	text = tool.Get("name").AppendText(text)
	text = append(text, " = (_: "...)
	text = schemaType(text, tool.Get("parameters"), 0)
	return append(text, ") => any;\n\n"...)
}

// comment appends a text whose lines are comments.
func comment(text []byte, words json.Value) []byte {
	if !HasText(words) {
		return text
	}
	for line := range strings.SplitSeq(words.String(), "\n") {
		text = append(text, "// "...)
		text = append(text, line...)
		text = append(text, '\n')
	}
	return text
}

// schemaType writes a JSON schema as a type.
func schemaType(text []byte, schema json.Value, depth int) []byte {
	if depth > maxSchemaDepth {
		return append(text, "any"...)
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if list := schema.Get(key); list.Kind() == json.Array {
			return union(text, list, func(text []byte, v json.Value) []byte { return schemaType(text, v, depth+1) })
		}
	}
	if list := schema.Get("enum"); list.Kind() == json.Array {
		return union(text, list, func(text []byte, v json.Value) []byte { return append(text, v.Raw()...) })
	}
	kind := schema.Get("type")
	if kind.Kind() == json.Array {
		return union(text, kind, func(text []byte, v json.Value) []byte { return named(text, v) })
	}
	switch {
	case kind.Is("object"), schema.Get("properties").Kind() == json.Object:
		return objectType(text, schema, depth)
	case kind.Is("array"):
		if items := schema.Get("items"); items.Kind() == json.Object {
			text = schemaType(text, items, depth+1)
		} else {
			text = append(text, "any"...)
		}
		return append(text, "[]"...)
	}
	return named(text, kind)
}

func named(text []byte, kind json.Value) []byte {
	switch {
	case kind.Is("integer"):
		return append(text, "number"...)
	case HasText(kind):
		return kind.AppendText(text)
	}
	return append(text, "any"...)
}

func union(text []byte, list json.Value, each func([]byte, json.Value) []byte) []byte {
	n := 0
	for e := list.Elements(); e.Next(); n++ {
		if n > 0 {
			text = append(text, " | "...)
		}
		text = each(text, e.Value)
	}
	return text
}

func objectType(text []byte, schema json.Value, depth int) []byte {
	text = append(text, "{\n"...)
	for f := schema.Get("properties").Fields(); f.Next(); {
		text = comment(text, f.Value.Get("description"))
		text = f.Key.AppendText(text)
		required := false
		for e := schema.Get("required").Elements(); e.Next() && !required; {
			required = string(e.Value.Raw()) == string(f.Key.Raw())
		}
		if !required {
			text = append(text, '?')
		}
		text = append(text, ": "...)
		text = schemaType(text, f.Value, depth+1)
		text = append(text, ',')
		if usual := f.Value.Get("default"); usual.Exists() {
			text = append(text, " // default: "...)
			text = append(text, usual.Raw()...)
		}
		text = append(text, '\n')
	}
	return append(text, '}')
}
