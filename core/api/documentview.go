// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// show says how much of a view is wanted.
type show struct {
	view     bool
	sections bool
	from, to int64 // of the sections that are wanted
	findings bool
	budget   promptfile.Budget
	with     []string
}

func (s *show) read(of *json.Fields) *Error {
	v := of.Value
	if v.Kind() == json.Null {
		return nil
	}
	if v.Kind() != json.Object {
		return invalid("", "must be an object, not "+v.Kind().String()+".")
	}
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch string(f.Name()) {
		case "view":
			err = readBool(&f, &s.view)
		case "sections":
			err = readBool(&f, &s.sections)
		case "from":
			err = readTokens(&f, &s.from)
		case "to":
			err = readTokens(&f, &s.to)
		case "findings":
			err = readBool(&f, &s.findings)
		case "budget":
			err = readBudget(f.Value, &s.budget).within("budget")
		case "with":
			err = s.readWith(&f)
		default:
			err = unknownField(&f, showFields)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *show) readWith(f *json.Fields) *Error {
	if f.Value.Kind() != json.Array {
		return mustBe(f, "an array of documents' ids")
	}
	for e := f.Value.Elements(); e.Next(); {
		if e.Value.Kind() != json.String {
			return wrong(f, "must hold documents' ids, not "+e.Value.Kind().String()+".")
		}
		s.with = append(s.with, e.Value.String())
	}
	return nil
}

func readBudget(v json.Value, to *promptfile.Budget) *Error {
	if v.Kind() != json.Object {
		return invalid("", "must be an object with always and loaded, not "+v.Kind().String()+".")
	}
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch string(f.Name()) {
		case "always":
			err = readTokens(&f, &to.Always)
		case "loaded":
			err = readTokens(&f, &to.Loaded)
		default:
			err = unknownField(&f, budgetFields)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeView writes what there is to show of a document.
func (c *Core) writeView(set *documentSet, d *promptfile.Document, s show) {
	w := &c.out
	if !s.view {
		w.BeginObject()
		w.EndObject()
		return
	}
	v := set.View(d, s.budget, s.with, s.findings)
	m := set.model(d.ID)
	basis, mark := core.Counted, ""
	if !v.Exact {
		basis, mark = core.Estimated, "~"
	}
	limit := int64(0)
	if known, ok := model.Find(m.model, m.provider, ""); ok {
		limit = known.Limit()
	}
	w.BeginObject()
	text(w, "schema", "ctx.document/1")
	text(w, "id", d.ID)
	text(w, "path", d.Path)
	word(w, "kind", d.Kind.String())
	text(w, "title", d.Kind.Title())
	text(w, "agent", d.Agent)
	text(w, "model", m.model)
	w.Field("modelChosen")
	w.Bool(m.chosen)
	w.Field("load")
	w.BeginObject()
	word(w, "when", v.Load.When.String())
	w.Field("globs")
	w.BeginArray()
	for _, g := range v.Load.Globs {
		w.String(g)
	}
	w.EndArray()
	text(w, "why", v.Load.Why)
	w.EndObject()
	number(w, "tokens", v.Tokens)
	word(w, "basis", basis.String())
	number(w, "listed", v.Listed)
	number(w, "imported", v.Imported)
	number(w, "files", int64(v.Files))
	number(w, "total", v.Tokens+v.Imported)
	w.Field("share")
	if limit > 0 {
		w.Hundredths(core.Share(v.Tokens+v.Imported, limit))
	} else {
		w.Null()
	}
	w.Field("limit")
	if limit > 0 {
		w.Int(limit)
	} else {
		w.Null()
	}
	w.Field("sections")
	w.BeginArray()
	if s.sections {
		for i := range v.Sections {
			section := &v.Sections[i]
			if int64(section.To) >= s.from && int64(section.From) <= s.to {
				writeSection(w, section, mark)
			}
		}
	}
	w.EndArray()
	number(w, "sectionCount", int64(len(v.Sections)))
	w.Field("imports")
	w.BeginArray()
	for i := range v.Imports {
		writeImport(w, &v.Imports[i], mark)
	}
	w.EndArray()
	w.Field("findings")
	w.BeginArray()
	for i := range v.Findings {
		writeFinding(w, &v.Findings[i])
	}
	w.EndArray()
	w.Field("display")
	w.BeginObject()
	text(w, "mark", mark)
	text(w, "tokens", mark+core.Short(v.Tokens))
	text(w, "imported", mark+core.Short(v.Imported))
	text(w, "total", mark+core.Short(v.Tokens+v.Imported))
	text(w, "listed", mark+core.Short(v.Listed))
	share := ""
	if limit > 0 {
		if share = core.FineShare(core.Share(v.Tokens+v.Imported, limit)); share[0] != '<' {
			share = mark + share
		}
	}
	text(w, "share", share)
	shown := ""
	if limit > 0 {
		shown = core.Short(limit)
	}
	text(w, "limit", shown)
	w.EndObject()
	w.EndObject()
}

func writeSection(w *json.Writer, s *promptfile.Section, mark string) {
	w.BeginObject()
	text(w, "title", s.Title)
	number(w, "level", int64(s.Level))
	number(w, "from", int64(s.From))
	number(w, "to", int64(s.To))
	number(w, "end", int64(s.End))
	number(w, "own", s.Own)
	number(w, "tokens", s.Tokens)
	text(w, "display", mark+core.Short(s.Tokens))
	text(w, "ownDisplay", mark+core.Short(s.Own))
	w.EndObject()
}

func writeImport(w *json.Writer, i *promptfile.ImportView, mark string) {
	w.BeginObject()
	text(w, "target", i.Target)
	number(w, "from", int64(i.From))
	number(w, "to", int64(i.To))
	text(w, "id", i.ID)
	text(w, "problem", i.Problem)
	number(w, "tokens", i.Tokens)
	number(w, "all", i.All)
	text(w, "display", mark+core.Short(max(i.All, i.Tokens)))
	w.EndObject()
}

func writeFinding(w *json.Writer, f *promptfile.Finding) {
	w.BeginObject()
	number(w, "from", int64(f.From))
	number(w, "to", int64(f.To))
	number(w, "severity", int64(f.Severity))
	text(w, "code", f.Code)
	text(w, "message", f.Message)
	if f.Other != "" {
		w.Field("other")
		w.BeginObject()
		text(w, "id", f.Other)
		number(w, "from", int64(f.OtherFrom))
		number(w, "to", int64(f.OtherTo))
		text(w, "message", f.OtherMessage)
		w.EndObject()
	}
	w.EndObject()
}
