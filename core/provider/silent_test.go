// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
)

func TestSilentOverflowIsSeen(t *testing.T) {
	for _, c := range []struct {
		name, provider, value string
		window                int64
		prompt                int64 // 0 if no overflow is expected
	}{
		{"Anthropic stops", "anthropic", `{"stop_reason":"model_context_window_exceeded","usage":{"input_tokens":199000,"output_tokens":1000,"cache_read_input_tokens":0,"cache_creation_input_tokens":0}}`, 200000, 199000},
		{"Anthropic stops, window unknown", "anthropic", `{"type":"message_delta","delta":{"stop_reason":"model_context_window_exceeded"},"usage":{"input_tokens":199000,"output_tokens":1000}}`, core.Unknown, 199000},
		{"Bedrock stops", "bedrock", `{"stopReason":"model_context_window_exceeded","usage":{"inputTokens":199000,"outputTokens":1000}}`, 200000, 199000},
		{"Z.AI finishes with a reason", "zai", `{"choices":[{"finish_reason":"model_context_window_exceeded"}],"usage":{"prompt_tokens":131000,"completion_tokens":72,"total_tokens":131072}}`, 131072, 131000},
		{"Z.AI accepts too much", "zai", `{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":140000,"completion_tokens":72,"total_tokens":140072}}`, 131072, 140000},
		{"MiMo has no room to answer", "xiaomi", `{"choices":[{"finish_reason":"length"}],"usage":{"prompt_tokens":131000,"completion_tokens":0,"total_tokens":131000}}`, 131072, 131000},
		{"a long reply is no overflow", "xiaomi", `{"choices":[{"finish_reason":"length"}],"usage":{"prompt_tokens":1000,"completion_tokens":4096,"total_tokens":5096}}`, 131072, 0},
		{"an empty reply far from the window", "xiaomi", `{"choices":[{"finish_reason":"length"}],"usage":{"prompt_tokens":1000,"completion_tokens":0,"total_tokens":1000}}`, 131072, 0},
		{"Ollama fills its window", "ollama", `{"model":"m","created_at":"t","done":true,"done_reason":"stop","prompt_eval_count":4095,"eval_count":1}`, 4096, 4095},
		{"Ollama has room", "ollama", `{"model":"m","created_at":"t","done":true,"done_reason":"stop","prompt_eval_count":3000,"eval_count":1}`, 4096, 0},
		{"llama.cpp truncated", "llama.cpp", `{"tokens_evaluated":8000,"tokens_predicted":192,"truncated":true,"generation_settings":{"n_ctx":8192}}`, core.Unknown, 8000},
		{"LM Studio reached its length", "lmstudio", `{"stats":{"stopReason":"contextLengthReached","promptTokensCount":4000,"predictedTokensCount":96,"totalTokensCount":4096}}`, core.Unknown, 4000},
		{"LM Studio cut the middle", "lmstudio", `{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":4090,"completion_tokens":2,"total_tokens":4092},"model_info":{"context_length":4096}}`, core.Unknown, 4090},
		{"LM Studio by another name", "lm-studio", `{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":4090,"completion_tokens":2,"total_tokens":4092}}`, 4096, 4090},
		{"the reason of a response within others", "anthropic", `{"response":{"message":{"delta":{"stop_reason":"model_context_window_exceeded"}}},"usage":{"input_tokens":900,"output_tokens":2}}`, core.Unknown, 900},
		{"a reason that is too deep to be the response's", "anthropic", `{"response":{"message":{"message":{"delta":{"stop_reason":"model_context_window_exceeded"}}}},"usage":{"input_tokens":900,"output_tokens":2}}`, core.Unknown, 0},
		{"a prompt as large as the window", "zai", `{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":131072,"completion_tokens":0,"total_tokens":131072}}`, 131072, 0},
		{"one token more", "zai", `{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":131073,"completion_tokens":0,"total_tokens":131073}}`, 131072, 131073},
		{"no answer within a hundredth of the window", "xiaomi", `{"choices":[{"finish_reason":"length"}],"usage":{"prompt_tokens":9900,"completion_tokens":0,"total_tokens":9900}}`, 10000, 9900},
		{"no answer a little further from it", "xiaomi", `{"choices":[{"finish_reason":"length"}],"usage":{"prompt_tokens":9899,"completion_tokens":0,"total_tokens":9899}}`, 10000, 0},
		{"an answer within a hundredth", "xiaomi", `{"choices":[{"finish_reason":"length"}],"usage":{"prompt_tokens":9900,"completion_tokens":1,"total_tokens":9901}}`, 10000, 0},
		{"LM Studio within a hundredth", "lmstudio", `{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":9900,"completion_tokens":2,"total_tokens":9902}}`, 10000, 9900},
		{"LM Studio a little further", "lmstudio", `{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":9899,"completion_tokens":2,"total_tokens":9901}}`, 10000, 0},
		{"Ollama has room for one token less", "ollama", `{"model":"m","created_at":"t","done":true,"done_reason":"stop","prompt_eval_count":4094,"eval_count":1}`, 4096, 0},
		{"nothing is known of the window", "openai", `{"usage":{"prompt_tokens":4090,"completion_tokens":2,"total_tokens":4092}}`, core.Unknown, 0},
		{"a sum is not held against the window", "", `{"totalUsage":{"inputTokens":900000,"outputTokens":2,"totalTokens":900002}}`, 200000, 0},
	} {
		v := parse(t, c.value)
		m, _, err := Usage(c.provider, v, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		o, ok := Silent(c.provider, v, m, c.window)
		if ok != (c.prompt > 0) || ok && (o.Prompt != c.prompt || o.Note.Empty()) {
			t.Errorf("%s: %v %+v", c.name, ok, o)
		}
	}
}

// TestNamesAreComparedWithoutCaseAndSeparators checks the form in which names of fields are compared.
func TestNamesAreComparedWithoutCaseAndSeparators(t *testing.T) {
	for name, want := range map[string]string{
		"cacheReadTokens": "cachereadtokens", "cache_read-tokens": "cachereadtokens", "Cache.Read Tokens": "cachereadtokens",
		"AZ@[`{az09/": "az@[`{az09/", "": "", "._- ": "",
	} {
		if got := string(fold([]byte(name), []byte("left over"))); got != want {
			t.Errorf("%q is compared as %q, want %q", name, got, want)
		}
	}
}
