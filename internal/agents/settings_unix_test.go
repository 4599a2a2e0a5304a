// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package agents

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// TestSettingsOfAWorkspaceLeadNowhere puts what a repository may hold in the place of an agent's settings. The user's
// own settings are a link here, as they are with many who keep them in a repository, and count.
func TestSettingsOfAWorkspaceLeadNowhere(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put("dotfiles/claude.json", `{"autoCompactWindow":"300k"}`)
	m.Put("elsewhere.json", `{"autoCompactEnabled":false,"autoCompactWindow":"1"}`)
	workspace := filepath.Join(m.Home, "shop")
	for _, dir := range []string{filepath.Join(workspace, ".claude"), filepath.Join(m.Home, ".claude")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(m.Home, "dotfiles", "claude.json"), filepath.Join(m.Home, ".claude", "settings.json")); err != nil {
		t.Fatal(err)
	}
	of := filepath.Join(workspace, ".claude", "settings.json")
	for name, put := range map[string]func() error{
		"a link out":         func() error { return os.Symlink("../../elsewhere.json", of) },
		"a full link out":    func() error { return os.Symlink(filepath.Join(m.Home, "elsewhere.json"), of) },
		"a link to a device": func() error { return os.Symlink("/dev/zero", of) },
		"a pipe":             func() error { return syscall.Mkfifo(of, 0o600) },
		"a folder":           func() error { return os.Mkdir(of, 0o700) },
	} {
		if err := put(); err != nil {
			t.Fatal(err)
		}
		answered := make(chan map[string]string, 1)
		go func() {
			answered <- Settings(m.Environment(), "claude-code", workspace)
		}()
		select {
		case got := <-answered:
			if got["autoCompactWindow"] != "300k" || got["autoCompactEnabled"] != "" {
				t.Errorf("%s: %v", name, got)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%s is waited for", name)
		}
		if refused := RefusedSettings("claude-code", workspace); !slices.Equal(refused, []string{of}) {
			t.Errorf("%s: refused are %v", name, refused)
		}
		if err := os.Remove(of); err != nil {
			t.Fatal(err)
		}
	}
	m.Put("shop/shared.json", `{"autoCompactWindow":"250k"}`)
	if err := os.Symlink("../shared.json", of); err != nil {
		t.Fatal(err)
	}
	if got := Settings(m.Environment(), "claude-code", workspace); got["autoCompactWindow"] != "250k" {
		t.Errorf("a link inside: %v", got)
	}
	if refused := RefusedSettings("claude-code", workspace); refused != nil {
		t.Errorf("a link inside: refused are %v", refused)
	}
}
