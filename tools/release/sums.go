// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

const sumsFile = "SHA256SUMS"

// writeSums writes the checksums of a directory's files in the format of sha256sum, which verifies them with --check.
func writeSums(folder string) error {
	entries, err := os.ReadDir(folder) // entries are sorted by name
	if err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, e := range entries {
		if !e.Type().IsRegular() || e.Name() == sumsFile {
			continue
		}
		file, err := os.Open(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		sum := sha256.New()
		_, err = io.Copy(sum, file)
		file.Close()
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sum.Sum(nil), e.Name())
	}
	return os.WriteFile(filepath.Join(folder, sumsFile), sums.Bytes(), 0o644)
}
