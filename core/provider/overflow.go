// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A refusal is one wording for a prompt that did not fit. fields states the meaning of each number in the pattern: n
// prompt, o requested output, m limit, t prompt and output together (ignored), k more prompt, x excess.
type refusal struct {
	name    string
	pattern pattern
	fields  string
	limit   core.LimitKind
	prompt  core.Exactness
}

// refusals are the wordings with numbers. They are tried in this order, the more detailed before the more general.
var refusals = [...]refusal{
	{"anthropic", "prompt is too long{:} #{ tokens} > #{ maximum}", "nm", core.LimitTotal, core.Exact},
	{"anthropic with output", "input length and {`}max_tokens{`} exceed context limit: # + # > #", "nom", core.LimitTotal, core.Exact},
	{"vllm, stopped counting", "maximum context length is # tokens~requested # output tokens and your prompt contains at least #", "mon", core.LimitTotal, core.LowerBound},
	{"openrouter", "maximum context length is # tokens~requested about # tokens (# of text input{, # of tool input}{<,|;> # in the output}", "mtnko", core.LimitTotal, core.Approximate},
	{"openai, split", "maximum context length is # tokens~requested # tokens (# in <the messages|your prompt>{, # in the functions}{<,|;> # <in|for> the completion}", "mtnko", core.LimitTotal, core.Exact},
	{"sglang", "maximum context length of # tokens~requested a total of #~ tokens: # tokens from the input messages and # tokens for the completion", "mtno", core.LimitTotal, core.Exact},
	{"openai", "maximum context length is # tokens~resulted in #", "mn", core.LimitTotal, core.Exact},
	{"vllm, newer", "maximum context length is # tokens~request has # input tokens", "mn", core.LimitTotal, core.Exact},
	{"openai, input limit", "configured limit of # tokens. Your messages resulted in #", "mn", core.LimitInput, core.Exact},
	{"vllm", "You passed # input tokens and requested # output tokens.~context length is only #", "nom", core.LimitTotal, core.Exact},
	{"gemini", "input token count {(}#{)} exceeds the maximum number of tokens allowed {(}#", "nm", core.LimitInput, core.Exact},
	{"xai", "maximum prompt length is # but the request contains #", "mn", core.LimitInput, core.Exact},
	{"copilot", "prompt token count of # exceeds the limit of #", "nm", core.LimitInput, core.Exact},
	{"moonshot", "exceeded model token limit: #{ (requested: #}", "mn", core.LimitTotal, core.Exact},
	{"mistral", "Prompt contains # tokens~too large for model with # maximum context length", "nm", core.LimitTotal, core.Exact},
	{"llama.cpp", "request (# tokens) exceeds {the available }context size (# tokens)", "nm", core.LimitTotal, core.Exact},
	{"llama.cpp, older", "input (# tokens) is larger than the max context size (# tokens)", "nm", core.LimitTotal, core.Exact},
	{"together", "input (# tokens) is longer than the model{'}s context length (# tokens)", "nm", core.LimitTotal, core.Exact},
	{"poolside", "Input length # exceeds the maximum allowed input length of # tokens", "nm", core.LimitInput, core.Exact},
	{"compatible", "Input length (#) exceeds model{'}s maximum context length (#)", "nm", core.LimitTotal, core.Exact},
	{"ds4", "Prompt has # token{s}, but the configured context size is #", "nm", core.LimitTotal, core.Exact},
	{"cohere", "total number of tokens in the prompt cannot exceed #{ - received #}", "mn", core.LimitInput, core.Exact},
	{"cohere, older", "total number of tokens{ (prompt and prediction)} cannot exceed #{ - received #}", "mt", core.LimitTotal, core.Exact},
	{"cerebras", "Current length is # while limit is #", "nm", core.LimitUnknown, core.Exact},
	{"dashscope", "Range of input length should be [1, #]", "m", core.LimitInput, core.Exact},
	{"lm studio", "keep the first # tokens~context length of only # tokens", "nm", core.LimitTotal, core.Exact},
	{"hugging face", "inputs{`} must have less than # tokens. Given: #", "mn", core.LimitInput, core.Exact},
	{"hugging face, with output", "inputs{`} tokens + {`}max_new_tokens{`} must be ~= #{. Given: # {`}inputs{`} tokens and #}", "mno", core.LimitTotal, core.Exact},
	{"ollama", "exceeded max context length by # tokens", "x", core.LimitUnknown, core.Exact},
	// These match the same messages if the second number is missing or worded differently.
	{"litellm", "maximum context length of # token", "m", core.LimitTotal, core.Exact},
	{"openai, limit only", "maximum context length is # tokens", "m", core.LimitTotal, core.Exact},
	{"mistral, limit only", "too large for model with # maximum context length", "m", core.LimitTotal, core.Exact},
	{"xai, limit only", "maximum prompt length is #", "m", core.LimitInput, core.Exact},
	{"poolside, limit only", "exceeds the maximum allowed input length of # token", "m", core.LimitInput, core.Exact},
	// Agents and gateways shorten and reword what they pass on; the larger number is the prompt.
	{reworded, "<prompt|input|context|conversation|messages|history> {<is|are|was|were> }too <long|large|big>~#{ tokens} > #", "nm", core.LimitTotal, core.Exact},
	{reworded, "<prompt|input|context|conversation|messages|history> {<is|are|was|were> }too <long|large|big>~#~<maximum|max|limit|allowed|exceed|window>~#", "nm", core.LimitTotal, core.Exact},
}

