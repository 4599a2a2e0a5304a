// Copyright The ctx-lsp authors. MIT licence.

package countapi

import (
	"context"
	"errors"
	"net/url"
	"strings"
)

var errNoModel = errors.New("no model: use --model, or \"model\" in the request")

// positive returns a count that a response must contain, or an error.
func positive(n *int64) (int64, error) {
	if n == nil || *n < 0 {
		return 0, errors.New("the response contains no count")
	}
	return *n, nil
}

// countAnthropic calls /v1/messages/count_tokens, without the fields of a message request that this API does not
// accept.
func countAnthropic(ctx context.Context, c *call) (Result, error) {
	var auth sign
	if key := c.optionalKey("ANTHROPIC_API_KEY"); key != "" {
		auth = header("x-api-key", key)
	} else {
		token, err := c.key("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY")
		if err != nil {
			return Result{}, err
		}
		auth = bearer(token)
	}
	if c.model == "" {
		return Result{}, errNoModel
	}
	body := anthropicBody(c.body)
	body.set("model", c.model)
	path := "/v1/messages/count_tokens"
	var betas []string
	if body.has("mcp_servers") {
		betas = append(betas, "mcp-client-2025-04-04")
	}
	if body.has("context_management") {
		betas = append(betas, "context-management-2025-06-27")
	}
	if len(betas) > 0 {
		path += "?beta=true"
	}
	address, err := c.url(c.envOr("ANTHROPIC_BASE_URL", "https://api.anthropic.com"), path)
	if err != nil {
		return Result{}, err
	}
	signs := []sign{auth, header("anthropic-version", "2023-06-01")}
	if len(betas) > 0 {
		signs = append(signs, header("anthropic-beta", strings.Join(betas, ",")))
	}
	return anthropicAnswer(c.post, ctx, address, body, signs)
}

type poster func(ctx context.Context, address string, body, out any, signs ...sign) error

func anthropicAnswer(post poster, ctx context.Context, address string, body object, signs []sign) (Result, error) {
	var answer struct {
		InputTokens *int64 `json:"input_tokens"`
		Management  struct {
			Original int64 `json:"original_input_tokens"`
		} `json:"context_management"`
	}
	if err := post(ctx, address, body, &answer, signs...); err != nil {
		return Result{}, err
	}
	n, err := positive(answer.InputTokens)
	return Result{Tokens: n, Original: answer.Management.Original}, err
}

func anthropicBody(body object) object {
	return body.only("messages", "system", "tools", "tool_choice", "thinking", "mcp_servers", "context_management", "output_config")
}

func (c *call) envOr(name, usual string) string {
	if v := c.env(name); v != "" {
		return v
	}
	return usual
}

// countOpenAI calls /v1/responses/input_tokens. It converts a chat request to the same conversation of the Responses
// API.
func countOpenAI(ctx context.Context, c *call) (Result, error) {
	key, err := c.key("OPENAI_API_KEY")
	if err != nil {
		return Result{}, err
	}
	body, note := c.body, ""
	if !body.has("input") && body.has("messages") {
		if body, err = asResponses(c.body); err != nil {
			return Result{}, err
		}
		note = "a chat request, counted as the same conversation in the Responses API"
	}
	body = body.only("input", "instructions", "tools", "tool_choice", "reasoning", "text", "conversation", "previous_response_id", "parallel_tool_calls", "personality", "truncation")
	if c.model != "" {
		body.set("model", c.model)
	}
	address, err := c.url(c.envOr("OPENAI_BASE_URL", "https://api.openai.com/v1"), "/responses/input_tokens")
	if err != nil {
		return Result{}, err
	}
	var answer struct {
		InputTokens *int64 `json:"input_tokens"`
	}
	if err := c.post(ctx, address, body, &answer, bearer(key)); err != nil {
		return Result{}, err
	}
	n, err := positive(answer.InputTokens)
	return Result{Tokens: n, Note: note}, err
}

// countGemini calls countTokens with the whole request, so that the system instruction and the tools are counted too.
func countGemini(ctx context.Context, c *call) (Result, error) {
	key, err := c.key("GEMINI_API_KEY", "GOOGLE_API_KEY")
	if err != nil {
		return Result{}, err
	}
	if c.model == "" {
		return Result{}, errNoModel
	}
	name := strings.TrimPrefix(c.model, "models/")
	whole := c.body.only("contents", "systemInstruction", "system_instruction", "tools", "toolConfig", "tool_config", "generationConfig", "safetySettings", "cachedContent")
	whole.set("model", "models/"+name)
	address, err := c.url(c.envOr("GEMINI_BASE_URL", "https://generativelanguage.googleapis.com"), "/v1beta/models/"+url.PathEscape(name)+":countTokens")
	if err != nil {
		return Result{}, err
	}
	return c.geminiAnswer(ctx, address, map[string]any{"generateContentRequest": whole}, header("x-goog-api-key", key))
}

func (c *call) geminiAnswer(ctx context.Context, address string, body any, auth sign) (Result, error) {
	var answer struct {
		TotalTokens *int64 `json:"totalTokens"`
		Cached      int64  `json:"cachedContentTokenCount"`
	}
	if err := c.post(ctx, address, body, &answer, auth); err != nil {
		return Result{}, err
	}
	n, err := positive(answer.TotalTokens)
	return Result{Tokens: n, Cached: answer.Cached, Note: "thought signatures are not counted"}, err
}

// countVertex calls Vertex, for Gemini or for Claude.
func countVertex(ctx context.Context, c *call) (Result, error) {
	token, err := c.key("GOOGLE_ACCESS_TOKEN", "GOOGLE_OAUTH_ACCESS_TOKEN", "CLOUDSDK_AUTH_ACCESS_TOKEN")
	if err != nil {
		return Result{}, err
	}
	project, location := c.env("GOOGLE_CLOUD_PROJECT", "ANTHROPIC_VERTEX_PROJECT_ID"), c.env("GOOGLE_CLOUD_LOCATION", "CLOUD_ML_REGION")
	if project == "" || location == "" {
		return Result{}, errors.New("set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION")
	}
	if c.model == "" {
		return Result{}, errNoModel
	}
	host := "https://" + location + "-aiplatform.googleapis.com"
	if location == "global" {
		host = "https://aiplatform.googleapis.com"
	}
	path := "/v1/projects/" + url.PathEscape(project) + "/locations/" + url.PathEscape(location) + "/publishers/"
	if strings.HasPrefix(c.model, "claude") {
		address, err := c.url(host, path+"anthropic/models/count-tokens:rawPredict")
		if err != nil {
			return Result{}, err
		}
		body := anthropicBody(c.body)
		body.set("model", c.model)
		body.set("anthropic_version", "vertex-2023-10-16")
		return anthropicAnswer(c.post, ctx, address, body, []sign{bearer(token)})
	}
	address, err := c.url(host, path+"google/models/"+url.PathEscape(c.model)+":countTokens")
	if err != nil {
		return Result{}, err
	}
	return c.geminiAnswer(ctx, address, c.body.only("contents", "systemInstruction", "tools", "generationConfig"), bearer(token))
}

// countMoonshot requests Moonshot's estimate.
func countMoonshot(ctx context.Context, c *call) (Result, error) {
	key, err := c.key("MOONSHOT_API_KEY")
	if err != nil {
		return Result{}, err
	}
	if c.model == "" {
		return Result{}, errNoModel
	}
	address, err := c.url(c.envOr("MOONSHOT_BASE_URL", "https://api.moonshot.ai/v1"), "/tokenizers/estimate-token-count")
	if err != nil {
		return Result{}, err
	}
	body := c.body.only("messages", "tools")
	body.set("model", c.model)
	var answer struct {
		Data struct {
			TotalTokens *int64 `json:"total_tokens"`
		} `json:"data"`
	}
	if err := c.post(ctx, address, body, &answer, bearer(key)); err != nil {
		return Result{}, err
	}
	n, err := positive(answer.Data.TotalTokens)
	return Result{Tokens: n}, err
}

// countZAI calls Z.AI's tokenizer.
func countZAI(ctx context.Context, c *call) (Result, error) {
	key, err := c.key("ZAI_API_KEY", "ZHIPU_API_KEY")
	if err != nil {
		return Result{}, err
	}
	if c.model == "" {
		return Result{}, errNoModel
	}
	address, err := c.url(c.envOr("ZAI_BASE_URL", "https://api.z.ai/api/paas/v4"), "/tokenizer")
	if err != nil {
		return Result{}, err
	}
	body := c.body.only("messages", "tools")
	body.set("model", c.model)
	var answer struct {
		Usage struct {
			PromptTokens *int64 `json:"prompt_tokens"`
		} `json:"usage"`
	}
	if err := c.post(ctx, address, body, &answer, bearer(key)); err != nil {
		return Result{}, err
	}
	n, err := positive(answer.Usage.PromptTokens)
	return Result{Tokens: n}, err
}

const textOnly = "the API counts text only, without what a request adds around it"

// countXAI calls xAI's tokenizer for the texts of the request.
func countXAI(ctx context.Context, c *call) (Result, error) {
	key, err := c.key("XAI_API_KEY")
	if err != nil {
		return Result{}, err
	}
	if c.model == "" {
		return Result{}, errNoModel
	}
	address, err := c.url(c.envOr("XAI_BASE_URL", "https://api.x.ai/v1"), "/tokenize-text")
	if err != nil {
		return Result{}, err
	}
	var answer struct {
		Tokens []struct{} `json:"token_ids"`
	}
	if err := c.post(ctx, address, map[string]string{"model": c.model, "text": texts(c.body)}, &answer, bearer(key)); err != nil {
		return Result{}, err
	}
	return Result{Tokens: int64(len(answer.Tokens)), Basis: "estimated", Note: textOnly}, nil
}

// cohereMost is the maximum number of characters that Cohere's tokenizer accepts at a time.
const cohereMost = 65536

// countCohere calls Cohere's tokenizer for the texts of the request.
func countCohere(ctx context.Context, c *call) (Result, error) {
	key, err := c.key("COHERE_API_KEY", "CO_API_KEY")
	if err != nil {
		return Result{}, err
	}
	if c.model == "" {
		return Result{}, errNoModel
	}
	address, err := c.url(c.envOr("COHERE_BASE_URL", "https://api.cohere.com"), "/v1/tokenize")
	if err != nil {
		return Result{}, err
	}
	total := int64(0)
	for _, piece := range pieces(texts(c.body), cohereMost) {
		var answer struct {
			Tokens []int64 `json:"tokens"`
		}
		if err := c.post(ctx, address, map[string]string{"model": c.model, "text": piece}, &answer, bearer(key)); err != nil {
			return Result{}, err
		}
		total += int64(len(answer.Tokens))
	}
	return Result{Tokens: total, Basis: "estimated", Note: textOnly}, nil
}
