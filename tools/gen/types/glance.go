// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"slices"
)

// glances generates the reader of Readings: a method for Reading and each type inside it. It leaves out the fields that
// only screens draw, which have the tag glance:"-".
func glances(s *schema, _ []byte) ([]byte, error) {
	var out bytes.Buffer
	types := []string{"Reading"}
	for i := 0; i < len(types); i++ { // types grows
		d := s.byName[types[i]]
		fmt.Fprintf(&out, "\nfunc (to *%s) glance(v json.Value) {\nfor f := v.Fields(); f.Next(); {\nswitch f.Called() {\n", d.name)
		for j := range d.fields {
			f := &d.fields[j]
			if f.tags.Get("glance") == "-" {
				continue
			}
			call, err := s.glanceAt(f)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", d.name, f.name, err)
			}
			fmt.Fprintf(&out, "case %q:\n%s\n", f.name, call)
			if of := s.typeOf(f); of.is == object && of.name != "bool" && !slices.Contains(types, of.name) {
				types = append(types, of.name)
			}
		}
		out.WriteString("}\n}\n}\n")
	}
	return goFile(out.Bytes())
}

// glanceAt returns the statements that read a field.
func (s *schema) glanceAt(f *field) (string, error) {
	of, to := s.typeOf(f), "to."+f.goName
	switch {
	case f.array && of.is == object && of.name != "bool":
		return fmt.Sprintf("for e := f.Value.Elements(); e.Next(); {\nvar one %s\none.glance(e.Value)\n%s = append(%s, one)\n}", of.name, to, to), nil
	case f.array || f.dictionary || of.is == anything:
		return "", fmt.Errorf("there is no reader of it; it needs the tag glance:\"-\"")
	case of.name == "bool" && !f.pointer:
		return to + " = f.Value.Bool()", nil
	case of.is == text && f.pointer:
		return to + " = knownText(f.Value)", nil
	case of.is == text:
		return fmt.Sprintf("%s = %s(f.Value.String())", to, of.name), nil
	case of.is == integer && f.pointer:
		return fmt.Sprintf("%s = knownNumber[%s](f.Value)", to, of.name), nil
	case of.is == integer:
		return fmt.Sprintf("%s = %s(wholeNumber(f.Value))", to, of.name), nil
	case of.is == decimal && f.pointer:
		return to + " = knownShare(f.Value)", nil
	case of.is == decimal:
		return fmt.Sprintf("if n := knownShare(f.Value); n != nil {\n%s = *n\n}", to), nil
	case of.is == object && f.pointer:
		return fmt.Sprintf("if f.Value.Kind() == json.Object {\n%s = new(%s)\n%s.glance(f.Value)\n}", to, of.name, to), nil
	case of.is == object:
		return to + ".glance(f.Value)", nil
	}
	return "", fmt.Errorf("there is no reader of %s", f.of)
}
