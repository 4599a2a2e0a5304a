// Copyright The ctx-lsp authors. MIT licence.

package provider

import "bytes"

// IsUsageName reports whether a member with this name contains a usage, in any case and with any separators: usage,
// tokenUsage, usage_metadata, models_usage, tokens, TokenCounts.
func IsUsageName(name []byte) bool {
	folded := fold(name, nil)
	if among(folded, "tokens", "tokencount", "tokencounts", "tokenstats", "tokensused", "usedtokens", "lasttokencount", "lasttokencounts") {
		return true
	}
	at := bytes.Index(folded, []byte("usage"))
	return at >= 0 && !bytes.HasSuffix(folded, []byte("id")) && !bytes.HasSuffix(folded, []byte("cost"))
}

// IsCountName reports whether a number with this name is a part of a usage: inputTokens, prompt_token_count,
// LastInputTokenCount. prompt is true for the tokens of the prompt or of the output.
func IsCountName(name []byte) (count, prompt bool) {
	folded := fold(name, nil)
	last := bytes.TrimPrefix(folded, []byte("last"))
	switch m := meaning(last); {
	case !bytes.Contains(last, []byte("token")) && !bytes.HasSuffix(last, []byte("evalcount")):
		return false, false
	case m.role > noMatter:
		return true, m.role == inputRole || m.role == outputRole
	}
	return among(last, "tokens", "tokencount"), false
}
