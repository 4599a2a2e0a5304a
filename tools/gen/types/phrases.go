// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A phrase is an entry of internal/phrase/list.go: the name of its constant, its id and its English text.
type phrase struct{ constant, id, text string }

// phraseOrigin is the line that marks a list of phrases as generated.
const phraseOrigin = "Code generated from internal/phrase/list.go by `make generated`. DO NOT EDIT."

var (
	typeOfHole = regexp.MustCompile(`\{(\d):(\w+)\}`)
	typesOf    = regexp.MustCompile(`^(count|tokens|name|text)$`)
)

// readPhrases reads internal/phrase/list.go.
func readPhrases(root string) ([]phrase, error) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "internal", "phrase", "list.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	var out []phrase
	ids, texts := map[string]bool{}, map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || err != nil {
			return true
		}
		literal, ok := spec.Values[0].(*ast.BasicLit)
		if !ok {
			return false
		}
		value, _ := strconv.Unquote(literal.Value)
		id, text, _ := strings.Cut(value, ":")
		switch {
		case id == "", text == "" && id != "sequence", ids[id], texts[text]:
			err = fmt.Errorf("the phrase %q, %q lacks something, or is there twice", id, text)
		case !regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`).MatchString(id):
			err = fmt.Errorf("%q is not an id of letters and digits", id)
		}
		for _, hole := range typeOfHole.FindAllStringSubmatch(text, -1) {
			if !typesOf.MatchString(hole[2]) {
				err = fmt.Errorf("the phrase %s has a placeholder of type %s", id, hole[2])
			}
		}
		ids[id], texts[text] = true, true
		out = append(out, phrase{spec.Names[0].Name, id, text})
		return false
	})
	if len(out) == 0 && err == nil {
		err = fmt.Errorf("list.go has no phrases")
	}
	return out, err
}

// phraseList generates the list of all constants.
func phraseList(s *schema, _ []byte) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "// %s\n\n// %s\n\npackage phrase\n\nvar list = [...]ID{\n", header, phraseOrigin)
	for _, p := range s.phrases {
		fmt.Fprintf(&out, "\t%s,\n", p.constant)
	}
	out.WriteString("}\n")
	return out.Bytes(), nil
}

// phraseFunctions generates the phrases in the editor's language for the VS Code extension. The calls contain the
// English texts verbatim, because the list for translators is made from them.
func phraseFunctions(s *schema, _ []byte) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "// %s\n\n// %s\n\n", header, phraseOrigin)
	out.WriteString("import * as vscode from 'vscode';\n\n")
	out.WriteString("/** Each phrase of the calculator in the language of the editor, by its id. */\n")
	out.WriteString("export const phrases: Record<string, (...args: string[]) => string> = {\n")
	for _, p := range s.phrases {
		if p.text == "" {
			fmt.Fprintf(&out, "  %s: (...args) => args.join(''),\n", p.id)
			continue
		}
		text := typeOfHole.ReplaceAllString(p.text, "{$1}")
		text = strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), "'", `\'`)
		fmt.Fprintf(&out, "  %s: (...args) => vscode.l10n.t('%s', ...args),\n", p.id, text)
	}
	out.WriteString("};\n")
	return out.Bytes(), nil
}

// wordFunctions generates, for the VS Code extension, the texts for words of the schema that have phrases with the id
// prefix + word.
func wordFunctions(s *schema, _ []byte) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "// %s\n\n// %s\n\nimport * as vscode from 'vscode';\nimport type { LimitSource, WaitingFor } from '../api/types';\n", header, phraseOrigin)
	for _, of := range []struct{ declared, prefix, about string }{
		{"LimitSource", "limit", "Where a window's size comes from, in the language of the editor."},
		{"WaitingFor", "waiting", "The words for what an agent waits for, in the language of the editor."},
	} {
		fmt.Fprintf(&out, "\n/** %s */\nexport const %sPhrases: Record<%s, () => string> = {\n", of.about, of.prefix, of.declared)
		for _, word := range s.byName[of.declared].words {
			text := s.phraseText(of.prefix + strings.ToUpper(word[:1]) + word[1:])
			if text == "" {
				text = s.phraseText(word)
			}
			if text == "" || strings.ContainsAny(text, `'\{`) {
				return nil, fmt.Errorf("no phrase without placeholders says the %s %s", of.declared, word)
			}
			fmt.Fprintf(&out, "  %s: () => vscode.l10n.t('%s'),\n", word, text)
		}
		out.WriteString("};\n")
	}
	return out.Bytes(), nil
}

// phraseText returns the English text of a phrase, or "" if there is none.
func (s *schema) phraseText(id string) string {
	for _, p := range s.phrases {
		if p.id == id {
			return p.text
		}
	}
	return ""
}

// phraseTable generates the phrases without placeholders for the Neovim plugin, which prints them by id.
func phraseTable(s *schema, _ []byte) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "-- %s\n\n-- %s\n\n--- The phrases without values, by their ids.\n---@type table<string, string>\nreturn {\n", header, phraseOrigin)
	for _, p := range s.phrases {
		if p.text != "" && !typeOfHole.MatchString(p.text) {
			quote := "'"
			if strings.Contains(p.text, "'") && !strings.Contains(p.text, `"`) {
				quote = `"`
			}
			text := strings.ReplaceAll(strings.ReplaceAll(p.text, `\`, `\\`), quote, `\`+quote)
			fmt.Fprintf(&out, "  %s = %s%s%s,\n", p.id, quote, text, quote)
		}
	}
	out.WriteString("}\n")
	return out.Bytes(), nil
}
