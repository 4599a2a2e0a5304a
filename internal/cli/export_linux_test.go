// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestAFullDiskIsASentence protects who reads the table of an export for which there was no room. It mounts a small
// disk, which only root may.
func TestAFullDiskIsASentence(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=96k"); err != nil {
		t.Skipf("no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	from, whole, folder := manyRecorded(t, 25), t.TempDir(), filepath.Join(disk, "table")
	exportInto(t, whole, from)
	want := tableOf(t, whole)
	for _, name := range []string{"first", "again"} {
		code, out, errs := runWith(t, "", "export", "--key=k", "--format=csv", "--out="+folder, from)
		if code != exitError || strings.Count(errs, "no space left") != 1 {
			t.Errorf("on a full disk, %s: exit %d, %s%s", name, code, out, errs)
		}
		if got := tableOf(t, folder); len(got.half) > 0 || len(got.files) > 0 {
			t.Errorf("on a full disk, %s, there are %d files, and half-written ones: %v", name, len(got.files), got.half)
		}
	}
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT, "size=64m"); err != nil {
		t.Fatal(err)
	}
	exportInto(t, folder, from)
	if got := tableOf(t, folder); !slices.Equal(got.rows, want.rows) {
		t.Errorf("with room there are %d rows of %d", len(got.rows), len(want.rows))
	}
	if entries, err := os.ReadDir(disk); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}
