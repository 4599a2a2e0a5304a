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

// An archive is a fuzz target for libFuzzer, which calls one C function with each input. Go compiles test files only
// into tests, and only tests provide a testing.F. So the target's package is compiled as if its test files were
// ordinary files that import internal/harness in place of testing. An overlay makes the compiler find these files; the
// only thing written to the repository is a temporary directory for package main, because cgo requires it.

// The harness's directory, and the path from which it is imported: a package may be imported by those next to its
// `internal`.
const (
	harnessIsIn = "tools/fuzz/internal/harness"
	harnessAt   = "internal/libfuzzer"
)

// marks makes the compiler record for libFuzzer what each input reaches and compares. Packages below the target are
// left out, like in go-118-fuzz-build: they run before libFuzzer is ready.
var marks = []string{
	"-gcflags", "all=-d=libfuzzer", "-gcflags", "runtime/cgo=-d=libfuzzer=0", "-gcflags", "runtime/pprof=-d=libfuzzer=0", "-gcflags", "syscall=-d=libfuzzer=0",
}

// archiveAll builds an archive of each target into a directory.
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

// archive builds NAME.a in a directory.
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

// An overlay maps paths to the files that the compiler reads instead.
type overlay struct {
	root, work, module string
	replace            map[string]string // keyed by absolute path
	made               string            // the directory of package main
}

// put makes the compiler find a text at a path.
func (o *overlay) put(place string, text []byte) error {
	from := filepath.Join(o.work, strconv.Itoa(len(o.replace))+".go")
	if err := os.WriteFile(from, text, 0o600); err != nil {
		return err
	}
	absolute, err := filepath.Abs(filepath.Join(o.root, place))
	o.replace[absolute] = from
	return err
}

// fill adds everything that a target needs, and returns the directory of package main.
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
	if strings.HasPrefix(folder, "cmd/") { // a package that is already a program becomes the program
		return folder, o.put(filepath.Join(folder, "libfuzzer.go"), fmt.Appendf(nil, entry, "", o.module+"/"+harnessAt, each.folder, each.name, each.name))
	}
	text := fmt.Appendf(nil, entry+"\nfunc main() {}\n", fmt.Sprintf("target %q", o.module+"/"+folder), o.module+"/"+harnessAt, each.folder, each.name, "target."+each.name)
	o.made, err = os.MkdirTemp(filepath.Join(o.root, each.folder), "_libfuzzer")
	if err != nil {
		return "", err
	}
	return o.made, os.WriteFile(filepath.Join(o.made, "main.go"), text, 0o600)
}

// testFiles adds the test files that a target needs to the other files of its package, and returns the target's
// directory. Tests in an external test package become a separate package.
func (o *overlay) testFiles(each target) (folder string, err error) {
	folder = each.folder
	files, err := readTestFiles(filepath.Join(o.root, folder))
	if err != nil {
		return "", err
	}
	for _, file := range needed(files, each.name) {
		name := "libfuzzer_" + strings.TrimSuffix(file.name, "_test.go") + ".go" // a system at its end would be a constraint
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
