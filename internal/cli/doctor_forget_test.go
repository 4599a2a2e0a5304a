// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// TestForgetKeepsTheLedgersOfARunningDaemon checks that a daemon loses neither its ledgers nor the lock and the key on
// which they depend, and that they are removed after its end.
func TestForgetKeepsTheLedgersOfARunningDaemon(t *testing.T) {
	h := newIndexedHome(t)
	dir := filepath.Dir(h.index())
	daemon := state.OpenLedgers(dir)
	defer daemon.Owners.End()
	if daemon.Secret() == "" {
		t.Fatal("there is no secret")
	}
	file := daemon.Next("conversation")
	if err := daemon.Save(file, state.Saved{Schema: state.SavedSchema, Session: "conversation", Ledger: json.RawMessage(`{"used":1}`)}); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "hooks"), 0o700); err != nil {
		t.Fatal(err)
	}
	said := h.run("doctor", "--forget", "--yes")
	if n := strings.Count(said, "(kept: a daemon is running)"); n != len(state.LedgerFiles) {
		t.Errorf("%d entries are listed as kept, not %d:\n%s", n, len(state.LedgerFiles), said)
	}
	for _, name := range state.LedgerFiles {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("while the daemon runs: %v", err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "hooks")); err == nil {
		t.Error("entries that no daemon needs stay")
	}
	if _, err := daemon.Load(file); err != nil {
		t.Errorf("the daemon's ledger: %v", err)
	}
	if taken, _, err := state.OpenLedgers(dir).Take("conversation", "conversation.other-1"); taken || err != nil {
		t.Errorf("another daemon takes the ledger: %v, %v", taken, err)
	}
	daemon.Sync() // a round after the end would write where the ledgers end
	daemon.Owners.End()
	if said := h.run("doctor", "--forget", "--yes"); strings.Contains(said, "kept:") {
		t.Errorf("after the daemon's end it lists\n%s", said)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("after the daemon's end %s stays", left[0].Name())
	}
}
