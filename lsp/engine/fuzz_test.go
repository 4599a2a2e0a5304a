// Copyright The ctx-lsp authors. MIT licence.

package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/lsp/engine"
	"github.com/ctx-lsp/ctx-lsp/testdata/conformance"
	"github.com/ctx-lsp/ctx-lsp/wasm/finish"
)

// FuzzEnginesAgree holds conversations with the core, natively and under wazero: every answer must have the same bytes.
// A conversation is a line a call, the number of the method as a letter and the parameters. The buffer of the parameters
// is scribbled over after each call, which would show if the core kept any of it.
func FuzzEnginesAgree(f *testing.F) {
	native, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		f.Fatal(err)
	}
	wasm, err := engine.Wasm(engine.Options{Instances: 1, Module: fuzzModule(f), CacheDir: "none"})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { native.Close(); wasm.Close() })
	for _, conversation := range conversations(f) {
		f.Add(conversation)
	}
	f.Add([]byte("Aa{\n"))
	f.Fuzz(func(t *testing.T, conversation []byte) {
		why := hold(t, native, wasm, conversation)
		if why == "" {
			return
		}
		native.Reset()
		wasm.Reset()
		if again := hold(t, native, wasm, conversation); again == "" {
			t.Fatalf("after other conversations, not by itself: %s", why)
		}
		t.Fatal(why)
	})
}

// hold holds a conversation with both engines and says where they differ. Its sessions are closed afterwards; starting
// anew for each, with the vocabularies, would take a hundred times as long.
func hold(t *testing.T, native, wasm engine.Engine, conversation []byte) (why string) {
	call := func(method string, params []byte) []byte {
		a, err := native.Call(context.Background(), method, params)
		if err != nil {
			t.Fatalf("native: %v", err)
		}
		buffer := bytes.Clone(params)
		b, err := wasm.Call(context.Background(), method, buffer)
		if err != nil {
			t.Fatalf("wasm: %v", err)
		}
		for i := range buffer {
			buffer[i] = '#'
		}
		if !bytes.Equal(a, b) && why == "" {
			why = fmt.Sprintf("%s %s\n native %s\n wasm   %s", method, params, a, b)
		}
		return a
	}
	for line := range bytes.Lines(conversation) {
		call(api.Methods[int(line[0])%len(api.Methods)], bytes.TrimRight(line[1:], "\n"))
	}
	var list struct {
		Result struct{ Sessions []struct{ Session string } }
	}
	if err := json.Unmarshal(call("ctx/sessions", nil), &list); err != nil {
		t.Fatal(err)
	}
	for _, s := range list.Result.Sessions {
		id, _ := json.Marshal(s.Session)
		call("ctx/session/close", fmt.Appendf(nil, `{"id":%s}`, id))
	}
	return why
}

// conversations are the vectors, as seeds.
func conversations(t testing.TB) [][]byte {
	names, err := fs.Glob(conformance.Files, "*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	number := map[string]byte{}
	for i, method := range api.Methods {
		number[method] = 'A' + byte((i-'A'%len(api.Methods)+len(api.Methods))%len(api.Methods))
	}
	var seeds [][]byte
	for _, name := range names {
		text, err := conformance.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Vectors []struct {
				Calls []struct {
					Method string
					Params json.RawMessage
				}
			}
		}
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		for _, v := range file.Vectors {
			var seed bytes.Buffer
			for _, c := range v.Calls {
				letter, known := number[c.Method]
				if !known || strings.Contains(string(c.Params), `"$`) {
					continue
				}
				seed.WriteByte(letter)
				if err := json.Compact(&seed, c.Params); err != nil && len(c.Params) > 0 {
					t.Fatal(err)
				}
				seed.WriteByte('\n')
			}
			seeds = append(seeds, seed.Bytes())
		}
	}
	return seeds
}

func fuzzModule(t testing.TB) []byte {
	out := filepath.Join(t.TempDir(), "ctx.wasm")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-buildmode=c-shared", "-ldflags=-s -w", "-o", out, "../../wasm")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the module does not build: %v\n%s", err, output)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	finished, err := finish.Module(raw)
	if err != nil {
		t.Fatal(err)
	}
	return finished
}
