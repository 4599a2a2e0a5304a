// Copyright The ctx-lsp authors. MIT licence.

// Command shiftclock prepares builds whose clock is some days ahead. It writes changed copies of three files of the
// installed Go's standard library, and overlay.json for the flag -overlay of go build and go test.
//
//	mk/tool.sh shiftclock DIR
//	go build -overlay=DIR/overlay.json -ldflags='-X time.daysAhead=40' ./cmd/ctx-lsp
//
// In such a program, time.Now is ahead, and so are the times of files that package os returns; os.Chtimes sets them
// back. Files keep the times of the system, so that unchanged programs can share them.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A change replaces a text of a file, which it must contain once, and appends a text.
type change struct{ file, old, new, more string }

// changes returns what is changed for a system.
func changes(goos string) []change {
	return []change{
		{
			file: "time/time.go",
			old:  "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {\n\t\treturn Time{uint64(nsec), sec + unixToInternal, Local}",
			new:  "\tsec, nsec, mono := runtimeNow()\n\tsec += int64(Ahead / Second)\n\tif mono == 0 {\n\t\treturn Time{uint64(nsec), sec + unixToInternal, Local}",
			more: `
var daysAhead string // set by the linker

// Ahead is how far Now is ahead of the system's clock.
var Ahead = func() (by Duration) {
	for _, digit := range []byte(daysAhead) {
		by = 10*by + Duration(digit-'0')
	}
	return by * 24 * Hour
}()
`,
		},
		{
			file: "os/stat_" + goos + ".go",
			old:  "\tfs.mode = FileMode(",
			new:  "\tfs.modTime = fs.modTime.Add(time.Ahead)\n\tfs.mode = FileMode(",
		},
		{
			file: "os/file_posix.go",
			old:  "syscall.NsecToTimespec(t.UnixNano())",
			new:  "syscall.NsecToTimespec(t.Add(-time.Ahead).UnixNano())",
		},
	}
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: mk/tool.sh shiftclock DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "shiftclock:", err)
		os.Exit(1)
	}
}

// write writes the changed files and overlay.json to a directory.
func write(dir string) error {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	replace := map[string]string{}
	for _, c := range changes(runtime.GOOS) {
		from := filepath.Join(strings.TrimSpace(string(root)), "src", filepath.FromSlash(c.file))
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		changed, err := c.apply(text)
		if err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
		to, err := filepath.Abs(filepath.Join(dir, "_go", filepath.FromSlash(c.file))) // ./... ignores it
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, changed, 0o644); err != nil {
			return err
		}
		replace[from] = to
	}
	overlay, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644)
}

// apply returns the text with the change. It fails if this version of Go has other code there.
func (c change) apply(text []byte) ([]byte, error) {
	if n := bytes.Count(text, []byte(c.old)); n != 1 {
		return nil, fmt.Errorf("contains %q %d times, not once: correct the changes in tools/shiftclock for this version of Go", c.old, n)
	}
	return append(bytes.Replace(text, []byte(c.old), []byte(c.new), 1), c.more...), nil
}
