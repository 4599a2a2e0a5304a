// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestEveryVariableIsListed holds that a variable which is read here is known to whoever keeps daemons of different
// people apart: each text that looks like the name of one, where none is a name of anything else.
func TestEveryVariableIsListed(t *testing.T) {
	name := regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$|^(LOCAL)?APPDATA$`)
	own, _ := filepath.Glob("*.go")
	places, _ := filepath.Glob("../dirs/*.go")
	others, _ := filepath.Glob("../source/*.go")
	read := map[string]bool{}
	for _, file := range slices.Concat(own, places, others) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) { // the lists themselves
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Variables" {
					return false
				}
			case *ast.ValueSpec:
				if n.Names[0].Name == "variables" {
					return false
				}
			}
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if s, err := strconv.Unquote(text.Value); err == nil && name.MatchString(s) && s != "SQLITE_BUSY" {
					read[s] = true
				}
			}
			return true
		})
	}
	if len(read) < 30 {
		t.Fatalf("only %d variables are read: %v", len(read), read)
	}
	for each := range read {
		if !slices.Contains(Variables(), each) {
			t.Errorf("%s is read and not in Variables", each)
		}
	}
	for _, each := range Variables() {
		if !read[each] {
			t.Errorf("%s is in Variables and nothing reads it", each)
		}
	}
}
