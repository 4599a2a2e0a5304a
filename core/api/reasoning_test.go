// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestAnyReasoningModeIsLearnedWithinTwoTurns runs hosts that send reasoning again never, within its turn or always,
// for models that another mode is known for: from the third turn on, each request is predicted exactly.
func TestAnyReasoningModeIsLearnedWithinTwoTurns(t *testing.T) {
	for _, model := range []string{
		``, `"model":"claude-sonnet-4-5","provider":"anthropic"`, `"model":"claude-opus-4-6","provider":"anthropic"`,
		`"model":"gpt-5.5","provider":"openai","route":"responses"`, `"model":"gpt-5.5","provider":"openai","route":"chat"`,
		`"model":"kimi-k2-thinking","provider":"moonshotai"`, `"model":"deepseek-chat","provider":"deepseek"`,
		`"model":"glm-4.7","provider":"zai"`, `"model":"qwen3-32b","provider":"vllm"`, `"model":"anthropic/claude-sonnet-4.5","provider":"openrouter"`,
		`"reasoning":"turn"`,
	} {
		for _, kept := range []string{"never", "turn", "always"} {
			if strings.HasPrefix(model, `"reasoning"`) && kept != "turn" {
				continue // the host has set the mode
			}
			for _, calls := range []int{1, 3} {
				for _, reasoning := range []int64{150, 1000, 4000} {
					t.Run(fmt.Sprintf("%s/%s/%d/%d", model, kept, calls, reasoning), func(t *testing.T) {
						runReasoning(t, model, kept, calls, reasoning)
					})
				}
			}
		}
	}
}

func runReasoning(t *testing.T, model, kept string, calls int, reasoning int64) {
	c := New()
	call := func(method, params string) (r struct {
		Used, Basis any
		Accuracy    struct {
			Last *struct{ Error, Predicted, Actual int64 }
		}
		Warnings []any
	},
	) {
		var answer struct {
			Result any
			Error  any
		}
		answer.Result = &r
		if err := json.Unmarshal(c.Call(method, []byte(params)), &answer); err != nil || answer.Error != nil {
			t.Fatalf("%s %s: %v %v", method, params, err, answer.Error)
		}
		return r
	}
	if model != "" {
		model += ","
	}
	call("ctx/session/open", fmt.Sprintf(`{"id":"a",%s"limits":{"window":900000}}`, model))
	said, thought, ofTurn := int64(2000), int64(0), int64(0)
	for turn := 1; turn <= 10; turn++ {
		call("ctx/session/update", `{"id":"a","turn":"start","append":[{"kind":"user","tokens":100}]}`)
		said, ofTurn = said+100, 0
		for i := range calls {
			in := said + map[string]int64{"never": 0, "turn": ofTurn, "always": thought}[kept]
			r := call("ctx/session/usage", fmt.Sprintf(`{"id":"a","usage":{"inputTokens":%d,"outputTokens":%d,"reasoningTokens":%d,"totalTokens":%d}}`, in, 500+reasoning, reasoning, in+500+reasoning))
			if miss := r.Accuracy.Last; turn >= 3 && (miss == nil || max(miss.Error, -miss.Error) > 20) {
				t.Fatalf("turn %d, request %d: %+v", turn, i+1, miss)
			}
			call("ctx/session/update", fmt.Sprintf(`{"id":"a","append":[{"kind":"reasoning","tokens":%d},{"kind":"assistant","tokens":500}]}`, reasoning))
			said, ofTurn, thought = said+500, ofTurn+reasoning, thought+reasoning
			if i < calls-1 {
				call("ctx/session/update", `{"id":"a","append":[{"kind":"toolResults","tokens":300}]}`)
				said += 300
			}
		}
		call("ctx/session/update", `{"id":"a","turn":"end"}`)
	}
}
