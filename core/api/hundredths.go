// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Hundredths is a number with two decimals, most often a percentage: 2605 is
// 26.05. It reads and writes JSON exactly, so that no front end rounds it again.
//
//wire:type number
type Hundredths int64

// MarshalJSON writes the number as the core does.
func (h Hundredths) MarshalJSON() ([]byte, error) {
	return json.AppendHundredths(nil, int64(h)), nil
}

// UnmarshalJSON reads what the core writes.
func (h *Hundredths) UnmarshalJSON(text []byte) error {
	var doc json.Document
	v, err := doc.Parse(text)
	if err != nil {
		return err
	}
	if v.Kind() == json.Null {
		return nil
	}
	thousandths, fault := v.Milli()
	if fault != json.NumberOK {
		return notHundredths{}
	}
	*h = Hundredths(thousandths / 10)
	return nil
}

type notHundredths struct{}

func (notHundredths) Error() string { return "it must be a number with at most two decimals" }

// String formats the number with as many decimals as it needs: 26.05, 26.
func (h Hundredths) String() string { return string(json.AppendHundredths(nil, int64(h))) }

// Of returns this percentage of a whole, rounded down, for example the number of filled cells in a bar.
func (h Hundredths) Of(whole int) int { return int(int64(h) * int64(whole) / 100_00) }

// ShareOf returns the share of the window that tokens take, for counts without a share field of their own; nil if the
// window is unknown.
func ShareOf(tokens int64, limit *int64) *Hundredths {
	if limit == nil || *limit <= 0 {
		return nil
	}
	share := Hundredths(core.Share(tokens, *limit))
	return &share
}

// Float returns the number for comparing and drawing, never for printing.
func (h Hundredths) Float() float64 { return float64(h) / 100 }

// Short returns the percentage that front ends print, without decimals.
func (h Hundredths) Short() string { return core.Percent(int64(h)) }
