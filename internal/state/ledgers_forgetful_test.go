// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// errCut is the error of every call after the power has failed.
var errCut = errors.New("the power has failed")

// A forgetfulDisk is sure to keep only what was synced before a power cut. Unsynced changes may survive in part: of the
// names in a directory any of the changes, in any order; of a file some of the bytes written after the synced part, or
// the same number of other bytes.
type forgetfulDisk struct {
	random *rand.Rand
	now    func() time.Time
	during func() // called while a file is synced

	mu      sync.Mutex // guards the fields below
	left    int        // calls until the power fails
	failed  time.Time  // when the power failed
	folders map[string]*folder
}

type folder struct {
	names   map[string]*inode
	durable map[string]*inode
	changes []change // since the names were synced
}

// A change removes a name from an inode, adds one, or does both at once.
type change struct {
	of       *inode
	from, to string
}

type inode struct {
	name   string
	text   []byte
	synced int // the number of durable bytes
	before []overwritten
	time   time.Time
	folder *folder // nil for a file
}

// overwritten is what WriteAt has replaced since the last sync.
type overwritten struct {
	at   int64
	text []byte
}

func newForgetfulDisk(random *rand.Rand, now func() time.Time, root string) *forgetfulDisk {
	return &forgetfulDisk{random: random, now: now, left: 1 << 60, folders: map[string]*folder{root: newFolder()}}
}

func newFolder() *folder {
	return &folder{names: map[string]*inode{}, durable: map[string]*inode{}}
}

// alive counts a call and reports whether the disk still has power. The lock must be held.
func (d *forgetfulDisk) alive() bool {
	if d.left--; d.left == 0 {
		d.failed = d.now()
	}
	return d.left > 0
}

// at returns the directory of a path, and the last element of the path.
func (d *forgetfulDisk) at(path string) (*folder, string, error) {
	in := d.folders[filepath.Dir(path)]
	if in == nil {
		return nil, "", fs.ErrNotExist
	}
	return in, filepath.Base(path), nil
}

func (d *forgetfulDisk) change(in *folder, of *inode, from, to string) {
	if from != "" {
		delete(in.names, from)
	}
	if to != "" {
		in.names[to] = of
		of.name = to
	}
	in.changes = append(in.changes, change{of: of, from: from, to: to})
}

func (d *forgetfulDisk) Open(path string, flag int) (File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.alive() {
		return nil, errCut
	}
	in, name, err := d.at(path)
	if err != nil {
		return nil, err
	}
	there := in.names[name]
	switch {
	case there == nil && flag&os.O_CREATE == 0:
		return nil, fs.ErrNotExist
	case there != nil && flag&os.O_EXCL != 0:
		return nil, fs.ErrExist
	case there == nil:
		there = &inode{time: d.now()}
		d.change(in, there, "", name)
	}
	return &forgetfulFile{disk: d, inode: there}, nil
}

func (d *forgetfulDisk) Lstat(path string) (fs.FileInfo, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	in, name, err := d.at(path)
	if err != nil || in.names[name] == nil {
		return nil, fs.ErrNotExist
	}
	return in.names[name].info(), nil
}

