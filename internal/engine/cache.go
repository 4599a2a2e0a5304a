// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// The compiled form of each module is kept in its own directory, CACHE/compiled/DIGEST, so that a damaged or unused one
// can be removed alone. It is machine code that this process will run, so it is kept only below directories that no
// other user can write to. A file of checksums is next to the files of wazero, whose own checksum does not cover all of
// the code. The checksums need a secret of the user, so that code from elsewhere is not run either.

// An entry is the directory for the compiled form of one module. Its zero value keeps nothing.
type entry struct {
	dir  string
	key  []byte
	warm bool // it contains complete files with the right checksums
}

const (
	compiledFolder = "compiled"
	sumsFile       = "sums"
	// keptEntries is how many modules stay compiled: two, for users who alternate between two versions of ctx-lsp.
	keptEntries = 2
	// keptAnyway is how long any other module stays after its last use, for users of more than two versions.
	keptAnyway = 24 * time.Hour
)

// openEntry returns the entry of a module in a cache, creates its directory, and removes old entries. After an error,
// nothing may be read from the cache or written to it.
func openEntry(cache, keyFile string, module []byte) (entry, error) {
	if cache == "" {
		return entry{}, nil
	}
	key, err := keyOf(keyFile)
	if err != nil {
		return entry{}, err
	}
	e := entry{dir: filepath.Join(cache, compiledFolder, folderOf(module)), key: key}
	for _, dir := range []string{cache, filepath.Dir(e.dir), e.dir} { // each before anything is created below it
		if err := safefile.Trusted(dir); err != nil {
			return entry{}, err
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return entry{}, err
		}
	}
	if err := safefile.Trusted(e.dir); err != nil {
		return entry{}, err
	}
	_ = os.Chtimes(e.dir, time.Time{}, time.Now()) // a failure only makes the entry look older than it is
	prune(cache, e.dir)
	sums, err := os.ReadFile(filepath.Join(e.dir, sumsFile))
	if err != nil && e.written() < time.Minute {
		return e, nil // another process may be compiling it now
	}
	salt, _, _ := strings.Cut(string(sums), "\n")
	if now, err := e.sums(salt); err != nil || !hmac.Equal([]byte(now), sums) {
		e.remove()
		return e, nil
	}
	e.warm = true
	return e, nil
}

// keep writes the checksums of the files that wazero has written.
func (e entry) keep() {
	if e.dir == "" || e.warm {
		return
	}
	sums, err := e.sums(rand.Text())
	if err == nil {
		err = safefile.Replace(filepath.Join(e.dir, sumsFile), []byte(sums), (*os.File).Sync)
	}
	if err != nil {
		e.remove() // an entry without checksums is never used
	}
}

// written returns the time since the last write into the entry, 0 if it is empty.
func (e entry) written() time.Duration {
	files, _ := filepath.Glob(filepath.Join(e.dir, "*", "*"))
	var last time.Time
	for _, path := range files {
		if info, err := os.Lstat(path); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	if last.IsZero() {
		return 0
	}
	return time.Since(last)
}

// remove deletes the content of the entry; its directory stays.
func (e entry) remove() {
	held, _ := os.ReadDir(e.dir)
	for _, h := range held {
		_ = os.RemoveAll(filepath.Join(e.dir, h.Name()))
	}
}

// folderOf returns the name of a module's directory. It need not be unguessable, only different for two versions: the
// files in it are named after a cryptographic hash of the module.
func folderOf(module []byte) string {
	return fmt.Sprintf("%08x%08x%08x", len(module), crc32.ChecksumIEEE(module), crc32.Checksum(module, castagnoli))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sums returns the salt of the checksums and a line for each file that wazero wrote.
func (e entry) sums(salt string) (string, error) {
	var b strings.Builder
	b.WriteString(salt + "\n")
	versions, err := os.ReadDir(e.dir)
	if err != nil {
		return "", err
	}
	for _, version := range versions {
		if !version.IsDir() {
			continue
		}
		files, err := os.ReadDir(filepath.Join(e.dir, version.Name()))
		if err != nil {
			return "", err
		}
		for _, f := range files {
			if strings.HasSuffix(f.Name(), ".tmp") {
				continue // another process is compiling the same module
			}
			if !f.Type().IsRegular() {
				return "", fmt.Errorf("%s: %w", f.Name(), safefile.ErrNoFile)
			}
			name := version.Name() + "/" + f.Name()
			sum, err := e.sumOf(salt, name)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "%x %s\n", sum, name)
		}
	}
	if b.Len() == len(salt)+1 {
		return "", errors.New("the cache is empty")
	}
	return b.String(), nil
}

// sumOf returns the keyed checksum of a file and its name. It reads the file in pieces: the compiled form of a module
// has tens of megabytes, and after reading it whole, garbage would not be collected until the heap is that large again.
// Each piece has its own GMAC, with a key used for no other file: SHA-256 takes several times as long, a tenth of a
// start (BenchmarkStart).
func (e entry) sumOf(salt, name string) ([]byte, error) {
	f, err := os.Open(filepath.Join(e.dir, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	digest := hmac.New(sha256.New, e.key)
	fmt.Fprintf(digest, "%s %s/%s\n", salt, filepath.Base(e.dir), name)
	block, err := aes.NewCipher(digest.Sum(nil))
	if err != nil {
		return nil, err
	}
	pieces, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	piece, nonce := make([]byte, 1<<18), make([]byte, pieces.NonceSize())
	for number := uint64(0); ; number++ {
		n, err := io.ReadFull(f, piece)
		if n > 0 {
			binary.LittleEndian.PutUint64(nonce, number)
			digest.Write(pieces.Seal(nil, nonce, nil, piece[:n])) //nolint:gosec // the nonce is the number of the piece
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return digest.Sum(nil), nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// prune removes the entries that were not used for a long time, except the newest ones and own. In own, it removes old
// temporary files.
func prune(cache, own string) {
	type aged struct {
		path string
		used time.Time
	}
	var others []aged
	entries, _ := os.ReadDir(filepath.Join(cache, compiledFolder))
	for _, entry := range entries {
		path := filepath.Join(cache, compiledFolder, entry.Name())
		if info, err := entry.Info(); err == nil && info.IsDir() && path != own {
			others = append(others, aged{path, info.ModTime()})
		}
	}
	slices.SortFunc(others, func(a, b aged) int { return b.used.Compare(a.used) })
	for i, o := range others {
		if i >= keptEntries-1 && time.Since(o.used) > keptAnyway {
			_ = os.RemoveAll(o.path)
		}
	}
	// The temporary files of a process that ended while writing.
	left, _ := filepath.Glob(filepath.Join(own, "*", "*.tmp"))
	for _, path := range left {
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(path)
		}
	}
}
