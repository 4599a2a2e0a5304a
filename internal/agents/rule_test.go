// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// knowing are the folders whose files may name an agent, its folder or its variables. Others ask the tables there.
var knowing = []string{"core/agent", "core/promptfile", "core/provider", "core/model", "internal/agents", "tools"}

// TestOnlyTheTablesKnowAnAgent looks for constants and texts that are an agent's id, for its own folder, and for its
// variables. They are taken from the tables, so a new agent is included.
func TestOnlyTheTablesKnowAnAgent(t *testing.T) {
	constants := constantsOfAgents(t)
	texts, homes := map[string]bool{}, []string{}
	for _, each := range agent.Entries() {
		if strings.Contains(each.ID, "-") || len(each.ID) > 8 { // shorter ids are words of other meanings
			texts[each.ID] = true
		}
	}
	for _, a := range All() {
		for _, name := range append(slices.Clone(a.Variables), a.Home.Variable) {
			texts[name] = name != ""
		}
		for _, home := range []string{a.Home.Default, a.Home.Within} {
			if strings.HasPrefix(home, ".") {
				homes = append(homes, regexp.QuoteMeta(home))
			}
		}
	}
	home := regexp.MustCompile(`(^|[/\\])(` + strings.Join(homes, "|") + `)($|[/\\])`)
	found := map[string][]string{}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel("../..", path)
		name = filepath.ToSlash(name)
		if entry.IsDir() {
			if base := entry.Name(); slices.Contains(knowing, name) || base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") && name != "." {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			text := ""
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.SelectorExpr:
				if of, ok := n.X.(*ast.Ident); ok && of.Name == "agent" && constants[n.Sel.Name] {
					text = "agent." + n.Sel.Name
				}
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && (texts[s] || home.MatchString(s) && !strings.Contains(s, " ")) {
					text = s
				}
			}
			if text != "" {
				found[name] = append(found[name], strconv.Itoa(files.Position(n.Pos()).Line)+": "+text)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, what := range found {
		t.Errorf("%s names an agent, which only %s may: %s", name, strings.Join(knowing, ", "), strings.Join(what, "; "))
	}
}

// constantsOfAgents lists the names of the constants in core/agent that are ids of agents.
func constantsOfAgents(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("../../core/agent/agent.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\s(\w+)\s+= "([\w-]+)"`).FindAllStringSubmatch(string(text), -1) {
		if _, ok := agent.Find(m[2]); ok {
			names[m[1]] = true
		}
	}
	if len(names) < 30 {
		t.Fatalf("core/agent/agent.go has only %d constants of agents", len(names))
	}
	return names
}
