// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"path/filepath"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A storeListing is what a store with many sessions has listed. It is remembered in this process, and for the next one
// in a file of the cache, because a store with many thousands of sessions takes most of the time of a search, and has
// mostly not changed since. It holds ids, folders, times, and the names that the agent shows in its own lists; nothing
// of a conversation is in it. The file may be removed at any time.
type storeListing struct {
	Changed  time.Time
	Size     int64
	Sessions []transcript.Session
}

var listings = struct {
	sync.Mutex
	of map[string]storeListing
}{of: map[string]storeListing{}}

const (
	listingMagic = "ctx-lsp listing 1\n"
	// manySessions is the number of sessions from which on a listing is kept in a file.
	manySessions = 256
	// Settled is how long a store must be unchanged before its listing is kept: a change at the same moment could have
	// the same time.
	Settled = 2 * time.Second
)

// ForgetListings drops the listings of this process, so that the next search reads the files of the cache.
func ForgetListings() {
	listings.Lock()
	clear(listings.of)
	listings.Unlock()
}

// listed returns the sessions of a store, which it lists again only if the store has changed.
func listed(r Root, kind transcript.Form, list func() ([]transcript.Session, error)) ([]transcript.Session, error) {
	changed, size, err := sqlite.Time(r.Path)
	if err != nil {
		return nil, err
	}
	listings.Lock()
	known, ok := listings.of[r.Agent+r.Path]
	listings.Unlock()
	if ok && known.Size == size && known.Changed.Equal(changed) {
		return known.Sessions, nil
	}
	known = storeListing{Changed: changed, Size: size}
	if known.Sessions, ok = keptListing(r, known, kind); !ok {
		if known.Sessions, err = list(); err != nil {
			return known.Sessions, err
		}
		if len(known.Sessions) >= manySessions && time.Since(changed) > Settled {
			keepListing(r, known)
		}
	}
	listings.Lock()
	listings.of[r.Agent+r.Path] = known
	listings.Unlock()
	return known.Sessions, nil
}

func listingPath(r Root) string {
	if r.Cache == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(r.Agent + "\x00" + r.Path))
	return filepath.Join(r.Cache, "found", hex.EncodeToString(sum[:8])+".bin")
}

// keepListing writes a listing for the next process. Errors are ignored, because the search also works without it.
func keepListing(r Root, l storeListing) {
	if path := listingPath(r); path != "" {
		transcript.WriteList(path, appendListing(nil, l))
	}
}

// keptListing reads the listing that another process has written, if it matches the present store.
func keptListing(r Root, now storeListing, kind transcript.Form) ([]transcript.Session, bool) {
	path := listingPath(r)
	if path == "" {
		return nil, false
	}
	l, ok := readListing(transcript.ListFile(path), r.Agent, r.Path, kind)
	if !ok || l.Size != now.Size || !l.Changed.Equal(now.Changed) {
		return nil, false
	}
	return l.Sessions, true
}

// appendListing writes a listing.
func appendListing(to []byte, l storeListing) []byte {
	w := &transcript.ListWriter{To: append(to, listingMagic...)}
	w.To = binary.AppendVarint(w.To, l.Changed.UnixNano())
	w.To = binary.AppendVarint(w.To, l.Size)
	w.To = binary.AppendUvarint(w.To, uint64(len(l.Sessions)))
	for i := range l.Sessions {
		w.Session(&l.Sessions[i])
	}
	return w.End()
}

// readListing reads what appendListing has written; ok is false for anything else.
func readListing(file []byte, agent, path string, kind transcript.Form) (l storeListing, ok bool) {
	r := transcript.ReadList(file, listingMagic)
	l.Changed, l.Size = time.Unix(0, r.Number()), r.Number()
	sessions := r.Count()
	if !r.Good || sessions > uint64(r.End) {
		return l, false
	}
	l.Sessions = make([]transcript.Session, sessions)
	for i := range l.Sessions {
		s := &l.Sessions[i]
		s.Agent, s.Path, s.Form = agent, path, kind
		if r.Session(s); !r.Good {
			return l, false
		}
	}
	return l, r.At == r.End
}
