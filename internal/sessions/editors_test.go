// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// TestTasksAreFoundInEveryEditor checks windows that are connected to another machine, editors made from VS Code, and
// portable ones: the tasks are next to the storage of each extension.
func TestTasksAreFoundInEveryEditor(t *testing.T) {
	home := t.TempDir()
	variables := map[string]string{"VSCODE_PORTABLE": filepath.Join(home, "stick", "data"), "VSCODE_AGENT_FOLDER": filepath.Join(home, "elsewhere")}
	e := dirs.New(runtime.GOOS, home, func(name string) string { return variables[name] })
	finder := NewFinder(e)
	named := filepath.Join(home, "my data", "User", "globalStorage")
	if !finder.AddStorage(named) || finder.AddStorage(named) {
		t.Error("a storage is added once")
	}
	if finder.AddStorage("relative", `\\\\server\\share`, "//server/share", "", filepath.Join(home, strings.Repeat("x", maxPath-len(home)-1))) {
		t.Error("a storage that is relative or on another machine, or whose path is too long, was taken")
	}
	for i, storage := range []string{
		named,
		filepath.Join(home, "stick", "data", "user-data", "User", "globalStorage"),
		filepath.Join(home, "elsewhere", "data", "User", "globalStorage"),
		filepath.Join(home, ".vscode-server", "data", "User", "globalStorage"),
		filepath.Join(home, ".cursor-server", "data", "User", "globalStorage"),
		filepath.Join(home, ".vscode-remote", "data", "User", "globalStorage"),
	} {
		id := strings.Repeat("1", 12) + string(rune('0'+i))
		folder := filepath.Join(storage, "saoudrizwan.claude-dev", "tasks", id)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{agents.SentFile, agents.ShownFile} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte("[]"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		found, _, err := finder.Find(context.Background(), Query{ID: id})
		if err != nil || len(found) != 1 || found[0].Agent != "cline" {
			t.Errorf("the task in %s: %v %v", storage, found, err)
		}
	}
	for range 2 * maxStorages {
		finder.AddStorage(t.TempDir())
	}
	if n := len(finder.places().Storages); n != maxStorages {
		t.Errorf("%d storages were taken", n)
	}
	if long := filepath.Join(home, strings.Repeat("x", maxPath-len(home)-2)); !NewFinder(e).AddStorage("relative", long) {
		t.Error("a storage after one that is refused was not taken")
	}
}
