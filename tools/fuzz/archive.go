// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// An archive is a fuzz target for libFuzzer, which calls one C function with each input. Go builds no test file into
// anything but a test, and whoever has a testing.F has it from a test. So the target's package is compiled as if its
// test files were ordinary ones that import internal/harness in place of testing. The compiler is told where these are
// by an overlay; all that is written into the repository is one folder for the package main, which cgo wants to see,
// and it is removed again.

// Where the harness stands, and where it is imported from: a package may be imported by those beside its `internal`.
const (
	harnessIsIn = "tools/fuzz/internal/harness"
	harnessAt   = "internal/libfuzzer"
)

// marks has the compiler note for libFuzzer what each input reaches and compares. What runs below the target is left
// out, as go-118-fuzz-build does it: it runs before libFuzzer is ready.
var marks = []string{
	"-gcflags", "all=-d=libfuzzer", "-gcflags", "runtime/cgo=-d=libfuzzer=0", "-gcflags", "runtime/pprof=-d=libfuzzer=0", "-gcflags", "syscall=-d=libfuzzer=0",
}

// archiveAll builds an archive of each target in a folder.
func archiveAll(found []target, into string) error {
	module, err := exec.Command("go", "list", "-m").Output()
	if err != nil {
		return fmt.Errorf("go list -m: %w", err)
	}
	into, err = filepath.Abs(into)
	if err != nil {
		return err
	}
	for _, each := range found {
		if err := archive(each, strings.TrimSpace(string(module)), into); err != nil {
			return fmt.Errorf("%s %s: %w", each.folder, each.name, err)
		}
	}
	return nil
}

// archive builds NAME.a in a folder.
func archive(each target, module, into string) error {
	work, err := os.MkdirTemp("", "archive")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	o := overlay{root: ".", work: work, module: module, replace: map[string]string{}}
	defer func() { os.RemoveAll(o.made) }()
	main, err := o.fill(each)
	if err != nil {
		return err
	}
	text, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		return err
	}
	list := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(list, text, 0o600); err != nil {
		return err
	}
	args := append([]string{"build", "-buildmode", "c-archive", "-trimpath", "-tags", "libfuzzer", "-overlay", list, "-o", filepath.Join(into, each.name+".a")}, marks...)
	command := exec.Command("go", append(args, "./"+main)...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	return command.Run()
}

// An overlay says which file the compiler finds in which place.
type overlay struct {
	root, work, module string
	replace            map[string]string // by absolute paths
	made               string            // the folder of the package main
}

// put has the compiler find a text in a place.
func (o *overlay) put(place string, text []byte) error {
	from := filepath.Join(o.work, strconv.Itoa(len(o.replace))+".go")
	if err := os.WriteFile(from, text, 0o600); err != nil {
		return err
	}
	absolute, err := filepath.Abs(filepath.Join(o.root, place))
	o.replace[absolute] = from
	return err
}

// fill puts all that a target needs in its place, and returns the folder of the package main.
func (o *overlay) fill(each target) (main string, err error) {
	harness, err := filepath.Glob(filepath.Join(o.root, harnessIsIn, "*.go"))
	if err != nil {
		return "", err
	}
	for _, path := range harness {
		text, err := os.ReadFile(path)
		if err == nil && !strings.HasSuffix(path, "_test.go") {
			err = o.put(filepath.Join(harnessAt, filepath.Base(path)), text)
		}
		if err != nil {
			return "", err
		}
	}
	folder, err := o.testFiles(each)
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(folder, "cmd/") { // what is a program already becomes the program
		return folder, o.put(filepath.Join(folder, "libfuzzer.go"), fmt.Appendf(nil, entry, "", o.module+"/"+harnessAt, each.folder, each.name, each.name))
	}
	text := fmt.Appendf(nil, entry+"\nfunc main() {}\n", fmt.Sprintf("target %q", o.module+"/"+folder), o.module+"/"+harnessAt, each.folder, each.name, "target."+each.name)
	o.made, err = os.MkdirTemp(filepath.Join(o.root, each.folder), "_libfuzzer")
	if err != nil {
		return "", err
	}
	return o.made, os.WriteFile(filepath.Join(o.made, "main.go"), text, 0o600)
}

// testFiles puts the test files that a target needs beside the other files of its package, and returns the folder in
// which the target then is. What tests a package from outside becomes a package of its own.
func (o *overlay) testFiles(each target) (folder string, err error) {
	folder = each.folder
	files, err := readTestFiles(filepath.Join(o.root, folder))
	if err != nil {
		return "", err
	}
	for _, file := range needed(files, each.name) {
		name := "libfuzzer_" + strings.TrimSuffix(file.name, "_test.go") + ".go" // a system at the end of the name counts
		place := filepath.Join(each.folder, name)
		if file.outside {
			place = filepath.Join(each.folder, "libfuzzer_outside", name)
			if file.declares[each.name] {
				folder = each.folder + "/libfuzzer_outside"
			}
		}
		replaced := strings.Replace(file.text, "\n\t\"testing\"\n", "\n\ttesting \""+o.module+"/"+harnessAt+"\"\n", 1)
		replaced = strings.Replace(replaced, "\nimport \"testing\"\n", "\nimport testing \""+o.module+"/"+harnessAt+"\"\n", 1)
		if err := o.put(place, []byte(replaced)); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// entry is what libFuzzer calls. The bytes are libFuzzer's own and may not be kept, so they are copied.
const entry = `package main

import (
	"unsafe"

	%s
	harness %q
)

// #include <stddef.h>
// #include <stdint.h>
import "C"

//export LLVMFuzzerTestOneInput
func LLVMFuzzerTestOneInput(data *C.uint8_t, size C.size_t) C.int {
	harness.One(%q, %q, %s, C.GoBytes(unsafe.Pointer(data), C.int(size)))
	return 0
}
`
