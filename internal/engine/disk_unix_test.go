// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package engine

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// onItsOwn runs a test in its own process, which may fill its disk: the test tool writes files while tests run. It
// reports whether this is that process.
func onItsOwn(t *testing.T) bool {
	t.Helper()
	if os.Getenv("CTX_TEST_ON_ITS_OWN") == t.Name() {
		return true
	}
	again := exec.Command(os.Args[0], "-test.v", "-test.run=^"+t.Name()+"$")
	again.Env = append(os.Environ(), "CTX_TEST_ON_ITS_OWN="+t.Name())
	if output, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	return false
}

// fillDisk keeps the files of this process from growing until free is called, like a full disk.
func fillDisk(t *testing.T) (free func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	full := before
	full.Cur = 0
	limit := func(l syscall.Rlimit) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
			t.Error(err)
		}
	}
	limit(full)
	return func() { limit(before) }
}

func TestADiskThatFillsUpLaterLosesNothing(t *testing.T) {
	if !onItsOwn(t) {
		return
	}
	cache := t.TempDir()
	p := wasmPool(t, Options{CacheDir: cache, Instances: 3})
	before := keptFiles(t, cache)
	fillDisk(t)
	for i := range 12 {
		id := fmt.Sprintf("session %d", i)
		must(t, p, "ctx/session/open", fmt.Sprintf(`{"id":%q}`, id))
		add(t, p, id, 11)
	}
	for range 3 {
		if fault := fails(t, p, "fault/trap", `{}`); len(fault.Lost) > 0 {
			t.Errorf("%s", fault)
		}
	}
	for i := range 12 {
		if n := used(t, p, fmt.Sprintf("session %d", i)); n != 11 {
			t.Errorf("session %d has %d tokens, want 11", i, n)
		}
	}
	if after := keptFiles(t, cache); fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("instances wrote into the cache\nbefore %q\nafter  %q", before, after)
	}
}

func TestAFullDiskOnlyCostsTheCache(t *testing.T) {
	if !onItsOwn(t) {
		return
	}
	cache := t.TempDir()
	free := fillDisk(t)
	if logged := compile(t, cache); !strings.Contains(logged, "cannot be saved") {
		t.Errorf("it said %q", logged)
	}
	free()
	compile(t, cache)
	if logged := compile(t, cache); logged != "" {
		t.Errorf("when there was room again nothing was kept: %q", logged)
	}
}
