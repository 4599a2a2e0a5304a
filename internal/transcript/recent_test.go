// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTheLastMarkIsFoundAtAnyPosition compares the search from the end with the library's, including marks that
// cross two steps, overlap themselves or are longer than the text.
func TestTheLastMarkIsFoundAtAnyPosition(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for _, mark := range []string{"a", "ab", "aab", "abab", strings.Repeat("a", 20)} {
		for range 300 {
			text := make([]byte, random.IntN(40_000))
			for i := range text {
				text[i] = "ab-----"[random.IntN(7)]
			}
			if at := random.IntN(len(text) + 1); at+len(mark) <= len(text) && random.IntN(2) == 0 {
				for i := range text {
					text[i] = '-'
				}
				copy(text[at:], mark)
			}
			if got, want := lastIndex(text, []byte(mark)), bytes.LastIndex(text, []byte(mark)); got != want {
				t.Fatalf("%q in %d bytes: at %d, not at %d", mark, len(text), got, want)
			}
		}
	}
}

// marked are marks like those of agents whose first record alone names the session, and whose model is in other
// records.
var marked = &Marks{Compacted: `"compacted"`, Measured: `"usage"`, Head: `"meta"`, Model: `"model"`, Fixed: []string{`"tools"`, `"system"`}}

// recentOf returns the records of a tail of the end of a transcript.
func recentOf(t *testing.T, text string, m *Marks) (recent, preview []string, begins, length int64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tail, err := RecentTail(path, m)
	if err != nil {
		t.Fatal(err)
	}
	begins = tail.Position()
	if BeginsWithin(tail) != (begins > 0) {
		t.Errorf("a tail at %d begins within the transcript: %v", begins, BeginsWithin(tail))
	}
	recent, _ = drainTail(t, tail)
	short, length := Preview(path, m)
	for _, at := range []int64{begins, short.Position()} {
		if at > 0 && text[at-1:at+1] != "\n{" {
			t.Errorf("at %d no record begins", at)
		}
	}
	if want := int64(len(text)) - short.Position(); length != want {
		t.Errorf("the preview has %d bytes, want %d", length, want)
	}
	preview, _ = drainTail(t, short)
	return recent, preview, begins, length
}

