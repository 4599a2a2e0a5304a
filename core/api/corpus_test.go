// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

const (
	corpus    = "../../testdata/accuracy"
	lab       = "../../testdata/agents"
	corpusSum = corpus + "/readings.sum"
)

// TestReadingsOfTheCorpus compares the Reading at each measured request of testdata/accuracy, and of testdata/agents,
// with its recorded digest.
func TestReadingsOfTheCorpus(t *testing.T) {
	files, err := filepath.Glob(corpus + "/*/*.zst")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no sessions in %s: %v", corpus, err)
	}
	newest, err := filepath.Glob(lab + "/*/*/session.*.zst")
	if err != nil || len(newest) < 13 {
		t.Fatalf("there are only %d sessions in %s: %v", len(newest), lab, err)
	}
	recorded, err := os.ReadFile(corpusSum)
	if err != nil && !*update {
		t.Fatal(err)
	}
	loaded := withVocabularies(t)
	var out bytes.Buffer
	for _, file := range append(files, newest...) {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel(corpus, file)
		name = strings.TrimPrefix(filepath.ToSlash(name), "../")
		if testing.Short() && info.Size() > 12_000 && !*update {
			continue
		}
		digests := digestsOf(t, loaded, file)
		line := name + " " + strings.Join(digests, " ")
		fmt.Fprintln(&out, line)
		if *update {
			continue
		}
		want := lineOf(string(recorded), name)
		if want == line {
			continue
		}
		before := strings.Fields(want)
		for i, digest := range strings.Fields(line) {
			if i >= len(before) || before[i] != digest {
				t.Errorf("%s: the Reading at request %d of %d is another one; if the change is meant, make vectors records it", name, i, len(digests))
				break
			}
		}
		if len(before) > len(digests)+1 {
			t.Errorf("%s: there are %d measured requests, and %d were recorded", name, len(digests), len(before)-1)
		}
	}
	if *update {
		if err := os.WriteFile(corpusSum, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func lineOf(text, name string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, name+" ") {
			return strings.TrimRight(line, "\r\n")
		}
	}
	return ""
}

// digestsOf returns the digests of the Readings of a session, one after each measured request.
func digestsOf(t *testing.T, loaded *Core, file string) []string {
	t.Helper()
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	text, err := decoder.DecodeAll(packed, nil)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	path := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(file), ".zst"))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	c, calls, digests := beside(loaded), int64(0), []string{}
	for _, record := range recordsIn(t, path) {
		params, err := json.Marshal(map[string]any{"id": "a", "records": []json.RawMessage{record}, "open": map[string]any{}})
		if err != nil {
			t.Fatal(err)
		}
		answer := c.Call("ctx/session/records", params)
		var got struct {
			Result struct{ Spent struct{ Calls int64 } }
		}
		if err := json.Unmarshal(answer, &got); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if got.Result.Spent.Calls != calls {
			calls = got.Result.Spent.Calls
			digests = append(digests, fmt.Sprintf("%.4x", sha256.Sum256(answer)))
		}
	}
	if len(digests) == 0 {
		t.Errorf("%s has no measured request", file)
	}
	return digests
}
