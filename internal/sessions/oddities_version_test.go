// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// TestANewerFormOfAStoreIsReported checks that a store with a newer version than any tested one is reported with both
// versions, and that any other store is not.
func TestANewerFormOfAStoreIsReported(t *testing.T) {
	for _, version := range []string{"known", "newer"} {
		m := dirstest.NewMachine(t)
		of := func(known, newer string) string {
			if version == "newer" {
				return newer
			}
			return known
		}
		store := filepath.Join(m.Home, ".copilot/session-store.db")
		dirstest.Run(t, dirstest.OpenCodeDatabase(t, store, "wal"), `CREATE TABLE schema_version AS SELECT `+of("8", "80")+` AS version`)
		log := m.Put(".copilot/session-state/c1/events.jsonl", `{"type":"session.start","data":{"sessionId":"c1","version":`+of("1", "2")+`,"producer":"copilot-agent","copilotVersion":"1.0.91","context":{"cwd":"/w"}},"id":"e1","timestamp":"2026-05-01T10:00:00Z","parentId":null}`+"\n")
		pi := m.Put(".pi/agent/sessions/--w--/2026-05-01_p1.jsonl", `{"type":"session","version":`+of("3", "4")+`,"id":"p1","timestamp":"2026-05-01T10:00:00.000Z","cwd":"/w"}`+"\n")
		kimi := m.Put(".kimi-code/sessions/w/k1/agents/main/wire.jsonl", `{"type":"metadata","protocol_version":"`+of("1.5", "1.50")+`","created_at":1764590000000}`+"\n")
		sessions, _, err := NewFinder(m.Environment()).Find(context.Background(), Query{Children: true})
		if err != nil || len(sessions) != 3 {
			t.Fatalf("%v %+v", err, sessions)
		}
		said := strings.Join(inEnglish(Oddities(context.Background(), m.Environment(), sessions)), "\n")
		for _, want := range []string{
			store + " has format version 80, but the newest version tested with ctx-lsp is 8",
			log + " has format version 2, but the newest version tested with ctx-lsp is 1",
			pi + " has format version 4, but the newest version tested with ctx-lsp is 3",
			kimi + " has format version 1.50, but the newest version tested with ctx-lsp is 1.5",
		} {
			if strings.Contains(said, want) != (version == "newer") {
				t.Errorf("%s: %q in\n%s", version, want, said)
			}
		}
		if n := strings.Count(said, store+" says"); n > 1 {
			t.Errorf("%s: a database is named %d times", version, n)
		}
	}
}

func inEnglish(sentences []phrase.Text) (out []string) {
	for _, sentence := range sentences {
		out = append(out, sentence.String())
	}
	return out
}

func TestNewerVersions(t *testing.T) {
	for _, c := range []struct {
		said, known string
		newer       bool
	}{{"3", "3", false}, {"4", "3", true}, {"10", "9", true}, {"1.10", "1.9", true}, {"1.9.1", "1.9", true}, {"v1", "v1", false}, {"v2", "v1", true}, {"", "3", false}, {"next", "3", false}, {"2.x", "3", false}, {"99999999999999999999", "3", false}} {
		if newer(c.said, c.known) != c.newer {
			t.Errorf("%q is newer than %q: %v", c.said, c.known, !c.newer)
		}
	}
}
