// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"os"
	"path/filepath"
	"strings"
)

// listPi: sessions/--<directory>--/<time>_<session>.jsonl, or the files alone where a setting has moved them.
func listPi(root Root, see func(candidate)) error {
	folders, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	seePi(root, root.Path, folders, see)
	for _, folder := range folders {
		if isFolder(root.Path, folder) {
			path := filepath.Join(root.Path, folder.Name())
			seePi(root, path, entries(path), see)
		}
	}
	return nil
}

// listOpenClaw: agents/<agent>/sessions/<session>.jsonl.
func listOpenClaw(root Root, see func(candidate)) error {
	folders, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if isFolder(root.Path, folder) {
			path := filepath.Join(root.Path, folder.Name(), "sessions")
			seePi(root, path, entries(path), see)
		}
	}
	return nil
}

func seePi(root Root, folder string, files []os.DirEntry, see func(candidate)) {
	for _, file := range files {
		stem, ok := strings.CutSuffix(file.Name(), ".jsonl")
		if !ok {
			continue
		}
		if c, ok := look(root.Agent, folder, file, kindLines); ok {
			if _, id, dated := strings.Cut(stem, "_"); dated {
				stem = id
			}
			c.id, c.alone = stem, true
			see(c)
		}
	}
}
