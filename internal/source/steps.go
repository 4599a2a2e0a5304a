// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"encoding/json"
	"fmt"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Step is one metered request held against what was predicted before it. Its session is the one that is read, or a
// sub-agent of it.
type Step = api.Step

// steps passes on the requests that were metered in a call.
func (f *Feed) steps(result []byte) error {
	var answer struct { // a Reading beside it is not looked at
		Steps []Step `json:"steps"`
	}
	if err := json.Unmarshal(result, &answer); err != nil {
		return fmt.Errorf("the engine's answer cannot be read: %w", err)
	}
	for _, step := range answer.Steps {
		f.OnStep(step)
	}
	return nil
}
