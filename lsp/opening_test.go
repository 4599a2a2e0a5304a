// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// lockedBuffer is a buffer that several goroutines write to.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestASessionIsNamedByItsFirstWordsOnTheScreenAlone checks that the beginning of the first prompt is sent, for
// sessions without a title, only to clients that request it, and that no file and no log contains it.
func TestASessionIsNamedByItsFirstWordsOnTheScreenAlone(t *testing.T) {
	m := newMachine(t)
	m.prompted(firstID, "Tune the xylophone\n\tof the school band, please, and write down what you did to it", time.Second)
	m.prompted(oldID, "xylophone of yesterday", 30*time.Hour)
	m.aged(oldID, 30*time.Hour)
	m.prompted(secondID, "xylophone with a title", time.Second)
	m.put(".claude/projects/w/"+secondID+".jsonl", fmt.Sprintf(`{"type":"ai-title","sessionId":%q,"aiTitle":"Mallets"}`+"\n", secondID))
	folder, log := filepath.Join(m.home, ".state"), &lockedBuffer{}
	environment := dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }}
	server := newTestServer(t, Options{
		Engine: realEngine(t, "native"), Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running,
		State: state.OpenLedgers(folder), Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	screen, other := start(t, server), start(t, server)
	name := func(c *testClient, id string) (names [2]string) {
		var r struct{ Title, Opening string }
		json.Unmarshal(c.ask("ctx/session/reading", fmt.Sprintf(`{"id":%q}`, id)).Result, &r)
		return [2]string{r.Title, r.Opening}
	}
	screen.call("ctx/watch", `{"openings":true,"lines":{"name":"{title}"}}`)
	other.call("ctx/watch", `{}`)
	screen.call("ctx/session/open", `{"id":"own"}`) // its ledger is saved
	shownIs(screen, firstID, "waiting for prompt")
	shownIs(screen, secondID, "waiting for prompt")
	if got := name(screen, firstID); got != [2]string{"", "Tune the xylophone of the school band, please, and write…"} {
		t.Errorf("the screen shows %q", got)
	}
	if got := name(screen, secondID); got != [2]string{"Mallets", ""} {
		t.Errorf("beside a title the screen gets %q", got)
	}
	if got := name(other, firstID); got != [2]string{} {
		t.Errorf("a client that did not ask gets %q", got)
	}
	var shown struct{ Lines struct{ Name string } }
	json.Unmarshal(screen.ask("ctx/session/reading", fmt.Sprintf(`{"id":%q}`, firstID)).Result, &shown)
	if !strings.HasPrefix(shown.Lines.Name, "Tune the xylophone") {
		t.Errorf("a template's title is %q", shown.Lines.Name)
	}
	for c, want := range map[*testClient]string{screen: "xylophone of yesterday", other: ""} {
		var earlier struct {
			Sessions []struct{ Session, Opening string }
		}
		json.Unmarshal(c.call("ctx/earlier", `{}`), &earlier)
		if len(earlier.Sessions) != 1 || earlier.Sessions[0].Session != oldID || earlier.Sessions[0].Opening != want {
			t.Errorf("earlier sessions: %+v, want %q", earlier.Sessions, want)
		}
	}
	server.Close()
	files := 0
	filepath.WalkDir(m.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path, filepath.Join(m.home, ".claude/projects")) {
			return err
		}
		files++
		if text, _ := os.ReadFile(path); bytes.Contains(text, []byte("xylophone")) {
			t.Errorf("%s contains a prompt", path)
		}
		return nil
	})
	if strings.Contains(log.String(), "xylophone") {
		t.Errorf("the log contains a prompt: %s", log)
	}
	if files == 0 || log.String() == "" {
		t.Error("no file and no log was written")
	}
}

// prompted writes a session of one turn.
func (m *machine) prompted(id, prompt string, ago time.Duration) {
	text, _ := json.Marshal(prompt)
	at := func(d time.Duration) string { return time.Now().Add(d - ago).UTC().Format(time.RFC3339Nano) }
	m.put(".claude/projects/w/"+id+".jsonl", fmt.Sprintf(`{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"sessionId":%q,"version":"2.1.200","cwd":%q,"message":{"role":"user","content":%s},"timestamp":%q}
{"type":"assistant","uuid":"a1","parentUuid":"u1","isSidechain":false,"sessionId":%q,"version":"2.1.200","cwd":%q,"message":{"model":"claude-opus-4-6","id":"m1","role":"assistant","content":[{"type":"text","text":"done"}],"stop_reason":"end_turn","usage":{"input_tokens":5000,"output_tokens":5}},"timestamp":%q}
`, id, m.work, text, at(-time.Second), id, m.work, at(0)))
}
