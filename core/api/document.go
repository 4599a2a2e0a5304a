// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/meter"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// documentSet is the documents that may import one another.
type documentSet struct {
	name string
	promptfile.Set
	models []documentModel // by document
}

// documentModel is what a document is counted for.
type documentModel struct {
	id       string // of the document
	model    string
	provider string
	chosen   bool // by the caller, not by the kind
}

// pieceCounter counts a document's pieces with a model's meter.
type pieceCounter struct{ meter *meter.Meter }

func (c pieceCounter) Weigh(text []byte) promptfile.Weight {
	tokens, features := c.meter.Weigh(text)
	return promptfile.Weight{Tokens: tokens, Features: features}
}

func (c pieceCounter) Tokens(w promptfile.Weight) int64 { return c.meter.Tokens(w.Tokens, w.Features) }

func (c pieceCounter) Exact() bool { return c.meter.Exact() }

// document answers the methods under ctx/document.
func (c *Core) document(method string, v json.Value) *Error {
	switch method {
	case "ctx/document/open":
		return c.openDocument(v)
	case "ctx/document/change":
		return c.changeDocument(v)
	case "ctx/document/view":
		return c.viewDocument(v)
	}
	return c.closeDocument(v)
}

var (
	documentOpenFields   = []string{"id", "set", "path", "text", "model", "provider", "agent", "show"}
	documentChangeFields = []string{"id", "set", "version", "changes", "imports", "model", "provider", "show"}
	documentViewFields   = []string{"id", "set", "show"}
	documentCloseFields  = []string{"id", "set"}
	changeFields         = []string{"from", "to", "text"}
	importFields         = []string{"target", "id", "problem"}
	showFields           = []string{"view", "sections", "from", "to", "findings", "budget", "with"}
	budgetFields         = []string{"always", "loaded"}
)

// documentCall is what the methods have in common.
type documentCall struct {
	id, set string
	show    show
}

func (c *Core) openDocument(v json.Value) *Error {
	var (
		call                            documentCall
		path, agentName, name, provider string
		body                            []byte
		hasText                         bool
	)
	err := call.read(v, documentOpenFields, func(f *json.Fields) (*Error, bool) {
		switch string(f.Name()) {
		case "path":
			return readString(f, &path), true
		case "agent":
			return readString(f, &agentName), true
		case "model":
			return readString(f, &name), true
		case "provider":
			return readString(f, &provider), true
		case "text":
			hasText = true
			return readText(c, f, &body), true
		}
		return nil, false
	})
	if err != nil {
		return err
	}
	if !hasText {
		return invalid("text", "is needed.")
	}
	if path == "" {
		path = call.id
	}
	kind := promptfile.KindOf(path)
	chosen := name != ""
	if !chosen {
		name = kind.Model()
	}
	counter, err := c.counterFor(name, provider)
	if err != nil {
		return err
	}
	d, failed := promptfile.Open(call.id, path, agentName, body, counter)
	if failed != nil {
		return &Error{Kind: LimitExceeded, Field: "text", Message: failed.Error()}
	}
	set := c.documents(call.set)
	if set.Find(call.id) == nil && set.Len() >= promptfile.MaxDocuments {
		return &Error{Kind: LimitExceeded, Message: "There are " + strconv.Itoa(promptfile.MaxDocuments) + " documents open already; close some."}
	}
	if old := set.Find(call.id); old == nil {
		set.models = append(set.models, documentModel{id: call.id})
	}
	set.Put(d)
	*set.model(call.id) = documentModel{call.id, name, provider, chosen}
	c.writeView(set, d, call.show)
	return nil
}

func (c *Core) counterFor(name, provider string) (promptfile.Counter, *Error) {
	if missing := c.shop.Missing(name, provider, ""); missing != "" {
		return nil, needsVocabulary(missing)
	}
	m, ok := c.shop.Resolve(name, provider, "").Meter.(*meter.Meter)
	if !ok {
		return nil, invalid("model", "is needed.")
	}
	return pieceCounter{m}, nil
}

