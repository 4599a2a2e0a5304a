// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// A series contains all measurements of a tokenizer, by class of text.
type series struct {
	tokenizer tokenizer
	rounds    int
	measured  map[string][]measurement
}

func newSeries(t tokenizer, rounds int) *series {
	return &series{tokenizer: t, rounds: rounds, measured: map[string][]measurement{}}
}

// add adds a measurement, and returns an error if it contradicts earlier ones.
func (s *series) add(class string, m measurement) error {
	if before := s.measured[class]; len(before) > 0 && before[0].Tokens != m.Tokens {
		return fmt.Errorf("%s counted %d tokens in %s in one process and %d in another", s.tokenizer.name, before[0].Tokens, class, m.Tokens)
	}
	s.measured[class] = append(s.measured[class], m)
	return nil
}

// A result contains a tokenizer's medians, for table.mjs. Speeds are in megabytes a second, by class of text.
type result struct {
	Name     string             `json:"name"`
	Encoding string             `json:"encoding"`
	Passes   int                `json:"passes"` // the number of the warm pass
	Load     float64            `json:"load"`   // ms until it was ready to count
	Memory   float64            `json:"memory"` // MB: the peak memory of a process, for the text that needs most
	Cold     map[string]float64 `json:"cold"`
	Warm     map[string]float64 `json:"warm"`
	Counts   map[string]int64   `json:"counts"`
}

func (s *series) result(encoding string) result {
	r := result{
		Name: s.tokenizer.name, Encoding: encoding, Passes: 2,
		Cold: map[string]float64{}, Warm: map[string]float64{}, Counts: map[string]int64{},
	}
	for class, all := range s.measured {
		megabytes := float64(all[0].Size) / 1e6
		r.Cold[class] = round(megabytes / median(all, func(m measurement) time.Duration { return m.First }).Seconds())
		r.Warm[class] = round(megabytes / median(all, func(m measurement) time.Duration { return m.Second }).Seconds())
		r.Counts[class] = all[0].Tokens
		r.Memory = max(r.Memory, round(float64(median(all, func(m measurement) int64 { return m.Memory }))/1e6))
	}
	everything := slices.Concat(slices.Collect(maps.Values(s.measured))...)
	r.Load = round(float64(median(everything, func(m measurement) time.Duration { return m.Load })) / float64(time.Millisecond))
	return r
}

func median[T time.Duration | int64](all []measurement, pick func(measurement) T) T {
	values := make([]T, len(all))
	for i, m := range all {
		values[i] = pick(m)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// round rounds to two decimals.
func round(x float64) float64 { return math.Round(x*100) / 100 }
