// Copyright The ctx-lsp authors. MIT licence.

package randomhost

// shape is the form in which a host keeps its messages and receives usages.
type shape struct {
	name     string
	array    func(entries []*hostEntry) []any
	usage    func(u *hostUsage) map[string]any
	stores   bool // its messages contain usages
	attaches bool // hosts may attach usages to its messages
	states   bool // its messages show calls without results
}

type object = map[string]any

func shapes() []shape {
	return []shape{
		{name: "chat completions", array: each(chatMessage), usage: chatUsage, attaches: true},
		{name: "Responses", array: each(responsesItems), usage: responsesUsage},
		{name: "Anthropic", array: each(anthropicMessage), usage: anthropicUsage, attaches: true},
		{name: "Gemini", array: each(geminiContent), usage: geminiUsage, attaches: true},
		{name: "AI SDK", array: each(modelMessage), usage: sdkUsage},
		{name: "AI SDK UI", array: each(uiMessage), usage: sdkUsage, states: true, attaches: true},
		{name: "LangChain", array: each(langChainMessage), usage: langChainUsage, stores: true},
		{name: "OpenCode", array: each(openCodeMessage), usage: openCodeUsage, stores: true, states: true},
		{name: "Dexto", array: each(dextoMessage), usage: sdkUsage, stores: true},
		{name: ".NET", array: each(netMessage), usage: netUsage, attaches: true},
	}
}

// each makes an array of the messages of each entry.
func each(one func(e *hostEntry) []any) func([]*hostEntry) []any {
	return func(entries []*hostEntry) []any {
		list := []any{}
		for _, e := range entries {
			list = append(list, one(e)...)
		}
		return list
	}
}

func (e *hostEntry) userText() string { return e.user.text }

// sent returns the text that is sent as a result.
func (c *hostCall) sent() string {
	if c.cleared {
		return placeholder.text
	}
	return c.result.text
}

func (c *hostCall) done() bool { return c.state == "completed" || c.state == "error" }

// marked adds the mark of a summary.
func (e *hostEntry) marked(m object) []any {
	if e.summary {
		m["isSummary"] = true
	}
	return []any{m}
}

