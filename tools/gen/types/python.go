// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// pythonSession lists the core's methods that the Python package's Session implements itself.
var pythonSession = []string{"ctx/session/open", "ctx/session/restore", "ctx/session/close"}

// pythonTypes generates the types for Python: parameters are TypedDicts, and results are classes with attributes.
func pythonTypes(s *schema, _ []byte) ([]byte, error) {
	p := newPython(s)
	var out bytes.Buffer
	fmt.Fprintf(&out, "# %s\n\n# %s\n", header, origin)
	fmt.Fprintf(&out, "\"\"\"Types are the types of the protocol. docs/protocol.md explains them.\"\"\"\n\n")
	out.WriteString("from __future__ import annotations\n\nimport sys\nfrom collections.abc import Mapping, Sequence\n" +
		"from typing import TYPE_CHECKING, Literal, TypedDict\n\nfrom .objects import Object\n\n" +
		"if sys.version_info >= (3, 11):\n    from typing import NotRequired, TypeAlias\nelse:\n    from typing import TypeAlias\n\n" +
		"    if TYPE_CHECKING:\n        from typing_extensions import NotRequired\n")
	for _, d := range s.types {
		switch {
		case d.name == "Phrase":
			p.phrase(&out, d)
		case d.foreign != "" || d.is == text:
			if err := p.alias(&out, d); err != nil {
				return nil, err
			}
		}
	}
	for _, d := range s.types {
		if d.foreign != "" || d.is == text {
			continue
		}
		if p.received[d.name] {
			p.answer(&out, d)
		} else if p.given[d.name] {
			fields := make([]*field, len(d.fields))
			for i := range d.fields {
				fields[i] = &d.fields[i]
			}
			p.typedDict(&out, d.name, d.doc, fields, true)
		}
	}
	for _, m := range slices.Concat(s.methods, s.daemonMethods) {
		p.options(&out, m)
	}
	out.WriteString("\n\n# These members are objects themselves.\nPhrase.nest({\"args\": Phrase})\n")
	for _, d := range s.types {
		if members := p.members(d); members != "" {
			fmt.Fprintf(&out, "%s.nest({%s})\n", d.name, members)
		}
	}
	out.WriteString("\nNOTIFICATIONS: dict[str, type[Object]] = {\n")
	for _, n := range s.notifications {
		class := n.takes
		if p.byName[class].foreign != "" {
			class = "Object"
		}
		fmt.Fprintf(&out, "    %q: %s,\n", n.name, class)
	}
	out.WriteString("}\n\"\"\"The classes of the daemon's notifications, by their methods.\"\"\"\n")
	return out.Bytes(), nil
}

// pythonMethods generates a Python method for each method of the protocol, both blocking and for asyncio.
func pythonMethods(s *schema, _ []byte) ([]byte, error) {
	p := newPython(s)
	var out bytes.Buffer
	fmt.Fprintf(&out, "# %s\n\n# %s\n", header, origin)
	fmt.Fprintf(&out, "\"\"\"Methods are the methods of the protocol. docs/protocol.md explains them.\"\"\"\n\n")
	out.WriteString("from __future__ import annotations\n\nimport sys\nfrom collections.abc import Mapping, Sequence\n" +
		"from typing import TYPE_CHECKING, Any\n\nfrom . import types\n\n" +
		"if TYPE_CHECKING:\n    if sys.version_info >= (3, 11):\n        from typing import Unpack\n    else:\n        from typing_extensions import Unpack\n")
	for _, group := range []struct {
		name, doc string
		session   bool
	}{
		{"Session", "the methods of one session", true},
		{"Client", "the methods that are not about one session", false},
	} {
		for _, async := range []bool{false, true} {
			name, doc, def, wait := group.name+"Methods", group.doc, "def", ""
			if async {
				name, doc, def, wait = "Async"+name, doc+", for asyncio", "async def", "await "
			}
			fmt.Fprintf(&out, "\n\nclass %s:\n    \"\"\"%s has %s.\"\"\"\n\n", name, name, doc)
			fmt.Fprintf(&out, "    %s _call(self, method: str, answers: tuple[type[Any], ...], params: Mapping[str, Any]) -> Any:\n        raise NotImplementedError\n", def)
			for _, m := range slices.Concat(s.methods, s.daemonMethods) {
				if inSession(m) != group.session || slices.Contains(pythonSession, m.name) {
					continue
				}
				p.method(&out, m, def, wait)
			}
		}
	}
	return out.Bytes(), nil
}

