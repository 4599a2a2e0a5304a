// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// A method is an entry of the tables in core/api/methods.go.
type method struct {
	name    string
	doc     string
	takes   string
	answers []string
	reaches string
	effect  string
	profile bool // whether it belongs to the minimal profile
}

func (s *schema) readMethods(file *ast.File) error {
	for _, declaration := range file.Decls {
		group, ok := declaration.(*ast.GenDecl)
		if !ok || group.Tok != token.VAR {
			continue
		}
		for _, spec := range group.Specs {
			spec := spec.(*ast.ValueSpec)
			var err error
			switch spec.Names[0].Name {
			case "Methods":
				s.methods, err = readTable(file, spec)
			case "DaemonMethods":
				s.daemonMethods, err = readTable(file, spec)
			case "Notifications":
				s.notifications, err = readTable(file, spec)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", spec.Names[0], err)
			}
		}
	}
	return nil
}

func readTable(file *ast.File, spec *ast.ValueSpec) ([]method, error) {
	table, ok := spec.Values[0].(*ast.CompositeLit)
	if !ok {
		return nil, fmt.Errorf("it is not a table")
	}
	var out []method
	after := table.Lbrace
	for _, element := range table.Elts {
		m := method{doc: commentBetween(file, after, element.Pos())}
		after = element.End()
		entry, ok := element.(*ast.CompositeLit)
		if !ok {
			return nil, fmt.Errorf("an entry is not written out")
		}
		for _, pair := range entry.Elts {
			pair, ok := pair.(*ast.KeyValueExpr)
			if !ok {
				return nil, fmt.Errorf("a member of an entry has no name")
			}
			value := ""
			switch v := pair.Value.(type) {
			case *ast.BasicLit:
				value, _ = strconv.Unquote(v.Value)
			case *ast.Ident:
				value = v.Name
			}
			switch pair.Key.(*ast.Ident).Name {
			case "Name":
				m.name = value
			case "Takes":
				m.takes = value
			case "Answers":
				m.answers = strings.Split(value, " | ")
			case "Reaches":
				m.reaches = value
			case "Effect":
				m.effect = value
			case "Profile":
				m.profile = value == "true"
			}
		}
		if m.name == "" || m.takes == "" || m.doc == "" {
			return nil, fmt.Errorf("the entry %q lacks a name, the type that it takes or a comment", m.name)
		}
		out = append(out, m)
	}
	return out, nil
}

// commentBetween returns the comment between two positions, or "".
func commentBetween(file *ast.File, from, to token.Pos) string {
	for _, c := range file.Comments {
		if c.Pos() > from && c.End() < to {
			return strings.Join(strings.Fields(c.Text()), " ")
		}
	}
	return ""
}
