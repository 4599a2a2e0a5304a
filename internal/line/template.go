// Copyright The ctx-lsp authors. MIT licence.

// Package line is the language of the short texts that faces show of a Reading, such as the one of a status bar:
//
//	{percent}{mark}[ · {left} to compaction|{free} free]
//
// A field in braces is replaced by its value. A part in square brackets vanishes as a whole when a field in it has no
// value; of several alternatives, which bars separate, the first whose fields all have one is taken. {?soon} prints
// nothing and has a value while the Reading says so. Braces and brackets that are meant as such are doubled, and so is
// a bar in brackets.
package line

import "strings"

// A Template is a text with fields, ready to be filled.
type Template struct {
	pieces []piece
}

// A piece is a text, a field, or an optional part with its alternatives.
type piece struct {
	text         string
	field        string
	alternatives [][]piece
}

// A Fault says what is wrong with a template.
type Fault struct {
	Field   string // the name that is no field, without its braces
	Message string // a sentence; where Field is set, the caller adds the list of fields
}

// separator stands between the parts of a line. It is removed where there is nothing before it or behind it.
const separator = " · "

// Parse reads a template. known says whether a field exists.
func Parse(text string, known func(name string) bool) (*Template, *Fault) {
	p := parser{text: text, known: known}
	pieces, fault := p.pieces(false)
	if fault != nil {
		return nil, fault
	}
	return &Template{pieces[0]}, nil
}

type parser struct {
	text  string
	at    int
	known func(string) bool
}

// pieces reads until the end of the text, or of the part in brackets. It returns one list of pieces for each
// alternative.
func (p *parser) pieces(inBrackets bool) ([][]piece, *Fault) {
	var alternatives [][]piece
	var now []piece
	var literal []byte
	hasField := false
	flush := func() {
		if len(literal) > 0 {
			now = append(now, piece{text: string(literal)})
			literal = literal[:0]
		}
	}
	for p.at < len(p.text) {
		c := p.text[p.at]
		doubled := p.at+1 < len(p.text) && p.text[p.at+1] == c
		switch {
		case doubled && (c == '{' || c == '}' || c == '[' || c == ']' || c == '|' && inBrackets):
			literal = append(literal, c)
			p.at++
		case c == '{':
			flush()
			name, fault := p.field()
			if fault != nil {
				return nil, fault
			}
			now, hasField = append(now, piece{field: name}), true
			continue
		case c == '[' && !inBrackets:
			flush()
			p.at++
			inner, fault := p.pieces(true)
			if fault != nil {
				return nil, fault
			}
			now = append(now, piece{alternatives: inner})
			continue
		case c == ']' && inBrackets:
			p.at++
			flush()
			return append(alternatives, now), nil
		case c == '|' && inBrackets && hasField:
			flush()
			alternatives, now, hasField = append(alternatives, now), nil, false
		default:
			literal = append(literal, c)
		}
		p.at++
	}
	if inBrackets {
		return nil, &Fault{Message: "has a [ without its ]; a bracket that is meant as such is written [["}
	}
	flush()
	return [][]piece{now}, nil
}

// field reads a name in braces.
func (p *parser) field() (string, *Fault) {
	end := strings.IndexByte(p.text[p.at:], '}')
	if end < 0 {
		return "", &Fault{Message: "has a { without its }; a brace that is meant as such is written {{"}
	}
	name := p.text[p.at+1 : p.at+end]
	p.at += end + 1
	if !p.known(name) {
		return "", &Fault{Field: name, Message: "names the field {" + name + "}, which does not exist"}
	}
	return name, nil
}

// Fill replaces the fields by their values. A field without a value is printed as whatever value returns for it.
// complete says whether all fields outside of brackets have a value.
func (t *Template) Fill(value func(name string) (text string, known bool)) (line string, complete bool) {
	out, complete := fill(nil, t.pieces, value)
	return trimmed(string(out)), complete
}

func fill(out []byte, pieces []piece, value func(string) (string, bool)) ([]byte, bool) {
	complete := true
	for i := range pieces {
		switch p := &pieces[i]; {
		case p.alternatives != nil:
			for _, alternative := range p.alternatives {
				longer, whole := fill(out, alternative, value)
				if whole {
					out = longer
					break
				}
			}
		case p.field != "":
			text, known := value(p.field)
			complete = complete && known
			out = append(out, text...)
		default:
			out = append(out, p.text...)
		}
	}
	return out, complete
}

// trimmed removes the separators that separate nothing.
func trimmed(line string) string {
	if !strings.Contains(line, "·") {
		return strings.TrimSpace(line)
	}
	var parts []string
	for _, part := range strings.Split(" "+line+" ", separator) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, separator)
}
