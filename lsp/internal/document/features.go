// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A Lens is a code lens of the protocol.
type Lens struct {
	Range   Range    `json:"range"`
	Command *Command `json:"command"`
}

// A Command is what a client runs when a lens is chosen.
type Command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

// BreakdownCommand shows what a prompt file weighs.
const BreakdownCommand = "ctx.document.breakdown"

// Lenses is the line above a prompt file: what it weighs, when it is loaded, what its imports bring.
func (s *Set) Lenses(ctx context.Context, uri string) []Lens {
	s.mu.Lock()
	defer s.mu.Unlock()
	lenses := []Lens{}
	if !s.host.Settings().CodeLens {
		return lenses
	}
	_, view := s.look(ctx, uri, &show{View: true})
	if view == nil {
		return lenses
	}
	return append(lenses, Lens{Command: &Command{Title: label(view.headline()), Command: BreakdownCommand, Arguments: []any{uri}}})
}

// headline is the view in one line.
func (v *View) headline() string {
	parts := []string{v.Display.Tokens + " tokens"}
	if v.Load.When == "demand" && v.Listed > 0 {
		parts = append(parts, "on demand ("+v.Display.Listed+" always)")
	} else {
		parts = append(parts, v.loaded())
	}
	if n := len(v.Imports); v.Files > 0 {
		parts = append(parts, fmt.Sprintf("%s +%s", plural(int(v.Files), "import"), v.Display.Imported))
	} else if n > 0 && v.missing() > 0 {
		parts = append(parts, plural(v.missing(), "import")+" missing")
	}
	if v.Display.Share != "" {
		parts = append(parts, v.Display.Share+" of "+v.Display.Limit)
	}
	return strings.Join(parts, " · ")
}

func (v *View) missing() int {
	n := 0
	for _, each := range v.Imports {
		if each.Problem == "missing" {
			n++
		}
	}
	return n
}

func (v *View) loaded() string {
	switch v.Load.When {
	case "always":
		return "in every request"
	case "path":
		globs := v.Load.Globs
		if len(globs) > 2 {
			return "loaded for " + strings.Join(globs[:2], ", ") + " …"
		}
		return "loaded for " + strings.Join(globs, ", ")
	}
	return "on demand"
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// A Hint is an inlay hint of the protocol.
type Hint struct {
	Position    Position `json:"position"`
	Label       string   `json:"label"`
	Tooltip     string   `json:"tooltip,omitempty"`
	PaddingLeft bool     `json:"paddingLeft"`
	Data        string   `json:"data,omitempty"` // the tooltip of a hint that is resolved later
}

// WithoutTooltip is the hint for a client that resolves hints.
func (h Hint) WithoutTooltip() Hint {
	h.Data, h.Tooltip = h.Tooltip, ""
	return h
}

// WithTooltip is the hint resolved.
func (h Hint) WithTooltip() Hint {
	h.Tooltip, h.Data = h.Data, ""
	return h
}

// Hints are the tokens of each section in a range, behind its heading.
func (s *Set) Hints(ctx context.Context, uri string, where Range) []Hint {
	s.mu.Lock()
	defer s.mu.Unlock()
	hints := []Hint{}
	t := s.texts[uri]
	if t == nil || !s.host.Settings().InlayHints {
		return hints
	}
	from, to := t.mapper.Offset(where.Start), t.mapper.Offset(where.End)
	_, view := s.look(ctx, uri, &show{View: true, Sections: true, From: from, To: &to})
	if view == nil {
		return hints
	}
	for _, section := range view.Sections {
		h := Hint{Position: t.mapper.Position(int(section.To)), Label: section.Display, PaddingLeft: true}
		h.Tooltip = section.Display + " tokens in this section"
		if section.Own != section.Tokens {
			h.Tooltip += ", " + section.OwnDisplay + " of them before the next heading"
		}
		hints = append(hints, h)
	}
	return hints
}

// A Link is a document link of the protocol.
type Link struct {
	Range   Range  `json:"range"`
	Target  string `json:"target,omitempty"`
	Tooltip string `json:"tooltip,omitempty"`
}

// Links are the imports that lead somewhere.
func (s *Set) Links(ctx context.Context, uri string) []Link {
	s.mu.Lock()
	defer s.mu.Unlock()
	links := []Link{}
	t, view := s.look(ctx, uri, &show{View: true})
	if view == nil {
		return links
	}
	for _, each := range view.Imports {
		if each.ID != "" {
			links = append(links, Link{t.mapper.Range(int(each.From), int(each.To)), each.ID, each.Display + " tokens"})
		}
	}
	return links
}

// A Hover is a hover of the protocol.
type Hover struct {
	Contents struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	} `json:"contents"`
	Range *Range `json:"range,omitempty"`
}

