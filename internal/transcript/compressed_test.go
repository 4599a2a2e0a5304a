// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// packed returns a text compressed in each way that is read.
func packed(t *testing.T, text string) map[string]string {
	t.Helper()
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write([]byte(text)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"gzip": zipped.String(), "zstd": string(encoder.EncodeAll([]byte(text), nil))}
}

// TestLongLinesOfACompressedTranscriptAreSkipped checks that a line that is too long, and one without an end, cost only
// themselves, and that every byte is accounted for.
func TestLongLinesOfACompressedTranscriptAreSkipped(t *testing.T) {
	long := `{"b":"` + strings.Repeat("x", MaxBatch+5000) + `"}`
	longer := `{"c":"` + strings.Repeat("x", 3*MaxBatch) + `"}`
	longest := `{"d":"` + strings.Repeat("x", MaxRecord-8) + `"}`
	justOver := `{"d":"` + strings.Repeat("x", MaxRecord-7) + `"}`
	text := "{\"a\":1}\n" + long + "\n{\"a\":2}\n" + longer + "\n\n{\"a\":3}\n" + longest + "\n" + justOver + "\n{\"a\":\"half"
	for name, file := range packed(t, text) {
		path := filepath.Join(t.TempDir(), name)
		dirstest.Write(t, path, file)
		tail := Open(Session{Path: path, Form: Compressed})
		got, _ := drainTail(t, tail)
		dirstest.Expect(t, name, got, `{"a":1}`, fmt.Sprintf(`{"skipped":%d}`, len(long)), `{"a":2}`,
			fmt.Sprintf(`{"skipped":%d}`, len(longer)), `{"a":3}`, longest, fmt.Sprintf(`{"skipped":%d}`, len(justOver)), `{"skipped":10}`)
		path = filepath.Join(t.TempDir(), name)
		dirstest.Write(t, path, packed(t, longer+"\n{\"a\":1}\n")[name])
		first, _ := drainTail(t, Open(Session{Path: path, Form: Compressed}))
		dirstest.Expect(t, name+", a long line first", first, fmt.Sprintf(`{"skipped":%d}`, len(longer)), `{"a":1}`)
		if want := int64(strings.LastIndexByte(text, '\n') + 1); tail.Position() != want {
			t.Errorf("%s: position %d, want %d", name, tail.Position(), want)
		}
	}
}

// TestACompressedTranscriptMayStopAndStartOver checks that reading starts over after its caller has ended, without
// losing or repeating a record, and that a removed file says so and may come back.
func TestACompressedTranscriptMayStopAndStartOver(t *testing.T) {
	var text strings.Builder
	var want []string
	for i := range 40 {
		record := fmt.Sprintf(`{"n":%d,"t":"%s"}`, i, strings.Repeat("x", 30_000))
		want = append(want, record)
		text.WriteString(record + "\n")
	}
	for name, file := range packed(t, text.String()) {
		path := filepath.Join(t.TempDir(), name)
		dirstest.Write(t, path, file)
		tail := Open(Session{Path: path, Form: Compressed})
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		var b Batch
		if err := tail.Next(canceled, &b); !errors.Is(err, context.Canceled) || b.Count != 0 {
			t.Errorf("%s: after its caller has ended: %d records, %v", name, b.Count, err)
		}
		if err := tail.Next(t.Context(), &b); err != nil || b.Count == 0 || b.Count == len(want) || b.Reset {
			t.Fatalf("%s: %d records at first, %v", name, b.Count, err)
		}
		for _, step := range []struct {
			name string
			back func()
			want []string
		}{
			{"the same file, half read", func() { os.Rename(path+".away", path) }, want},
			{"the same file", func() { os.Rename(path+".away", path) }, nil},
			{"another file with the same contents", func() { dirstest.Write(t, path, file) }, want},
		} {
			if err := os.Rename(path, path+".away"); err != nil {
				t.Fatal(err)
			}
			if err := tail.Next(t.Context(), &b); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: while it is away: %v", name, err)
			}
			step.back()
			got, reset := drainTail(t, tail)
			dirstest.Expect(t, name+": "+step.name, got, step.want...)
			if reset != (step.want != nil) {
				t.Errorf("%s: %s: reset %v", name, step.name, reset)
			}
		}
	}
}

// TestTheBeginningOfATranscript checks that the beginning is the same whether the file is compressed or not, and that
// it is known whether there is more.
func TestTheBeginningOfATranscript(t *testing.T) {
	text := "{\"a\":1}\n{\"a\":2}\n"
	files := packed(t, text)
	files["lines"] = text
	for name, file := range files {
		s := Session{Path: filepath.Join(t.TempDir(), name), Form: Compressed}
		dirstest.Write(t, s.Path, file)
		if name == "lines" {
			s.Form = Lines
		}
		for size, whole := range map[int]bool{0: false, len(text) - 1: false, len(text): false, len(text) + 1: true, 1 << 10: true} {
			got, all, err := Beginning(&s, size)
			if err != nil || string(got) != text[:min(size, len(text))] || all != whole {
				t.Errorf("%s: the first %d bytes are %q, and that is all: %v, %v", name, size, got, all, err)
			}
		}
		dirstest.Write(t, s.Path, "")
		if got, all, err := Beginning(&s, 10); len(got) != 0 || name == "lines" && (!all || err != nil) {
			t.Errorf("%s: an empty file begins with %q, and that is all: %v, %v", name, got, all, err)
		}
		os.Remove(s.Path)
		if _, _, err := Beginning(&s, 10); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a missing file: %v", name, err)
		}
	}
	if got, all, err := Beginning(&Session{Path: t.TempDir()}, 10); err == nil {
		t.Errorf("a directory begins with %q: %v", got, all)
	}
}

// TestADamagedTranscriptIsReadUpToItsDamage checks that the records before the damage are returned, and the damage is
// reported once.
func TestADamagedTranscriptIsReadUpToItsDamage(t *testing.T) {
	for _, text := range []string{"{\"a\":1}\n{\"a\":2}\n", "{\"a\":1}\n"} {
		for name, file := range packed(t, text) {
			path := filepath.Join(t.TempDir(), name)
			dirstest.Write(t, path, file+file[:8]) // another part begins
			tail := Open(Session{Path: path, Form: Compressed})
			var got []string
			var b Batch
			for range 4 {
				if err := tail.Next(t.Context(), &b); err != nil {
					damage, _, _ := strings.Cut(err.Error(), ": ")
					got = append(got, damage)
				}
				for i := range b.Count {
					got = append(got, string(b.Record(i)))
				}
			}
			want := append(strings.Fields(text), fmt.Sprintf("%s is damaged after %d bytes of records", path, len(text)))
			dirstest.Expect(t, name, got, want...)
		}
	}
}
