// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// TestAnArrayIsComparedAfterARestart sends a conversation to one daemon, and the same one to the next, which must find
// nothing new. The saved ledger contains neither the messages nor digests that could be computed without the user's
// secret.
func TestAnArrayIsComparedAfterARestart(t *testing.T) {
	const conversation = `{"id":"a","messages":[{"role":"user","content":"yes"},{"role":"assistant","content":"A test is out of date."},{"role":"user","content":"Fix it."}]}`
	dir := t.TempDir()
	saves := state.OpenLedgers(dir)
	before := start(t, newTestServer(t, Options{State: saves, Engine: realEngine(t, "native")}))
	before.call("ctx/session/open", `{"id":"a","resume":true}`)
	before.call("ctx/session/messages", conversation)
	before.call("ctx/session/usage", `{"id":"a","usage":{"input_tokens":9000,"output_tokens":12}}`)
	killed(saves)

	after := start(t, newTestServer(t, Options{State: state.OpenLedgers(dir), Engine: realEngine(t, "native")}))
	after.call("ctx/session/open", `{"id":"a","resume":true}`)
	reading := after.call("ctx/session/messages", conversation)
	if basis := wire.MemberText(reading, "basis"); basis != "measured" {
		t.Errorf("the same array is %s: %s", basis, reading)
	}
	ledger := after.call("ctx/session/save", `{"id":"a"}`)
	var secret []byte
	_ = filepath.WalkDir(dir, func(path string, entry os.DirEntry, _ error) error {
		if text, err := os.ReadFile(path); err == nil && filepath.Base(path) == "secret" {
			secret = text
		} else if bytes.Contains(text, []byte("out of date")) {
			t.Errorf("%s holds a text", path)
		}
		return nil
	})
	if len(secret) == 0 || bytes.Contains(ledger, secret) {
		t.Errorf("the secret is %q, the ledger %s", secret, ledger)
	}
}
