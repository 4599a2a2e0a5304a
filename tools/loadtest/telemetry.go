// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
)

const (
	// between is the interval between two reports; a daemon sends one a minute by default.
	between = 5 * time.Second
	// slowness is how long the collector takes to respond: longer than the interval between two reports.
	slowness = 7 * time.Second
)

// tenth is the maximum ratio of a sending daemon's p99 to a silent daemon's.
const tenth = 1.1

// compareTelemetry measures how sending to a slow collector affects updates. A round runs a sending and a silent daemon
// in direct succession, alternating the order, so that other load on the machine affects both. The result is the median
// over the rounds of the ratio of the two, with its confidence interval. It returns an error if the ratio is certainly
// above tenth.
func compareTelemetry(program, engine, dir string, rate int, last time.Duration, rounds, sessions int) error {
	var reports atomic.Int64
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		reports.Add(1)
		select {
		case <-time.After(slowness):
		case <-r.Context().Done():
		}
	}))
	defer collector.Close()
	interval := strconv.FormatInt(between.Milliseconds(), 10)
	if err := os.Setenv("OTEL_METRIC_EXPORT_INTERVAL", interval); err != nil { // inherited by the daemons
		return err
	}
	var p99 [2][]float64
	var ratios []float64
	for round := range rounds {
		var pair [2]float64
		for turn := range 2 {
			sending := (round + turn) % 2
			more = nil
			if sending == 1 {
				more = []string{"--otlp=" + collector.URL}
			}
			r, err := measureLoad(program, engine, dir, sessions, cmp.Or(sessions/10, 1), rate, last)
			if err != nil {
				return err
			}
			pair[sending] = ms(percentile(r.late, 99))
			p99[sending] = append(p99[sending], pair[sending])
		}
		ratios = append(ratios, pair[1]/pair[0])
		fmt.Printf("round %2d: p99 of an update %6.2f ms silent, %6.2f ms sending, %.2f times\n", round+1, pair[0], pair[1], pair[1]/pair[0])
	}
	for i, name := range []string{"silent", "sending"} {
		s := spreadOf(p99[i])
		fmt.Printf("%-8s p99: median %.2f ms, half of the rounds between %.2f and %.2f ms\n", name, s.median, s.quarter, s.threeQuarters)
	}
	s := spreadOf(ratios)
	fmt.Printf("%d rounds at %d updates a second of %d sessions; %d reports, one each %v, went to a collector that takes %v\n", rounds, rate, sessions, reports.Load(), between, slowness)
	fmt.Printf("sending is %.3f times silent by the median of the rounds, 95 %% sure between %.3f and %.3f: %s\n", s.median, s.low, s.high, s.verdict())
	if s.low > tenth {
		return errors.New("sending delays updates by more than a tenth")
	}
	return nil
}

// A spread summarizes several measurements of a quantity: their median, the quartiles, and the range that contains the
// true median in 19 of 20 cases, whatever the distribution.
type spread struct{ median, quarter, threeQuarters, low, high float64 }

func spreadOf(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	// Of n measurements, n/2 ± √n/2 are below the true median: 1.96 of these deviations are 95%.
	outer := max(0, int(math.Floor(float64(n)/2-0.98*math.Sqrt(float64(n))))-1)
	return spread{
		median: (sorted[(n-1)/2] + sorted[n/2]) / 2, quarter: sorted[n/4], threeQuarters: sorted[n-1-n/4],
		low: sorted[outer], high: sorted[n-1-outer],
	}
}

// verdict returns what a spread of ratios shows.
func (s spread) verdict() string {
	switch {
	case s.high <= tenth:
		return "within a tenth"
	case s.low > tenth:
		return "more than a tenth"
	}
	return "these rounds do not decide whether it is within a tenth"
}
