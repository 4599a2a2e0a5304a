// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
)

// A head is what the beginning of a file says about its session.
type head struct {
	session Session
	size    int64
	info    os.FileInfo // nil of one that another process has read
	file    fileID      // of such a one
}

// A fileID tells one file of this machine from all others, as long as it exists. It is zero where the system has none.
type fileID struct{ device, file uint64 }

// is says whether the head is that of a candidate: the same file, which has only grown. What was read by another
// process may be old, so of a file that is not only appended to it counts as long as the file was not changed.
func (h *head) is(c *candidate) bool {
	if h.session.Workspace == "" || c.info.Size() < h.size {
		return false
	}
	if h.info != nil {
		return os.SameFile(h.info, c.info)
	}
	appended := c.kind == kindLines || c.kind == kindZstd
	return h.session.kind == c.kind && h.file != (fileID{}) && h.file == fileOf(c.info) &&
		(appended || c.info.Size() == h.size && c.info.ModTime().Equal(h.session.Modified))
}

// Who asks for the sessions of one folder, on a machine with many, has to know of each where it was started. So the
// heads that were read are kept in a file of the cache for the next process, if they are many. It holds what a listing
// holds, and may be removed at any time.
const (
	headsMagic = "ctx-lsp heads 1\n"
	// manyHeads is how many heads have to be read by a search before it looks for a file of them, or writes one.
	manyHeads = 256
)

var kinds = [...]kind{kindLines, kindZstd, kindDocument, kindTree, kindDatabase, kindTask, kindStore, kindBeside}

func (f *Finder) headsPath() string {
	cache := f.environment.CacheDir()
	if cache == "" {
		return ""
	}
	return filepath.Join(cache, "found", "heads.bin")
}

// recallHeads takes over the heads that other processes have read. f.headsMu is held.
func (f *Finder) recallHeads() {
	f.recalled = true
	path := f.headsPath()
	if path == "" {
		return
	}
	for _, h := range readHeads(listFile(path)) {
		if _, known := f.heads[h.session.Path]; !known {
			f.heads[h.session.Path] = h
		}
	}
}

// keepHeads writes the heads of what a search of all places has found, if it has read many.
func (f *Finder) keepHeads(of *candidates) {
	path := f.headsPath()
	f.headsMu.Lock()
	defer f.headsMu.Unlock()
	if f.read < manyHeads || path == "" {
		return
	}
	f.read = 0
	var list []head
	for _, c := range slices.Concat(of.taken, of.left()) {
		file := fileOf(c.info)
		if file == (fileID{}) {
			continue // before the head is looked at, for which Windows opens the file
		}
		if h, known := f.heads[c.path]; known && c.session == nil && h.is(c) {
			h.file, h.session.Modified = file, c.info.ModTime()
			list = append(list, h)
		}
	}
	if len(list) > 0 {
		writeList(path, appendHeads(nil, list))
	}
}

func appendHeads(to []byte, list []head) []byte {
	w := &listWriter{to: append(to, headsMagic...)}
	w.to = binary.AppendUvarint(w.to, uint64(len(list)))
	for i := range list {
		h := &list[i]
		w.session(&h.session)
		w.text(h.session.Agent)
		folder, name := filepath.Split(h.session.Path)
		w.text(folder)
		w.plain(name)
		w.to = binary.AppendUvarint(w.to, uint64(h.session.kind))
		w.to = binary.AppendVarint(w.to, h.size)
		w.to = binary.AppendUvarint(w.to, h.file.device)
		w.to = binary.AppendUvarint(w.to, h.file.file)
	}
	return w.end()
}

// readHeads reads what appendHeads has written, and nothing of anything else.
func readHeads(file []byte) []head {
	r := readList(file, headsMagic)
	n := r.count()
	if !r.good || n > uint64(r.end) {
		return nil
	}
	list := make([]head, n)
	for i := range list {
		h := &list[i]
		r.session(&h.session)
		h.session.Agent = r.text()
		h.session.Path = r.text()
		h.session.Path += r.plain()
		kind := r.count()
		h.size = r.number()
		h.file.device = r.count()
		h.file.file = r.count()
		if !r.good || kind >= uint64(len(kinds)) {
			return nil
		}
		h.session.kind = kinds[kind]
	}
	if r.at != r.end {
		return nil
	}
	return list
}
