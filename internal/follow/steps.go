// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A Step compares one measured request with its prediction. Its session is the one being read, or a sub-agent of it.
type Step = api.Step

// noSteps is the beginning of a result for records that measured nothing, as most do.
var noSteps = []byte(`{"steps":[]`)

// steps calls OnStep for the requests that were measured during a call.
func (f *Feed) steps(result []byte) error {
	if bytes.HasPrefix(result, noSteps) {
		return nil
	}
	var answer struct { // a Reading next to the steps is not decoded
		Steps []Step `json:"steps"`
	}
	if err := json.Unmarshal(result, &answer); err != nil {
		return fmt.Errorf("the engine's response cannot be read: %w", err)
	}
	for _, step := range answer.Steps {
		f.OnStep(step)
	}
	return nil
}
