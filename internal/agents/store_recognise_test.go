// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhoseADatabaseIs: it is told by its tables, wherever it lies, and nobody's stays nobody's.
func TestWhoseADatabaseIs(t *testing.T) {
	for want, path := range map[string]string{
		"crush": crushStore(t), "cursor": cursorStore(t), "goose": gooseStore(t), "zed": zedStore(t, "json", []byte("{}")),
		"antigravity": antigravityStore(t), "kiro": kiroStore(t), "hermes": hermesStore(t),
		"cursor ": cursorChatStore(t, nil),
	} {
		if store := OfDatabase(context.Background(), path); store == nil || store.ID != strings.TrimSpace(want) {
			t.Errorf("%s's is taken for %+v", want, store)
		}
	}
	other := made(t, filepath.Join(t.TempDir(), "other.db"), do(`CREATE TABLE messages (id INTEGER, text TEXT)`))
	if store := OfDatabase(context.Background(), other); store != nil {
		t.Errorf("another program's is taken for %s's", store.ID)
	}
}
