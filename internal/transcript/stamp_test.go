// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// TestAStampIdentifiesTheContentOfAFile checks that a change of the size, of the time, or of the first and last bytes
// changes the stamp, and that reading does not.
func TestAStampIdentifiesTheContentOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	at := time.Now().Add(time.Hour).Truncate(time.Second)
	stamp := func(text string, at time.Time) Stamp {
		dirstest.Write(t, path, text)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		stamp, changed, err := StampOf(path)
		if err != nil || changed.Before(at) {
			t.Fatalf("changed at %v, want %v or later: %v", changed, at, err)
		}
		again, _, _ := StampOf(path)
		if stamp != again {
			t.Error("two looks give two stamps")
		}
		return stamp
	}
	text := strings.Repeat("a", 3*(stampedHead+stampedTail))
	seen := map[Stamp]string{stamp(text, at): "the file"}
	for what, other := range map[string]Stamp{
		"another first byte":   stamp("b"+text[1:], at),
		"another last byte":    stamp(text[1:]+"b", at),
		"another size":         stamp(text+"a", at),
		"another time":         stamp(text, at.Add(time.Minute)),
		"the end of the head":  stamp(text[:stampedHead-1]+"b"+text[stampedHead:], at),
		"the start of the end": stamp(text[:len(text)-stampedTail]+"b"+text[len(text)-stampedTail+1:], at),
	} {
		if same, ok := seen[other]; ok {
			t.Errorf("%s has the stamp of %s", what, same)
		}
		seen[other] = what
	}
	was := stamp(text, at)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !statusChanged(before).IsZero() {
		for after := before; statusChanged(after).Equal(statusChanged(before)); after, _ = os.Stat(path) {
			dirstest.Write(t, path, text[:len(text)/2]+"b"+text[len(text)/2+1:])
			if err := os.Chtimes(path, before.ModTime(), before.ModTime()); err != nil {
				t.Fatal(err)
			}
		}
		if is, changed, _ := StampOf(path); is == was || !changed.Equal(before.ModTime()) {
			t.Errorf("a file that was rewritten in its middle has its stamp, or was changed at %v", changed)
		}
		old := before.ModTime().AddDate(-9, 0, 0)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		if _, changed, _ := StampOf(path); !changed.After(old.AddDate(5, 0, 0)) {
			t.Errorf("a file that got an older time was changed at %v", changed)
		}
	}
	if at := statusChanged(sized{}); !at.IsZero() {
		t.Errorf("without its data, a file was changed at %v", at)
	}
	if _, _, err := StampOf(path + ".gone"); err == nil {
		t.Error("a file that is gone has a stamp")
	}
}

// TestAStampDependsOnBothEndsOfAFile checks a file that is rewritten without a change of its times or its size.
func TestAStampDependsOnBothEndsOfAFile(t *testing.T) {
	text := strings.Repeat("a", 3*(256+4<<10))
	stamp := func(at int, fields ...int64) Stamp {
		changed := text
		if at >= 0 {
			changed = text[:at] + "b" + text[at+1:]
		}
		return stampOf(strings.NewReader(changed), int64(len(changed)), fields...)
	}
	same := stamp(-1, 1, 2)
	for at, changes := range map[int]bool{0: true, 255: true, 256: false, len(text) - 4097: false, len(text) - 4096: true, len(text) - 1: true} {
		if changed := stamp(at, 1, 2) != same; changed != changes {
			t.Errorf("a change at %d of %d changes the stamp: %v", at, len(text), changed)
		}
	}
	if stamp(-1, 1, 3) == same || stamp(-1, 2, 1) == same || stamp(-1, 1) == same {
		t.Error("the stamp does not depend on the numbers")
	}
}

// TestAGzippedTranscriptReadsLikeAPlainOne checks the other compression, and that a file that was replaced is read
// again.
func TestAGzippedTranscriptReadsLikeAPlainOne(t *testing.T) {
	pack := func(lines ...string) string {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		fmt.Fprintln(w, strings.Join(lines, "\n"))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	path := filepath.Join(t.TempDir(), "s.jsonl.gz")
	packed := pack(`{"a":1}`, "", `{"a":2}`)
	dirstest.Write(t, path, packed)
	if !IsCompressed([]byte(packed)) || IsCompressed([]byte(`{"a":1}`)) {
		t.Error("compression is not recognized by the first bytes")
	}
	tail := Open(Session{Path: path, Form: Compressed})
	got, reset := drainTail(t, tail)
	dirstest.Expect(t, "at first", got, `{"a":1}`, `{"a":2}`)
	if reset || tail.Position() != 17 {
		t.Errorf("reset %v, position %d", reset, tail.Position())
	}
	got, reset = drainTail(t, tail)
	if dirstest.Expect(t, "again", got); reset {
		t.Error("nothing has changed")
	}
	dirstest.Write(t, path, pack(`{"b":1}`))
	os.Chtimes(path, dirstest.FileTime, dirstest.FileTime)
	got, reset = drainTail(t, tail)
	if dirstest.Expect(t, "another file", got, `{"b":1}`); !reset {
		t.Error("a replaced file is not a reset")
	}
}

// TestAFileMayUnpackOnlySoFar checks that reading ends at the limit, and that a file that ends there is whole.
func TestAFileMayUnpackOnlySoFar(t *testing.T) {
	for size, whole := range map[int]bool{9: true, 10: true, 11: false} {
		for name, reader := range map[string]io.Reader{
			"the end comes after the last byte": likeDecoder{strings.NewReader(strings.Repeat("a", size))},
			"each byte comes alone":             iotest.OneByteReader(strings.NewReader(strings.Repeat("a", size))),
			"the end comes with the last byte":  iotest.DataErrReader(strings.NewReader(strings.Repeat("a", size))),
		} {
			b := bounded{Reader: reader, left: 10, most: 10}
			text, err := io.ReadAll(&b)
			if (err == nil) != whole || len(text) != min(size, 10) {
				t.Errorf("if %s, of %d bytes %d are read: %v", name, size, len(text), err)
			}
		}
	}
	if MostUnpacked(0) != unpackedAnyway || MostUnpacked(1000) != unpackedAnyway+200_000 {
		t.Errorf("1,000 bytes may unpack to %d", MostUnpacked(1000))
	}
}

// likeDecoder reads nothing into an empty buffer, not even the end, like the decoders.
type likeDecoder struct{ io.Reader }

func (r likeDecoder) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	return r.Reader.Read(p)
}
