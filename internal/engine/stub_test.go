// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/tetratelabs/wazero"

	"github.com/ctx-lsp/ctx-lsp/internal/engine/interrupt"
)

// returning returns a module with one export, f, that returns a number below 64. Such modules have the same stub.
func returning(number byte) []byte {
	return append([]byte("\x00asm\x01\x00\x00\x00"+"\x01\x05\x01\x60\x00\x01\x7f"+"\x03\x02\x01\x00"+"\x07\x05\x01\x01f\x00\x00"),
		"\x0a\x06\x01\x04\x00\x41"+string(rune(number))+"\x0b"...)
}

// returned starts a host with a module, and returns what f returns and the log messages.
func returned(t *testing.T, cache string, module []byte) (number byte, logged string) {
	t.Helper()
	host, err := newWasmHost(Options{Module: module, CacheDir: cache, KeyFile: keyFor(cache), Log: func(s string) { logged += s + "\n" }}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer host.close()
	instance, err := host.runtime.InstantiateModule(context.Background(), host.compiled, wazero.NewModuleConfig())
	if err != nil {
		t.Fatal(err)
	}
	results, err := instance.ExportedFunction("f").Call(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return byte(results[0]), logged
}

// TestEachModuleRunsItsOwnCode alternates between two modules whose stubs are the same, plain and compressed.
func TestEachModuleRunsItsOwnCode(t *testing.T) {
	one, two := returning(1), returning(2)
	stub1, err1 := interrupt.Stub(one)
	stub2, err2 := interrupt.Stub(two)
	if err1 != nil || err2 != nil || !bytes.Equal(stub1, stub2) {
		t.Fatalf("the stubs differ: %x and %x, %v, %v", stub1, stub2, err1, err2)
	}
	writer, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	for round := range 3 {
		for name, each := range map[string]struct {
			module []byte
			want   byte
		}{"one": {one, 1}, "two": {two, 2}, "one, compressed": {writer.EncodeAll(one, nil), 1}, "two, compressed": {writer.EncodeAll(two, nil), 2}} {
			number, logged := returned(t, cache, each.module)
			if compiled := strings.Contains(logged, "compiling"); number != each.want || compiled != (round == 0) || strings.Contains(logged, "cannot") {
				t.Errorf("round %d, %s: it returns %d, want %d; it said %q", round, name, number, each.want, logged)
			}
		}
	}
}

// TestAStubIsNotRun gives an entry of the cache another version of wazero and another name of the compiled form, as if
// it had been written elsewhere, with correct checksums: wazero then compiles the stub, whose functions trap.
func TestAStubIsNotRun(t *testing.T) {
	for _, change := range []func(path string) string{
		func(path string) string { return path[:len(path)-1] + "x" },
		func(path string) string {
			return strings.Replace(path, "wazero-", "wazero-of-another-version-", 1)
		},
	} {
		cache := t.TempDir()
		module := returning(7)
		returned(t, cache, module)
		path := keptFiles(t, cache)[0]
		changed := change(path)
		if err := os.MkdirAll(filepath.Dir(changed), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path, changed); err != nil {
			t.Fatal(err)
		}
		e := entry{dir: filepath.Dir(filepath.Dir(path))}
		var err error
		if e.key, err = keyOf(keyFor(cache)); err != nil {
			t.Fatal(err)
		}
		files, err := filesIn(e.dir)
		if err != nil {
			t.Fatal(err)
		}
		sums, err := e.sums(e.dir, "salt", files)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(e.dir, sumsFile), []byte(sums), 0o600); err != nil {
			t.Fatal(err)
		}
		if number, logged := returned(t, cache, module); number != 7 || !strings.Contains(logged, "not for this machine") {
			t.Errorf("%s: it returns %d, and said %q", changed, number, logged)
		}
		if number, logged := returned(t, cache, module); number != 7 || logged != "" {
			t.Errorf("%s: the cache was not mended: it returns %d, and said %q", changed, number, logged)
		}
	}
}
