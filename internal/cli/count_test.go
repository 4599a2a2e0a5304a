// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// counting runs a command line in a directory, with its own data directory.
func counting(t *testing.T, folder, data, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, messages bytes.Buffer
	env := &environment{
		Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &messages,
		Getenv: func(name string) string {
			if name == "XDG_DATA_HOME" {
				return data
			}
			return ""
		},
		Dir: folder, Now: time.Now, Columns: 80,
	}
	code = run(context.Background(), env, args)
	return code, out.String(), messages.String()
}

func write(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCountCountsFilesLikeWc(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{
		"a.txt": "hello world\n", "b.txt": "tiktoken is great!", "picture": "\x89PNG\x00\x00", "tree/x.txt": "one", "tree/y.txt": "two\n\n",
		"tree/.gitignore": "*.log\n", "tree/z.log": "left out", "tree/blob": "a\x00b",
	})
	for _, c := range []struct {
		args           []string
		stdin          string
		code           int
		stdout, stderr string
	}{
		{args: []string{"count", "a.txt"}, stdout: "3  a.txt\n"},
		{args: []string{"count", "a.txt", "b.txt"}, stdout: "3  a.txt\n6  b.txt\n9  total\n"},
		{args: []string{"count"}, stdin: "hello world", stdout: "2\n"},
		{args: []string{"count", "-"}, stdin: "hello world", stdout: "2\n"},
		{args: []string{"count", "tree"}, stdout: "3  tree/.gitignore\n1  tree/x.txt\n2  tree/y.txt\n6  total\n"},
		{args: []string{"count", "--encoding", "r50k_base", "b.txt"}, stdout: "6  b.txt\n"},
		{args: []string{"count", "--verify", "a.txt", "b.txt"}, stdout: "3  a.txt\n6  b.txt\n9  total\n"},
		{args: []string{"count", "--budget", "8", "a.txt", "b.txt"}, code: exitOver, stdout: "9  total", stderr: "9 tokens exceed the budget of 8"},
		{args: []string{"count", "--budget", "9", "a.txt", "b.txt"}, stdout: "9  total"},
		{args: []string{"count", "picture"}, code: exitError, stderr: "picture: it is not text; use --force"},
		{args: []string{"count", "--force", "picture"}, stdout: "  picture\n"},
		{args: []string{"count", "missing", "a.txt"}, code: exitError, stdout: "3  a.txt", stderr: "there is no file missing"},
		{args: []string{"count", "--model", "gpt-4o", "a.txt"}, stdout: "3    0.00%  a.txt\n"},
		{args: []string{"count", "--model", "claude-opus-4-5", "a.txt"}, stdout: "~"},
		{args: []string{"count", "--model", "claude-opus-4-5", "--verify", "a.txt"}, code: exitError, stderr: "cannot check an estimate"},
		{args: []string{"count", "--model", "no-such-model", "a.txt"}, code: exitError, stderr: "unknown model"},
		{args: []string{"count", "--encoding", "o200k_bas", "a.txt"}, code: exitError, stderr: "o200k_base"},
		{args: []string{"count", "--model", "gpt-4o", "--encoding", "o200k_base"}, code: exitUsage, stderr: "cannot be used together"},
		{args: []string{"count", "--bugdet", "1"}, code: exitUsage, stderr: "budget"},
		{args: []string{"count", "--special"}, stdin: "<|endoftext|>", stdout: "1\n"},
	} {
		code, stdout, stderr := counting(t, folder, t.TempDir(), c.stdin, c.args...)
		stdout = strings.ReplaceAll(stdout, `\`, "/") // files have their system's names
		if code != c.code || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
			t.Errorf("%v: exit code %d, want %d\n%s%s", c.args, code, c.code, stdout, stderr)
		}
	}
}

func TestCountPrintsJSON(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"a.txt": "hello world\n"})
	code, stdout, stderr := counting(t, folder, t.TempDir(), "", "count", "--json", "--model", "gpt-4o", "a.txt")
	var got struct {
		Schema, Encoding string
		Files            []struct {
			File, Basis   string
			Bytes, Tokens int64
		}
		Total struct {
			Tokens, Limit int64
			Basis         string
			Percent       *float64
		}
	}
	if err := stdjson.Unmarshal([]byte(stdout), &got); err != nil || code != exitOK {
		t.Fatalf("%d %v %s %s", code, err, stdout, stderr)
	}
	if got.Schema != "ctx.count/1" || got.Encoding != "o200k_base" || len(got.Files) != 1 || got.Files[0].Bytes != 12 || got.Files[0].Tokens != 3 ||
		got.Files[0].Basis != "counted" || got.Total.Tokens != 3 || got.Total.Limit <= 0 || got.Total.Percent == nil {
		t.Errorf("%+v", got)
	}
}

func TestVocabularies(t *testing.T) {
	folder, data := t.TempDir(), t.TempDir()
	vocab := map[string]int{}
	for b, c := range letters() {
		vocab[c] = b
	}
	for i, merge := range []string{"he", "ll", "llo", "hello"} {
		vocab[merge] = 256 + i
	}
	file := func(change func(map[string]any)) string {
		f := map[string]any{
			"added_tokens": []any{map[string]any{"content": "<|end|>", "special": true}, map[string]any{"content": "<think>", "special": false}},
			"pre_tokenizer": map[string]any{"type": "Sequence", "pretokenizers": []any{
				map[string]any{"type": "Split", "behavior": "Isolated", "pattern": map[string]any{"Regex": `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`}},
				map[string]any{"type": "ByteLevel", "use_regex": false},
			}},
			"normalizer": map[string]any{"type": "NFC"},
			"model":      map[string]any{"type": "BPE", "vocab": vocab, "merges": []string{"h e", "l l", "ll o", "he llo"}},
		}
		change(f)
		out, err := stdjson.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	write(t, folder, map[string]string{
		"good.json":      file(func(map[string]any) {}),
		"pattern.json":   file(func(f map[string]any) { f["pre_tokenizer"] = map[string]any{"type": "Whitespace"} }),
		"unigram.json":   file(func(f map[string]any) { f["model"] = map[string]any{"type": "Unigram"} }),
		"lowercase.json": file(func(f map[string]any) { f["normalizer"] = map[string]any{"type": "Lowercase"} }),
		"broken.json":    `{"model":`,
		"ranks.tiktoken": ranks("he", "ll", "llo", "hello"),
		"few.tiktoken":   "aGU= 0\n",
	})
	for _, c := range []struct {
		args           []string
		stdin          string
		code           int
		stdout, stderr string
	}{
		{args: []string{"vocab", "add", "mine", "good.json"}, stdout: "mine: 260 tokens"},
		{args: []string{"vocab", "add", "mine", "good.json"}, code: exitError, stderr: "--replace"},
		{args: []string{"vocab", "add", "mine", "good.json", "--replace"}, stdout: "mine: 260 tokens"},
		{args: []string{"count", "--encoding", "mine"}, stdin: "hello 12<think>", stdout: "5\n"},
		{args: []string{"count", "--encoding", "mine"}, stdin: "hello<|end|>", stdout: "8\n"},
		{args: []string{"count", "--encoding", "mine"}, stdin: "e\u0301", stdout: "2\n"}, // é, two bytes
		{args: []string{"vocab", "list"}, stdout: "mine"},
		{args: []string{"vocab", "list", "--json"}, stdout: `"name":"mine","tokens":260`},
		{args: []string{"vocab", "add", "kimi", "ranks.tiktoken"}, code: exitError, stderr: "--split"},
		{args: []string{"vocab", "add", "kimi", "ranks.tiktoken", "--split", "kimi"}, stdout: "kimi: 260 tokens"},
		{args: []string{"count", "--encoding", "kimi"}, stdin: "hello中文a", stdout: "8\n"},
		{args: []string{"vocab", "add", "few", "few.tiktoken", "--split", "gpt2"}, code: exitError, stderr: "byte 0x00 is not a token"},
		{args: []string{"vocab", "add", "a", "pattern.json"}, code: exitError, stderr: "Whitespace"},
		{args: []string{"vocab", "add", "a", "unigram.json"}, code: exitError, stderr: "Unigram"},
		{args: []string{"vocab", "add", "a", "lowercase.json"}, code: exitError, stderr: "Lowercase"},
		{args: []string{"vocab", "add", "a", "broken.json"}, code: exitError, stderr: "not a tokenizer.json"},
		{args: []string{"vocab", "add", "../a", "good.json"}, code: exitError, stderr: "cannot be the name"},
		{args: []string{"vocab", "add", "o200k_base", "good.json"}, code: exitError, stderr: "public encoding"},
		{args: []string{"call", "ctx/count"}, stdin: `{"model":"qwen3-14b","text":"hello"}`, stdout: `"basis":"estimated","encoding":""`},
		{args: []string{"vocab", "add", "qwen2", "good.json"}, stdout: "qwen2: 260 tokens"},
		{args: []string{"call", "ctx/count"}, stdin: `{"model":"qwen3-14b","text":"hello 12"}`, stdout: `"tokens":4,"basis":"counted","encoding":"qwen2"`},
		{args: []string{"vocab", "remove", "mine"}, stdout: "removed mine"},
		{args: []string{"vocab", "remove", "mine"}, code: exitError, stderr: "no vocabulary called"},
		{args: []string{"vocab", "ad"}, code: exitUsage, stderr: "add"},
	} {
		code, stdout, stderr := counting(t, folder, data, c.stdin, c.args...)
		if code != c.code || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
			t.Errorf("%v: exit code %d, want %d\n%s%s", c.args, code, c.code, stdout, stderr)
		}
	}
}

// letters returns the characters that stand for bytes in byte-level vocabularies.
func letters() (all [256]string) {
	next := rune(0x100)
	for b := range all {
		if b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE {
			all[b] = string(rune(b))
			continue
		}
		all[b] = string(next)
		next++
	}
	return all
}

// ranks returns a rank file with the bytes and a few tokens.
func ranks(tokens ...string) string {
	var b strings.Builder
	encode := func(text []byte) string {
		out, _ := stdjson.Marshal(text) // base64 in quotation marks
		return strings.Trim(string(out), `"`)
	}
	n := 0
	line := func(text []byte) {
		b.WriteString(encode(text))
		b.WriteByte(' ')
		out, _ := stdjson.Marshal(n)
		b.Write(out)
		b.WriteByte('\n')
		n++
	}
	for c := range 256 {
		line([]byte{byte(c)})
	}
	for _, text := range tokens {
		line([]byte(text))
	}
	return b.String()
}

// TestCountPrintsWhichModelFilesWereCountedFor checks that a count on a terminal names its model or encoding, because
// other models count differently, and that a program gets only the counts.
func TestCountPrintsWhichModelFilesWereCountedFor(t *testing.T) {
	for _, c := range []struct {
		args     []string
		terminal bool
		hint     string
	}{
		{[]string{"count", "-"}, true, "counted in o200k_base; --model counts for a model"},
		{[]string{"count", "--model=gpt-5.5", "-"}, true, "counted for gpt-5.5 in o200k_base"},
		{[]string{"count", "--model=claude-opus-4-6", "-"}, true, "estimated for claude-opus-4-6"},
		{[]string{"count", "-"}, false, ""},
	} {
		var out, errs bytes.Buffer
		env := testEnvironment(t, &out, &errs)
		env.Stdin, env.StdoutTerminal = strings.NewReader("hello world"), c.terminal
		if code := run(context.Background(), env, c.args); code != exitOK {
			t.Errorf("%q ends with %d", c.args, code)
		}
		if hint := errs.String(); !strings.Contains(hint, c.hint) || c.hint == "" && hint != "" {
			t.Errorf("%q on a terminal: %v prints %q, want %q", c.args, c.terminal, hint, c.hint)
		}
	}
}
