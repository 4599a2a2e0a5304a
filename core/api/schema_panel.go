// Copyright The ctx-lsp authors. MIT licence.

package api

// Tone is how a front end colors a row: like a level of compaction, less or more than its neighbors, or like them.
//
//wire:words plain strong quiet ok soon now over
//wire:called tone
type Tone string

// PanelForm is the form of a panel: a screen (short), or everything (long).
//
//wire:words short long
type PanelForm string

// TimeForm is how a front end writes a time: the minutes until then, rounded up; the time that has passed since then;
// or the time of day, with the date if that is another day.
//
//wire:words minutes age clock
type TimeForm string

// Panel is everything about a session in the order in which one reads it, in words. Front ends draw it row by row and
// decide nothing.
//
//wire:writes core.Panel
type Panel struct {
	Sections []PanelSection `json:"sections"`
}

// PanelSection is a part of a panel. A front end may fold it.
//
//wire:writes core.PanelSection
type PanelSection struct {
	ID    string     `json:"id"`
	Title Text       `json:"title"`
	Only  PanelForm  `json:"only,omitempty"` // the form that has the section; absent for both
	Rows  []PanelRow `json:"rows"`
}

// PanelRow is one fact, or one part of the window.
//
//wire:writes core.PanelRow
type PanelRow struct {
	ID    string `json:"id"`             // the fact's name, the same in every panel
	Label Text   `json:"label,omitzero"` // absent if the row continues the one before
	Value Text   `json:"value,omitzero"` // absent for a dated row
	Short Text   `json:"short,omitzero"` // the value in the short form, if it differs
	Note  Text   `json:"note,omitzero"`  // follows the value
	// The form that has the row; absent for both.
	Only  PanelForm   `json:"only,omitempty"`
	Tone  Tone        `json:"tone,omitempty"`  // absent for plain
	Share *Hundredths `json:"share,omitempty"` // share of the window
	Bar   *Hundredths `json:"bar,omitempty"`   // length of its bar, in percent of the longest
	// The compaction threshold's position in the bar of the window, which has the length share.
	Mark    *Hundredths `json:"mark,omitempty"`
	Kind    string      `json:"kind,omitempty"`    // of a part of the window: a Kind of the breakdown
	Depth   int64       `json:"depth,omitempty"`   // of a sub-agent: how many are above it
	Session string      `json:"session,omitempty"` // the session that the row opens
	Place   *int64      `json:"place,omitempty"`   // the line of the transcript that the row opens
	Action  string      `json:"action,omitempty"`  // the advice's action, which a front end may offer
	// Values that depend on the time: the last one that has begun applies. The row is absent before the first.
	Dated []Dated `json:"dated,omitempty"`
}

// Dated is the value of a row from a time on.
//
//wire:writes core.Dated
type Dated struct {
	From  Time     `json:"from"`
	Value Text     `json:"value,omitzero"` // absent if the row is absent from then on
	At    *Time    `json:"at,omitempty"`   // the time that replaces the first {time} in value
	As    TimeForm `json:"as,omitempty"`   // how that time is written
}

// HostRow is a row of the host's own, such as a session nearby. One with the id of a row takes its place, and removes
// it if it has no value. The rows host, opening and transcript have their places.
//
//wire:reads core.HostRow
type HostRow struct {
	ID      string   `json:"id"`
	Section string   `json:"section,omitempty" read:"readSection(&f, &to.Section)"` // for a row of a new id
	Label   Sentence `json:"label,omitempty" read:"readSentence(&f, &to.Label)"`
	Value   Sentence `json:"value,omitempty" read:"readSentence(&f, &to.Value)"`
	Note    Sentence `json:"note,omitempty" read:"readSentence(&f, &to.Note)"`
	Tone    Tone     `json:"tone,omitempty" read:"readTone(&f, &to.Tone)"`
	Session string   `json:"session,omitempty" read:"readString(&f, &to.PanelRow.Session)"`
	Place   *int64   `json:"place,omitempty"`
	Action  string   `json:"action,omitempty"`
}
