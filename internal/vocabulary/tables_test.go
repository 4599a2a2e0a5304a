// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of the browser extension anew")

// TestTheBrowserHasTheTablesOfMarkedPacks checks the file with the constant parts of such packs, which the extension
// makes itself: how characters are composed, their classes in a marked stream, and contractions. With -update it writes
// the file.
func TestTheBrowserHasTheTablesOfMarkedPacks(t *testing.T) {
	composition := appendComposition(nil)
	want := append(binary.LittleEndian.AppendUint32(nil, uint32(len(composition))), composition...)
	want = appendMarks(want)
	want = binary.AppendUvarint(want, uint64(len(contractions)))
	for _, suffix := range contractions {
		want = appendString(want, []byte(suffix))
	}
	path := filepath.Join("..", "..", "extensions", "browser", "src", "options", "marked.tables")
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s has %d bytes, not these %d (%v): go test ./internal/vocabulary -run Tables -update writes it", path, len(got), len(want), err)
	}
}
