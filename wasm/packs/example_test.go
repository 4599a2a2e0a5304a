// Copyright The ctx-lsp authors. MIT licence.

package packs_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/wasm/packs"
)

// A program sends its messages before each request, and the provider's usage after it.
func Example() {
	meter := api.New()
	call := func(method string, params any) *api.Reading {
		var answer struct {
			Result api.Reading
			Error  *struct{ Message string }
		}
		text, _ := json.Marshal(params)
		if err := json.Unmarshal(packs.Call(meter, method, text), &answer); err != nil || answer.Error != nil {
			log.Fatal(method, ": ", err, answer.Error)
		}
		return &answer.Result
	}
	call("ctx/session/open", api.OpenParams{ID: "chat", Model: "claude-sonnet-4-5", Rule: map[string]int{"percent": 80}})
	var reading *api.Reading
	for _, tokens := range []int{129_500, 132_000, 137_000, 141_000} {
		append := []api.Appendix{map[string]string{"kind": "user", "text": "Why does the build fail?"}}
		call("ctx/session/update", map[string]any{"id": "chat", "append": append})
		usage := map[string]int{"input_tokens": tokens, "output_tokens": 400}
		reading = call("ctx/session/usage", api.UsageParams{ID: "chat", Usage: usage})
	}
	fmt.Println(reading.Display.Number, "·", reading.Display.Free, "free · compacts at", reading.Display.Threshold, "·", reading.Compaction.Hint.Text)
	// Output: 71% · 58.6k free · compacts at 160k · compacts in ~5 requests
}
