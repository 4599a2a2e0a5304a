// Copyright The ctx-lsp authors. MIT licence.

package engine_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/engine/vectors"
)

// TestEnginesAgree runs conversations with the core, natively and under wazero: the vectors, conversations that failed
// once, and then as many damaged ones as there is time for. Every result must have the same bytes, and no call may
// fail. A damaged conversation that fails is written to testdata/conversations, to be committed with its correction.
// Each line of a conversation is a call: the number of the method as a letter, and the parameters. The buffer of the
// parameters is overwritten after each call, which would show if the core kept any of it.
//
// CTX_AGREE is how long the test runs, 3s by default.
func TestEnginesAgree(t *testing.T) {
	length := 3 * time.Second
	if text := os.Getenv("CTX_AGREE"); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	native, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	wasm, err := engine.Wasm(engine.Options{Instances: 1, Module: engine.Module(t, "core"), CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer wasm.Close()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	all := append(conversations(t), failedOnce(t)...)
	held := 0
	for begin := time.Now(); held < len(all) || time.Since(begin) < length; held++ {
		conversation := all[held%len(all)]
		if held >= len(all) {
			conversation = damaged(random, conversation, all[random.IntN(len(all))])
		}
		if why := runBoth(native, wasm, conversation); why != "" {
			if held >= len(all) {
				t.Logf("the conversation is kept in %s", saveFailed(t, conversation))
			}
			t.Fatalf("conversation %d: %.3000s\n%.3000q", held, why, conversation)
		}
	}
	t.Logf("%d conversations", held)
}

// failures is the directory of conversations that failed once.
const failures = "testdata/conversations"

func failedOnce(t *testing.T) (all [][]byte) {
	paths, err := filepath.Glob(filepath.Join(failures, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	return all
}

// saveFailed saves a conversation with the others that failed, and returns its path.
func saveFailed(t *testing.T, conversation []byte) string {
	sum := sha256.Sum256(conversation)
	path := filepath.Join(failures, hex.EncodeToString(sum[:8])+".txt")
	if err := os.MkdirAll(failures, 0o755); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(path, conversation, 0o644); err != nil {
		t.Error(err)
	}
	return path
}

// damaged changes or removes a few bytes, and inserts numbers and pieces of another conversation.
func damaged(random *rand.Rand, conversation, other []byte) []byte {
	out := bytes.Clone(conversation)
	for range 1 + random.IntN(6) {
		if len(out) == 0 {
			break
		}
		at := random.IntN(len(out))
		end := min(len(out), at+random.IntN(20))
		switch random.IntN(6) {
		case 0:
			out[at] = byte(random.IntN(256))
		case 1:
			out = slices.Delete(out, at, end)
		case 2:
			out = slices.Insert(out, at, out[at:end]...)
		case 3:
			odd := []string{"-1", "1e5", "9223372036854775807", "0.5", "null", "true", `"\ud800"`, "[]", "{}", "\x00", "\xff", "1000000000000"}
			out = slices.Insert(out, at, []byte(odd[random.IntN(len(odd))])...)
		case 4: // a line of the other conversation
			lines := bytes.SplitAfter(other, []byte("\n"))
			start := bytes.LastIndexByte(out[:at], '\n') + 1
			out = slices.Insert(out, start, lines[random.IntN(len(lines))]...)
		case 5: // another method
			if start := bytes.LastIndexByte(out[:at], '\n') + 1; start < len(out) {
				out[start] = byte('A' + random.IntN(26))
			}
		}
	}
	return out
}

// runBoth runs a conversation on both engines, and returns how they differ or fail. It closes the sessions afterwards;
// a new start for each conversation, with the vocabularies, would take a hundred times as long.
func runBoth(native, wasm engine.Engine, conversation []byte) (why string) {
	call := func(method string, params []byte) []byte {
		a, ofNative := native.Call(context.Background(), method, params)
		buffer := bytes.Clone(params)
		b, ofWasm := wasm.Call(context.Background(), method, buffer)
		if (ofNative != nil || ofWasm != nil) && why == "" {
			why = fmt.Sprintf("%s %s\n native %v\n wasm   %v", method, params, ofNative, ofWasm)
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
		call(methods[int(line[0])%len(methods)], bytes.TrimRight(line[1:], "\n"))
	}
	for _, id := range open(call("ctx/sessions", nil)) {
		call("ctx/session/close", id)
	}
	return why
}

// open returns parameters to close each session of a list.
func open(list []byte) (ids [][]byte) {
	var answer struct {
		Result struct{ Sessions []struct{ Session string } }
	}
	_ = json.Unmarshal(list, &answer) // every result is JSON, or the engines have failed
	for _, s := range answer.Result.Sessions {
		id, _ := json.Marshal(s.Session)
		ids = append(ids, fmt.Appendf(nil, `{"id":%s}`, id))
	}
	return ids
}

func closeAll(t *testing.T, e engine.Engine) {
	list, err := e.Call(context.Background(), "ctx/sessions", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range open(list) {
		if _, err := e.Call(context.Background(), "ctx/session/close", id); err != nil {
			t.Fatal(err)
		}
	}
}

// methods are numbered in conversations by their index.
var methods = api.MethodNames()

// longest is the maximum number of bytes of parameters in a conversation. Larger ones would take most of the time.
const longest = 64 << 10

// conversations returns the vectors. A separate engine saves the ledgers that they restore.
func conversations(t *testing.T) [][]byte {
	own, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	files, err := vectors.Read(os.DirFS("../../testdata/conformance"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	number := map[string]byte{}
	for i, method := range methods {
		number[method] = 'A' + byte((i-'A'%len(methods)+len(methods))%len(methods))
	}
	var seeds [][]byte
	left := 0
	for _, file := range files {
		for _, v := range file.Vectors {
			var seed bytes.Buffer
			var saved []byte
			for _, c := range v.Calls {
				text, err := c.Message()
				if err != nil {
					t.Fatal(err)
				}
				text = bytes.ReplaceAll(text, []byte(`{"$saved":true}`), saved)
				letter, known := number[c.Method]
				if !known || len(text) > longest || bytes.ContainsRune(text, '\n') {
					left++
					continue
				}
				seed.WriteByte(letter)
				seed.Write(text)
				seed.WriteByte('\n')
				answer, err := own.Call(context.Background(), c.Method, text)
				if err != nil {
					t.Fatal(err)
				}
				if ledger, ok := bytes.CutPrefix(answer, []byte(`{"result":{"ledger":`)); ok {
					saved = bytes.Clone(bytes.TrimSuffix(ledger, []byte("}}")))
				}
			}
			closeAll(t, own)
			seeds = append(seeds, seed.Bytes())
		}
	}
	t.Logf("%d vectors; %d calls are longer than %d bytes or a line", len(seeds), left, longest)
	return seeds
}
