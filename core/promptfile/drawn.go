// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A Drawing selects the features of a document to draw, and how.
type Drawing struct {
	Lenses, Hints, Hovers, Links, Diagnostics, Breakdown bool

	From, To int64    // only hints and hovers that touch these bytes
	Units    Encoding // encoding of positions
	Plain    bool     // hovers as plain text instead of Markdown

	Model   string // model that the document is counted for
	Chosen  bool   // whether the caller chose the model (otherwise the kind of file did)
	Limit   string // window as printed, "" if unknown
	LimitOf string // source of Limit: session, agent or model
	Share   string // share of the window
}

// Drawn holds finished texts for an editor to draw, with their positions. Features that were not requested are nil.
type Drawn struct {
	Lenses      []Lens
	Hints       []Hint
	Hovers      []Hover // if several contain a position, the first one is used
	Links       []ImportLink
	Diagnostics []Diagnostic
	Breakdown   phrase.Text // empty if not requested
}

// A Lens is a line above a line of the text.
type Lens struct {
	Range Range
	Title phrase.Text
}

// A Hint is a label after a line of the text.
type Hint struct {
	Position Position
	Label    string
	Tooltip  phrase.Text
}

// A Hover is the hover text for a range of the document.
type Hover struct {
	Range Range
	Text  phrase.Text
}

// An ImportLink is a link to an imported document.
type ImportLink struct {
	Range   Range
	ID      string
	Tooltip phrase.Text
}

// A Diagnostic is a Finding with its range.
type Diagnostic struct {
	*Finding
	Range   Range
	Related *Related
}

// Related is the second range that a Finding refers to.
type Related struct {
	ID      string
	Range   Range
	Message phrase.Text
}

// A drawer builds one Drawn.
type drawer struct {
	*Drawing
	view   *View
	mapper *Mapper
	mark   string // "~" before estimates, otherwise ""
}

// Draw returns the requested features of a view as finished texts.
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

// tokens formats a number of tokens for users.
func (d *drawer) tokens(n int64) phrase.Arg { return phrase.Tokens(d.short(n)) }

func (d *drawer) short(n int64) string { return d.mark + core.Short(n) }

// touched reports whether the bytes from..to overlap the requested range.
func (d *drawer) touched(from, to int) bool { return int64(to) >= d.From && int64(from) <= d.To }

// shown returns Markdown in the form the caller shows. Plain text is finished English rather than a phrase that can be
// translated.
func (d *drawer) shown(markdown phrase.Text) phrase.Text {
	if d.Plain {
		return phrase.Named(plain(markdown.String()))
	}
	return markdown
}

// headline describes the view in one line: the cost of the file with all its imports, and when it is loaded. The mark
// of an estimate precedes the sum and applies to its parts too.
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

// loaded describes when these tokens are loaded.
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

// hints returns the tokens of each section, after its heading, and those added by imports, after their lines.
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

// importHint adds a hint for the line that contains the import at index at, and returns the index of the first import
// after that line.
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

// whole returns the tokens of an imported file including its own imports.
func (i *ImportView) whole() int64 { return max(i.All, i.Tokens) }

// counted reports whether the import adds tokens to the view.
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
