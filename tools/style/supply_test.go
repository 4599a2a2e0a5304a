// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWorkflowsArePinnedAndMayDoLittle checks the findings in workflows that break the rules.
func TestWorkflowsArePinnedAndMayDoLittle(t *testing.T) {
	const good = `name: x
permissions: {}

jobs:
  a:
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1
        with:
          persist-credentials: false
      - name: y
        uses: some/action/below@34e114876b0b11c390a56381ad16ebd13914f8d5
`
	for _, c := range []struct{ name, from, to, want string }{
		{"as it should be", "", "", ""},
		{"a tag", "some/action/below@34e114876b0b11c390a56381ad16ebd13914f8d5", "some/action@v2", "some/action@v2 is not named by its full commit"},
		{"a short commit", "some/action/below@34e114876b0b11c390a56381ad16ebd13914f8d5", "some/action@34e1148", "is not named by its full commit"},
		{"permissions for all", "permissions: {}", "permissions: write-all", "the workflow has permissions of its own"},
		{"a job without", "    permissions:\n      contents: read\n", "", "does not say which permissions"},
		{"a token that stays", "        with:\n          persist-credentials: false\n", "", "leaves its token behind"},
	} {
		findings := checkSupply(".github/workflows/x.yml", strings.Replace(good, c.from, c.to, 1))
		switch {
		case c.want == "" && len(findings) > 0:
			t.Errorf("%s: %v", c.name, findings)
		case c.want != "" && (len(findings) != 1 || !strings.Contains(findings[0].what, c.want)):
			t.Errorf("%s: %v", c.name, findings)
		}
	}
}

// TestOurOwnSupplyIsAsItShouldBe checks the workflows and lock files of this repository, like `make lint`.
func TestOurOwnSupplyIsAsItShouldBe(t *testing.T) {
	workflows, err := filepath.Glob("../../.github/workflows/*")
	if err != nil || len(workflows) < 3 {
		t.Fatalf("there are %d workflows, %v", len(workflows), err)
	}
	locks, err := filepath.Glob("../../extensions/*/package-lock.json")
	if err != nil || len(locks) == 0 {
		t.Fatalf("there are %d lock files, %v", len(locks), err)
	}
	for _, path := range append(workflows, locks...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range checkSupply(strings.TrimPrefix(filepath.ToSlash(path), "../../"), string(text)) {
			t.Errorf("%s:%d: %s", path, found.line, found.what)
		}
	}
}

// TestLockFilesHaveChecksumsAndNoHosts checks the findings in lock files that break the rules.
func TestLockFilesHaveChecksumsAndNoHosts(t *testing.T) {
	for _, c := range []struct{ packages, want string }{
		{`{"": {}, "node_modules/a": {"integrity": "sha512-x"}, "node_modules/b": {"link": true}}`, ""},
		{`{"node_modules/a": {"integrity": "sha512-x", "resolved": "https://example.org/a.tgz"}}`, "names the host"},
		{`{"node_modules/a": {"version": "1"}}`, "no checksum"},
		{`[]`, "not a lock file"},
	} {
		findings := checkSupply("x/package-lock.json", `{"packages": `+c.packages+`}`)
		if c.want == "" && len(findings) > 0 || c.want != "" && (len(findings) != 1 || !strings.Contains(findings[0].what, c.want)) {
			t.Errorf("%s: %v", c.packages, findings)
		}
	}
}

// TestLocksOfPyPIHaveVersionsAndChecksums checks the findings in lock files of PyPI, and this repository's lock files.
func TestLocksOfPyPIHaveVersionsAndChecksums(t *testing.T) {
	const sum = "    --hash=sha256:00\n"
	for _, c := range []struct{ text, want string }{
		{"a==1 \\\n" + sum + "b-c[d]==1.2 ; python_version < '3.12' \\\n" + sum, ""},
		{"a>=1 \\\n" + sum, "does not name one version"},
		{"--index-url https://example.org\n", "does not name one version"},
		{"a @ https://example.org/a.whl \\\n" + sum, "does not name one version"},
		{"a==1 ; python_version < '3.12'\n", "has no checksum"},
	} {
		findings := checkSupply("x/requirements.txt", c.text)
		if c.want == "" && len(findings) > 0 || c.want != "" && (len(findings) != 1 || !strings.Contains(findings[0].what, c.want)) {
			t.Errorf("%q: %v", c.text, findings)
		}
	}
	for _, path := range []string{
		"../../python/tests/requirements.txt", "../../examples/python/requirements.txt",
		"../../tools/lint/requirements.txt", "../../tools/bench/requirements.txt",
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range checkSupply(path, string(text)) {
			t.Errorf("%s:%d: %s", path, found.line, found.what)
		}
	}
}
