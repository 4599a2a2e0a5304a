// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// Path returns the path of a file URI, or false for other URIs, such as those of unsaved documents.
func Path(uri string) (string, bool) {
	if !strings.HasPrefix(uri, "file:") {
		return "", false
	}
	host, path, ok := parts(strings.TrimPrefix(uri, "file:"))
	if !ok {
		return "", false
	}
	if runtime.GOOS == "windows" {
		path = windowsPath(host, path)
	}
	return filepath.Clean(filepath.FromSlash(path)), true
}

// parts splits the part of a URI after the scheme. Package url does not accept % in a host, but the host of
// `\\wsl$\Ubuntu` contains one: editors write file://wsl%24/Ubuntu.
func parts(rest string) (host, path string, ok bool) {
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	if after, has := strings.CutPrefix(rest, "//"); has {
		slash := strings.IndexByte(after, '/')
		if slash < 0 {
			return "", "", false
		}
		host, rest = after[:slash], after[slash:]
	}
	host, wrongHost := url.PathUnescape(host)
	path, wrongPath := url.PathUnescape(rest)
	return host, path, wrongHost == nil && wrongPath == nil && path != ""
}

// windowsPath returns a Windows path with slashes: in a URI, /c:/x is a drive and //server/share a host. The drive
// letter becomes a capital, because editors write it either way.
func windowsPath(host, path string) string {
	switch {
	case len(path) > 2 && path[0] == '/' && path[2] == ':':
		return strings.ToUpper(path[1:2]) + path[2:]
	case host != "" && !strings.EqualFold(host, "localhost"):
		return "//" + host + path
	}
	return path
}

// URI returns the file URI of an absolute path.
func URI(path string) string {
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" {
		return windowsURI(path)
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// windowsURI returns the URI of a Windows path with slashes; two slashes at the start precede a host. The long form,
// which begins with //?/, means the same as the short one.
func windowsURI(path string) string {
	if long, ok := strings.CutPrefix(path, "//?/"); ok {
		path = long
		if share, ok := strings.CutPrefix(long, "UNC/"); ok {
			path = "//" + share
		}
	}
	if share, ok := strings.CutPrefix(path, "//"); ok {
		host, below, _ := strings.Cut(share, "/")
		return "file://" + url.PathEscape(host) + (&url.URL{Path: "/" + below}).EscapedPath()
	}
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}).String()
}
