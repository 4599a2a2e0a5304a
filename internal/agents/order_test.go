// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestTheFieldsOfAnAgentHaveOneOrder fails if an agent's entry names its fields in another order than their types do:
// its id and directory come first, then where its sessions are, how they are read, and the rest.
func TestTheFieldsOfAnAgentHaveOneOrder(t *testing.T) {
	types := map[string]reflect.Type{}
	for _, of := range []any{Agent{}, Places{}, Records{}, Configuration{}, Prompts{}, Process{}} {
		types[reflect.TypeOf(of).Name()] = reflect.TypeOf(of)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	entries := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		parsed := token.NewFileSet()
		file, err := parser.ParseFile(parsed, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			of, ok := literal.Type.(*ast.Ident)
			if !ok || types[of.Name] == nil {
				return true
			}
			entries++
			var order [][]int
			for _, element := range literal.Elts {
				key := element.(*ast.KeyValueExpr).Key.(*ast.Ident)
				field, _ := types[of.Name].FieldByName(key.Name)
				if order = append(order, field.Index); !slices.IsSortedFunc(order, slices.Compare) {
					t.Errorf("%s: %s comes too late in %s", parsed.Position(key.Pos()), key.Name, of.Name)
				}
			}
			return true
		})
	}
	if entries < len(types) {
		t.Errorf("only %d entries were found", entries)
	}
}