// reworded is the name of patterns that match many wordings, so their numbers have to be plausible.
const (
	reworded      = "reworded"
	rewordedLeast = 1000 // tokens: smaller numbers are of something else
)

// numberless are wordings for a prompt that did not fit, without any numbers.
var numberless = []pattern{
	"exceeds the context window", "exceeds context window", "Input is too long for requested model", "reduce the length of the messages", "reduce the length of the input prompt",
	"context window exceeds limit", "context window exceeded", "ContextWindowExceeded", "Prompt too long", "Prompt is too long", "Prompt exceeds max length",
	"exceeds the available context size", "is greater than the context length", "prompt is longer than the context length",
	"input length exceeds the context length", "exceeds the model's context length", "exceeded model token limit", "Range of input length should be", "context_length_exceeded", "context length exceeded",
	"model_max_prompt_tokens_exceeded", "exceed_context_size_error", "model_context_window_exceeded", "input token count exceeds", "too many tokens: total number of tokens", "token limit exceeded",
	// Wordings of agents and client libraries that do not pass on the provider's message.
	"ran out of room in the model",
	"ContextLengthExceeded", "ContextWindowOverflow", "ContextOverflow", "context_window_exceeded", "context_overflow", "prompt_too_long", "CONTENT_LENGTH_EXCEEDS_THRESHOLD",
}

// vetoes are wordings of refusals for other reasons, such as rates, bytes, the length of a string, or the limit of a
// reply.
var vetoes = []pattern{
	"rate limit", "rate_limit", "rate-limit", "ratelimit", "too many requests", "per minute", "per-minute", "per min ", "per min)", "(TPM)", "(RPM)", "tokens per day", "quota", "ThrottlingException", "Throttling error",
	"wait before trying again", "string_above_max_length", "request_too_large", "Request exceeds the maximum size", "failed to parse request", "Request Entity Too Large", "payload too large",
	"maximum allowed number of output tokens", "cannot be greater than max_model_len", "Service unavailable:",
}

const (
	maxErrorText = 16 << 10 // maximum number of bytes read from an error's text
	maxDepth     = 8
)

// Error reads a provider's error, as the original object or text, and reports whether the prompt did not fit. status is
// the HTTP status, 0 if unknown. Nothing of the error's text is kept.
func Error(provider string, status int, v json.Value) (core.Overflowed, bool) {
	provider = model.Provider(provider)
	o := core.Overflowed{Prompt: core.Unknown, Output: core.Unknown, Limit: core.Unknown}
	var message statement
	message.gather(v, 0)
	message.unescape()
	if status == 429 || message.rate || message.vetoed() {
		return o, false
	}
	for i := range refusals {
		if message.refused(&refusals[i], &o) {
			message.fields(&o)
			return o, true
		}
	}
	if message.fields(&o) {
		return o, true
	}
	if message.code1261 {
		o.Note = phrase.TooLongUnknown.Text()
		return o, true
	}
	for _, p := range numberless {
		var none captures
		if p.find(message.text, &none) {
			o.Note = phrase.TooLongUnknown.Text()
			return o, true
		}
	}
	if (provider == "cerebras" || provider == "mistral") && message.bodyless(status) {
		o.Note = phrase.RefusedBlank.Text()
		return o, true
	}
	return o, false
}

