// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/internal/template"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Lines are the templates that a caller wants filled from Readings, with its words. The templates are parsed once and
// filled often.
type Lines struct {
	lines []namedLine
	words []setting
}

type namedLine struct {
	name      string
	templates []*template.Template
}

// Limits for one call.
const (
	maxLines     = 32
	maxTemplates = 16
	maxWords     = 256
)

// ReadLines reads the templates and words of ctx/lines, and of other methods with the same parameters.
func ReadLines(lines, words json.Value) (*Lines, *Error) {
	l := &Lines{}
	var err *Error
	if l.words, err = readWords(words); err != nil {
		return nil, err.within("words")
	}
	if lines.Kind() != json.Object {
		return nil, invalid("lines", "must be an object of templates, not "+lines.Kind().String()+".")
	}
	for f := lines.Fields(); f.Next(); {
		if len(l.lines) == maxLines {
			return nil, about(LimitExceeded, "lines", "The parameter \"", "\" has more than "+strconv.Itoa(maxLines)+" lines.")
		}
		name := f.Key.String()
		templates, err := l.readTemplates(f.Value)
		if err != nil {
			return nil, err.within(shorten(name)).within("lines")
		}
		l.lines = append(l.lines, namedLine{name, templates})
	}
	if err := onlyOnce(lines); err != nil {
		return nil, err.within("lines")
	}
	return l, nil
}

// NewLine parses one template. words alternates between names and values.
func NewLine(text string, words ...string) (*Lines, *Error) {
	l := &Lines{}
	for i := 0; i+1 < len(words); i += 2 {
		l.words = append(l.words, setting{words[i], words[i+1]})
	}
	t, err := l.parse(text)
	if err != nil {
		err.Message = "The template" + strings.TrimPrefix(err.after, "\":")
		return nil, err
	}
	l.lines = []namedLine{{templates: []*template.Template{t}}}
	return l, nil
}

func readWords(v json.Value) ([]setting, *Error) {
	if v.IsNull() {
		return nil, nil
	}
	if v.Kind() != json.Object {
		return nil, invalid("", "must be an object of strings, not "+v.Kind().String()+".")
	}
	var words []setting
	for f := v.Fields(); f.Next(); {
		word := setting{name: f.Key.String()}
		switch {
		case len(words) == maxWords:
			return nil, about(LimitExceeded, "", "The parameter \"", "\" has more than "+strconv.Itoa(maxWords)+" words.")
		case lineField(word.name) >= 0:
			return nil, invalid(word.name, "is a field of every Reading; call the word something else.")
		}
		if err := readString(&f, &word.value); err != nil {
			return nil, err
		}
		words = append(words, word)
	}
	return words, onlyOnce(v)
}

func (l *Lines) readTemplates(v json.Value) ([]*template.Template, *Error) {
	if v.Kind() == json.String {
		t, err := l.readTemplate(v)
		return []*template.Template{t}, err
	}
	if v.Kind() != json.Array || v.Len() == 0 || v.Len() > maxTemplates {
		return nil, invalid("", "must be a template, or an array of 1 to "+strconv.Itoa(maxTemplates)+" templates.")
	}
	var templates []*template.Template
	for e := v.Elements(); e.Next(); {
		t, err := l.readTemplate(e.Value)
		if err != nil {
			return nil, err.within(strconv.Itoa(len(templates)))
		}
		templates = append(templates, t)
	}
	return templates, nil
}

func (l *Lines) readTemplate(v json.Value) (*template.Template, *Error) {
	switch {
	case v.Kind() != json.String:
		return nil, invalid("", "must be a template, not "+v.Kind().String()+".")
	case v.TextLen() > maxString:
		return nil, invalid("", "is longer than 4096 bytes.")
	}
	return l.parse(v.String())
}

