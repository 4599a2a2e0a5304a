// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzFile reads any text as a file of ledgers, and checks that only lines with the right checksum are found, and that
// a ledger appended to the text is found as the last one.
func FuzzFile(f *testing.F) {
	one := seal(Saved{Schema: SavedSchema, Session: "a", SavedAt: 5, Ledger: json.RawMessage(`{"n":1}`)}.encode(), 0, "name")
	f.Add(one)
	f.Add(append(bytes.Clone(one), '\n'))
	f.Add(append(append(bytes.Clone(one), '\n'), one...))
	f.Add([]byte(`{"schema":"ctx.saved/1","session":"a","savedAt":1,"ledger":{}}`))
	f.Add(one[:len(one)-3])
	f.Add([]byte("\n\n\x00\n{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		before, _ := lastIn(text, 4, "name")
		if len(before.ledgers) > 4 {
			t.Fatalf("%d ledgers, and 4 were asked for", len(before.ledgers))
		}
		for _, each := range before.ledgers {
			if len(each) > 0 && !json.Valid(each) {
				t.Errorf("a ledger is no JSON: %q", each)
			}
		}
		line := seal(Saved{Schema: SavedSchema, Session: "b", Ledger: json.RawMessage(`{"n":2}`)}.encode(), int64(len(text)+1), "name")
		after, err := lastIn(append(append(bytes.Clone(text), '\n'), line...), 1, "name")
		if err != nil || len(after.ledgers) != 1 || string(after.ledgers[0]) != `{"n":2}` || after.torn {
			t.Errorf("what was written last is not found: %q, %v", after.ledgers, err)
		}
	})
}
