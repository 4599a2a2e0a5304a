// Copyright The ctx-lsp authors. MIT licence.

package api

// LinesParams are the parameters of ctx/lines.
//
//wire:reads
type LinesParams struct {
	// A Reading, or a session in short, as it came; without one the templates are only checked.
	Reading Foreign             `json:"reading,omitempty" profile:"0.1" read:"raw"`
	Lines   map[string]Template `json:"lines" profile:"0.1" read:"raw"` // one or more lines, each by a name of the caller's
	Words   map[string]string   `json:"words,omitempty" read:"raw"`     // fields of the caller's own, and translations
}

// Template is what a line may look like, or a list of those, the longest
// first: the first whose fields all have a value is used, else the last.
//
//wire:type string | string[]
type Template any

// LinesAnswer is the answer of ctx/lines.
type LinesAnswer struct {
	Lines map[string]string `json:"lines"` // the finished texts, by the same names; none without a Reading
}
