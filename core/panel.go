// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

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

// Panel returns the Reading in words.
func (r *Reading) Panel(o PanelOptions) *Panel {
	p := &panel{Reading: r, PanelOptions: o}
	p.session()
	p.window()
	p.contents()
	p.largest()
	p.servers()
	p.numbers()
	p.threshold()
	p.advice()
	p.cache()
	p.children()
	p.warnings()
	return &p.made
}

// section adds a section, if it has rows.
func (p *panel) section(id string, title phrase.ID, rows []PanelRow) *PanelSection {
	if len(rows) == 0 {
		return &PanelSection{}
	}
	p.made.Sections = append(p.made.Sections, PanelSection{ID: id, Title: title.Text(), Rows: rows})
	return &p.made.Sections[len(p.made.Sections)-1]
}

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