// TestTheEndOfATranscriptHasWhatIsNeeded checks which records of a long transcript are read: the head, the last model
// and the fixed context from before, the last measured request before the last compaction, and everything after that.
func TestTheEndOfATranscriptHasWhatIsNeeded(t *testing.T) {
	long := strings.Repeat("x", tailFirst/8)
	filler := func(n int) string { return fmt.Sprintf(`{"n":%d,"t":"%s"}`, n, long) }
	usage := func(n int) string { return fmt.Sprintf(`{"usage":%d}`, n) }
	var lines []string
	add := func(more ...string) { lines = append(lines, more...) }
	add(`{"meta":1}`, `{"system":"old"}`, `{"system":"new"}`, `{"model":"a"}`, `{"tools":1}`, `{"model":"b"}`)
	for n := range 40 {
		add(filler(n), usage(n))
	}
	before := len(lines)
	add(`{"user":"last"}`, `{"compacted":1}`, `{"summary":1}`, filler(100), usage(100))
	recent, preview, begins, _ := recentOf(t, strings.Join(lines, "\n")+"\n", marked)
	want := append([]string{`{"meta":1}`, `{"model":"b"}`, `{"system":"new"}`, `{"tools":1}`}, lines[before-1:]...)
	if !slices.Equal(recent, want) {
		t.Errorf("after a compaction %d records are read, want %d: %.300q", len(recent), len(want), recent)
	}
	if begins == 0 || !slices.Equal(preview, append([]string{`{"meta":1}`, `{"model":"b"}`}, lines[before-1:]...)) {
		t.Errorf("the preview has %.300q", preview)
	}

	// Without a compaction, the last measured requests are enough.
	lines = lines[:before]
	recent, preview, _, _ = recentOf(t, strings.Join(lines, "\n")+"\n", marked)
	if n := len(recent); n < 4+2*tailMeasures-1 || n > 4+4*tailMeasures || !slices.Equal(recent[n-2:], lines[before-2:]) {
		t.Errorf("without a compaction %d records are read", n)
	}
	if want := 2 + 2*glimpseMeasures - 1; len(preview) != want || preview[2] != usage(40-glimpseMeasures) {
		t.Errorf("the preview has %d records, want %d: %.200q", len(preview), want, preview)
	}
	longTurns := *marked
	longTurns.LongTurns = true
	if _, preview, _, _ = recentOf(t, strings.Join(lines, "\n")+"\n", &longTurns); len(preview) < 50 {
		t.Errorf("the preview of an agent with long turns has %d records", len(preview))
	}

	// The part that is searched may begin at the end of a record.
	record := func(length int) string { return `{"usage":1,"t":"` + strings.Repeat("x", length-19) + "\"}\n" }
	even := strings.Repeat(record(1024), 999) + record(1023)
	if recent, _, begins, _ = recentOf(t, even, &Marks{Compacted: `"compacted"`, Measured: `"usage"`}); len(recent) != 256 || begins != 744*1024 {
		t.Errorf("%d records are read from %d", len(recent), begins)
	}

	if recent, _, begins, _ = recentOf(t, even, &Marks{Measured: `"usage"`}); len(recent) != 256 || begins != 744*1024 {
		t.Errorf("without a mark of compactions, %d records are read from %d", len(recent), begins)
	}

	odd := record(1025) + strings.Repeat(record(1024), 255)
	if recent, _, begins, _ = recentOf(t, odd, &Marks{Compacted: `"compacted"`, Measured: `"usage"`}); len(recent) != 255 || begins != 1025 {
		t.Errorf("without the first byte, %d records are read from %d", len(recent), begins)
	}

	// The last measured request before a compaction may be far away, for a preview too far.
	for _, far := range []int{16, 40} {
		lines := []string{`{"meta":1}`, usage(0)}
		for n := range far {
			lines = append(lines, filler(n))
		}
		lines = append(lines, `{"compacted":1}`, `{"user":"last"}`)
		recent, preview, begins, length := recentOf(t, strings.Join(lines, "\n")+"\n", marked)
		if begins != 11 || len(recent) != len(lines) {
			t.Errorf("%d records before a compaction, the end begins at %d and has %d records", far, begins, len(recent))
		}
		if whole := len(preview) == len(lines); whole != (far == 16) || !whole && !slices.Equal(preview[1:], lines[len(lines)-2:]) {
			t.Errorf("%d records before a compaction, the preview has %d records and %d bytes", far, len(preview), length)
		}
	}

	// The last record may be longer than what is searched first.
	unfinished := strings.Repeat(record(1024), 100) + `{"user":"` + strings.Repeat("x", tailFirst)
	if _, _, begins, _ = recentOf(t, unfinished, &Marks{Compacted: `"compacted"`, Measured: `"usage"`}); begins != 0 {
		t.Errorf("with a long last record, the end begins at %d", begins)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(unfinished+strings.Repeat(`{"usage":1}`, glimpseBytes/11)), 0o600); err != nil {
		t.Fatal(err)
	}
	if tail, length := Preview(path, marked); length != 0 || !BeginsWithin(tail) {
		t.Errorf("the preview of a record that is too long has %d bytes", length)
	}

	// A transcript whose first record is not a head has no lead, and one without measurements is read as far as allowed.
	other := *marked
	other.Head = `"another"`
	if recent, preview, _, _ = recentOf(t, strings.Join(lines, "\n")+"\n", &other); recent[0] != `{"system":"new"}` || preview[0] == `{"meta":1}` {
		t.Errorf("without a head it begins with %.100q, and the preview with %.100q", recent[0], preview[0])
	}
	other = Marks{Compacted: `"compacted"`}
	recent, _, begins, length := recentOf(t, strings.Join(lines, "\n")+"\n", &other)
	if begins != 0 || len(recent) != len(lines) || length > glimpseBytes || length < glimpseBytes-tailFirst/4 {
		t.Errorf("without measurements it begins at %d, and has %d records; its preview has %d bytes", begins, len(recent), length)
	}
	if recent, preview, begins, _ = recentOf(t, "{\"meta\":1}\n{\"usage\":1}\n", marked); begins != 0 || len(recent) != 2 || len(preview) != 2 && len(preview) != 1 {
		t.Errorf("a short transcript begins at %d: %q, %q", begins, recent, preview)
	}
	if _, err := RecentTail(filepath.Join(t.TempDir(), "none"), marked); err == nil {
		t.Error("a missing transcript has an end")
	}
	if tail, length := Preview(filepath.Join(t.TempDir(), "none"), marked); tail != nil || length != 0 {
		t.Error("a missing transcript has a preview")
	}
}

// TestTheModelIsFoundInEveryStep checks the record that names the model if the search, which reads backward in steps,
// divides it anywhere, and that a record with several parts of the fixed context is returned once.
func TestTheModelIsFoundInEveryStep(t *testing.T) {
	const head, model, end = `{"meta":1,"model":"old"}`, `{"type":"model"}`, `{"usage":1}`
	for shift := range len(model) + 5 {
		rest := tailFirst + shift - 2 - len(model) - 1
		if shift == len(model)+4 {
			rest = 20 // no step at all
		}
		filler := `{"user":"` + strings.Repeat("x", rest-12) + `"}`
		lines := []string{head, `{"tools":1,"system":1}`, model, filler, end, `{"compacted":1}`, `{"system":"later"}`}
		recent, preview, _, _ := recentOf(t, strings.Join(lines, "\n")+"\n", marked)
		if want := []string{head, model, lines[1], end, lines[5], lines[6]}; !slices.Equal(recent, want) {
			t.Errorf("divided at %d, %d records are read: %.200q", shift, len(recent), recent)
		}
		one := *marked
		one.Fixed = one.Fixed[:1]
		if recent, _, _, _ := recentOf(t, strings.Join(lines, "\n")+"\n", &one); len(recent) != 6 {
			t.Errorf("with one part of the fixed context, %d records are read", len(recent))
		}
		if want := []string{head, model, end, lines[5], lines[6]}; !slices.Equal(preview, want) {
			t.Errorf("divided at %d, the preview has %d records: %.200q", shift, len(preview), preview)
		}
	}
}
