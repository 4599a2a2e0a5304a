// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"fmt"
	"io"
	"os"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// MaxDocument is the largest JSON document that is read. Such a document is
// rewritten as a whole at every step, so no agent can afford a large one.
const MaxDocument = 128 << 20

// ReadDocument reads a whole document, unless it is too long.
func ReadDocument(path string, info os.FileInfo) ([]byte, error) {
	if info.Size() > MaxDocument {
		return nil, fmt.Errorf("%s has %d bytes; JSON documents of more than %d bytes are not read", path, info.Size(), MaxDocument)
	}
	f, err := safefile.File(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxDocument+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return text, nil
}
