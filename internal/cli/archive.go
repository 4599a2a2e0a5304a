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

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// isArchive reports whether a file is an archive that sessions can be unpacked from.
func isArchive(path string) bool {
	name := strings.ToLower(path)
	for _, end := range []string{".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// isCompressed reports whether a file is a single one, compressed with gzip or zstd.
func isCompressed(path string) bool {
	file, err := safefile.File(path)
	if err != nil {
		return false
	}
	defer file.Close()
	return transcript.IsCompressed(transcript.ReadSome(file, nil, 0, 4))
}

// Limits for unpacking an archive.
const (
	maxUnpackWindow = 128 << 20
	maxUnpacked     = 200_000 // members
)

// unpack unpacks an archive, or a single compressed file, to a directory. Members that lead out of the directory or are
// not regular files are left out. After an error, the directory contains everything that could be read.
func unpack(ctx context.Context, path, folder string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	members, left := 0, transcript.MostUnpacked(info.Size())
	place := func(name string, modified time.Time, from io.Reader) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if members++; members > maxUnpacked {
			return fmt.Errorf("the archive has more than %d files", maxUnpacked)
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
		n, err := io.CopyN(out, from, left+1)
		if left -= n; left < 0 {
			err = fmt.Errorf("the archive unpacks to more than %d MB", transcript.MostUnpacked(info.Size())>>20)
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return errors.Join(err, out.Close(), os.Chtimes(to, modified, modified))
	}
	switch {
	case strings.HasSuffix(strings.ToLower(path), ".zip"):
		return unzip(path, place)
	case isArchive(path):
		return untar(path, place)
	}
	return decompress(path, info.ModTime(), place)
}

// decompress unpacks a single compressed file.
func decompress(path string, modified time.Time, place func(string, time.Time, io.Reader) error) error {
	file, err := safefile.File(path)
	if err != nil {
		return err
	}
	defer file.Close()
	from, err := transcript.Decompress(file)
	if err != nil {
		return err
	}
	defer from.Close()
	name := filepath.Base(path)
	return place(strings.TrimSuffix(name, filepath.Ext(name)), modified, from)
}

// unpackedFor unpacks an archive, or a compressed file, to a directory that only this user can read and that is removed
// when the command ends. Each archive is unpacked once.
func (env *environment) unpackedFor(ctx context.Context, path string) (folder string, err error) {
	if known, ok := env.unpacked.Load(path); ok {
		return known.(string), nil
	}
	if folder, err = os.MkdirTemp("", "ctx-lsp-archive-"); err != nil {
		return "", err
	}
	env.unpacked.Store(path, folder)
	return folder, unpack(ctx, path, folder)
}

// removeUnpacked removes the directories of unpackedFor. If that fails, the system cleans up its temporary files later.
func (env *environment) removeUnpacked() {
	env.unpacked.Range(func(_, folder any) bool {
		_ = os.RemoveAll(folder.(string))
		return true
	})
}

// sessionIn returns the session of a file that the user has named: a transcript, compressed or not, an archive with one
// session, or ARCHIVE!FILE. ok is false if the file does not exist.
func (env *environment) sessionIn(ctx context.Context, path string) (s transcript.Session, ok bool, err error) {
	archive, member := path, ""
	if _, err := os.Stat(path); err != nil {
		for i, c := range path {
			if info, err := os.Stat(path[:i]); c == '!' && err == nil && info.Mode().IsRegular() && isArchive(path[:i]) {
				archive, member = path[:i], path[i+1:]
			}
		}
		if member == "" || !filepath.IsLocal(filepath.FromSlash(member)) {
			return s, false, nil
		}
	}
	if err := env.refuses(archive); err != nil {
		return s, true, err
	}
	defer func() {
		if err == nil {
			err = env.refusal(s.Agent)
		}
	}()
	if !isArchive(archive) {
		s, err := sessions.At(path)
		if err == nil && s.Form == transcript.Compressed && s.Agent == "" { // it may be a document or a database
			folder, err := env.unpackedFor(ctx, path)
			if err != nil {
				return s, true, err
			}
			name := filepath.Base(path)
			s, err = sessions.At(filepath.Join(folder, strings.TrimSuffix(name, filepath.Ext(name))))
			return s, true, err
		}
		return s, true, err
	}
	folder, err := env.unpackedFor(ctx, archive)
	if err != nil {
		return s, true, err
	}
	if member != "" {
		s, err := sessions.At(filepath.Join(folder, filepath.FromSlash(member)))
		return s, true, err
	}
	var found []transcript.Session
	sessions.Below(folder, nil, func(s transcript.Session) {
		if s.Parent == "" {
			found = append(found, s)
		}
	}, func(p sessions.Problem) { env.errorf("%s", p) })
	switch len(found) {
	case 0:
		return s, true, fmt.Errorf("%s contains no session", archive)
	case 1:
		return found[0], true, nil
	}
	below, err := filepath.Rel(folder, found[0].Path)
	if err != nil {
		return s, true, err
	}
	return s, true, fmt.Errorf("%s contains %d sessions; name one of them, such as %s!%s", archive, len(found), archive, filepath.ToSlash(below))
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
