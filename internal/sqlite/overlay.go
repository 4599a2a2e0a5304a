// Copyright The ctx-lsp authors. MIT licence.

package sqlite

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strconv"
	"sync"
	"time"

	"modernc.org/sqlite/vfs"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// An overlay is a database file in which the pages that its write-ahead log has committed replace the old ones. SQLite
// reads it as one file in rollback mode that no other process writes: the log is used as it was when it was opened.
type overlay struct {
	file, log *os.File
	fileInfo  os.FileInfo
	header    [logHeader]byte // the log's header
	name      string          // SQLite's name for it

	pageSize int64
	size     int64 // the size of the database in bytes
	logged   map[uint32]int64
}

const (
	logHeader   = 32
	frameHeader = 24
	// mostLog is how many bytes of a log are read: SQLite empties it after some thousands of pages.
	mostLog = 1 << 30
)

// openOverlaid opens a database with its log, which this package reads instead of SQLite.
func openOverlaid(ctx context.Context, path, real string) (*DB, error) {
	o, err := newOverlay(ctx, real)
	if err != nil {
		return nil, err
	}
	vfsName, err := overlays.add(o)
	if err == nil {
		db, failed := open(ctx, o.name, url.Values{"vfs": {vfsName}, "mode": {"ro"}, "immutable": {"1"}})
		if failed == nil {
			return &DB{DB: db, path: path, overlay: o}, nil
		}
		err = failed
	}
	o.close()
	return nil, Sentence(path, err)
}

func newOverlay(ctx context.Context, path string) (*overlay, error) {
	o := &overlay{logged: map[uint32]int64{}}
	if err := o.begin(ctx, path); err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

// begin opens the files. If it fails, the files opened so far stay open.
func (o *overlay) begin(ctx context.Context, path string) (err error) {
	if o.file, err = safefile.File(path); err != nil {
		return err
	}
	if o.fileInfo, err = o.file.Stat(); err != nil {
		return err
	}
	if o.log, err = safefile.File(path + "-wal"); err != nil {
		return err
	}
	header := make([]byte, headerSize)
	if _, err := o.file.ReadAt(header, 0); err != nil {
		return err
	}
	if o.pageSize = int64(binary.BigEndian.Uint16(header[16:])); o.pageSize == 1 {
		o.pageSize = 65536
	}
	if o.pageSize < 512 || o.pageSize&(o.pageSize-1) != 0 {
		return fmt.Errorf("%s is damaged: its pages have %d bytes", path, o.pageSize)
	}
	o.size = o.fileInfo.Size() / o.pageSize * o.pageSize
	return o.readLog(ctx)
}

// readLog finds the newest committed frame of every page. A log ends at the first frame with other salts or a wrong
// checksum.
func (o *overlay) readLog(ctx context.Context) error {
	if _, err := o.log.ReadAt(o.header[:], 0); err != nil {
		return nil // a log without a header is empty
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch magic := binary.BigEndian.Uint32(o.header[:]); magic {
	case 0x377f0682:
	case 0x377f0683:
		order = binary.BigEndian
	default:
		return nil
	}
	size := int64(binary.BigEndian.Uint32(o.header[8:]))
	sums := checksum(order, o.header[:24], [2]uint32{})
	if size != o.pageSize || sums != sumsAt(o.header[24:]) {
		return nil
	}
	r := io.NewSectionReader(o.log, logHeader, mostLog)
	frame := make([]byte, frameHeader+o.pageSize)
	pending := map[uint32]int64{}
	for at := int64(logHeader); ; at += int64(len(frame)) {
		if at%(1<<20) < int64(len(frame)) && ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := io.ReadFull(r, frame); err != nil || !bytes.Equal(frame[8:16], o.header[16:24]) {
			return nil
		}
		sums = checksum(order, frame[frameHeader:], checksum(order, frame[:8], sums))
		page := binary.BigEndian.Uint32(frame)
		if sums != sumsAt(frame[16:]) || page == 0 {
			return nil
		}
		pending[page] = at + frameHeader
		if pages := binary.BigEndian.Uint32(frame[4:]); pages > 0 { // the frame ends a transaction
			o.size = int64(pages) * o.pageSize
			for page, at := range pending {
				o.logged[page] = at
			}
			clear(pending)
		}
	}
}

func sumsAt(b []byte) [2]uint32 {
	return [2]uint32{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])}
}

