// Copyright The ctx-lsp authors. MIT licence.

package configfile

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// TestYAMLKeys checks the names in a mapping: not those of other members, nor deeper ones.
func TestYAMLKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.yaml")
	for text, want := range map[string][]string{
		"model:\n  default: m\nmcp_servers:\n  lab20:\n    command: node\n    args: [\"a: b\"]\n\n  # another\n  \"the other\":\n    url: http://x\nlast:\n  key: 1\n": {"lab20", "the other"},
		"mcp_servers:\r\n    one:\r\n        command: node\r\n": {"one"},
		"mcp_servers: {}\nmodel:\n  default: m\n":               nil,
		"other:\n  mcp_servers:\n    one:\n":                    nil,
		"":                                                      nil,
	} {
		dirstest.Write(t, path, text)
		if got := YAMLKeys(path, "mcp_servers"); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := YAMLKeys(path+".missing", "mcp_servers"); got != nil {
		t.Errorf("of no file: %q", got)
	}
}
