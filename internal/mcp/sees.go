// Copyright The ctx-lsp authors. MIT licence.

package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/sight"
)

// aboutFiles are the parameters of a tool about files.
type aboutFiles struct {
	Files   []string `json:"files" jsonschema:"files of the workspace"`
	Session string   `json:"session,omitempty" jsonschema:"another session's id"`
}

// mostSight bounds the characters of an answer about files: about 150 tokens.
const mostSight = 420

// mostSighted bounds the files of one call.
const mostSighted = 20

// sees reports which lines of files are in the next request. It returns ranges, and no text of a file.
func (a *Answers) sees(ctx context.Context, in aboutFiles) (string, error) {
	switch {
	case len(in.Files) == 0:
		return "", errors.New("pass files")
	case len(in.Files) > mostSighted:
		return "", fmt.Errorf("pass at most %d files", mostSighted)
	}
	s, _, err := a.session(ctx, in.Session)
	if err != nil {
		return "", err
	}
	entry := a.sights.Of(s, a.Workspace)
	entry.Lock()
	defer entry.Unlock()
	seen, _, err := entry.Next(ctx, nil)
	if err != nil {
		a.sights.Drop(entry)
		return "", err
	}
	var out strings.Builder
	for _, name := range in.Files {
		f := a.sight(seen, entry.Workspace, name)
		fmt.Fprintf(&out, "%s: %s\n", name, f.Brief(max(mostSight/len(in.Files)-len(name), 20)))
	}
	return out.String(), nil
}

// sight returns the answer for a file. One outside of the workspace is not touched.
func (a *Answers) sight(seen *sight.Session, workspace *sight.Workspace, name string) *sight.File {
	local := name
	if below, err := filepath.Rel(a.Workspace, name); filepath.IsAbs(name) && err == nil {
		local = below
	}
	if !filepath.IsLocal(local) {
		return sight.Unseen(name, sight.Outside)
	}
	file, err := a.open(local)
	if err != nil {
		return sight.Unseen(name, sight.Unread)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, sight.MostFile))
	path := workspace.Resolve(a.Workspace, local)
	if err != nil || path == "" {
		return sight.Unseen(name, sight.Unread)
	}
	return seen.Of(path, string(content))
}
