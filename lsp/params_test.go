// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestParametersThatDoNotFitAreNamed checks the messages for values of the wrong type, which are those of the core.
func TestParametersThatDoNotFitAreNamed(t *testing.T) {
	var p struct {
		Position struct {
			Line int `json:"line"`
		} `json:"position"`
		Open  bool     `json:"open"`
		Names []string `json:"names"`
		Share float64  `json:"share"`
	}
	for given, want := range map[string]string{
		`{"position":{"line":1e99}}`:  `The parameter "position.line" must be a whole number, not 1e99.`,
		`{"position":{"line":"one"}}`: `The parameter "position.line" must be a whole number, not a string.`,
		`{"position":[1]}`:            `The parameter "position" must be an object, not an array.`,
		`{"open":{}}`:                 `The parameter "open" must be true or false, not an object.`,
		`{"names":false}`:             `The parameter "names" must be an array, not a boolean.`,
		`{"share":"all"}`:             `The parameter "share" must be a number, not a string.`,
		`7`:                           `The parameters cannot be read: must be an object, not a number.`,
	} {
		err := json.Unmarshal([]byte(given), &p)
		if err == nil {
			t.Fatalf("%s was read", given)
		}
		refused := unfit("", err)
		if refused.Message != want || strings.Contains(refused.Message, "Go ") {
			t.Errorf("of %s: %s", given, refused.Message)
		}
	}
}
