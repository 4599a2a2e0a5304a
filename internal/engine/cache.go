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
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/cpu"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// The compiled form of each module is kept in its own directory, CACHE/compiled/DIGEST, which is written under another
// name and then renamed. It is machine code that this process will run, so it is kept only below directories that no
// other user can write to. A file of checksums is next to the files of wazero, whose own checksum does not cover all of
// the code. The checksums need a secret of the user, so that code from elsewhere is not run either.
//
// A start passes wazero the module's stub instead of the module. wazero validates each function before it looks for the
// compiled form, which takes longer than the rest of a start. Therefore the compiled form of the module has the name
// that wazero gives to that of the stub.

// An entry is the directory for the compiled form of one module. Its zero value keeps nothing.
type entry struct {
	dir   string
	key   []byte
	stub  []byte // the module without the code of its functions; nil unless all files have the right checksums
	files []file // all files, if there is a stub
}

// A file is part of an entry.
type file struct {
	name string // relative to the entry, with slashes
	size int64
}

const (
	compiledFolder = "compiled"
	sumsFile       = "sums"
	stubFile       = "stub.wasm"
	// keptEntries is how many modules stay compiled: two, for users who alternate between two versions of ctx-lsp.
	keptEntries = 2
	// keptAnyway is how long any other module stays after its last use, for users of more than two versions.
	keptAnyway = 24 * time.Hour
)

// openEntry returns the entry of a module in a cache, and removes old entries. After an error, nothing may be read from
// the cache or written to it.
func openEntry(cache, keyFile string, module []byte) (entry, error) {
	if cache == "" {
		return entry{}, nil
	}
	key, err := keyOf(keyFile)
	if err != nil {
		return entry{}, err
	}
	e := entry{dir: filepath.Join(cache, compiledFolder, folderOf(module)), key: key}
	for _, dir := range []string{cache, filepath.Dir(e.dir)} { // each before anything is created below it
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
	if err := e.read(); err != nil {
		e.remove()
	}
	return e, nil
}

// read reads the stub of an entry whose files all have the right checksums.
func (e *entry) read() error {
	want, err := os.ReadFile(filepath.Join(e.dir, sumsFile))
	if err != nil {
		return err
	}
	files, err := filesIn(e.dir)
	if err != nil {
		return err
	}
	salt, _, _ := strings.Cut(string(want), "\n")
	if sums, err := e.sums(e.dir, salt, files); err != nil || !hmac.Equal([]byte(sums), want) {
		return errors.New("the checksums are wrong")
	}
	e.stub, err = os.ReadFile(filepath.Join(e.dir, stubFile))
	e.files = files
	return err
}

// unchanged reports whether the entry still consists of the files that had the right checksums. wazero writes another
// file if it does not find the compiled form, which is the case after a change of its own, and compiles the stub.
func (e entry) unchanged() bool {
	files, err := filesIn(e.dir)
	return err == nil && slices.Equal(files, e.files)
}

// keep makes a directory the entry. It contains the files that wazero has written for the module; below named are those
// that it has written for the stub.
func (e entry) keep(dir, named string, stub []byte) error {
	ofStub, err := filesIn(named)
	if err == nil {
		err = os.RemoveAll(named)
	}
	if err != nil {
		return err
	}
	ofModule, err := filesIn(dir)
	if err != nil {
		return err
	}
	from, to := without(ofModule, ofStub), without(ofStub, ofModule) // both have that of the filler
	if len(from) != 1 || len(to) != 1 {
		return errors.New("wazero has no compiled form for this machine")
	}
	if err := os.Rename(filepath.Join(dir, filepath.FromSlash(from[0])), filepath.Join(dir, filepath.FromSlash(to[0]))); err != nil {
		return err
	}
	if err := safefile.Replace(filepath.Join(dir, stubFile), stub, (*os.File).Sync); err != nil {
		return err
	}
	files, err := filesIn(dir)
	if err != nil {
		return err
	}
	sums, err := e.sums(dir, rand.Text(), files)
	if err != nil {
		return err
	}
	if err := safefile.Replace(filepath.Join(dir, sumsFile), []byte(sums), (*os.File).Sync); err != nil {
		return err
	}
	if err := safefile.Rename(dir, e.dir); err != nil {
		if _, other := os.Lstat(filepath.Join(e.dir, sumsFile)); other != nil { // no other process was faster
			return err
		}
	}
	return nil
}

// remove deletes the entry.
func (e entry) remove() { _ = os.RemoveAll(e.dir) }

// folderOf returns the name of a module's directory: a digest of the module as it is stored, and of the processor's
// features, for which wazero compiles.
func folderOf(module []byte) string {
	digest := sha256.New()
	digest.Write(module)
	fmt.Fprint(digest, cpu.X86, cpu.ARM64)
	return fmt.Sprintf("%x", digest.Sum(nil)[:16])
}

// filesIn returns the files below a directory, except for that of the checksums.
func filesIn(dir string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s: %w", path, safefile.ErrNoFile)
		}
		name, err := filepath.Rel(dir, path)
		if err == nil && name != sumsFile {
			files = append(files, file{filepath.ToSlash(name), info.Size()})
		}
		return err
	})
	return files, err
}

// without returns the names of files whose names are not among others.
func without(files, others []file) (names []string) {
	for _, f := range files {
		if !slices.ContainsFunc(others, func(o file) bool { return o.name == f.name }) {
			names = append(names, f.name)
		}
	}
	return names
}

// sums returns the salt of the checksums, and a line for each file in a directory, which is the entry or will become
// the entry.
func (e entry) sums(dir, salt string, files []file) (string, error) {
	var b strings.Builder
	b.WriteString(salt + "\n")
	for _, f := range files {
		sum, err := e.sumOf(dir, salt, f.name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%x %s\n", sum, f.name)
	}
	return b.String(), nil
}

// sumOf returns the keyed checksum of a file and its name. It reads the file in pieces: the compiled form of a module
// has tens of megabytes, and after reading it whole, garbage would not be collected until the heap is that large again.
// Each piece has its own GMAC, with a key used for no other file: SHA-256 takes several times as long, a tenth of a
// start (BenchmarkStart).
func (e entry) sumOf(dir, salt, name string) ([]byte, error) {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
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

// prune removes the entries that were not used for a long time, except the newest ones and own.
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
}
