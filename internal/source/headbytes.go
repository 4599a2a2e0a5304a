// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// headBytes returns the first bytes of a transcript; all is set if it has no more.
func headBytes(s *transcript.Session, size int) (text []byte, all bool, err error) {
	f, err := safefile.File(s.Path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	var r io.Reader = f
	if s.Form == transcript.Compressed {
		decoder, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
		if err != nil {
			return nil, false, err
		}
		defer decoder.Close()
		r = decoder
	}
	text = make([]byte, size)
	n, err := io.ReadFull(r, text)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return text[:n], true, nil
	}
	return text[:n], false, err
}
