// Copyright The ctx-lsp authors. MIT licence.

// Package sinktest builds ctx-lsp-fleet for tests.
package sinktest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/sink"
)

// Build builds the program of this checkout into a directory. Its packages are cached like any others. If there is no
// command go, as under Wine, CTX_TEST_MODULES names the directory with the program.
func Build(dir string) error {
	name := sink.Name
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(dir, name)
	if built := os.Getenv("CTX_TEST_MODULES"); built != "" {
		program, err := os.ReadFile(filepath.Join(built, name)) //nolint:gosec // the test's own variable
		if err != nil {
			return err
		}
		return os.WriteFile(path, program, 0o755) //nolint:gosec // it is a program
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/ctx-lsp/ctx-lsp").Output()
	if err != nil {
		return err
	}
	build := exec.Command("go", "build", "-o", path, "./"+sink.Name)
	build.Dir = filepath.Join(strings.TrimSpace(string(root)), "fleet")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s cannot be built: %w\n%s", sink.Name, err, out)
	}
	return nil
}

// OnPath builds the program and puts it on PATH for a test.
func OnPath(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	if err := Build(dir); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}
