// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A failingDisk is the system's disk until one of its calls starts to fail.
type failingDisk struct {
	System
	mu   sync.Mutex
	call string // the call that fails; empty for none
	on   string // the names it fails on; empty for all
	err  error
}

// start makes the calls fail that another disk names, or none. Syncs use the disk at the same time.
func (d *failingDisk) start(as *failingDisk) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.call, d.on, d.err = as.call, as.on, as.err
}

func (d *failingDisk) fails(call, path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.call == call && strings.HasSuffix(path, d.on) {
		return &fs.PathError{Op: call, Path: path, Err: d.err}
	}
	return nil
}

func (d *failingDisk) Open(path string, flag int) (File, error) {
	if err := d.fails("open", path); err != nil {
		return nil, err
	}
	f, err := d.System.Open(path, flag)
	if err != nil {
		return nil, err
	}
	return failingFile{f, d, path}, nil
}

func (d *failingDisk) Lstat(path string) (fs.FileInfo, error) {
	if err := d.fails("lstat", path); err != nil {
		return nil, err
	}
	return d.System.Lstat(path)
}

func (d *failingDisk) ReadDir(path string) ([]fs.DirEntry, error) {
	if err := d.fails("readdir", path); err != nil {
		return nil, err
	}
	return d.System.ReadDir(path)
}

func (d *failingDisk) Rename(from, to string) error {
	if err := d.fails("rename", from); err != nil {
		return err
	}
	return d.System.Rename(from, to)
}

func (d *failingDisk) Remove(path string) error {
	if err := d.fails("remove", path); err != nil {
		return err
	}
	return d.System.Remove(path)
}

type failingFile struct {
	File
	disk *failingDisk
	path string
}

func (f failingFile) Read(into []byte) (int, error) {
	if err := f.disk.fails("read", f.path); err != nil {
		return 0, err
	}
	return f.File.Read(into)
}

// twoGenerations saves two ledgers, the second in a second generation, and ends like a killed daemon. The number of the
// last ledger is 2.
func twoGenerations(t *testing.T, dir string) {
	t.Helper()
	s := OpenLedgers(dir)
	s.syncs.round.Lock() // no round removes the first
	file := s.Next("name")
	for n := 1; n <= 2; n++ {
		if err := s.Save(file, Saved{Schema: SavedSchema, Ledger: ledger("name", n)}); err != nil {
			t.Fatal(err)
		}
		s.syncs.distrust(s.place(file, n))
	}
	s.Owners.Abandon()
	if got := ledgerNames(dir); len(strings.Fields(got)) != 2 {
		t.Fatalf("there is %q", got)
	}
}

// TestTakeReportsAFailingDisk checks that a failing disk is not treated as an empty one: Take returns the error,
// changes nothing, and takes the last ledger once the disk works again.
func TestTakeReportsAFailingDisk(t *testing.T) {
	for _, fault := range []*failingDisk{
		{call: "rename", err: syscall.EROFS},
		{call: "rename", on: "-1.json", err: syscall.EIO}, // the first generation, when the second is already renamed
		{call: "readdir", err: syscall.EMFILE},
		{call: "lstat", err: syscall.EACCES},
		{call: "open", err: syscall.EMFILE},
		{call: "open", on: ".g2.json", err: syscall.EMFILE},
		{call: "read", err: syscall.EIO},
	} {
		t.Run(fault.call+fault.on, func(t *testing.T) {
			dir := t.TempDir()
			twoGenerations(t, dir)
			before := ledgerNames(dir)
			disk := &failingDisk{}
			s := openWith(disk, dir, func(time.Duration, func()) {}) // later syncs are not checked
			t.Cleanup(s.Owners.Abandon)
			first := s.Next("name")
			disk.start(fault)
			if fault.call == "rename" {
				s.disk = togetherDisk{disk}
			}
			taken, _, err := s.Take("name", first)
			if taken || !isUnreadable(err) || !errors.Is(err, fault.err) {
				t.Fatalf("taken %t, %v", taken, err)
			}
			if after := ledgerNames(dir); after != before {
				t.Fatalf("there was %q and is %q", before, after)
			}
			s.Leave(first)
			disk.start(&failingDisk{})
			second := s.Next("name")
			if taken, others, err := s.Take("name", second); !taken || others != 0 || err != nil {
				t.Fatalf("when the disk is well: taken %t, %d others, %v", taken, others, err)
			}
			if got, err := s.Load(second); err != nil || string(got) != string(ledger("name", 2)) {
				t.Errorf("it is %s, %v", got, err)
			}
		})
	}
}

