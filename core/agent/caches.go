// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"

	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
)

// Caches says whether what an agent loads of a kind lies before the place up
// to which the first request of a session may be read from the cache. Claude
// Code lists agents in the description of a tool, and up to 2.1.37 skills too;
// the others send what they load behind their own system prompt.
func Caches(agent, of string, kind core.Kind) core.Cached {
	if agent != ClaudeCode {
		return core.NotCached
	}
	switch {
	case kind == core.Agents, kind == core.Skills && reader.ParseVersion(of) < reader.ParseVersion("2.1.37"):
		return core.IsCached
	}
	return core.NotCached
}