// checksum returns SQLite's checksum of a log, over pairs of 32-bit numbers.
func checksum(order binary.ByteOrder, b []byte, sums [2]uint32) [2]uint32 {
	little := order == binary.LittleEndian
	for ; len(b) >= 8; b = b[8:] {
		if little {
			sums[0] += binary.LittleEndian.Uint32(b) + sums[1]
			sums[1] += binary.LittleEndian.Uint32(b[4:]) + sums[0]
		} else {
			sums[0] += binary.BigEndian.Uint32(b) + sums[1]
			sums[1] += binary.BigEndian.Uint32(b[4:]) + sums[0]
		}
	}
	return sums
}

// changed reports whether the agent has written to the database file, or restarted the log, since the files were
// opened. Appending to the log changes nothing.
func (o *overlay) changed() bool {
	info, err := o.file.Stat()
	if err != nil || info.Size() != o.fileInfo.Size() || !info.ModTime().Equal(o.fileInfo.ModTime()) {
		return true
	}
	var header [logHeader]byte
	_, err = o.log.ReadAt(header[:], 0)
	return err == nil && header != o.header
}

func (o *overlay) close() {
	overlays.remove(o)
	for _, f := range []*os.File{o.file, o.log} {
		if f != nil {
			_ = f.Close() // it was only read
		}
	}
}

// ReadAt reads from the database with its log applied.
func (o *overlay) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) && at < o.size {
		page, within := at/o.pageSize, at%o.pageSize
		part := b[n:min(len(b), n+int(o.pageSize-within))]
		source, place := o.file, at
		if logged, ok := o.logged[uint32(page+1)]; ok {
			source, place = o.log, logged+within
		}
		got, err := source.ReadAt(part, place)
		if got < len(part) && err != io.EOF {
			return n, err
		}
		clear(part[got:]) // a page that was never written
		if page == 0 {
			for i := max(within, 18); i < 20 && int(i-within) < len(part); i++ {
				part[i-within] = 1 // claims rollback mode, so that SQLite does not look for a log
			}
		}
		n, at = n+len(part), at+int64(len(part))
	}
	return n, nil
}

// overlays are the databases that SQLite may open through this package, by names that are not paths.
var overlays registry

type registry struct {
	mu    sync.Mutex
	name  string
	open  map[string]*overlay
	count int
}

// add gives an overlay a name, and returns the name of the file system.
func (r *registry) add(o *overlay) (vfsName string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == nil {
		if r.name, _, err = vfs.New(r); err != nil {
			return "", err
		}
		r.open = map[string]*overlay{}
	}
	r.count++
	o.name = "overlay" + strconv.Itoa(r.count)
	r.open[o.name] = o
	return r.name, nil
}

func (r *registry) remove(o *overlay) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, o.name)
}

// Open opens an overlay for SQLite. Nothing else can be opened.
func (r *registry) Open(name string) (fs.File, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if o := r.open[name]; o != nil {
		return &reading{overlay: o}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// reading is an overlay as an open file.
type reading struct {
	*overlay
	at int64
}

func (f *reading) Read(b []byte) (int, error) {
	n, err := f.ReadAt(b, f.at)
	f.at += int64(n)
	return n, err
}

func (f *reading) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart || offset < 0 {
		return 0, fs.ErrInvalid
	}
	f.at = offset
	return offset, nil
}

func (f *reading) Close() error               { return nil }
func (f *reading) Stat() (fs.FileInfo, error) { return f, nil }
func (f *reading) Name() string               { return f.name }
func (f *reading) Size() int64                { return f.size }
func (f *reading) Mode() fs.FileMode          { return 0o400 }
func (f *reading) ModTime() time.Time         { return f.fileInfo.ModTime() }
func (f *reading) IsDir() bool                { return false }
func (f *reading) Sys() any                   { return nil }