func (c *Core) changeDocument(v json.Value) *Error {
	var (
		call             documentCall
		changes, imports json.Value
		name, provider   string
		recount          bool
	)
	err := call.read(v, documentChangeFields, func(f *json.Fields) (*Error, bool) {
		switch string(f.Name()) {
		case "version":
			return nil, true // the host's own; changes come in order
		case "changes":
			changes = f.Value
			if changes.Kind() != json.Array {
				return mustBe(f, "an array"), true
			}
			return nil, true
		case "imports":
			imports = f.Value
			if imports.Kind() != json.Array {
				return mustBe(f, "an array"), true
			}
			return nil, true
		case "model":
			recount = true
			return readString(f, &name), true
		case "provider":
			return readString(f, &provider), true
		}
		return nil, false
	})
	if err != nil {
		return err
	}
	set, d, err := c.findDocument(call)
	if err != nil {
		return err
	}
	links, err := readLinks(imports)
	if err != nil {
		return err
	}
	edits, err := c.readEdits(changes, len(d.Text))
	if err != nil {
		return err
	}
	if recount {
		chosen := name != ""
		if !chosen {
			name = d.Kind.Model()
		}
		counter, err := c.counterFor(name, provider)
		if err != nil {
			return err
		}
		*set.model(call.id) = documentModel{call.id, name, provider, chosen}
		d.Count(counter)
	}
	for _, e := range edits {
		failed := error(nil)
		if e.whole {
			failed = d.Replace(e.text)
		} else {
			failed = d.Change(e.from, e.to, e.text)
		}
		if failed != nil {
			return &Error{Kind: Internal, Message: failed.Error()}
		}
	}
	if imports.Exists() {
		d.Links(links)
	}
	c.writeView(set, d, call.show)
	return nil
}

// edit is one change, checked.
type edit struct {
	from, to int
	text     []byte
	whole    bool
}

// readEdits reads all changes before one is made, so that a refusal leaves
// the document as it was. Each counts from the text that the one before left.
func (c *Core) readEdits(changes json.Value, size int) ([]edit, *Error) {
	var out []edit
	i := 0
	for each := changes.Elements(); each.Next(); i++ {
		field := element("changes", i)
		if each.Value.Kind() != json.Object {
			return nil, invalid(field, "must be an object, not "+each.Value.Kind().String()+".")
		}
		e := edit{whole: true}
		from, to := int64(-1), int64(-1)
		hasText := false
		for f := each.Value.Fields(); f.Next(); {
			var err *Error
			switch string(f.Name()) {
			case "from":
				err, e.whole = readTokens(&f, &from), false
			case "to":
				err, e.whole = readTokens(&f, &to), false
			case "text":
				hasText = true
				err = readText(c, &f, &e.text)
			default:
				err = unknownField(&f, changeFields)
			}
			if err != nil {
				return nil, err.within(field)
			}
		}
		switch {
		case !hasText:
			return nil, invalid(field+".text", "is needed.")
		case e.whole:
			size = len(e.text)
		case from < 0 || to < from || to > int64(size):
			return nil, invalid(field, "is "+strconv.FormatInt(from, 10)+".."+strconv.FormatInt(to, 10)+", outside of a document of "+strconv.Itoa(size)+" bytes.")
		default:
			e.from, e.to = int(from), int(to)
			size += len(e.text) - (e.to - e.from)
		}
		if size > promptfile.MaxText {
			return nil, &Error{Kind: LimitExceeded, Field: field, Message: "The document would be longer than " + strconv.Itoa(promptfile.MaxText) + " bytes."}
		}
		out = append(out, e)
	}
	return out, nil
}

