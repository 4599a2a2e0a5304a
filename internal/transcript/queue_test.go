// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestAQueueFillsOneBatchAfterAnother checks that records keep their order, that ordinary ones share batches, and that
// a long one has a batch of its own.
func TestAQueueFillsOneBatchAfterAnother(t *testing.T) {
	record := func(n, length int) string {
		start := fmt.Sprintf(`{"n":%d,"t":"`, n)
		fill := "."
		if length == MaxRecord {
			fill = "A" // a picture, which stays whole
		}
		return start + strings.Repeat(fill, length-len(start)-2) + `"}`
	}
	half := ordinaryBatch/2 - 1 // two of them and their comma fit
	all := []string{record(0, half), record(1, half), record(2, 20), record(3, MaxRecord), record(4, 20), record(5, MaxRecord+1), record(6, MaxRecord+1), record(7, 20)}
	var q Queue
	refills := 0
	refill := func(context.Context, *Batch) error {
		if refills++; refills == 1 {
			for _, each := range all {
				q = append(q, []byte(each))
			}
		}
		return nil
	}
	var b Batch
	var sizes, records []string
	for {
		if err := q.Next(t.Context(), &b, refill); err != nil {
			t.Fatal(err)
		}
		if b.Count == 0 {
			break
		}
		sizes = append(sizes, fmt.Sprint(b.Count, "-", b.Skipped))
		if b.Line != 0 {
			t.Errorf("records without lines are at line %d", b.Line)
		}
		for i := range b.Count {
			records = append(records, string(b.Record(i)))
		}
		if got := string(b.Span(0, b.Count-1)); got != string(b.Body) || string(b.Records()) != "["+got+"]" {
			t.Errorf("all records of a batch are %d bytes of %d", len(got), len(b.Body))
		}
	}
	if got := strings.Join(sizes, " "); got != "2-0 1-0 1-0 1-0 1-1 2-1" {
		t.Errorf("the batches have %s records and skipped ones", got)
	}
	all[5], all[6] = fmt.Sprintf(`{"skipped":%d}`, MaxRecord+1), fmt.Sprintf(`{"skipped":%d}`, MaxRecord+1)
	if strings.Join(records, ",") != strings.Join(all, ",") {
		t.Errorf("%d records come, or in another order", len(records))
	}
	if refills != 2 {
		t.Errorf("it was refilled %d times", refills)
	}
	fault := errors.New("no")
	if err := q.Next(t.Context(), &b, func(context.Context, *Batch) error { return fault }); !errors.Is(err, fault) {
		t.Errorf("a refill that fails: %v", err)
	}
}

// TestPartsOfABatchAreItsRecords checks the records between two indexes.
func TestPartsOfABatchAreItsRecords(t *testing.T) {
	var b Batch
	b.addLine([]byte(`{"a":1}{"a":2} {"a":3}`))
	for _, test := range []struct {
		first, last int
		want        string
	}{{0, 0, `{"a":1}`}, {0, 1, `{"a":1},{"a":2}`}, {1, 1, `{"a":2}`}, {1, 2, `{"a":2},{"a":3}`}, {2, 2, `{"a":3}`}} {
		if got := string(b.Span(test.first, test.last)); got != test.want {
			t.Errorf("records %d to %d are %s", test.first, test.last, got)
		}
	}
}

// TestLinesOfABatchAreItsRecords checks lines with several records, and those that are torn or are not objects.
func TestLinesOfABatchAreItsRecords(t *testing.T) {
	const skipped = "skipped"
	for line, want := range map[string][]string{
		`{"a":1}`: {`{"a":1}`}, ` {"a":1}{"a":2} `: {`{"a":1}`, `{"a":2}`}, ``: nil, `  `: nil, `x`: {skipped}, `[1]`: {skipped}, `[x"y[x"",1]`: {skipped}, `["a",["a",1]`: {skipped}, `{"a"{"a":1}`: {skipped, `{"a":1}`}, `{"`: {skipped}, `{"a`: {skipped},
		`{"a":[{"a":2}`: {skipped, `{"a":2}`}, `{"a":{"b":2}`: {skipped}, `{ "a{ "a":1}`: {skipped}, `{"a":1}x{"a":2}`: {`{"a":1}`, skipped},
		`{"` + strings.Repeat("k", 37) + `":[{"` + strings.Repeat("k", 37) + `":1}`: {skipped}, `{"` + strings.Repeat("k", 36) + `":[{"` + strings.Repeat("k", 36) + `":1}`: {skipped, `{"` + strings.Repeat("k", 36) + `":1}`},
	} {
		var b Batch
		b.addLine([]byte(line)[:len(line):len(line)])
		var got []string
		for i := range b.Count {
			record := string(b.Record(i))
			if strings.HasPrefix(record, `{"skipped":`) {
				record = skipped
			}
			got = append(got, record)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// TestABatchIsFullAtItsSize checks the size of ordinary batches, and short records.
func TestABatchIsFullAtItsSize(t *testing.T) {
	var b Batch
	if got := string(b.Records()); got != "[]" {
		t.Errorf("an empty batch is %s", got)
	}
	if !b.fits(ordinaryBatch + 1) {
		t.Error("an empty batch takes not every record")
	}
	b.add([]byte("7"))
	for n, want := range map[int]bool{ordinaryBatch - 2: true, ordinaryBatch - 1: false} {
		if b.fits(n) != want {
			t.Errorf("%d bytes fit: %v", n, !want)
		}
	}
	b.add([]byte("8"))
	if got := string(b.Records()); got != "[7,8]" {
		t.Errorf("%s", got)
	}
	b.clear()
	b.add([]byte("7"))
	b.skip(5)
	if got := string(b.Records()); got != "[7,"+string(AppendSkipped(nil, 5))+"]" || b.Skipped != 1 || b.Count != 2 {
		t.Errorf("%s, %d", got, b.Skipped)
	}
}
