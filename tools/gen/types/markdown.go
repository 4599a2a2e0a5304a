// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// generated matches a generated part of a document: <!-- generated: Reading, Row --> ... <!-- end -->. It names types,
// the first of which is written without its name, or one of the tables of methods, the table of errors, the fields of
// templates, or a table of the minimal profile.
var generated = regexp.MustCompile(`(?s)<!-- generated: ([^>]*) -->\n.*?<!-- end -->`)

// tables updates the generated tables in a document.
func tables(s *schema, before []byte) ([]byte, error) {
	var failed error
	found := 0
	text := generated.ReplaceAllFunc(before, func(part []byte) []byte {
		found++
		what := string(generated.FindSubmatch(part)[1])
		var out bytes.Buffer
		fmt.Fprintf(&out, "<!-- generated: %s -->\n", what)
		for i, name := range strings.Split(what, ", ") {
			if methods := map[string][]method{"methods": s.methods, "daemon methods": s.daemonMethods, "notifications": s.notifications}[name]; methods != nil {
				s.methodTable(&out, methods, name == "methods")
				continue
			}
			if name == "errors" {
				s.errorTable(&out)
				continue
			}
			if name == "profile methods" {
				s.profileMethods(&out)
				continue
			}
			if name == "profile fields" {
				s.profileFields(&out)
				continue
			}
			if name == "line fields" {
				s.lineFieldTable(&out)
				continue
			}
			d := s.byName[name]
			if d == nil {
				failed = fmt.Errorf("it asks for %s, which the schema does not have", name)
				break
			}
			if i > 0 {
				about := strings.Replace(strings.Join(strings.Fields(d.doc), " "), d.name, "`"+d.name+"`", 1)
				if len(d.words) > 0 {
					about += " It is one of `" + strings.Join(d.words, "`, `") + "`."
				}
				fmt.Fprintf(&out, "\n%s\n", strings.Join(wrap(about, 120), "\n"))
			}
			s.fieldTable(&out, d)
		}
		out.WriteString("\n<!-- end -->")
		return out.Bytes()
	})
	if failed == nil && found == 0 {
		failed = fmt.Errorf("it has no part that is generated")
	}
	return text, failed
}

func (s *schema) fieldTable(out *bytes.Buffer, d *declared) {
	if d.is != object || len(d.fields) == 0 {
		return
	}
	out.WriteString("\n| field | type | |\n|---|---|---|\n")
	for i := range d.fields {
		f := &d.fields[i]
		name, doc := "`"+f.name+"`", f.doc
		if f.optional {
			name = "`" + f.name + "?`"
		}
		if f.fromDaemon() {
			doc += " (daemon)"
		}
		fmt.Fprintf(out, "| %s | %s | %s |\n", name, s.inWords(f), strings.ReplaceAll(strings.TrimSpace(doc), "|", `\|`))
	}
}

// inWords returns the type of a field for the documentation.
func (s *schema) inWords(f *field) string {
	of := s.typeOf(f)
	name := of.name
	switch {
	case of.name == "bool":
		name = "boolean"
	case of.is == integer, of.is == decimal:
		name = "number"
	case of.name == "Body":
		name = "string"
	case of.name == "Foreign":
		name = "any"
	}
	plain := []string{"boolean", "number", "string", "any"}
	switch {
	case f.array:
		name += "[]"
	case f.dictionary:
		name = "object of " + name + "s"
	}
	if !f.dictionary && !slices.Contains(plain, strings.TrimSuffix(name, "[]")) {
		name = "`" + name + "`"
	}
	if f.pointer {
		name += " or null"
	}
	return name
}

// methodTable writes the table of methods or notifications. With linked, each name links to its section.
func (s *schema) methodTable(out *bytes.Buffer, methods []method, linked bool) {
	if len(methods[0].answers) == 0 {
		out.WriteString("\n| notification | params | when |\n|---|---|---|\n")
		for _, m := range methods {
			fmt.Fprintf(out, "| `%s` | `%s` | %s |\n", m.name, m.takes, m.doc)
		}
		return
	}
	out.WriteString("\n| method | params | answer | |\n|---|---|---|---|\n")
	for _, m := range methods {
		takes := "`" + m.takes + "`"
		if len(s.byName[m.takes].fields) == 0 {
			takes = "none"
		}
		var answers []string
		for _, a := range m.answers {
			switch a {
			case "Nothing":
				answers = append(answers, "`{}`")
			default:
				answers = append(answers, "`"+a+"`")
			}
		}
		name := "`" + m.name + "`"
		if linked {
			name = "[" + name + "](#" + strings.ReplaceAll(strings.ToLower(m.name), "/", "") + ")"
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s |\n", name, takes, strings.Join(answers, " or "), m.doc)
	}
}
