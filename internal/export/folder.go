// Copyright The ctx-lsp authors. MIT licence.

package export

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// ErrTaken is the error if another export is writing to the directory.
var ErrTaken = errors.New("another export is writing to this directory; wait until it has ended, or use another directory")

// A Folder is a table in files, one for each session and day: day=2026-11-22/agent=claude-code/NAME.parquet. When the
// directory is written again, unchanged sessions are left alone, and the files of changed sessions are replaced.
type Folder struct {
	// Origin returns the path of the archive or compressed file that a transcript was unpacked from; nil if none was
	// unpacked.
	Origin func(path string) string
	// Windows returns the windows that agents have reported; nil for none.
	Windows follow.Windows

	path    string
	format  string
	lock    *flock.Flock
	parquet *parquetSink // nil for other formats

	mu      sync.Mutex
	journal *os.File
	done    map[string]entry
}

// An entry of the journal records what was written for a transcript. The last entry of a transcript applies.
type entry struct {
	Transcript string   `json:"transcript"` // a hash of its path
	Size       int64    `json:"size"`
	Modified   int64    `json:"modified"`
	Format     string   `json:"format"`
	Schema     string   `json:"schema"`
	Named      string   `json:"named"`          // how sessions are named, without the key
	Reported   int64    `json:"said,omitempty"` // the window that the agent has reported
	Since      int64    `json:"since,omitempty"`
	Until      int64    `json:"until,omitempty"`
	Files      []string `json:"files"`
}

const journalName = "_ctx-export.jsonl"

