// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"
)

// A phrase is an entry of core/api/phrases.go, or a constant of the type Phrase.
type phrase struct{ id, text string }

// readConstants reads the phrases that are constants of a package of the core.
func readConstants(folder string) ([]phrase, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var out []phrase
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Type == nil || len(spec.Values) != 1 || !strings.HasSuffix(types.ExprString(spec.Type), "Phrase") {
				return true
			}
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok {
				value, _ := strconv.Unquote(literal.Value)
				id, text, _ := strings.Cut(value, ":")
				out = append(out, phrase{id, text})
			}
			return false
		})
	}
	return out, nil
}

// readPhrases reads the tables of core/api/phrases.go. A text may be a constant of the same file.
func readPhrases(folder string) ([]phrase, error) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, "phrases.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	constants := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok {
				constants[spec.Names[0].Name], _ = strconv.Unquote(literal.Value)
			}
		}
		return true
	})
	var out []phrase
	ids := map[string]bool{}
	for _, other := range []string{filepath.Dir(folder), filepath.Join(folder, "..", "promptfile")} {
		constants, err := readConstants(other)
		if err != nil {
			return nil, err
		}
		for _, p := range constants {
			if p.id == "" || p.text == "" || ids[p.id] {
				return nil, fmt.Errorf("the phrase %q, %q lacks something, or is there twice", p.id, p.text)
			}
			ids[p.id] = true
			out = append(out, p)
		}
	}
	texts := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		entry, ok := n.(*ast.CompositeLit)
		if !ok || entry.Type != nil || len(entry.Elts) != 2 {
			return true
		}
		var both [2]string
		for i, e := range entry.Elts {
			switch e := e.(type) {
			case *ast.BasicLit:
				both[i], _ = strconv.Unquote(e.Value)
			case *ast.Ident:
				both[i] = constants[e.Name]
			}
		}
		if both[0] == "" || both[1] == "" || ids[both[0]] || texts[both[1]] {
			err = fmt.Errorf("the phrase %q, %q lacks something, or is there twice", both[0], both[1])
		}
		ids[both[0]], texts[both[1]] = true, true
		out = append(out, phrase{both[0], both[1]})
		return false
	})
	if len(out) == 0 && err == nil {
		err = fmt.Errorf("phrases.go has no phrases")
	}
	return out, err
}

// phraseFunctions writes for the VS Code extension how each phrase is said in the language of the editor. The calls
// hold the English texts as they stand, because the list for translators is made from them.
func phraseFunctions(s *schema, _ []byte) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "// %s\n\n// Code generated from the phrases of the core by `make generated`. DO NOT EDIT.\n\n", header)
	out.WriteString("import * as vscode from 'vscode';\n\n")
	out.WriteString("/** Says each phrase of the calculator in the language of the editor, by its id. */\n")
	out.WriteString("export const phrases: Record<string, (...args: string[]) => string> = {\n")
	for _, p := range s.phrases {
		text := strings.ReplaceAll(strings.ReplaceAll(p.text, `\`, `\\`), "'", `\'`)
		fmt.Fprintf(&out, "  %s: (...args) => vscode.l10n.t('%s', ...args),\n", p.id, text)
	}
	out.WriteString("};\n")
	return out.Bytes(), nil
}
