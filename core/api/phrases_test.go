// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// saidAs is the phrase that a text is, as it is written.
func saidAs(text string) string {
	w := json.Writer{}
	said(&w, "", text)
	return string(w.Buf)
}

// A text travels with an id and what stands in it, which may be a phrase itself; a text of somebody else travels alone.
func TestTextsTravelAsPhrases(t *testing.T) {
	for text, want := range map[string]string{
		"System prompt": `{"id":"system"}`,
		"src/api.go":    ``,
		"":              ``,
		"Tools, not":    ``,
		"other Tools":   `{"id":"other","args":[{"id":"tools"}]}`,
		"Not in the transcript: what was put back at a resume":                          `{"id":"unseen","args":[{"id":"resumed"}]}`,
		"Built-in tools, as in claude-code@2.1.50":                                      `{"id":"asIn","args":[{"id":"builtIn"},"claude-code@2.1.50"]}`,
		"Memory, as in an earlier session":                                              `{"id":"asEarlier","args":[{"id":"memory"}]}`,
		"Estimated rows were scaled to 93 % so that they fit the measured total.":       `{"id":"scaled","args":["93"]}`,
		"12 tools of x, 9 never called, 8.1k in every request":                          `{"id":"inEveryRequest","args":[{"id":"neverCalled","args":[{"id":"toolsOf","args":["12","x"]},"9"]},"8.1k"]}`,
		"12 records were skipped: not JSON.":                                            `{"id":"skipped","args":["12",{"id":"notJson"}]}`,
		"The usage field a.b is not there; it counts as unknown.":                       `{"id":"fieldAbsent","args":["a.b"]}`,
		"The usage field a is null, not a number of tokens; it counts as unknown.":      `{"id":"fieldOther","args":["a","null, not a number of tokens"]}`,
		"12 records were skipped: not JSON. (3 times)":                                  `{"id":"times","args":[{"id":"skipped","args":["12",{"id":"notJson"}]},"3"]}`,
		"A usage does not say how long the prompt was; the last measured prompt stays.": `{"id":"noPrompt"}`,
	} {
		if got := saidAs(text); got != want {
			t.Errorf("%q is %s, not %s", text, got, want)
		}
	}
}

// What the core says by itself has a phrase, or every face would show it in English. The texts are found where they
// stand in the source: as labels, advice, reasons, causes and sentences of warnings.
func TestEveryTextOfTheCoreIsAPhrase(t *testing.T) {
	texts := 0
	look := func(position token.Position, e ast.Expr) {
		literal, ok := e.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil || text == "" {
			return
		}
		texts++
		if saidAs(text) == "" && !slices.Contains(namesOfThings, text) {
			t.Errorf("%s: core/api/phrases.go lacks %q", position, text)
		}
	}
	for _, folder := range []string{"..", "../agent", "../provider", "."} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_gen.go") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			within := ""
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					within = n.Name.Name
				case *ast.KeyValueExpr:
					if key, ok := n.Key.(*ast.Ident); ok && slices.Contains(saidFields, key.Name) {
						look(set.Position(n.Pos()), n.Value)
					}
				case *ast.AssignStmt:
					for i, to := range n.Lhs {
						if selector, ok := to.(*ast.SelectorExpr); ok && slices.Contains(saidFields, selector.Sel.Name) && i < len(n.Rhs) {
							look(set.Position(n.Pos()), n.Rhs[i])
						}
					}
				case *ast.ReturnStmt:
					if within == "cause" || within == "rangeCause" {
						look(set.Position(n.Pos()), n.Results[0])
					}
				case *ast.CallExpr:
					if name, ok := n.Fun.(*ast.Ident); ok && name.Name == "note" && len(n.Args) == 2 {
						look(set.Position(n.Pos()), n.Args[1])
					}
					selector, ok := n.Fun.(*ast.SelectorExpr)
					if !ok || selector.Sel.Name != "add" || len(n.Args) == 0 {
						break
					}
					if of, ok := selector.X.(*ast.SelectorExpr); ok && (of.Sel.Name == "warnings" || of.Sel.Name == "leaving") {
						look(set.Position(n.Pos()), n.Args[0])
					}
				}
				return true
			})
		}
	}
	if texts < 60 {
		t.Errorf("only %d texts were found", texts)
	}
}

// saidFields are the fields that hold texts of ours.
var saidFields = []string{"Label", "How", "Sentence", "Note", "note", "LimitsNote", "BehindCache", "BehindSystem", "PrintsAs"}

// namesOfThings are labels that are called alike in every language.
var namesOfThings = []string{"AGENTS.md", "Skill", "bash", " "}
