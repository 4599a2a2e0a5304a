// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

func fileOf(content []byte, address string) File {
	sum := sha256.Sum256(content)
	return File{Name: "a.json", Address: address, Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:])}
}

// An interrupted download continues where it stopped; a wrong file is refused and deleted.
func TestDownloads(t *testing.T) {
	content := bytes.Repeat([]byte("pieces "), 10_000)
	cut, asked := 20_000, []string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path+" "+r.Header.Get("Range"))
		switch {
		case r.URL.Path == "/cut" && r.Header.Get("Range") == "":
			w.Header().Set("Content-Length", "70000")
			_, _ = w.Write(content[:cut])
		case r.URL.Path == "/other":
			_, _ = w.Write(bytes.ToUpper(content))
		case r.URL.Path == "/longer":
			_, _ = w.Write(append(bytes.Clone(content), bytes.Repeat([]byte("x"), 1<<20)...))
		case r.URL.Path == "/whole":
			_, _ = w.Write(content)
		case r.URL.Path == "/gone":
			http.NotFound(w, r)
		default:
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
		}
	}))
	defer server.Close()
	get := func(folder, path string) ([]byte, error) {
		return Fetch(context.Background(), fileOf(content, server.URL+path), folder, nil)
	}

	folder := t.TempDir()
	if _, err := get(folder, "/cut"); err == nil || !strings.Contains(err.Error(), "the next attempt continues") {
		t.Fatalf("a download that was cut off: %v", err)
	}
	got, err := get(folder, "/cut")
	if err != nil || !bytes.Equal(got, content) || asked[len(asked)-1] != "/cut bytes=20000-" {
		t.Fatalf("the rest of it: %d bytes, %v, asked %q", len(got), err, asked)
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	// A server without range requests sends everything again; a part of a different file is discarded.
	folder = t.TempDir()
	part := folder + "/.fetch-" + fileOf(content, "").SHA256 + ".part"
	for _, before := range []string{"piec", strings.Repeat("z", len(content)), strings.Repeat("z", 9)} {
		for _, path := range []string{"/whole", "/ranges"} {
			if err := os.WriteFile(part, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := get(folder, path); err != nil || !bytes.Equal(got, content) {
				t.Errorf("%s behind %.5q: %d bytes, %v", path, before, len(got), err)
			}
		}
	}

	for path, want := range map[string]string{"/other": "is not the expected file", "/longer": "is not the expected file", "/gone": "404"} {
		folder := t.TempDir()
		if _, err := get(folder, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, and it should say %q", path, err, want)
		}
		if left, _ := os.ReadFile(folder + "/.fetch-" + fileOf(content, "").SHA256 + ".part"); len(left) > 0 {
			t.Errorf("%s: %d bytes are left", path, len(left))
		}
	}
}