func (l *Lines) parse(text string) (*template.Template, *Error) {
	t, fault := template.Parse(text, l.isField)
	if fault == nil {
		return t, nil
	}
	message := "\"" + shorten(text) + "\" " + fault.Message
	var known []string
	if fault.Field != "" {
		known = l.fields(strings.HasPrefix(fault.Field, "?"))
		message += "; expected one of " + strings.Join(known, ", ")
	}
	err := about(InvalidParams, "", "The template \"", "\": "+message+".")
	err.Known = known
	return nil, err
}

func (l *Lines) isField(name string) bool {
	if condition, ok := strings.CutPrefix(name, "?"); ok {
		for _, known := range lineConditions {
			if condition == known {
				return true
			}
		}
		return false
	}
	_, own := l.valueOf(name)
	return own || lineField(name) >= 0
}

// fields lists the names that a template may use in braces.
func (l *Lines) fields(conditions bool) []string {
	var names []string
	if conditions {
		for _, word := range lineConditions {
			names = append(names, "?"+word)
		}
		return names
	}
	for i := range LineFields {
		names = append(names, LineFields[i].Name)
	}
	for i := range l.words {
		names = append(names, l.words[i].name)
	}
	return names
}

func (l *Lines) valueOf(name string) (string, bool) {
	for i := range l.words {
		if l.words[i].name == name {
			return l.words[i].value, true
		}
	}
	return "", false
}

// translate translates a word of a Reading with the caller's words.
func (l *Lines) translate(word string) string {
	if translated, ok := l.valueOf(word); ok {
		return translated
	}
	return word
}

// fill makes one line from a Reading. paint, if not nil, styles each value.
func (l *Lines) fill(n *namedLine, r *Reading, paint func(field, value string) string) string {
	value := func(name string) (string, bool) {
		text, known := l.valueOf(name)
		if name[:min(1, len(name))] == "#" { // a color, which front ends with colors paint
			text, known = "", true
		} else if known {
			known = text != ""
		} else {
			text, known = lineValue(r, name, l.translate)
		}
		if paint != nil {
			text = paint(name, text)
		}
		return text, known
	}
	text := ""
	for _, t := range n.templates {
		complete := false
		if text, complete = t.Fill(value); complete {
			break
		}
	}
	return text
}

// Colored reports whether the template of NewLine uses colors.
func (l *Lines) Colored() bool { return l.lines[0].templates[0].Colored() }

// Text makes the line of NewLine.
func (l *Lines) Text(r *Reading, paint func(field, value string) string) string {
	return l.fill(&l.lines[0], r, paint)
}

// Append adds the member lines to a Reading. A text that is not a Reading is returned unchanged.
func (l *Lines) Append(reading []byte) []byte {
	var r Reading
	if !r.GlanceAt(reading) {
		return reading
	}
	w := json.Writer{Buf: make([]byte, 0, len(reading)+64*len(l.lines))}
	w.Reopen(reading)
	w.Field(`,"lines":`)
	l.write(&w, &r)
	w.EndObject()
	return w.Buf
}

func (l *Lines) write(w *json.Writer, r *Reading) {
	w.BeginObject()
	for i := range l.lines {
		w.Key(l.lines[i].name)
		w.String(l.fill(&l.lines[i], r, nil))
	}
	w.EndObject()
}

// makeLines answers ctx/lines.
func (c *Core) makeLines(v json.Value) *Error {
	var p linesParams
	p.unset()
	if err := c.fillLinesParams(v, &p); err != nil {
		return err
	}
	l, err := ReadLines(p.Lines, p.Words)
	if err != nil {
		return err
	}
	if !p.Reading.IsNull() && p.Reading.Get("display").Kind() != json.Object {
		return invalid("reading", "must be a Reading, as a method has answered it.")
	}
	w := &c.out
	w.BeginObject()
	w.Key("lines")
	if p.Reading.IsNull() {
		writeNothing(w)
	} else {
		var r Reading
		r.Glance(p.Reading)
		if r.Compaction.Level == "" { // a session in short
			r.Compaction.Level = Level(p.Reading.Get("level").String())
		}
		l.write(w, &r)
	}
	w.EndObject()
	return nil
}
