// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/database"
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
	maxListing   = 64 << 20
	// settled is how long a store has to be unchanged before its listing is kept: a change in the same moment could
	// have the same time.
	settled = 2 * time.Second
)

// listed are the sessions of a store, listed anew only if the store has changed.
func (r Root) listed(kind kind, list func() ([]Session, error)) ([]Session, error) {
	changed, size, err := database.Time(r.Path)
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
	if known.sessions, ok = r.kept(known, kind); !ok {
		if known.sessions, err = list(); err != nil {
			return known.sessions, err
		}
		if len(known.sessions) >= manySessions && time.Since(changed) > settled {
			r.keep(known)
		}
	}
	listings.Lock()
	listings.of[r.Agent+r.Path] = known
	listings.Unlock()
	return known.sessions, nil
}

func (r Root) listingPath() string {
	if r.cache == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(r.Agent + "\x00" + r.Path))
	return filepath.Join(r.cache, "found", hex.EncodeToString(sum[:8])+".bin")
}

// keep writes a listing for the next process. Errors are ignored, because the search is of use without it.
func (r Root) keep(l storeListing) {
	path := r.listingPath()
	if path == "" || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-*")
	if err != nil {
		return
	}
	_, err = f.Write(appendListing(nil, l))
	if f.Close() != nil || err != nil || os.Rename(f.Name(), path) != nil {
		os.Remove(f.Name())
	}
}

// kept reads the listing that another process has written, if it is of the store as it is now.
func (r Root) kept(now storeListing, kind kind) ([]Session, bool) {
	path := r.listingPath()
	if path == "" {
		return nil, false
	}
	if info, err := os.Stat(path); err != nil || info.Size() > maxListing || !info.Mode().IsRegular() {
		return nil, false
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, false
	}
	l, ok := readListing(text, r.Agent, r.Path, kind)
	if !ok || l.size != now.size || !l.changed.Equal(now.changed) {
		return nil, false
	}
	return l.sessions, true
}

// appendListing writes a listing: each text that repeats, as folders do, stands once.
func appendListing(to []byte, l storeListing) []byte {
	to = append(to, listingMagic...)
	to = binary.AppendVarint(to, l.changed.UnixNano())
	to = binary.AppendVarint(to, l.size)
	to = binary.AppendUvarint(to, uint64(len(l.sessions)))
	numbers := map[string]uint64{}
	text := func(s string) {
		if n, again := numbers[s]; again {
			to = binary.AppendUvarint(to, n)
			return
		}
		numbers[s] = uint64(len(numbers)) + 1
		to = binary.AppendUvarint(to, 0)
		to = append(binary.AppendUvarint(to, uint64(len(s))), s...)
	}
	when := func(t time.Time) {
		nanoseconds := int64(0)
		if !t.IsZero() {
			nanoseconds = t.UnixNano()
		}
		to = binary.AppendVarint(to, nanoseconds)
	}
	for i := range l.sessions {
		s := &l.sessions[i]
		to = append(binary.AppendUvarint(to, uint64(len(s.ID))), s.ID...)
		key := s.Key
		if key == s.ID {
			key = ""
		}
		text(key)
		text(s.Workspace)
		text(s.Parent)
		text(s.Version)
		text(s.Label)
		when(s.Started)
		when(s.Modified)
	}
	return binary.LittleEndian.AppendUint32(to, crc32.ChecksumIEEE(to))
}

// readListing reads what appendListing has written; ok is false for anything else.
func readListing(file []byte, agent, path string, kind kind) (l storeListing, ok bool) {
	end := len(file) - 4
	if end < len(listingMagic) || string(file[:len(listingMagic)]) != listingMagic ||
		crc32.ChecksumIEEE(file[:end]) != binary.LittleEndian.Uint32(file[end:]) {
		return l, false
	}
	all, at, good := string(file[:end]), len(listingMagic), true
	number := func() int64 {
		n, length := binary.Varint(file[at:end])
		good, at = good && length > 0, at+max(length, 0)
		return n
	}
	count := func() uint64 {
		n, length := binary.Uvarint(file[at:end])
		good, at = good && length > 0, at+max(length, 0)
		return n
	}
	plain := func() string {
		length := count()
		if !good || length > uint64(end-at) {
			good = false
			return ""
		}
		at += int(length)
		return all[at-int(length) : at]
	}
	var texts []string
	text := func() string {
		n := count()
		switch {
		case n == 0:
			texts = append(texts, plain())
			return texts[len(texts)-1]
		case n > uint64(len(texts)):
			good = false
			return ""
		}
		return texts[n-1]
	}
	when := func() time.Time {
		if n := number(); n != 0 {
			return time.Unix(0, n)
		}
		return time.Time{}
	}
	l.changed, l.size = time.Unix(0, number()), number()
	sessions := count()
	if !good || sessions > uint64(end) {
		return l, false
	}
	l.sessions = make([]Session, sessions)
	for i := range l.sessions {
		s := &l.sessions[i]
		s.Agent, s.Path, s.kind = agent, path, kind
		s.ID = plain()
		if s.Key = text(); s.Key == "" {
			s.Key = s.ID
		}
		s.Workspace, s.Parent, s.Version, s.Label = text(), text(), text(), text()
		s.Started, s.Modified = when(), when()
		if !good {
			return l, false
		}
	}
	return l, at == end
}
