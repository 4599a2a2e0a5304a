// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// TestAnIDThatIsNotTextIsNotRepeated checks that a response never contains invalid UTF-8.
func TestAnIDThatIsNotTextIsNotRepeated(t *testing.T) {
	_, _, err := parseMessage(&json.Document{}, []byte("{\"jsonrpc\":\"2.0\",\"id\":\"\xff\xfe\",\"method\":\"initialize\"}"))
	bad, is := err.(*FrameError)
	if !is || bad.id != nil {
		t.Fatalf("the answer repeats an id of bytes that are not text: %v", err)
	}
}
