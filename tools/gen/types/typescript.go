// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// typescript generates the declarations for TypeScript.
func typescript(s *schema, _ []byte) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "// %s\n\n// %s\n", header, origin)
	for _, d := range s.types {
		comment(&out, "", d.doc)
		switch {
		case d.foreign != "":
			fmt.Fprintf(&out, "export type %s = %s\n", d.name, d.foreign)
		case d.is == text:
			fmt.Fprintf(&out, "export type %s = %s\n", d.name, union(d.words))
		default:
			fmt.Fprintf(&out, "export interface %s {\n", d.name)
			for i := range d.fields {
				f := &d.fields[i]
				comment(&out, "  ", f.doc)
				mark := ""
				if f.optional {
					mark = "?"
				}
				fmt.Fprintf(&out, "  %s%s: %s\n", f.name, mark, s.inTypeScript(f))
			}
			out.WriteString("}\n")
		}
	}
	comment(&out, "", "Methods are those of the core, and what each takes and answers.")
	methodTypes(&out, "Methods", s.methods)
	comment(&out, "", "DaemonMethods are those that only the daemon answers.")
	methodTypes(&out, "DaemonMethods", s.daemonMethods)
	comment(&out, "", "Notifications are what the daemon tells without being asked.")
	methodTypes(&out, "Notifications", s.notifications)
	return out.Bytes(), nil
}

func methodTypes(out *bytes.Buffer, name string, methods []method) {
	fmt.Fprintf(out, "export interface %s {\n", name)
	for _, m := range methods {
		comment(out, "  ", m.doc)
		if len(m.answers) == 0 {
			fmt.Fprintf(out, "  '%s': { params: %s }\n", m.name, m.takes)
			continue
		}
		fmt.Fprintf(out, "  '%s': { params: %s; result: %s }\n", m.name, m.takes, strings.Join(m.answers, " | "))
	}
	out.WriteString("}\n")
}

func (s *schema) inTypeScript(f *field) string {
	of := s.typeOf(f)
	name := of.name
	if basic[of.name] != nil {
		name = of.foreign
	}
	if name == "string" {
		if words := listed(f.doc); words != nil {
			name = union(words)
		}
	}
	switch {
	case f.array && strings.Contains(name, " "):
		name = "(" + name + ")[]"
	case f.array:
		name += "[]"
	case f.dictionary:
		name = "Record<string, " + name + ">"
	}
	if f.pointer {
		name += " | null"
	}
	return name
}

var (
	quoted  = regexp.MustCompile(`"[^"]*"`)
	listing = regexp.MustCompile(`^(?:[^"]*: )?"[^"]*"(?:(?:, | or )"[^"]*")*\.?$`)
)

// listed returns the words in a comment that is nothing but a list.
func listed(doc string) []string {
	if !listing.MatchString(doc) {
		return nil
	}
	var words []string
	for _, w := range quoted.FindAllString(doc, -1) {
		words = append(words, strings.Trim(w, `"`))
	}
	return words
}

func union(words []string) string {
	return "'" + strings.Join(words, "' | '") + "'"
}

// comment writes a documentation comment, on one line if it fits.
func comment(out *bytes.Buffer, indent, doc string) {
	if indent == "" {
		out.WriteByte('\n')
	}
	if doc == "" {
		return
	}
	lines := wrap(strings.Join(strings.Fields(doc), " "), 120-len(indent)-len("/**  */"))
	if len(lines) == 1 {
		fmt.Fprintf(out, "%s/** %s */\n", indent, lines[0])
		return
	}
	fmt.Fprintf(out, "%s/**\n", indent)
	for _, line := range lines {
		fmt.Fprintf(out, "%s * %s\n", indent, line)
	}
	fmt.Fprintf(out, "%s */\n", indent)
}

// wrap breaks a text at spaces into lines.
func wrap(text string, columns int) []string {
	var lines []string
	current := ""
	for _, word := range strings.Fields(text) {
		if current != "" && len(current)+1+len(word) > columns {
			lines, current = append(lines, current), ""
		}
		if current != "" {
			current += " "
		}
		current += word
	}
	return append(lines, current)
}
