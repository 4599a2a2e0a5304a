// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A panelRow is a row of the panel in one form and at one time.
type panelRow struct {
	*api.PanelRow
	label, value, note string
}

// A panelView reads the panel of a Reading in one form and at one time. A Reading without a panel has no rows.
type panelView struct {
	panel *api.Panel
	short bool
	now   time.Time
	s     Style
}

// rows returns the rows of a section that have a value in this form and at this time.
func (v *panelView) rows(section string) []panelRow {
	if v.panel == nil {
		return nil
	}
	var rows []panelRow
	for i := range v.panel.Sections {
		s := &v.panel.Sections[i]
		if s.ID != section || !v.has(s.Only) {
			continue
		}
		for j := range s.Rows {
			r := &s.Rows[j]
			row := panelRow{PanelRow: r, label: v.text(r.Label), value: v.value(r), note: v.text(r.Note)}
			if v.has(r.Only) && row.value != "" {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// valueOf returns the value of the row with an id, "" without one.
func (v *panelView) valueOf(section, id string) string {
	for _, row := range v.rows(section) {
		if row.ID == id {
			return row.value
		}
	}
	return ""
}

// rest returns the ids of the sections that follow some, in their order.
func (v *panelView) rest(drawn ...string) []string {
	var ids []string
	if v.panel != nil {
		for i := range v.panel.Sections {
			if id := v.panel.Sections[i].ID; !slices.Contains(drawn, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// has reports whether this form has a row or section of the given form.
func (v *panelView) has(only api.PanelForm) bool { return only == "" || (only == "short") == v.short }

// value returns the value of a row in this form and at this time.
func (v *panelView) value(r *api.PanelRow) string {
	if len(r.Dated) == 0 {
		if v.short && r.Short.Text != "" {
			return v.text(r.Short)
		}
		return v.text(r.Value)
	}
	at := -1
	for i := range r.Dated {
		if int64(r.Dated[i].From) <= v.now.UnixMilli() {
			at = i
		}
	}
	if at < 0 {
		return ""
	}
	d := &r.Dated[at]
	if d.At == nil {
		return v.text(d.Value)
	}
	return v.text(api.Text{Text: strings.Replace(d.Value.Text, core.Time, v.written(time.UnixMilli(int64(*d.At)), d.As), 1)})
}

// written writes a time in a form.
func (v *panelView) written(at time.Time, as api.TimeForm) string {
	switch as {
	case "minutes":
		return itoa((at.UnixMilli()-v.now.UnixMilli())/60_000+1) + " min"
	case "age":
		return Age(v.now.Sub(at))
	}
	if at = at.In(v.now.Location()); at.Format(time.DateOnly) != v.now.Format(time.DateOnly) {
		return at.Format("2006-01-02 15:04")
	}
	return at.Format("15:04")
}

// ascii replaces the characters of texts of the panel that a terminal without Unicode cannot show.
var ascii = strings.NewReplacer(" · ", " - ", "–", "-", "−", "-", " ×", " x", "≥", ">=", "≤", "<=", "’", "'")

// text returns a text of the panel, safe to print.
func (v *panelView) text(t api.Text) string {
	if !v.s.Unicode {
		return v.s.Clean(ascii.Replace(t.Text))
	}
	return v.s.Clean(t.Text)
}

// toneColor returns the color of a tone.
func toneColor(tone api.Tone) string {
	switch tone {
	case "strong":
		return strong
	case "quiet":
		return faint
	case "", "plain":
		return plain
	}
	return levelColor(api.Level(tone))
}
