// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A head is what the beginning of a file says about its session.
type head struct {
	session transcript.Session
	size    int64
	info    os.FileInfo // nil of one that another process has read
	file    fileID      // of such a one
}

// A fileID tells one file of this machine from all others, as long as it exists. It is zero where the system has none.
type fileID struct{ device, file uint64 }

// is says whether the head is that of a candidate: the same file, which has only grown. What was read by another
// process may be old, so of a file that is not only appended to it counts as long as the file was not changed.
func (h *head) is(c *agents.Candidate) bool {
	if h.session.Workspace == "" || c.Info.Size() < h.size {
		return false
	}
	if h.info != nil {
		return os.SameFile(h.info, c.Info)
	}
	appended := c.Kind == transcript.Lines || c.Kind == transcript.Compressed
	return h.session.Form == c.Kind && h.file != (fileID{}) && h.file == fileOf(c.Info) &&
		(appended || c.Info.Size() == h.size && c.Info.ModTime().Equal(h.session.Modified))
}

// Who asks for the sessions of one folder, on a machine with many, has to know of each where it was started. So the
// heads that were read are kept in a file of the cache for the next process, if they are many. It holds what a listing
// holds, and may be removed at any time.
const (
	headsMagic = "ctx-lsp heads 1\n"
	// manyHeads is how many heads have to be read by a search before it looks for a file of them, or writes one.
	manyHeads = 256
)

var kinds = [...]transcript.Form{transcript.Lines, transcript.Compressed, transcript.Document, transcript.Folder, transcript.Database, transcript.Task, transcript.Store, transcript.WithSidecars}

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
	for _, h := range readHeads(transcript.ListFile(path)) {
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
		file := fileOf(c.Info)
		if file == (fileID{}) {
			continue // before the head is looked at, for which Windows opens the file
		}
		if h, known := f.heads[c.Path]; known && c.Session == nil && h.is(c) {
			h.file, h.session.Modified = file, c.Info.ModTime()
			list = append(list, h)
		}
	}
	if len(list) > 0 {
		transcript.WriteList(path, appendHeads(nil, list))
	}
}

func appendHeads(to []byte, list []head) []byte {
	w := &transcript.ListWriter{To: append(to, headsMagic...)}
	w.To = binary.AppendUvarint(w.To, uint64(len(list)))
	for i := range list {
		h := &list[i]
		w.Session(&h.session)
		w.Text(h.session.Agent)
		folder, name := filepath.Split(h.session.Path)
		w.Text(folder)
		w.Plain(name)
		w.To = binary.AppendUvarint(w.To, uint64(h.session.Form))
		w.To = binary.AppendVarint(w.To, h.size)
		w.To = binary.AppendUvarint(w.To, h.file.device)
		w.To = binary.AppendUvarint(w.To, h.file.file)
	}
	return w.End()
}

// readHeads reads what appendHeads has written, and nothing of anything else.
func readHeads(file []byte) []head {
	r := transcript.ReadList(file, headsMagic)
	n := r.Count()
	if !r.Good || n > uint64(r.End) {
		return nil
	}
	list := make([]head, n)
	for i := range list {
		h := &list[i]
		r.Session(&h.session)
		h.session.Agent = r.Text()
		h.session.Path = r.Text()
		h.session.Path += r.Plain()
		kind := r.Count()
		h.size = r.Number()
		h.file.device = r.Count()
		h.file.file = r.Count()
		if !r.Good || kind >= uint64(len(kinds)) {
			return nil
		}
		h.session.Form = kinds[kind]
	}
	if r.At != r.End {
		return nil
	}
	return list
}
