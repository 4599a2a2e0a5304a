// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync/atomic"
	"time"
)

// slowness is how long the collector of the measurement takes for an answer: longer than lies between two reports.
const slowness = 3 * time.Second

// compareTelemetry measures what sending to a slow collector costs an update. Daemons that send and daemons that do not
// take turns, in the other order each time, and are reported by the median of their rounds.
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
	if err := os.Setenv("OTEL_METRIC_EXPORT_INTERVAL", "1000"); err != nil { // of the daemons
		return err
	}
	var p99 [2][]time.Duration
	for round := range rounds {
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
			p99[sending] = append(p99[sending], percentile(r.late, 99))
			fmt.Printf("%-12s late p50 %6.2f ms, p99 %6.2f ms, %.2f cores, %.0f MB\n", []string{"silent", "sending"}[sending],
				ms(percentile(r.late, 50)), ms(percentile(r.late, 99)), r.cores, r.memory)
		}
	}
	slices.Sort(p99[0])
	slices.Sort(p99[1])
	off, on := ms(p99[0][rounds/2]), ms(p99[1][rounds/2])
	least := ms(p99[1][0]) / ms(p99[0][0])
	fmt.Printf("p99 of an update: %.2f ms silent, %.2f ms while %d reports go to a collector that takes %v; %.2f times (medians of %d), %.2f times (least)\n",
		off, on, reports.Load(), slowness, on/off, rounds, least)
	return nil
}
