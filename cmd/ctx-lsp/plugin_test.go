// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestThePluginStartsCommandsThatExist: what the plugin for Claude Code runs is a command of this program, with flags
// that it has, and its files are JSON.
func TestThePluginStartsCommandsThatExist(t *testing.T) {
	folder := filepath.Join("..", "..", "extensions", "claude-code")
	calls := regexp.MustCompile("[`(\"]ctx-lsp ([a-z]+)((?: --[a-z]+)*)")
	found := 0
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var members map[string]any
		if filepath.Ext(path) == ".json" && json.Unmarshal(text, &members) != nil {
			t.Errorf("%s is no JSON object", path)
		}
		for _, call := range calls.FindAllStringSubmatch(string(text), -1) {
			c, ok := findCommand(call[1])
			if !ok {
				t.Errorf("%s runs ctx-lsp %s, and there is no such command", path, call[1])
				continue
			}
			for _, flag := range strings.Fields(call[2]) {
				if !strings.Contains(c.usage, flag) {
					t.Errorf("%s runs ctx-lsp %s with %s, which its help does not name", path, call[1], flag)
				}
			}
			found++
		}
		for _, server := range []string{"mcpServers", "ctx"} { // of the tools, and of the language server
			member, _ := members[server].(map[string]any)
			if inner, ok := member["ctx"].(map[string]any); ok {
				member = inner
			}
			if args, ok := member["args"].([]any); ok {
				if _, known := findCommand(args[0].(string)); !known || member["command"] != "ctx-lsp" {
					t.Errorf("%s starts %v %v", path, member["command"], args)
				}
				found++
			}
		}
		return nil
	})
	if err != nil || found < 8 {
		t.Errorf("%d calls found, %v", found, err)
	}
	market, err := os.ReadFile(filepath.Join("..", "..", ".claude-plugin", "marketplace.json"))
	var list struct {
		Plugins []struct{ Name, Source string }
	}
	if err != nil || json.Unmarshal(market, &list) != nil || len(list.Plugins) != 1 {
		t.Fatalf("the marketplace: %v, %+v", err, list)
	}
	if _, err := os.Stat(filepath.Join("..", "..", list.Plugins[0].Source, ".claude-plugin", "plugin.json")); err != nil {
		t.Error(err)
	}
}

// TestTheSetupThatThePluginShowsWritesNothing: without somebody who says yes the change is shown, and not made.
func TestTheSetupThatThePluginShowsWritesNothing(t *testing.T) {
	home := t.TempDir()
	var out, errs bytes.Buffer
	env := &environment{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: home, Now: time.Now, Columns: 80, Getenv: func(name string) string {
		return map[string]string{"HOME": home, "USERPROFILE": home}[name]
	}}
	code := run(t.Context(), env, []string{"statusline", "--setup"})
	entries, err := os.ReadDir(home)
	if code != exitError || err != nil || len(entries) != 0 || !strings.Contains(out.String(), "statusLine") {
		t.Errorf("code %d, %d files, %v, prints %q", code, len(entries), err, out.String())
	}
}
