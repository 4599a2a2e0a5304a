// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"strings"
	"testing"
	"time"
)

// TestGlobs checks matching and other paths, and that no pattern takes long or fails.
func TestGlobs(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		fits          bool
	}{
		{"*.md", "a.md", true},
		{"*.md", "a/b.md", false},
		{"**/*.md", "b.md", true},
		{"**/*.md", "a/b/c.md", true},
		{"a/**", "a/b/c", true},
		{"a/**", "b/a", false},
		{"a?c", "abc", true},
		{"a?c", "a/c", false},
		{"[ab].md", "b.md", true},
		{"[!ab].md", "b.md", false},
		{"{a,b}.md", "b.md", true},
		{"{a,b}.md", "c.md", false},
		{"a+b(.md", "a+b(.md", true},
		{"[", "[", true},
		{"[]", "[]", true},
		{"[^ab].md", "b.md", false},
		{"[^ab].md", "c.md", true},
		{"[!a]", "!", true},
		{"a{}b", "ab", true},
		{"a}", "a}", true},
		{"a,b", "a,b", true},
		{"a,b", "ax", false},
		{strings.Repeat("a", maxGlob), strings.Repeat("a", maxGlob), true},
		{"{a", "{a", true},
	} {
		glob := Glob(c.pattern)
		if glob == nil || glob.MatchString(c.path) != c.fits {
			t.Errorf("%s of %s: want %v", c.pattern, c.path, c.fits)
		}
	}
	start := time.Now()
	if Glob(strings.Repeat("**/a", 200)).MatchString(strings.Repeat("a/", 2000)) {
		t.Error("it fits")
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("%v", took)
	}
	if Glob(strings.Repeat("*", maxGlob+1)) != nil {
		t.Error("a pattern of any length is taken")
	}
}
