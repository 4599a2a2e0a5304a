// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"io"
	"strings"
	"testing"
)

// TestAFrameFollowsTheStateThatWaits checks the order in which a slow client receives states and frames.
func TestAFrameFollowsTheStateThatWaits(t *testing.T) {
	read, write := io.Pipe()
	b := NewOutbox(write, func(string) {})
	b.Send([]byte("1 "))
	one := make([]byte, 1) // the writer is inside the first frame, and the rest waits
	if _, err := io.ReadFull(read, one); err != nil {
		t.Fatal(err)
	}
	b.Replace("a", []byte("a-old "))
	b.Replace("b", []byte("b-old "))
	b.Follow("a", []byte("a-crossed "))
	b.Follow("c", []byte("c-crossed "))
	b.Replace("b", []byte("b-new "))
	b.Replace("a", []byte("a-new "))
	b.close()
	go func() { <-b.done; write.Close() }()
	rest, err := io.ReadAll(read)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.TrimSpace(string(rest)), "a-old a-crossed c-crossed b-new a-new"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
