// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

const documentSchema = "ctx.document/1"

// show says which parts of a view are included.
type show struct {
	View     bool
	Sections bool
	From, To int64 // the range of bytes whose sections are included
	Findings bool
	Budget   promptfile.Budget
	With     []string
	Plain    bool
	Phrases  bool
	Draw     bool // any part is drawn
	Drawing  promptfile.Drawing
}

// everything is the default.
var everything = show{View: true, Sections: true, To: 1 << 40, Findings: true}

func (c *Core) readShowOptions(f *json.Fields, to *show) *Error {
	switch f.Value.Kind() {
	case json.Null:
		return nil
	case json.Object:
		return c.fillShowOptions(f.Value, to).within("show")
	}
	return mustBe(f, "an object")
}

func (s *show) readWith(f *json.Fields) *Error {
	if f.Value.Kind() != json.Array {
		return mustBe(f, "an array of documents' ids")
	}
	for e := f.Value.Elements(); e.Next(); {
		if e.Value.Kind() != json.String {
			return wrong(f, "must hold documents' ids, not "+e.Value.Kind().String()+".")
		}
		s.With = append(s.With, e.Value.String())
	}
	return nil
}

// readDraw reads the names of the parts to draw.
func (s *show) readDraw(f *json.Fields) *Error {
	if f.Value.Kind() != json.Array {
		return mustBe(f, "an array of strings")
	}
	d := &s.Drawing
	parts := [...]*bool{&d.Lenses, &d.Hints, &d.Hovers, &d.Links, &d.Diagnostics, &d.Breakdown}
	for e := f.Value.Elements(); e.Next(); {
		if e.Value.Kind() != json.String {
			return wrong(f, "must hold strings, not "+e.Value.Kind().String()+".")
		}
		word := e.Value.String()
		at := slices.Index(drawnPartWords, word)
		if at < 0 {
			return unknownName(f.Key.String(), "part", word, drawnPartWords)
		}
		*parts[at], s.Draw = true, true
	}
	return nil
}

// readUnits reads the unit of character offsets.
func (s *show) readUnits(f *json.Fields) *Error {
	units := TextUnits("")
	if err := readWord(f, &units, textUnitsWords, "unit"); err != nil {
		return err
	}
	switch units {
	case "utf-8":
		s.Drawing.Units = promptfile.UTF8
	case "utf-32":
		s.Drawing.Units = promptfile.UTF32
	default:
		s.Drawing.Units = promptfile.UTF16
	}
	return nil
}

func (c *Core) readDocumentBudget(f *json.Fields, to *promptfile.Budget) *Error {
	if f.Value.Kind() != json.Object {
		return mustBe(f, "an object with always and loaded")
	}
	return c.fillDocumentBudget(f.Value, to).within("budget")
}

// readProblem reads why an import cannot be resolved.
func readProblem(f *json.Fields, to *promptfile.Problem) *Error {
	problem := ImportProblem("")
	err := readWord(f, &problem, importProblemWords, "problem")
	*to = promptfile.Problem(problem)
	return err
}

// A view is a document with everything that can be shown for it.
type view struct {
	promptfile.View
	show    *show
	model   *documentModel
	limit   int64   // the window; Unknown without one
	limitOf LimitOf // whose window limit is
	basis   core.Basis
	mark    string // before each number
	drawn   *promptfile.Drawn
}

func (c *Core) writeView(set *documentSet, d *promptfile.Document, s *show) {
	if !s.View {
		writeNothing(&c.out)
		return
	}
	v := view{View: set.View(d, s.Budget, s.With, s.Findings || s.Drawing.Diagnostics), show: s, model: set.model(d.ID), limit: core.Unknown, basis: core.Counted}
	v.Document = d
	if !v.Exact {
		v.basis, v.mark = core.Estimated, "~"
	}
	v.divide()
	if s.Draw {
		v.draw(set)
	}
	if !s.Phrases {
		v.inEnglish()
	}
	if !s.Findings {
		v.Findings = nil
	}
	writeDocumentView(&c.out, &v)
}

