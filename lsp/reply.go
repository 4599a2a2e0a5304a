// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// answer returns the JSON of a result that is not a Reading.
func answer(value any) ([]byte, *api.Error) {
	body, err := json.Marshal(value)
	if err != nil {
		return nil, &api.Error{Kind: api.Internal, Message: err.Error()}
	}
	return body, nil
}
