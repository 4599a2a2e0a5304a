// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// isArchive says whether a file is one that sessions are unpacked from.
func isArchive(path string) bool {
	name := strings.ToLower(path)
	for _, end := range []string{".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// maxUnpackWindow bounds the memory that a compressed archive may ask for.
const maxUnpackWindow = 128 << 20

// unpack unpacks an archive into a folder of its own, which only this user can read. What leads out of the folder, and
// what is neither a file nor a folder, is left out. After an error the folder has what could be read.
func unpack(ctx context.Context, path string) (folder string, err error) {
	if folder, err = os.MkdirTemp("", "ctx-lsp-archive-"); err != nil {
		return "", err
	}
	place := func(name string, modified time.Time, from io.Reader) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		local := filepath.FromSlash(strings.TrimPrefix(name, "./"))
		if !filepath.IsLocal(local) {
			return nil
		}
		to := filepath.Join(folder, local)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, from)
		return errors.Join(err, out.Close(), os.Chtimes(to, modified, modified))
	}
	if strings.HasSuffix(strings.ToLower(path), ".zip") {
		return folder, unzip(path, place)
	}
	return folder, untar(path, place)
}

func unzip(path string, place func(string, time.Time, io.Reader) error) error {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return fmt.Errorf("the archive cannot be read: %w", err)
	}
	defer archive.Close()
	for _, member := range archive.File {
		if !member.Mode().IsRegular() {
			continue
		}
		from, err := member.Open()
		if err != nil {
			return fmt.Errorf("its file %s cannot be read: %w", member.Name, err)
		}
		err = errors.Join(place(member.Name, member.Modified, from), from.Close())
		if err != nil {
			return fmt.Errorf("its file %s cannot be unpacked: %w", member.Name, err)
		}
	}
	return nil
}

func untar(path string, place func(string, time.Time, io.Reader) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	var from io.Reader = file
	switch name := strings.ToLower(path); {
	case strings.HasSuffix(name, "zst"):
		decoder, err := zstd.NewReader(file, zstd.WithDecoderMaxWindow(maxUnpackWindow), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return err
		}
		defer decoder.Close()
		from = decoder
	case strings.HasSuffix(name, "gz"):
		if from, err = gzip.NewReader(file); err != nil {
			return fmt.Errorf("the archive cannot be read: %w", err)
		}
	}
	for archive := tar.NewReader(from); ; {
		member, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the archive is incomplete or damaged: %w", err)
		}
		if member.Typeflag != tar.TypeReg {
			continue
		}
		if err := place(member.Name, member.ModTime, archive); err != nil {
			return fmt.Errorf("its file %s cannot be unpacked: %w", member.Name, err)
		}
	}
}
