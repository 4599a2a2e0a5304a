// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// declarations writes every exported type of the packages that JSON is made of: structs whose fields have json tags,
// and the strings among them. Files are read in the order of their names, types in the order of their files.
func declarations(folders ...string) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("// Copyright The ctx-lsp authors. MIT licence.\n\n// Generated from the Go types of core/api and lsp by `make types`. Do not edit.\n")
	known := map[string]bool{}
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			return nil, err
		}
		slices.Sort(names)
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			if err := declareFile(&out, file, known); err != nil {
				return nil, err
			}
		}
	}
	err := methods(&out, known)
	return out.Bytes(), err
}

func declareFile(out *bytes.Buffer, file *ast.File, known map[string]bool) error {
	for _, declaration := range file.Decls {
		group, ok := declaration.(*ast.GenDecl)
		if !ok || group.Tok != token.TYPE {
			continue
		}
		for _, spec := range group.Specs {
			spec := spec.(*ast.TypeSpec)
			doc := spec.Doc
			if doc == nil {
				doc = group.Doc
			}
			if !spec.Name.IsExported() {
				continue
			}
			switch t := spec.Type.(type) {
			case *ast.StructType:
				if !hasTags(t) {
					continue
				}
				comment(out, "", doc)
				fmt.Fprintf(out, "export interface %s {\n", spec.Name.Name)
				if err := fields(out, t); err != nil {
					return fmt.Errorf("%s: %w", spec.Name.Name, err)
				}
				out.WriteString("}\n")
			case *ast.Ident:
				if t.Name != "string" || !inProtocol(file) {
					continue
				}
				comment(out, "", doc)
				fmt.Fprintf(out, "export type %s = %s\n", spec.Name.Name, words(doc.Text(), "string"))
			default:
				continue
			}
			if known[spec.Name.Name] {
				return fmt.Errorf("there are two types called %s", spec.Name.Name)
			}
			known[spec.Name.Name] = true
		}
	}
	return nil
}

// inProtocol is true of a file that declares types with json tags: its named strings belong to them.
func inProtocol(file *ast.File) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if t, ok := n.(*ast.TypeSpec); ok && t.Name.IsExported() {
			if s, ok := t.Type.(*ast.StructType); ok && hasTags(s) {
				found = true
			}
		}
		return !found
	})
	return found
}

func hasTags(t *ast.StructType) bool {
	for _, f := range t.Fields.List {
		if f.Tag != nil && strings.Contains(f.Tag.Value, `json:"`) {
			return true
		}
	}
	return false
}

func fields(out *bytes.Buffer, t *ast.StructType) error {
	for _, f := range t.Fields.List {
		if f.Tag == nil {
			return fmt.Errorf("a field has no json tag")
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			return err
		}
		name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if name == "-" {
			continue
		}
		optional := ""
		if strings.Contains(options, "omitempty") {
			optional = "?"
		}
		kind, err := typeName(f.Type)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if kind == "string" {
			kind = words(f.Comment.Text(), kind)
		}
		comment(out, "  ", f.Doc, f.Comment)
		fmt.Fprintf(out, "  %s%s: %s\n", name, optional, kind)
	}
	return nil
}

func typeName(expression ast.Expr) (string, error) {
	switch t := expression.(type) {
	case *ast.Ident:
		switch t.Name {
		case "string", "bool":
			return map[string]string{"string": "string", "bool": "boolean"}[t.Name], nil
		case "int", "int32", "int64", "uint32", "uint64", "float64":
			return "number", nil
		case "any":
			return "unknown", nil
		}
		return t.Name, nil
	case *ast.StarExpr:
		of, err := typeName(t.X)
		return of + " | null", err
	case *ast.ArrayType:
		of, err := typeName(t.Elt)
		if strings.Contains(of, " ") {
			of = "(" + of + ")"
		}
		return of + "[]", err
	case *ast.MapType:
		of, err := typeName(t.Value)
		return "Record<string, " + of + ">", err
	case *ast.StructType:
		var inner bytes.Buffer
		err := fields(&inner, t)
		return "{\n" + strings.TrimRight(inner.String(), "\n") + "\n}", err
	case *ast.SelectorExpr:
		if t.Sel.Name == "RawMessage" {
			return "unknown", nil
		}
		return t.Sel.Name, nil
	}
	return "", fmt.Errorf("a %T has no counterpart in TypeScript", expression)
}

