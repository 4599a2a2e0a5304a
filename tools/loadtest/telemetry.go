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
	// between lies between two reports; a daemon that nobody has told otherwise sends one a minute.
	between = 5 * time.Second
	// slowness is how long the collector of the measurement takes for an answer: longer than lies between two reports.
	slowness = 7 * time.Second
)

// tenth is how much later than a silent daemon's the p99 of one that sends may be.
const tenth = 1.1

// compareTelemetry measures what sending to a slow collector costs an update. A round has a daemon that sends and one
// that does not right after each other, in the other order each time, so that what else the machine does in these
// seconds is in both. What counts is the ratio of the two, and its median over the rounds, with the range in which the
// median of any number of rounds would lie. The error is that sending is shown to cost more than a tenth.
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
	if err := os.Setenv("OTEL_METRIC_EXPORT_INTERVAL", interval); err != nil { // of the daemons
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

// A spread is what several measurements of one thing say: their median, half of them around it, and the range in which
// the true median lies in 19 of 20 cases, whatever their distribution.
type spread struct{ median, quarter, threeQuarters, low, high float64 }

func spreadOf(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	// Of n measurements, n/2 ± √n/2 lie below the true median: 1.96 of these deviations are 95 %.
	outer := max(0, int(math.Floor(float64(n)/2-0.98*math.Sqrt(float64(n))))-1)
	return spread{
		median: (sorted[(n-1)/2] + sorted[n/2]) / 2, quarter: sorted[n/4], threeQuarters: sorted[n-1-n/4],
		low: sorted[outer], high: sorted[n-1-outer],
	}
}

// verdict says what a spread of ratios shows.
func (s spread) verdict() string {
	switch {
	case s.high <= tenth:
		return "within a tenth"
	case s.low > tenth:
		return "more than a tenth"
	}
	return "these rounds do not decide whether it is within a tenth"
}
