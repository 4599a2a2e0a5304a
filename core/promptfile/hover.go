// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"sort"
	"strings"
)

// mostSections is how many sections a breakdown lists.
const mostSections = 8

// hovers returns the texts about the imports, about the headings, and on the first line about the whole file.
func (d *drawer) hovers() []Hover {
	hovers := []Hover{}
	add := func(where Range, markdown string) { hovers = append(hovers, Hover{where, d.said(markdown)}) }
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

func (d *drawer) aboutImport(i *ImportView) string {
	target := code(i.Target)
	switch {
	case i.Problem == string(Missing):
		return d.say(noSuchFile, target)
	case i.Problem == string(Outside):
		return d.say(outsideHere, target)
	case i.ID == "":
		return d.say(notRead, target)
	case i.Problem == "repeated":
		return d.say(countedOnce, target)
	case i.All > i.Tokens:
		return d.say(broughtWithAll, d.tokens(i.whole()), target)
	}
	return d.say(broughtBy, d.tokens(i.whole()), target)
}

// breakdown describes a file in Markdown.
func (d *drawer) breakdown() string {
	v := d.view
	var b strings.Builder
	b.WriteString(d.say(headed, d.tokens(v.Tokens+v.Imported), v.Document.Kind.called(d.ByID)))
	b.WriteString("\n\n" + d.say(v.Load.Why, escape(v.Load.Whose)) + "\n")
	if v.Listed > 0 {
		b.WriteString("\n" + d.say(described, d.tokens(v.Listed)) + "\n")
	}
	if d.Share != "" {
		b.WriteString("\n" + d.aboutShare() + "\n")
	}
	if v.Files > 0 {
		b.WriteString("\n" + d.say(byFile) + "\n\n")
		entry(&b, d.say(thisFile), d.tokens(v.Tokens))
		for i := range v.Imports {
			if each := &v.Imports[i]; each.ID != "" && each.Problem != "repeated" {
				entry(&b, code("@"+each.Target), d.tokens(each.whole()))
			}
		}
	}
	if heavy := v.heaviest(mostSections); len(heavy) > 1 {
		b.WriteString("\n" + d.say(bySection) + "\n\n")
		for _, s := range heavy {
			entry(&b, escape(s.Title), d.tokens(s.Own))
		}
	}
	if d.mark != "" {
		b.WriteString("\n" + d.say(estimateMark) + "\n")
	}
	return b.String()
}

// aboutShare is the sentence about the share of the window.
func (d *drawer) aboutShare() string {
	text := d.say(shareOfWindow, d.Share, d.Limit, code(d.Model))
	switch d.LimitOf {
	case "session":
		text = d.say(inTheSession, text)
	case "agent":
		text = d.say(underAgent, text)
	}
	if !d.Chosen {
		text = d.say(standsFor, text)
	}
	return d.say(sentenceEnds, text)
}

// entry writes an entry of a list, which reads well in editors that show Markdown as it is, where a table does not.
func entry(b *strings.Builder, what, tokens string) {
	b.WriteString("- " + what + " " + tokens + "\n")
}

// heaviest are the sections with the most text of their own.
func (v *View) heaviest(most int) []Section {
	heavy := append([]Section(nil), v.Sections...)
	sort.Stable(heaviestSections(heavy))
	return heavy[:min(len(heavy), most)]
}

func (d *drawer) aboutSection(at int) string {
	sections := d.view.Sections
	s := &sections[at]
	var b strings.Builder
	b.WriteString(d.say(headed, d.tokens(s.Tokens), escape(s.Title)))
	if s.Own == s.Tokens {
		return b.String()
	}
	b.WriteString("\n\n" + d.say(ownBefore, d.tokens(s.Own)) + "\n\n")
	for _, below := range sections[at+1:] {
		if below.Level <= s.Level {
			break
		}
		if below.Level == s.Level+1 {
			entry(&b, escape(below.Title), d.tokens(below.Tokens))
		}
	}
	return b.String()
}
