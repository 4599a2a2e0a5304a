// Copyright The ctx-lsp authors. MIT licence.

// Package conformance contains the vectors that every engine must answer alike, one file per subject, and the digests
// of the answers: internal/engine/vectors runs them in Go, wasm/js/conformance.mjs in JavaScript. Their archive is
// built, not committed: `make wasm` writes it, and Go programs include it if it exists when they are built.
package conformance

import (
	"archive/zip"
	"compress/flate"
	"io"
	"io/fs"
)

// Pack writes an archive of the vectors, *.json, and the digests, *.sum, in a directory. The same files result in the
// same bytes.
func Pack(out io.Writer, folder fs.FS) error {
	archive := zip.NewWriter(out)
	archive.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression)
	})
	for _, pattern := range []string{"*.json", "*.sum"} {
		names, err := fs.Glob(folder, pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			text, err := fs.ReadFile(folder, name)
			if err != nil {
				return err
			}
			to, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
			if err == nil {
				_, err = to.Write(text)
			}
			if err != nil {
				return err
			}
		}
	}
	return archive.Close()
}
