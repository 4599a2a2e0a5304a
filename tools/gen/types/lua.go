// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// lua generates the types for Lua's language server, as classes and aliases below the name ctx.
func lua(s *schema, _ []byte) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "-- %s\n\n-- %s\n\n---@meta\n-- An absent field is nil here: JSON's null never gets through.\n", header, origin)
	for _, d := range s.types {
		out.WriteByte('\n')
		for _, line := range wrap(strings.Join(strings.Fields(d.doc), " "), 116) {
			fmt.Fprintf(&out, "--- %s\n", line)
		}
		switch {
		case d.foreign != "":
			fmt.Fprintf(&out, "---@alias ctx.%s %s\n", d.name, s.foreignInLua(d.foreign))
		case d.is == text:
			fmt.Fprintf(&out, "---@alias ctx.%s\n", d.name)
			for _, word := range d.words {
				fmt.Fprintf(&out, "---| %q\n", word)
			}
		default:
			fmt.Fprintf(&out, "---@class (exact) ctx.%s\n", d.name)
			for i := range d.fields {
				f := &d.fields[i]
				mark := ""
				if f.optional || f.pointer {
					mark = "?"
				}
				line := fmt.Sprintf("---@field %s%s %s", f.name, mark, s.inLua(f))
				if whole := line + " " + f.doc; len(whole) <= 120 {
					fmt.Fprintln(&out, strings.TrimRight(whole, " "))
					continue
				}
				for _, part := range wrap(f.doc, 116) {
					fmt.Fprintf(&out, "--- %s\n", part)
				}
				fmt.Fprintln(&out, line)
			}
		}
	}
	return out.Bytes(), nil
}

func (s *schema) inLua(f *field) string {
	of := s.typeOf(f)
	name := "ctx." + of.name
	switch {
	case of.name == "bool":
		name = "boolean"
	case of.name == "string":
		name = "string"
		if words := listed(f.doc); words != nil {
			name = `"` + strings.Join(words, `"|"`) + `"`
		}
	case of.is == integer:
		name = "integer"
	case of.is == decimal:
		name = "number"
	}
	switch {
	case f.array && strings.Contains(name, "|"):
		name = "(" + name + ")[]"
	case f.array:
		name += "[]"
	case f.dictionary:
		name = "table<string, " + name + ">"
	}
	return name
}

var typeWord = regexp.MustCompile(`\b[A-Z]\w*`)

// foreignInLua converts a TypeScript type to a Lua type.
func (s *schema) foreignInLua(typescript string) string {
	lua := strings.NewReplacer("Record<string, never>", "table", "unknown", "any", "null", "nil", " | ", "|").Replace(typescript)
	return typeWord.ReplaceAllStringFunc(lua, func(name string) string { return "ctx." + name })
}
