// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

var (
	secrets = regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|` +
		`xox[abprs]-[\w-]{10,}|glpat-[\w-]{16,}|npm_[A-Za-z0-9]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}|BEGIN [A-Z ]*PRIVATE KEY)`)
	address = regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[a-z]{2,}`)
	// atPerson matches a user's page, or the part of a URL that contains a password.
	atPerson = regexp.MustCompile(`https?://[^\s/]*@|avatars\.|api\.github\.com/users/`)
	// closed matches single words that stay: names of tools, files, ids and formats.
	closed = regexp.MustCompile(`^[\w.:@$<>/\\|~+=*-]{1,200}$`)
)

// TestTheCorpusHasNoTextOfOthers checks that each string of testdata/accuracy consists of our words and of strings from
// our sources, or is a single word, such as a path or an id. It must not contain any user name, address, secret or
// personal page.
func TestTheCorpusHasNoTextOfOthers(t *testing.T) { hasNoTextOfOthers(t, "accuracy/*/*.zst") }

// TestFixturesOfTheLabHaveNoTextOfOthers checks each string of testdata/agents in the same way: files written by agents
// must not contain a vendor's text, such as a system prompt or the description of a tool. Of a store it checks the
// rows: a test of internal/agents checks that the session next to them follows from them.
func TestFixturesOfTheLabHaveNoTextOfOthers(t *testing.T) { hasNoTextOfOthers(t, "agents/*/*/*.zst") }

func hasNoTextOfOthers(t *testing.T, pattern string) {
	t.Helper()
	t.Chdir("../..")
	k, err := keptBy(strings.Split(readers, ",")...)
	if err != nil {
		t.Fatal(err)
	}
	words := setOf(ours)
	files, err := filepath.Glob("testdata/" + pattern)
	files = slices.DeleteFunc(files, func(file string) bool {
		_, err := os.Stat(filepath.Join(filepath.Dir(file), "store.jsonl.zst"))
		return err == nil && !strings.HasPrefix(filepath.Base(file), "store.")
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no sessions: %v", err)
	}
	for i, file := range files {
		if testing.Short() && len(files) > 20 && i%6 != 0 {
			continue
		}
		seen, wrong := map[string]bool{}, 0
		text := unpacked(t, file)
		for _, user := range usersIn(text) {
			if !slices.Contains(stand, user) && strings.ReplaceAll(user, "user", "") != "" {
				t.Errorf("%s: a path names the user %q", file, user)
			}
		}
		eachString(t, text, func(s string) {
			if seen[s] {
				return
			}
			seen[s] = true
			s = withoutCalls(t, s, func(inner string) {
				if why := foreign(k, words, inner); why != "" {
					t.Errorf("%s: %s in a call: %.200q", file, why, inner)
				}
			})
			if why := foreign(k, words, s); why != "" && wrong < 5 {
				wrong++
				t.Errorf("%s: %s: %.200q", file, why, s)
			}
		})
		if len(seen) < 20 {
			t.Errorf("%s has only %d strings", file, len(seen))
		}
	}
}

// withoutCalls returns a text without the calls in it, and calls visit with each string of their arguments.
func withoutCalls(t *testing.T, text string, visit func(string)) string {
	t.Helper()
	var out strings.Builder
	for {
		before, call, arguments, after := cutCall(text)
		out.WriteString(before)
		if call == "" {
			return out.String()
		}
		eachOf(t, []byte(arguments), visit)
		text = after
	}
}

// foreign returns why a string must not stay, or "".
func foreign(k *kept, words map[string]bool, s string) string {
	own := true
	for word := range strings.FieldsSeq(s) {
		own = own && (words[word] || strings.Trim(word, "7,.") == "")
	}
	if own {
		return ""
	}
	switch {
	case secrets.MatchString(s):
		return "a secret"
	case address.MatchString(s):
		return "an address"
	case atPerson.MatchString(s):
		return "a person"
	case encoded.MatchString(s), picture.MatchString(s):
		if strings.Trim(s[64:], "A") != "" {
			return "base64"
		}
		return ""
	case closed.MatchString(s) || k.literals[s]:
		return ""
	}
	for _, word := range strings.FieldsFunc(k.words.ReplaceAllString(s, " "), func(r rune) bool { return strings.ContainsRune(" \t\n\r.,7", r) }) {
		if !words[word] && hasLetter(word) && !k.literals[word] {
			return "a text with " + word
		}
	}
	return ""
}

func unpacked(t *testing.T, file string) []byte {
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
		t.Fatal(err)
	}
	return text
}

