// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A Drawing says which features of a document are to be drawn, and with which words.
type Drawing struct {
	Lenses, Hints, Hovers, Links, Diagnostics, Breakdown bool

	From, To int64    // hints and hovers that touch these bytes
	Units    Encoding // of the places
	Plain    bool     // hovers without Markdown

	Model   string // that the document is counted for
	Chosen  bool   // the caller has chosen the model, and not the kind of file
	Limit   string // the window as it is printed, "" where none is known
	LimitOf string // session, agent or model
	Share   string // of the window
}

// Drawn holds what an editor draws of a document: finished texts with their places. Features that were not asked for
// are nil.
type Drawn struct {
	Lenses      []Lens
	Hints       []Hint
	Hovers      []Hover // the first that holds a position counts
	Links       []ImportLink
	Diagnostics []Diagnostic
	Breakdown   phrase.Text // empty if it was not asked for
}

// A Lens is a line above a line of the text.
type Lens struct {
	Range Range
	Title phrase.Text
}

// A Hint stands behind a line of the text.
type Hint struct {
	Position Position
	Label    string
	Tooltip  phrase.Text
}

// A Hover is a text about a piece of the document.
type Hover struct {
	Range Range
	Text  phrase.Text
}

// An ImportLink leads to a document that is imported.
type ImportLink struct {
	Range   Range
	ID      string
	Tooltip phrase.Text
}

// A Diagnostic is a Finding at its place.
type Diagnostic struct {
	*Finding
	Range   Range
	Related *Related
}

// Related is the second place that a Finding is about.
type Related struct {
	ID      string
	Range   Range
	Message phrase.Text
}

// drawer makes one Drawn.
type drawer struct {
	*Drawing
	view   *View
	mapper *Mapper
	mark   string // before a number that is estimated
}

// Draw makes finished texts of a view.
func (s *Set) Draw(v *View, what *Drawing) *Drawn {
	d := &drawer{Drawing: what, view: v, mapper: v.Document.mapper(what.Units)}
	if !v.Exact {
		d.mark = "~"
	}
	out := &Drawn{}
	if what.Lenses {
		out.Lenses = []Lens{{Title: d.headline()}}
	}
	if what.Hints {
		out.Hints = d.hints()
	}
	if what.Hovers {
		out.Hovers = d.hovers()
	}
	if what.Links {
		out.Links = d.links()
	}
	if what.Diagnostics {
		out.Diagnostics = d.diagnostics(s)
	}
	if what.Breakdown {
		out.Breakdown = d.shown(d.breakdown())
	}
	return out
}

// tokens writes a number of tokens as people read it.
func (d *drawer) tokens(n int64) phrase.Arg { return phrase.Tokens(d.short(n)) }

func (d *drawer) short(n int64) string { return d.mark + core.Short(n) }

// touched says whether bytes are among those that were asked for.
func (d *drawer) touched(from, to int) bool { return int64(to) >= d.From && int64(from) <= d.To }

// shown converts Markdown into the form that the caller shows. Without Markdown it is no phrase, but finished English.
func (d *drawer) shown(markdown phrase.Text) phrase.Text {
	if d.Plain {
		return phrase.Named(plain(markdown.String()))
	}
	return markdown
}

// headline describes the view in one line: what the file costs with all its imports, and when. The mark of an estimate
// stands before the sum and also holds for its parts.
func (d *drawer) headline() phrase.Text {
	v := d.view
	line, parts := d.loaded(d.tokens(v.Tokens+v.Imported)), phrase.Text{}
	if v.Load.When == OnDemand && v.Listed > 0 {
		parts = phrase.ListedAlways.Text(phrase.Tokens(core.Short(v.Listed)))
	}
	if v.Files > 0 {
		parts = and(parts, phrase.HereImported.Text(phrase.Tokens(core.Short(v.Tokens)), phrase.Tokens(core.Short(v.Imported))))
	}
	if !parts.Empty() {
		line = phrase.InParentheses.Text(line.Arg(), parts.Arg())
	}
	switch missing := v.missing(); {
	case v.Files != 0 || missing == 0:
	case missing == 1:
		line = phrase.ImportLacks.Text(line.Arg())
	default:
		line = phrase.ImportsLack.Text(line.Arg(), phrase.Count(int64(missing)))
	}
	if d.Share != "" {
		line = phrase.Dotted.Text(line.Arg(), phrase.ShareOf.Arg(phrase.Tokens(d.Share), phrase.Tokens(d.Limit)))
	}
	if d.Model != "" {
		line = phrase.ForModel.Text(line.Arg(), phrase.Name(d.Model))
	}
	return line
}

