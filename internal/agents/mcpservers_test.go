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

// TestAServerIsReadInEveryForm checks the folder, the arguments and the variables of a server, and when it is off.
func TestAServerIsReadInEveryForm(t *testing.T) {
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
	absolute, _ := json.Marshal(home)
	write(filepath.Join(home, ".claude.json"), `{"mcpServers":{"a":{"command":["x","1"],"args":["2","${K}"],"cwd":`+string(absolute)+`},"b":{"command":"x","enabled":false},"c":{"command":"x","enabled":true},"d":{"command":"x"},"e":{"command":"x"}},
		"projects":{`+string(project)+`:{"disabledMcpServers":["d"],"disabledMcpjsonServers":["e","f"]},"/other":{"mcpServers":{"z":{"command":"z"}},"disabledMcpServers":["c"]}}}`)
	write(filepath.Join(workspace, ".mcp.json"), `{"mcpServers":{"f":{"command":"x","env":{"A":"${K}"},"environment":{"B":"2"}},"g":{"httpUrl":"http://h/${K}","headers":{"H":"${K}${L}"}},"h":{"command":"","url":"https://x"},"i":{"command":"${NONE}"}}}`)
	getenv := func(name string) string { return map[string]string{"K": "k"}[name] }
	servers, unread := MCPServers(dirs.Environment{Home: home, Getenv: getenv}, workspace)
	var got []string
	for _, s := range servers {
		line := strings.Join([]string{s.Name, s.Command, strings.Join(s.Args, " "), s.URL, s.Dir}, "|")
		for _, is := range []struct {
			set  bool
			name string
		}{{s.Off, "off"}, {s.FromWorkspace, "workspace"}} {
			if is.set {
				line += "|" + is.name
			}
		}
		for _, name := range []string{"A", "B"} {
			line += s.Env[name]
		}
		got = append(got, strings.NewReplacer(home, "~", workspace, ".").Replace(line+s.Headers["H"]+strings.Join(s.Takes(), ",")))
	}
	want := []string{"a|x|1 2 k||~", "b|x|||.|off", "c|x|||.", "d|x|||.|off", "e|x|||.|off", "f|x|||.|off|workspacek2", "g|||http://h/k|.|workspacekK", "h|||https://x|.|workspace"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || len(unread) > 0 {
		t.Errorf("%q, %q", got, unread)
	}
	if s := servers[0]; s.Start() != "x 1 2 ${K}" {
		t.Errorf("it is shown as %s", s.Start())
	}
	for path, text := range map[string]string{filepath.Join(workspace, ".mcp.json"): `{"mcpServers":7}`, filepath.Join(home, ".claude.json"): `{"projects":{` + string(project) + `:{"mcpServers":[]}}}`} {
		write(path, text)
	}
	if servers, unread := MCPServers(dirs.Environment{Home: home, Getenv: getenv}, workspace); len(servers) > 0 || len(unread) != 2 {
		t.Errorf("%+v, %q", servers, unread)
	}
	write(filepath.Join(home, ".claude.json"), strings.Repeat(" ", maxConfiguration-2)+"{}")
	write(filepath.Join(workspace, ".mcp.json"), strings.Repeat(" ", maxConfiguration-1)+"{}")
	e := dirs.Environment{Home: home, Getenv: getenv, Allowed: func(id string) bool { return id == "claude-code" }}
	if _, unread := MCPServers(e, workspace); len(unread) != 1 || filepath.Base(unread[0]) != ".mcp.json" {
		t.Errorf("of long files %q are not read", unread)
	}
	e.Allowed = func(string) bool { return false }
	if servers, unread := MCPServers(e, workspace); len(servers)+len(unread) > 0 {
		t.Errorf("without permission: %+v, %q", servers, unread)
	}
	if servers, unread := MCPServers(dirs.Environment{Getenv: getenv}, ""); len(servers)+len(unread) > 0 {
		t.Errorf("without a home and a workspace: %+v, %q", servers, unread)
	}
}
