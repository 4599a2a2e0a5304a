// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"errors"
	"fmt"
	"maps"
	"strings"
)

// A script is the subset of TypeScript in which prompts are written: the constants and functions of some files, with
// texts, lists and objects as values. It is parsed but never run. Anything that is not understood is empty: an empty
// text in a text, false in a condition.
type script struct {
	values map[string]value
}

// load reads the declarations of a file.
func (s *script) load(source string) error {
	p := parser{script: s, source: source, scope: s.values}
	return p.declarations()
}

// parser parses a source and evaluates it.
type parser struct {
	script *script
	source string
	at     int
	scope  map[string]value
	depth  int
}

const deepest = 40

var errSource = errors.New("the source ends too early")

// declarations parses the top level of a file: const, function and export default. It skips everything else.
func (p *parser) declarations() error {
	for {
		p.space()
		if p.at >= len(p.source) {
			return nil
		}
		p.word("export")
		def := p.word("default")
		p.word("async")
		var err error
		switch {
		case p.word("const"), p.word("let"):
			err = p.constant()
		case p.word("function"):
			err = p.function()
		case def:
			p.scope["default"], err = p.expression()
		default:
			p.statement()
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", 1+strings.Count(p.source[:min(p.at, len(p.source))], "\n"), err)
		}
	}
}

// constant parses a name and its value, or skips a destructuring pattern.
func (p *parser) constant() error {
	name := p.name()
	if name == "" {
		p.statement()
		return nil
	}
	p.space()
	if p.take(":") {
		p.skipType("=")
	}
	if !p.take("=") {
		p.statement()
		return nil
	}
	v, err := p.expression()
	p.scope[name] = v
	return err
}

// function parses a name, the parameters and the body.
func (p *parser) function() error {
	name := p.name()
	f, err := p.parameters()
	if err != nil {
		return err
	}
	p.space()
	if p.take(":") {
		p.skipType("{")
	}
	if f.body, err = p.enclosed("{", "}"); err != nil {
		return err
	}
	p.scope[name] = f
	return nil
}

// parameters parses a list of parameters, and keeps only the names.
func (p *parser) parameters() (*function, error) {
	p.space()
	inside, err := p.enclosed("(", ")")
	if err != nil {
		return nil, err
	}
	f := &function{}
	for _, each := range split(inside) {
		name := strings.TrimSpace(each)
		if i := strings.IndexAny(name, ":?= "); i >= 0 {
			name = name[:i]
		}
		f.params = append(f.params, strings.TrimSpace(name))
	}
	return f, nil
}

// call evaluates a function. Its value is that of the last return outside nested blocks; returns in nested blocks are
// for special cases.
func (p *parser) call(f *function, args []value) (value, error) {
	if p.depth > deepest {
		return nil, errors.New("functions call each other without end")
	}
	scope := maps.Clone(p.script.values)
	for i, name := range f.params {
		scope[name] = nil
		if i < len(args) {
			scope[name] = args[i]
		}
	}
	inner := parser{script: p.script, source: f.body, scope: scope, depth: p.depth + 1}
	if f.plain {
		return inner.expression()
	}
	var result value
	for {
		inner.space()
		if inner.at >= len(inner.source) {
			return result, nil
		}
		var err error
		switch {
		case inner.word("const"), inner.word("let"):
			err = inner.constant()
		case inner.word("return"):
			result, err = inner.expression()
		default:
			inner.statement()
		}
		if err != nil {
			return nil, err
		}
	}
}

// expression parses a conditional expression or a sum, and skips type annotations.
func (p *parser) expression() (value, error) {
	v, err := p.sum()
	if err != nil {
		return nil, err
	}
	for {
		p.space()
		switch {
		case p.word("as"), p.word("satisfies"):
			p.skipType("\n,;)]}?")
		case strings.HasPrefix(p.source[p.at:], "??") || strings.HasPrefix(p.source[p.at:], "||"):
			p.at += 2
			other, err := p.sum()
			if err != nil {
				return nil, err
			}
			if !holds(v) {
				v = other
			}
		case strings.HasPrefix(p.source[p.at:], "?") && !strings.HasPrefix(p.source[p.at:], "?."):
			p.at++
			yes, err := p.expression()
			if err != nil {
				return nil, err
			}
			if p.space(); !p.take(":") {
				return nil, errors.New("a choice has no second part")
			}
			no, err := p.expression()
			if err != nil {
				return nil, err
			}
			if holds(v) {
				return yes, nil
			}
			return no, nil
		default:
			return v, nil
		}
	}
}

func (p *parser) sum() (value, error) {
	v, err := p.primary()
	for err == nil {
		p.space()
		if strings.HasPrefix(p.source[p.at:], "++") || !p.take("+") {
			return v, nil
		}
		var more value
		if more, err = p.primary(); err == nil {
			v = text(v) + text(more)
		}
	}
	return v, err
}

