// Copyright The ctx-lsp authors. MIT licence.

package api

// LinesParams are the parameters of ctx/lines.
//
//wire:reads
type LinesParams struct {
	// A Reading, or a short description of a session, as it was received; without one the templates are only checked.
	Reading Foreign             `json:"reading,omitempty" profile:"0.1" read:"raw"`
	Lines   map[string]Template `json:"lines" profile:"0.1" read:"raw"` // one or more lines, each with a name chosen by the caller
	Words   map[string]string   `json:"words,omitempty" read:"raw"`     // the caller's own fields, and translations
}

// Template is the template of a line, or a list of templates, the longest first: the first with a value for all its
// fields is used, otherwise the last.
//
//wire:type string | string[]
type Template any

// LinesAnswer is the result of ctx/lines.
type LinesAnswer struct {
	Lines map[string]string `json:"lines"` // the finished texts, by the same names; none without a Reading
}
