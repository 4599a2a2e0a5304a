// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"syscall"
	"testing"
	"time"
)

// TestAClosedConversationDoesNotComeBack checks that a conversation closed while the disk was read-only is never
// resumed, and that its ledger is removed once the disk works again.
func TestAClosedConversationDoesNotComeBack(t *testing.T) {
	dir := t.TempDir()
	disk := &failingDisk{}
	s := OpenLedgersOn(disk, dir)
	t.Cleanup(s.Owners.Abandon)
	var rounds []time.Duration
	s.syncs.after = func(pause time.Duration, _ func()) { rounds = append(rounds, pause) }
	closed := s.Next("name")
	if err := s.Save(closed, Saved{Schema: SavedSchema, Ledger: ledger("name", 1)}); err != nil {
		t.Fatal(err)
	}
	s.Sync()
	disk.start(&failingDisk{call: "remove", err: syscall.EROFS})
	rounds = nil
	s.Remove(closed)
	if names := ledgerNames(dir); names == "" {
		t.Fatal("the disk has removed the ledger, so this test says nothing")
	}
	next := s.Next("name")
	if taken, others, err := s.Take("name", next); taken || others != 0 || err != nil {
		t.Errorf("the closed conversation is resumed: %t, %d others, %v", taken, others, err)
	}
	if len(rounds) != 1 || rounds[0] != syncAgain {
		t.Errorf("it is removed again after %v", rounds)
	}
	s.Sync()
	if len(rounds) != 2 {
		t.Errorf("after a round that failed as well there are %v", rounds)
	}
	disk.start(&failingDisk{})
	s.Sync()
	if names := ledgerNames(dir); names != "" {
		t.Errorf("the disk is well, and there is still %q", names)
	}
	s.Sync()
	if n := len(s.syncs.doomed); n != 0 {
		t.Errorf("%d files are doomed for ever", n)
	}
}
