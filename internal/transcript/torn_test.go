// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
)

// TestALineOfBrokenRecordsCostsLittle checks that half a megabyte in which thousands of records begin, and end nowhere
// or in the middle of another, is given up soon, and that a record after a few broken ones is still found.
func TestALineOfBrokenRecordsCostsLittle(t *testing.T) {
	for name, line := range map[string]string{
		"nested":      strings.Repeat(`{"a":`, 100_000),
		"alternating": strings.Repeat(`{"a":{"b":x{"a":1}`, 30_000),
		"in strings":  strings.Repeat(`{"a":"\`, 70_000),
	} {
		took := rusage.Least(3, time.Second, func() {
			var b Batch
			b.addLine([]byte(line))
		})
		if took > 5*time.Second { // without the limit it took a minute
			t.Errorf("%s: %d bytes take %v", name, len(line), took)
		}
	}
	var b Batch
	b.addLine([]byte(strings.Repeat(`{"a":[`, mostTorn-2) + `{"a":"whole"}`))
	if n := b.Count; n != 2 || string(b.Record(1)) != `{"a":"whole"}` {
		t.Errorf("behind broken records there are %d, the last one %s", n, b.Record(n-1))
	}
}