// primary parses a literal, a name or an arrow function, with its members and calls.
func (p *parser) primary() (v value, err error) {
	p.space()
	if p.at >= len(p.source) {
		return nil, errSource
	}
	p.word("await")
	p.space()
	name := ""
	switch c := p.source[p.at]; {
	case c == '"' || c == '\'':
		v, err = p.quoted(c)
	case c == '`':
		v, err = p.template()
	case c == '[':
		v, err = p.list()
	case c == '{':
		v, err = p.object()
	case c == '(':
		v, err = p.group()
	case c == '!':
		p.at++
		if v, err = p.primary(); err == nil {
			return !holds(v), nil
		}
	case c >= '0' && c <= '9' || c == '-':
		from := p.at
		for p.at++; p.at < len(p.source) && strings.IndexByte("0123456789._", p.source[p.at]) >= 0; p.at++ {
		}
		return number(strings.ReplaceAll(p.source[from:p.at], "_", "")), nil
	default:
		if name = p.name(); name == "" {
			return nil, fmt.Errorf("%q begins no value", p.source[p.at:min(p.at+12, len(p.source))])
		}
		switch name {
		case "true", "false":
			v = name == "true"
		case "null", "undefined":
		default:
			v = p.scope[name]
		}
	}
	for err == nil {
		switch {
		case p.take("?.") || p.follows("."):
			v = member(v, p.name())
		case p.at < len(p.source) && p.source[p.at] == '(':
			v, err = p.called(v)
		case p.at < len(p.source) && p.source[p.at] == '!' && !strings.HasPrefix(p.source[p.at:], "!="):
			p.at++
		default:
			return v, nil
		}
	}
	return v, err
}

// follows takes a mark that may be on the next line.
func (p *parser) follows(mark string) bool {
	from := p.at
	p.space()
	if p.take(mark) {
		return true
	}
	p.at = from
	return false
}

// called evaluates a call, if the function is known.
func (p *parser) called(v value) (value, error) {
	inside, err := p.enclosed("(", ")")
	if err != nil {
		return nil, err
	}
	f, known := v.(*function)
	if !known {
		if method, is := v.(func() value); is {
			return method(), nil
		}
		return nil, nil
	}
	var args []value
	for _, each := range split(inside) {
		inner := parser{script: p.script, source: each, scope: p.scope, depth: p.depth + 1}
		arg, err := inner.expression()
		if err != nil {
			arg = nil
		}
		args = append(args, arg)
	}
	return p.call(f, args)
}

// group parses an expression in parentheses, or a function with its parameters in them.
func (p *parser) group() (value, error) {
	from := p.at
	inside, err := p.enclosed("(", ")")
	if err != nil {
		return nil, err
	}
	after := p.at
	p.space()
	if p.take(":") {
		p.skipType("=")
		p.space()
	}
	if p.take("=>") {
		p.at = from
		f, err := p.parameters()
		if err != nil {
			return nil, err
		}
		p.at += strings.Index(p.source[p.at:], "=>") + 2
		return f, p.arrow(f)
	}
	p.at = after
	inner := parser{script: p.script, source: inside, scope: p.scope, depth: p.depth + 1}
	v, err := inner.expression()
	if err != nil {
		return nil, nil
	}
	return v, nil
}

// arrow parses the part of a function after the arrow.
func (p *parser) arrow(f *function) (err error) {
	p.space()
	if p.at < len(p.source) && p.source[p.at] == '{' {
		f.body, err = p.enclosed("{", "}")
		return err
	}
	from := p.at
	if _, err = p.expression(); err != nil {
		return err
	}
	f.body, f.plain = p.source[from:p.at], true
	return nil
}

func (p *parser) list() (value, error) {
	inside, err := p.enclosed("[", "]")
	if err != nil {
		return nil, err
	}
	out := []value{}
	for _, each := range split(inside) {
		inner := parser{script: p.script, source: each, scope: p.scope, depth: p.depth + 1}
		v, err := inner.expression()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (p *parser) object() (value, error) {
	inside, err := p.enclosed("{", "}")
	if err != nil {
		return nil, err
	}
	out := &object{values: map[string]value{}}
	for _, each := range split(inside) {
		inner := parser{script: p.script, source: each, scope: p.scope, depth: p.depth + 1}
		inner.space()
		var key string
		if c := inner.source[inner.at]; c == '"' || c == '\'' {
			if key, err = inner.quoted(c); err != nil {
				return nil, err
			}
		} else if key = inner.name(); key == "" {
			continue // spread from another object, or with a computed key
		}
		inner.space()
		v := p.scope[key]
		if inner.take(":") {
			if v, err = inner.expression(); err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
		}
		out.keys, out.values[key] = append(out.keys, key), v
	}
	return out, nil
}
