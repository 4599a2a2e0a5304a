// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"encoding/json"
	"strings"
	"testing"

	document "github.com/ctx-lsp/ctx-lsp/internal/json"
)

func TestWhatDoesNotFitIsSaidInWords(t *testing.T) {
	var p struct {
		Position struct {
			Line int `json:"line"`
		} `json:"position"`
		Open  bool     `json:"open"`
		Names []string `json:"names"`
	}
	for given, want := range map[string]string{
		`{"position":{"line":1e99}}`:  "position.line must be a whole number, not 1e99",
		`{"position":{"line":"one"}}`: "position.line must be a whole number, not a string",
		`{"position":[1]}`:            "position must be an object, not an array",
		`{"open":{}}`:                 "open must be true or false, not an object",
		`{"names":false}`:             "names must be a list, not true or false",
		`7`:                           "it must be an object, not a number",
	} {
		err := json.Unmarshal([]byte(given), &p)
		if err == nil {
			t.Fatalf("%s was read", given)
		}
		if got := Misfit("", err); got != want {
			t.Errorf("of %s it is said that %q, want %q", given, got, want)
		}
		if fault := Unfit("The params cannot be read", err); strings.Contains(fault.Message, "Go ") {
			t.Errorf("the answer names Go's types: %s", fault.Message)
		}
	}
}

func TestAnIDThatIsNoTextIsNotRepeated(t *testing.T) {
	_, _, err := parseMessage(&document.Document{}, []byte("{\"jsonrpc\":\"2.0\",\"id\":\"\xff\xfe\",\"method\":\"initialize\"}"))
	bad, is := err.(*FrameError)
	if !is || bad.id != nil {
		t.Fatalf("the answer repeats an id of bytes that are no text: %v", err)
	}
}
