// Copyright The ctx-lsp authors. MIT licence.

package core_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestTheTableOfPackagesIsTrue checks docs/architecture.md and testdata/imports.txt: each package is in both, is tested
// by a file that exists, and imports exactly the packages of this project that its line lists.
func TestTheTableOfPackagesIsTrue(t *testing.T) {
	text, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile("testdata/imports.txt")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^([^#\s:]+):(.*)$`).FindAllStringSubmatch(string(lines), -1) {
		told[line[1]] = strings.TrimSpace(line[2])
	}
	described := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| [^|]* \\| `([^`]+)` \\|$").FindAllStringSubmatch(string(text), -1) {
		described[row[1]] = true
		if _, err := os.Stat("../" + row[2]); err != nil {
			t.Errorf("%s is held by a file that is not there: %v", row[1], err)
		}
		if _, ok := told[row[1]]; !ok {
			t.Errorf("testdata/imports.txt does not name %s", row[1])
		}
	}
	for name := range told {
		if !described[name] {
			t.Errorf("docs/architecture.md does not name %s", name)
		}
	}
	const module = "github.com/ctx-lsp/ctx-lsp/"
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(goTool(t, "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")), "\n") {
		paths := strings.Fields(line)
		name, ok := strings.CutPrefix(paths[0], module)
		if !ok || apart(name) {
			continue
		}
		seen[name] = true
		may, ok := told[name]
		if !ok {
			t.Errorf("docs/architecture.md and testdata/imports.txt do not name %s", name)
			continue
		}
		var imported []string
		for _, path := range paths[1:] {
			if path, ok := strings.CutPrefix(path, module); ok {
				imported = append(imported, path)
			}
		}
		if may != "anything" {
			checkImports(t, name, imported, may)
		}
	}
	for name := range told {
		if !seen[name] {
			t.Errorf("testdata/imports.txt names %s, and there is no such package", name)
		}
	}
}

// mostPublic is how many packages other programs may import: each is a promise that is hard to withdraw.
const mostPublic = 11

// TestFewPackagesArePublic checks that packages not meant for other programs are internal.
func TestFewPackagesArePublic(t *testing.T) {
	var public []string
	for _, line := range strings.Split(strings.TrimSpace(goTool(t, "list", "-f", "{{.Name}} {{.ImportPath}}", "./...")), "\n") {
		name, path, _ := strings.Cut(line, " ")
		if name != "main" && !slices.Contains(strings.Split(path, "/"), "internal") {
			public = append(public, path)
		}
	}
	if len(public) > mostPublic {
		t.Errorf("%d packages are public, %d at most may be; move what others need not import below internal/:\n%s",
			len(public), mostPublic, strings.Join(public, "\n"))
	}
}

// apart reports whether a package needs no row: commands that only generate files, test helpers, and the layers
// below core/token, which docs/tokens.md explains.
func apart(name string) bool {
	return name == "examples" || strings.HasPrefix(name, "core/token/internal/") ||
		slices.Contains([]string{"internal/engine/vectors", "internal/rusage", "testdata/conformance"}, name)
}

// checkImports compares a package's imports with its line of testdata/imports.txt.
func checkImports(t *testing.T, name string, imported []string, may string) {
	t.Helper()
	allowed := strings.Fields(may)
	used := map[string]bool{}
	for _, path := range imported {
		i := slices.IndexFunc(allowed, func(a string) bool {
			below, all := strings.CutSuffix(a, "...")
			return path == a || all && strings.HasPrefix(path, below)
		})
		if i < 0 {
			t.Errorf("%s imports %s, which testdata/imports.txt does not list", name, path)
			continue
		}
		used[allowed[i]] = true
	}
	for _, a := range allowed {
		if !used[a] {
			t.Errorf("testdata/imports.txt lists that %s imports %s, and it does not", name, a)
		}
	}
}
