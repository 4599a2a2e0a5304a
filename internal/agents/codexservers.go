// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// codexServers finds the MCP servers in Codex's config.toml: the tables below mcp_servers, except those that are
// switched off.
func codexServers(l *promptload.Loader) {
	text, ok := safefile.Small(filepath.Join(l.Home, "config.toml"))
	if !ok {
		return
	}
	server := ""
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		if table, ok := strings.CutPrefix(strings.TrimSpace(line), "["); ok {
			server = ""
			if name, ok := strings.CutPrefix(strings.TrimSuffix(table, "]"), "mcp_servers."); ok {
				if name = strings.Trim(name, `"'`); !strings.Contains(name, ".") {
					server = name
					l.Out.Servers = append(l.Out.Servers, name)
				}
			}
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if server != "" && strings.TrimSpace(key) == "enabled" && strings.TrimSpace(value) == "false" {
			l.Out.Servers = l.Out.Servers[:len(l.Out.Servers)-1]
			server = ""
		}
	}
}
