// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"io"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// Beginning returns the first bytes of a transcript; all is set if it has no more.
func Beginning(s *Session, size int) (text []byte, all bool, err error) {
	f, err := safefile.File(s.Path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	var r io.Reader = f
	if s.Form == Compressed {
		decoder, err := Decompress(f)
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