// inSession reports whether a method is about one session of the caller.
func inSession(m method) bool { return m.reaches == "OneSession" }

// A python generates declarations for Python.
type python struct {
	*schema
	given    map[string]bool // types of parameters
	received map[string]bool // types of results and notifications
}

func newPython(s *schema) *python {
	p := &python{schema: s, given: map[string]bool{}, received: map[string]bool{}}
	for _, m := range slices.Concat(s.methods, s.daemonMethods) {
		for i := range s.byName[m.takes].fields {
			p.reach(p.given, s.byName[m.takes].fields[i].of)
		}
		for _, name := range m.answers {
			if name != "null" {
				p.reach(p.received, name)
			}
		}
	}
	for _, n := range s.notifications {
		p.reach(p.received, n.takes)
	}
	return p
}

// reach marks a type and the types that it refers to.
func (p *python) reach(marks map[string]bool, name string) {
	d := p.byName[name]
	if d == nil || marks[name] {
		return
	}
	marks[name] = true
	if d.foreign != "" {
		for _, other := range typeWord.FindAllString(d.foreign, -1) {
			p.reach(marks, other)
		}
		return
	}
	for i := range d.fields {
		p.reach(marks, d.fields[i].of)
	}
}

// anyObject reports whether a type has a provider's or host's own shape, or is a union with such a type. Python passes
// such values unchanged, including objects of SDKs.
func (p *python) anyObject(d *declared) bool {
	if d.name == "Phrase" || strings.HasPrefix(d.foreign, "Record<string, never>") {
		return false
	}
	if d.foreign == "unknown" || strings.ContainsAny(d.foreign, "{<") {
		return true
	}
	for _, name := range typeWord.FindAllString(d.foreign, -1) {
		if other := p.byName[name]; other != nil && other.foreign != "" && p.anyObject(other) {
			return true
		}
	}
	return false
}

// foreignInPython converts a TypeScript type to a Python type.
func (p *python) foreignInPython(d *declared) string {
	name := d.foreign
	switch {
	case d.name == "Hundredths":
		return "float"
	case p.anyObject(d):
		return "object"
	case strings.HasPrefix(name, "Record<string, never>"):
		return "Mapping[str, object]"
	case strings.HasSuffix(name, "Ledger"), strings.HasPrefix(name, "Learned"):
		return strings.Replace(name+" | Mapping[str, object]", " | null", " | None", 1)
	}
	for strings.Contains(name, "[]") {
		end := strings.Index(name, "[]")
		from := strings.LastIndexAny(name[:end], " ") + 1
		if name[end-1] == ')' {
			from = strings.LastIndex(name[:end], "(")
		}
		name = name[:from] + "Sequence[" + strings.Trim(name[from:end], "()") + "]" + name[end+2:]
	}
	return strings.NewReplacer("string", "str", "number", "int", "boolean", "bool", "null", "None").Replace(name)
}

// phrase generates the class of phrases, which is the only foreign type that is an object.
func (p *python) phrase(out *bytes.Buffer, d *declared) {
	fmt.Fprintf(out, "\n\nclass %s(Object):\n", d.name)
	docstring(out, "    ", d.doc)
	out.WriteString("\n    _required = frozenset({\"id\"})\n    _optional = frozenset({\"args\"})\n    id: str\n    args: list[str | int | Phrase] | None\n")
}

func (p *python) alias(out *bytes.Buffer, d *declared) error {
	of := literal(d.words)
	if d.foreign != "" {
		of = p.foreignInPython(d)
	}
	if strings.ContainsAny(of, "{}<>&;:") {
		return fmt.Errorf("%s has no type in Python: %s", d.name, of)
	}
	fmt.Fprintf(out, "\n%s: TypeAlias = %q\n", d.name, of)
	docstring(out, "", d.doc)
	return nil
}

