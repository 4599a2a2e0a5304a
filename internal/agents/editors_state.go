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

// VS Code, and the editors made from it, keep what belongs to a workspace in
// <user data>/User/workspaceStorage/<hash>, and say in workspace.json whose it
// is.

// workspaceOf is the folder of which an editor keeps something in a folder of
// its storage, "" where that is not known.
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
		return filepath.Dir(file) // of several folders, the one with the file that names them
	}
	return ""
}

// folderOf is the path in a URI of a file, or of a file on the machine to which
// a window was connected.
func folderOf(v json.Value) string {
	if v.Kind() != json.String || v.TextLen() > 4096 {
		return ""
	}
	return pathOf(v.String())
}

// pathOf is the path in a URI, with a drive and backslashes where Windows has written it.
func pathOf(uri string) string {
	// The machine's name may be written in ways that no URL has.
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

// within is a name that is one element of a path, and nothing that leads elsewhere.
func within(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00")
}

// extensionState is what an editor keeps for an extension in its database. The folder of an extension has its name in
// small letters, and the database as its makers write it.
func extensionState(ctx context.Context, path, extension string) (state json.Value) {
	_ = opened(ctx, path, func(q *query) error { // without it nothing is set
		r, err := q.one(`SELECT value FROM ItemTable WHERE key=?1 COLLATE NOCASE`, extension)
		if r != nil {
			state = parsed(r.bytes(0))
		}
		return err
	})
	return state
}