// Hover tells about the import or the heading at a position, and on the first line about the whole file.
func (s *Set) Hover(ctx context.Context, uri string, at Position, markdown bool) *Hover {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.host.Settings().Hover {
		return nil
	}
	t, view := s.look(ctx, uri, &show{View: true, Sections: true, To: &everything})
	if view == nil {
		return nil
	}
	offset := int64(t.mapper.Offset(at))
	for _, each := range view.Imports {
		if offset >= each.From && offset <= each.To {
			return hover(t.mapper.Range(int(each.From), int(each.To)), aboutImport(each), markdown)
		}
	}
	if at.Line == 0 {
		return hover(t.mapper.LineRange(0), view.Breakdown(), markdown)
	}
	for i, section := range view.Sections {
		if offset >= section.From && offset <= section.To {
			return hover(t.mapper.Range(int(section.From), int(section.To)), view.aboutSection(i), markdown)
		}
	}
	return nil
}

var everything = 1 << 30

func hover(where Range, markdown string, wanted bool) *Hover {
	h := &Hover{Range: &where}
	h.Contents.Kind, h.Contents.Value = "markdown", markdown
	if !wanted {
		h.Contents.Kind = "plaintext"
		h.Contents.Value = plain(markdown)
	}
	return h
}

func aboutImport(i api.DocumentImport) string {
	target := code(i.Target, false)
	switch {
	case i.Problem == "missing":
		return "There is no file " + target + "."
	case i.Problem == "outside":
		return target + " lies outside of what is read here; its tokens are not known."
	case i.ID == "":
		return target + " is not read."
	}
	text := "**" + i.Display + " tokens** by " + target
	if i.All > i.Tokens {
		text += ", what it imports included"
	}
	if i.Problem == "repeated" {
		text = target + " is imported already; it is counted once"
	}
	return text + "."
}

// Breakdown is what there is to say of a file, in Markdown.
func (v *View) Breakdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s tokens** · %s\n\n%s\n", v.Display.Total, escape(v.Title), escape(v.Load.Why))
	if v.Listed > 0 {
		fmt.Fprintf(&b, "\n%s tokens of it, the description, are in every request.\n", v.Display.Listed)
	}
	if v.Display.Share != "" {
		fmt.Fprintf(&b, "\n%s of the window of %s", v.Display.Share, v.Display.Limit)
		fmt.Fprintf(&b, " of %s", code(v.Model, false))
		switch v.LimitOf {
		case "session":
			b.WriteString(" in this workspace's session")
		case "agent":
			b.WriteString(" under its agent")
		}
		if !v.ModelChosen {
			b.WriteString(", which stands for the models that usually read such files")
		}
		b.WriteString(".\n")
	}
	if v.Files > 0 {
		fmt.Fprintf(&b, "\n| part | tokens |\n|---|--:|\n| this file | %s |\n", v.Display.Tokens)
		for _, each := range v.Imports {
			if each.ID != "" && each.Problem != "repeated" {
				fmt.Fprintf(&b, "| %s | %s |\n", code("@"+each.Target, true), each.Display)
			}
		}
	}
	if heavy := v.heaviest(8); len(heavy) > 1 {
		b.WriteString("\n| section | tokens |\n|---|--:|\n")
		for _, section := range heavy {
			fmt.Fprintf(&b, "| %s | %s |\n", escape(section.Title), section.OwnDisplay)
		}
	}
	if v.Display.Mark == "~" {
		b.WriteString("\n~ marks an estimate: this model's tokenizer is not public.\n")
	}
	return b.String()
}

