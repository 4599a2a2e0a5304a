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

// ErrTaken says that another export writes into the folder.
var ErrTaken = errors.New("another export is writing to this directory; wait until it has ended, or use another directory")

// A Folder is a table in files, one for each session and day: day=2026-11-22/agent=claude-code/NAME.parquet. A session
// that has not changed is left alone when the folder is written again, and the files of one that has are replaced.
type Folder struct {
	// Origin says where a transcript comes from that was unpacked for the time of an export; nil where none was.
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

// An entry of the journal says what was written for a transcript. The last one of a transcript counts.
type entry struct {
	Transcript string   `json:"transcript"` // a hash of its path
	Size       int64    `json:"size"`
	Modified   int64    `json:"modified"`
	Format     string   `json:"format"`
	Schema     string   `json:"schema"`
	Named      string   `json:"named"`          // how sessions are named, without the key
	Said       int64    `json:"said,omitempty"` // the window that the agent has said
	Since      int64    `json:"since,omitempty"`
	Until      int64    `json:"until,omitempty"`
	Files      []string `json:"files"`
}

const journalName = "_ctx-export.jsonl"

// OpenFolder makes or opens a folder for rows in a format.
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
		if json.Unmarshal(lines.Bytes(), &e) == nil { // a line that was cut off counts for nothing
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
	if _, err := f.journal.WriteString("\n"); err != nil { // behind a line that was cut off
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// part is where a file is written before it has its name. It is hidden, because those who read every file of a folder
// leave hidden ones out: Spark, Hive and Trino.
func (f *Folder) part(name string) string {
	folder, file := filepath.Split(filepath.Join(f.path, name))
	return filepath.Join(folder, "."+file+".part")
}

// sweep removes what an export has left that was killed. The lock is held, so that nobody writes there.
func (f *Folder) sweep() {
	left, _ := filepath.Glob(filepath.Join(f.path, "day=*", "agent=*", ".*.part")) // the pattern is a good one
	for _, path := range left {
		_ = os.Remove(path) // the disk may be read-only, and then writing fails with a sentence
	}
}

// Close ends the writing.
func (f *Folder) Close() error {
	if f.parquet != nil {
		f.parquet.close()
	}
	err := f.journal.Close()
	return errors.Join(err, f.lock.Unlock()) // the file of the lock stays: who waits for it may hold it already
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
	said := int64(0)
	if f.Windows != nil {
		if last := f.Windows.Of(s); last != nil {
			said = last.Window
		}
	}
	// A table that was written before a column was added is written again.
	columns := Schema + " with " + strconv.Itoa(len(Columns())) + " columns"
	return entry{
		Since: bound(names.Since), Until: bound(names.Until),
		Transcript: hex.EncodeToString(path[:16]), Size: s.Size, Modified: s.Modified.UnixMilli(), Format: f.format, Schema: columns, Named: named, Said: said, Files: []string{},
	}
}

// bound is a bound of the times in the journal, 0 for none.
func bound(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// Has says whether a session stands in the folder as it is now.
func (f *Folder) Has(s transcript.Session, names Names) bool {
	now := f.entryOf(s, names)
	f.mu.Lock()
	defer f.mu.Unlock()
	was, ok := f.done[now.Transcript]
	now.Files = was.Files
	return ok && now.Size == was.Size && now.Modified == was.Modified && now.Format == was.Format && now.Schema == was.Schema && now.Named == was.Named && now.Said == was.Said && now.Since == was.Since && now.Until == was.Until
}

// A Put writes one session into a folder, row by row. Nothing has a final name before Commit.
type Put struct {
	folder *Folder
	now    entry
	open   map[string]*part // by day and agent
	count  map[string]int   // how many files a day and agent have
	whole  []string         // the names of the files that are written
	rows   int
}

// A part is a file that is being written.
type part struct {
	name string
	to   fileWriter
	last int // the row that was written last
}

// A fileWriter writes one file.
type fileWriter interface {
	Write(*Row) error
	Close() error // writes the rest and closes the file
	abort()       // closes the file without the rest
}

// open begins a file.
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

// A streamFile is a file in one of the formats that are streams.
type streamFile struct {
	Writer
	out *os.File
}

func (f *streamFile) Close() error { return errors.Join(f.Writer.Close(), f.out.Close()) }
func (f *streamFile) abort()       { _ = f.out.Close() }

// mostOpen is how many files of a session are open at a time. A day that is over is not come back to, but for clocks
// that jump; if it is, it gets a second file.
const mostOpen = 4

// Begin begins to write a session.
func (f *Folder) Begin(s transcript.Session, names Names) *Put {
	return &Put{folder: f, now: f.entryOf(s, names), open: map[string]*part{}, count: map[string]int{}}
}

// Row writes a row.
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

// begin opens a file, and ends the one that was longest not written to where many are open.
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

// end writes the rest of a file.
func (p *Put) end(place string) error {
	file := p.open[place]
	delete(p.open, place)
	p.whole = append(p.whole, file.name)
	return file.to.Close()
}

// Abort removes what was written.
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

// Commit gives the files their names, and removes those that the session had before and has no more. Each file appears
// whole or not at all. After an error nothing is left of the new ones.
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
			_ = os.Remove(filepath.Join(f.path, path)) // it may be gone already
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

// safe is an agent's name as a part of a path.
func safe(agent string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, agent)
}
