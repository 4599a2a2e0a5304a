// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"context"
	"hash/maphash"
	"os"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// Some agents write their messages as lines, and what was measured of them into a small document beside, which they
// rewrite. Such a document becomes a record of its own whenever it has changed: {"beside":NAME,"data":{…}}. It comes
// behind the lines that were there when it was read.

// A sidecarReader follows one sidecar.
type sidecarReader struct {
	Sidecar
	info    os.FileInfo
	given   uint64 // a hash of what was given
	reducer Reducer
}

func newSidecars(sidecars []Sidecar) (list []sidecarReader) {
	for _, each := range sidecars {
		d := sidecarReader{Sidecar: each}
		d.again()
		list = append(list, d)
	}
	return list
}

// again has the document read from its beginning.
func (d *sidecarReader) again() {
	d.info, d.given = nil, 0
	if d.Reduce != nil {
		d.reducer = d.Reduce()
	}
}

// sidecarTail follows the lines, and then the documents beside them.
type sidecarTail struct {
	lines     lineTail
	documents []sidecarReader
	pending   Queue
}

func (t *sidecarTail) Position() int64 { return t.lines.offset }

func (t *sidecarTail) Next(ctx context.Context, b *Batch) error {
	reset := false
	if len(t.pending) == 0 {
		if err := t.lines.Next(ctx, b); err != nil {
			return err
		}
		if b.Reset {
			for i := range t.documents {
				t.documents[i].again()
			}
		}
		if reset = b.Reset; b.Count > 0 {
			return nil
		}
	}
	err := t.pending.Next(ctx, b, t.look)
	b.Reset = reset
	return err
}

// look reads the documents that have changed. One that is being written is read the next time.
func (t *sidecarTail) look(context.Context, *Batch) error {
	for i := range t.documents {
		d := &t.documents[i]
		info, err := os.Stat(d.Path)
		if err != nil || d.info != nil && info.Size() == d.info.Size() && !ChangedTime(d.info, info) && os.SameFile(info, d.info) {
			continue
		}
		var text []byte
		ok := false
		if d.reducer != nil {
			text, ok = d.reducer.Read(d.Path)
		} else {
			text, ok = safefile.Small(d.Path)
		}
		if !ok {
			d.info = info
			continue
		}
		text = TrimSpace(text)
		if v, err := json.Parse(text); err != nil || v.Kind() != json.Object {
			continue
		}
		d.info = info
		if sum := maphash.Bytes(HashSeed, text); sum != d.given {
			d.given = sum
			record := append([]byte(`{"beside":"`+d.Name+`","data":`), text...)
			t.pending = append(t.pending, append(record, '}'))
		}
	}
	return nil
}

// SidecarsTime is when a transcript or one of its documents last changed.
func SidecarsTime(path string, sidecars []Sidecar) (latest time.Time, size int64) {
	paths := []string{path}
	for _, d := range sidecars {
		paths = append(paths, d.Path)
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			size += info.Size()
			if info.ModTime().After(latest) {
				latest = info.ModTime()
			}
		}
	}
	return latest, size
}

// OpenWithSidecars starts at the beginning of a transcript of lines with documents next to it.
func OpenWithSidecars(path string, sidecars []Sidecar) Tail {
	return &sidecarTail{lines: lineTail{path: path, line: 1}, documents: newSidecars(sidecars)}
}
