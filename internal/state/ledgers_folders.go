// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"encoding/hex"
	"hash/crc32"
	"path/filepath"
	"slices"
	"strings"
)

// folders is how many folders share the ledgers. All ledgers of a name are in the same one, so finding them does not
// read the ledgers of all other sessions. All folders are made together, because a full disk may still have space for
// the name of a file, but none for a folder.
const folders = 128

// folder returns the path of the folder with the ledgers of a name.
func (s *Ledgers) folder(name string) string {
	return s.folderAt(int(crc32.Checksum([]byte(name), castagnoli) % uint32(s.folders)))
}

func (s *Ledgers) folderAt(i int) string {
	return filepath.Join(s.dir, hex.EncodeToString([]byte{byte(i)}))
}

// nameOf returns the conversation's name in the name of a file.
func nameOf(file string) string {
	name, _, _ := strings.Cut(file, ".")
	return name
}

// makeAllFolders makes the folders of the ledgers. It returns an error only if the folder of name cannot be made.
func (s *Ledgers) makeAllFolders(name string) error {
	err := s.makeFolders(s.folder(name))
	for i := 0; err == nil && i < s.folders; i++ {
		_ = s.makeFolders(s.folderAt(i)) // it is tried again when it is needed
	}
	return err
}

// list returns the files of a name on the disk. A missing folder has none.
func (s *Ledgers) list(name string) (map[string]generations, error) {
	entries, err := s.disk.ReadDir(s.folder(name))
	if err = unreadable(err); isUnreadable(err) {
		return nil, err
	}
	found := map[string]generations{}
	for _, entry := range entries {
		file, n, ok := split(entry.Name())
		if ok && nameOf(file) == name && entry.Type().IsRegular() && !s.syncs.isDoomed(s.place(file, n)) {
			has := found[file]
			has.existing = append(has.existing, n)
			found[file] = has
		}
	}
	for file, has := range found {
		slices.Sort(has.existing)
		has.last = has.newest()
		found[file] = has
	}
	return found, nil
}
