// Copyright The ctx-lsp authors. MIT licence.

package otlp

// An instrument is one measured quantity.
type instrument struct {
	Name   string    `json:"name"`
	Unit   string    `json:"unit"` // "1" for a share, which is not an integer
	Kind   string    `json:"kind"` // gauge, counter, histogram, or dropped: the number of reports given up by this program
	Text   string    `json:"text"`
	Bounds []float64 `json:"bounds,omitempty"` // the upper ends of a histogram's buckets
}

// A point is one value of an instrument, with attributes.
type point struct {
	Of         string            `json:"of"` // the instrument's name
	Value      float64           `json:"value"`
	Attributes map[string]string `json:"attributes,omitempty"`
}

// A line is one line of the input. The first one contains the instruments.
type line struct {
	Instruments []instrument `json:"instruments,omitempty"`
	Count       *point       `json:"count,omitempty"`  // added to a counter, or recorded in a histogram
	Asked       int64        `json:"asked,omitempty"`  // the number of the Ask that this answers
	Gauges      []point      `json:"gauges,omitempty"` // the current values of all gauges
	Close       *int64       `json:"close,omitempty"`  // send a last report with these gauges, for at most this many milliseconds
}

// A reply is one line of the output.
type reply struct {
	Ready   bool   `json:"ready,omitempty"` // the settings are valid
	Ask     int64  `json:"ask,omitempty"`   // requests all gauges, for the next report
	Say     string `json:"say,omitempty"`   // a message: sending has failed, or works again
	Trouble bool   `json:"trouble,omitempty"`
	Error   string `json:"error,omitempty"` // why nothing can be sent; the program ends
}
