// Copyright The ctx-lsp authors. MIT licence.

package json_test

import (
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func TestLongStringsAreUTF8ToTheirLastByte(t *testing.T) {
	for _, part := range []string{"é", "中", "😀", "a中"} {
		text := strings.Repeat(part, 9_000/len(part))
		for shift := range 5 {
			whole := `"` + strings.Repeat("x", shift) + text + `"`
			if _, err := json.Parse([]byte(whole)); err != nil {
				t.Fatalf("%q…, %d on: %v", part, shift, err)
			}
			for _, at := range []int{4_000, 4_090, 4_095, 4_096, 4_097, 4_100, len(whole) - 3} {
				broken := []byte(whole)
				broken[at] = 0xFF
				if _, err := json.Parse(broken); err == nil {
					t.Errorf("%q…, %d on: a byte 0xFF at %d was taken", part, shift, at)
				}
			}
		}
	}
}

// TestReopen adds fields to an object in JSON, with any white space around its closing bracket.
func TestReopen(t *testing.T) {
	for given, want := range map[string]string{
		`{"a":1}`:      `[{"a":1,"b":2}]`,
		`{}`:           `[{"b":2}]`,
		"{ }\n":        `[{ "b":2}]`,
		"{\"a\":{}\n}": "[{\"a\":{}\n,\"b\":2}]",
	} {
		w := json.Writer{}
		w.BeginArray()
		w.Reopen([]byte(given))
		w.IntField(`,"b":`, 2)
		w.EndObject()
		w.EndArray()
		if string(w.Buf) != want {
			t.Errorf("%q becomes %s", given, w.Buf)
		}
	}
}
