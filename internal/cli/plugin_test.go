// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestThePluginsStartCommandsThatExist checks that the agents' plugins run existing commands of this program with
// existing flags, and that their files are JSON.
func TestThePluginsStartCommandsThatExist(t *testing.T) {
	for plugin, least := range map[string]int{"claude-code": 8, "copilot-cli": 5, "gemini-cli": 5, "opencode": 4} {
		t.Run(plugin, func(t *testing.T) {
			folder := filepath.Join("..", "..", "extensions", plugin)
			found := 0
			err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
				if err != nil || entry.IsDir() {
					return err
				}
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				found += pluginCalls(t, path, text)
				return nil
			})
			if err != nil || found < least {
				t.Errorf("%d calls found, %v", found, err)
			}
		})
	}
	for _, folder := range []string{".claude-plugin", filepath.Join(".github", "plugin")} {
		market, err := os.ReadFile(filepath.Join("..", "..", folder, "marketplace.json"))
		var list struct {
			Plugins []struct{ Name, Source string }
		}
		if err != nil || json.Unmarshal(market, &list) != nil || len(list.Plugins) != 1 {
			t.Fatalf("the marketplace in %s: %v, %+v", folder, err, list)
		}
		plugin := filepath.Join("..", "..", list.Plugins[0].Source)
		if _, err := os.Stat(filepath.Join(plugin, ".claude-plugin", "plugin.json")); err == nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(plugin, "plugin.json")); err != nil {
			t.Error(err)
		}
	}
}

// pluginCalls checks every call of this program in a plugin's file, and returns the number of calls.
func pluginCalls(t *testing.T, path string, text []byte) (found int) {
	var tree any
	if slices.Contains([]string{".json"}, filepath.Ext(path)) && json.Unmarshal(text, &tree) != nil {
		t.Errorf("%s is no JSON", path)
	}
	for _, call := range regexp.MustCompile("[`(\"{]ctx-lsp ([a-z]+)((?: --[a-z]+)*)").FindAllStringSubmatch(string(text), -1) {
		e, ok := findEntry(call[1])
		if !ok {
			t.Errorf("%s runs ctx-lsp %s, and there is no such command", path, call[1])
			continue
		}
		for _, flag := range strings.Fields(call[2]) {
			if e.build(documented()).Flags().Lookup(strings.TrimPrefix(flag, "--")) == nil {
				t.Errorf("%s runs ctx-lsp %s with %s, which it does not have", path, call[1], flag)
			}
		}
		found++
	}
	return found + pluginServers(t, path, tree)
}

// pluginServers does the same for the servers that a JSON tree starts: a program with its arguments, or both in one
// list.
func pluginServers(t *testing.T, path string, tree any) (found int) {
	switch node := tree.(type) {
	case []any:
		for _, inner := range node {
			found += pluginServers(t, path, inner)
		}
	case map[string]any:
		args, _ := node["args"].([]any)
		program, _ := node["command"].(string)
		if whole, ok := node["command"].([]any); ok && len(whole) > 1 {
			program, _ = whole[0].(string)
			args = whole[1:]
		}
		if call, ok := node["default"].(string); ok && strings.HasPrefix(call, "ctx-lsp ") {
			program, args = "ctx-lsp", []any{strings.Fields(call)[1]}
		}
		if len(args) > 0 {
			name, _ := args[0].(string)
			if _, known := findEntry(name); !known || program != "ctx-lsp" {
				t.Errorf("%s starts %q %v", path, program, args)
			}
			found++
		}
		for _, inner := range node {
			found += pluginServers(t, path, inner)
		}
	}
	return found
}

// TestTheSetupThatThePluginShowsWritesNothing checks that without the user's consent a change is shown but not made.
func TestTheSetupThatThePluginShowsWritesNothing(t *testing.T) {
	home := t.TempDir()
	var out, errs bytes.Buffer
	env := &environment{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: home, Now: time.Now, Columns: 80, Getenv: func(name string) string {
		return map[string]string{"HOME": home, "USERPROFILE": home}[name]
	}}
	code := run(t.Context(), env, []string{"statusline", "--setup", "--agent=claude-code"})
	entries, err := os.ReadDir(home)
	if code != exitError || err != nil || len(entries) != 0 || !strings.Contains(out.String(), "statusLine") {
		t.Errorf("code %d, %d files, %v, prints %q", code, len(entries), err, out.String())
	}
}