// eachString calls visit with each string of a session, including keys and the strings of JSON in a string.
func eachString(t *testing.T, text []byte, visit func(string)) {
	t.Helper()
	if bytes.HasPrefix(text, []byte(`{"`)) && bytes.Contains(text, []byte("}\n{")) { // one record on each line
		for line := range bytes.Lines(text) {
			eachOf(t, line, visit)
		}
		return
	}
	eachOf(t, text, visit)
}

func eachOf(t *testing.T, text []byte, visit func(string)) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		if err != nil {
			var broken *json.SyntaxError
			if !errors.Is(err, io.EOF) && !errors.As(err, &broken) { // one recorded session has a damaged line
				t.Fatal(err)
			}
			for _, found := range []*regexp.Regexp{secrets, address, atPerson} {
				if s := found.Find(text[d.InputOffset():]); broken != nil && s != nil {
					t.Errorf("%.60q in a damaged line", s)
				}
			}
			return
		}
		if s, ok := token.(string); ok {
			if isObject(s) {
				eachString(t, []byte(s), visit)
			} else {
				visit(s)
			}
		}
	}
}

// TestForeignTextsAreFound checks what the test of the corpus detects.
func TestForeignTextsAreFound(t *testing.T) {
	t.Chdir("../..")
	k, err := keptBy(strings.Split(readers, ",")...)
	if err != nil {
		t.Fatal(err)
	}
	words := setOf(ours)
	for s, ok := range map[string]bool{
		"the and\n with   7,7,": true, "/Users/someone/shop/a.go": true, "toolu_01abc": true, "": true, "*** Update File: the and": true,
		"Please fix the build.": false, "The and": false, "ada@example.com": false, "sk-" + strings.Repeat("a1", 12): false,
		"https://avatars.example.com/u/1": false, "see " + "ghp_" + strings.Repeat("a1", 12): false, strings.Repeat("QUJD", 40): false,
	} {
		if why := foreign(k, words, s); (why == "") != ok {
			t.Errorf("%q: %q", s, why)
		}
	}
}

// TestTheManifestDescribesTheCorpus checks that each session has an origin and the hash that the manifest gives.
func TestTheManifestDescribesTheCorpus(t *testing.T) {
	t.Chdir("../..")
	entries, err := manifest("testdata/accuracy")
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("testdata/accuracy/*/*.zst") // the pattern is well-formed
	if len(files) != len(entries) || len(entries) < 40 {
		t.Errorf("%d files, and %d in the manifest", len(files), len(entries))
	}
	commit, sum := regexp.MustCompile(`^[0-9a-f]{40}$`), regexp.MustCompile(`^[0-9a-f]{64}$`)
	total := 0
	for _, e := range entries {
		packed, err := os.ReadFile(filepath.Join("testdata", "accuracy", e.File+".zst"))
		if err != nil {
			t.Fatal(err)
		}
		if digest(packed) != e.SHA256 || len(packed) != e.Compressed {
			t.Errorf("%s: the file is another one", e.File)
		}
		if !commit.MatchString(e.Commit) || !sum.MatchString(e.Original) || e.Path == "" || e.Source == "" || e.Ref == "" ||
			e.Licence != "MIT" || !strings.HasPrefix(e.Copyright, "Copyright") {
			t.Errorf("%s: the origin is not complete: %+v", e.File, e)
		}
		total += len(packed)
	}
	if total > most {
		t.Errorf("the corpus has %d bytes, more than %d", total, most)
	}
}