func readLinks(imports json.Value) ([]promptfile.Link, *Error) {
	var out []promptfile.Link
	i := 0
	for each := imports.Elements(); each.Next(); i++ {
		field := element("imports", i)
		if each.Value.Kind() != json.Object {
			return nil, invalid(field, "must be an object, not "+each.Value.Kind().String()+".")
		}
		var l promptfile.Link
		for f := each.Value.Fields(); f.Next(); {
			var err *Error
			switch string(f.Name()) {
			case "target":
				err = readString(&f, &l.Target)
			case "id":
				err = readString(&f, &l.ID)
			case "problem":
				problem := ""
				err = readString(&f, &problem)
				l.Problem = promptfile.Problem(problem)
			default:
				err = unknownField(&f, importFields)
			}
			if err != nil {
				return nil, err.within(field)
			}
		}
		switch l.Problem {
		case promptfile.Found, promptfile.Missing, promptfile.Outside, promptfile.TooLarge, promptfile.Failed:
		default:
			return nil, unknownName(field+".problem", "problem", string(l.Problem), []string{"missing", "outside", "tooLarge", "unreadable"})
		}
		out = append(out, l)
	}
	return out, nil
}

func (c *Core) viewDocument(v json.Value) *Error {
	var call documentCall
	if err := call.read(v, documentViewFields, noOther); err != nil {
		return err
	}
	set, d, err := c.findDocument(call)
	if err != nil {
		return err
	}
	c.writeView(set, d, call.show)
	return nil
}

func (c *Core) closeDocument(v json.Value) *Error {
	var call documentCall
	if err := call.read(v, documentCloseFields, noOther); err != nil {
		return err
	}
	set, d, err := c.findDocument(call)
	if err != nil {
		return err
	}
	set.Remove(d.ID)
	for i := range set.models {
		if set.models[i].id == d.ID {
			set.models = append(set.models[:i], set.models[i+1:]...)
			break
		}
	}
	if set.Len() == 0 {
		for i := range c.sets {
			if c.sets[i] == set {
				c.sets = append(c.sets[:i], c.sets[i+1:]...)
				break
			}
		}
	}
	c.out.BeginObject()
	c.out.EndObject()
	return nil
}

func noOther(*json.Fields) (*Error, bool) { return nil, false }

// read reads the parameters; other takes those that not every method has.
func (d *documentCall) read(v json.Value, known []string, other func(*json.Fields) (*Error, bool)) *Error {
	d.show = show{view: true, sections: true, to: 1 << 40, findings: true}
	for f := v.Fields(); f.Next(); {
		var err *Error
		name := string(f.Name())
		switch {
		case name == "id":
			err = readString(&f, &d.id)
		case name == "set":
			err = readString(&f, &d.set)
		case name == "show" && len(known) > len(documentCloseFields):
			err = d.show.read(&f).within("show")
		default:
			ok := false
			if err, ok = other(&f); !ok {
				err = unknownField(&f, known)
			}
		}
		if err != nil {
			return err
		}
	}
	if d.id == "" {
		return invalid("id", "is needed: the document's URI.")
	}
	return nil
}

// documents is the set of a name, made if need be.
func (c *Core) documents(name string) *documentSet {
	for _, s := range c.sets {
		if s.name == name {
			return s
		}
	}
	s := &documentSet{name: name}
	c.sets = append(c.sets, s)
	return s
}

func (s *documentSet) model(id string) *documentModel {
	for i := range s.models {
		if s.models[i].id == id {
			return &s.models[i]
		}
	}
	return nil
}

func (c *Core) findDocument(call documentCall) (*documentSet, *promptfile.Document, *Error) {
	for _, s := range c.sets {
		if s.name != call.set {
			continue
		}
		if d := s.Find(call.id); d != nil {
			return s, d, nil
		}
	}
	return nil, nil, &Error{
		Kind: InvalidParams, Field: "id", Name: call.id,
		Message: "There is no open document \"" + shorten(call.id) + "\"; open it with ctx/document/open.",
	}
}
