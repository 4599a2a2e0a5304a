// Copyright The ctx-lsp authors. MIT licence.

// Package template implements the language for the short texts that front ends show for a Reading, such as in a status
// bar:
//
//	{number}[ · {left} to compaction|{free} free]
//
// A field in braces is replaced by its value. A part in square brackets is left out if a field in it has no value; of
// several alternatives separated by bars, the first whose fields all have values is used. {?soon} prints nothing, and
// has a value if it is true of the Reading. {#yellow} starts a color and {#} ends it, in front ends that show colors.
// {sep= | } sets the separator between parts of the line. Double braces and brackets to use them literally, and bars
// inside brackets.
package template

import "strings"

// A Template is a parsed text with fields.
type Template struct {
	pieces    []piece
	separator string
}

// A piece is a text, a field, or an optional part with its alternatives.
type piece struct {
	text         string
	field        string
	alternatives [][]piece
}

// A Fault describes an error in a template.
type Fault struct {
	Field   string // the unknown field, without braces
	Message string // a message; if Field is set, the caller adds the list of fields
}

// separator separates the parts of a line. It is removed if there is nothing before or after it, and replaced if the
// template sets another one.
const separator = " · "

// longestSeparator is the maximum number of bytes of a separator.
const longestSeparator = 32

// Parse parses a template. known reports whether a field exists.
func Parse(text string, known func(name string) bool) (*Template, *Fault) {
	p := parser{text: text, known: known, separator: separator}
	pieces, fault := p.pieces(false)
	if fault != nil {
		return nil, fault
	}
	return &Template{pieces[0], p.separator}, nil
}

type parser struct {
	text      string
	at        int
	known     func(string) bool
	separator string
}

// pieces parses up to the end of the text, or of the part in brackets. It returns a list of pieces for each
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
			if other, is := strings.CutPrefix(name, "sep="); is {
				if len(other) > longestSeparator {
					return nil, &Fault{Message: "has a separator of more than 32 bytes"}
				}
				p.separator = other
				continue
			}
			now = append(now, piece{field: name})
			hasField = hasField || !strings.HasPrefix(name, "#")
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
		return nil, &Fault{Message: "has a [ without a ]; write [[ for a literal bracket"}
	}
	flush()
	return [][]piece{now}, nil
}

// field parses a name in braces.
func (p *parser) field() (string, *Fault) {
	end := strings.IndexByte(p.text[p.at:], '}')
	if end < 0 {
		return "", &Fault{Message: "has a { without a }; write {{ for a literal brace"}
	}
	name := p.text[p.at+1 : p.at+end]
	p.at += end + 1
	if color, is := strings.CutPrefix(name, "#"); is {
		if color != "" && !isColor(color) {
			return "", &Fault{Message: "has the unknown color {" + name + "}; expected " + strings.Join(Colors, ", ") +
				", or six hexadecimal digits such as {#ff8700}"}
		}
		return name, nil
	}
	if strings.HasPrefix(name, "sep=") {
		return name, nil
	}
	if !p.known(name) {
		return "", &Fault{Field: name, Message: "has the unknown field {" + name + "}"}
	}
	return name, nil
}

// Colors lists the names allowed in {#...}; level is the color of the Reading's level.
var Colors = []string{"level", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "black", "grey", "bold", "dim"}

func isColor(name string) bool {
	for _, known := range Colors {
		if name == known {
			return true
		}
	}
	if len(name) != 6 {
		return false
	}
	for i := range len(name) {
		if c := name[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

// Colored reports whether the template uses colors.
func (t *Template) Colored() bool { return colored(t.pieces) }

func colored(pieces []piece) bool {
	for i := range pieces {
		if strings.HasPrefix(pieces[i].field, "#") {
			return true
		}
		for _, alternative := range pieces[i].alternatives {
			if colored(alternative) {
				return true
			}
		}
	}
	return false
}

// Fill replaces the fields by their values. value returns the text for a field, which is printed even if known is
// false. For a color it is called with the field's name including the #, and returns an escape sequence (ESC [ … m) or
// "". complete reports whether all fields outside brackets have values.
func (t *Template) Fill(value func(name string) (text string, known bool)) (line string, complete bool) {
	out, complete := fill(nil, t.pieces, value)
	return trimmed(string(out), t.separator), complete
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

// trimmed removes separators without text on both sides, and replaces the others with the template's own.
func trimmed(line, between string) string {
	if !strings.Contains(line, "·") {
		return strings.TrimSpace(line)
	}
	var parts []string
	colors := "" // colors from parts without any text
	for _, part := range strings.Split(" "+line+" ", separator) {
		part = strings.TrimSpace(part)
		if invisible(part) {
			colors += strings.ReplaceAll(part, " ", "")
			continue
		}
		parts, colors = append(parts, colors+part), ""
	}
	return strings.Join(parts, between) + colors
}

// invisible reports whether a text contains only colors and spaces.
func invisible(text string) bool {
	for text != "" {
		switch {
		case text[0] == ' ':
			text = text[1:]
		case strings.HasPrefix(text, "\x1b[") && strings.IndexByte(text, 'm') > 0:
			text = text[strings.IndexByte(text, 'm')+1:]
		default:
			return false
		}
	}
	return true
}
