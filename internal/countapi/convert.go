// Copyright The ctx-lsp authors. MIT licence.

package countapi

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

type chatMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// asResponses converts a chat request to one of the Responses API.
func asResponses(chat object) (object, error) {
	var messages []chatMessage
	if err := json.Unmarshal(chat["messages"], &messages); err != nil {
		return nil, errors.New("messages is not an array of chat messages")
	}
	var input []any
	for _, m := range messages {
		switch {
		case m.Role == "tool":
			input = append(input, map[string]any{"type": "function_call_output", "call_id": m.ToolCallID, "output": contentText(m.Content)})
		default:
			if content := responseContent(m.Role, m.Content); content != nil {
				input = append(input, map[string]any{"role": m.Role, "content": content})
			}
			for _, call := range m.ToolCalls {
				input = append(input, map[string]any{"type": "function_call", "call_id": call.ID, "name": call.Function.Name, "arguments": call.Function.Arguments})
			}
		}
	}
	out := chat.only("parallel_tool_calls", "tool_choice")
	if len(out["tool_choice"]) > 0 && out["tool_choice"][0] == '{' {
		delete(out, "tool_choice") // it has another form there, and takes no space in the window
	}
	out.set("input", input)
	var tools []struct {
		Type     string         `json:"type"`
		Function map[string]any `json:"function"`
	}
	if chat.has("tools") && json.Unmarshal(chat["tools"], &tools) == nil {
		var flat []any
		for _, t := range tools {
			if t.Function != nil {
				t.Function["type"] = "function"
				flat = append(flat, t.Function)
			}
		}
		out.set("tools", flat)
	}
	return out, nil
}

// responseContent converts the parts of a chat message to the names of the Responses API.
func responseContent(role string, raw json.RawMessage) any {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if s == "" {
			return nil
		}
		return s
	}
	var parts []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		ImageURL struct {
			URL    string `json:"url"`
			Detail string `json:"detail"`
		} `json:"image_url"`
	}
	if json.Unmarshal(raw, &parts) != nil || len(parts) == 0 {
		return nil
	}
	kind := "input_text"
	if role == "assistant" {
		kind = "output_text"
	}
	var out []any
	for _, p := range parts {
		switch p.Type {
		case "text":
			out = append(out, map[string]any{"type": kind, "text": p.Text})
		case "image_url":
			image := map[string]any{"type": "input_image", "image_url": p.ImageURL.URL}
			if p.ImageURL.Detail != "" {
				image["detail"] = p.ImageURL.Detail
			}
			out = append(out, image)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// contentText returns the text of a message's content, in any form.
func contentText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var v any
	_ = json.Unmarshal(raw, &v) // invalid requests were refused before; for any other value v stays empty
	var b strings.Builder
	collect(v, &b)
	return b.String()
}

// texts returns everything in a request that a model reads as text, for APIs that accept only text: messages,
// instructions, and tools as JSON.
func texts(body object) string {
	var b strings.Builder
	for _, name := range []string{"system", "instructions", "prompt", "text", "message", "messages", "input", "contents"} {
		var v any
		if json.Unmarshal(body[name], &v) == nil {
			collect(v, &b)
		}
	}
	if body.has("tools") {
		b.Write(body["tools"])
	}
	return b.String()
}

func collect(v any, b *strings.Builder) {
	switch v := v.(type) {
	case string:
		b.WriteString(v)
		b.WriteByte('\n')
	case []any:
		for _, e := range v {
			collect(e, b)
		}
	case map[string]any:
		for _, key := range []string{"text", "content", "parts", "arguments", "input", "output", "function", "tool_calls", "name"} {
			if e, ok := v[key]; ok {
				collect(e, b)
			}
		}
	}
}

// pieces splits a text between characters into parts of at most that many characters.
func pieces(s string, most int) []string {
	var out []string
	for s != "" {
		end, n := 0, 0
		for end < len(s) && n < most {
			_, size := utf8.DecodeRuneInString(s[end:])
			end += size
			n++
		}
		out = append(out, s[:end])
		s = s[end:]
	}
	return out
}
