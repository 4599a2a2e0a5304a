// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"cmp"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Panel is everything about a session in the order in which one reads it, in words: front ends draw it row by row. A
// new fact is a row in one of the functions that Reading.Panel calls.
type Panel struct {
	Sections []PanelSection
}

// PanelSection is a part of a panel.
type PanelSection struct {
	ID    string
	Title Text
	Only  PanelForm
	Rows  []PanelRow
}

// PanelRow is one fact, or one part of the window. newRow returns one without numbers.
type PanelRow struct {
	ID               string
	Label, Value     Text
	Short            Text // the value in the short form, if it differs
	Note             Text
	Only             PanelForm
	Tone             Tone
	Share, Bar, Mark int64 // Unknown without one
	Kind             string
	Depth            int64
	Session          string
	Place            int64 // Unknown without one
	Action           string
	Dated            []Dated
}

// Dated is the value of a row from a time on. Unless At is Unknown, it replaces Time in the value, written As.
type Dated struct {
	From  int64
	Value Text
	At    int64
	As    TimeForm
}

// Time stands in a text for a time that only a front end can write, because the core has no clock.
const Time = "{time}"

// Tone is how a front end colors a row.
type Tone string

// The tones of rows. Levels of compaction have tones of their names.
const (
	Plain  Tone = ""
	Strong Tone = "strong"
	Quiet  Tone = "quiet"
	Alert  Tone = "soon"
)

func (t Tone) String() string { return string(t) }

// tone returns the tone of a level.
func (l Level) tone() Tone { return Tone(l.String()) }

// PanelForm is a form of a panel; the zero value means both.
type PanelForm string

// The short form is a screen, the long one everything.
const (
	OnlyShort PanelForm = "short"
	OnlyLong  PanelForm = "long"
)

func (f PanelForm) String() string { return string(f) }

// TimeForm is how a front end writes a time.
type TimeForm string

// The forms of times.
const (
	Minutes TimeForm = "minutes" // until then, rounded up
	Age     TimeForm = "age"     // since then
	Clock   TimeForm = "clock"   // the time of day
)

func (f TimeForm) String() string { return string(f) }

// PanelOptions are the parts of a panel that a Reading does not have.
type PanelOptions struct {
	AgentName string // the agent's display name, "" for an unknown agent
	Children  []PanelChild
	Rows      []HostRow
}

// PanelChild is a sub-agent.
type PanelChild struct {
	Session, Name, Model string
	Percent              string // how full its window is
	Level                Level
	Depth                int64
}

// panel makes a panel from a Reading.
type panel struct {
	*Reading
	PanelOptions
	made Panel
}

// panelSections are the sections in the order in which one reads them. Those without rows are left out.
var panelSections = [...]struct {
	id    string
	title phrase.ID
	only  PanelForm
}{
	{"session", phrase.PanelSession, ""},
	{"window", phrase.PanelWindow, ""},
	{"compaction", phrase.PanelCompaction, ""},
	{"cache", phrase.PanelCache, ""},
	{"parts", phrase.PanelParts, OnlyShort},
	{"contents", phrase.PanelContents, OnlyLong},
	{"largest", phrase.PanelLargest, ""},
	{"servers", phrase.PanelServers, OnlyLong},
	{"advice", phrase.PanelAdvice, OnlyLong},
	{"numbers", phrase.PanelNumbers, ""},
	{"children", phrase.PanelChildren, ""},
	{"nearby", phrase.PanelNearby, OnlyLong},
	{"documents", phrase.PanelDocuments, OnlyLong},
	{"warnings", phrase.PanelWarnings, ""},
}

// IsPanelSection reports whether a section with an id exists.
func IsPanelSection(id string) bool { return sectionAt(id) >= 0 }

func sectionAt(id string) int {
	for i := range panelSections {
		if panelSections[i].id == id {
			return i
		}
	}
	return -1
}

