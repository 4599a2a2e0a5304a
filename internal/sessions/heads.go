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

// A head contains what the beginning of a file shows about its session.
type head struct {
	session transcript.Session
	size    int64
	info    os.FileInfo // nil if another process has read it
	file    fileID      // the file, if another process has read it
}

// A fileID identifies a file of this machine, as long as it exists. It is zero if the system has none.
type fileID struct{ device, file uint64 }

// is reports whether the head is that of a candidate: the same file, which has only grown. If another process has read
// it, the head may be outdated, so it is used only if the file is append-only or unchanged.
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

// Listing the sessions of one directory requires knowing where each session on the machine was started. So if many
// heads were read, they are saved in a cache file for the next process. It contains what a listing shows, and may be
// removed at any time.
const (
	headsMagic = "ctx-lsp heads 1\n"
	// manyHeads is how many heads a search has to read before it loads or writes the cache file.
	manyHeads = 256
)

var kinds = [...]transcript.Form{transcript.Lines, transcript.Compressed, transcript.Document, transcript.Folder, transcript.Database, transcript.Task, transcript.Store, transcript.WithSidecars}

// headsPath returns the path of the cache file, or "" if there is none. f.headsMu must be held.
func (f *Finder) headsPath() string {
	cache := f.environment.CacheDir()
	if cache == "" {
		return ""
	}
	return filepath.Join(cache, "found", "heads.bin")
}

// recallHeads loads the heads that other processes have saved. f.headsMu must be held.
func (f *Finder) recallHeads() {
	f.recalled = true
	for _, h := range readHeads(transcript.ListFile(f.headsPath())) {
		if _, known := f.heads[h.session.Path]; !known {
			f.heads[h.session.Path] = h
		}
	}
}

// keepHeads saves the heads of the candidates of a search of all locations, if many were read.
func (f *Finder) keepHeads(of *candidates) {
	f.headsMu.Lock()
	defer f.headsMu.Unlock()
	path := f.headsPath()
	if f.read < manyHeads || path == "" {
		return
	}
	f.read = 0
	var list []head
	for _, c := range slices.Concat(of.taken, of.left()) {
		file := fileOf(c.Info)
		if file == (fileID{}) {
			continue // before h.is, because Windows opens the file for that
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

// readHeads reads the output of appendHeads; it returns nil for anything else.
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
