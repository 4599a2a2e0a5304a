// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// FilesChanged returns when the configuration of an agent's servers, and its memory files in the workspace, were last
// changed since the session started. Both are zero for an agent whose records show the change.
func FilesChanged(e dirs.Environment, s transcript.Session) (servers, memory time.Time) {
	a := ByID(s.Agent)
	if a == nil || s.Started.IsZero() || !dirs.Local(s.Workspace) || !e.Allows(a.ID) {
		return servers, memory
	}
	newer := func(path string, than *time.Time) {
		if info, err := os.Stat(path); err == nil && info.ModTime().After(s.Started) && info.ModTime().After(*than) {
			*than = info.ModTime()
		}
	}
	if a.ServersUnrecorded {
		for _, at := range a.MCPFiles {
			base := e.Home
			if at.Path[0] == '.' {
				base = s.Workspace
			}
			newer(filepath.Join(base, filepath.FromSlash(at.Path[2:])), &servers)
		}
	}
	if a.ServersYAML != "" {
		newer(filepath.Join(HomeOf(e, a.ID), a.ServersYAML), &servers)
	}
	if a.MemoryUnrecorded {
		newer(filepath.Join(s.Workspace, "AGENTS.md"), &memory)
		for _, file := range a.PromptFiles {
			if !strings.ContainsAny(file, "~*") {
				newer(filepath.Join(s.Workspace, filepath.FromSlash(file)), &memory)
			}
		}
	}
	return servers, memory
}

// ServersIn returns the names of the servers in the agent's file ServersYAML.
func ServersIn(e dirs.Environment, s transcript.Session) []string {
	a := ByID(s.Agent)
	if a == nil || a.ServersYAML == "" || !e.Allows(a.ID) {
		return nil
	}
	return configfile.YAMLKeys(filepath.Join(HomeOf(e, a.ID), a.ServersYAML), "mcp_servers")
}
