// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A schema is everything that the files of core/api declare, in order. The files are parsed and not compiled, so that
// the files generated from them may be missing or broken.
type schema struct {
	types         []*declared
	byName        map[string]*declared
	methods       []method
	daemonMethods []method
	notifications []method
	failures      []failure
	lineFields    []lineField
	phrases       []phrase
}

// A declared is one type of the protocol.
type declared struct {
	name   string
	doc    string
	fields []field // only for a struct
	is     kind

	words   []string // the words that a string may be
	called  string   // the name of such a string in errors
	foreign string   // the type in TypeScript, if it is not a struct
	writes  string   // the internal type from which results are written
	reads   string   // the internal type into which parameters are read
	isRead  bool
	plain   bool
}

// A kind is the form of a type in JSON.
type kind int

const (
	object kind = iota
	text
	integer
	decimal
	anything
)

// A field is one field of a struct.
type field struct {
	goName, name string
	doc          string
	of           string // the name of its type, or of the type of its elements
	pointer      bool
	array        bool
	dictionary   bool
	optional     bool
	tags         reflect.StructTag
}

// fromDaemon reports whether only the daemon reads or adds the field.
func (f *field) fromDaemon() bool { return f.tags.Get("by") == "daemon" }

// load reads the schema.
func load(folder string) (*schema, error) {
	s := &schema{byName: map[string]*declared{}}
	names, err := filepath.Glob(filepath.Join(folder, "schema*.go"))
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	for _, name := range append(names, filepath.Join(folder, "hundredths.go"), filepath.Join(folder, "methods.go")) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if filepath.Base(name) == "methods.go" {
			err = s.readMethods(file)
		} else {
			err = s.readTypes(file)
			if err == nil {
				err = s.readFailures(file)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(s.types) == 0 || len(s.methods) == 0 {
		return nil, fmt.Errorf("%s declares no types or no methods", folder)
	}
	path := filepath.Join(folder, "linefields.go")
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return nil, err
	}
	if s.lineFields, err = readLineFields(file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.phrases, err = readPhrases(filepath.Join(folder, "..", "..")); err != nil {
		return nil, err
	}
	return s, s.resolve()
}

// rank returns the position of a file in the order of the documentation.
func rank(path string) int {
	order := []string{"schema.go", "schema_reading.go", "schema_panel.go", "schema_session.go", "schema_document.go", "schema_count.go", "schema_lines.go", "schema_daemon.go", "schema_errors.go"}
	if at := slices.Index(order, filepath.Base(path)); at >= 0 {
		return at
	}
	return len(order)
}

func (s *schema) readTypes(file *ast.File) error {
	for _, declaration := range file.Decls {
		group, ok := declaration.(*ast.GenDecl)
		if !ok || group.Tok != token.TYPE {
			continue
		}
		for _, spec := range group.Specs {
			spec := spec.(*ast.TypeSpec)
			if !spec.Name.IsExported() {
				continue
			}
			d := &declared{name: spec.Name.Name}
			comment := spec.Doc
			if comment == nil {
				comment = group.Doc
			}
			if err := d.describe(comment); err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
			if err := d.shape(spec.Type); err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
			if s.byName[d.name] != nil {
				return fmt.Errorf("there are two types called %s", d.name)
			}
			s.types, s.byName[d.name] = append(s.types, d), d
		}
	}
	return nil
}

// describe reads the comment on a type and its directives.
func (d *declared) describe(comment *ast.CommentGroup) error {
	if d.doc = strings.TrimSpace(comment.Text()); d.doc == "" {
		return fmt.Errorf("it has no comment")
	}
	for _, line := range comment.List {
		directive, found := strings.CutPrefix(line.Text, "//wire:")
		if !found {
			continue
		}
		word, rest, _ := strings.Cut(directive, " ")
		switch word {
		case "writes":
			d.writes = rest
		case "reads":
			d.reads, d.isRead = rest, true
		case "words":
			d.words = strings.Fields(rest)
		case "called":
			d.called = rest
		case "type":
			d.foreign = rest
		case "plain":
			d.plain = true
		default:
			return fmt.Errorf("the directive %q is not known", line.Text)
		}
	}
	return nil
}

func (d *declared) shape(expression ast.Expr) error {
	switch t := expression.(type) {
	case *ast.StructType:
		return d.readFields(t)
	case *ast.Ident:
		is, ok := map[string]kind{"string": text, "int64": integer, "any": anything}[t.Name]
		if !ok {
			return fmt.Errorf("there is no way to carry a %s", t.Name)
		}
		if d.is = is; d.name == "Hundredths" {
			d.is = decimal
		}
		return nil
	}
	return fmt.Errorf("a %T has no counterpart in JSON", expression)
}

func (d *declared) readFields(t *ast.StructType) error {
	for _, f := range t.Fields.List {
		if len(f.Names) == 0 {
			of, ok := f.Type.(*ast.Ident)
			if !ok {
				return fmt.Errorf("what it embeds is not a type of the schema")
			}
			d.fields = append(d.fields, field{of: of.Name})
			continue
		}
		if f.Tag == nil || len(f.Names) != 1 {
			return fmt.Errorf("the field %s needs a line and a json tag of its own", f.Names[0])
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			return err
		}
		made := field{goName: f.Names[0].Name, tags: reflect.StructTag(tag)}
		name, options, _ := strings.Cut(made.tags.Get("json"), ",")
		made.name, made.optional = name, options == "omitempty" || options == "omitzero"
		for _, c := range []*ast.CommentGroup{f.Doc, f.Comment} {
			made.doc = strings.TrimSpace(made.doc + " " + strings.Join(strings.Fields(c.Text()), " "))
		}
		expression := f.Type
		if star, ok := expression.(*ast.StarExpr); ok {
			made.pointer, expression = true, star.X
		}
		switch of := expression.(type) {
		case *ast.ArrayType:
			made.array, expression = true, of.Elt
		case *ast.MapType:
			made.dictionary, expression = true, of.Value
		}
		of, ok := expression.(*ast.Ident)
		if name == "" || !ok {
			return fmt.Errorf("the field %s has no name or no counterpart in JSON", made.goName)
		}
		made.of = of.Name
		d.fields = append(d.fields, made)
	}
	return nil
}

// basic are types that Go itself declares.
var basic = map[string]*declared{
	"string": {name: "string", is: text, foreign: "string"},
	"int64":  {name: "int64", is: integer, foreign: "number"},
	"bool":   {name: "bool", foreign: "boolean"},
}

// typeOf returns the declaration of a field's type, nil if there is none.
func (s *schema) typeOf(f *field) *declared {
	if b := basic[f.of]; b != nil {
		return b
	}
	return s.byName[f.of]
}

// resolve replaces embedded types with their fields, and returns an error for types that are not declared.
func (s *schema) resolve() error {
	for _, d := range s.types {
		var flat []field
		for _, f := range d.fields {
			if s.typeOf(&f) == nil {
				return fmt.Errorf("%s has a field of the type %s, which is not declared", d.name, f.of)
			}
			if f.name != "" {
				flat = append(flat, f)
				continue
			}
			flat = append(flat, s.byName[f.of].fields...)
		}
		d.fields = flat
	}
	for _, m := range slices.Concat(s.methods, s.daemonMethods, s.notifications) {
		for _, name := range append(m.answers, m.takes) {
			if name != "null" && s.byName[name] == nil {
				return fmt.Errorf("the method %s names the type %s, which is not declared", m.name, name)
			}
		}
	}
	return nil
}