func chatMessage(e *hostEntry) (list []any) {
	if e.user != nil {
		return e.marked(object{"role": "user", "content": e.userText()})
	}
	m := object{"role": "assistant", "content": nil}
	if e.step.text != nil {
		m["content"] = e.step.text.text
	}
	if e.step.visible && e.step.thought != nil {
		m["reasoning_content"] = e.step.thought.text
	}
	if e.step.usage != nil {
		m["usage"] = chatUsage(e.step.usage)
	}
	var calls []any
	for _, c := range e.step.calls {
		calls = append(calls, object{"id": c.id, "type": "function", "function": object{"name": c.name, "arguments": c.args.text}})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	list = append(list, m)
	for _, c := range e.step.calls {
		if c.done() {
			list = append(list, object{"role": "tool", "tool_call_id": c.id, "content": c.sent()})
		}
	}
	return list
}

func chatUsage(u *hostUsage) object {
	return object{"prompt_tokens": u.in, "completion_tokens": u.out, "total_tokens": u.in + u.out, "completion_tokens_details": object{"reasoning_tokens": u.reasoning}}
}

func responsesItems(e *hostEntry) (list []any) {
	if e.user != nil {
		return e.marked(object{"type": "message", "role": "user", "content": []any{object{"type": "input_text", "text": e.userText()}}})
	}
	if e.step.visible && e.step.thought != nil {
		summary := object{"type": "summary_text", "text": e.step.thought.text}
		list = append(list, object{"type": "reasoning", "id": "rs_" + e.id, "summary": []any{summary}, "encrypted_content": "Z0FB"})
	}
	if e.step.text != nil {
		list = append(list, object{"type": "message", "role": "assistant", "id": e.id, "content": []any{object{"type": "output_text", "text": e.step.text.text}}})
	}
	for _, c := range e.step.calls {
		list = append(list, object{"type": "function_call", "call_id": c.id, "name": c.name, "arguments": c.args.text})
	}
	for _, c := range e.step.calls {
		if c.done() {
			list = append(list, object{"type": "function_call_output", "call_id": c.id, "output": c.sent()})
		}
	}
	return list
}

func responsesUsage(u *hostUsage) object {
	return object{"input_tokens": u.in, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": u.out, "output_tokens_details": object{"reasoning_tokens": u.reasoning}, "total_tokens": u.in + u.out}
}

func anthropicMessage(e *hostEntry) (list []any) {
	if e.user != nil {
		return e.marked(object{"role": "user", "content": []any{object{"type": "text", "text": e.userText()}}})
	}
	var parts, results []any
	if e.step.visible && e.step.thought != nil {
		parts = append(parts, object{"type": "thinking", "thinking": e.step.thought.text, "signature": "EqQB"})
	}
	if e.step.text != nil {
		parts = append(parts, object{"type": "text", "text": e.step.text.text})
	}
	for _, c := range e.step.calls {
		parts = append(parts, object{"type": "tool_use", "id": c.id, "name": c.name, "input": c.args.text})
		if c.done() {
			results = append(results, object{"type": "tool_result", "tool_use_id": c.id, "content": c.sent()})
		}
	}
	m := object{"role": "assistant", "content": parts}
	if e.step.usage != nil {
		m["usage"] = anthropicUsage(e.step.usage)
	}
	list = append(list, m)
	if results != nil {
		list = append(list, object{"role": "user", "content": results})
	}
	return list
}

func anthropicUsage(u *hostUsage) object {
	read := u.in / 3
	return object{"input_tokens": u.in - read, "cache_read_input_tokens": read, "cache_creation_input_tokens": 0, "output_tokens": u.out, "output_tokens_details": object{"thinking_tokens": u.reasoning}}
}

func geminiContent(e *hostEntry) (list []any) {
	if e.user != nil {
		return e.marked(object{"role": "user", "parts": []any{object{"text": e.userText()}}})
	}
	var parts, results []any
	if e.step.visible && e.step.thought != nil {
		parts = append(parts, object{"text": e.step.thought.text, "thought": true})
	}
	if e.step.text != nil {
		parts = append(parts, object{"text": e.step.text.text})
	}
	for _, c := range e.step.calls {
		parts = append(parts, object{"functionCall": object{"id": c.id, "name": c.name, "args": c.args.text}})
		if c.done() {
			results = append(results, object{"functionResponse": object{"id": c.id, "name": c.name, "response": c.sent()}})
		}
	}
	m := object{"role": "model", "parts": parts}
	if e.step.usage != nil {
		m["usageMetadata"] = geminiUsage(e.step.usage)
	}
	list = append(list, m)
	if results != nil {
		list = append(list, object{"role": "user", "parts": results})
	}
	return list
}

func geminiUsage(u *hostUsage) object {
	return object{"promptTokenCount": u.in, "candidatesTokenCount": u.out - u.reasoning, "thoughtsTokenCount": u.reasoning, "totalTokenCount": u.in + u.out}
}

func modelMessage(e *hostEntry) (list []any) {
	if e.user != nil {
		return e.marked(object{"role": "user", "content": e.userText()})
	}
	var parts, results []any
	if e.step.visible && e.step.thought != nil {
		parts = append(parts, object{"type": "reasoning", "text": e.step.thought.text})
	}
	if e.step.text != nil {
		parts = append(parts, object{"type": "text", "text": e.step.text.text})
	}
	for _, c := range e.step.calls {
		parts = append(parts, object{"type": "tool-call", "toolCallId": c.id, "toolName": c.name, "input": c.args.text})
		if c.done() {
			results = append(results, object{"type": "tool-result", "toolCallId": c.id, "toolName": c.name, "output": object{"type": "text", "value": c.sent()}})
		}
	}
	list = append(list, object{"role": "assistant", "content": parts})
	if results != nil {
		list = append(list, object{"role": "tool", "content": results})
	}
	return list
}

func sdkUsage(u *hostUsage) object {
	return object{"inputTokens": u.in, "outputTokens": u.out, "reasoningTokens": u.reasoning, "totalTokens": u.in + u.out}
}

// uiMessage keeps a call and its result in one part.
func uiMessage(e *hostEntry) []any {
	if e.user != nil {
		return e.marked(object{"id": e.id, "role": "user", "parts": []any{object{"type": "text", "text": e.userText()}}})
	}
	parts := []any{object{"type": "step-start"}}
	if e.step.visible && e.step.thought != nil {
		parts = append(parts, object{"type": "reasoning", "text": e.step.thought.text, "state": "done"})
	}
	if e.step.text != nil {
		parts = append(parts, object{"type": "text", "text": e.step.text.text})
	}
	for _, c := range e.step.calls {
		part := object{"type": "tool-" + c.name, "toolCallId": c.id, "state": "input-available", "input": c.args.text}
		switch {
		case c.state == "error" && !c.cleared:
			part["state"], part["errorText"] = "output-error", c.sent()
		case c.done():
			part["state"], part["output"] = "output-available", c.sent()
		}
		parts = append(parts, part)
	}
	m := object{"id": e.id, "role": "assistant", "parts": parts}
	if e.step.usage != nil {
		m["metadata"] = object{"model": "m", "usage": sdkUsage(e.step.usage)}
	}
	return []any{m}
}

func langChainMessage(e *hostEntry) (list []any) {
	if e.user != nil {
		return e.marked(object{"type": "human", "id": e.id, "content": e.userText()})
	}
	m := object{"type": "ai", "id": e.id, "content": ""}
	if e.step.text != nil {
		m["content"] = e.step.text.text
	}
	if e.step.visible && e.step.thought != nil {
		content := []any{object{"type": "thinking", "thinking": e.step.thought.text}}
		if e.step.text != nil {
			content = append(content, object{"type": "text", "text": e.step.text.text})
		}
		m["content"] = content
	}
	var calls []any
	for _, c := range e.step.calls {
		calls = append(calls, object{"id": c.id, "type": "tool_call", "name": c.name, "args": c.args.text})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	if e.step.usage != nil {
		m["usage_metadata"] = langChainUsage(e.step.usage)
	}
	list = append(list, m)
	for _, c := range e.step.calls {
		if c.done() {
			list = append(list, object{"type": "tool", "id": "r" + c.id, "tool_call_id": c.id, "name": c.name, "content": c.sent()})
		}
	}
	return list
}

func langChainUsage(u *hostUsage) object {
	return object{"input_tokens": u.in, "output_tokens": u.out, "total_tokens": u.in + u.out, "output_token_details": object{"reasoning": u.reasoning}}
}

func openCodeMessage(e *hostEntry) []any {
	if e.user != nil {
		return e.marked(object{"info": object{"id": e.id, "role": "user"}, "parts": []any{object{"id": "p" + e.id, "type": "text", "text": e.userText()}}})
	}
	info := object{"id": e.id, "role": "assistant", "modelID": "m"}
	if e.step.usage != nil && allDone(e.step.calls) {
		for k, v := range openCodeUsage(e.step.usage)["info"].(object) {
			info[k] = v
		}
		info["id"] = e.id
	}
	parts := []any{object{"type": "step-start"}}
	if e.step.visible && e.step.thought != nil {
		parts = append(parts, object{"type": "reasoning", "text": e.step.thought.text, "time": object{"start": 1, "end": 2}})
	}
	if e.step.text != nil {
		parts = append(parts, object{"type": "text", "text": e.step.text.text})
	}
	for _, c := range e.step.calls {
		state := object{"status": c.state, "input": c.args.text}
		switch {
		case c.cleared:
			state["status"], state["output"], state["time"] = "completed", c.result.text, object{"start": 1, "end": 2, "compacted": 3}
		case c.state == "completed":
			state["output"], state["time"] = c.result.text, object{"start": 1, "end": 2}
		case c.state == "error":
			state["error"] = c.result.text
		}
		parts = append(parts, object{"type": "tool", "callID": c.id, "tool": c.name, "state": state})
	}
	return []any{object{"info": info, "parts": parts}}
}

func allDone(calls []*hostCall) bool {
	for _, c := range calls {
		if !c.done() {
			return false
		}
	}
	return true
}

func openCodeUsage(u *hostUsage) object {
	read := u.in / 2
	return object{"info": object{
		"role": "assistant", "modelID": "m", "time": object{"created": 1, "completed": 2},
		"tokens": object{"input": u.in - read, "output": u.out - u.reasoning, "reasoning": u.reasoning, "cache": object{"read": read, "write": 0}},
	}}
}

func dextoMessage(e *hostEntry) (list []any) {
	if e.user != nil {
		return e.marked(object{"id": e.id, "role": "user", "content": []any{object{"type": "text", "text": e.userText()}}})
	}
	m := object{"id": e.id, "role": "assistant", "content": nil}
	if e.step.text != nil {
		m["content"] = []any{object{"type": "text", "text": e.step.text.text}}
	}
	if e.step.visible && e.step.thought != nil {
		m["reasoning"] = e.step.thought.text
	}
	var calls []any
	for _, c := range e.step.calls {
		calls = append(calls, object{"id": c.id, "type": "function", "function": object{"name": c.name, "arguments": c.args.text}})
	}
	if calls != nil {
		m["toolCalls"] = calls
	}
	if e.step.usage != nil {
		m["tokenUsage"] = sdkUsage(e.step.usage)
	}
	list = append(list, m)
	for _, c := range e.step.calls {
		if c.done() {
			r := object{"id": "r" + c.id, "role": "tool", "toolCallId": c.id, "name": c.name, "content": []any{object{"type": "text", "text": c.result.text}}}
			if c.cleared {
				r["compactedAt"] = 1
			}
			list = append(list, r)
		}
	}
	return list
}

func netMessage(e *hostEntry) (list []any) {
	if e.user != nil {
		return e.marked(object{"Role": "user", "Contents": []any{object{"$type": "text", "Text": e.userText()}}})
	}
	var parts []any
	if e.step.visible && e.step.thought != nil {
		parts = append(parts, object{"$type": "reasoning", "Text": e.step.thought.text})
	}
	if e.step.text != nil {
		parts = append(parts, object{"$type": "text", "Text": e.step.text.text})
	}
	for _, c := range e.step.calls {
		parts = append(parts, object{"$type": "functionCall", "CallId": c.id, "Name": c.name, "Arguments": c.args.text})
	}
	m := object{"Role": "assistant", "Contents": parts}
	if u := e.step.usage; u != nil {
		m["AdditionalProperties"] = object{"LastInputTokenCount": u.in, "LastOutputTokenCount": u.out}
	}
	list = append(list, m)
	for _, c := range e.step.calls {
		if c.done() {
			list = append(list, object{"Role": "tool", "Contents": []any{object{"$type": "functionResult", "CallId": c.id, "Result": c.sent()}}})
		}
	}
	return list
}

func netUsage(u *hostUsage) object {
	return object{"InputTokenCount": u.in, "OutputTokenCount": u.out, "TotalTokenCount": u.in + u.out, "ReasoningTokenCount": u.reasoning}
}
