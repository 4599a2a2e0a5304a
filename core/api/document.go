// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// A documentSet contains documents that may import one another.
type documentSet struct {
	scope, name string
	promptfile.Set
	models []documentModel // by document
}

// documentModel is the model that a document is counted for.
type documentModel struct {
	id       string // the document's id
	model    string
	provider string
	chosen   bool  // whether the caller chose the model; otherwise the kind of file did
	limit    int64 // the window of the document's session; Unknown without one
}

// pieceCounter counts a document's pieces with a model's meter.
type pieceCounter struct{ meter *count.Meter }

func (c pieceCounter) Weigh(text []byte) promptfile.Weight {
	tokens, features := c.meter.Weigh(text)
	return promptfile.Weight{Tokens: tokens, Features: features}
}

func (c pieceCounter) Tokens(w promptfile.Weight) int64 { return c.meter.Tokens(w.Tokens, w.Features) }

func (c pieceCounter) Exact() bool { return c.meter.Exact() }

func (c *Core) openDocument(v json.Value) *Error {
	var p documentOpenParams
	p.unset()
	if err := c.fillDocumentOpenParams(v, &p); err != nil {
		return err
	}
	switch {
	case p.ID == "":
		return noDocument()
	case p.Text == nil:
		return invalid("text", "is needed.")
	case p.Path == "":
		p.Path = p.ID
	}
	chosen := p.Model != ""
	if !chosen {
		p.Model = promptfile.KindOf(p.Path).Model()
	}
	counter, err := c.counterFor(p.Model, p.Provider)
	if err != nil {
		return err
	}
	d, failed := promptfile.Open(p.ID, p.Path, p.Agent, p.Text, counter)
	if failed != nil {
		return &Error{Kind: LimitExceeded, Field: "text", Message: failed.Error()}
	}
	set := c.documents(p.Scope, p.Set)
	if set.Find(p.ID) == nil {
		if set.Len() >= promptfile.MaxDocuments {
			return &Error{Kind: LimitExceeded, Message: "There are " + strconv.Itoa(promptfile.MaxDocuments) + " documents open already; close some."}
		}
		set.models = append(set.models, documentModel{id: p.ID})
	}
	set.Put(d)
	*set.model(p.ID) = documentModel{p.ID, p.Model, p.Provider, chosen, p.Limit}
	c.writeView(set, d, &p.Show)
	return nil
}

func (c *Core) counterFor(name, provider string) (promptfile.Counter, *Error) {
	if missing := c.vocabularies.Missing(name, provider, ""); missing != "" {
		return nil, needsVocabulary(missing)
	}
	m, ok := c.vocabularies.Resolve(name, provider, "").Meter.(*count.Meter)
	if !ok {
		return nil, invalid("model", "is needed.")
	}
	return pieceCounter{m}, nil
}

func (c *Core) changeDocument(v json.Value) *Error {
	var p documentChangeParams
	p.unset()
	if err := c.fillDocumentChangeParams(v, &p); err != nil {
		return err
	}
	name, recount := "", p.Model.Value.Exists()
	if recount {
		if err := readString(&p.Model, &name); err != nil {
			return err
		}
	}
	set, d, err := c.findDocument(p.Scope, p.Set, p.ID)
	if err != nil {
		return err
	}
	links, err := c.readLinks(p.Imports)
	if err != nil {
		return err
	}
	edits, err := c.readEdits(p.Changes, len(d.Text))
	if err != nil {
		return err
	}
	if recount {
		chosen := name != ""
		if !chosen {
			name = d.Kind.Model()
		}
		counter, err := c.counterFor(name, p.Provider)
		if err != nil {
			return err
		}
		*set.model(p.ID) = documentModel{p.ID, name, p.Provider, chosen, p.Limit}
		d.Count(counter)
	}
	for _, e := range edits {
		failed := error(nil)
		if e.whole() {
			failed = d.Replace(e.Text)
		} else {
			failed = d.Change(int(e.From), int(e.To), e.Text)
		}
		if failed != nil {
			return &Error{Kind: Internal, Message: failed.Error()}
		}
	}
	if p.Imports.Exists() {
		d.Links(links)
	}
	c.writeView(set, d, &p.Show)
	return nil
}

