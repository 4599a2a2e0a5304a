// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"go/format"
	"regexp"
	"slices"
	"strings"
)

// writers generates a function for each type of results. It writes field by field from the core's own types, without
// reflection and without allocation.
func writers(s *schema, _ []byte) ([]byte, error) {
	var out bytes.Buffer
	for _, d := range s.types {
		if d.writes == "" {
			continue
		}
		fmt.Fprintf(&out, "\nfunc write%s(w *json.Writer, s *%s) {\nw.BeginObject()\n", d.name, d.writes)
		kept := ""
		for i := range d.fields {
			if next := d.fields[i].tags.Get("kept"); next != kept {
				keepFields(&out, kept, next)
				kept = next
			}
			if err := s.writeField(&out, d, &d.fields[i]); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", d.name, d.fields[i].name, err)
			}
		}
		keepFields(&out, kept, "")
		out.WriteString("w.EndObject()\n}\n")
	}
	return goFile(out.Bytes())
}

// keepFields ends a run of fields whose written form is kept, and starts the next. A run is named after the method that
// writes it again.
func keepFields(out *bytes.Buffer, ended, begun string) {
	if ended != "" {
		fmt.Fprintf(out, "s.keep%s(w, from)\n}\n", strings.ToUpper(ended[:1])+ended[1:])
	}
	if begun != "" {
		fmt.Fprintf(out, "if !s.%s(w) {\nfrom := len(w.Buf)\n", begun)
	}
}

// hasPhrase reports whether another field contains the phrase of a text.
func (d *declared) hasPhrase(text string) bool {
	return slices.ContainsFunc(d.fields, func(f field) bool {
		phrase, _, _ := strings.Cut(f.tags.Get("phrase"), ",")
		return phrase == "&"+text
	})
}