// A statement is the content of an error: its texts joined by line breaks, and its codes.
type statement struct {
	text           []byte
	prompt, window int64 // numbers from fields other than the text
	rate           bool  // a field contains 429
	code1261       bool  // Z.AI's code for a prompt that is too long
	inputLimit     bool  // a code shows that the limit applies to the prompt alone
}

// gather collects the texts and codes of an error.
func (s *statement) gather(v json.Value, depth int) {
	if depth > maxDepth || len(s.text) >= maxErrorText {
		return
	}
	switch v.Kind() {
	case json.String:
		s.append(v)
	case json.Array:
		for e := v.Elements(); e.Next(); {
			s.gather(e.Value, depth+1)
		}
	case json.Object:
		for f := v.Fields(); f.Next(); {
			s.field(f.Key, f.Value, depth)
		}
	}
}

func (s *statement) field(key, v json.Value, depth int) {
	switch {
	case v.Kind() == json.Number && string(v.Raw()) == "429":
		s.rate = true
	case key.Is("n_prompt_tokens"):
		s.prompt = positive(v)
	case key.Is("n_ctx"):
		s.window = positive(v)
	case key.Is("code"), key.Is("type"), key.Is("status"), key.Is("error_code"), key.Is("errorCode"), key.Is("reason"), key.Is("__type"), key.Is("name"),
		key.Is("stop_reason"), key.Is("finish_reason"), key.Is("stopReason"), key.Is("codex_error_info"), key.Is("codexErrorInfo"):
		if v.Is("1261") || string(v.Raw()) == "1261" {
			s.code1261 = true
		}
		if v.Is("model_max_prompt_tokens_exceeded") {
			s.inputLimit = true
		}
		s.gather(v, depth+1)
	case key.Is("message"), key.Is("error"), key.Is("errors"), key.Is("detail"), key.Is("details"), key.Is("msg"), key.Is("body"), key.Is("raw"), key.Is("metadata"),
		key.Is("response"), key.Is("responseBody"), key.Is("cause"), key.Is("data"), key.Is("innererror"), key.Is("Message"), key.Is("error_description"), key.Is("originalMessage"), key.Is("choices"), key.Is("description"),
		key.Is("errorMessage"), key.Is("err"), key.Is("exception"):
		s.gather(v, depth+1)
	case v.Kind() == json.Object && !isRequest(key):
		s.envelope(v, depth+1)
	}
}

// envelope looks for errors in an object of an unknown name, such as an event's properties or the record of a message.
// Only members that are errors by their name are read, so that no text of a conversation is taken for a refusal.
func (s *statement) envelope(v json.Value, depth int) {
	for f := v.Fields(); f.Next() && depth <= maxDepth; {
		switch name := string(fold(f.Name(), nil)); {
		case name == "errorcode", name == "errormessage", name == "error", name == "errors", name == "err", name == "exception", name == "lasterror":
			s.gather(f.Value, depth+1)
		case f.Value.Kind() == json.Object && !isRequest(f.Key):
			s.envelope(f.Value, depth+1)
		}
	}
}

// isRequest reports whether a member of an error contains the request or other texts of the conversation.
func isRequest(key json.Value) bool {
	switch key.String() {
	case "request", "requestBody", "requestBodyValues", "config", "messages", "content", "parts", "prompt", "input", "tools", "system":
		return true
	}
	return false
}

// HasError reports whether an event or a message in place of a usage reports an error.
func HasError(v json.Value) bool {
	for _, at := range []json.Value{v, v.Get("properties"), v.Get("info"), v.Get("response"), v.Get("data"), v.Path("properties", "info")} {
		for _, name := range []string{"error", "errorMessage", "Error"} {
			if found := at.Get(name); found.Kind() == json.Object || found.Kind() == json.String && found.TextLen() > 0 {
				return true
			}
		}
	}
	return false
}

