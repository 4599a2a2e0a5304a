// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestALedgerIsTakenOnce checks that only one of several daemons that resume at the same moment gets a ledger.
func TestALedgerIsTakenOnce(t *testing.T) {
	dir := t.TempDir()
	first := OpenLedgers(dir)
	t.Cleanup(first.Sync)
	file := first.Next("name")
	if err := first.Save(file, Saved{Schema: SavedSchema, Ledger: json.RawMessage("{}")}); err != nil {
		t.Fatal(err)
	}
	first.Owners.Abandon()
	taken := make(chan bool)
	const daemons = 8
	for range daemons {
		s := OpenLedgers(dir)
		t.Cleanup(func() { // Windows does not remove files that are locked or being synced
			s.Sync()
			s.Owners.Abandon()
		})
		go func() {
			ok, _, _ := s.Take("name", s.Next("name"))
			taken <- ok
		}()
	}
	n := 0
	for range daemons {
		if <-taken {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d daemons have it", n)
	}
}

func ledgerNames(dir string) string {
	var names []string
	paths, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*"))
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// TestOldLedgersAgeOut checks that ledgers untouched for a month are removed, a day after that was first noticed.
func TestOldLedgersAgeOut(t *testing.T) {
	dir := t.TempDir()
	state := OpenLedgers(dir)
	for _, name := range []string{"old", "young"} {
		if err := state.Save(name, Saved{Schema: SavedSchema, Ledger: json.RawMessage("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-maxAge - time.Hour)
	os.Chtimes(state.Path("old"), past, past)
	state.Age(time.Now())
	if got := ledgerNames(dir); got != "old.json young.json" {
		t.Errorf("at first sight: %s", got)
	}
	state.Age(time.Now().Add(suspicion))
	if got := ledgerNames(dir); got != "young.json" {
		t.Errorf("a day later: %s", got)
	}
}

// TestAClockThatJumpsRemovesNoLedger checks that no ledger is lost if the clock is a month ahead, once or for a while.
func TestAClockThatJumpsRemovesNoLedger(t *testing.T) {
	dir := t.TempDir()
	state := OpenLedgers(dir)
	if err := state.Save("a", Saved{Schema: SavedSchema, Ledger: json.RawMessage("{}")}); err != nil {
		t.Fatal(err)
	}
	ahead := time.Now().Add(maxAge + time.Hour)
	for _, now := range []time.Time{ahead, ahead.Add(time.Hour), time.Now(), ahead.Add(2 * suspicion), time.Now(), ahead} {
		state.Age(now)
		if got := ledgerNames(dir); got != "a.json" {
			t.Fatalf("at %v there is %q", now, got)
		}
	}
}

// TestTheLedgersOfOneClientPushOutItsOwn checks that a client that opens thousands of sessions costs other clients
// none.
func TestTheLedgersOfOneClientPushOutItsOwn(t *testing.T) {
	groups := map[string][]ledgerFile{}
	base := time.Now()
	for i := range 10 {
		groups["quiet"] = append(groups["quiet"], ledgerFile{fmt.Sprint("quiet", i), base.Add(-time.Hour)})
	}
	for i := range maxFiles {
		groups["busy"] = append(groups["busy"], ledgerFile{fmt.Sprint("busy", i), base.Add(time.Duration(i))})
	}
	chosen := tooMany(groups, 10)
	if len(chosen) != 10 || chosen[0] != "busy0" || chosen[9] != "busy9" {
		t.Errorf("removed: %v", chosen)
	}
}

// TestOfManyClientsTheOldestLedgersGo checks that a thousand clients with one ledger each do not displace one that has
// just been written, or one of a running daemon.
func TestOfManyClientsTheOldestLedgersGo(t *testing.T) {
	groups := map[string][]ledgerFile{}
	base := time.Now()
	for i := range 100 {
		groups[fmt.Sprint("client", i)] = []ledgerFile{{fmt.Sprint("client", i), base.Add(time.Duration(-i) * time.Second)}}
	}
	groups["a"] = []ledgerFile{{"a", base.Add(time.Second)}}
	chosen := tooMany(groups, 50)
	if len(chosen) != 50 || chosen[0] != "client99" || chosen[49] != "client50" {
		t.Errorf("removed: %v", chosen)
	}
	dir := t.TempDir()
	living := OpenLedgers(dir)
	t.Cleanup(living.Owners.Abandon)
	held := living.Next("0000000000000000held")
	if err := living.Save(held, Saved{Schema: SavedSchema, Ledger: json.RawMessage("{}")}); err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-time.Hour)
	os.Chtimes(living.Path(held), past, past)
	for i := range maxFiles + 10 {
		os.WriteFile(living.Path(fmt.Sprintf("%016xx.left-1", i+1)), []byte("{}"), 0o600)
	}
	OpenLedgers(dir)
	if _, err := os.Stat(living.Path(held)); err != nil {
		t.Errorf("a session lives, and its ledger has gone: %v", err)
	}
	if n := len(strings.Fields(ledgerNames(dir))); n != maxFiles {
		t.Errorf("%d are kept", n)
	}
}
