// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"context"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
)

// A Position is a position in a text, in the units of the protocol.
type Position = promptfile.Position

// A Range is the text between two positions.
type Range = promptfile.Range

// BreakdownCommand is the command that shows the breakdown of a prompt file.
const BreakdownCommand = "ctx.document.breakdown"

// A Lens is a code lens of the protocol.
type Lens struct {
	Range   Range    `json:"range"`
	Command *Command `json:"command"`
}

// A Command is the command that a client runs when the user clicks a lens.
type Command struct {
	Title     string      `json:"title"`
	Phrase    *api.Phrase `json:"phrase,omitempty"` // the title's phrase, if the client translates
	Command   string      `json:"command"`
	Arguments []any       `json:"arguments,omitempty"`
}

// A Hint is an inlay hint of the protocol.
type Hint struct {
	Position    Position    `json:"position"`
	Label       string      `json:"label"`
	Tooltip     string      `json:"tooltip,omitempty"`
	Phrase      *api.Phrase `json:"phrase,omitempty"`
	PaddingLeft bool        `json:"paddingLeft"`
	Data        *HintData   `json:"data,omitempty"` // the tooltip of a hint to be resolved later
}

// HintData is the tooltip of a hint until a client requests it.
type HintData struct {
	Tooltip string      `json:"tooltip"`
	Phrase  *api.Phrase `json:"phrase,omitempty"`
}

// WithoutTooltip returns the hint for a client that requests tooltips separately: the tooltip is moved to Data.
func (h Hint) WithoutTooltip() Hint {
	h.Data, h.Tooltip, h.Phrase = &HintData{h.Tooltip, h.Phrase}, "", nil
	return h
}

// WithTooltip returns the hint with its tooltip moved back from Data.
func (h Hint) WithTooltip() Hint {
	if h.Data != nil {
		h.Tooltip, h.Phrase, h.Data = h.Data.Tooltip, h.Data.Phrase, nil
	}
	return h
}

// A Link is a document link of the protocol.
type Link struct {
	Range   Range       `json:"range"`
	Target  string      `json:"target,omitempty"`
	Tooltip string      `json:"tooltip,omitempty"`
	Phrase  *api.Phrase `json:"phrase,omitempty"`
}

// A Hover is a hover of the protocol.
type Hover struct {
	Contents struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	} `json:"contents"`
	Phrase *api.Phrase `json:"phrase,omitempty"`
	Range  *Range      `json:"range,omitempty"`
}

// A Diagnostic is a diagnostic of the protocol.
type Diagnostic struct {
	Range              Range       `json:"range"`
	Severity           int         `json:"severity"`
	Code               string      `json:"code"`
	Source             string      `json:"source"`
	Message            string      `json:"message"`
	Phrase             *api.Phrase `json:"phrase,omitempty"`
	RelatedInformation []Related   `json:"relatedInformation,omitempty"`
}

// Related is another location that a diagnostic refers to.
type Related struct {
	Location struct {
		URI   string `json:"uri"`
		Range Range  `json:"range"`
	} `json:"location"`
	Message string      `json:"message"`
	Phrase  *api.Phrase `json:"phrase,omitempty"`
}

// drawn requests one feature of a document from the core. It returns nil for a document that is not a prompt file.
func (s *Set) drawn(ctx context.Context, uri string, part api.DrawnPart, what api.ShowOptions) *api.Drawn {
	what.View, what.Sections, what.Findings, what.Draw = &yes, &no, &no, []api.DrawnPart{part}
	phrases := s.host.Settings().Phrases && (what.Plain == nil || !*what.Plain)
	what.Phrases = &phrases
	what.Units = api.TextUnits(s.host.Encoding().String())
	if _, view := s.look(ctx, uri, &what); view != nil {
		return view.Drawn
	}
	return nil
}

// Lenses returns the lens above a prompt file: what the file costs, and when.
func (s *Set) Lenses(ctx context.Context, uri string) []Lens {
	s.mu.Lock()
	defer s.mu.Unlock()
	lenses := []Lens{}
	if !s.host.Settings().CodeLens {
		return lenses
	}
	if drawn := s.drawn(ctx, uri, "lenses", api.ShowOptions{}); drawn != nil {
		for _, l := range drawn.Lenses {
			lenses = append(lenses, Lens{placed(l.Range), &Command{Title: l.Title, Phrase: l.Phrase, Command: BreakdownCommand, Arguments: []any{uri}}})
		}
	}
	return lenses
}

// Hints returns the tokens of each section in a range, placed after its heading, and the tokens added by imports,
// placed after their lines.
func (s *Set) Hints(ctx context.Context, uri string, where Range) []Hint {
	s.mu.Lock()
	defer s.mu.Unlock()
	hints := []Hint{}
	t := s.texts[uri]
	if t == nil || !s.host.Settings().InlayHints {
		return hints
	}
	from, to := t.mapper.Offset(where.Start), t.mapper.Offset(where.End)
	if drawn := s.drawn(ctx, uri, "hints", api.ShowOptions{From: optional(from), To: optional(to)}); drawn != nil {
		for _, h := range drawn.Hints {
			hints = append(hints, Hint{Position: position(h.Position), Label: h.Label, Tooltip: h.Tooltip, Phrase: h.Phrase, PaddingLeft: true})
		}
	}
	return hints
}

