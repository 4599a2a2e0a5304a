// Copyright The ctx-lsp authors. MIT licence.

package check

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestEveryCodeIsExplained checks that every code of a finding is in the rules of SARIF, and in docs/daemon.md or
// docs/check.md.
func TestEveryCodeIsExplained(t *testing.T) {
	text := func(file string) string {
		b, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	documents := text("docs/daemon.md") + text("docs/check.md")
	code := regexp.MustCompile(`Code\b[^"\n]*"([a-z]+(?:-[a-z]+)+)"`)
	found := map[string]bool{}
	for _, match := range code.FindAllStringSubmatch(text("core/promptfile/findings.go"), -1) {
		found[match[1]] = true
		if rules[match[1]] == "" {
			t.Errorf("%s has no rule", match[1])
		}
	}
	if len(found) < 10 {
		t.Errorf("only %d codes were found in core/promptfile: %v", len(found), found)
	}
	for name := range rules {
		if !strings.Contains(documents, "`"+name+"`") {
			t.Errorf("%s is in no document", name)
		}
	}
}