func (s *statement) append(v json.Value) {
	if len(s.text) > 0 {
		s.text = append(s.text, '\n')
	}
	s.text = v.AppendText(s.text)
	if len(s.text) > maxErrorText {
		s.text = s.text[:maxErrorText]
	}
}

// unescape decodes the escapes in JSON within a string, for characters that patterns contain.
func (s *statement) unescape() {
	t := s.text
	to := 0
	for i := 0; i < len(t); i++ {
		c := t[i]
		if c == '\\' && i+1 < len(t) {
			if escape := string(t[i:min(i+len(`\u003e`), len(t))]); escape == `\u003e` || escape == `\u003E` {
				c = '>'
				i += len(escape) - 1
			} else if t[i+1] == '"' || t[i+1] == '/' || t[i+1] == '\'' {
				c = t[i+1]
				i++
			} else if t[i+1] == 'n' {
				c = '\n'
				i++
			}
		}
		t[to] = c
		to++
	}
	s.text = t[:to]
}

func (s *statement) vetoed() bool {
	var none captures
	for _, p := range vetoes {
		if p.find(s.text, &none) {
			return true
		}
	}
	return false
}

// refused sets the numbers of a refusal and returns true if its pattern matches the text.
func (s *statement) refused(r *refusal, o *core.Overflowed) bool {
	var c captures
	if !r.pattern.find(s.text, &c) {
		return false
	}
	if r.name == reworded {
		if min(c.value[0], c.value[1]) < rewordedLeast {
			return false
		}
		c.value[0], c.value[1] = max(c.value[0], c.value[1]), min(c.value[0], c.value[1])
	}
	o.LimitIs, o.PromptIs = r.limit, r.prompt
	// If optional numbers are missing, their fields must be dropped. The words around the numbers show which are
	// missing; only a number missing in the middle shifts the others.
	fields := r.fields
	if c.n < len(fields) {
		fields = shorten(fields, c.n, s.text)
	}
	var more, excess int64 = 0, core.Unknown
	for i, field := range []byte(fields[:min(len(fields), c.n)]) {
		value := c.value[i]
		switch field {
		case 'n':
			o.Prompt = value
		case 'o':
			o.Output = value
		case 'm':
			o.Limit = value
		case 'k':
			more = orZero(value)
		case 'x':
			excess = value
		}
	}
	if o.Prompt != core.Unknown {
		o.Prompt += more
	}
	if o.Limit == 0 {
		o.Limit = core.Unknown
	}
	if o.Prompt == 0 {
		o.Prompt = core.Unknown
	}
	if r.name == "gemini" && o.Limit != core.Unknown && o.Limit&1 == 1 {
		// Gemini prints one less than the model's input limit.
		o.Limit++
	}
	if s.inputLimit {
		o.LimitIs = core.LimitInput
	}
	switch {
	case excess != core.Unknown:
		o.Note = phrase.TooLongBy.Text()
	case o.PromptIs == core.LowerBound:
		o.Note = phrase.TooLongAtLeast.Text()
	case o.PromptIs == core.Approximate:
		o.Note = phrase.TooLongAbout.Text()
	}
	return true
}

// shorten drops the fields of optional numbers that are missing in the text: the functions or the tool input.
func shorten(fields string, n int, text []byte) string {
	if fields != "mtnko" || n != 4 {
		return fields
	}
	var none captures
	for _, words := range []pattern{"in the functions", "of tool input"} {
		if words.find(text, &none) {
			return fields
		}
	}
	return "mtno"
}

// fields sets the numbers found in fields other than the text, and reports whether there are any.
func (s *statement) fields(o *core.Overflowed) bool {
	if s.prompt == 0 && s.window == 0 {
		return false
	}
	if s.prompt > 0 {
		o.Prompt = s.prompt
	}
	if s.window > 0 {
		o.Limit, o.LimitIs = s.window, core.LimitTotal
	}
	return true
}

// bodyless reports whether a refusal has no text at all.
func (s *statement) bodyless(status int) bool {
	if len(s.text) == 0 {
		return status == 400 || status == 413
	}
	var none captures
	return pattern("(no body)").find(s.text, &none)
}
