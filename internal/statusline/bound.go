// Copyright The ctx-lsp authors. MIT licence.

package statusline

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// WithBounds replaces the level of a Reading by the one that follows from the user's own thresholds.
func WithBounds(r *api.Reading, warn, alarm Bound) *api.Reading {
	if !warn.IsSet() && !alarm.IsSet() {
		return r
	}
	switch {
	case alarm.reached(r):
		r.Compaction.Level = "now"
	case warn.reached(r):
		r.Compaction.Level = "soon"
	default:
		r.Compaction.Level = "ok"
	}
	return r
}

// A Bound is a number of tokens, such as 160000, 160k or 1.2M, or a percentage. It is a value of a flag.
type Bound struct {
	set     bool
	percent bool
	value   float64
	text    string // what the user typed
}

// IsSet reports whether the bound has a value.
func (b Bound) IsSet() bool { return b.set }

// String returns the bound as it was typed.
func (b *Bound) String() string { return b.text }

// Type names the value in the help.
func (b *Bound) Type() string { return "N|P%" }

// Set reads the bound.
func (b *Bound) Set(text string) error {
	number, unit := text, 1.0
	b.set, b.text = true, text
	switch {
	case strings.HasSuffix(text, "%"):
		b.percent, number = true, strings.TrimSuffix(text, "%")
	case strings.HasSuffix(text, "k"), strings.HasSuffix(text, "K"):
		unit, number = 1e3, text[:len(text)-1]
	case strings.HasSuffix(text, "m"), strings.HasSuffix(text, "M"):
		unit, number = 1e6, text[:len(text)-1]
	}
	var value float64
	var rest string
	if n, _ := fmt.Sscanf(number+" ", "%g%s", &value, &rest); n != 1 || value < 0 {
		return errors.New("expected a number of tokens such as 160000, 160k or 1.2M, or a percentage such as 80%")
	}
	b.value = value * unit
	return nil
}

func (b Bound) reached(r *api.Reading) bool {
	switch {
	case !b.set:
		return false
	case b.percent:
		return r.Percent != nil && r.Percent.Float() >= b.value
	}
	return float64(r.Used) >= b.value
}
