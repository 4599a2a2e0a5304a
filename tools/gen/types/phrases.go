// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// A phrase is an entry of core/api/phrases.go.
type phrase struct{ id, text string }

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
	ids, texts := map[string]bool{}, map[string]bool{}
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
	fmt.Fprintf(&out, "// %s\n\n// Code generated from core/api/phrases.go by `make generated`. DO NOT EDIT.\n\n", header)
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
