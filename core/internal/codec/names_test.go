// Copyright The ctx-lsp authors. MIT licence.

package codec_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// several are the methods that expect one name for each field; single are the functions for one field.
var (
	several = []string{"Ints", "Sizes", "Bools", "Names", "Texts", "Hash", "Array"}
	single  = []string{"Within", "Below", "List", "Map"}
)

// named returns the names that a call gives to its fields, and the fields. ok is false for other calls.
func named(call *ast.CallExpr) (names string, fields []ast.Expr, ok bool) {
	of, selects := call.Fun.(*ast.SelectorExpr)
	if !selects {
		return "", nil, false
	}
	args := call.Args
	switch {
	case slices.Contains(single, of.Sel.Name) && isNamed(of.X, "codec") && len(args) > 2:
		args = args[1:3]
	case slices.Contains(several, of.Sel.Name) && len(args) > 1:
	default:
		return "", nil, false
	}
	literal, is := args[0].(*ast.BasicLit)
	if !is {
		return "", nil, false
	}
	names, err := strconv.Unquote(literal.Value)
	return names, args[1:], err == nil
}

func isNamed(e ast.Expr, name string) bool {
	id, is := e.(*ast.Ident)
	return is && id.Name == name
}

// nameOf returns the path of a field in the value being walked, or "" for an expression that is not a field.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return nameOf(e.X)
	case *ast.SliceExpr:
		return nameOf(e.X)
	case *ast.IndexExpr:
		return nameOf(e.X)
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if _, root := e.X.(*ast.Ident); root {
			return e.Sel.Name
		}
		if above := nameOf(e.X); above != "" {
			return above + "." + e.Sel.Name
		}
	}
	return ""
}

// partOf returns the name that an argument gives to a part.
func partOf(call *ast.CallExpr) (name string, ok bool) {
	for _, arg := range call.Args {
		if part, is := arg.(*ast.CallExpr); is {
			if of, selects := part.Fun.(*ast.SelectorExpr); selects && of.Sel.Name == "Part" && len(part.Args) == 1 {
				name, err := strconv.Unquote(part.Args[0].(*ast.BasicLit).Value)
				return name, err == nil
			}
		}
	}
	return "", false
}

// TestFieldsHaveTheirNames checks all walks. The format follows the fields only if each is passed with its own name,
// and if optional fields are also walked while the format is described.
func TestFieldsHaveTheirNames(t *testing.T) {
	files := token.NewFileSet()
	fields, parts := 0, 0
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Base(filepath.Dir(path)) == "codec" {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return strings.HasSuffix(i.Path.Value, `/internal/codec"`) }) {
			return nil
		}
		ast.Inspect(file, func(n ast.Node) bool {
			at := func() token.Position { return files.Position(n.Pos()) }
			switch n := n.(type) {
			case *ast.IfStmt:
				if walks(n.Body) && !calls(n.Cond, "When") {
					t.Errorf("%s: a field is walked under a condition that is not one of When", at())
				}
			case *ast.CaseClause:
				if walks(n) {
					t.Errorf("%s: a field is walked in a case", at())
				}
			case *ast.CallExpr:
				if name, is := partOf(n); is {
					parts++
					part := n.Args[len(n.Args)-1]
					if of, selects := n.Fun.(*ast.SelectorExpr); selects && nameOf(part) != name {
						part = of.X
					}
					if nameOf(part) != name {
						t.Errorf("%s: %s is called %q", at(), nameOf(part), name)
					}
				}
				names, list, is := named(n)
				if !is {
					return true
				}
				words := strings.Fields(names)
				for i, field := range list {
					if name := nameOf(field); i >= len(words) || name != words[i] && !isConversion(field) {
						t.Errorf("%s: %s is called %q", at(), name, names)
					}
					fields++
				}
			}
			return true
		})
		return nil
	})
	if err != nil || fields < 300 || parts < 40 {
		t.Errorf("%d fields and %d parts were found: %v", fields, parts, err)
	}
}

func isConversion(e ast.Expr) bool {
	_, is := e.(*ast.CallExpr)
	return is
}

// walks reports whether a statement walks fields.
func walks(in ast.Node) (found bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		if call, is := n.(*ast.CallExpr); is {
			_, _, field := named(call)
			_, part := partOf(call)
			found = found || field || part
		}
		return !found
	})
	return found
}

func calls(in ast.Node, method string) (found bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		if of, is := n.(*ast.SelectorExpr); is && of.Sel.Name == method {
			found = true
		}
		return !found
	})
	return found
}
