// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAMarkedDocumentIsRecognized checks that a chat that is one document, which an editor or a shell of Windows has
// saved with a byte order mark, is recognized and listed like one without.
func TestAMarkedDocumentIsRecognized(t *testing.T) {
	chat := `{"responderUsername":"GitHub Copilot","creationDate":1750000000000,"requests":[{"requestId":"r","timestamp":1750000001000,"message":{"text":"hello"},"modelId":"copilot/gpt-4.1"}]}`
	for name, text := range map[string]string{"plain": chat, "marked": "\xef\xbb\xbf" + chat, "marked, on lines": "\xef\xbb\xbf{\r\n" + chat[1:] + "\r\n"} {
		path := filepath.Join(t.TempDir(), "chat.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if a := OfDocument(path); a != &copilotChat {
			t.Errorf("%s: the agent is %v", name, a)
		}
		if list, err := listCopilotChat(t.Context(), path); err != nil || len(list) != 1 {
			t.Errorf("%s: %v, %v", name, list, err)
		}
	}
}
