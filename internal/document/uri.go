// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// Path returns the path of a file URI. URIs of other schemes, such as those of unsaved documents, have no path.
func Path(uri string) (string, bool) {
	if !strings.HasPrefix(uri, "file:") {
		return "", false
	}
	u, err := url.Parse(uri)
	if err != nil || u.Path == "" {
		return "", false
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		// In a URI, /c:/x is a drive and //server/share a host.
		if len(path) > 2 && path[0] == '/' && path[2] == ':' {
			path = strings.ToUpper(path[1:2]) + path[2:]
		} else if u.Host != "" {
			path = `\\` + u.Host + path
		}
	}
	return filepath.Clean(filepath.FromSlash(path)), true
}

// URI returns the file URI of an absolute path.
func URI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
