// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// TestAPageIsShownAsADocument checks commands in editors that ignore their results. An editor that opens documents is
// requested to open the page, which only the user can read and which is removed with the connection. One that cannot,
// or refuses, gets a message; and without a state directory no file is written.
func TestAPageIsShownAsADocument(t *testing.T) {
	for name, is := range map[string]struct {
		capabilities     string
		stateless, opens bool
		wantsDocument    bool
		wantsMessage     bool
	}{
		"opens":     {capabilities: `{"window":{"showDocument":{"support":true}}}`, opens: true, wantsDocument: true},
		"refuses":   {capabilities: `{"window":{"showDocument":{"support":true}}}`, wantsDocument: true, wantsMessage: true},
		"cannot":    {capabilities: `{"window":{"showDocument":{"support":false}}}`, opens: true, wantsMessage: true},
		"stateless": {capabilities: `{"window":{"showDocument":{"support":true}}}`, opens: true, stateless: true, wantsMessage: true},
	} {
		t.Run(name, func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			t.Setenv("TMP", temp)
			options := Options{Engine: realEngine(t, "native")}
			if !is.stateless {
				options.State = state.OpenLedgers(t.TempDir())
			}
			c := connect(t, newTestServer(t, options))
			shown := make(chan testMessage, 1)
			c.requests = func(m testMessage) any {
				if m.Method == "window/showDocument" {
					shown <- m
				}
				return map[string]any{"success": is.opens}
			}
			c.call("initialize", `{"processId":null,"capabilities":`+is.capabilities+`}`)
			c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
			uri := document.URI(filepath.Join(t.TempDir(), "CLAUDE.md"))
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"markdown","version":1,"text":"# Shop\n\nRun the tests.\n"}}}`, uri))
			c.call("workspace/executeCommand", fmt.Sprintf(`{"command":"ctx.document.breakdown","arguments":[%q]}`, uri))
			if is.wantsMessage {
				if message := string(c.note("window/showMessage").Params); !strings.Contains(message, "tokens · CLAUDE.md") {
					t.Errorf("the message is %s", message)
				}
			}
			if !is.wantsDocument {
				if len(shown) > 0 || len(list(t, temp)) > 0 {
					t.Errorf("a page is shown, and there is %v", list(t, temp))
				}
				return
			}
			var p struct {
				URI       string
				TakeFocus bool
			}
			select {
			case m := <-shown:
				if json.Unmarshal(m.Params, &p); !p.TakeFocus {
					t.Errorf("it is shown with %s", m.Params)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("no document is shown")
			}
			file, _ := document.Path(p.URI)
			page, err := os.ReadFile(file)
			if err != nil || filepath.Base(file) != "CLAUDE.md in tokens.md" || !strings.Contains(string(page), "CLAUDE.md") || !strings.Contains(string(page), "In every request") {
				t.Errorf("%s holds %q, %v", file, page, err)
			}
			if about, err := os.Stat(filepath.Dir(file)); err != nil || runtime.GOOS != "windows" && about.Mode().Perm() != 0o700 {
				t.Errorf("its folder is %v, %v", about, err)
			}
			if about, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && about.Mode().Perm() != 0o600 {
				t.Errorf("the page is %v, %v", about, err)
			}
			if is.opens {
				c.quiet("window/showMessage", 100*time.Millisecond)
			}
			c.conn.Close()
			<-c.code
			if left := list(t, temp); len(left) > 0 {
				t.Errorf("the connection has left %v", left)
			}
		})
	}
}

func list(t *testing.T, folder string) []os.DirEntry {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}
