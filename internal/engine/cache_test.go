// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// tiny is a module with one function that does nothing.
var tiny = []byte("\x00asm\x01\x00\x00\x00" + "\x01\x04\x01\x60\x00\x00" + "\x03\x02\x01\x00" + "\x0a\x04\x01\x02\x00\x0b")

// keptFiles returns the files of wazero below a cache.
func keptFiles(t *testing.T, cache string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(cache, compiledFolder, "*", "wazero-*", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%q is kept: %v", files, err)
	}
	return files
}

// keyFor returns the path of the secret that the tests use for a cache.
func keyFor(cache string) string { return cache + "-state/cache.key" }

// compile compiles the tiny module and returns the log messages.
func compile(t *testing.T, cache string) (logged string) {
	t.Helper()
	host, err := newWasmHost(Options{Module: tiny, CacheDir: cache, KeyFile: keyFor(cache), Log: func(s string) { logged += s + "\n" }}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	host.close()
	return logged
}

// TestADamagedCacheIsRecompiled changes each byte of the cache. wazero's own checksum does not cover most of them,
// such as the offsets of functions, and a wrong one would misdirect a call.
func TestADamagedCacheIsRecompiled(t *testing.T) {
	cache := t.TempDir()
	compile(t, cache)
	path := keptFiles(t, cache)[0]
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damages := map[string][]byte{
		"empty":  {},
		"cut":    whole[:len(whole)/2],
		"zeros":  make([]byte, len(whole)),
		"longer": append(bytes.Clone(whole), whole...),
	}
	for i := range whole {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 1
		damages[fmt.Sprintf("byte %d", i)] = damaged
	}
	for name, damaged := range damages {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if logged := compile(t, cache); !strings.Contains(logged, "compiling") {
			t.Errorf("%s: it said %q", name, logged)
		}
		if logged := compile(t, cache); logged != "" {
			t.Errorf("%s: the cache was not mended: the next start said %q", name, logged)
		}
	}
}

// TestADamageBeforeTheFirstCheckSum checks a cache as a power cut leaves it between writing the code and its checksums.
func TestADamageBeforeTheFirstCheckSum(t *testing.T) {
	cache := t.TempDir()
	compile(t, cache)
	path := keptFiles(t, cache)[0]
	if err := os.Remove(filepath.Join(filepath.Dir(filepath.Dir(path)), sumsFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("WAZEVO"), 0o600); err != nil {
		t.Fatal(err)
	}
	compile(t, cache)
	if logged := compile(t, cache) + compile(t, cache); strings.Contains(logged, "cannot") {
		t.Errorf("the cache was not mended: it said %q", logged)
	}
}

func TestTheCacheKeepsTwoVersions(t *testing.T) {
	cache := t.TempDir()
	old := time.Now().Add(-48 * time.Hour)
	entries := map[string]time.Time{
		"compiled/before":          old,
		"compiled/long-before":     old.Add(-time.Hour),
		"compiled/used-today":      time.Now().Add(-time.Hour),
		"statusline":               old.Add(-3 * time.Hour), // not a file of the engine
		"compiled/long-long-since": old.Add(-4 * time.Hour),
	}
	for name, used := range entries {
		dir := filepath.Join(cache, name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(dir, used, used); err != nil {
			t.Fatal(err)
		}
	}
	compile(t, cache)
	if err := os.Chtimes(filepath.Dir(filepath.Dir(keptFiles(t, cache)[0])), old, old); err != nil {
		t.Fatal(err)
	}
	own, err := openEntry(cache, keyFor(cache), tiny)
	if err != nil {
		t.Fatal(err)
	}
	for name := range entries {
		_, err := os.Stat(filepath.Join(cache, name))
		if want := name == "compiled/used-today" || name == "statusline"; (err == nil) != want {
			t.Errorf("%s is kept: %v, want %v", name, err == nil, want)
		}
	}
	if own.stub == nil {
		t.Error("the own entry is not kept")
	}
}

func TestWithoutAWorkingModuleTheCoreRunsNatively(t *testing.T) {
	var logged []string
	p, err := Open("", "", Options{Module: []byte("no module"), CacheDir: "none", Log: func(s string) { logged = append(logged, s) }})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	must(t, p, "ctx/session/open", `{"id":"a"}`)
	if !strings.Contains(strings.Join(logged, "\n"), "runs natively") {
		t.Errorf("it said %q", logged)
	}
	if _, err := Open("wasm", "", Options{Module: []byte("no module"), CacheDir: "none"}); err == nil {
		t.Error("what was asked for by name was replaced by something else")
	}
}

// TestACheckOfTheCacheNeedsLittleMemory checks that reading the cache does not leave a daemon with a larger heap: Go's
// collector sets its next target from the memory in use.
func TestACheckOfTheCacheNeedsLittleMemory(t *testing.T) {
	e := entry{dir: t.TempDir(), key: []byte("secret")}
	const length = 24 << 20
	path := filepath.Join(e.dir, "wazero-x", "module")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, make([]byte, length), 0o600); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	sums, err := e.sums(e.dir, "salt", []file{{"wazero-x/module", length}})
	runtime.ReadMemStats(&after)
	if form := regexp.MustCompile(`^salt\n[0-9a-f]{64} wazero-x/module\n$`); err != nil || !form.MatchString(sums) {
		t.Errorf("%q and %v", sums, err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("the check took %d bytes", took)
	}
}
