// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// packed returns a text in a compressed form used for old transcripts.
func packed(t *testing.T, form, name string, texts ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	var err error
	switch form {
	case "gz":
		w := gzip.NewWriter(&out)
		_, err = w.Write([]byte(texts[0]))
		err = firstError(err, w.Close())
	case "zst":
		var w *zstd.Encoder
		if w, err = zstd.NewWriter(&out); err == nil {
			_, err = w.Write([]byte(texts[0]))
			err = firstError(err, w.Close())
		}
	case "zip":
		w := zip.NewWriter(&out)
		for i, text := range texts {
			var to io.Writer
			if to, err = w.Create(fmt.Sprintf("%s%d.jsonl", name, i)); err == nil {
				_, err = to.Write([]byte(text))
			}
		}
		err = firstError(err, w.Close())
	case "tar.gz":
		z := gzip.NewWriter(&out)
		w := tar.NewWriter(z)
		if err = w.WriteHeader(&tar.Header{Name: name + ".jsonl", Size: int64(len(texts[0])), Mode: 0o600, Typeflag: tar.TypeReg}); err == nil {
			_, err = w.Write([]byte(texts[0]))
		}
		err = firstError(err, firstError(w.Close(), z.Close()))
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// claudeSession returns a short transcript of Claude Code.
func claudeSession(tokens int) string {
	return fmt.Sprintf(`{"type":"user","uuid":"1","parentUuid":null,"isSidechain":false,"sessionId":"s","cwd":"/home/ada/shop","version":"2.1.33","timestamp":"2026-10-01T10:00:00Z","message":{"role":"user","content":"Why?"}}
{"type":"assistant","uuid":"2","parentUuid":"1","isSidechain":false,"sessionId":"s","version":"2.1.33","timestamp":"2026-10-01T10:00:05Z","message":{"id":"m","role":"assistant","model":"claude-opus-4-6","usage":{"input_tokens":%d,"output_tokens":90},"content":[{"type":"text","text":"Because."}]}}
`, tokens)
}

// commandIn runs a command in a directory, with a home without sessions.
func commandIn(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, messages strings.Builder
	home := t.TempDir()
	env := &environment{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &messages, Columns: 80,
		Getenv: func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] }, Dir: dir, Now: time.Now,
	}
	code = run(context.Background(), env, args)
	return code, out.String(), messages.String()
}

// TestCompressedTranscriptsAreRead checks that each command that reads a transcript returns the same for a compressed
// one, and that no unpacked file is left.
func TestCompressedTranscriptsAreRead(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	dir, text := t.TempDir(), claudeSession(25000)
	files := []string{"plain.jsonl"}
	write := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("plain.jsonl", []byte(text))
	for name, form := range map[string]string{"a.jsonl.gz": "gz", "b.jsonl.zst": "zst", "c.zip": "zip", "d.tar.gz": "tar.gz", "e.gz": "gz"} {
		write(name, packed(t, form, "session", text))
		files = append(files, name)
	}
	write("two.zip", packed(t, "zip", "session", text, claudeSession(31000)))
	_, counted, _ := commandIn(t, dir, "count", "plain.jsonl")
	tokens := strings.Fields(counted)[0] + "  "
	for _, command := range []struct {
		line, want string
		code       int
	}{
		{"status FILE", "25.1k", exitOK},
		{"history FILE", "25k |", exitOK},
		{"handover FILE", "Why?", exitOK},
		{"forgot FILE", "this session was never compacted", exitError},
		{"sees --session=FILE", "no file that is here", exitOK},
		{"replay FILE --json", `"sessions":1`, exitOK},
		{"export FILE --format=csv --names", ",25000,", exitOK},
		{"fits --session FILE plain.jsonl", "15% of the threshold", exitOK},
		{"fits --session plain.jsonl FILE", "15% of the threshold", exitOK},
		{"count FILE", "TOKENS", exitOK},
	} {
		command.want = strings.Replace(command.want, "TOKENS", tokens, 1)
		for _, file := range files {
			code, stdout, stderr := commandIn(t, dir, strings.Fields(strings.ReplaceAll(command.line, "FILE", file))...)
			if code != command.code || !strings.Contains(stdout+stderr, command.want) {
				t.Errorf("%s of %s: %d\n%s%s", command.line, file, code, stdout, stderr)
			}
		}
	}
	if code, _, stderr := commandIn(t, dir, "status", "two.zip"); code != exitError || !strings.Contains(stderr, "two.zip!session0.jsonl") {
		t.Errorf("an archive of two: %d, %s", code, stderr)
	}
	if code, stdout, stderr := commandIn(t, dir, "status", "two.zip!session1.jsonl"); code != exitOK || !strings.Contains(stdout, "31.1k") {
		t.Errorf("one of two: %d, %s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := commandIn(t, dir, "count", "two.zip"); code != exitOK || !strings.Contains(stdout, "two.zip!session1.jsonl") {
		t.Errorf("the files of an archive: %d, %s%s", code, stdout, stderr)
	}
	if code, _, stderr := commandIn(t, dir, "status", "two.zip!../plain.jsonl"); code != exitError {
		t.Errorf("a file outside of the archive: %d, %s", code, stderr)
	}
	if left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "ctx-lsp-archive-*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestOnlyTranscriptsAreExported checks that a file without a session is an error, not an empty table.
func TestOnlyTranscriptsAreExported(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := t.TempDir()
	for name, content := range map[string][]byte{
		"notes.txt": []byte("hello\nworld\n"), "other.jsonl": []byte(`{"a":1}` + "\n"), "empty.jsonl": nil, "noise.gz": packed(t, "gz", "x", "hello\n"),
		"cut.jsonl.gz": packed(t, "gz", "x", claudeSession(1))[:20], "other.json": []byte(`{"a":[1]}`), "empty.zip": packed(t, "zip", "x"),
		"bomb.jsonl.gz": packed(t, "gz", "x", strings.Repeat("\n", 400<<20)), "bomb.zip": packed(t, "zip", "x", strings.Repeat("\n", 400<<20)),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
		if code, stdout, stderr := commandIn(t, dir, "export", "--format=csv", "--names", name); code != exitError || !strings.Contains(stderr, name) || strings.Count(stdout, "\n") > 1 {
			t.Errorf("%s: %d, %q, %q", name, code, stdout, stderr)
		} else if strings.HasPrefix(name, "bomb") && !strings.Contains(stderr, "unpacks to more than") {
			t.Errorf("%s: %q", name, stderr)
		}
	}
}
