// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"fmt"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// A CountedBy compares an added vocabulary with measured requests: its count of their new texts, and the tokens
// measured for these.
type CountedBy struct {
	Name     string   `json:"name"`
	Models   []string `json:"models"`
	Requests int64    `json:"requests"`
	Counted  int64    `json:"counted"`
	Held     int64    `json:"held"`
	Off      float64  `json:"off"` // difference in percent of the count; positive if the measured number is higher
}

// Drift sums up the steps of a session for each added vocabulary.
type Drift struct {
	added []string
	sums  []*CountedBy
}

// NewDrift returns a Drift for the families of the added vocabularies.
func NewDrift(added []string) *Drift { return &Drift{added: added} }

// Add adds a step. A step that is off by much more than a tokenizer can be has another cause and is ignored; sessions
// ignore such steps too when they learn their ratio.
func (d *Drift) Add(step follow.Step) {
	if step.Texts < 40 || step.Held < step.Texts*2/5 || step.Held > step.Texts*5/2 {
		return
	}
	m, known := model.Find(step.Model, "", "")
	if !known || !slices.Contains(d.added, m.Family) {
		return
	}
	at := slices.IndexFunc(d.sums, func(v *CountedBy) bool { return v.Name == m.Family })
	if at < 0 {
		at = len(d.sums)
		d.sums = append(d.sums, &CountedBy{Name: m.Family})
	}
	v := d.sums[at]
	if !slices.Contains(v.Models, step.Model) {
		v.Models = append(v.Models, step.Model)
	}
	v.Requests++
	v.Counted += step.Texts
	v.Held += step.Held
}

// Found returns the comparison for each vocabulary with at least one step.
func (d *Drift) Found() []CountedBy {
	out := []CountedBy{}
	for _, v := range d.sums {
		v.Off = float64((v.Held-v.Counted)*10000/v.Counted) / 100
		out = append(out, *v)
	}
	return out
}

// A vocabulary is considered wrong if it is off by more than oddPercent over at least oddRequests requests. The
// vocabularies tested so far are off by less than 1%.
const (
	oddPercent  = 3
	oddRequests = 10
)

// Odd reports whether a vocabulary is off by so much, in enough requests, that it cannot be the provider's.
func (v *CountedBy) Odd() bool {
	return v.Requests >= oddRequests && (v.Off > oddPercent || v.Off < -oddPercent)
}

// Difference returns the difference in percent, with its sign.
func (v *CountedBy) Difference() string { return fmt.Sprintf("%+.2f%%", v.Off) }

func (v *CountedBy) String() string {
	return fmt.Sprintf("%s: %s tokens of new text in %d requests, but %s were measured (%s)", v.Name, terminal.Digits(v.Counted), v.Requests, terminal.Digits(v.Held), v.Difference())
}
