// Copyright The ctx-lsp authors. MIT licence.

package api_test

import (
	"encoding/json"
	"fmt"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A program sends its messages before each request, and the provider's usage after it. Errors are left out here: an
// answer has either Result or Error.
//
// Without a model, texts are estimated until usage corrects the estimate. With OpenParams.Model, a call that counts a
// text needs the model's vocabulary: its error has the kind needs_vocabulary and a name, for [Core.Load]. The package
// wasm/packs contains the public vocabularies, and loads them itself.
func Example() {
	meter := api.New()
	call := func(method string, params any) *api.Reading {
		var answer struct{ Result api.Reading }
		text, _ := json.Marshal(params)
		_ = json.Unmarshal(meter.Call(method, text), &answer)
		return &answer.Result
	}
	window := int64(200_000)
	call("ctx/session/open", api.OpenParams{ID: "chat", Limits: &api.Limits{Window: &window}, Rule: map[string]int{"percent": 80}})
	var reading *api.Reading
	var messages []api.Appendix
	for _, tokens := range []int{129_500, 132_000, 137_000, 141_000} {
		messages = append(messages, map[string]string{"role": "user", "content": "Why does the build fail?"})
		call("ctx/session/messages", api.MessagesParams{ID: "chat", Messages: messages})
		usage := map[string]int{"input_tokens": tokens, "output_tokens": 400}
		reading = call("ctx/session/usage", api.UsageParams{ID: "chat", Usage: usage})
		messages = append(messages, map[string]string{"role": "assistant", "content": "A test is out of date."})
	}
	fmt.Println(reading.Display.Number, "·", reading.Display.Free, "free ·", reading.Compaction.Hint.Text)
	// Output: 71% · 58.6k free · compacts in ~5 requests
}
