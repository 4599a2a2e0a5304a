// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strings"
)

// calledFromGo lists the values of reaches of the methods that Go's own callers use.
var calledFromGo = []string{"OneSession", "AllSessions", "OneSet", "Lessons"}

// inSeveral are types that parameters may contain in a field of several types; internal/client's writer any needs their
// writers.
var inSeveral = []string{"OpenParams", "Item", "Part", "Usage"}

// clientMethods generates a Go method for each method of the protocol that Go's own callers use, and the writers of
// their parameters.
func clientMethods(s *schema, _ []byte) ([]byte, error) {
	var calls, writers bytes.Buffer
	var wanted []string
	for _, m := range s.methods {
		if !slices.Contains(calledFromGo, m.reaches) && m.name != "ctx/count" {
			continue
		}
		answer := m.answers[0]
		for _, other := range m.answers {
			if strings.HasSuffix(other, "Answer") && other != "ExactAnswer" {
				answer = other
				break
			}
		}
		calls.WriteByte('\n')
		for _, line := range wrap(fmt.Sprintf("%s calls %s. %s", methodInGo(m.name), m.name, m.doc), 117) {
			fmt.Fprintf(&calls, "// %s\n", line)
		}
		fmt.Fprintf(&calls, "func (c Call) %s(ctx context.Context, p *api.%s) Answer[api.%s] {\n", methodInGo(m.name), m.takes, answer)
		fmt.Fprintf(&calls, "return query[api.%s](ctx, c, %q, func(w *writer) { w.write%s(p) })\n}\n", answer, m.name, m.takes)
		wanted = appendOnce(wanted, m.takes)
	}
	for _, name := range inSeveral {
		wanted = appendOnce(wanted, name)
	}
	for i := 0; i < len(wanted); i++ {
		d := s.byName[wanted[i]]
		p := "p"
		if len(d.fields) == 0 {
			p = "_"
		}
		fmt.Fprintf(&writers, "\nfunc (w *writer) write%s(%s *api.%s) {\nw.BeginObject()\n", d.name, p, d.name)
		for j := range d.fields {
			if d.fields[j].fromDaemon() {
				continue
			}
			of, err := s.clientField(&writers, &d.fields[j])
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", d.name, d.fields[j].name, err)
			}
			if of != "" {
				wanted = appendOnce(wanted, of)
			}
		}
		writers.WriteString("w.EndObject()\n}\n")
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "// %s\n\n// %s\n\npackage client\n\n", header, origin)
	out.WriteString("import (\n\"context\"\n\n\"github.com/ctx-lsp/ctx-lsp/core/api\"\n)\n")
	out.Write(calls.Bytes())
	out.Write(writers.Bytes())
	text, err := format.Source(out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("what was generated is not Go: %w\n%s", err, out.Bytes())
	}
	return text, nil
}

// methodInGo returns the Go name of a method: Records for ctx/session/records.
func methodInGo(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "ctx/"), "session/")
	var out strings.Builder
	for part := range strings.SplitSeq(name, "/") {
		out.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return out.String()
}

func appendOnce(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// clientField generates the code that writes a field of parameters. It returns the struct type that needs a writer for
// this, if any.
func (s *schema) clientField(out *bytes.Buffer, f *field) (needs string, err error) {
	of := s.typeOf(f)
	value := "p." + f.goName
	key := fmt.Sprintf("w.Key(%q)\n", f.name)
	isStruct := of.is == object && of.foreign == "" && basic[f.of] == nil
	one := func(v string) (string, error) {
		switch {
		case isStruct:
			return fmt.Sprintf("w.write%s(%s)\n", of.name, v), nil
		case of.name == "bool":
			return fmt.Sprintf("w.Bool(%s)\n", v), nil
		case of.is == text:
			return fmt.Sprintf("w.text(string(%s))\n", v), nil
		case of.is == integer:
			return fmt.Sprintf("w.Int(int64(%s))\n", v), nil
		case of.is == decimal:
			return fmt.Sprintf("w.Hundredths(int64(%s))\n", v), nil
		case of.is == anything:
			return fmt.Sprintf("w.any(%s)\n", v), nil
		}
		return "", fmt.Errorf("a %s has no writer", f.of)
	}
	if isStruct {
		needs = of.name
	}
	say := func(condition, write string) {
		if condition != "" && f.optional {
			fmt.Fprintf(out, "if %s {\n%s%s}\n", condition, key, write)
			return
		}
		out.WriteString(key + write)
	}
	switch {
	case f.dictionary && of.name == "string":
		say("len("+value+") > 0", "w.texts("+value+")\n")
	case f.dictionary:
		return "", fmt.Errorf("a dictionary of %s has no writer", f.of)
	case f.array:
		element := value + "[i]"
		if isStruct {
			element = "&" + element
		}
		write, err := one(element)
		if err != nil {
			return "", err
		}
		say(value+" != nil", fmt.Sprintf("w.BeginArray()\nfor i := range %s {\n%s}\nw.EndArray()\n", value, write))
	case f.pointer:
		target := "*" + value
		if isStruct {
			target = value
		}
		write, err := one(target)
		if err != nil {
			return "", err
		}
		if !f.optional {
			write = fmt.Sprintf("if %s == nil {\nw.Null()\n} else {\n%s}\n", value, write)
		}
		say(value+" != nil", write)
	case isStruct && f.optional:
		fmt.Fprintf(out, "w.optional(%q, func() { w.write%s(&%s) })\n", f.name, of.name, value)
	case isStruct:
		say("", fmt.Sprintf("w.write%s(&%s)\n", of.name, value))
	default:
		write, err := one(value)
		if err != nil {
			return "", err
		}
		condition := value
		switch {
		case of.is == text:
			condition += ` != ""`
		case of.is == anything:
			condition += " != nil"
		case of.is == integer:
			condition += " != 0"
		case of.name != "bool":
			return "", fmt.Errorf("a %s has no empty value", f.of)
		}
		say(condition, write)
	}
	return needs, nil
}
