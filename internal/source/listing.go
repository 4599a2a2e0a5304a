// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"path/filepath"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
)

// A storeListing is what a store with many sessions has listed. It is remembered in this process, and for the next one
// in a file of the cache, because a store with many thousands of sessions takes most of the time of a search, and has
// mostly not changed since. It holds ids, folders, times, and the names that the agent shows in its own lists; nothing
// of a conversation is in it. The file may be removed at any time.
type storeListing struct {
	changed  time.Time
	size     int64
	sessions []Session
}

var listings = struct {
	sync.Mutex
	of map[string]storeListing
}{of: map[string]storeListing{}}

const (
	listingMagic = "ctx-lsp listing 1\n"
	// manySessions is from how many on a listing is worth a file.
	manySessions = 256
	// settled is how long a store has to be unchanged before its listing is kept: a change in the same moment could
	// have the same time.
	settled = 2 * time.Second
)

// listed are the sessions of a store, listed anew only if the store has changed.
func listed(r Root, kind kind, list func() ([]Session, error)) ([]Session, error) {
	changed, size, err := sqlite.Time(r.Path)
	if err != nil {
		return nil, err
	}
	listings.Lock()
	known, ok := listings.of[r.Agent+r.Path]
	listings.Unlock()
	if ok && known.size == size && known.changed.Equal(changed) {
		return known.sessions, nil
	}
	known = storeListing{changed: changed, size: size}
	if known.sessions, ok = keptListing(r, known, kind); !ok {
		if known.sessions, err = list(); err != nil {
			return known.sessions, err
		}
		if len(known.sessions) >= manySessions && time.Since(changed) > settled {
			keepListing(r, known)
		}
	}
	listings.Lock()
	listings.of[r.Agent+r.Path] = known
	listings.Unlock()
	return known.sessions, nil
}

func listingPath(r Root) string {
	if r.cache == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(r.Agent + "\x00" + r.Path))
	return filepath.Join(r.cache, "found", hex.EncodeToString(sum[:8])+".bin")
}

// keepListing writes a listing for the next process. Errors are ignored, because the search is of use without it.
func keepListing(r Root, l storeListing) {
	if path := listingPath(r); path != "" {
		writeList(path, appendListing(nil, l))
	}
}

// keptListing reads the listing that another process has written, if it is of the store as it is now.
func keptListing(r Root, now storeListing, kind kind) ([]Session, bool) {
	path := listingPath(r)
	if path == "" {
		return nil, false
	}
	l, ok := readListing(listFile(path), r.Agent, r.Path, kind)
	if !ok || l.size != now.size || !l.changed.Equal(now.changed) {
		return nil, false
	}
	return l.sessions, true
}

// appendListing writes a listing.
func appendListing(to []byte, l storeListing) []byte {
	w := &listWriter{to: append(to, listingMagic...)}
	w.to = binary.AppendVarint(w.to, l.changed.UnixNano())
	w.to = binary.AppendVarint(w.to, l.size)
	w.to = binary.AppendUvarint(w.to, uint64(len(l.sessions)))
	for i := range l.sessions {
		w.session(&l.sessions[i])
	}
	return w.end()
}

// readListing reads what appendListing has written; ok is false for anything else.
func readListing(file []byte, agent, path string, kind kind) (l storeListing, ok bool) {
	r := readList(file, listingMagic)
	l.changed, l.size = time.Unix(0, r.number()), r.number()
	sessions := r.count()
	if !r.good || sessions > uint64(r.end) {
		return l, false
	}
	l.sessions = make([]Session, sessions)
	for i := range l.sessions {
		s := &l.sessions[i]
		s.Agent, s.Path, s.kind = agent, path, kind
		if r.session(s); !r.good {
			return l, false
		}
	}
	return l, r.at == r.end
}
