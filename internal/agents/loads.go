// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// FilesOf returns the finder of files that the agent of a session sends without recording them: nil for a session
// outside its agent's directories on this machine, for a sub-agent, for a folder that is not on this machine, and for
// agents that record all they send.
func FilesOf(e dirs.Environment, s transcript.Session) promptload.Files {
	if Of(s).Unrecorded == nil || s.Parent != "" || !dirs.Local(s.Workspace) || !Keeps(e, s) {
		return nil
	}
	e = environmentOf(e, s)
	return Of(s).Unrecorded(e, s, HomeOf(e, s.Agent))
}

// Loads finds the files that the agent of a session loads. It returns nil for a transcript outside its agent's
// directories on this machine, and for an agent that records what it loads.
func Loads(e dirs.Environment, s transcript.Session, servers []string, hidePaths bool) *promptload.Loaded {
	if s.Parent != "" || !Keeps(e, s) {
		return nil
	}
	e = environmentOf(e, s)
	a := Of(s)
	load := a.Load
	if a.ServersUnrecorded && a.Load != nil {
		load = func(l *promptload.Loader) {
			a.Load(l)
			l.Out.Servers = append(l.Out.Servers, a.serversOn(e, s.Workspace)...)
		}
	}
	return promptload.Find(e, s, HomeOf(e, s.Agent), load, servers, hidePaths)
}

// serversOn returns the names of the MCP servers that the agent is configured with for a workspace and that are on.
func (a *Agent) serversOn(e dirs.Environment, workspace string) (names []string) {
	servers, _ := configuredFor(a, e.Home, workspace, e.Getenv)
	for i := range servers {
		if !servers[i].Off && !slices.Contains(names, servers[i].Name) {
			names = append(names, servers[i].Name)
		}
	}
	slices.Sort(names)
	return names
}