// An edit is one change of a text.
type edit struct {
	From, To int64 // Unknown for the whole text
	Text     []byte
}

func (e *edit) whole() bool { return e.From == core.Unknown && e.To == core.Unknown }

// readEdits reads all changes before any is made, so that an error leaves the document unchanged. The offsets of each
// change refer to the text after the previous one.
func (c *Core) readEdits(changes json.Value, size int) ([]edit, *Error) {
	var out []edit
	i := 0
	for each := changes.Elements(); each.Next(); i++ {
		field := element("changes", i)
		if each.Value.Kind() != json.Object {
			return nil, invalid(field, "must be an object, not "+each.Value.Kind().String()+".")
		}
		e := edit{From: core.Unknown, To: core.Unknown}
		if err := c.fillDocumentChange(each.Value, &e); err != nil {
			return nil, err.within(field)
		}
		switch {
		case e.Text == nil:
			return nil, invalid(field+".text", "is needed.")
		case e.whole():
			size = len(e.Text)
		case e.From < 0 || e.To < e.From || e.To > int64(size):
			return nil, invalid(field, "is "+strconv.FormatInt(e.From, 10)+".."+strconv.FormatInt(e.To, 10)+", outside of a document of "+strconv.Itoa(size)+" bytes.")
		default:
			size += len(e.Text) - int(e.To-e.From)
		}
		if size > promptfile.MaxText {
			return nil, &Error{Kind: LimitExceeded, Field: field, Message: "The document would be longer than " + strconv.Itoa(promptfile.MaxText) + " bytes."}
		}
		out = append(out, e)
	}
	return out, nil
}

func (c *Core) readLinks(imports json.Value) ([]promptfile.Link, *Error) {
	var out []promptfile.Link
	i := 0
	for each := imports.Elements(); each.Next(); i++ {
		field := element("imports", i)
		if each.Value.Kind() != json.Object {
			return nil, invalid(field, "must be an object, not "+each.Value.Kind().String()+".")
		}
		var l promptfile.Link
		if err := c.fillImportTarget(each.Value, &l); err != nil {
			return nil, err.within(field)
		}
		out = append(out, l)
	}
	return out, nil
}

func (c *Core) viewDocument(v json.Value) *Error {
	var p documentViewParams
	p.unset()
	if err := c.fillDocumentViewParams(v, &p); err != nil {
		return err
	}
	set, d, err := c.findDocument(p.Scope, p.Set, p.ID)
	if err != nil {
		return err
	}
	c.writeView(set, d, &p.Show)
	return nil
}

func (c *Core) closeDocument(v json.Value) *Error {
	var p documentParams
	if err := c.fillDocumentParams(v, &p); err != nil {
		return err
	}
	set, d, err := c.findDocument(p.Scope, p.Set, p.ID)
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
	writeNothing(&c.out)
	return nil
}

func noDocument() *Error { return invalid("id", "is needed: the document's URI.") }

// documents returns the set with a name, creating it if necessary.
func (c *Core) documents(scope, name string) *documentSet {
	for _, s := range c.sets {
		if s.name == name && s.scope == scope {
			return s
		}
	}
	s := &documentSet{scope: scope, name: name}
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

func (c *Core) findDocument(scope, in, id string) (*documentSet, *promptfile.Document, *Error) {
	if id == "" {
		return nil, nil, noDocument()
	}
	for _, s := range c.sets {
		if s.name != in || s.scope != scope {
			continue
		}
		if d := s.Find(id); d != nil {
			return s, d, nil
		}
	}
	return nil, nil, &Error{
		Kind: InvalidParams, Field: "id", Name: id,
		Message: "There is no open document \"" + shorten(id) + "\"; open it with ctx/document/open.",
	}
}
