// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"strings"
)

// readers generates for each type of parameters the list of its known fields and the loop that reads them. If a type is
// not read into one of the core's own types, a type is generated for it.
func readers(s *schema, _ []byte) ([]byte, error) {
	var out bytes.Buffer
	for _, d := range s.types {
		if len(d.words) > 0 && d.called != "" {
			fmt.Fprintf(&out, "\nvar %sWords = []string{%s}\n", lowered(d.name), quotedList(d.words))
		}
	}
	for _, d := range s.types {
		if !d.isRead {
			continue
		}
		var cases, members, unset bytes.Buffer
		var known []string
		for i := range d.fields {
			f := &d.fields[i]
			if f.fromDaemon() {
				continue
			}
			known = append(known, f.name)
			call, goType, zero, err := s.reading(f)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", d.name, f.name, err)
			}
			if fmt.Fprintf(&cases, "case %q:\n", f.name); call != "" {
				fmt.Fprintln(&cases, call)
			}
			if goType != "" {
				fmt.Fprintf(&members, "%s %s\n", f.goName, goType)
			}
			if zero != "" && goType != "" {
				fmt.Fprintf(&unset, "to.%s = %s\n", f.goName, zero)
			}
		}
		list := lowered(d.name) + "Fields"
		fmt.Fprintf(&out, "\nvar %s = []string{%s}\n", list, quotedList(known))
		if len(known) == 0 {
			out.Truncate(out.Len() - len("= []string{}\n"))
			out.WriteString("[]string\n")
		}
		target := d.reads
		if target == "" && members.Len() > 0 {
			target = lowered(d.name)
			fmt.Fprintf(&out, "\n// %s are what is read of %s.\ntype %s struct {\n%s}\n", target, d.name, target, &members)
			fmt.Fprintf(&out, "\n// unset is before anything is read.\nfunc (to *%s) unset() {\n*to = %s{}\n%s}\n", target, target, &unset)
		}
		if target != "" {
			target = ", to *" + target
		}
		fmt.Fprintf(&out, "\nfunc (c *Core) fill%s(v json.Value%s) *Error {\n", d.name, target)
		out.WriteString("for f := v.Fields(); f.Next(); {\nvar err *Error\nswitch f.Called() {\n")
		fmt.Fprintf(&out, "%sdefault:\nerr = unknownField(&f, %s)\n}\n", &cases, list)
		out.WriteString("if err != nil {\nreturn err\n}\n}\nreturn onlyOnce(v)\n}\n")
	}
	return goFile(out.Bytes())
}

// reading returns how a field is read: the call, and in a generated type the type and initial value of the field.
func (s *schema) reading(f *field) (call, goType, zero string, err error) {
	zero = f.tags.Get("default")
	how := f.tags.Get("read")
	of := s.typeOf(f)
	to := "&to." + f.goName
	switch {
	case how == "-":
		return "", "", "", nil
	case how == "field":
		return "to." + f.goName + " = f", "json.Fields", zero, nil
	case how == "raw", f.array && how == "", of.is == anything && how == "", of.is == object && of.reads == "" && how == "" && of.name != "bool":
		return "to." + f.goName + " = f.Value", "json.Value", zero, nil
	case f.dictionary || of.is == decimal:
		call, err = "", fmt.Errorf("it needs a tag that says what reads it")
		if how != "" {
			err = nil
		}
	case f.array || of.is == anything:
		goType = "json.Value"
	case of.name == "bool":
		call, goType = fmt.Sprintf("err = readBool(&f, %s)", to), "bool"
	case of.name == "Body":
		call, goType = fmt.Sprintf("err = readBody(c, &f, %s)", to), "[]byte"
	case of.is == text && len(of.words) > 0:
		call, goType = fmt.Sprintf("err = readWord(&f, %s, %sWords, %q)", to, lowered(of.name), of.called), of.name
	case of.is == text:
		call, goType = fmt.Sprintf("err = readString(&f, %s)", to), "string"
	case of.name == "Time":
		call, goType = fmt.Sprintf("err = readTime(&f, %s)", to), "int64"
	case of.is == integer && f.pointer:
		call, goType = fmt.Sprintf("err = readOptional(&f, %s)", to), "int64"
	case of.is == integer:
		call, goType = fmt.Sprintf("err = readTokens(&f, %s)", to), "int64"
	case of.is == object:
		call, goType = fmt.Sprintf("err = c.read%s(&f, %s)", of.name, to), of.reads
	}
	if goType == "int64" && f.pointer && zero == "" {
		zero = "core.Unknown"
	}
	if how != "" {
		call = "err = " + how
	}
	return call, goType, zero, err
}

// lowered returns the unexported form of a type's name.
func lowered(name string) string {
	return strings.ToLower(name[:1]) + name[1:]
}

func quotedList(words []string) string {
	var quoted []string
	for _, w := range words {
		quoted = append(quoted, fmt.Sprintf("%q", w))
	}
	return strings.Join(quoted, ", ")
}
