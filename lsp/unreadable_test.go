// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"io/fs"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// A momentaryDisk fails one kind of call for a while.
type momentaryDisk struct {
	state.System
	failing atomic.Value // the name of the failing call; empty for none
	err     error
}

func (d *momentaryDisk) fails(call string) error {
	if d.failing.Load() == call {
		return d.err
	}
	return nil
}

func (d *momentaryDisk) Open(path string, flag int) (state.File, error) {
	if err := d.fails("open"); err != nil {
		return nil, err
	}
	return d.System.Open(path, flag)
}

func (d *momentaryDisk) ReadDir(path string) ([]fs.DirEntry, error) {
	if err := d.fails("readdir"); err != nil {
		return nil, err
	}
	return d.System.ReadDir(path)
}

func (d *momentaryDisk) Rename(from, to string) error {
	if err := d.fails("rename"); err != nil {
		return err
	}
	return d.System.Rename(from, to)
}

// TestAResumeOnADiskThatFailsIsRefusedAndLosesNothing checks that a session that cannot be read at the moment does not
// silently start over: the client gets an error, and the ledger stays and can be resumed once the disk works.
func TestAResumeOnADiskThatFailsIsRefusedAndLosesNothing(t *testing.T) {
	for _, fault := range []struct {
		call string
		err  error
	}{{"rename", syscall.EROFS}, {"readdir", syscall.EMFILE}, {"open", syscall.EMFILE}} {
		t.Run(fault.call, func(t *testing.T) {
			dir := t.TempDir()
			saves := state.OpenLedgers(dir)
			c := start(t, newTestServer(t, Options{State: saves}))
			c.call("ctx/session/open", `{"id":"a"}`)
			c.call("ctx/session/update", `{"id":"a","system":5}`)
			killed(saves)
			before, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*"))
			disk := &momentaryDisk{err: fault.err}
			disk.failing.Store("")
			c = start(t, newTestServer(t, Options{State: state.OpenLedgersOn(disk, dir)}))
			disk.failing.Store(fault.call)
			for range 2 {
				m := c.ask("ctx/session/open", `{"id":"a","resume":true}`)
				if m.Error == nil || m.Error.Code != 1006 || !strings.Contains(m.Error.Message, `The saved session "a" cannot be read now (`) {
					t.Fatalf("%+v %s", m.Error, m.Result)
				}
				if after, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*")); len(after) != 1 || after[0] != before[0] {
					t.Fatalf("there was %q and is %q", before, after)
				}
			}
			disk.failing.Store("")
			if got := used(t, c.call("ctx/session/open", `{"id":"a","resume":true}`)); got != 5 {
				t.Errorf("it goes on with %d", got)
			}
			if got := used(t, c.call("ctx/session/update", `{"id":"a","system":6}`)); got != 11 {
				t.Errorf("it goes on with %d", got)
			}
			c.quiet("window/logMessage", 0)
		})
	}
}