// and adds a text to a list of texts.
func and(list, text phrase.Text) phrase.Text {
	if list.Empty() {
		return text
	}
	return phrase.And.Text(list.Arg(), text.Arg())
}

func (v *View) missing() int {
	n := 0
	for i := range v.Imports {
		if v.Imports[i].Problem == string(Missing) {
			n++
		}
	}
	return n
}

// loaded returns when this many tokens are loaded.
func (d *drawer) loaded(tokens phrase.Arg) phrase.Text {
	switch load := &d.view.Load; load.When {
	case Always:
		return phrase.AlwaysLoaded.Text(tokens)
	case ByPath:
		globs := label(strings.Join(load.Globs[:min(len(load.Globs), 2)], ", "))
		if len(load.Globs) > 2 {
			globs += " …"
		}
		return phrase.LoadedFor.Text(tokens, phrase.Name(globs))
	}
	return phrase.OnDemand.Text(tokens)
}

// hints returns the tokens of each section, behind its heading, and those that imports add, behind their lines.
func (d *drawer) hints() []Hint {
	hints := []Hint{}
	for i := range d.view.Sections {
		s := &d.view.Sections[i]
		if !d.touched(s.From, s.To) {
			continue
		}
		tooltip := phrase.SectionTokens.Text(d.tokens(s.Tokens))
		if s.Own != s.Tokens {
			tooltip = phrase.SectionOwn.Text(d.tokens(s.Tokens), d.tokens(s.Own))
		}
		hints = append(hints, Hint{d.mapper.Position(s.To), d.short(s.Tokens), tooltip})
	}
	for at := 0; at < len(d.view.Imports); {
		at = d.importHint(at, &hints)
	}
	slices.SortStableFunc(hints, func(a, b Hint) int { return cmp.Compare(a.Position.Line, b.Position.Line) })
	return hints
}

// importHint makes the hint of the line that holds an import, and returns the first import behind that line.
func (d *drawer) importHint(at int, hints *[]Hint) (next int) {
	imports := d.view.Imports
	end := d.mapper.lineEnd(d.mapper.line(imports[at].From))
	var brought int64
	var tooltip phrase.Text
	for next = at; next < len(imports) && imports[next].From <= end; next++ {
		if each := &imports[next]; each.counted() {
			brought += each.whole()
			tooltip = and(tooltip, phrase.ImportTokens.Text(d.tokens(each.whole()), phrase.Name(label(each.Target))))
		}
	}
	if !tooltip.Empty() && d.touched(imports[at].From, end) {
		*hints = append(*hints, Hint{d.mapper.Position(end), "+" + core.Short(brought), tooltip})
	}
	return next
}

// whole is the tokens of an imported file with those of its own imports.
func (i *ImportView) whole() int64 { return max(i.All, i.Tokens) }

// counted says whether an import leads to a file that is counted because of it.
func (i *ImportView) counted() bool { return i.ID != "" && i.Problem != "repeated" && i.whole() > 0 }

func (d *drawer) links() []ImportLink {
	links := []ImportLink{}
	for i := range d.view.Imports {
		if each := &d.view.Imports[i]; each.ID != "" {
			links = append(links, ImportLink{d.mapper.Range(each.From, each.To), each.ID, phrase.TokensOnly.Text(d.tokens(each.whole()))})
		}
	}
	return links
}

func (d *drawer) diagnostics(s *Set) []Diagnostic {
	diagnostics := []Diagnostic{}
	for i := range d.view.Findings {
		f := &d.view.Findings[i]
		if f.Code == overBudget && d.Model != "" {
			named := *f
			named.Message = phrase.CountedFor.Text(f.Message.Arg(), phrase.Name(d.Model))
			f = &named
		}
		each := Diagnostic{Finding: f, Range: d.mapper.Range(f.From, f.To)}
		if other := s.Find(f.Other); other != nil {
			each.Related = &Related{f.Other, other.mapper(d.Units).Range(f.OtherFrom, f.OtherTo), f.OtherMessage}
		}
		diagnostics = append(diagnostics, each)
	}
	return diagnostics
}
