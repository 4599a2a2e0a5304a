// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
)

// BenchmarkSave measures how long a request waits for a save: a ledger of 10 KB, one of a hundred sessions, while
// earlier ones are synced in the background. The CPU time includes the syncs.
func BenchmarkSave(b *testing.B) {
	s := OpenLedgers(b.TempDir())
	defer s.Sync()
	var files []string
	for i := range 100 {
		files = append(files, s.Next(fmt.Sprintf("%032d", i)))
	}
	saved := Saved{Schema: SavedSchema, Session: "chat", Ledger: json.RawMessage(`{"fill":"` + strings.Repeat("x", 10<<10) + `"}`)}
	var took []time.Duration
	begin := rusage.Used()
	for i := 0; b.Loop(); i++ {
		at := time.Now()
		if err := s.Save(files[i%len(files)], saved); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(at))
	}
	b.ReportMetric(float64(rusage.Used()-begin)/float64(len(took)), "cpu-ns/op")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "median-ns")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
}
