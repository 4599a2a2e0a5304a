// Copyright The ctx-lsp authors. MIT licence.

package agent

import "strings"

// modelSwitched returns the model that /model has set, from the command's output: "Set model to opus
// (claude-opus-4-6)", or "Set model to Opus 4.6", with the name in bold. It returns "" for any other text and for a
// name without a version.
func modelSwitched(text []byte) string {
	const stdout, sign = "<local-command-stdout>", "Set model to "
	if len(text) > 400 || !strings.HasPrefix(string(text), stdout) {
		return ""
	}
	_, rest, found := strings.Cut(string(text), sign)
	if !found {
		return ""
	}
	rest, _, _ = strings.Cut(plain(rest), "<")
	if start := strings.Index(rest, "claude-"); start >= 0 {
		end := start
		for end < len(rest) && (rest[end]|0x20-'a' < 26 || rest[end]-'0' < 10 || rest[end] == '-') {
			end++
		}
		return rest[start:end]
	}
	small := strings.ToLower(rest)
	for _, family := range []string{"opus", "sonnet", "haiku", "fable", "mythos"} {
		_, rest, found := strings.Cut(small, family+" ")
		if !found || rest == "" || rest[0]-'0' > 9 {
			continue
		}
		end := 0
		for end < len(rest) && (rest[end]-'0' < 10 || rest[end] == '.') {
			end++
		}
		return "claude-" + family + "-" + strings.ReplaceAll(strings.TrimRight(rest[:end], "."), ".", "-")
	}
	return ""
}

// plain removes color sequences from a text.
func plain(s string) string {
	if strings.IndexByte(s, 0x1b) < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != 0x1b {
			out = append(out, s[i])
			continue
		}
		if i++; i < len(s) && s[i] == '[' {
			for i++; i < len(s) && (s[i] < '@' || s[i] > '~'); {
				i++
			}
		}
	}
	return string(out)
}
