// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// A result is the outcome of running the tests with a change.
type result string

// The results.
const (
	noticed  result = "noticed"
	slow     result = "slow"     // noticed, because a test did not end in time
	broken   result = "broken"   // it does not compile
	survived result = "survived" // all tests pass
)

// bench builds and runs the suites of a package. It has its own build cache: each change that is built separately adds
// objects that no other build uses, and close removes them.
type bench struct {
	suites   []suite
	binaries []string        // one for each suite, with the changes that have an id
	limits   []time.Duration // CPU time, one for each suite
	dir      string          // temporary files
	cache    string
	modules  string // the module cache
	count    atomic.Int64
	begun    time.Time // cached objects that are newer belong to changes
}

// newBench builds every suite with the changed files, and runs it once without a selected change. It must pass, and its
// CPU time limits the runs with changes; with wall time, a busy machine would look like a test that notices the change.
func newBench(ctx context.Context, pkg string, files map[string]string) (*bench, error) {
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return nil, err
	}
	b := &bench{suites: suitesOf(pkg), dir: dir}
	if b.cache, err = filepath.Abs("bin/mutate-cache"); err != nil {
		return nil, err
	}
	modules, err := exec.CommandContext(ctx, "go", "env", "GOMODCACHE").Output()
	if err != nil {
		return nil, err
	}
	b.modules = strings.TrimSpace(string(modules))
	var tested []suite
	for i, s := range b.suites { // fills the cache with objects that do not depend on changes
		binary := filepath.Join(dir, fmt.Sprintf("unchanged%d.test", i))
		if out, err := b.build(ctx, s, binary, ""); err != nil {
			return nil, fmt.Errorf("%s does not build: %w\n%s", s.pkg, err, out)
		}
		if _, err := os.Stat(binary); err == nil { // otherwise it has no tests
			tested = append(tested, s)
		}
	}
	if b.suites = tested; len(tested) == 0 {
		return nil, fmt.Errorf("no test concerns %s; tools/mutate/suites.go lists those of other packages", pkg)
	}
	b.begun = time.Now()
	overlay, err := b.overlay("together", files)
	if err != nil {
		return nil, err
	}
	for i, s := range b.suites {
		built := time.Now()
		binary := filepath.Join(dir, fmt.Sprintf("together%d.test", i))
		if out, err := b.build(ctx, s, binary, overlay); err != nil {
			return nil, fmt.Errorf("%s does not build with the changes: %w\n%s", s.pkg, err, out)
		}
		begun := time.Now()
		out, used, err := b.test(ctx, s, binary, 0, mostWall)
		if err != nil {
			return nil, fmt.Errorf("%s fails without a change: %w\n%s", s.pkg, err, out)
		}
		b.binaries, b.limits = append(b.binaries, binary), append(b.limits, 4*used+5*time.Second)
		fmt.Printf("%s: built in %.1f s, tested in %.1f s, of CPU time %.1f s\n",
			s.pkg, begun.Sub(built).Seconds(), time.Since(begun).Seconds(), used.Seconds())
	}
	return b, nil
}

// overlay writes changed files to the temporary directory, and returns the path of the overlay for the go command.
func (b *bench) overlay(name string, files map[string]string) (string, error) {
	replace := map[string]string{}
	for file, text := range files {
		replace[file] = filepath.Join(b.dir, fmt.Sprintf("%s-%d.go", name, len(replace)))
		if err := os.WriteFile(replace[file], []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(b.dir, name+".json")
	return path, os.WriteFile(path, list, 0o600)
}

// close removes the temporary files, and the objects of changes from the build cache.
func (b *bench) close() {
	_ = os.RemoveAll(b.dir)
	_ = filepath.WalkDir(b.cache, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // the rest of the cache is walked
		}
		if info, err := d.Info(); err == nil && info.ModTime().After(b.begun) {
			_ = os.Remove(path)
		}
		return nil
	})
}

