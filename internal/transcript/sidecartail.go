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

// Some agents write their messages as lines and the measurements in a small document next to them, which they rewrite.
// Whenever such a document has changed, it becomes a record of its own, {"beside":NAME,"data":{…}}, which follows the
// lines present when it was read.

// A sidecarReader follows one sidecar.
type sidecarReader struct {
	Sidecar
	info    os.FileInfo
	given   uint64 // hash of the returned document
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

// again makes the next read start at the beginning of the document.
func (d *sidecarReader) again() {
	d.info, d.given = nil, 0
	if d.Reduce != nil {
		d.reducer = d.Reduce()
	}
}

// sidecarTail returns the lines first and then the documents next to them.
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

// look queues the documents that have changed. One that is being written is read the next time.
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

// SidecarsTime returns the time of the last change of a transcript and its documents, and their total size.
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

// OpenWithSidecars returns a tail at the beginning of a transcript of lines with documents next to it.
func OpenWithSidecars(path string, sidecars []Sidecar) Tail {
	return &sidecarTail{lines: lineTail{path: path, line: 1}, documents: newSidecars(sidecars)}
}
