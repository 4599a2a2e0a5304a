// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
)

// listFirsts answers ctx/first with the first requests of a workspace's sessions. The sessions are read separately from
// those that are followed, each up to its first measured request.
func (c *connection) listFirsts(r *request) ([]byte, *api.Error) {
	var asked api.FirstParams
	if err := r.read(&asked); err != nil {
		return nil, err
	}
	if path, ok := document.Path(asked.Workspace); ok {
		asked.Workspace = path
	}
	if !filepath.IsAbs(asked.Workspace) {
		return nil, api.Invalid("workspace", "must be an absolute path or a file URI.")
	}
	if c.server.options.Firsts == nil {
		return answer(api.FirstAnswer{Workspace: asked.Workspace, Agents: []api.FirstOf{}})
	}
	firsts, err := c.server.options.Firsts(r.ctx, asked.Workspace, asked.Agent)
	switch {
	case r.ctx.Err() != nil:
		return nil, cancelled()
	case err != nil:
		return nil, &api.Error{Kind: api.RequestFailed, Message: "The first requests of " + asked.Workspace + " could not be read: " + err.Error() + "."}
	}
	return answer(firsts)
}
