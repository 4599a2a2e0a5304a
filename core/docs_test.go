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

// TestPromisesAreHeldByTestsThatExist checks that each test named in docs/security.md exists, and that each promise
// names one.
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

// TestRecipesAreThoseThatRun checks the recipes of programs that `make test-hosts` and `make test-hosts-python` run:
// docs/hosts.md links each program and prints two of the recipes, and each recipe has at most fifteen lines.
func TestRecipesAreThoseThatRun(t *testing.T) {
	page, err := os.ReadFile("../docs/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := filepath.Glob("../examples/python/*_host.py")
	if err != nil || len(programs) < 6 {
		t.Fatalf("there are %d programs in Python, %v", len(programs), err)
	}
	for _, name := range append(programs, "../examples/hosts/aisdk.mjs", "../examples/hosts/langchain.mjs", "../examples/hosts/go/main.go") {
		program, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, begun := strings.Cut(string(program), " <recipe>\n")
		recipe, _, ended := strings.Cut(rest, " </recipe>")
		recipe = strings.TrimSpace(strings.TrimRight(recipe, " #/"))
		lines := 0
		for line := range strings.Lines(recipe) {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
		printed := strings.Contains(string(page), "\n"+recipe+"\n")
		mustPrint := strings.HasSuffix(name, "aisdk.mjs") || strings.HasSuffix(name, "langgraph_host.py")
		if !begun || !ended || lines == 0 || lines > 15 || mustPrint && !printed {
			t.Errorf("%s: its recipe has %d lines, or docs/hosts.md does not print it", name, lines)
		}
		if !strings.Contains(string(page), "("+filepath.ToSlash(name)+")") {
			t.Errorf("docs/hosts.md does not link %s", name)
		}
	}
}

// TestPathsInDocumentsExist checks that each file that a document names in backticks exists, if the path starts with a
// directory at the top of the repository or next to the document. A name in capitals is a placeholder.
func TestPathsInDocumentsExist(t *testing.T) {
	var documents []string
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../extensions/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	named := regexp.MustCompile("`(([a-z][\\w-]*)/(?:[\\w.-]+/)*[\\w.-]+\\.(?:go|json|jsonl|lua|md|mjs|mk|py|sh|sum|ts|txt|yml))`")
	placeholder := regexp.MustCompile(`(^|/)[A-Z]+\.`)
	checked := 0
	for _, document := range documents {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, each := range named.FindAllStringSubmatch(string(text), -1) {
			path, top := each[1], each[2]
			if placeholder.MatchString(path) {
				continue
			}
			known, found := false, false
			for _, folder := range []string{"..", filepath.Dir(document)} {
				known = known || exists(filepath.Join(folder, top))
				found = found || exists(filepath.Join(folder, path))
			}
			if known && !found {
				t.Errorf("%s names %s, which does not exist", document, path)
			}
			checked++
		}
	}
	if checked < 80 {
		t.Errorf("only %d paths were found in %d documents", checked, len(documents))
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
