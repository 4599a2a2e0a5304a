// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"strings"
)

// A guaranteed is a parameter of a method, or a field of a Reading, in the minimal profile.
type guaranteed struct {
	name string // including the names of the objects around it: compaction.hint
	kind string
	doc  string
}

// profileOf returns the members of a type with the tag profile, including those of its objects.
func (s *schema) profileOf(d *declared) []guaranteed {
	var out []guaranteed
	for i := range d.fields {
		f := &d.fields[i]
		if f.tags.Get("profile") != "" {
			kind := s.inWords(f)
			if of := s.typeOf(f); len(of.words) > 0 {
				kind = "`" + strings.Join(of.words, "`, `") + "`"
			}
			name := f.name
			if f.optional {
				name += "?"
			}
			out = append(out, guaranteed{name, kind, f.doc})
		}
		if of := s.typeOf(f); of.is == object && of != d && !f.array && !f.dictionary && of.name != "Facts" {
			for _, inner := range s.profileOf(of) {
				inner.name = f.name + "." + inner.name
				out = append(out, inner)
			}
		}
	}
	return out
}

// profileMethods writes the methods of the minimal profile with their guaranteed parameters.
func (s *schema) profileMethods(out *bytes.Buffer) {
	out.WriteString("\n| method | parameters | |\n|---|---|---|\n")
	for _, m := range s.methods {
		if !m.profile {
			continue
		}
		var names []string
		for _, p := range s.profileOf(s.byName[m.takes]) {
			names = append(names, "`"+p.name+"`")
		}
		fmt.Fprintf(out, "| `%s` | %s | %s |\n", m.name, strings.Join(names, ", "), m.doc)
	}
}

// profileFields writes the fields of the minimal profile.
func (s *schema) profileFields(out *bytes.Buffer) {
	out.WriteString("\n| field | type | |\n|---|---|---|\n")
	for _, f := range s.profileOf(s.byName["Reading"]) {
		fmt.Fprintf(out, "| `%s` | %s | %s |\n", f.name, f.kind, strings.ReplaceAll(f.doc, "|", `\|`))
	}
}
