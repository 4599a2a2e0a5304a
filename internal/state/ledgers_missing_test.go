// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A handlelessDisk refuses to open files of records while refuses is set, like a daemon without file handles.
type handlelessDisk struct {
	System
	refuses *atomic.Bool
}

func (d handlelessDisk) Open(path string, flag int) (File, error) {
	if d.refuses.Load() && strings.Contains(path, "ends") {
		return nil, syscall.EMFILE
	}
	return d.System.Open(path, flag)
}

// TestARecordThatCannotBeClearedIsClearedLater closes a conversation while its record cannot be cleared: it is not
// missed once that is possible.
func TestARecordThatCannotBeClearedIsClearedLater(t *testing.T) {
	dir := t.TempDir()
	refuses := &atomic.Bool{}
	rounds := make(chan func(), 100)
	s := openWith(handlelessDisk{refuses: refuses}, dir, func(_ time.Duration, round func()) { rounds <- round })
	file := s.Next("name")
	if err := s.Save(file, Saved{Schema: SavedSchema, Ledger: ledger("name", 1)}); err != nil {
		t.Fatal(err)
	}
	s.Sync()
	refuses.Store(true)
	s.Remove(file)
	s.Sync()
	refuses.Store(false)
	if other := OpenLedgers(dir); !other.IsMissing("name") {
		t.Fatal("the record was cleared on a disk that refuses")
	}
	s.Sync()
	if other := OpenLedgers(dir); other.IsMissing("name") {
		t.Error("a closed conversation is missed")
	}
	s.Owners.End()
}

// TestNamesOfOtherDaemonsAreRead checks that the records of another daemon are read again while it runs, and once when
// it has ended.
func TestNamesOfOtherDaemonsAreRead(t *testing.T) {
	dir := t.TempDir()
	other, s := OpenLedgers(dir), OpenLedgers(dir)
	save := func(name string) {
		t.Helper()
		file := other.Next(name)
		if err := other.Save(file, Saved{Schema: SavedSchema, Ledger: ledger(name, 1)}); err != nil {
			t.Fatal(err)
		}
		other.Sync()
	}
	for i := range 3 {
		name := fmt.Sprint("name", i)
		if s.IsMissing(name) {
			t.Errorf("%s is missed before it is saved", name)
		}
		save(name)
		if !s.IsMissing(name) {
			t.Errorf("%s is not known", name)
		}
	}
	other.Owners.End()
	if !s.IsMissing("name2") || s.IsMissing("name3") {
		t.Error("after its end, the names of a daemon differ")
	}
	s.Supersede("name2") // clears the record: the ledger is removed
	if s.IsMissing("name2") || OpenLedgers(dir).IsMissing("name2") || !OpenLedgers(dir).IsMissing("name1") {
		t.Error("a conversation that has started over is missed, or another one is not")
	}
}

// TestRecordsAreKeptWhileTheyAreMissed checks that the records of a daemon stay as long as a ledger may be missed, and
// for a month at most.
func TestRecordsAreKeptWhileTheyAreMissed(t *testing.T) {
	dir := t.TempDir()
	first := OpenLedgers(dir)
	file := first.Next("name")
	if err := first.Save(file, Saved{Schema: SavedSchema, Ledger: ledger("name", 1)}); err != nil {
		t.Fatal(err)
	}
	first.Sync()
	first.Owners.End()
	if err := os.Remove(first.Path(file)); err != nil {
		t.Fatal(err)
	}
	records, _ := filepath.Glob(filepath.Join(dir, "ends", "*"))
	if len(records) != 1 {
		t.Fatalf("records: %q", records)
	}
	at := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(records[0], at, at); err != nil {
		t.Fatal(err)
	}
	if !OpenLedgers(dir).IsMissing("name") {
		t.Error("after two hours, the ledger is not missed")
	}
	at = time.Now().Add(-maxAge - time.Hour)
	if err := os.Chtimes(records[0], at, at); err != nil {
		t.Fatal(err)
	}
	OpenLedgers(dir)
	if _, err := os.Stat(records[0]); err == nil {
		t.Error("records are kept for longer than a month")
	}
}
