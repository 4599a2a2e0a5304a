// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"errors"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// keyOf returns the secret for the checksums of compiled modules. Another user who can write to the cache cannot make a
// valid checksum.
func keyOf(path string) ([]byte, error) {
	if path == "" {
		return nil, errors.New("no state directory can hold the secret that protects it")
	}
	if err := safefile.Trusted(filepath.Dir(path)); err != nil {
		return nil, err
	}
	return safefile.Secret(path)
}