// unchanged runs every suite without a selected change again: as at the start, it must pass.
func (b *bench) unchanged(ctx context.Context) error {
	for i, s := range b.suites {
		if out, _, err := b.test(ctx, s, b.binaries[i], 0, mostWall); err != nil {
			return fmt.Errorf("%s fails without a change: %w\n%s", s.pkg, err, out)
		}
	}
	return nil
}

// notices runs the suites with a change until one fails, and returns the name of the test.
func (b *bench) notices(ctx context.Context, c change) (result, string) {
	binary, overlay := "", ""
	if c.id == 0 {
		name := fmt.Sprintf("alone%d", b.count.Add(1))
		original, err := os.ReadFile(c.file)
		if err != nil {
			return broken, err.Error()
		}
		overlay, err = b.overlay(name, map[string]string{c.file: string(original[:c.start]) + c.text + string(original[c.end:])})
		if err != nil {
			return broken, err.Error()
		}
		binary = filepath.Join(b.dir, name+".test")
		defer os.Remove(binary)
	}
	for i, s := range b.suites {
		if c.id > 0 {
			binary = b.binaries[i]
		} else if out, err := b.build(ctx, s, binary, overlay); err != nil {
			return broken, string(out)
		}
		out, _, err := b.test(ctx, s, binary, c.id, b.limits[i])
		switch {
		case errors.Is(err, errSlow):
			return slow, s.pkg
		case err != nil:
			return noticed, string(failed.Find(out))
		}
	}
	return survived, ""
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: \S+`)

func (b *bench) build(ctx context.Context, s suite, binary, overlay string) ([]byte, error) {
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", binary}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	c := exec.CommandContext(ctx, "go", append(args, "./"+s.pkg)...)
	c.Env = append(os.Environ(), "GOCACHE="+b.cache, "CGO_ENABLED=0")
	return c.CombinedOutput()
}

// These limit a run that waits for something that does not happen: its wall time, and the time with next to no CPU
// time.
const (
	mostWall = 10 * time.Minute
	mostIdle = 90 * time.Second
)

var errSlow = errors.New("the tests took too long")

// test runs the tests in the directory of their package, with a separate home directory and without the directories of
// real sessions, and returns the CPU time. A change may compute or allocate endlessly, so the shell limits both.
func (b *bench) test(ctx context.Context, s suite, binary string, id int, limit time.Duration) ([]byte, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, mostWall)
	defer cancel()
	args := []string{"-test.short", "-test.failfast", "-test.timeout=0"}
	if s.skip != "" {
		args = append(args, "-test.skip="+s.skip)
	}
	if s.run != "" {
		args = append(args, "-test.run="+s.run)
	}
	c := exec.CommandContext(ctx, binary, args...)
	if shell, err := exec.LookPath("sh"); err == nil {
		script := fmt.Sprintf(`ulimit -v 8388608 2>/dev/null; ulimit -t %d; exec "$0" "$@"`, int(limit.Seconds())+1)
		c = exec.CommandContext(ctx, shell, append([]string{"-c", script, binary}, args...)...)
	}
	c.Dir = s.pkg
	c.WaitDelay = time.Second
	c.Env = os.Environ()
	c.Env = append(c.Env, "HOME="+b.dir, "GOCACHE="+b.cache, "GOMODCACHE="+b.modules, selector+"="+strconv.Itoa(id))
	for _, name := range []string{"CTX_TRANSCRIPTS", "CTX_SAMPLES", "CTX_FRESH", "CTX_VOCABULARIES"} {
		c.Env = append(c.Env, name+"=")
	}
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	err := c.Start()
	idle := false
	if err == nil {
		watched := make(chan struct{})
		go func() {
			defer close(watched)
			if idle = waitIdle(ctx, c.Process.Pid, mostIdle); idle {
				cancel()
			}
		}()
		err = c.Wait()
		cancel()
		<-watched
	}
	out, used := output.Bytes(), time.Duration(0)
	if c.ProcessState != nil {
		used = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	if err != nil && (idle || errors.Is(ctx.Err(), context.DeadlineExceeded) || used >= limit) {
		err = errSlow
	}
	return out, used, err
}
