// Copyright The ctx-lsp authors. MIT licence.

package core_test

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// allowed are the packages that the core and the module may depend on apart from each other, directly or not. All of
// them compile with TinyGo and are small there; fmt, encoding/json, regexp and others that need reflection are not.
var allowed = map[string]bool{
	"bytes": true, "cmp": true, "errors": true, "io": true, "iter": true, "math/bits": true, "runtime": true, "slices": true, "sort": true,
	"strconv": true, "strings": true, "sync": true, "sync/atomic": true, "unicode": true, "unicode/utf8": true, "unsafe": true,
}

// ours matches the packages of this project that may be in the module: only the core.
var ours = regexp.MustCompile(`^github\.com/ctx-lsp/ctx-lsp/(internal/(json|phrase)|core(/(agent(/internal/reader)?|api|internal/(codec|count|fnv|template)|model|promptfile|provider|token(/(estimate|internal/[a-z]+))?))?|wasm)$`)

func TestTheCoreDependsOnNothingLarge(t *testing.T) {
	for _, dependency := range strings.Fields(goTool(t, "list", "-deps", "./core/...", "./wasm")) {
		switch {
		case ours.MatchString(dependency), strings.HasPrefix(dependency, "internal/"), strings.HasPrefix(dependency, "runtime/"):
		default:
			if !allowed[dependency] {
				t.Errorf("the core or the module depends on %s", dependency)
			}
		}
	}
}

// TestTheCoreImportsNothingThatReflects checks the imports of the core's own files.
func TestTheCoreImportsNothingThatReflects(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(goTool(t, "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./core/...", "./wasm")), "\n") {
		words := strings.Fields(line)
		if !ours.MatchString(words[0]) {
			continue
		}
		for _, imported := range words[1:] {
			switch imported {
			case "fmt", "encoding/json", "regexp", "reflect", "time", "os", "log", "text/template", "sync", "context":
				t.Errorf("%s imports %s", words[0], imported)
			}
		}
	}
}

// TestTheGoVersionIsOneThatTinyGoKnows: TinyGo 0.40 refuses a module that asks for more.
func TestTheGoVersionIsOneThatTinyGoKnows(t *testing.T) {
	text, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^go 1\.25(\.0)?$`).Match(text) {
		t.Error("go.mod does not say go 1.25")
	}
	if regexp.MustCompile(`(?m)^toolchain `).Match(text) {
		t.Error("go.mod names a toolchain")
	}
}

func goTool(t *testing.T, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil && runtime.GOOS == "windows" {
		t.Skip("Go itself does not run under Wine here; the sources that this looks at are the same on every system")
	}
	c := exec.Command("go", args...)
	c.Dir = ".."
	out, err := c.Output()
	if err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			t.Fatalf("go %s: %s", args[0], exit.Stderr)
		}
		t.Fatal(err)
	}
	return string(out)
}
