// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"fmt"
	"io"
	"os"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// MaxDocument is the size of the largest JSON document that is read. Agents rewrite such a document as a whole at every
// step, so they cannot afford large ones.
const MaxDocument = 128 << 20

// ReadDocument reads a whole document, or fails if it is longer than MaxDocument.
func ReadDocument(path string, info os.FileInfo) ([]byte, error) {
	if info.Size() > MaxDocument {
		return nil, fmt.Errorf("%s has %d bytes; JSON documents of more than %d bytes are not read", path, info.Size(), MaxDocument)
	}
	f, err := safefile.File(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxDocument))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return text, nil
}