func (s *schema) writeField(out *bytes.Buffer, d *declared, f *field) error {
	if f.fromDaemon() {
		return nil
	}
	say := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	value := f.tags.Get("from")
	if value == "" {
		value = "s." + f.goName
	}
	key := "`,\"" + f.name + "\":`" // the name in the form that json.Writer.Field expects: verbatim
	if call := f.tags.Get("write"); call != "" {
		say("w.Field(%s)\n%s", key, call)
		return nil
	}
	if text := f.tags.Get("phrase"); text != "" {
		say("writePhrase(w, %s, %s)", key, text)
		return nil
	}
	of := s.typeOf(f)
	translated, _ := strings.CutSuffix(value, ".String()")
	switch {
	case of.is == text && d.hasPhrase(translated) && f.optional:
		say("if !%s.Empty() {\nwriteEnglish(w, %s, &%s)\n}", translated, key, translated)
	case of.is == text && d.hasPhrase(translated):
		say("writeEnglish(w, %s, &%s)", key, translated)
	case of.name == "Text" && f.optional:
		say("if !%s.Empty() {\nw.Field(%s)\nwriteText(w, &%s)\n}", value, key, value)
	case of.name == "Text" && !f.array:
		say("w.Field(%s)\nwriteText(w, &%s)", key, value)
	case f.dictionary:
		return fmt.Errorf("a dictionary needs a tag that says what writes it")
	case f.array:
		if f.optional {
			say("if %s != nil {", value)
			defer say("}")
		}
		say("w.Field(%s)\nw.BeginArray()\nfor i := range %s {", key, value)
		switch {
		case of.is == object && of.foreign == "" || of.name == "Text":
			say("write%s(w, &%s[i])", of.name, value)
		case of.name == "string":
			say("w.String(%s[i])", value)
		case of.is == integer:
			say("w.Int(int64(%s[i]))", value)
		default:
			return fmt.Errorf("an array of %s has no writer", f.of)
		}
		say("}\nw.EndArray()")
	case f.name == "":
	case of.name == "bool":
		if f.optional {
			say("if %s {\nw.Field(%s)\nw.Bool(true)\n}", value, key)
			break
		}
		say("w.Field(%s)\nw.Bool(%s)", key, value)
	case of.is == text && f.pointer:
		say("w.Field(%s)\nif %s == \"\" {\nw.Null()\n} else {\nw.String(%s)\n}", key, value, value)
	case of.is == text && len(of.words) > 0 && f.optional:
		say("if name := %s.String(); name != \"\" {\nw.PlainField(%s, name)\n}", value, key)
	case of.is == text && f.optional:
		say("if %s != \"\" {\nw.StringField(%s, %s)\n}", value, key, value)
	case of.is == text && len(of.words) > 0:
		say("w.PlainField(%s, %s.String())", key, value)
	case of.is == text && d.plain:
		say("w.PlainField(%s, %s)", key, value)
	case of.is == text:
		say("w.StringField(%s, %s)", key, value)
	case f.pointer && f.optional && (of.is == decimal || of.is == integer):
		write := map[kind]string{decimal: "percent", integer: "number"}[of.is]
		say("if %s != core.Unknown {\n%s(w, %s, %s)\n}", value, write, key, value)
	case of.is == decimal && f.pointer:
		say("percent(w, %s, %s)", key, value)
	case of.is == decimal:
		say("w.Field(%s)\nw.Hundredths(%s)", key, value)
	case of.is == integer && f.pointer && f.tags.Get("known") != "":
		say("numberIf(w, %s, %s, %s)", key, f.tags.Get("known"), value)
	case of.is == integer && f.pointer:
		say("number(w, %s, %s)", key, value)
	case of.is == integer && f.optional:
		say("if %s != 0 {\nw.IntField(%s, int64(%s))\n}", value, key, value)
	case of.is == integer:
		say("w.IntField(%s, int64(%s))", key, value)
	case of.is == object && f.pointer && f.optional:
		say("if v := %s; v != nil {\nw.Field(%s)\nwrite%s(w, v)\n}", value, key, of.name)
	case of.is == object && f.pointer:
		say("w.Field(%s)\nif v := %s; v == nil {\nw.Null()\n} else {\nwrite%s(w, v)\n}", key, value, of.name)
	case of.is == object:
		if value != "s" {
			value = "&" + value
		}
		say("w.Field(%s)\nwrite%s(w, %s)", key, of.name, value)
	default:
		return fmt.Errorf("a %s has no writer", f.of)
	}
	return nil
}

var qualified = regexp.MustCompile(`\b([a-z]+)\.[A-Z]`)

// packages are the packages that generated code may import.
var packages = map[string]string{
	"agent": "github.com/ctx-lsp/ctx-lsp/core/agent", "core": "github.com/ctx-lsp/ctx-lsp/core", "json": "github.com/ctx-lsp/ctx-lsp/internal/json",
	"model": "github.com/ctx-lsp/ctx-lsp/core/model", "promptfile": "github.com/ctx-lsp/ctx-lsp/core/promptfile", "strconv": "strconv",
}

// goFile adds the header and the imports to generated Go code.
func goFile(body []byte) ([]byte, error) {
	var paths []string
	for _, match := range qualified.FindAllSubmatch(body, -1) {
		if path := packages[string(match[1])]; path != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int {
		if far := strings.Contains(a, "/"); far != strings.Contains(b, "/") {
			return map[bool]int{true: 1, false: -1}[far]
		}
		return strings.Compare(a, b)
	})
	var out bytes.Buffer
	fmt.Fprintf(&out, "// %s\n\n// %s\n\npackage api\n", header, origin)
	if len(paths) > 0 {
		out.WriteString("\nimport (\n")
	}
	for i, path := range paths {
		if i > 0 && strings.Contains(path, "/") && !strings.Contains(paths[i-1], "/") {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "%q\n", path)
	}
	if len(paths) > 0 {
		out.WriteString(")\n")
	}
	out.Write(body)
	text, err := format.Source(out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("what was generated is not Go: %w\n%s", err, out.Bytes())
	}
	return text, nil
}
