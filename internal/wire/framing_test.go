// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// FuzzFraming feeds bytes to the framing, before and after initialize. It checks that nothing panics, that a body has
// the length in its header, and that a message after a blank line is found again.
func FuzzFraming(f *testing.F) {
	for _, seed := range []string{
		"\xffContent-Length:\n", "Content-Length: 2\r\n\r\n{}", "Content-Length: 2\nX: y\n\n[]", "ȺContent-Length: 3\r\n\r\nabc",
		"Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: -1\r\n\r\n", "\r\n\r\nContent-Length: 0\r\n\r\n",
		"garbage\r\nContent-Length: 4\r\n\r\nnull", "Host: x\r\n\r\n", "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
		"Content-Length: 16777217\r\n\r\n{\"id\":7,\"method\":\"x\"}",
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, forgiving bool) {
		complaints := 0
		r := NewFraming(bytes.NewReader(text), func(bad *FrameError) {
			complaints++
			if bad.Last || bad.refusal.Message == "" || bad.refusal.Kind == "" {
				t.Fatalf("complains of %+v", bad)
			}
		})
		r.skipsUnexpected = forgiving
		for {
			body, err := r.Next()
			var bad *FrameError
			switch {
			case errors.As(err, &bad):
				if bad.Last {
					return
				}
			case err != nil:
				if err != io.EOF && err != io.ErrUnexpectedEOF {
					t.Fatalf("ends with %v", err)
				}
				return
			case !bytes.Contains(text, body):
				t.Fatalf("a body %q that was not sent", body)
			}
			if !forgiving && complaints > 0 {
				t.Fatal("skips before initialize")
			}
		}
	})
}

// TestAMessageIsFoundAfterAnyBytes checks that a header on a line of its own is recognized after any other line.
func TestAMessageIsFoundAfterAnyBytes(t *testing.T) {
	for _, garbage := range []string{
		"\xff\xfe\n", "Content-Length: x\n", "a: b\n", "Ⱥ: Content-Length: 3z\n", strings.Repeat("y", 3*MaxHeader) + "\n",
		"Content-Length: 2\r\r{}", "no end of a line", // the header follows on the same line
	} {
		r := NewFraming(strings.NewReader(garbage+string(Frame([]byte(`{"found":true}`)))), func(*FrameError) {})
		r.skipsUnexpected = true
		body, err := r.Next()
		if err != nil || !json.Valid(body) {
			t.Errorf("%.20q: %q, %v", garbage, body, err)
		}
	}
}
