// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
)

// A Stream counts a text that is too large for memory, part by part.
type Stream struct {
	t      *Tokenizer
	buffer []byte // not counted yet
	tokens int64
}

// streamBytes is the number of bytes collected before they are counted.
const streamBytes = 1 << 20

// NewStream returns a stream in the tokenizer's encoding.
func (t *Tokenizer) NewStream() *Stream { return &Stream{t: t} }

// Write adds the next part of the text. It never fails.
func (s *Stream) Write(text []byte) (int, error) {
	n := len(text)
	for len(text) > 0 {
		if s.buffer == nil {
			s.buffer = make([]byte, 0, streamBytes)
		}
		room := min(len(text), max(streamBytes-len(s.buffer), streamBytes/4))
		s.buffer = append(s.buffer, text[:room]...)
		text = text[room:]
		if len(s.buffer) >= streamBytes {
			s.countSettled()
		}
	}
	return n, nil
}

// Tokens returns the number of tokens of the text written so far, as if it ended here.
func (s *Stream) Tokens() int64 {
	return s.tokens + s.t.Count(s.buffer)
}

// countSettled counts the part of the held text that later text cannot affect.
func (s *Stream) countSettled() {
	t := s.t
	for at := len(s.buffer) - 1; at > len(s.buffer)/2; at-- { // the usual case: texts can be cut here
		if t.apart(s.buffer[:at], s.buffer[at:]) {
			s.count(at)
			return
		}
	}
	if t.added != nil || t.special || t.unbroken || t.v.composer != nil {
		return // control strings may span pieces, and marks may join earlier characters, so hold everything
	}
	// Otherwise count all pieces but the last two, which may depend on later text.
	last, before := 0, 0
	for i := 0; i < len(s.buffer); {
		before, last = last, i
		i = t.next(s.buffer, i)
	}
	s.count(before)
	// If a piece is longer than that, count its tokens that are too far from its end to change.
	far, bounded := t.pieces.Reach()
	if !bounded || int64(len(s.buffer)) < 2*far+streamBytes/2 {
		return
	}
	end := t.next(s.buffer, 0)
	if end < len(s.buffer) {
		return
	}
	piece := s.heldCharacters()
	reach := int(far)
	ends := t.pieces.Ends(piece, 0, nil)
	count := len(ends)
	for count > 0 && (ends[count-1] > len(piece)-reach || !utf8.RuneStart(piece[ends[count-1]])) {
		count-- // too near to the end, or inside a character, which could not be read from there
	}
	if count > 0 {
		s.tokens += int64(count)
		s.buffer = append(s.buffer[:0], s.buffer[ends[count-1]:]...)
	}
}

// heldCharacters returns the held text without its last few bytes, which may be an incomplete character. It replaces
// invalid UTF-8 in the held text with U+FFFD.
func (s *Stream) heldCharacters() []byte {
	end := 0
	for end < len(s.buffer)-utf8.UTFMax {
		_, size := split.DecodeRune(s.buffer, end)
		end += size
	}
	if !utf8.Valid(s.buffer[:end]) {
		valid := append([]byte(nil), s.t.pieces.Valid(s.buffer[:end])...)
		s.buffer = append(valid, s.buffer[end:]...)
		end = len(valid)
	}
	return s.buffer[:end]
}

func (s *Stream) count(end int) {
	s.tokens += s.t.Count(s.buffer[:end])
	s.buffer = append(s.buffer[:0], s.buffer[end:]...)
}
