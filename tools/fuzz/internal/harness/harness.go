// Copyright The ctx-lsp authors. MIT licence.

// Package harness replaces package testing when a fuzz target is built for libFuzzer, which OSS-Fuzz runs. `fuzz
// -archive` compiles a package together with its test files, and replaces testing with this package in them. A target
// then prepares once, and takes one input after another from libFuzzer.
//
// Its functions have the names of those in testing, and mean the same. Functions that no fuzz target calls exist for
// the tests in the same files, which are compiled too.
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
	// TB is testing.TB.
	TB = testing.TB
	// B is testing.B.
	B = testing.B
	// M is testing.M.
	M = testing.M
)

// AllocsPerRun calls testing.AllocsPerRun.
func AllocsPerRun(runs int, f func()) float64 { return testing.AllocsPerRun(runs, f) }

// T runs one input of a target. Its embedded TB is nil and is never called: only a type that embeds testing.TB can
// implement it.
type T struct {
	testing.TB
	name     string
	failed   bool
	skipped  bool
	cleanups []func()
}

// Name returns the name of the target.
func (t *T) Name() string { return t.name }

// Helper does nothing: it is only for tests.
func (t *T) Helper() {}

// Parallel does nothing: it is only for tests.
func (t *T) Parallel() {}

// Log writes to standard error, like libFuzzer.
func (t *T) Log(args ...any) { fmt.Fprintln(os.Stderr, args...) }

// Logf writes to standard error, like libFuzzer.
func (t *T) Logf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// Error logs a message, and marks the input as failed when the target has returned.
func (t *T) Error(args ...any) { t.Log(args...); t.failed = true }

// Errorf logs a message, and marks the input as failed when the target has returned.
func (t *T) Errorf(format string, args ...any) { t.Logf(format, args...); t.failed = true }

// Fail marks the input as failed when the target has returned.
func (t *T) Fail() { t.failed = true }

// FailNow marks the input as failed and ends it.
func (t *T) FailNow() { t.failed = true; runtime.Goexit() }

// Fatal logs a message, marks the input as failed and ends it.
func (t *T) Fatal(args ...any) { t.Log(args...); t.FailNow() }

// Fatalf logs a message, marks the input as failed and ends it.
func (t *T) Fatalf(format string, args ...any) { t.Logf(format, args...); t.FailNow() }

// Failed reports whether the input has failed.
func (t *T) Failed() bool { return t.failed }

// SkipNow ends this input silently.
func (t *T) SkipNow() { t.skipped = true; runtime.Goexit() }

// Skip ends this input silently.
func (t *T) Skip(...any) { t.SkipNow() }

// Skipf ends this input silently.
func (t *T) Skipf(string, ...any) { t.SkipNow() }

// Skipped reports whether the input was skipped.
func (t *T) Skipped() bool { return t.skipped }

// Cleanup registers a function to be called after the input, the last one first.
func (t *T) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }

// TempDir returns a directory for this input.
func (t *T) TempDir() string {
	dir, err := os.MkdirTemp("", "fuzz")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Setenv sets an environment variable for this input.
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

// call calls f with a new T, in a goroutine that f may end, and reports whether it succeeded. A panic in f ends the
// process, as libFuzzer expects.
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

// Add adds a seed input.
func (f *F) Add(args ...any) { f.added = append(f.added, Encode(args)) }

// Fuzz calls a function with every input from libFuzzer, and does not return.
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

// Files is the directory next to a program that contains the repository's testdata, for machines without the
// repository.
const Files = "ctx-lsp"

// One passes one input from libFuzzer to a target, which is prepared before the first one. While it prepares, the
// working directory is that of its package, as in a test, so that it finds its testdata. Afterwards it is the original
// one again, because libFuzzer's own paths may be relative.
func One(folder, name string, target func(*F), input []byte) {
	if running == nil {
		program, err := os.Executable()
		if from, lost := os.Getwd(); err == nil && lost == nil {
			_ = os.Chdir(filepath.Join(filepath.Dir(program), Files, folder)) // most targets need nothing from it
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

// prepared waits until the target can take an input. A target that has ended has failed or was skipped.
func prepared(name string) {
	if _, ready := <-running.taken; !ready {
		panic(name + " ended without an input")
	}
}
