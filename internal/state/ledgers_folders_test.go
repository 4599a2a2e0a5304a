// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"sync/atomic"
	"testing"
)

// countingDisk counts the entries of folders that were read.
type countingDisk struct {
	System
	read atomic.Int64
}

func (d *countingDisk) ReadDir(path string) ([]fs.DirEntry, error) {
	entries, err := d.System.ReadDir(path)
	d.read.Add(int64(len(entries)))
	return entries, err
}

// TestASessionIsFoundWithoutReadingAllOthers checks that opening, resuming and leaving a session of thousands reads the
// names of few others.
func TestASessionIsFoundWithoutReadingAllOthers(t *testing.T) {
	disk := &countingDisk{}
	s := OpenLedgersOn(disk, t.TempDir())
	t.Cleanup(func() { s.Sync(); s.Owners.Abandon() })
	const sessions = 2000
	var files []string
	for i := range sessions {
		files = append(files, s.Next(fmt.Sprintf("%032x", i)))
		if err := s.Save(files[i], Saved{Schema: SavedSchema, Ledger: json.RawMessage("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	for what, do := range map[string]func(name, file string){
		"opening":  func(name, _ string) { s.Supersede(name) },
		"leaving":  func(_, file string) { s.Leave(file) },
		"holding":  func(name, file string) { _, _ = s.Holder(name, file) },
		"resuming": func(name, _ string) { _, _, _ = s.Take(name, s.Next(name)) },
	} {
		disk.read.Store(0)
		const times = 50
		for i := range times {
			do(nameOf(files[i]), files[i])
		}
		if each := disk.read.Load() / times; each > 8*sessions/folders {
			t.Errorf("%s reads %d names each time, of %d sessions", what, each, sessions)
		}
	}
}
