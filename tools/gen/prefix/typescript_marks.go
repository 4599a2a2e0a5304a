// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file finds where the parts of a script start and end: names, texts, brackets, comments.

// quoted parses a string literal in quotation marks.
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

// template parses a template literal, and inserts the values in it.
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

// escape writes the character of an escape sequence.
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

// name parses a name; it returns "" if there is none.
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

// word takes a word, if it is there and not only the start of a longer one.
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

// end returns the number of bytes up to and including a mark, or all if the mark is missing.
func end(rest, mark string) int {
	if i := strings.Index(rest, mark); i >= 0 {
		return i + len(mark)
	}
	return len(rest)
}

// statement skips to the end of a statement: the end of its block, or of its line outside parentheses.
func (p *parser) statement() {
	for p.at < len(p.source) {
		switch c := p.source[p.at]; {
		case c == '\n' || c == ';':
			p.at++
			return
		case c == '{':
			_, _ = p.enclosed("{", "}") // an unclosed block takes the rest
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

// nested skips a construct with its own end, such as brackets, a text or a comment.
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

// beginsValue reports whether a value and not an operator is expected here, so that a slash starts a regular
// expression.
func (p *parser) beginsValue() bool {
	before := strings.TrimRight(p.source[:p.at], " \t\n")
	return before == "" || strings.IndexByte("(,=:[!&|?{;", before[len(before)-1]) >= 0
}

// skipType skips a type, up to one of the ends outside its brackets.
func (p *parser) skipType(ends string) {
	for p.at < len(p.source) && strings.IndexByte(ends, p.source[p.at]) < 0 {
		if p.source[p.at] == '{' || !p.nested() {
			p.at++
		}
	}
}

// enclosed takes the text between a bracket and its closing bracket.
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

// split splits a list at its commas. It leaves out empty parts and those with only a comment.
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
