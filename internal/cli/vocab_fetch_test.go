// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

// A vocabulary is downloaded only with the user's consent to the address, and is used from then on.
func TestVocabulariesAreFetchedWithConsentOnly(t *testing.T) {
	requests := 0
	made := filepath.Join("..", "..", "testdata", "vocabularies")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		http.ServeFile(w, r, filepath.Join(made, filepath.Base(r.URL.Path)))
	}))
	defer server.Close()
	source := publishedVocabulary{name: claude, contents: "a vocabulary that was made up", licence: "MIT", packs: []string{"claude-v47"}}
	for _, name := range []string{"pieces_v3.json", "pieces_v4_7.json"} {
		content, err := os.ReadFile(filepath.Join(made, name))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(content)
		source.files = append(source.files, vocabulary.File{
			Name: name, Address: server.URL + "/" + name, Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:]),
		})
	}
	wrong := source
	wrong.name, wrong.packs, wrong.files = "wrong", nil, []vocabulary.File{source.files[0]}
	wrong.files[0].SHA256 = source.files[1].SHA256
	before := publishedVocabularies
	publishedVocabularies = []publishedVocabulary{source, wrong}
	defer func() { publishedVocabularies = before }()

	folder, data := t.TempDir(), t.TempDir()
	for _, c := range []struct {
		args           []string
		stdin          string
		code           int
		stdout, stderr string
		requests       int
	}{
		{args: []string{"vocab", "fetch", "claude"}, stdin: "y\n", code: exitUsage, stderr: "the download cannot be confirmed"},
		{args: []string{"vocab", "fetch", "claud", "--yes"}, code: exitError, stderr: "did you mean"},
		{args: []string{"vocab", "fetch", "mistral", "--yes"}, code: exitError, stderr: "vocab add NAME tokenizer.json"},
		{args: []string{"vocab", "fetch", "wrong", "--yes"}, code: exitError, stderr: "is not the expected file", requests: 1},
		{args: []string{"vocab", "fetch", "claude", "--yes"}, stdout: "claude-v5: ", stderr: server.URL + "/pieces_v3.json", requests: 3},
		{args: []string{"vocab", "fetch", "claude", "--yes"}, code: exitError, stderr: "--replace", requests: 3},
		{args: []string{"vocab", "fetch", "claude", "--yes", "--replace", "--json"}, stdout: `"name":"claude-v47"`, requests: 5},
		{args: []string{"count", "--model", "claude-opus-5"}, stdin: "the world", stdout: "8", requests: 5},
		{args: []string{"count", "--model", "claude-opus-4-5", "--as=message"}, stdin: "the world", stdout: "9", requests: 5},
		{args: []string{"count", "--model", "claude-opus-5-5"}, stdin: "the world", stdout: "~", stderr: "has not been compared", requests: 5},
		{args: []string{"count", "--as=message"}, stdin: "the world", code: exitError, stderr: "--as=message cannot be used for", requests: 5},
		{args: []string{"count", "--as=letter"}, code: exitUsage, stderr: "--as accepts only message", requests: 5},
	} {
		code, stdout, stderr := counting(t, folder, data, c.stdin, c.args...)
		if code != c.code || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) || c.requests > 0 && requests != c.requests {
			t.Errorf("%v: exit code %d, want %d; %d requests, want %d\n%s%s", c.args, code, c.code, requests, c.requests, stdout, stderr)
		}
	}
}

// Every vocabulary that can be downloaded has the information that users need, an address whose content cannot change,
// and families of existing models.
func TestPublishedVocabulariesArePinned(t *testing.T) {
	pinned := regexp.MustCompile(`^https://(raw\.githubusercontent\.com/[^/]+/[^/]+|huggingface\.co/[^/]+/[^/]+/resolve)/[0-9a-f]{40}/[^?#]+$`)
	sha256 := regexp.MustCompile(`^[0-9a-f]{64}$`)
	examples := map[string]string{
		"claude-v3": "claude-opus-4-5", "claude-v47": "claude-opus-4-7", "claude-v5": "claude-opus-5", "gemini": "gemini-2.5-pro",
		"gemini-4": "gemini-3.1-pro-preview", "gemma3": "gemma3:27b", "qwen2": "qwen3-14b", "llama3": "llama-3.3-70b-instruct", "deepseek-v3": "deepseek-chat",
	}
	for _, p := range publishedVocabularies {
		if p.name == "" || p.models == "" || p.contents == "" || p.licence == "" || len(p.files) == 0 || len(p.packs) == 0 {
			t.Errorf("%+v says too little", p)
		}
		for _, file := range p.files {
			if !pinned.MatchString(file.Address) || !sha256.MatchString(file.SHA256) || file.Size < 1_000_000 {
				t.Errorf("%s: %+v is not pinned", p.name, file)
			}
		}
		for _, family := range p.packs {
			if found, ok := publishedFor(examples[family]); !ok || found.name != p.name {
				t.Errorf("%s: %q would be counted by %q, %v", family, examples[family], found.name, ok)
			}
		}
	}
	for _, counted := range []string{"gpt-5.5", "", "nobody-knows-this-model", "mistral-large-latest", "qwen3.5-27b"} {
		if found, ok := publishedFor(counted); ok {
			t.Errorf("%q is offered %s", counted, found.name)
		}
	}
}
