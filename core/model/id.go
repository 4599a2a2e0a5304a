// Copyright The ctx-lsp authors. MIT licence.

package model

import "strings"

// fold returns a byte of an ID for comparison: in lower case, with '-' for '.', '_' and ' '. "Claude-Opus-4.5" and
// "claude-opus-4-5" are the same ID.
func fold(c byte) byte {
	switch {
	case c >= 'A' && c <= 'Z':
		return c + ('a' - 'A')
	case c == '.' || c == '_' || c == ' ':
		return '-'
	}
	return c
}

// Key returns a folded ID, as sorted in the table.
func Key(id string) string {
	b := make([]byte, len(id))
	for i := 0; i < len(id); i++ {
		b[i] = fold(id[i])
	}
	return string(b)
}

// compareFolded compares id with an already folded key.
func compareFolded(id, key string) int {
	n := min(len(id), len(key))
	for i := 0; i < n; i++ {
		if c := fold(id[i]); c != key[i] {
			if c < key[i] {
				return -1
			}
			return 1
		}
	}
	return len(id) - len(key)
}

// A Spelling is an ID split into the model's name and its decorations.
type Spelling struct {
	Base     string // folded, without prefixes and marks
	Vendor   string // part before the last slash or the first dot: "anthropic" in "openrouter/anthropic/x"; or ""
	Million  bool   // a "[1m]" or "-1m" mark asks for the million-token window
	Reseller string // provider named by the first prefix: "openrouter" in "openrouter/anthropic/x"
}

// Spell removes from an ID everything that providers and agents add to it.
func Spell(id string) Spelling {
	var s Spelling
	if len(id) > maxID {
		return s
	}
	key := Key(strings.TrimFunc(id, isSpace))
	if cut, ok := cutMark(key, "[1m]"); ok {
		key, s.Million = cut, true
	} else if cut, ok := cutMark(key, ":1m"); ok {
		key, s.Million = cut, true
	}
	// An ARN ends in the id: arn:aws:bedrock:…:inference-profile/us.anthropic.…
	if at := strings.LastIndexByte(key, '/'); at >= 0 {
		before := key[:at]
		key = key[at+1:]
		reseller, _, _ := strings.Cut(before, "/")
		s.Reseller = Provider(reseller)
		s.Vendor = before[strings.LastIndexByte(before, '/')+1:]
	}
	key = cutRegion(key, &s.Vendor)
	// OpenRouter's ":free" and similar marks, Bedrock's ":0", Ollama's ":8b-q4".
	if at := strings.IndexByte(key, ':'); at >= 0 {
		if key[at:] == ":0" {
			key, _ = cutMark(key[:at], "-1") // Bedrock's "gpt-oss-120b-1:0"
		} else {
			key = key[:at] + tag(key[at+1:])
		}
	}
	// Vertex's "@20250929" and "@default".
	if at := strings.IndexByte(key, '@'); at > 0 {
		rest := key[at+1:]
		key = key[:at]
		if isDate(rest) {
			key += "-" + rest
		}
	}
	// Bedrock's revision: "-v1".
	if n := len(key); n > 3 && key[n-3:n-1] == "-v" && isDigit(key[n-1]) &&
		(strings.HasPrefix(key, "claude-") || strings.HasPrefix(key, "nova-") || strings.HasPrefix(key, "deepseek-") && key[n-1] == '1') {
		key = key[:n-3]
	}
	if cut, ok := cutMark(key, "-1m"); ok && strings.HasPrefix(key, "claude-") {
		key, s.Million = cut, true
	}
	s.Base = pointed(key)
	return s
}

const maxID = 256

// pointed reads Fireworks' "4p7" as 4.7.
func pointed(key string) string {
	for i := 1; i+1 < len(key); i++ {
		if key[i] == 'p' && isDigit(key[i-1]) && isDigit(key[i+1]) {
			key = key[:i] + "-" + key[i+1:]
		}
	}
	return key
}

// tag keeps only the part after a colon that distinguishes models: Ollama's size ("qwen3:8b"), as "-8b".
func tag(s string) string {
	if s == "" || !isDigit(s[0]) {
		return ""
	}
	i := 0
	for i < len(s) && (isDigit(s[i]) || s[i] == '-') {
		i++
	}
	if i < len(s) && s[i] == 'b' && (i+1 == len(s) || s[i+1] == '-') {
		return "-" + s[:i+1]
	}
	return ""
}

// cutRegion removes the prefixes that Bedrock and others put before a maker's model: "us.anthropic." (folded:
// "us-anthropic-"), "regional.anthropic.", "us-gov.amazon.".
func cutRegion(key string, vendor *string) string {
	rest := key
	for range 3 {
		for _, maker := range makers {
			// "mistral-large" and "deepseek-v3" are IDs, "mistral-mistral-large" is not.
			if strings.HasPrefix(rest, maker) && startsModel(maker, rest[len(maker):]) {
				*vendor = maker[:len(maker)-1]
				return rest[len(maker):]
			}
		}
		dash := strings.IndexByte(rest, '-')
		if dash < 0 {
			break
		}
		rest = rest[dash+1:]
	}
	for _, region := range []string{"us-gov-", "us-", "eu-", "apac-", "global-", "jp-", "au-"} {
		if !strings.HasPrefix(key, region) {
			continue
		}
		for _, maker := range makers {
			if strings.HasPrefix(key[len(region):], maker) {
				return key[len(region):]
			}
		}
	}
	return key
}

