// Copyright The ctx-lsp authors. MIT licence.

//go:build !beside

package conformance

import (
	"archive/zip"
	"bytes"
	"embed"
	"io/fs"
)

// The pattern matches vectors.go if vectors.zip is missing, so that a program also builds without the archive.
//
//go:embed vectors.*
var files embed.FS

// Files returns the vectors and their digests, or nil if this program was built without them.
func Files() fs.FS {
	packed, err := files.ReadFile("vectors.zip")
	if err != nil {
		return nil
	}
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil // a damaged archive is treated as missing
	}
	return archive
}