// togetherDisk cannot sync, so that the generations of a file stay together.
type togetherDisk struct{ Disk }

func (togetherDisk) SyncFolder(string) error { return syscall.EIO }

// TestAFailingDiskDamagesNoTakenLedger checks that for a taken ledger that cannot be read neither damage nor an
// older ledger is reported.
func TestAFailingDiskDamagesNoTakenLedger(t *testing.T) {
	dir := t.TempDir()
	twoGenerations(t, dir)
	disk := &failingDisk{}
	s := OpenLedgersOn(disk, dir)
	t.Cleanup(s.Owners.Abandon)
	file := s.Next("name")
	if taken, _, err := s.Take("name", file); !taken || err != nil {
		t.Fatalf("taken %t, %v", taken, err)
	}
	disk.start(&failingDisk{call: "open", on: ".g2.json", err: syscall.EMFILE})
	if got, _, err := s.LoadLast(file, 4); len(got) != 0 || !isUnreadable(err) {
		t.Errorf("%s, %v", got, err)
	}
	disk.start(&failingDisk{})
	if got, _, err := s.LoadLast(file, 4); len(got) == 0 || string(got[0]) != string(ledger("name", 2)) || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// TestWithoutADirectoryNothingCanBeTaken checks that a missing directory, or a file in its place, is
// distinguished from a failing disk.
func TestWithoutADirectoryNothingCanBeTaken(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		s := OpenLedgers(dir)
		if taken, _, err := s.Take("name", s.Next("name")); taken || err != nil {
			t.Errorf("taken %t, %v", taken, err)
		}
		s.Owners.End()
		if err := os.WriteFile(filepath.Join(dir, "ledgers"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestALockThatCannotBeLookedAtIsNotADaemonThatHasEnded checks that a daemon is treated as running if its lock cannot
// be checked, and that the error is returned. Only a missing lock means that it has ended.
func TestALockThatCannotBeLookedAtIsNotADaemonThatHasEnded(t *testing.T) {
	o := newOwners(t.TempDir())
	for _, each := range []struct {
		err   error
		lives bool
	}{{fs.ErrNotExist, false}, {syscall.EMFILE, true}, {syscall.EACCES, true}} {
		if lives, err := o.unknown(each.err); lives != each.lives || (err != nil) != each.lives {
			t.Errorf("%v: %t, %v", each.err, lives, err)
		}
	}
}

// TestADaemonThatBeganOnADiskThatFailsHoldsItsFiles checks that ledgers saved once the disk works again cannot be taken
// by another daemon.
func TestADaemonThatBeganOnADiskThatFailsHoldsItsFiles(t *testing.T) {
	dir := t.TempDir()
	inTheWay := filepath.Join(dir, "owners")
	if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first := OpenLedgers(dir)
	t.Cleanup(first.Owners.Abandon)
	file := first.Next("name")
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	if err := first.Save(file, Saved{Schema: SavedSchema, Ledger: ledger("name", 1)}); err != nil {
		t.Fatal(err)
	}
	other := OpenLedgers(dir)
	t.Cleanup(other.Owners.Abandon)
	if taken, _, err := other.Take("name", other.Next("name")); taken || err != nil {
		t.Errorf("another daemon: taken %t, %v", taken, err)
	}
	other.Supersede("name")
	if _, err := os.Stat(first.Path(file)); err != nil {
		t.Error(err)
	}
}
