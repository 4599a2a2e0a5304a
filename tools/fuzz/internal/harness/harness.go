// Copyright The ctx-lsp authors. MIT licence.

// Package harness stands in for the package testing where a fuzz target is built for libFuzzer, which is what OSS-Fuzz
// runs. `fuzz -archive` compiles a package together with its test files, and in these it replaces testing by this
// package. A target then prepares once, and takes one input after another from libFuzzer.
//
// What is here has the names of testing, and means the same. What no fuzz target calls is there for the tests in the
// same files, which are compiled too.
package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
)

type (
	// TB is testing's own.
	TB = testing.TB
	// B is testing's own.
	B = testing.B
	// M is testing's own.
	M = testing.M
)

// AllocsPerRun is testing's.
func AllocsPerRun(runs int, f func()) float64 { return testing.AllocsPerRun(runs, f) }

// T is one input of a target. The TB in it is nil and is never called: no other type than testing's own can be a TB
// without it.
type T struct {
	testing.TB
	name     string
	failed   bool
	skipped  bool
	cleanups []func()
}

// Name is the name of the target.
func (t *T) Name() string { return t.name }

// Helper is for messages of tests.
func (t *T) Helper() {}

// Parallel is for tests.
func (t *T) Parallel() {}

// Log writes to where libFuzzer writes.
func (t *T) Log(args ...any) { fmt.Fprintln(os.Stderr, args...) }

// Logf writes to where libFuzzer writes.
func (t *T) Logf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// Error says what is wrong. The input fails when the target has returned.
func (t *T) Error(args ...any) { t.Log(args...); t.failed = true }

// Errorf says what is wrong. The input fails when the target has returned.
func (t *T) Errorf(format string, args ...any) { t.Logf(format, args...); t.failed = true }

// Fail has the input fail when the target has returned.
func (t *T) Fail() { t.failed = true }

// FailNow ends this input.
func (t *T) FailNow() { t.failed = true; runtime.Goexit() }

// Fatal says what is wrong, and ends this input.
func (t *T) Fatal(args ...any) { t.Log(args...); t.FailNow() }

// Fatalf says what is wrong, and ends this input.
func (t *T) Fatalf(format string, args ...any) { t.Logf(format, args...); t.FailNow() }

// Failed tells whether something was wrong.
func (t *T) Failed() bool { return t.failed }

// SkipNow ends this input without a word.
func (t *T) SkipNow() { t.skipped = true; runtime.Goexit() }

// Skip ends this input without a word.
func (t *T) Skip(...any) { t.SkipNow() }

// Skipf ends this input without a word.
func (t *T) Skipf(string, ...any) { t.SkipNow() }

// Skipped tells whether the input was skipped.
func (t *T) Skipped() bool { return t.skipped }

// Cleanup has a function called behind the input, the last one first.
func (t *T) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }

// TempDir is a directory for this input.
func (t *T) TempDir() string {
	dir, err := os.MkdirTemp("", "fuzz")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Setenv sets a variable of the environment for this input.
func (t *T) Setenv(name, value string) {
	before, there := os.LookupEnv(name)
	os.Setenv(name, value)
	t.Cleanup(func() {
		if os.Unsetenv(name); there {
			os.Setenv(name, before)
		}
	})
}

// Run is for the tests that are compiled too.
func (t *T) Run(name string, f func(*T)) bool { return call(name, f) }

func (t *T) clean() {
	for n := len(t.cleanups) - 1; n >= 0; n-- {
		t.cleanups[n]()
	}
	t.cleanups = nil
}

// call calls f with a T of its own, in a goroutine which f may end, and tells whether all was well. A panic in it ends
// the process, as libFuzzer expects.
func call(name string, f func(*T)) (good bool) {
	t := &T{name: name}
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer t.clean()
		f(t)
	}()
	<-over
	return !t.failed
}

// F is a fuzz target that prepares, and then waits for its inputs.
type F struct {
	T
	inputs chan []byte
	taken  chan struct{}
	added  [][]byte
}

// Add keeps an input to begin with.
func (f *F) Add(args ...any) { f.added = append(f.added, Encode(args)) }

// Fuzz calls a function with every input that comes, and does not return.
func (f *F) Fuzz(function any) {
	if folder := os.Getenv(SeedsIn); folder != "" {
		f.writeSeeds(folder)
	}
	called := reflect.ValueOf(function)
	var kinds []reflect.Type
	for n := 1; n < called.Type().NumIn(); n++ {
		kinds = append(kinds, called.Type().In(n))
	}
	f.taken <- struct{}{}
	for input := range f.inputs {
		if args, whole := decode(input, kinds); whole {
			good := call(f.name, func(t *T) { called.Call(append([]reflect.Value{reflect.ValueOf(t)}, args...)) })
			if !good {
				panic(f.name + " fails")
			}
		}
		f.taken <- struct{}{}
	}
}

var running *F

// Files is the folder beside a program that holds the repository's testdata, for where the repository is not.
const Files = "ctx-lsp"

// One is one input from libFuzzer for a target, which prepares when the first one comes. While it prepares it finds its
// testdata from the folder of its package, as in a test. Then the process is where libFuzzer was started again, whose
// own paths may be relative.
func One(folder, name string, target func(*F), input []byte) {
	if running == nil {
		program, err := os.Executable()
		if from, lost := os.Getwd(); err == nil && lost == nil {
			_ = os.Chdir(filepath.Join(filepath.Dir(program), Files, folder)) // most need nothing of it
			defer func() { _ = os.Chdir(from) }()
		}
		running = &F{T: T{name: name}, inputs: make(chan []byte), taken: make(chan struct{})}
		go func() {
			defer close(running.taken)
			target(running)
		}()
		prepared(name)
	}
	running.inputs <- input
	prepared(name)
}

// prepared waits until the target can take an input. A target that ended has failed or was skipped.
func prepared(name string) {
	if _, ready := <-running.taken; !ready {
		panic(name + " ended without an input")
	}
}
