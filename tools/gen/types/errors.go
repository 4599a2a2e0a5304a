// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// A failure is an entry of the table of errors in core/api/schema_errors.go.
type failure struct {
	kind string
	code string
	doc  string
	by   string
}

// constant returns the Go name of the kind: ParseError for parse_error.
func (f *failure) constant() string {
	var name strings.Builder
	for _, word := range strings.Split(f.kind, "_") {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String()
}

// readFailures reads the table of errors, if the file declares it, and adds its kinds to the words of the type
// ErrorKind.
func (s *schema) readFailures(file *ast.File) error {
	for _, declaration := range file.Decls {
		group, ok := declaration.(*ast.GenDecl)
		if !ok || group.Tok != token.VAR {
			continue
		}
		for _, spec := range group.Specs {
			spec := spec.(*ast.ValueSpec)
			if spec.Names[0].Name != "failures" {
				continue
			}
			if err := s.readFailureTable(file, spec); err != nil {
				return fmt.Errorf("failures: %w", err)
			}
		}
	}
	return nil
}

func (s *schema) readFailureTable(file *ast.File, spec *ast.ValueSpec) error {
	table, ok := spec.Values[0].(*ast.CompositeLit)
	if !ok {
		return fmt.Errorf("it is not a table")
	}
	kinds := s.byName["ErrorKind"]
	if kinds == nil {
		return fmt.Errorf("there is no type ErrorKind in the same file")
	}
	after := table.Lbrace
	for _, element := range table.Elts {
		f := failure{doc: commentBetween(file, after, element.Pos())}
		after = element.End()
		entry, ok := element.(*ast.CompositeLit)
		if !ok {
			return fmt.Errorf("an entry is not written out")
		}
		for _, pair := range entry.Elts {
			pair, ok := pair.(*ast.KeyValueExpr)
			if !ok {
				return fmt.Errorf("a member of an entry has no name")
			}
			switch v := pair.Value.(type) {
			case *ast.UnaryExpr: // a negative code
				f.code = v.Op.String() + v.X.(*ast.BasicLit).Value
			case *ast.BasicLit:
				switch pair.Key.(*ast.Ident).Name {
				case "Kind":
					f.kind, _ = strconv.Unquote(v.Value)
				case "By":
					f.by, _ = strconv.Unquote(v.Value)
				case "Code":
					f.code = v.Value
				}
			}
		}
		if f.kind == "" || f.code == "" || f.doc == "" {
			return fmt.Errorf("the entry %q lacks a kind, a code or a comment", f.kind)
		}
		s.failures = append(s.failures, f)
		kinds.words = append(kinds.words, f.kind)
	}
	return nil
}

// errorKinds generates the constants of the kinds.
func errorKinds(s *schema, _ []byte) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("\n// These are the kinds of errors.\nconst (\n")
	for _, f := range s.failures {
		fmt.Fprintf(&out, "%s = %q\n", f.constant(), f.kind)
	}
	out.WriteString(")\n")
	return goFile(out.Bytes())
}

// errorTable writes the table of errors for the documentation.
func (s *schema) errorTable(out *bytes.Buffer) {
	out.WriteString("\n| kind | code | when |\n|---|---|---|\n")
	for _, f := range s.failures {
		doc := f.doc
		if f.by == "daemon" {
			doc += " (daemon)"
		}
		fmt.Fprintf(out, "| `%s` | %s | %s |\n", f.kind, f.code, doc)
	}
}
