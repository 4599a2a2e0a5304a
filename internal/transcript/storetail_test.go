// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// TestAStoreIsReadAgainUntilItSettles checks a store that shows its last change later than its files do, as SQLite
// does: it is read again, though the files stay as they are, until the change is older than that takes.
func TestAStoreIsReadAgainUntilItSettles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	dirstest.Write(t, path, "x")
	reads := 0
	records := []StoreRecord{{Name: "i1", JSON: []byte(`{"n":1}`), Placed: true}}
	tail := OpenStore(Session{Path: path, Form: Store}, func(context.Context) ([]StoreRecord, error) { reads++; return records, nil }, nil)
	drain := func(name string, most int, want ...string) {
		t.Helper()
		before := reads
		got, _ := drainTail(t, tail)
		if dirstest.Expect(t, name, got, want...); reads-before > most {
			t.Errorf("%s: read %d times", name, reads-before)
		}
	}
	changed := func(age time.Duration) {
		t.Helper()
		if at := time.Now().Add(-age); os.Chtimes(path, at, at) != nil {
			t.Fatal("the time of the file cannot be changed")
		}
	}
	changed(0)
	drain("at first", 1, `{"n":1}`)
	records = append(records, StoreRecord{Name: "i2", JSON: []byte(`{"n":2}`), Placed: true})
	time.Sleep(150 * time.Millisecond)
	drain("before it has settled", 1, `{"n":2}`)
	changed(time.Minute)
	drain("a change long ago", 1)
	time.Sleep(150 * time.Millisecond)
	drain("when it has settled", 0)
}

// TestAStoreReturnsWhatHasChanged checks a store that is read again: new and changed records are returned, and if the
// conversation no longer begins as before, everything is.
func TestAStoreReturnsWhatHasChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	dirstest.Write(t, path, "x")
	var records []StoreRecord
	var fault error
	reads, tick := 0, time.Unix(1_700_000_000, 0)
	tail := OpenStore(Session{Path: path, Form: Store}, func(context.Context) ([]StoreRecord, error) { reads++; return records, fault }, nil)
	record := func(name, text string) StoreRecord {
		return StoreRecord{Name: name, JSON: []byte(`{"n":"` + text + `"}`), Placed: name[0] == 'i'}
	}
	given := int64(0)
	step := func(name string, resets bool, want ...string) {
		t.Helper()
		tick = tick.Add(time.Second)
		if err := os.Chtimes(path, tick, tick); err != nil {
			t.Fatal(err)
		}
		got, reset := drainTail(t, tail)
		if dirstest.Expect(t, name, got, want...); reset != resets {
			t.Errorf("%s: reset %v", name, reset)
		}
		for i, each := range got {
			given += int64(len(each))
			if i > 0 {
				given++ // the comma
			}
		}
		if tail.Position() != given {
			t.Errorf("%s: position %d, want %d", name, tail.Position(), given)
		}
	}
	var b Batch
	if err := tail.Next(t.Context(), &b); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a session that its store does not contain: %v", err)
	}
	fault = errors.New("it is locked")
	if err := tail.Next(t.Context(), &b); !errors.Is(err, fault) {
		t.Errorf("a store that cannot be read: %v", err)
	}
	fault = nil
	records = []StoreRecord{record("session", "s"), record("i1", "a"), record("i2", "b")}
	step("at first", false, `{"n":"s"}`, `{"n":"a"}`, `{"n":"b"}`)
	before := reads
	if got, _ := drainTail(t, tail); len(got) != 0 || reads != before {
		t.Errorf("a store that has not changed was read, and has %q", got)
	}
	step("the same", false)
	records[0], records[2] = record("session", "S"), record("i2", "B")
	step("changed", false, `{"n":"S"}`, `{"n":"B"}`)
	records = append(records, record("usage", "u"), record("i3", "c"))
	step("grown", false, `{"n":"u"}`, `{"n":"c"}`)
	all := records
	records = nil
	step("empty for a moment", false)
	records = all[:3]
	step("undone", true, `{"n":"S"}`, `{"n":"a"}`, `{"n":"B"}`)
	records = []StoreRecord{all[0], all[2], all[1]}
	step("in another order", true, `{"n":"S"}`, `{"n":"B"}`, `{"n":"a"}`)
	records = []StoreRecord{all[2], all[1], record("x", "x")}
	step("without a record that has no place", false, `{"n":"x"}`)
	dirstest.Write(t, path+"-wal", "log") // its time stays, its size does not
	os.Chtimes(path+"-wal", tick, tick)
	before = reads
	if drainTail(t, tail); reads == before {
		t.Error("a store with a longer log was not read")
	}
	os.Remove(path)
	if err := tail.Next(t.Context(), &b); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a store that is gone: %v", err)
	}
}
