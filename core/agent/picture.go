// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/internal/json"

	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
)

// Picture returns the type and the size of an image in a data: URL or in base64; zero if they are not found.
func Picture(v json.Value) (mediaType string, width, height int64) {
	if mediaType, width, height = reader.DataURL(v); mediaType == "" {
		width, height = reader.ImageSize(v)
	}
	return mediaType, width, height
}
