// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// VS Code and editors derived from it keep a workspace's data in <user data>/User/workspaceStorage/<hash>, with the
// workspace's location in workspace.json.

// workspaceOf returns the directory that a directory of an editor's storage belongs to, "" if unknown.
func workspaceOf(storage string) string {
	f, err := os.Open(filepath.Join(storage, "workspace.json"))
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return ""
	}
	about := parsed(text)
	if folder := folderOf(about.Get("folder")); folder != "" {
		return folder
	}
	if file := folderOf(about.Get("workspace")); file != "" {
		return filepath.Dir(file) // of several directories, the one with the file that names them
	}
	return ""
}

// folderOf returns the path in a URI of a file, or of a file on the machine that a window was connected to.
func folderOf(v json.Value) string {
	if v.Kind() != json.String || v.TextLen() > 4096 {
		return ""
	}
	return pathOf(v.String())
}

// pathOf returns the path in a URI, with a drive and backslashes if it was written on Windows.
func pathOf(uri string) string {
	// The machine's name may have forms that are not valid in a URL.
	scheme, rest, _ := strings.Cut(uri, "://")
	slash := strings.IndexByte(rest, '/')
	if slash < 0 || scheme != "file" && scheme != "vscode-remote" {
		return ""
	}
	path, err := url.PathUnescape(rest[slash:])
	if err != nil {
		return ""
	}
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // /c:/Users
		path = strings.ReplaceAll(path[1:], "/", `\`)
	}
	return path
}

// within reports whether a name is a single element of a path that does not lead elsewhere.
func within(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00")
}

// extensionState returns the state that an editor keeps for an extension in its database. The extension's directory has
// its name in small letters, and the database uses its makers' spelling.
func extensionState(ctx context.Context, path, extension string) (state json.Value) {
	_ = opened(ctx, path, func(q *query) error { // without it, nothing is set
		r, err := q.one(`SELECT value FROM ItemTable WHERE key=?1 COLLATE NOCASE`, extension)
		if r != nil {
			state = parsed(r.bytes(0))
		}
		return err
	})
	return state
}
