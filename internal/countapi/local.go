// Copyright The ctx-lsp authors. MIT licence.

package countapi

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

// countVLLM calls vLLM's /tokenize, which applies the model's template and also returns the window.
func countVLLM(ctx context.Context, c *call) (Result, error) {
	key := c.optionalKey("VLLM_API_KEY")
	address, err := c.url(strings.TrimSuffix(c.envOr("VLLM_BASE_URL", "http://127.0.0.1:8000"), "/v1"), "/tokenize")
	if err != nil {
		return Result{}, err
	}
	body := c.body.only("messages", "tools", "prompt", "chat_template", "chat_template_kwargs", "mm_processor_kwargs", "continue_final_message", "add_special_tokens")
	if !body.has("messages") && !body.has("prompt") {
		return Result{}, errors.New("the request has neither messages nor a prompt")
	}
	if c.model != "" {
		body.set("model", c.model)
	}
	var answer struct {
		Count  *int64 `json:"count"`
		Window int64  `json:"max_model_len"`
	}
	if err := c.post(ctx, address, body, &answer, bearer(key)); err != nil {
		return Result{}, err
	}
	n, err := positive(answer.Count)
	return Result{Tokens: n, Window: max(answer.Window, 0)}, err
}

// countLlamaCpp lets the server apply its template, counts the tokens of the result, and requests the window of a slot.
func countLlamaCpp(ctx context.Context, c *call) (Result, error) {
	auth := bearer(c.optionalKey("LLAMA_API_KEY"))
	base := strings.TrimSuffix(c.envOr("LLAMA_CPP_BASE_URL", "http://127.0.0.1:8080"), "/v1")
	content := text(c.body["prompt"])
	if c.body.has("messages") {
		address, err := c.url(base, "/apply-template")
		if err != nil {
			return Result{}, err
		}
		var answer struct {
			Prompt *string `json:"prompt"`
		}
		if err := c.post(ctx, address, c.body.only("messages", "tools", "tool_choice", "chat_template_kwargs", "add_generation_prompt"), &answer, auth); err != nil {
			return Result{}, err
		}
		if answer.Prompt == nil {
			return Result{}, errors.New("the response contains no prompt")
		}
		content = *answer.Prompt
	} else if content == "" {
		return Result{}, errors.New("the request has neither messages nor a prompt")
	}
	address, err := c.url(base, "/tokenize")
	if err != nil {
		return Result{}, err
	}
	var answer struct {
		Tokens *[]json.RawMessage `json:"tokens"`
	}
	if err := c.post(ctx, address, map[string]any{"content": content, "add_special": !c.body.has("messages"), "parse_special": true}, &answer, auth); err != nil {
		return Result{}, err
	}
	if answer.Tokens == nil {
		return Result{}, errors.New("the response contains no tokens")
	}
	result := Result{Tokens: int64(len(*answer.Tokens))}
	var props struct {
		Settings struct {
			Context int64 `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	if address, err = c.url(base, "/props"); err == nil && c.get(ctx, address, &props, auth) == nil {
		result.Window = max(props.Settings.Context, 0)
	}
	return result, nil
}

// countOllama lets Ollama read the prompt and write one token, because Ollama has no other way to count.
func countOllama(ctx context.Context, c *call) (Result, error) {
	if c.model == "" {
		return Result{}, errNoModel
	}
	host := c.envOr("OLLAMA_HOST", "127.0.0.1:11434")
	if !strings.Contains(host, "://") {
		host = "http://" + host
	}
	path, body := "/api/chat", c.body.only("messages", "tools", "think", "format")
	if !c.body.has("messages") {
		path, body = "/api/generate", c.body.only("prompt", "system", "template", "images", "think", "format")
	}
	address, err := c.url(host, path)
	if err != nil {
		return Result{}, err
	}
	options := object{}
	if c.body.has("options") {
		_ = json.Unmarshal(c.body["options"], &options) // options that are not an object are treated as missing
	}
	options.set("num_predict", 1)
	body.set("model", c.model)
	body.set("stream", false)
	body.set("options", options)
	var answer struct {
		Count *int64 `json:"prompt_eval_count"`
	}
	if err := c.post(ctx, address, body, &answer); err != nil {
		return Result{}, err
	}
	n, err := positive(answer.Count)
	if err == nil && n <= 1 {
		return Result{}, errors.New("the server had the prompt in its cache and did not report its length; newer versions report it")
	}
	return Result{Tokens: n, Note: "a prompt longer than num_ctx is cut before it is counted"}, err
}
