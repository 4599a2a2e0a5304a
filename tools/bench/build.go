// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// build returns the program of a commit, built by `make build` in a copy of the commit's files. Its module is built by
// the TinyGo in the environment variable TINYGO, or by Go if that is empty.
func build(commit string) (string, error) {
	id, err := exec.Command("git", "rev-parse", "--short=12", commit+"^{commit}").Output()
	if err != nil {
		return "", fmt.Errorf("git does not know this commit: %w", err)
	}
	folder := strings.TrimSpace(string(id))
	if os.Getenv("TINYGO") != "" {
		folder += "-tinygo"
	}
	built, err := filepath.Abs(filepath.Join("bin", "bench", folder, "ctx-lsp"))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(built); err == nil {
		return built, nil
	}
	files, err := os.MkdirTemp("", "ctx-bench-build")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(files)
	for _, step := range [][]string{
		{"git", "archive", "--output=" + filepath.Join(files, "files.tar"), strings.TrimSpace(string(id))},
		{"tar", "-xf", filepath.Join(files, "files.tar"), "-C", files},
		{"make", "--no-print-directory", "-C", files, "build"},
	} {
		cmd := exec.Command(step[0], step[1:]...)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return "", fmt.Errorf("%s: %w", step[0], err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(built), 0o755); err != nil {
		return "", err
	}
	// The copy may be on another file system, so a rename might fail.
	program, err := os.ReadFile(filepath.Join(files, "bin", "ctx-lsp"))
	if err != nil {
		return "", err
	}
	return built, os.WriteFile(built, program, 0o755)
}