// OpenFolder opens a directory for rows in a format, and creates it if necessary.
func OpenFolder(path, format string) (*Folder, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	f := &Folder{path: path, format: format, lock: flock.New(filepath.Join(path, "_ctx-export.lock")), done: map[string]entry{}}
	held, err := f.lock.TryLock()
	if err != nil {
		return nil, err
	}
	if !held {
		return nil, ErrTaken
	}
	f.journal, err = os.OpenFile(filepath.Join(path, journalName), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, errors.Join(err, f.lock.Unlock())
	}
	lines := bufio.NewScanner(f.journal)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e entry
		if json.Unmarshal(lines.Bytes(), &e) == nil { // an incomplete line is ignored
			f.done[e.Transcript] = e
		}
	}
	if err := lines.Err(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if format == "parquet" {
		if f.parquet, err = openParquetSink(); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	f.sweep()
	if _, err := f.journal.WriteString("\n"); err != nil { // after a possibly incomplete line
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// part returns the path for a file while it is being written. It is hidden, because programs that read every file of a
// directory skip hidden ones: Spark, Hive and Trino.
func (f *Folder) part(name string) string {
	folder, file := filepath.Split(filepath.Join(f.path, name))
	return filepath.Join(folder, "."+file+".part")
}

// sweep removes what a killed export has left. The lock is held, so no other export is writing.
func (f *Folder) sweep() {
	left, _ := filepath.Glob(filepath.Join(f.path, "day=*", "agent=*", ".*.part")) // the pattern is valid
	for _, path := range left {
		_ = os.Remove(path) // if the disk is read-only, writing returns an error
	}
}

// Close closes the journal and releases the lock.
func (f *Folder) Close() error {
	if f.parquet != nil {
		f.parquet.close()
	}
	err := f.journal.Close()
	return errors.Join(err, f.lock.Unlock()) // the lock file stays, because a waiting process may already have opened it
}

func (f *Folder) entryOf(s transcript.Session, names Names) entry {
	at := s.Path
	if f.Origin != nil {
		at = f.Origin(at)
	}
	path := sha256.Sum256([]byte(at + "\x00" + s.ID))
	named := "plain"
	if !names.Plain {
		key := sha256.Sum256(append([]byte("ctx export"), names.Key...))
		named = hex.EncodeToString(key[:8])
	}
	reported := int64(0)
	if f.Windows != nil {
		if last := f.Windows.Of(s); last != nil {
			reported = last.Window
		}
	}
	// The number of columns makes a table from before a new column differ, so that it is written again.
	columns := Schema + " with " + strconv.Itoa(len(Columns())) + " columns"
	return entry{
		Since: bound(names.Since), Until: bound(names.Until),
		Transcript: hex.EncodeToString(path[:16]), Size: s.Size, Modified: s.Modified.UnixMilli(), Format: f.format, Schema: columns, Named: named, Reported: reported, Files: []string{},
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
	f.mu.Lock()
	defer f.mu.Unlock()
	was, ok := f.done[now.Transcript]
	now.Files = was.Files
	return ok && now.Size == was.Size && now.Modified == was.Modified && now.Format == was.Format && now.Schema == was.Schema && now.Named == was.Named && now.Reported == was.Reported && now.Since == was.Since && now.Until == was.Until
}

// A Put writes one session into a directory, row by row. No file has its final name before Commit.
type Put struct {
	folder *Folder
	now    entry
	open   map[string]*part // the current file for each day and agent
	count  map[string]int   // the number of files for each day and agent
	whole  []string         // the names of the complete files
	rows   int
}

// A part is a file being written.
type part struct {
	name string
	to   fileWriter
	last int // the number of the last row written
}

// A fileWriter writes one file.
type fileWriter interface {
	Write(*Row) error
	Close() error // writes the rest and closes the file
	abort()       // closes the file without the rest
}

// open starts a file.
func (f *Folder) open(path string) (fileWriter, error) {
	if f.parquet != nil {
		return f.parquet.open(path)
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
	out *os.File
}

func (f *streamFile) Close() error { return errors.Join(f.Writer.Close(), f.out.Close()) }
func (f *streamFile) abort()       { _ = f.out.Close() }

// mostOpen is the maximum number of a session's files open at the same time. A session rarely returns to an earlier
// day, unless the clock jumps; that day then gets a second file.
const mostOpen = 4

// Begin starts to write a session.
func (f *Folder) Begin(s transcript.Session, names Names) *Put {
	return &Put{folder: f, now: f.entryOf(s, names), open: map[string]*part{}, count: map[string]int{}}
}

// Row writes a row to the file of its day and agent.
func (p *Put) Row(row *Row) error {
	day := "unknown"
	if row.Time != nil {
		day = row.Time.Format("2006-01-02")
	}
	place := filepath.Join("day="+day, "agent="+safe(row.Agent))
	file := p.open[place]
	if file == nil {
		var err error
		if file, err = p.begin(place); err != nil {
			return err
		}
	}
	p.rows++
	file.last = p.rows
	return file.to.Write(row)
}

// begin opens a file. If too many are open, it first completes the one least recently written to.
func (p *Put) begin(place string) (*part, error) {
	if len(p.open) >= mostOpen {
		oldest := ""
		for at, file := range p.open {
			if oldest == "" || file.last < p.open[oldest].last {
				oldest = at
			}
		}
		if err := p.end(oldest); err != nil {
			return nil, err
		}
	}
	p.count[place]++
	name := p.now.Transcript
	if n := p.count[place]; n > 1 {
		name += "-" + strconv.Itoa(n)
	}
	name = filepath.Join(place, name+"."+p.folder.format)
	if err := os.MkdirAll(filepath.Join(p.folder.path, place), 0o755); err != nil {
		return nil, err
	}
	to, err := p.folder.open(p.folder.part(name))
	if to == nil {
		return nil, err
	}
	file := &part{name: name, to: to}
	p.open[place] = file
	return file, err
}

// end completes a file.
func (p *Put) end(place string) error {
	file := p.open[place]
	delete(p.open, place)
	p.whole = append(p.whole, file.name)
	return file.to.Close()
}

// Abort removes the files written so far.
func (p *Put) Abort() {
	for _, file := range p.open {
		file.to.abort()
		_ = os.Remove(p.folder.part(file.name))
	}
	for _, name := range p.whole {
		_ = os.Remove(p.folder.part(name))
	}
	clear(p.open)
	p.whole = nil
}

// Commit gives the files their names, and removes the session's earlier files that were not replaced. Each file appears
// atomically. After an error, none of the new files are left.
func (p *Put) Commit() error {
	for place := range p.open {
		if err := p.end(place); err != nil {
			p.Abort()
			return err
		}
	}
	f := p.folder
	slices.Sort(p.whole)
	for _, name := range p.whole {
		if err := os.Rename(f.part(name), filepath.Join(f.path, name)); err != nil {
			for _, named := range p.now.Files {
				_ = os.Remove(filepath.Join(f.path, filepath.FromSlash(named)))
			}
			p.Abort()
			return err
		}
		p.now.Files = append(p.now.Files, filepath.ToSlash(name))
	}
	p.whole = nil
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, old := range f.done[p.now.Transcript].Files {
		if path := filepath.FromSlash(old); !slices.Contains(p.now.Files, old) && filepath.IsLocal(path) {
			_ = os.Remove(filepath.Join(f.path, path)) // it may be removed already
		}
	}
	line, err := json.Marshal(p.now)
	if err != nil {
		return err
	}
	if _, err := f.journal.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("the journal of the directory: %w", err)
	}
	f.done[p.now.Transcript] = p.now
	return nil
}

// safe returns an agent's name with all characters replaced that might be unsafe in a path.
func safe(agent string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, agent)
}
