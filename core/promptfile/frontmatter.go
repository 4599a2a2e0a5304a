// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import "bytes"

// maxFrontmatter is the number of bytes searched for the end of the frontmatter.
const maxFrontmatter = 64 << 10

// frontmatter is the text between two --- lines at the top of a file, read as the small subset of YAML that prompt
// files use: names with texts or lists.
type frontmatter struct {
	end      int // offset after the frontmatter, 0 if there is none
	unclosed bool
	fields   []field
}

type field struct {
	name     string
	values   []string
	at, stop int // range of the field's lines in the text
}

func readFrontmatter(text []byte) frontmatter {
	var f frontmatter
	first := lineEnd(text, 0)
	// Editors on Windows may write a byte order mark, which is invisible.
	top := bytes.TrimPrefix(text[:first], []byte("\xef\xbb\xbf"))
	if string(trim(top)) != "---" || len(text) < 4 {
		return f
	}
	current := -1
	for at := first; at < len(text) && at < maxFrontmatter; {
		next := lineEnd(text, at)
		line := text[at:next]
		word := trim(line)
		if w := string(word); (w == "---" || w == "...") && line[0] != ' ' {
			f.end = next
			return f
		}
		switch {
		case len(word) == 0 || word[0] == '#':
		case line[0] != ' ' && line[0] != '\t' && word[0] != '-':
			current = -1
			for i, c := range word {
				if c == ':' && (i+1 == len(word) || word[i+1] == ' ') {
					f.fields = append(f.fields, field{name: string(word[:i]), at: at, stop: next})
					current = len(f.fields) - 1
					f.fields[current].set(trim(word[i+1:]))
					break
				}
			}
		case current >= 0:
			f.fields[current].stop = next
			if word[0] == '-' {
				word = trim(word[1:])
				f.fields[current].values = append(f.fields[current].values, unquote(word))
			} else if v := f.fields[current].values; len(v) == 1 {
				v[0] += " " + string(word) // the text continues on this line
			} else if len(v) == 0 {
				f.fields[current].values = []string{unquote(word)}
			}
		}
		at = next
	}
	f.fields = nil
	f.unclosed = true
	return f
}

// set reads the value after a name: a text, or a list in brackets.
func (f *field) set(value []byte) {
	switch {
	case len(value) == 0, string(value) == "|", string(value) == ">", string(value) == "|-", string(value) == ">-":
	case value[0] == '[' && value[len(value)-1] == ']':
		f.values = list(value[1 : len(value)-1])
	default:
		f.values = []string{unquote(value)}
	}
}

// list splits text at commas outside braces, and drops empty items.
func list(text []byte) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) {
			switch text[i] {
			case '{':
				depth++
			case '}':
				depth--
			}
			if text[i] != ',' || depth > 0 {
				continue
			}
		}
		if item := unquote(trim(text[from:i])); item != "" {
			out = append(out, item)
		}
		from = i + 1
	}
	return out
}

func unquote(text []byte) string {
	if n := len(text); n > 1 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		return string(text[1 : n-1])
	}
	return string(text)
}

// trim removes spaces and control characters from both ends.
func trim(text []byte) []byte {
	return bytes.TrimFunc(text, func(r rune) bool { return r <= ' ' })
}

// get returns the values of a field, or nil if it is absent.
func (f *frontmatter) get(name string) []string {
	for _, field := range f.fields {
		if field.name == name {
			return field.values
		}
	}
	return nil
}

func (f *frontmatter) text(name string) string {
	if v := f.get(name); len(v) == 1 {
		return v[0]
	}
	return ""
}

// globs returns the patterns of a field, which may be a list or a text with commas.
func (f *frontmatter) globs(name string) []string {
	v := f.get(name)
	if len(v) == 1 {
		return list([]byte(v[0]))
	}
	return v
}
