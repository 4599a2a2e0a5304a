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
		return "There is no file " + target + "."
	case i.Problem == string(Outside):
		return target + " lies outside of what is read here; its tokens are not known."
	case i.ID == "":
		return target + " is not read."
	case i.Problem == "repeated":
		return target + " is imported already; it is counted once."
	}
	text := "**" + d.tokens(i.whole()) + " tokens** by " + target
	if i.All > i.Tokens {
		text += ", what it imports included"
	}
	return text + "."
}

// breakdown describes a file in Markdown.
func (d *drawer) breakdown() string {
	v := d.view
	var b strings.Builder
	b.WriteString("**" + d.tokens(v.Tokens+v.Imported) + " tokens** · " + v.Document.Kind.Title() + "\n\n" + escape(v.Load.Why) + "\n")
	if v.Listed > 0 {
		b.WriteString("\n" + d.tokens(v.Listed) + " tokens of it, the description, are in every request.\n")
	}
	if d.Share != "" {
		b.WriteString("\n" + d.aboutShare() + "\n")
	}
	if v.Files > 0 {
		b.WriteString("\nBy file:\n\n")
		entry(&b, "this file", d.tokens(v.Tokens))
		for i := range v.Imports {
			if each := &v.Imports[i]; each.ID != "" && each.Problem != "repeated" {
				entry(&b, code("@"+each.Target), d.tokens(each.whole()))
			}
		}
	}
	if heavy := v.heaviest(mostSections); len(heavy) > 1 {
		b.WriteString("\nBy section, without those below it:\n\n")
		for _, s := range heavy {
			entry(&b, escape(s.Title), d.tokens(s.Own))
		}
	}
	if d.mark != "" {
		b.WriteString("\n~ marks an estimate: this model's tokenizer is not public.\n")
	}
	return b.String()
}

// aboutShare is the sentence about the share of the window.
func (d *drawer) aboutShare() string {
	text := d.Share + " of the window of " + d.Limit + " of " + code(d.Model)
	switch d.LimitOf {
	case "session":
		text += " in this workspace's session"
	case "agent":
		text += " under its agent"
	}
	if !d.Chosen {
		text += ", which stands for the models that usually read such files"
	}
	return text + "."
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
	b.WriteString("**" + d.tokens(s.Tokens) + " tokens** · " + escape(s.Title))
	if s.Own == s.Tokens {
		return b.String()
	}
	b.WriteString("\n\n" + d.tokens(s.Own) + " of them before the next heading.\n\n")
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
