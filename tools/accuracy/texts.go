// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// replaced returns a session with all texts replaced. Everything between the strings of its JSON stays as it is, and so
// do keys.
func replaced(session []byte, f *filler) []byte {
	var out bytes.Buffer
	for i := 0; i < len(session); {
		if session[i] != '"' {
			out.WriteByte(session[i])
			i++
			continue
		}
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
		if len(rest) > 0 && rest[0] == ':' || json.Unmarshal(literal, &text) != nil {
			out.Write(literal)
			continue
		}
		if other := f.replace(text); other == text {
			out.Write(literal)
		} else {
			out.Write(quoted(other))
		}
	}
	return out.Bytes()
}

var (
	homes   = regexp.MustCompile(`([/\\-](?:Users|home)[/\\-]+)[A-Za-z0-9._]+`)
	address = regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[a-z]{2,}`)
)

// withoutUsers replaces the names of users in paths, and mail addresses.
func withoutUsers(session []byte) []byte {
	session = homes.ReplaceAll(session, []byte("${1}user"))
	return address.ReplaceAll(session, []byte("user@example.org"))
}

func quoted(text string) []byte {
	var out bytes.Buffer
	w := json.NewEncoder(&out)
	w.SetEscapeHTML(false)
	_ = w.Encode(text) // a string can always be encoded
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

var (
	// plain is a name, a path, a time or a number. Records are distinguished by them.
	plain = regexp.MustCompile(`^[\w./:@#+=~%,\[\](){}<>*&!?$|\\'"-]{0,200}$`)
	// encoded is base64 or similar: only its length matters.
	encoded = regexp.MustCompile(`^[A-Za-z0-9+/_=-]{100,}$`)
)

// replace returns a text of ours in place of a text. Names stay, and so do words that a reader looks for. JSON within a
// text is treated like a session.
func (f *filler) replace(text string) string {
	switch {
	case encoded.MatchString(text):
		return text[:16] + strings.Repeat("A", len(text)-16)
	case plain.MatchString(text):
		return text
	}
	if start := strings.TrimSpace(text); (strings.HasPrefix(start, "{") || strings.HasPrefix(start, "[")) && json.Valid([]byte(start)) {
		return string(replaced([]byte(text), f))
	}
	var out strings.Builder
	want := f.count(text)
	at, longest := 0, ""
	type gap struct {
		before string // kept words
		text   string
	}
	var gaps []gap
	for _, m := range f.words.FindAllStringIndex(text, -1) {
		gaps = append(gaps, gap{"", text[at:m[0]]}, gap{text[m[0]:m[1]], ""})
		at = m[1]
	}
	gaps = append(gaps, gap{"", text[at:]})
	largest := 0
	for i, g := range gaps {
		if len(g.text) > len(longest) {
			largest, longest = i, g.text
		}
	}
	write := func(more int64) string {
		out.Reset()
		for i, g := range gaps {
			out.WriteString(g.before)
			if i == largest {
				out.WriteString(f.text(f.count(g.text)+more, g.text))
			} else {
				out.WriteString(f.text(f.count(g.text), g.text))
			}
		}
		return out.String()
	}
	best, off := "", int64(1)<<40
	more := int64(0)
	for range 4 {
		made := write(more)
		miss := want - f.count(made)
		if abs := max(miss, -miss); abs < off {
			best, off = made, abs
		}
		if miss == 0 {
			break
		}
		more += miss
	}
	return best
}

// wordsOf returns an expression for the words that readers look for in texts: the strings of their sources, and tags.
func wordsOf(folder string) (*regexp.Regexp, error) {
	var words []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err == nil &&
				utf8.ValidString(text) && len(text) >= 10 && len(text) < 200 && strings.ContainsAny(text, " <[:\n") && !strings.HasPrefix(text, "https:") {
				words = append(words, text)
			}
			return true
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	for i := range words {
		words[i] = regexp.QuoteMeta(words[i])
	}
	words = append(words, `</?[a-z][a-z-]{2,30}>`)
	return regexp.Compile(strings.Join(slices.Compact(words), "|"))
}
