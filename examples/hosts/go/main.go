// Copyright The ctx-lsp authors. MIT licence.

// Command hosts is a chat program with OpenAI's library for Go: twenty turns against a local server, `go run .`.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

// <recipe>

var meter = api.New()

func call(method string, params map[string]any) *api.Reading {
	var r struct{ Result api.Reading }
	text, _ := json.Marshal(params)
	_ = json.Unmarshal(meter.Call(method, text), &r)
	return &r.Result
}

func ask(client *openai.Client, params openai.ChatCompletionNewParams) (*openai.ChatCompletion, error) {
	expect(call("ctx/session/messages", map[string]any{"id": "chat", "messages": params.Messages}))
	answer, err := client.Chat.Completions.New(context.Background(), params)
	if err == nil {
		show(call("ctx/session/usage", map[string]any{"id": "chat", "usage": json.RawMessage(answer.Usage.RawJSON())}))
	}
	return answer, err
}

// </recipe>

var predicted, actual []int64

func expect(r *api.Reading) { predicted = append(predicted, r.Used) }

func show(*api.Reading) {}

func main() {
	server := httptest.NewServer(http.HandlerFunc(serve))
	defer server.Close()
	client := openai.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"))
	call("ctx/session/open", map[string]any{"id": "chat", "limits": map[string]any{"window": 32_000}, "rule": map[string]any{"percent": 80}})
	params := openai.ChatCompletionNewParams{Model: "local", Tools: []openai.ChatCompletionToolUnionParam{
		openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: "log", Description: openai.String("Reads the log of a test.")}),
	}}
	for turn := 1; turn <= 20; turn++ {
		question := strings.Repeat(fmt.Sprintf("Turn %d: why does test %d fail on the second machine? ", turn, turn), 3)
		params.Messages = append(params.Messages, openai.UserMessage(question))
		for {
			completion, err := ask(&client, params)
			if err != nil {
				log.Fatal(err)
			}
			answer := completion.Choices[0].Message
			params.Messages = append(params.Messages, answer.ToParam())
			if len(answer.ToolCalls) == 0 {
				break
			}
			for _, c := range answer.ToolCalls {
				text := strings.Repeat("FAIL: got 3 tokens, want 4\n", 10+turn%7*12)
				params.Messages = append(params.Messages, openai.ToolMessage(text, c.ID))
			}
		}
		if turn == 12 {
			kept := params.Messages[len(params.Messages)-4:]
			summary := strings.Repeat("Summary: ten tests failed because of the table of separators. ", 6)
			params.Messages = append([]openai.ChatCompletionMessageParamUnion{openai.UserMessage(summary)}, kept...)
		}
	}
	report()
}

// report prints a table, and fails if a prediction was off by more than a tenth after the third request.
func report() {
	worst := 0.0
	for i, n := range actual {
		miss := predicted[i] - n
		fmt.Println(i+1, predicted[i], n, miss)
		if i >= 3 {
			worst = max(worst, float64(max(miss, -miss))/float64(n))
		}
	}
	fmt.Printf("openai-go: %d requests, off by %.1f%% at most\n", len(actual), 100*worst)
	if worst > 0.1 || len(predicted) != len(actual) {
		os.Exit(1)
	}
}

// serve answers as OpenAI's chat completions do. It counts a prompt by the bytes that it got, at four characters a
// token. Each turn is a call of a tool, and then an answer; both begin with reasoning that is not sent back.
func serve(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Messages []struct {
			Role    string
			Content string
			Calls   []struct{ Function struct{ Arguments string } } `json:"tool_calls"`
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	size := int64(900)
	for _, m := range asked.Messages {
		size += int64(len(m.Content)+2) / 4
		for _, c := range m.Calls {
			size += int64(len(c.Function.Arguments)+2) / 4
		}
	}
	actual = append(actual, size)
	n := len(actual)
	const thought = 12
	message := map[string]any{"role": "assistant", "content": strings.Repeat("The table of separators is out of date. ", 1+n%4)}
	visible, reason := int64(len(message["content"].(string))+2)/4, "stop"
	if asked.Messages[len(asked.Messages)-1].Role != "tool" {
		arguments := fmt.Sprintf(`{"test":%d}`, n)
		message = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{
			"id": fmt.Sprint("call_", n), "type": "function", "function": map[string]any{"name": "log", "arguments": arguments},
		}}}
		visible, reason = int64(len(arguments)+2)/4, "tool_calls"
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": fmt.Sprint("chatcmpl-", n), "object": "chat.completion", "created": 1, "model": "local",
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": reason}},
		"usage": map[string]any{
			"prompt_tokens": size, "completion_tokens": visible + thought, "total_tokens": size + visible + thought,
			"completion_tokens_details": map[string]any{"reasoning_tokens": thought},
		},
	})
}
