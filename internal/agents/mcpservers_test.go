// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

func TestServersAreFoundWhereAgentsKeepThem(t *testing.T) {
	home, workspace := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	project, _ := json.Marshal(workspace)
	write(filepath.Join(home, ".claude.json"), `{"mcpServers":{"a":{"command":"run-a","args":["--key=${KEY}","${NONE:-other}"],"env":{"TOKEN":"s3cret"}}},"projects":{`+string(project)+`:{"mcpServers":{"b":{"type":"http","url":"https://u:p@b.example/mcp?key=1"}}}}}`)
	write(filepath.Join(workspace, ".mcp.json"), `{"mcpServers":{"odd":7,"c":{"command":"run-c"}}}`)
	write(filepath.Join(workspace, "opencode.json"), `{"mcp":{"d":{"type":"local","command":["run-d","x"],"environment":{"A":"{env:KEY}"}},"off":{"url":"file:///etc/passwd"}}}`)
	write(filepath.Join(workspace, "opencode.jsonc"), "{\"mcp\": {\n// for now\n\"e\":{\"type\":\"local\",\"command\":[\"run-e\"]},}}")
	write(filepath.Join(workspace, ".opencode", "opencode.json"), `{"mcp":{"timeout":{"startup":9000},"servers":{"f":{"type":"local","command":["run-f"]},"g":{"type":"local","command":["run-g"],"disabled":true},"url":{"type":"remote","url":"https://t.example/mcp"}}}}`)
	write(filepath.Join(workspace, ".kilo", "kilo.jsonc"), `{"mcp":{"k":{"type":"local","command":["run-k"],"enabled":true}}}`)
	write(filepath.Join(home, ".config", "opencode", "opencode.json"), `{"mcp":{"servers":{"type":"local","command":["run-servers"]}}}`)
	write(filepath.Join(home, ".cursor", "mcp.json"), "no JSON, with // comments or without")
	servers, unread := MCPServers(dirs.Environment{Home: home, Getenv: func(name string) string { return map[string]string{"KEY": "k1"}[name] }}, workspace)
	var got []string
	for _, s := range servers {
		got = append(got, s.Name+" "+s.Agent+" "+s.Start())
		if s.Off != (s.Name == "g") {
			t.Errorf("%s is off: %v", s.Name, s.Off)
		}
	}
	if want := "a claude-code run-a --key=${KEY} ${NONE:-other}|b claude-code https://b.example/mcp|c claude-code run-c|d opencode run-d x|e opencode run-e|f opencode run-f|g opencode run-g|k kilo run-k|servers opencode run-servers|url opencode https://t.example/mcp"; strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
	if len(unread) != 2 || servers[0].Args[0] != "--key=k1" || servers[3].Env["A"] != "k1" || servers[0].Env["TOKEN"] != "s3cret" || servers[2].Dir != workspace {
		t.Errorf("%q, %+v", unread, servers)
	}
}
