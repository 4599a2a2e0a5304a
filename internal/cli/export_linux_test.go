// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"maps"
	"os"
	"path/filepath"
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
	want, _ := tableOf(t, whole)
	code, out, errs := runWith(t, "", "export", "--key=k", "--format=csv", "--out="+folder, from)
	if code != exitError || !strings.Contains(errs, "no space left") || strings.Count(errs, "no space left") > 1 {
		t.Errorf("on a full disk: exit %d, %s%s", code, out, errs)
	}
	got, half := tableOf(t, folder)
	if len(half) > 0 || len(got) == len(want) {
		t.Errorf("of %d files there are %d, and half-written ones: %v", len(want), len(got), half)
	}
	for name, text := range got {
		if text != want[name] {
			t.Errorf("%s has its name and is not whole", name)
		}
	}
	if code, _, errs := runWith(t, "", "export", "--key=k", "--format=csv", "--out="+folder, from); code != exitError || !strings.Contains(errs, "no space left") {
		t.Errorf("again on the full disk: exit %d, %s", code, errs)
	}
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT, "size=64m"); err != nil {
		t.Fatal(err)
	}
	exportInto(t, folder, from)
	if got, _ := tableOf(t, folder); !maps.Equal(got, want) {
		t.Errorf("with room there are %d files of %d", len(got), len(want))
	}
	if entries, err := os.ReadDir(disk); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}