// answer generates the class of a result or of a part of one.
func (p *python) answer(out *bytes.Buffer, d *declared) {
	fmt.Fprintf(out, "\n\nclass %s(Object):\n", d.name)
	docstring(out, "    ", d.doc)
	var required, optional []string
	for i := range d.fields {
		if f := &d.fields[i]; f.optional {
			optional = append(optional, f.name)
		} else {
			required = append(required, f.name)
		}
	}
	fmt.Fprintf(out, "\n    _required = %s\n    _optional = %s\n", names(required), names(optional))
	for i := range d.fields {
		f := &d.fields[i]
		name := p.inPython(f, false)
		if f.optional && !strings.HasSuffix(name, "None") {
			name += " | None"
		}
		fmt.Fprintf(out, "    %s: %s\n", attribute(f.name), name)
		docstring(out, "    ", f.doc)
	}
}

// typedDict generates a TypedDict. It uses the functional form if a name is a keyword of Python.
func (p *python) typedDict(out *bytes.Buffer, name, doc string, fields []*field, total bool) {
	functional := slices.ContainsFunc(fields, func(f *field) bool { return attribute(f.name) != f.name })
	switch {
	case functional:
		fmt.Fprintf(out, "\n\n%s = TypedDict(\n    %q,\n    {\n", name, name)
	case total:
		fmt.Fprintf(out, "\n\nclass %s(TypedDict):\n", name)
		docstring(out, "    ", doc)
	default:
		fmt.Fprintf(out, "\n\nclass %s(TypedDict, total=False):\n", name)
		docstring(out, "    ", doc)
	}
	for _, f := range fields {
		of := p.inPython(f, true)
		if total && f.optional {
			of = "NotRequired[" + of + "]"
		}
		if functional {
			fmt.Fprintf(out, "        %q: %q,\n", f.name, of)
			continue
		}
		fmt.Fprintf(out, "    %s: %s\n", f.name, of)
		docstring(out, "    ", f.doc)
	}
	if functional {
		out.WriteString("    },\n")
		if !total {
			out.WriteString("    total=False,\n")
		}
		out.WriteString(")\n")
		docstring(out, "", doc)
	}
}

// optionsOf returns the fields of a method's parameters that are positional in Python, and those that are keyword
// arguments. The id of a session is neither.
func (p *python) optionsOf(m method) (positional, keywords []*field) {
	d := p.byName[m.takes]
	for i := range d.fields {
		f := &d.fields[i]
		switch {
		case f.name == "id" && inSession(m) && !f.optional:
		case f.optional:
			keywords = append(keywords, f)
		default:
			positional = append(positional, f)
		}
	}
	return positional, keywords
}

func optionsName(m method) string { return strings.TrimSuffix(m.takes, "Params") + "Options" }

// options generates the TypedDict of a method's keyword arguments.
func (p *python) options(out *bytes.Buffer, m method) {
	_, keywords := p.optionsOf(m)
	name := optionsName(m)
	if len(keywords) == 0 || bytes.Contains(out.Bytes(), []byte(" "+name+"(")) {
		return
	}
	p.typedDict(out, name, name+" are the keywords of "+m.name+".", keywords, false)
}

// method generates one method of a class.
func (p *python) method(out *bytes.Buffer, m method, def, wait string) {
	positional, keywords := p.optionsOf(m)
	parameters, given := "self", make([]string, 0, len(positional)+1)
	for _, f := range positional {
		parameters += ", " + attribute(f.name) + ": " + inModule(p.inPython(f, true))
		given = append(given, fmt.Sprintf("%q: %s", f.name, attribute(f.name)))
	}
	params := "{" + strings.Join(given, ", ") + "}"
	if len(keywords) > 0 {
		parameters += ", **options: Unpack[types." + optionsName(m) + "]"
		params = "{" + strings.Join(append(given, "**options"), ", ") + "}"
	}
	var classes, returns []string
	for _, name := range m.answers {
		if name == "Nothing" || name == "null" {
			continue
		}
		classes, returns = append(classes, "types."+name), append(returns, "types."+name)
	}
	if len(returns) < len(m.answers) {
		returns = append(returns, "None")
	}
	list := "(" + strings.Join(classes, ", ") + ")"
	if len(classes) == 1 {
		list = "(" + classes[0] + ",)"
	}
	fmt.Fprintf(out, "\n    %s %s(%s) -> %s:\n", def, methodInPython(m.name), parameters, strings.Join(returns, " | "))
	docstring(out, "        ", m.doc)
	fmt.Fprintf(out, "        answer: %s = %sself._call(%q, %s, %s)\n        return answer\n", strings.Join(returns, " | "), wait, m.name, list, params)
}

