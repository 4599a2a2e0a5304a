// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file finds where the parts of a script begin and end: names, texts, brackets, comments.

// quoted reads a text between quotation marks.
func (p *parser) quoted(mark byte) (string, error) {
	var out strings.Builder
	for p.at++; p.at < len(p.source); p.at++ {
		switch c := p.source[p.at]; c {
		case mark:
			p.at++
			return out.String(), nil
		case '\\':
			p.escape(&out)
		default:
			out.WriteByte(c)
		}
	}
	return "", errSource
}

// template reads a text between backquotes, with the values in it.
func (p *parser) template() (string, error) {
	var out strings.Builder
	for p.at++; p.at < len(p.source); p.at++ {
		switch c := p.source[p.at]; {
		case c == '`':
			p.at++
			return out.String(), nil
		case c == '\\':
			p.escape(&out)
		case strings.HasPrefix(p.source[p.at:], "${"):
			p.at++
			inside, err := p.enclosed("{", "}")
			if err != nil {
				return "", err
			}
			p.at--
			inner := parser{script: p.script, source: inside, scope: p.scope, depth: p.depth + 1}
			v, err := inner.expression()
			if err != nil {
				return "", err
			}
			out.WriteString(text(v))
		default:
			out.WriteByte(c)
		}
	}
	return "", errSource
}

// escape writes the character that stands behind a backslash.
func (p *parser) escape(out *strings.Builder) {
	p.at++
	if p.at >= len(p.source) {
		return
	}
	switch c := p.source[p.at]; c {
	case 'n':
		out.WriteByte('\n')
	case 't':
		out.WriteByte('\t')
	case 'r':
		out.WriteByte('\r')
	case '\n':
	case 'u', 'x':
		digits := map[byte]int{'u': 4, 'x': 2}[c]
		if p.at+digits < len(p.source) {
			if n, err := strconv.ParseUint(p.source[p.at+1:p.at+1+digits], 16, 32); err == nil {
				out.WriteRune(rune(n))
				p.at += digits
			}
		}
	default:
		out.WriteByte(c)
	}
}

// name reads a name; it is empty where none stands.
func (p *parser) name() string {
	p.space()
	from := p.at
	for p.at < len(p.source) && letter(p.source[p.at]) {
		p.at++
	}
	return p.source[from:p.at]
}

func letter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= utf8.RuneSelf
}

// word takes a word, if it stands there whole.
func (p *parser) word(w string) bool {
	p.space()
	rest := p.source[p.at:]
	if !strings.HasPrefix(rest, w) || len(rest) > len(w) && letter(rest[len(w)]) {
		return false
	}
	p.at += len(w)
	return true
}

func (p *parser) take(mark string) bool {
	if !strings.HasPrefix(p.source[p.at:], mark) {
		return false
	}
	p.at += len(mark)
	return true
}

// space skips white space and comments.
func (p *parser) space() {
	for p.at < len(p.source) {
		rest := p.source[p.at:]
		switch {
		case strings.IndexByte(" \t\r\n;", rest[0]) >= 0:
			p.at++
		case strings.HasPrefix(rest, "//"):
			p.at += end(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			p.at += end(rest, "*/")
		default:
			return
		}
	}
}

// end is how many bytes there are up to the end of a mark.
func end(rest, mark string) int {
	if i := strings.Index(rest, mark); i >= 0 {
		return i + len(mark)
	}
	return len(rest)
}

// statement skips to the end of a statement: of its block, or of its line outside of parentheses.
func (p *parser) statement() {
	for p.at < len(p.source) {
		switch c := p.source[p.at]; {
		case c == '\n' || c == ';':
			p.at++
			return
		case c == '{':
			_, _ = p.enclosed("{", "}") // one that never ends takes the rest
			from := p.at
			if p.space(); !p.word("else") && !p.word("catch") && !p.word("from") {
				p.at = from
				return
			}
		case !p.nested():
			p.at++
		}
	}
}

// nested skips what begins here and has an end of its own.
func (p *parser) nested() bool {
	rest := p.source[p.at:]
	var err error
	switch c := rest[0]; {
	case c == '(':
		_, err = p.enclosed("(", ")")
	case c == '[':
		_, err = p.enclosed("[", "]")
	case c == '{':
		_, err = p.enclosed("{", "}")
	case c == '"' || c == '\'':
		_, err = p.quoted(c)
	case c == '`':
		from := p.at
		for p.at++; p.at < len(p.source) && p.source[p.at] != '`'; p.at++ {
			switch {
			case p.source[p.at] == '\\':
				p.at++
			case strings.HasPrefix(p.source[p.at:], "${"):
				p.at++
				if _, err = p.enclosed("{", "}"); err != nil {
					p.at = from
				}
				p.at--
			}
		}
		p.at = min(p.at+1, len(p.source))
	case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "/*"):
		p.space()
	case c == '/' && p.beginsValue():
		for p.at++; p.at < len(p.source) && p.source[p.at] != '/' && p.source[p.at] != '\n'; p.at++ {
			if p.source[p.at] == '\\' {
				p.at++
			}
		}
		p.at = min(p.at+1, len(p.source))
	default:
		return false
	}
	if err != nil {
		p.at = len(p.source)
	}
	return true
}

// beginsValue says whether a value and no operator stands here, so that a slash begins a pattern of text.
func (p *parser) beginsValue() bool {
	before := strings.TrimRight(p.source[:p.at], " \t\n")
	return before == "" || strings.IndexByte("(,=:[!&|?{;", before[len(before)-1]) >= 0
}

// skipType skips a type, to one of the ends that stands outside of its brackets.
func (p *parser) skipType(ends string) {
	for p.at < len(p.source) && strings.IndexByte(ends, p.source[p.at]) < 0 {
		if p.source[p.at] == '{' || !p.nested() {
			p.at++
		}
	}
}

// enclosed takes what stands between a bracket and the one that closes it.
func (p *parser) enclosed(opens, closes string) (string, error) {
	if !p.take(opens) {
		return "", fmt.Errorf("%s is missing", opens)
	}
	from := p.at
	for p.at < len(p.source) {
		if strings.HasPrefix(p.source[p.at:], closes) {
			inside := p.source[from:p.at]
			p.at++
			return inside, nil
		}
		if !p.nested() {
			p.at++
		}
	}
	return "", errSource
}

// split cuts a list at its commas. What is empty or a comment alone is left out.
func split(list string) (parts []string) {
	p := parser{source: list}
	from := 0
	add := func() {
		part := parser{source: list[from:p.at]}
		if part.space(); part.at < len(part.source) {
			parts = append(parts, strings.TrimSpace(part.source[part.at:]))
		}
	}
	for p.at < len(list) {
		if list[p.at] == ',' {
			add()
			p.at++
			from = p.at
		} else if !p.nested() {
			p.at++
		}
	}
	add()
	return parts
}
