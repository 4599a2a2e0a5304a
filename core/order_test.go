// Copyright The ctx-lsp authors. MIT licence.

package core_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoResultIsReturnedBesideTheCallThatFillsIt checks that no return statement reads a variable and calls a function
// that changes it: Go leaves their order open. The Go toolchain reads the variable after the call, TinyGo before it, so
// the caller would get it empty.
func TestNoResultIsReturnedBesideTheCallThatFillsIt(t *testing.T) {
	files := token.NewFileSet()
	looked := 0
	for _, root := range []string{".", "../internal/json", "../core/internal/template", "../wasm"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			looked++
			ast.Inspect(file, func(n ast.Node) bool {
				if r, ok := n.(*ast.ReturnStmt); ok {
					for i, result := range r.Results {
						if name, ok := result.(*ast.Ident); ok && addressed(name.Name, r.Results[i+1:]) {
							t.Errorf("%s: %s is returned beside a call that gets its address", files.Position(r.Pos()), name.Name)
						}
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if looked < 100 {
		t.Fatalf("only %d files were looked at", looked)
	}
}

// addressed reports whether an expression takes the address of a variable.
func addressed(variable string, in []ast.Expr) bool {
	found := false
	for _, e := range in {
		ast.Inspect(e, func(n ast.Node) bool {
			if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND {
				if name, ok := u.X.(*ast.Ident); ok && name.Name == variable {
					found = true
				}
			}
			return true
		})
	}
	return found
}
