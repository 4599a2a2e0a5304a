// Copyright The ctx-lsp authors. MIT licence.

package core_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/model"
)

// TestTheCoreNamesNobody checks that no string of package core is the name of an agent or of a provider: its
// subpackages are the tables. "generic" is the kind of a session that no agent leads.
func TestTheCoreNamesNobody(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	named := func(s string) bool {
		_, isAgent := agent.Find(s)
		return isAgent && s != "generic" || s != "" && model.KnownProvider(s)
	}
	for _, name := range []string{"claude-code", "codex", "github-copilot", "openai", "anthropic"} {
		if !named(name) {
			t.Errorf("%s is not taken for a name", name)
		}
	}
	set := token.NewFileSet()
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if s, err := strconv.Unquote(literal.Value); err == nil && named(s) {
					t.Errorf("%s: %q is the name of an agent or a provider", set.Position(literal.Pos()), s)
				}
			}
			return true
		})
	}
}
