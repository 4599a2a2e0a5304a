// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// A maker replaces the texts of one session. Equal texts stay equal, and different texts stay different, because
// readers recognize messages by their text.
type maker struct {
	*filler
	kept    *kept
	folders []string          // folders of the session
	users   []string          // names of users in the session's paths
	made    map[string]string // the replacement of each text
	taken   map[string]bool   // the replacements in use
}

func newMaker(f *filler, k *kept, session []byte) *maker {
	return &maker{f, k, foldersOf(session), usersIn(session), map[string]string{}, map[string]bool{}}
}

// replaced returns a session, or JSON in a text, with all texts replaced. Everything between the strings in its JSON
// stays as it is.
func (m *maker) replaced(session []byte) []byte {
	var out bytes.Buffer
	var keys []string // keys of the objects and arrays around the current byte
	key := ""
	for i := 0; i < len(session); {
		switch session[i] {
		case '{', '[':
			keys = append(keys, key)
		case '}', ']':
			if n := len(keys); n > 0 {
				key, keys = keys[n-1], keys[:n-1]
			}
		case '"':
			end := i + 1
			for end < len(session) && session[end] != '"' {
				if session[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(session))
			literal := session[i:end]
			i = end
			rest := bytes.TrimLeft(session[end:min(end+8, len(session))], " \t")
			var text string
			if json.Unmarshal(literal, &text) != nil {
				continue // a line that is cut off
			}
			other := ""
			if len(rest) > 0 && rest[0] == ':' {
				key = text
				other = m.key(text)
			} else {
				other = m.value(parent(keys), key, text)
			}
			if other == text {
				out.Write(literal)
			} else {
				out.Write(escaped(quoted(other), len(literal)))
			}
			continue
		}
		out.WriteByte(session[i])
		i++
	}
	return out.Bytes()
}

func quoted(text string) []byte {
	var out bytes.Buffer
	w := json.NewEncoder(&out)
	w.SetEscapeHTML(false)
	_ = w.Encode(text) // a string can always be encoded
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// escaped returns a JSON string with as many letters written as escapes as it takes to make it length bytes long, or
// nearly: some writers escape more characters than others.
func escaped(literal []byte, length int) []byte {
	var out []byte
	for i, c := range literal {
		if (c|0x20 < 'a' || c|0x20 > 'z') || literal[i-1] == '\\' || len(out)+len(literal)-i+5 > length {
			out = append(out, c)
			continue
		}
		out = fmt.Appendf(out, `\u%04x`, c)
	}
	return out
}

// key returns the replacement of an object's key. Names and paths stay.
func (m *maker) key(text string) string {
	switch {
	case name.MatchString(text) && !strings.Contains(text, "/"):
		return text
	case path.MatchString(text) && m.inside(text):
		return m.withoutUsers(text)
	}
	return m.fill(text)
}

// parent returns the key of the object around the current one.
func parent(keys []string) string {
	if n := len(keys); n > 0 {
		return keys[n-1]
	}
	return ""
}

// value returns the replacement of a string. key is the string's key, or that of its array; object is the key of the
// object around it.
func (m *maker) value(object, key, text string) string {
	switch {
	case m.kept.literals[text]:
		return text
	case !people[object] && m.stays(key, text):
		return m.withoutUsers(text)
	case picture.MatchString(text):
		return text[:64] + strings.Repeat("A", len(text)-64)
	case encoded.MatchString(text):
		return m.unique(text, func(salt uint32) string {
			return word64(salt) + strings.Repeat("A", len(text)-8)
		})
	case inner[key] && isObject(text):
		return string(m.replaced([]byte(text)))
	}
	return m.fill(text)
}

var (
	// picture matches an image in base64. The first bytes contain the image's size.
	picture = regexp.MustCompile(`^(data:image/[a-z]+;base64,)?(iVBORw0KGgo|/9j/|R0lGOD|UklGR)[A-Za-z0-9+/=]{64,}$`)
	// encoded matches base64 or similar text, of which only the length matters.
	encoded = regexp.MustCompile(`^[A-Za-z0-9+/_=-]{100,}$`)
	// people are keys of objects that describe a user.
	people = setOf("user author owner assignee creator")
	// inner are the keys with JSON texts that readers parse.
	inner = map[string]bool{"arguments": true}
)

func isObject(text string) bool {
	start := strings.TrimSpace(text)
	return strings.HasPrefix(start, "{") && json.Valid([]byte(start))
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// word64 returns eight characters of base64.
func word64(salt uint32) string {
	var out [8]byte
	for i := range out {
		out[i] = alphabet[salt>>26]
		salt = salt*1664525 + 1013904223
	}
	return string(out[:])
}

// unique returns the replacement of a text. It tries up to 30 salts until the replacement differs from those of all
// other texts of the session.
func (m *maker) unique(text string, with func(salt uint32) string) string {
	if made, ok := m.made[text]; ok {
		return made
	}
	made, salt := "", hashed(text)
	for range 30 {
		if made = with(salt); !m.taken[made] {
			break
		}
		salt++
	}
	m.made[text], m.taken[made] = made, true
	return made
}

// fill returns our own text in place of a text. Words that a reader looks for stay, together with the spaces around
// them.
func (m *maker) fill(text string) string {
	if made, ok := m.made[text]; ok {
		return made
	}
	want := m.count(text)
	return m.unique(text, func(salt uint32) string {
		var parts []part
		rest := text
		for {
			before, call, arguments, after := cutCall(rest)
			parts = m.words(parts, before)
			if call == "" {
				break
			}
			parts = append(parts, part{keep: call + string(m.replaced([]byte(arguments)))})
			rest = after
		}
		largest := 0
		for i := range parts {
			if parts[i].chars > parts[largest].chars {
				largest = i
			}
		}
		best, off := "", int64(1)<<40
		for range 4 {
			var out strings.Builder
			for i := range parts {
				if parts[i].keep != "" {
					out.WriteString(parts[i].keep)
				} else {
					out.WriteString(m.text(parts[i].size, salt+uint32(i)*40503))
				}
			}
			missing := want - m.count(out.String())
			if abs := max(missing, -missing); abs < off {
				best, off = out.String(), abs
			} else {
				break
			}
			if missing == 0 || parts[largest].chars == 0 {
				break
			}
			parts[largest].tokens = max(parts[largest].tokens+missing, 1)
		}
		return best
	})
}

// callStart matches the start of a call that is written in a text: @tool(id): {"argument": …}.
var callStart = regexp.MustCompile(`(?m)^@\w+\([\w-]+\): \{`)

// cutCall returns the first call in a text, its arguments, and the text before and after. Without a call, before is the
// whole text.
func cutCall(text string) (before, call, arguments, after string) {
	for _, found := range callStart.FindAllStringIndex(text, -1) {
		start := found[1] - 1
		d := json.NewDecoder(strings.NewReader(text[start:]))
		var object json.RawMessage
		if d.Decode(&object) == nil {
			end := start + int(d.InputOffset())
			return text[:found[0]], text[found[0]:start], text[start:end], text[end:]
		}
	}
	return text, "", "", ""
}

// words appends the parts of a text: words that a reader looks for, and what is between them.
func (m *maker) words(parts []part, text string) []part {
	at := 0
	for _, found := range m.kept.words.FindAllStringIndex(text, -1) {
		parts = m.split(parts, text[at:found[0]])
		parts = append(parts, part{keep: text[found[0]:found[1]]})
		at = found[1]
	}
	return m.split(parts, text[at:])
}

// A part is a piece of a text that stays, or that is replaced with a text of its size.
type part struct {
	keep string
	size
}

// split appends the parts of a text between two words that stay.
func (m *maker) split(parts []part, text string) []part {
	start := strings.TrimLeftFunc(text, unicode.IsSpace)
	middle := strings.TrimRightFunc(start, unicode.IsSpace)
	before, after := text[:len(text)-len(start)], start[len(middle):]
	if before != "" {
		parts = append(parts, part{keep: before})
	}
	switch {
	case middle == "":
	case m.kept.literals[middle] || len(middle) <= 40 && !hasLetter(middle):
		parts = append(parts, part{keep: middle})
	default:
		parts = append(parts, part{size: m.sizeOf(middle)})
	}
	if after != "" {
		parts = append(parts, part{keep: after})
	}
	return parts
}

func hasLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }
