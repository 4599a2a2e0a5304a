// Copyright The ctx-lsp authors. MIT licence.

package conformance

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"testing"
)

// TestTheArchiveContainsEveryFile checks that the archive has the vectors and digests of the directory, byte for byte,
// and that packing them again results in the same bytes.
func TestTheArchiveContainsEveryFile(t *testing.T) {
	folder := os.DirFS(".")
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		if err := Pack(out, folder); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("packing twice results in different bytes")
	}
	archive, err := zip.NewReader(bytes.NewReader(first.Bytes()), int64(first.Len()))
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := fs.Glob(folder, "*.json")
	if err != nil || len(vectors) < 10 {
		t.Fatalf("%d files of vectors: %v", len(vectors), err)
	}
	for _, name := range append(vectors, "answers.sum") {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := fs.ReadFile(archive, name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s has %d bytes in the archive, want %d: %v", name, len(got), len(want), err)
		}
	}
}