func (d *forgetfulDisk) ReadDir(path string) ([]fs.DirEntry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	in := d.folders[path]
	if in == nil {
		return nil, fs.ErrNotExist
	}
	var entries []fs.DirEntry
	for _, each := range in.names {
		entries = append(entries, fs.FileInfoToDirEntry(each.info()))
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func (d *forgetfulDisk) Mkdir(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.alive() {
		return errCut
	}
	in, name, err := d.at(path)
	if err != nil {
		return err
	}
	if in.names[name] != nil {
		return fs.ErrExist
	}
	made := newFolder()
	d.folders[path] = made
	d.change(in, &inode{folder: made}, "", name)
	return nil
}

func (d *forgetfulDisk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.alive() {
		return errCut
	}
	in, name, err := d.at(from)
	if err != nil || in.names[name] == nil {
		return fs.ErrNotExist
	}
	d.change(in, in.names[name], name, filepath.Base(to))
	return nil
}

func (d *forgetfulDisk) Remove(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.alive() {
		return errCut
	}
	in, name, err := d.at(path)
	if err != nil || in.names[name] == nil {
		return fs.ErrNotExist
	}
	d.change(in, in.names[name], name, "")
	return nil
}

func (d *forgetfulDisk) SyncFolder(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.alive() {
		return errCut
	}
	in := d.folders[path]
	if in == nil {
		return fs.ErrNotExist
	}
	in.durable, in.changes = map[string]*inode{}, nil
	for name, each := range in.names {
		in.durable[name] = each
	}
	return nil
}

// cut leaves in root what the next start would find after a power cut.
func (d *forgetfulDisk) cut(root string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left = 1 << 60
	found := map[string]*folder{}
	d.recover(root, d.folders[root], found)
	d.folders = found
}

func (d *forgetfulDisk) recover(path string, in *folder, found map[string]*folder) {
	found[path] = in
	for _, i := range d.random.Perm(len(in.changes)) {
		if c := in.changes[i]; d.random.Intn(2) == 0 {
			if c.from != "" {
				if in.durable[c.from] != c.of {
					continue // a file has one name, so a missing file cannot be renamed
				}
				delete(in.durable, c.from)
			}
			if c.to != "" {
				in.durable[c.to] = c.of
			}
		}
	}
	in.names, in.changes = map[string]*inode{}, nil
	for _, name := range slices.Sorted(maps.Keys(in.durable)) {
		each := in.durable[name]
		kept := *each
		kept.name = name
		if kept.folder == nil {
			kept.text = d.torn(each)
			kept.synced, kept.before = len(kept.text), nil
		} else {
			d.recover(filepath.Join(path, name), kept.folder, found)
		}
		in.names[name] = &kept
	}
	in.durable = map[string]*inode{}
	for name, each := range in.names {
		in.durable[name] = each
	}
}

// torn returns the content of a file after a power cut.
func (d *forgetfulDisk) torn(of *inode) []byte {
	text := bytes.Clone(of.text)
	for _, each := range slices.Backward(of.before) {
		if d.random.Intn(2) == 0 {
			copy(text[each.at:], each.text)
		}
	}
	if of.synced == len(text) {
		return text
	}
	switch d.random.Intn(5) {
	case 0: // nothing
		return text[:of.synced]
	case 1: // only the beginning
		return text[:of.synced+d.random.Intn(len(text)-of.synced)]
	case 2, 3: // the full length, and some of the sectors
		const sector = 512
		for begin := of.synced; begin < len(text); begin = (begin/sector + 1) * sector {
			lost := text[begin:min((begin/sector+1)*sector, len(text))]
			switch d.random.Intn(4) {
			case 0:
				clear(lost)
			case 1: // content of another file
				at := d.random.Intn(len(text))
				copy(lost, text[at:])
			}
		}
	}
	return text
}

type forgetfulFile struct {
	disk  *forgetfulDisk
	inode *inode
	read  int
}

func (f *forgetfulFile) Read(into []byte) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	n := copy(into, f.inode.text[f.read:])
	f.read += n
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (f *forgetfulFile) Write(text []byte) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	alive := f.disk.alive()
	if !alive {
		if f.disk.left == 0 { // in the middle of this call
			f.inode.text = append(f.inode.text, text[:f.disk.random.Intn(len(text))]...)
		}
		return 0, errCut
	}
	f.inode.text = append(f.inode.text, text...)
	f.inode.time = f.disk.now()
	return len(text), nil
}

// Sync makes durable everything written before it started.
func (f *forgetfulFile) Sync() error {
	f.disk.mu.Lock()
	written := len(f.inode.text)
	f.disk.mu.Unlock()
	f.disk.during()
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if !f.disk.alive() {
		return errCut
	}
	f.inode.synced = max(f.inode.synced, written)
	f.inode.before = nil
	return nil
}

func (f *forgetfulFile) ReadAt(into []byte, at int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if at > int64(len(f.inode.text)) {
		return 0, io.EOF
	}
	n := copy(into, f.inode.text[at:])
	if n < len(into) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt overwrites a part of a file. What was there before may be found again after a power cut.
func (f *forgetfulFile) WriteAt(text []byte, at int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if !f.disk.alive() {
		return 0, errCut
	}
	long := int64(len(f.inode.text))
	ends := at + int64(len(text))
	f.inode.before = append(f.inode.before, overwritten{at, bytes.Clone(f.inode.text[min(at, long):min(ends, long)])})
	if ends > long {
		f.inode.text = append(f.inode.text, make([]byte, ends-long)...)
	}
	copy(f.inode.text[at:], text)
	f.inode.time = f.disk.now()
	return len(text), nil
}

func (f *forgetfulFile) Close() error { return nil }

func (f *forgetfulFile) Stat() (fs.FileInfo, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return f.inode.info(), nil
}

// info returns a snapshot of an inode.
func (i *inode) info() fs.FileInfo {
	mode := fs.FileMode(0o600)
	if i.folder != nil {
		mode = fs.ModeDir | 0o700
	}
	return inodeInfo{i.name, int64(len(i.text)), i.time, mode}
}

type inodeInfo struct {
	name string
	size int64
	time time.Time
	mode fs.FileMode
}

func (i inodeInfo) Name() string       { return i.name }
func (i inodeInfo) Size() int64        { return i.size }
func (i inodeInfo) Mode() fs.FileMode  { return i.mode }
func (i inodeInfo) ModTime() time.Time { return i.time }
func (i inodeInfo) IsDir() bool        { return i.mode.IsDir() }
func (i inodeInfo) Sys() any           { return nil }
