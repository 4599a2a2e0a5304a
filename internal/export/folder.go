// Copyright The ctx-lsp authors. MIT licence.

package export

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/sink"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// ErrTaken is the error if another export is writing to the directory.
var ErrTaken = errors.New("another export is writing to this directory; wait until it has ended, or use another directory")

// ErrOther is the error if a directory contains rows in another format, with other names, or of another schema.
var ErrOther = errors.New("this directory has rows of another format, schema or key, or with other names; use a new directory")

// A Folder is a table in a directory. Each run adds one file with the rows that no earlier run has written. Files are
// never changed. The journal lists the files and their rows.
type Folder struct {
	// Origin returns the path of the archive or compressed file that a transcript was unpacked from; nil if none was
	// unpacked.
	Origin func(path string) string
	// Windows returns the windows that agents have reported; nil for none.
	Windows follow.Windows

	path   string
	format string
	at     time.Time // when the run started
	lock   *flock.Flock

	mu      sync.Mutex // guards the fields below
	journal *journal
	name    string // the name of this run's file, "" before its first row
	to      fileWriter
	rows    int64
	failed  error // why the file cannot be completed
	entries []entry
}

// OpenFolder opens a directory for rows in a format, and creates it if necessary.
func OpenFolder(path, format string, names Names) (*Folder, error) {
	if format == "parquet" {
		if _, err := sink.Find(); err != nil {
			return nil, withoutSink(err)
		}
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	f := &Folder{path: path, format: format, at: names.At, lock: flock.New(filepath.Join(path, "_ctx-export.lock"))}
	if f.at.IsZero() {
		f.at = time.Now().UTC()
	}
	held, err := f.lock.TryLock()
	if err != nil {
		return nil, err
	}
	if !held {
		return nil, ErrTaken
	}
	f.journal, err = openJournal(filepath.Join(path, journalName), header{Table: tableVersion, Schema: Schema, Format: format, Named: named(names)})
	if err == nil {
		err = f.recover()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// named returns the way sessions are named, without revealing the key.
func named(names Names) string {
	if names.Plain {
		return "plain"
	}
	key := sha256.Sum256(append([]byte("ctx export"), names.Key...))
	return hex.EncodeToString(key[:8])
}

// part returns the path of a file while it is being written. It is hidden, because programs that read every file of a
// directory skip hidden ones: Spark, Hive and Trino.
func (f *Folder) part(name string) string { return filepath.Join(f.path, "."+name+".part") }

// recover completes the work of a killed export: it gives the file of the last run in the journal its name, and removes
// the incomplete files of runs that are not in it.
func (f *Folder) recover() error {
	if name := f.journal.last; name != "" && filepath.Base(name) == name {
		if _, err := os.Lstat(f.part(name)); err == nil {
			if err := f.publish(name); err != nil {
				return err
			}
		}
	}
	left, _ := filepath.Glob(filepath.Join(f.path, ".*.part")) // the pattern is valid
	for _, path := range left {
		_ = os.Remove(path) // if the disk is read-only, writing returns an error
	}
	return nil
}

// publish gives a complete file its name.
func (f *Folder) publish(name string) error {
	if err := safefile.Rename(f.part(name), filepath.Join(f.path, name)); err != nil {
		return err
	}
	return safefile.SyncFolder(f.path)
}

// Close releases the directory. Rows of a run that was not finished are dropped.
func (f *Folder) Close() error {
	f.drop()
	var err error
	if f.journal != nil {
		err = f.journal.close()
	}
	return errors.Join(err, f.lock.Unlock()) // the lock file stays, because a waiting process may already have opened it
}

// drop removes the file being written.
func (f *Folder) drop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.to != nil {
		f.to.abort()
		_ = os.Remove(f.part(f.name))
		f.to = nil
	}
}

func (f *Folder) entryOf(s transcript.Session, names Names) entry {
	at := s.Path
	if f.Origin != nil {
		at = f.Origin(at)
	}
	path := sha256.Sum256([]byte(at + "\x00" + s.ID))
	reported := int64(0)
	if f.Windows != nil {
		if last := f.Windows.Of(s); last != nil {
			reported = last.Window
		}
	}
	return entry{
		Transcript: hex.EncodeToString(path[:16]), Size: s.Size, Modified: s.Modified.UnixMilli(), Reported: reported,
		Since: bound(names.Since), Until: bound(names.Until),
	}
}

// bound returns a time as the journal stores it, 0 for none.
func bound(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// Has reports whether the directory contains the session in its current state.
func (f *Folder) Has(s transcript.Session, names Names) bool {
	now := f.entryOf(s, names)
	was, ok := f.journal.done[now.Transcript]
	was.Keys = nil
	return ok && was.same(now)
}

// A Put adds the new rows of one session to the run. Several sessions may be added at the same time.
type Put struct {
	folder  *Folder
	now     entry
	written map[rowKey]int // how many rows of each key earlier runs have written
	waiting []*Row
}

// rowsAtOnce is how many rows of a session are written together.
const rowsAtOnce = 256

// Begin starts to add a session.
func (f *Folder) Begin(s transcript.Session, names Names) *Put {
	p := &Put{folder: f, now: f.entryOf(s, names), written: map[rowKey]int{}}
	// Rows whose window was another one are written again. Readers take the newest row of a request.
	if was := f.journal.done[p.now.Transcript]; was.Reported == p.now.Reported {
		for keys := was.Keys; len(keys) >= len(rowKey{}); keys = keys[len(rowKey{}):] {
			p.written[rowKey(keys)]++
		}
	} else {
		p.now.Again = true
	}
	return p
}

// Row adds a row, unless an earlier run has written it. It reports whether the row was added. A row of a transcript is
// recognized by its key, so the order of the rows does not matter, and a rewritten transcript adds only new requests.
func (p *Put) Row(row *Row) (bool, error) {
	key, err := keyOf(row)
	if err != nil {
		return false, err
	}
	if p.written[key] > 0 {
		p.written[key]--
		return false, nil
	}
	p.now.Keys = append(p.now.Keys, key[:]...)
	if p.waiting = append(p.waiting, row); len(p.waiting) < rowsAtOnce {
		return true, nil
	}
	return true, p.flush()
}

// flush writes the waiting rows.
func (p *Put) flush() error {
	f := p.folder
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, row := range p.waiting {
		if err := f.write(row); err != nil {
			return err
		}
	}
	clear(p.waiting)
	p.waiting = p.waiting[:0]
	return nil
}

// write writes a row to the file of the run. f.mu must be held.
func (f *Folder) write(row *Row) error {
	if f.failed != nil {
		return f.failed
	}
	if f.to == nil {
		f.name = f.at.Format("20060102T150405Z-") + randomName() + "." + f.format
		f.to, f.failed = f.create(f.part(f.name))
	}
	if f.failed == nil {
		f.failed = f.to.Write(row)
	}
	f.rows++
	return f.failed
}

func randomName() string {
	var name [6]byte
	_, _ = rand.Read(name[:]) // never fails
	return hex.EncodeToString(name[:])
}

// Commit completes a session. If the session was not read to its end, whole is false and the next run reads it again.
func (p *Put) Commit(whole bool) error {
	if err := p.flush(); err != nil {
		return err
	}
	if !whole {
		p.now.Size = unread
	}
	f := p.folder
	f.mu.Lock()
	defer f.mu.Unlock()
	f.entries = append(f.entries, p.now)
	return nil
}

// Finish completes the run: the file with its rows appears under its name. A run without rows adds no file. The journal
// is written before the file is renamed; if the export is killed in between, the next one renames the file.
func (f *Folder) Finish() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed != nil {
		return f.failed
	}
	if f.to != nil {
		err := f.to.Close()
		if err == nil {
			err = syncFile(f.part(f.name))
		}
		if err != nil {
			f.failed = err
			return err
		}
	}
	if len(f.entries) == 0 {
		return nil
	}
	if err := f.journal.add(f.entries, run{Run: f.at, File: f.name, Rows: f.rows}); err != nil {
		f.failed = fmt.Errorf("the journal of the directory: %w", err)
		return f.failed
	}
	f.entries = nil
	if f.to == nil {
		return nil
	}
	f.to = nil // the file belongs to the journal
	return f.publish(f.name)
}

// syncFile returns once the content of a file would survive a power cut.
func syncFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// A fileWriter writes one file.
type fileWriter interface {
	Write(*Row) error
	Close() error // writes the rest and closes the file
	abort()       // closes the file without the rest; does nothing after Close
}

// create starts a file.
func (f *Folder) create(path string) (fileWriter, error) {
	if f.format == "parquet" {
		return createParquet(path)
	}
	out, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	to, err := NewWriter(f.format, out)
	return &streamFile{to, out}, err
}

// A streamFile is a file in csv or jsonl.
type streamFile struct {
	Writer
	out io.Closer
}

func (f *streamFile) Close() error { return errors.Join(f.Writer.Close(), f.out.Close()) }
func (f *streamFile) abort()       { _ = f.out.Close() }

// A rowKey is the beginning of a request's key. It identifies the request in its transcript.
type rowKey [6]byte

func keyOf(row *Row) (key rowKey, err error) {
	if len(row.Request) < 2*len(key) {
		return key, fmt.Errorf("the row has no key: %q", row.Request)
	}
	_, err = hex.Decode(key[:], []byte(row.Request[:2*len(key)]))
	return key, err
}

// keys are several rowKeys. They have eight characters each in the journal.
type keys []byte

func (k keys) MarshalText() ([]byte, error) {
	return base64.RawStdEncoding.AppendEncode(nil, k), nil
}

func (k *keys) UnmarshalText(text []byte) (err error) {
	*k, err = base64.RawStdEncoding.AppendDecode(nil, text)
	return err
}
