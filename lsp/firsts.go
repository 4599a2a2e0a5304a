// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// listFirsts answers ctx/first with what the sessions of a workspace began with. The sessions are read apart from those
// that are followed, each up to its first measured request.
func (c *connection) listFirsts(r *request) ([]byte, *wire.Fault) {
	var asked api.FirstParams
	if err := json.Unmarshal(r.params, &asked); err != nil {
		return nil, wire.Unfit("The parameters cannot be read", err)
	}
	if path, ok := document.Path(asked.Workspace); ok {
		asked.Workspace = path
	}
	if !filepath.IsAbs(asked.Workspace) {
		return nil, &wire.Fault{
			Code: wire.CodeInvalidParams, Message: `"workspace" must be an absolute path or a file URI.`,
			Data: []byte(`{"kind":"invalid_params","field":"workspace"}`),
		}
	}
	if c.server.options.Firsts == nil {
		return answer(api.FirstAnswer{Workspace: asked.Workspace, Agents: []api.FirstOf{}})
	}
	firsts, err := c.server.options.Firsts(r.ctx, asked.Workspace, asked.Agent)
	switch {
	case r.ctx.Err() != nil:
		return nil, wire.Cancelled()
	case err != nil:
		return nil, &wire.Fault{Code: wire.CodeRequestFailed, Message: "The first requests of " + asked.Workspace + " could not be read: " + err.Error() + "."}
	}
	return answer(firsts)
}
