// Copyright The ctx-lsp authors. MIT licence.

package core_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tests returns the names of all tests.
func tests(t *testing.T) map[string]bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	there := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (name == "node_modules" || name == "testdata" || name == ".cache" || name == ".git" || name == "bin"):
			return filepath.SkipDir
		case strings.HasSuffix(name, "_test.go"):
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, each := range declared.FindAllSubmatch(source, -1) {
				there[string(each[1])] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return there
}

// TestPromisesAreHeldByTestsThatExist holds that docs/security.md names no test that is not there, and a test with each
// promise.
func TestPromisesAreHeldByTestsThatExist(t *testing.T) {
	text, err := os.ReadFile("../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	there := tests(t)
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	promises := 0
	table := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		names := named.FindAllStringSubmatch(line, -1)
		for _, each := range names {
			if !there[each[1]] {
				t.Errorf("%s is no test", each[1])
			}
		}
		switch {
		case !strings.HasPrefix(line, "|"):
			table = ""
		case table == "":
			table = line
		case table == "| promise | test |" && !strings.HasPrefix(line, "|---"):
			promises++
			if len(names) == 0 {
				t.Errorf("nothing holds %s", line)
			}
		}
	}
	if promises < 22 {
		t.Errorf("there are %d promises", promises)
	}
}

// TestRecipesAreThoseThatRun checks that docs/hosts.md prints the recipes of the programs that `make test-hosts` runs,
// and that each has at most fifteen lines.
func TestRecipesAreThoseThatRun(t *testing.T) {
	page, err := os.ReadFile("../docs/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"aisdk.mjs", "langchain.mjs", "go/main.go"} {
		program, err := os.ReadFile("../examples/hosts/" + name)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, begun := strings.Cut(string(program), "// <recipe>\n")
		recipe, _, ended := strings.Cut(rest, "// </recipe>")
		recipe = strings.TrimSpace(recipe)
		lines := 0
		for line := range strings.Lines(recipe) {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
		if !begun || !ended || !strings.Contains(string(page), recipe) || lines == 0 || lines > 15 {
			t.Errorf("%s: docs/hosts.md does not print its recipe of %d lines", name, lines)
		}
	}
}
