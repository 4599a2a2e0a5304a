// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// IndexName is the name of the index in the state directory.
const IndexName = "sessions.index"

const (
	indexMagic = "ctx-lsp index 1\n"
	// maxIndexed is how many findings the index keeps, those used last; maxIndexedBytes is the size of the largest.
	maxIndexed      = 4000
	maxIndexedBytes = 64 << 10
)

// An Index remembers what was found in the files of sessions, so that they need not be read again: numbers and labels,
// and where a title is, but no text of a conversation. Each finding has a stamp of everything that it depends on, and
// is used only if the stamp is the same. The file is replaced at each change. A missing, damaged or foreign file reads
// as an empty one; of two programs that write at once, the second may drop findings of the first, which are then found
// again.
type Index struct {
	path string

	mu      sync.Mutex // guards the fields below
	loaded  bool
	known   map[IndexKey]finding
	changed map[IndexKey]finding // findings that are not saved yet
	used    map[IndexKey]bool
}

// An IndexKey identifies a finding by a digest of its subject.
type IndexKey [16]byte

// IndexKeyOf returns the key of a finding about something that several texts name.
func IndexKeyOf(names ...string) IndexKey {
	h := sha256.New()
	for _, name := range names {
		_, _ = h.Write([]byte(name + "\x00")) // a hash accepts everything
	}
	return IndexKey(h.Sum(nil)[:16])
}

// A finding is one entry of the index, with the time of its last use.
type finding struct {
	stamp IndexKey
	used  int64 // seconds
	value string
}

// OpenIndex returns the index of a state directory without reading it. With an empty directory nothing is kept.
func OpenIndex(dir string) *Index {
	x := &Index{known: map[IndexKey]finding{}, changed: map[IndexKey]finding{}, used: map[IndexKey]bool{}}
	if dir != "" {
		x.path = filepath.Join(dir, IndexName)
	}
	return x
}

// Keeps reports whether the index keeps anything.
func (x *Index) Keeps() bool { return x.path != "" }

// Get returns a finding if its stamp is still the same.
func (x *Index) Get(key, stamp IndexKey) (value string, ok bool) {
	if x.path == "" {
		return "", false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.loaded {
		x.loaded, x.known = true, readIndex(transcript.ListFile(x.path))
	}
	f, ok := x.known[key]
	if !ok || f.stamp != stamp {
		return "", false
	}
	x.used[key] = true
	return f.value, true
}

// Put adds a finding. It is saved by Save.
func (x *Index) Put(key, stamp IndexKey, value string) {
	if x.path == "" || len(value) > maxIndexedBytes {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.changed[key] = finding{stamp: stamp, value: value}
}

// Save adds the new findings to the file. It ignores errors, because every command works without the index.
func (x *Index) Save(now time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.changed) == 0 {
		return
	}
	all := readIndex(transcript.ListFile(x.path)) // another program may have added findings
	for key := range x.used {
		if f, ok := all[key]; ok {
			f.used = now.Unix()
			all[key] = f
		}
	}
	for key, f := range x.changed {
		f.used = now.Unix()
		all[key], x.known[key] = f, f
	}
	clear(x.changed)
	transcript.WriteList(x.path, appendIndex(nil, all, now))
}

// appendIndex writes the findings used last.
func appendIndex(to []byte, all map[IndexKey]finding, now time.Time) []byte {
	keys := slices.SortedFunc(maps.Keys(all), func(a, b IndexKey) int {
		return cmp.Or(cmp.Compare(all[b].used, all[a].used), slices.Compare(a[:], b[:]))
	})
	oldest := now.Add(-maxAge).Unix()
	keys = slices.DeleteFunc(keys, func(key IndexKey) bool { return all[key].used < oldest })
	keys = keys[:min(len(keys), maxIndexed)]
	w := &transcript.ListWriter{To: append(to, indexMagic...)}
	w.Count(uint64(len(keys)))
	for _, key := range keys {
		f := all[key]
		w.To = append(append(w.To, key[:]...), f.stamp[:]...)
		w.Count(uint64(f.used))
		w.Plain(f.value)
	}
	return w.End()
}

// readIndex reads the output of appendIndex; anything else reads as an empty index.
func readIndex(file []byte) map[IndexKey]finding {
	all := map[IndexKey]finding{}
	r := transcript.ReadList(file, indexMagic)
	n := r.Count()
	if !r.Good || n > maxIndexed {
		return all
	}
	for range n {
		key, stamp := r.Bytes(len(IndexKey{})), r.Bytes(len(IndexKey{}))
		used := r.Count()
		value := r.Plain()
		if !r.Good {
			return map[IndexKey]finding{}
		}
		all[IndexKey([]byte(key))] = finding{stamp: IndexKey([]byte(stamp)), used: int64(used), value: value}
	}
	if r.At != r.End {
		return map[IndexKey]finding{}
	}
	return all
}