// draw renders the finished texts.
func (v *view) draw(set *documentSet) {
	what := v.show.Drawing
	what.From, what.To, what.Plain = v.show.From, v.show.To, v.show.Plain
	what.Model, what.Chosen = v.model.model, v.model.chosen
	what.Limit, what.LimitOf, what.Share = v.shownLimit(), string(v.limitOf), v.shownShare()
	v.drawn = set.Draw(&v.View, &what)
}

// inEnglish removes the phrases, so that the texts are written in English.
func (v *view) inEnglish() {
	for i := range v.Findings {
		inEnglish(&v.Findings[i].Message, &v.Findings[i].OtherMessage)
	}
	d := v.drawn
	if d == nil {
		return
	}
	for i := range d.Lenses {
		inEnglish(&d.Lenses[i].Title)
	}
	for i := range d.Hints {
		inEnglish(&d.Hints[i].Tooltip)
	}
	for i := range d.Hovers {
		inEnglish(&d.Hovers[i].Text)
	}
	for i := range d.Links {
		inEnglish(&d.Links[i].Tooltip)
	}
	for i := range d.Diagnostics {
		if inEnglish(&d.Diagnostics[i].Message); d.Diagnostics[i].Related != nil {
			inEnglish(&d.Diagnostics[i].Related.Message)
		}
	}
	inEnglish(&d.Breakdown)
}

// String returns the word itself.
func (l LimitOf) String() string { return string(l) }

// divide chooses the window for the document's share: the session's, so that all front ends show the same share;
// otherwise the one that the agent assumes; otherwise the model's own.
func (v *view) divide() {
	known, ok := model.Find(v.model.model, v.model.provider, "")
	limits := core.NoLimits
	if ok {
		limits = core.Limits{Window: orUnknown(known.Window), Input: orUnknown(known.Input), Output: orUnknown(known.Output)}
	}
	own, has := agent.Window(agent.Installation{Agent: v.Document.Agent, Model: v.model.model, Limits: limits})
	switch {
	case v.model.limit > 0:
		v.limit, v.limitOf = v.model.limit, "session"
	case has && (own.Input > 0 || own.Window > 0):
		v.limit, v.limitOf = own.Window, "agent"
		if own.Input > 0 {
			v.limit = own.Input
		}
	case ok && known.Limit() > 0:
		v.limit, v.limitOf = known.Limit(), "model"
	}
}

func (v *view) total() int64 { return v.Tokens + v.Imported }

// share returns the document's share of the window, or Unknown without a window.
func (v *view) share() int64 {
	if v.limit == core.Unknown {
		return core.Unknown
	}
	return core.Share(v.total(), v.limit)
}

func (v *view) shownShare() string {
	share := v.share()
	if share == core.Unknown {
		return ""
	}
	shown := core.FineShare(share)
	if shown[0] == '<' {
		return shown
	}
	return v.mark + shown
}

func (v *view) shownLimit() string {
	if v.limit == core.Unknown {
		return ""
	}
	return core.Short(v.limit)
}

// short formats a number of tokens for display.
func short(mark string, tokens int64) string { return mark + core.Short(tokens) }

// A section or an imported document is written with the view's mark.
type (
	section struct {
		*promptfile.Section
		mark string
	}
	imported struct {
		*promptfile.ImportView
		mark string
	}
)

func (v *view) writeSections(w *json.Writer) {
	w.BeginArray()
	for i := range v.Sections {
		s := &v.Sections[i]
		if v.show.Sections && int64(s.To) >= v.show.From && int64(s.From) <= v.show.To {
			writeSection(w, &section{s, v.mark})
		}
	}
	w.EndArray()
}

func (v *view) writeImports(w *json.Writer) {
	w.BeginArray()
	for i := range v.Imports {
		writeDocumentImport(w, &imported{&v.Imports[i], v.mark})
	}
	w.EndArray()
}

// other returns the finding if it also refers to a second location, otherwise nil.
func other(f *promptfile.Finding) *promptfile.Finding {
	if f.Other == "" {
		return nil
	}
	return f
}
