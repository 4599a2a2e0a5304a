// Copyright The ctx-lsp authors. MIT licence.

package provider

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// readOpenRouter marks requests during which OpenRouter ran its own tools. Its counts are those of the routed model,
// and the prompt includes cached tokens.
func readOpenRouter(r *reader, u json.Value, c *counts) {
	details := u.Get("server_tool_use_details")
	if details.Kind() != json.Object {
		details = u.Get("server_tool_use")
	}
	for f := details.Fields(); f.Next(); {
		if n, fault := f.Value.Int64(); fault == json.NumberOK && n > 0 {
			c.serverTools = true
		}
	}
}