// heaviest are the sections with the most text of their own.
func (v *View) heaviest(most int) []api.Section {
	heavy := slices.Clone(v.Sections)
	slices.SortStableFunc(heavy, func(a, b api.Section) int { return int(b.Own - a.Own) })
	return heavy[:min(len(heavy), most)]
}

func (v *View) aboutSection(at int) string {
	section := v.Sections[at]
	text := fmt.Sprintf("**%s tokens** · %s", section.Display, escape(section.Title))
	if section.Own != section.Tokens {
		text += fmt.Sprintf("\n\n%s of them before the next heading.\n\n| section | tokens |\n|---|--:|\n", section.OwnDisplay)
		for _, below := range v.Sections[at+1:] {
			if below.Level <= section.Level {
				break
			}
			if below.Level == section.Level+1 {
				text += fmt.Sprintf("| %s | %s |\n", escape(below.Title), below.Display)
			}
		}
	}
	return text
}

// Breakdown is the breakdown of an open document, empty for what is no prompt file.
func (s *Set) Breakdown(ctx context.Context, uri string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, view := s.look(ctx, uri, &show{View: true, Sections: true, To: &everything})
	if view == nil {
		return ""
	}
	return view.Breakdown()
}

// A Diagnostic is a diagnostic of the protocol.
type Diagnostic struct {
	Range              Range     `json:"range"`
	Severity           int       `json:"severity"`
	Code               string    `json:"code"`
	Source             string    `json:"source"`
	Message            string    `json:"message"`
	RelatedInformation []Related `json:"relatedInformation,omitempty"`
}

// Related is another place that a diagnostic is about.
type Related struct {
	Location struct {
		URI   string `json:"uri"`
		Range Range  `json:"range"`
	} `json:"location"`
	Message string `json:"message"`
}

// Diagnostics is what is wrong with a prompt file.
func (s *Set) Diagnostics(ctx context.Context, uri string) []Diagnostic {
	s.mu.Lock()
	defer s.mu.Unlock()
	diagnostics := []Diagnostic{}
	settings := s.host.Settings()
	t := s.texts[uri]
	if t == nil || !settings.Diagnostics {
		return diagnostics
	}
	t, view := s.look(ctx, uri, &show{View: true, Findings: true, Budget: &settings.Budget, With: t.with})
	if view == nil {
		return diagnostics
	}
	for _, f := range view.Findings {
		d := Diagnostic{Range: t.mapper.Range(int(f.From), int(f.To)), Severity: int(f.Severity), Code: f.Code, Source: "ctx", Message: f.Message}
		if f.Other != nil {
			if r, ok := s.related(f.Other); ok {
				d.RelatedInformation = append(d.RelatedInformation, r)
			}
		}
		diagnostics = append(diagnostics, d)
	}
	return diagnostics
}

func (s *Set) related(other *api.OtherFinding) (Related, bool) {
	var r Related
	uri, from, to := other.ID, int(other.From), int(other.To)
	r.Location.URI, r.Message = uri, other.Message
	if open := s.texts[uri]; open != nil {
		r.Location.Range = open.mapper.Range(from, to)
		return r, true
	}
	path, ok := Path(uri)
	if !ok {
		return r, false
	}
	places := s.host.Places().reach()
	defer places.close()
	body, _, problem := places.read(path)
	if problem != "" {
		return r, false
	}
	r.Location.Range = NewMapper(body, s.host.Encoding()).Range(from, to)
	return r, true
}