// Links returns the imports that resolve to a file.
func (s *Set) Links(ctx context.Context, uri string) []Link {
	s.mu.Lock()
	defer s.mu.Unlock()
	links := []Link{}
	if drawn := s.drawn(ctx, uri, "links", api.ShowOptions{}); drawn != nil {
		for _, l := range drawn.Links {
			links = append(links, Link{placed(l.Range), l.ID, l.Tooltip, l.Phrase})
		}
	}
	return links
}

// Hover describes the import or heading at a position, or on the first line the whole file. It returns nil if there is
// nothing to describe.
func (s *Set) Hover(ctx context.Context, uri string, at Position, markdown bool) *Hover {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.texts[uri]
	if t == nil || !s.host.Settings().Hover {
		return nil
	}
	offset := t.mapper.Offset(at)
	if t.written != nil {
		return s.explained(ctx, t, offset)
	}
	plain := !markdown
	drawn := s.drawn(ctx, uri, "hovers", api.ShowOptions{From: optional(offset), To: optional(offset), Plain: &plain})
	if drawn == nil || len(drawn.Hovers) == 0 {
		return nil
	}
	where := placed(drawn.Hovers[0].Range)
	h := &Hover{Range: &where, Phrase: drawn.Hovers[0].Phrase}
	h.Contents.Kind, h.Contents.Value = "markdown", drawn.Hovers[0].Text
	if !markdown {
		h.Contents.Kind = "plaintext"
	}
	return h
}

// Breakdown returns the breakdown of an open document, with its phrase for a client that translates; "" and nil if it
// is not a prompt file.
func (s *Set) Breakdown(ctx context.Context, uri string) (string, *api.Phrase) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if drawn := s.drawn(ctx, uri, "breakdown", api.ShowOptions{}); drawn != nil {
		return drawn.Breakdown, drawn.BreakdownPhrase
	}
	return "", nil
}

// briefEntries is the maximum number of list entries in a message, because many editors show only one line.
const briefEntries = 6

// Brief returns the breakdown in one line of plain text, for editors that can only show messages; "" for a document
// that is not a prompt file.
func (s *Set) Brief(ctx context.Context, uri string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	drawn := s.drawn(ctx, uri, "breakdown", api.ShowOptions{Plain: &yes})
	if drawn == nil {
		return ""
	}
	var parts []string
	entries := 0
	for _, line := range strings.Split(drawn.Breakdown, "\n") {
		entry, is := strings.CutPrefix(line, "- ")
		switch {
		case is && entries < briefEntries:
			entries++
			parts = append(parts, entry)
		case line != "" && !is && !strings.HasSuffix(line, ":"):
			parts = append(parts, strings.TrimSuffix(line, "."))
		}
	}
	return strings.Join(parts, " · ")
}

// View returns how many tokens a prompt file costs and when it is loaded, without its sections. It is nil for a
// document that is not a prompt file, or if the engine crashed on it.
func (s *Set) View(ctx context.Context, uri string) *api.DocumentView {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, view := s.look(ctx, uri, viewOnly())
	return view
}

// Diagnostics returns the problems of an open prompt file, or of a file with an agent's settings.
func (s *Set) Diagnostics(ctx context.Context, uri string) []Diagnostic {
	s.mu.Lock()
	defer s.mu.Unlock()
	diagnostics := []Diagnostic{}
	settings := s.host.Settings()
	t := s.texts[uri]
	if t == nil || !settings.Diagnostics {
		return diagnostics
	}
	if t.written != nil {
		return s.wrong(ctx, t)
	}
	drawn := s.drawn(ctx, uri, "diagnostics", api.ShowOptions{
		Budget: &api.DocumentBudget{Always: &settings.Budget.Always, Loaded: &settings.Budget.Loaded}, With: t.with,
	})
	if drawn == nil {
		return diagnostics
	}
	for _, f := range drawn.Diagnostics {
		d := Diagnostic{Range: placed(f.Range), Severity: int(f.Severity), Code: f.Code, Source: "ctx", Message: f.Message, Phrase: f.Phrase}
		if f.Related != nil {
			r := Related{Message: f.Related.Message, Phrase: f.Related.Phrase}
			r.Location.URI, r.Location.Range = f.Related.ID, placed(f.Related.Range)
			d.RelatedInformation = append(d.RelatedInformation, r)
		}
		diagnostics = append(diagnostics, d)
	}
	return diagnostics
}

func position(p api.TextPosition) Position {
	return Position{Line: int(p.Line), Character: int(p.Character)}
}

func placed(r api.TextRange) Range { return Range{Start: position(r.Start), End: position(r.End)} }
