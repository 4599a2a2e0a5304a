// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestPathsOfWindowsAndTheirURIs checks the conversion between Windows paths and the URIs of editors in both
// directions: drives with either letter, hosts, WSL directories, long paths. They are tested as text, with slashes, on
// every system.
func TestPathsOfWindowsAndTheirURIs(t *testing.T) {
	for _, test := range []struct{ uri, path, again string }{
		{"file:///c%3A/Users/me/shop/CLAUDE.md", "C:/Users/me/shop/CLAUDE.md", "file:///C:/Users/me/shop/CLAUDE.md"},
		{"file:///C:/Users/me", "C:/Users/me", ""},
		{"file:///c:/a%20b/%C3%BC%23.md", "C:/a b/ü#.md", "file:///C:/a%20b/%C3%BC%23.md"},
		{"file:///d:/", "D:/", "file:///D:/"},
		{"file://localhost/c:/x", "C:/x", "file:///C:/x"},
		{"file://server/share/x.md", "//server/share/x.md", ""},
		{"file://wsl%24/Ubuntu/home/me/x.md", "//wsl$/Ubuntu/home/me/x.md", "file://wsl$/Ubuntu/home/me/x.md"},
		{"file://wsl.localhost/Ubuntu/home/me", "//wsl.localhost/Ubuntu/home/me", ""},
		{"file:///c:/x?query#part", "C:/x", "file:///C:/x"},
	} {
		host, path, ok := parts(strings.TrimPrefix(test.uri, "file:"))
		if got := windowsPath(host, path); !ok || got != test.path {
			t.Errorf("%s is the path %q, not %q", test.uri, got, test.path)
		}
		if test.again == "" {
			test.again = test.uri
		}
		if got := windowsURI(test.path); got != test.again {
			t.Errorf("%s is the URI %q, not %q", test.path, got, test.again)
		}
		if runtime.GOOS == "windows" {
			if got, ok := Path(test.uri); !ok || got != filepath.Clean(filepath.FromSlash(test.path)) {
				t.Errorf("here %s is the path %q", test.uri, got)
			}
		}
	}
	for long, want := range map[string]string{
		"//?/C:/very/long.md":           "file:///C:/very/long.md",
		"//?/UNC/server/share/long.md":  "file://server/share/long.md",
		"//?/UNC/wsl$/Ubuntu/home/l.md": "file://wsl$/Ubuntu/home/l.md",
	} {
		if got := windowsURI(long); got != want {
			t.Errorf("%s is the URI %q, not %q", long, got, want)
		}
	}
	for _, uri := range []string{"untitled:Untitled-1", "file:", "file://host", "file:///%zz", "https://x/y"} {
		if path, ok := Path(uri); ok {
			t.Errorf("%s is the path %q", uri, path)
		}
	}
}