var makers = []string{
	"anthropic-", "amazon-", "meta-", "mistral-", "cohere-", "deepseek-", "openai-", "qwen-", "zai-", "moonshotai-", "moonshot-",
	"minimax-", "google-", "nvidia-", "ai21-", "xai-",
}

func startsModel(maker, after string) bool {
	switch maker {
	case "anthropic-":
		return strings.HasPrefix(after, "claude-")
	case "amazon-":
		return strings.HasPrefix(after, "nova-") || strings.HasPrefix(after, "titan-")
	case "meta-":
		return strings.HasPrefix(after, "llama")
	case "mistral-":
		return strings.HasPrefix(after, "mistral-") || strings.HasPrefix(after, "mixtral-") || strings.HasPrefix(after, "magistral-") || strings.HasPrefix(after, "devstral-") || strings.HasPrefix(after, "pixtral-") || strings.HasPrefix(after, "ministral-") || strings.HasPrefix(after, "voxtral-")
	case "cohere-":
		return strings.HasPrefix(after, "command")
	case "deepseek-":
		return strings.HasPrefix(after, "deepseek-")
	case "openai-":
		return strings.HasPrefix(after, "gpt-")
	case "qwen-":
		return strings.HasPrefix(after, "qwen")
	case "zai-":
		return strings.HasPrefix(after, "glm")
	case "moonshot-", "moonshotai-":
		return strings.HasPrefix(after, "kimi")
	case "minimax-":
		return strings.HasPrefix(after, "minimax")
	case "google-":
		return strings.HasPrefix(after, "gem")
	case "nvidia-":
		return strings.HasPrefix(after, "nemotron") || strings.HasPrefix(after, "nvidia")
	case "ai21-":
		return strings.HasPrefix(after, "jamba")
	case "xai-":
		return strings.HasPrefix(after, "grok")
	}
	return false
}

// withoutSnapshot removes a dated snapshot ("-20250929", "-2024-08-06") or a release stage from an ID, and reports
// whether it had one.
func withoutSnapshot(key string) (string, bool) {
	for _, mark := range []string{"-latest", "-exp", "-preview"} {
		if cut, ok := cutMark(key, mark); ok {
			return cut, true
		}
	}
	n := len(key)
	switch {
	case n > 11 && key[n-11] == '-' && isDate(key[n-10:]):
		return key[:n-11], true
	case n > 9 && key[n-9] == '-' && isDate(key[n-8:]):
		return key[:n-9], true
	}
	return key, false
}

// withoutEffort removes the marks for reasoning effort, speed and price that agents and resellers append, because they
// do not change the model. It reports whether the ID had one.
func withoutEffort(key string) (string, bool) {
	for _, mark := range []string{"-thinking", "-batch", "-free", "-fast", "-ultrafast", "-spot"} {
		if cut, ok := cutMark(key, mark); ok {
			return cut, true
		}
	}
	if strings.HasPrefix(key, "gpt-") || strings.HasPrefix(key, "claude-") || (len(key) > 2 && key[0] == 'o' && isDigit(key[1])) {
		for _, effort := range []string{"-minimal", "-xhigh", "-max", "-high", "-medium", "-low", "-none"} {
			if cut, ok := cutMark(key, effort); ok {
				return cut, true
			}
		}
	}
	return key, false
}

// isDate reports whether s is a date of this century, such as 20250929 or 2024-08-06.
func isDate(s string) bool {
	if len(s) == 10 && s[4] == '-' && s[7] == '-' {
		return isDate(s[:4] + s[5:7] + s[8:])
	}
	if len(s) != 8 || s[0] != '2' || s[1] != '0' {
		return false
	}
	for i := 0; i < 8; i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	month, day := (s[4]-'0')*10+s[5]-'0', (s[6]-'0')*10+s[7]-'0'
	return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// cutMark removes a mark from the end of an ID. An ID that consists only of the mark is kept.
func cutMark(s, mark string) (string, bool) {
	if len(s) == len(mark) {
		return s, false
	}
	return strings.CutSuffix(s, mark)
}

// isSpace includes control characters, because IDs are read from files.
func isSpace(r rune) bool { return r <= ' ' }

// Undecorated returns a folded ID without snapshot and effort.
func Undecorated(key string) string {
	for {
		cut, ok := withoutSnapshot(key)
		if !ok {
			cut, ok = withoutEffort(key)
		}
		if !ok {
			return key
		}
		key = cut
	}
}
