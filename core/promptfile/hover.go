// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"cmp"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// mostSections is the maximum number of sections listed in a breakdown.
const mostSections = 8

// hovers returns the hovers of imports, of headings, and of the whole file on its first line.
func (d *drawer) hovers() []Hover {
	hovers := []Hover{}
	add := func(where Range, markdown phrase.Text) { hovers = append(hovers, Hover{where, d.shown(markdown)}) }
	for i := range d.view.Imports {
		if each := &d.view.Imports[i]; d.touched(each.From, each.To) {
			add(d.mapper.Range(each.From, each.To), d.aboutImport(each))
		}
	}
	if first := d.mapper.lineEnd(0); d.touched(0, first) {
		add(d.mapper.Range(0, first), d.breakdown())
	}
	for i := range d.view.Sections {
		if s := &d.view.Sections[i]; d.touched(s.From, s.To) {
			add(d.mapper.Range(s.From, s.To), d.aboutSection(i))
		}
	}
	return hovers
}

func (d *drawer) aboutImport(i *ImportView) phrase.Text {
	target := phrase.Name(code(i.Target))
	switch {
	case i.Problem == string(Missing):
		return phrase.NoSuchFile.Text(target)
	case i.Problem == string(Outside):
		return phrase.OutsideHere.Text(target)
	case i.ID == "":
		return phrase.NotRead.Text(target)
	case i.Problem == "repeated":
		return phrase.CountedOnce.Text(target)
	case i.All > i.Tokens:
		return phrase.BroughtWithAll.Text(d.tokens(i.whole()), target)
	}
	return phrase.BroughtBy.Text(d.tokens(i.whole()), target)
}

// paragraphs collects the pieces of a text.
type paragraphs []phrase.Arg

// add appends a phrase with the text before and after it.
func (p *paragraphs) add(before string, text phrase.Text, after string) {
	*p = append(*p, phrase.Name(before), text.Arg(), phrase.Name(after))
}

// entry appends a list item. Unlike a table, a list is readable in editors that show Markdown as plain text.
func (p *paragraphs) entry(what phrase.Text, tokens phrase.Arg) {
	*p = append(*p, phrase.Name("- "), what.Arg(), phrase.Name(" "), tokens, phrase.Name("\n"))
}

func (p paragraphs) text() phrase.Text { return phrase.Sequence.Text(p...) }

// breakdown describes the tokens of a file in Markdown.
func (d *drawer) breakdown() phrase.Text {
	v := d.view
	var p paragraphs
	p.add("", phrase.Headed.Text(d.tokens(v.Tokens+v.Imported), v.Document.Kind.title().Arg()), "\n\n")
	p.add("", v.Load.why(escape(v.Load.WhyName)), "\n")
	if v.Listed > 0 {
		p.add("\n", phrase.Described.Text(d.tokens(v.Listed)), "\n")
	}
	if d.Share != "" {
		p.add("\n", d.aboutShare(), "\n")
	}
	if v.Files > 0 {
		p.add("\n", phrase.ByFile.Text(), "\n\n")
		p.entry(phrase.ThisFile.Text(), d.tokens(v.Tokens))
		for i := range v.Imports {
			if each := &v.Imports[i]; each.ID != "" && each.Problem != "repeated" {
				p.entry(phrase.Named(code("@"+each.Target)), d.tokens(each.whole()))
			}
		}
	}
	if heavy := v.heaviest(mostSections); len(heavy) > 1 {
		p.add("\n", phrase.BySection.Text(), "\n\n")
		for _, s := range heavy {
			p.entry(phrase.Named(escape(s.Title)), d.tokens(s.Own))
		}
	}
	if d.mark != "" {
		p.add("\n", phrase.EstimateMark.Text(), "\n")
	}
	return p.text()
}

// aboutShare returns the sentence about the share of the window.
func (d *drawer) aboutShare() phrase.Text {
	text := phrase.ShareOfWindow.Text(phrase.Tokens(d.Share), phrase.Tokens(d.Limit), phrase.Name(code(d.Model)))
	switch d.LimitOf {
	case "session":
		text = phrase.InTheSession.Text(text.Arg())
	case "agent":
		text = phrase.UnderAgent.Text(text.Arg())
	}
	if !d.Chosen {
		text = phrase.StandsFor.Text(text.Arg())
	}
	return phrase.SentenceEnds.Text(text.Arg())
}

// heaviest returns at most this many sections, those with the most text of their own first.
func (v *View) heaviest(most int) []Section {
	heavy := append([]Section(nil), v.Sections...)
	slices.SortStableFunc(heavy, func(a, b Section) int { return cmp.Compare(b.Own, a.Own) })
	return heavy[:min(len(heavy), most)]
}

func (d *drawer) aboutSection(at int) phrase.Text {
	sections := d.view.Sections
	s := &sections[at]
	headed := phrase.Headed.Text(d.tokens(s.Tokens), phrase.Name(escape(s.Title)))
	if s.Own == s.Tokens {
		return headed
	}
	var p paragraphs
	p.add("", headed, "\n\n")
	p.add("", phrase.OwnBefore.Text(d.tokens(s.Own)), "\n\n")
	for _, below := range sections[at+1:] {
		if below.Level <= s.Level {
			break
		}
		if below.Level == s.Level+1 {
			p.entry(phrase.Named(escape(below.Title)), d.tokens(below.Tokens))
		}
	}
	return p.text()
}
