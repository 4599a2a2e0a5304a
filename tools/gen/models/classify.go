// Copyright The ctx-lsp authors. MIT licence.

//go:build generator

package main

import (
	"strconv"
	"strings"
)

// An identity is what the id alone reveals about a model: its maker, its tokenizer, and how its reasoning is used again
// on its native route.
type identity struct {
	maker     string // provider id of the maker, "" if unknown
	family    string
	reasoning string
}

// version parses the first number in a folded id after a prefix, both "4-6" and "46" as separate digits: 4.06 as 406, 5
// as 500, 4.15 as 415.
func version(id, prefix string) int {
	at := strings.Index(id, prefix)
	if at < 0 {
		return 0
	}
	fields := strings.FieldsFunc(id[at+len(prefix):], func(r rune) bool { return r == '-' })
	v := 0
	for i, f := range fields {
		digits := strings.TrimSuffix(f, "v") // the "v" of a vision model
		n, err := strconv.Atoi(digits)
		if err != nil || len(digits) > 2 {
			break
		}
		if i == 0 {
			v = n * 100
		} else {
			return v + n
		}
	}
	return v
}

func classify(id string, reasons bool) identity {
	native := "never"
	if reasons {
		native = "unknown"
	}
	is := func(prefix ...string) bool {
		for _, p := range prefix {
			if strings.HasPrefix(id, p) {
				return true
			}
		}
		return false
	}
	switch {
	case is("claude"):
		return claude(id, reasons)
	case is("gpt-oss"):
		return identity{"openai", "o200k-harmony", "turn"}
	case is("gpt-3", "gpt-35", "text-embedding", "davinci", "babbage"):
		return identity{"openai", "cl100k", "never"}
	case is("gpt-4o", "gpt-4-1", "gpt-4-5", "chatgpt-4o", "gpt-audio", "gpt-realtime", "gpt-live"):
		return identity{"openai", "o200k", "never"}
	case is("gpt-4"):
		return identity{"openai", "cl100k", "never"}
	case is("gpt-", "chat-latest", "codex-"):
		mode := "turn"
		if v := version(id, "gpt-"); v >= 506 || is("gpt-daybreak") {
			mode = "always"
		} else if v == 0 && !is("codex-") {
			mode = "unknown"
		}
		if strings.Contains(id, "-chat") {
			mode = "never"
		}
		return identity{"openai", "o200k", mode}
	case is("o1", "o3", "o4"):
		return identity{"openai", "o200k", "turn"}
	case is("gemini"):
		if v := version(id, "gemini-"); v >= 301 || is("gemini-flash", "gemini-pro", "gemini-robotics") {
			return identity{"google", "gemini-4", "never"}
		}
		return identity{"google", "gemini", "never"}
	case is("gemma"):
		if version(id, "gemma-") >= 400 || is("gemma4") {
			return identity{"google", "gemma4", "never"}
		}
		return identity{"google", "gemma3", "never"}
	case is("deep-research-"):
		return identity{"google", "gemini-4", "never"}
	case is("grok"):
		if reasons && !strings.Contains(id, "non-reasoning") {
			return identity{"xai", "grok", "turn"}
		}
		return identity{"xai", "grok", "never"}
	case is("deepseek"):
		switch {
		case is("deepseek-flash", "deepseek-v4-1"):
			return identity{"deepseek", "deepseek-v3", "always"}
		case is("deepseek-v3-2", "deepseek-v4", "deepseek-chat", "deepseek-reasoner", "deepseek-pro"):
			return identity{"deepseek", "deepseek-v3", "turn"}
		case strings.Contains(id, "distill"):
			return identity{"deepseek", "", "never"}
		}
		return identity{"deepseek", "deepseek-v3", "never"}
	case is("glm"):
		v := version(id, "glm-")
		family := "glm4"
		if v >= 500 {
			family = "glm5"
		}
		switch {
		case v >= 407:
			return identity{"zai", family, "always"}
		case v >= 405:
			return identity{"zai", family, "turn"}
		}
		return identity{"zai", "glm4", native}
	case is("kimi"):
		v := version(strings.Replace(id, "kimi-k", "kimi-", 1), "kimi-")
		switch {
		case v >= 207:
			return identity{"moonshotai", "kimi-k2", "always"}
		case reasons:
			return identity{"moonshotai", "kimi-k2", "turn"}
		}
		return identity{"moonshotai", "kimi-k2", "never"}
	case is("moonshot"):
		return identity{"moonshotai", "", "never"}
	case is("qwen", "qwq", "qvq"):
		family := "qwen2"
		v := version(id, "qwen")
		if v >= 305 {
			family = "qwen3"
		}
		if v == 0 {
			family = "" // names such as qwen-max are aliases, and their meaning changes
		}
		if !reasons || strings.Contains(id, "instruct") {
			return identity{"alibaba", family, "never"}
		}
		return identity{"alibaba", family, "turn"}
	case is("minimax"):
		if reasons {
			return identity{"minimax", "minimax", "always"}
		}
		return identity{"minimax", "minimax", "never"}
	case is("mistral", "mixtral", "codestral", "devstral", "magistral", "ministral", "pixtral", "voxtral", "open-mistral", "open-mixtral", "labs-"):
		return identity{"mistral", "mistral", "never"}
	case is("mimo"):
		if reasons {
			return identity{"xiaomi", "mimo", "turn"}
		}
		return identity{"xiaomi", "mimo", "never"}
	case is("llama-4", "llama4"):
		return identity{"llama", "llama4", "never"}
	case is("llama-3", "llama3", "meta-llama-3"):
		return identity{"llama", "llama3", "never"}
	case is("muse"):
		return identity{"llama", "", native}
	case is("command", "c4ai"):
		return identity{"cohere", "cohere", native}
	case is("nova"):
		return identity{"amazon-bedrock", "", native}
	case is("sonar"):
		return identity{"perplexity", "", "never"}
	case is("nemotron", "nvidia"):
		return identity{"nvidia", "", native}
	case is("step-"):
		return identity{"stepfun", "", native}
	}
	return identity{"", "", native}
}

// newestClaude is the version of an alias that always means the newest model of its tier.
const newestClaude = 9999

func claude(id string, reasons bool) identity {
	made := func(family, mode string) identity { return identity{"anthropic", family, mode} }
	v := version(id, "claude-")
	tier := ""
	for _, t := range []string{"opus", "sonnet", "haiku", "fable", "mythos", "instant"} {
		if strings.Contains(id, t) {
			tier = t
			if after := version(id, t+"-"); after > 0 {
				v = after
			}
		}
	}
	if v == 0 && strings.HasSuffix(id, "-latest") {
		v = newestClaude
	}
	switch tier {
	case "opus":
		switch {
		case v >= 500:
			return made("claude-v5", "always")
		case v >= 407:
			return made("claude-v47", "always")
		case v >= 405:
			return made("claude-v3", "always")
		}
	case "sonnet":
		switch {
		case v >= 500:
			return made("claude-v47", "always")
		case v >= 406:
			return made("claude-v3", "always")
		}
	case "fable", "mythos":
		return made("claude-v47", "always")
	case "haiku":
		if v >= 500 {
			return made("claude-v5", "always")
		}
	case "":
		return made("", "unknown")
	}
	if v >= 307 || reasons {
		return made("claude-v3", "turn")
	}
	return made("claude-v3", "never")
}
