// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const program = `package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	info, _ := os.Stat(os.Args[1])
	now := time.Now()
	fmt.Println(now.Unix(), info.ModTime().Unix(), time.Since(now) < time.Hour)
	os.Chtimes(os.Args[1], now, now)
	info, _ = os.Stat(os.Args[1])
	fmt.Println(info.ModTime().Equal(now))
}
`

// TestAProgramOfTheOverlayIsAhead checks the clock and the times of files in a program that is built with the overlay,
// and that files keep the system's times.
func TestAProgramOfTheOverlayIsAhead(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the standard library")
	}
	if strings.Contains(os.Getenv("GOFLAGS"), "-overlay") {
		t.Skip("this test is itself built with another clock, so it cannot judge one")
	}
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	source, binary, file := filepath.Join(dir, "ahead.go"), filepath.Join(dir, "ahead"), filepath.Join(dir, "file")
	for path, text := range map[string]string{source: program, file: ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-overlay="+filepath.Join(dir, "overlay.json"), "-ldflags=-X time.daysAhead=40", "-o", binary, source)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(binary, file).Output()
	if err != nil {
		t.Fatal(err)
	}
	var now, changed int64
	var steady bool
	fields := strings.Fields(string(out))
	if _, err := fmt.Sscan(string(out), &now, &changed, &steady); err != nil {
		t.Fatalf("the program says %q: %v", out, err)
	}
	const ahead = 40 * 24 * 3600
	if drift := now - ahead - before.ModTime().Unix(); drift < 0 || drift > 3600 {
		t.Errorf("its clock is %d s from 40 days ahead", drift)
	}
	if changed != before.ModTime().Unix()+ahead || !steady || fields[3] != "true" {
		t.Errorf("a file of %d has the time %d; the program says %q", before.ModTime().Unix(), changed, out)
	}
	after, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if drift := after.ModTime().Unix() - (now - ahead); drift < -1 || drift > 1 {
		t.Errorf("Chtimes sets the file to %v", after.ModTime())
	}
}

// TestAnotherStandardLibraryIsRefused checks the message for a version of Go whose code differs.
func TestAnotherStandardLibraryIsRefused(t *testing.T) {
	c := change{file: "os/x.go", old: "a", new: "b"}
	for _, text := range []string{"", "aa"} {
		if _, err := c.apply([]byte(text)); err == nil || !strings.Contains(err.Error(), "correct the changes in tools/shiftclock") {
			t.Errorf("%q is changed: %v", text, err)
		}
	}
}
