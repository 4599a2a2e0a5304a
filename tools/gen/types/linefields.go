// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"strconv"
	"strings"
)

// A lineField is a field that templates of ctx/lines may use.
type lineField struct{ name, meaning string }

// readLineFields reads the table LineFields of core/api.
func readLineFields(file *ast.File) ([]lineField, error) {
	var out []lineField
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Names[0].Name != "LineFields" || len(spec.Values) != 1 {
			return true
		}
		ast.Inspect(spec.Values[0], func(n ast.Node) bool {
			entry, ok := n.(*ast.CompositeLit)
			if !ok || len(entry.Elts) != 2 || entry.Type != nil {
				return true
			}
			var texts [2]string
			for i, e := range entry.Elts {
				if literal, ok := e.(*ast.BasicLit); ok {
					texts[i], _ = strconv.Unquote(literal.Value)
				}
			}
			out = append(out, lineField{texts[0], texts[1]})
			return false
		})
		return false
	})
	for _, f := range out {
		if f.name == "" || f.meaning == "" {
			return nil, fmt.Errorf("the field %q of LineFields lacks a name or a meaning", f.name)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("it has no table LineFields")
	}
	return out, nil
}

func (s *schema) lineFieldTable(out *bytes.Buffer) {
	out.WriteString("\n| field of a template | |\n|---|---|\n")
	for _, f := range s.lineFields {
		fmt.Fprintf(out, "| `{%s}` | %s |\n", f.name, strings.ReplaceAll(f.meaning, "|", `\|`))
	}
}