// Panel returns the Reading in words.
func (r *Reading) Panel(o PanelOptions) *Panel {
	p := &panel{Reading: r, PanelOptions: o}
	p.made.Sections = make([]PanelSection, len(panelSections))
	for i := range panelSections {
		s := &panelSections[i]
		p.made.Sections[i] = PanelSection{ID: s.id, Title: s.title.Text(), Only: s.only}
	}
	p.session()
	p.window()
	p.contents()
	p.largest()
	p.servers()
	p.threshold()
	p.numbers()
	p.advice()
	p.cache()
	p.children()
	p.warnings()
	for i := range o.Rows {
		p.place(&o.Rows[i])
	}
	rows := p.made.Sections[sectionAt("session")].Rows
	rows[0].Value = p.name(valueOf(rows, "workspace"), valueOf(rows, "title"))
	p.made.Sections = slices.DeleteFunc(p.made.Sections, func(s PanelSection) bool { return len(s.Rows) == 0 })
	return &p.made
}

// add adds rows to a section.
func (p *panel) add(section string, rows ...PanelRow) {
	s := &p.made.Sections[sectionAt(section)]
	s.Rows = append(s.Rows, rows...)
}

// HostRow is a row of the host's own. It takes the place of the row with its id, and removes it if it has no value.
type HostRow struct {
	Section string // "" for that of the row with its id
	PanelRow
}

// NewHostRow returns a row of a host without numbers.
func NewHostRow() HostRow { return HostRow{PanelRow: newRow("", "", Text{})} }

// place puts a row of the host into its section. The rows that hosts of agents' sessions know have a form of their own.
func (p *panel) place(h *HostRow) {
	row := h.PanelRow
	switch row.ID {
	case "host":
		row.Value = phrase.HostNamed.Text(row.Value.Arg())
	case "opening": // the first words of a session, for one without a title
		if p.Title != "" {
			return
		}
		row.ID, row.Label = "title", phrase.PanelTitle.Text()
	case "transcript":
		row.Label, row.Only = phrase.PanelTranscript.Text(), OnlyLong
	}
	section := cmp.Or(h.Section, homes[row.ID])
	for i := range p.made.Sections {
		s := &p.made.Sections[i]
		at := slices.IndexFunc(s.Rows, func(r PanelRow) bool { return r.ID == row.ID })
		switch {
		case at < 0:
		case h.Value.Empty():
			s.Rows = slices.Delete(s.Rows, at, at+1)
			return
		default:
			if row.Label.Empty() {
				row.Label = s.Rows[at].Label
			}
			s.Rows[at] = row
			return
		}
	}
	if !h.Value.Empty() && section != "" {
		p.add(section, row)
	}
}

// valueOf returns the value of the row with an id, "" without one.
func valueOf(rows []PanelRow, id string) string {
	for i := range rows {
		if rows[i].ID == id {
			return rows[i].Value.String()
		}
	}
	return ""
}

// homes are the sections of rows that only hosts know.
var homes = map[string]string{"host": "session", "title": "session", "workspace": "session", "transcript": "numbers"}

func newRow(id string, label phrase.ID, value Text) PanelRow {
	r := PanelRow{ID: id, Value: value, Share: Unknown, Bar: Unknown, Mark: Unknown, Place: Unknown}
	if label != "" {
		r.Label = label.Text()
	}
	return r
}

// marked returns a number with the mark before it.
func marked(mark string, n int64) Text {
	if mark == "" {
		return phrase.Exactly.Text(phrase.Count(n))
	}
	return phrase.Marked.Text(phrase.Name(mark), phrase.Count(n))
}

// decimal prints hundredths with as many decimals as they need: 26.05, 26.
func decimal(hundredths int64) string {
	var b []byte
	if hundredths < 0 {
		b, hundredths = append(b, '-'), -hundredths
	}
	b = appendInt(b, hundredths/100)
	if rest := hundredths % 100; rest > 0 {
		b = append(b, '.', byte('0'+rest/10))
		if rest%10 > 0 {
			b = append(b, byte('0'+rest%10))
		}
	}
	return string(b)
}

// signed prints a number with its sign.
func signed(n int64) string {
	text := marked("", n)
	if n > 0 {
		return "+" + text.String()
	}
	return text.String()
}

// and returns two texts with a comma between them.
func and(a, b Text) Text { return phrase.And.Text(a.Arg(), b.Arg()) }

// dotted returns two texts with a dot between them.
func dotted(a, b Text) Text { return phrase.Dotted.Text(a.Arg(), b.Arg()) }

// some returns a third-party text as a list of one, or an empty list for an empty text.
func some(id string, label phrase.ID, value Text) []PanelRow {
	if value.Empty() {
		return nil
	}
	return []PanelRow{newRow(id, label, value)}
}