var (
	quoted  = regexp.MustCompile(`"[^"]*"`)
	listing = regexp.MustCompile(`^(?:[^"]*: )?"[^"]*"(?:(?:, | or )"[^"]*")*\.?$`)
)

// words makes a union of the strings that a comment lists, if a list is all it ends with.
func words(doc, otherwise string) string {
	doc = strings.Join(strings.Fields(doc), " ")
	if !listing.MatchString(doc) {
		return otherwise
	}
	var union []string
	for _, w := range quoted.FindAllString(doc, -1) {
		union = append(union, "'"+strings.Trim(w, `"`)+"'")
	}
	return strings.Join(union, " | ")
}

func comment(out *bytes.Buffer, indent string, groups ...*ast.CommentGroup) {
	if indent == "" {
		out.WriteByte('\n')
	}
	var lines []string
	for _, g := range groups {
		if text := strings.TrimSpace(g.Text()); text != "" {
			lines = append(lines, strings.Split(text, "\n")...)
		}
	}
	switch len(lines) {
	case 0:
	case 1:
		fmt.Fprintf(out, "%s/** %s */\n", indent, lines[0])
	default:
		fmt.Fprintf(out, "%s/**\n", indent)
		for _, line := range lines {
			fmt.Fprintf(out, "%s * %s\n", indent, line)
		}
		fmt.Fprintf(out, "%s */\n", indent)
	}
}

// shapes are the types of each method's parameters and result.
var shapes = map[string][2]string{
	"ctx/session/open":      {"OpenParams", "Reading"},
	"ctx/session/update":    {"UpdateParams", "Reading"},
	"ctx/session/usage":     {"UsageParams", "Reading"},
	"ctx/session/error":     {"ErrorParams", "Reading"},
	"ctx/session/compacted": {"CompactedParams", "Reading"},
	"ctx/session/records":   {"RecordsParams", "Reading | RecordsAnswer"},
	"ctx/session/reading":   {"SessionParams", "Reading"},
	"ctx/session/close":     {"SessionParams", "Record<string, never>"},
	"ctx/sessions":          {"Record<string, never>", "SessionsAnswer"},
	"ctx/session/history":   {"HistoryParams", "HistoryAnswer"},
	"ctx/session/items":     {"ItemsParams", "ItemsAnswer"},
	"ctx/session/save":      {"SessionParams", "SaveAnswer"},
	"ctx/session/restore":   {"RestoreParams", "Reading"},
	"ctx/document/open":     {"DocumentOpenParams", "DocumentAnswer"},
	"ctx/document/change":   {"DocumentChangeParams", "DocumentAnswer"},
	"ctx/document/view":     {"DocumentViewParams", "DocumentAnswer"},
	"ctx/document/close":    {"DocumentParams", "Record<string, never>"},
	"ctx/count":             {"CountParams", "CountAnswer"},
	"ctx/models":            {"ModelsParams", "ModelsAnswer"},
	"ctx/learned/get":       {"Record<string, never>", "LearnedAnswer"},
	"ctx/learned/set":       {"LearnedParams", "Record<string, never>"},
}

var typeWord = regexp.MustCompile(`[A-Z]\w+`)

// methods writes which parameters and which result each method has. A type that Go does not declare is unknown.
func methods(out *bytes.Buffer, known map[string]bool) error {
	out.WriteString("\n/** The methods of the core, and what each takes and answers. */\nexport interface Methods {\n")
	for _, method := range api.Methods {
		shape, ok := shapes[method]
		if !ok {
			return fmt.Errorf("the method %s has no shapes here", method)
		}
		for i := range shape {
			for _, word := range typeWord.FindAllString(shape[i], -1) {
				if word != "Record" && !known[word] {
					shape[i] = "unknown"
				}
			}
		}
		fmt.Fprintf(out, "  '%s': { params: %s; result: %s }\n", method, shape[0], shape[1])
	}
	out.WriteString("}\n")
	return nil
}