// methodInPython returns the Python name of a method: learned_get for ctx/learned/get. ctx/session/reading becomes
// read, because reading is the last Reading of a session.
func methodInPython(name string) string {
	if name == "ctx/session/reading" {
		return "read"
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "ctx/"), "session/")
	return strings.ReplaceAll(name, "/", "_")
}

// inModule adds the module name to the types of the protocol.
func inModule(name string) string {
	return typeWord.ReplaceAllStringFunc(name, func(word string) string {
		if slices.Contains([]string{"Mapping", "Sequence", "None", "Literal"}, word) {
			return word
		}
		return "types." + word
	})
}

func (p *python) inPython(f *field, given bool) string {
	of := p.typeOf(f)
	name := of.name
	switch {
	case name == "string":
		name = "str"
		if words := listed(f.doc); words != nil {
			name = literal(words)
		}
	case name == "bool":
	case basic[name] != nil:
		name = "int"
	case given && p.received[name] && of.is == object && of.foreign == "":
		name += " | Mapping[str, object]"
	}
	switch {
	case f.array && given:
		name = "Sequence[" + name + "]"
	case f.array:
		name = "list[" + name + "]"
	case f.dictionary && given:
		name = "Mapping[str, " + name + "]"
	case f.dictionary:
		name = "dict[str, " + name + "]"
	}
	if f.pointer {
		name += " | None"
	}
	return name
}

// members returns the members of a result that are objects, with their classes.
func (p *python) members(d *declared) string {
	if !p.received[d.name] || d.foreign != "" || d.is == text {
		return ""
	}
	var out []string
	for i := range d.fields {
		f := &d.fields[i]
		of := p.typeOf(f)
		switch {
		case of.name == "Phrase", of.name == "Notes", of.name == "Sentence", of.name == "Arg":
			out = append(out, fmt.Sprintf("%q: Phrase", f.name))
		case p.received[of.name] && of.foreign == "" && len(of.fields) > 0:
			out = append(out, fmt.Sprintf("%q: %s", f.name, of.name))
		}
	}
	return strings.Join(out, ", ")
}

// attribute returns the attribute name of a member: a keyword of Python gets an underscore at the end.
func attribute(name string) string {
	if slices.Contains([]string{"as", "class", "def", "from", "global", "in", "is", "return", "with"}, name) {
		return name + "_"
	}
	return name
}

func literal(words []string) string {
	return "Literal['" + strings.Join(words, "', '") + "']"
}

func names(list []string) string {
	if len(list) == 0 {
		return "frozenset()"
	}
	return `frozenset({"` + strings.Join(list, `", "`) + `"})`
}

// docstring writes a docstring, on one line if it fits.
func docstring(out *bytes.Buffer, indent, doc string) {
	doc = strings.Join(strings.Fields(doc), " ")
	if doc == "" {
		return
	}
	if strings.HasSuffix(doc, `"`) {
		doc += "."
	}
	doc = strings.ReplaceAll(doc, `\`, `\\`)
	lines := wrap(doc, 120-len(indent)-6)
	if len(lines) == 1 {
		fmt.Fprintf(out, "%s\"\"\"%s\"\"\"\n", indent, doc)
		return
	}
	fmt.Fprintf(out, "%s\"\"\"\n", indent)
	for _, line := range lines {
		fmt.Fprintf(out, "%s%s\n", indent, line)
	}
	fmt.Fprintf(out, "%s\"\"\"\n", indent)
}
