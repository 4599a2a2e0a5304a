// Copyright The ctx-lsp authors. MIT licence.

package model

import "strings"

// Caching describes how a provider matches prompts with its cache. docs/clock.md has the sources.
type Caching struct {
	Lookback int   // the largest number of blocks between a cached mark and the next one that finds it; 0 without a limit
	Step     int64 // the number of tokens whose multiples the cache matches; 0 if it matches up to marks, or is unknown
	Promised int64 // the shortest lifetime that the provider promises, in milliseconds; 0 if it promises none
}

// CachingOf returns the caching of a model's maker, which resellers pass on. It also knows models that are not in the
// table by their names.
func (m Model) CachingOf(id string) Caching {
	if m.ID != "" {
		id = m.ID
	}
	key := Spell(id).Base
	switch {
	case strings.HasPrefix(m.Family, "claude"), strings.HasPrefix(key, "claude-"):
		return Caching{Lookback: 20}
	case strings.HasPrefix(key, "gpt-oss"):
	case fromGPT56(key):
		return Caching{Step: 256, Promised: 30 * 60 * 1000}
	case strings.HasPrefix(m.Family, "o200k"), strings.HasPrefix(key, "gpt-"):
		return Caching{Step: 128}
	case strings.HasPrefix(key, "deepseek-"):
		return Caching{Step: 64}
	}
	return Caching{}
}

// fromGPT56 reports whether a model is GPT-5.6 or newer.
func fromGPT56(key string) bool {
	version, found := strings.CutPrefix(key, "gpt-")
	if !found {
		return false
	}
	major, rest := leadingNumber(version)
	minor := int64(0)
	if len(rest) > 1 && (rest[0] == '.' || rest[0] == '-') {
		minor, _ = leadingNumber(rest[1:])
	}
	return major >= 6 && major < 100 || major == 5 && minor >= 6 && minor < 100
}

// leadingNumber returns the number at the beginning of a text, and the rest.
func leadingNumber(s string) (n int64, rest string) {
	i := 0
	for i < len(s) && i < 9 && s[i]-'0' < 10 {
		n = n*10 + int64(s[i]-'0')
		i++
	}
	return n, s[i:]
}
