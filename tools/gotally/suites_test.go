// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fakeMake is a make with test suites as targets: one installs its tools late and confirms this with a line "unsteady",
// and two print no count or fail after it.
const fakeMake = `#!/bin/bash
for target; do :; done
case $target in
tools)
  for word in "$@"; do case $word in READY=*) ready=${word#READY=} ;; esac; done
  until [ -e counted ]; do sleep 0.05; done
  : >"$ready/tools-late"
  ;;
test-late) [ -e counted ] && echo "unsteady: test-late: y"; echo "2 passed, 1 failed, 4 skipped"; exit 1 ;;
test-counted) echo "slow: 1.5 test-counted: x"; echo first; echo second; echo "5 passed, 0 failed"; : >counted ;;
test-silent) echo nothing ;;
test-ended) echo "slow: 12.0 test-ended: z"; echo "1 passed, 0 failed"; exit 3 ;;
*) [ ! -e broken ] ;;
esac
`

// suites runs mk/test.sh with fakeMake and returns its output.
func suites(t *testing.T, broken bool) string {
	t.Helper()
	script, err := filepath.Abs("../../mk/test.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "make"), []byte(fakeMake), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "mk"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mk", "tinygo.sh"), nil, 0o644); err != nil { // it finds TinyGo in the cache
		t.Fatal(err)
	}
	if broken {
		if err := os.WriteFile(filepath.Join(dir, "broken"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("bash", script, "./make", "test-late", "test-counted", "test-silent", "test-ended")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TOOLS=tools-late", "WAITING=test-late")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Errorf("it succeeds although suites failed:\n%s", out)
	}
	return string(out)
}

func TestSuitesAreAddedUp(t *testing.T) {
	out := suites(t, false)
	for _, want := range []string{
		`\n== test-counted: 5 passed, 0 failed, \d+ s\nfirst\nsecond\n5 passed, 0 failed\n`,
		`\n== test-late: 2 passed, 1 failed, \d+ s\n2 passed, 1 failed, 4 skipped\n`,
		`\ntest-silent: ran no test\n`,
		`\ntest-ended: exited with an error\n`,
		`\ntest-ended +1 passed +1 failed +\d+ s\n`,
		`\nThe slowest cases, in seconds:\n12.0 test-ended: z\n1.5 test-counted: x\n`,
		`\nUnsteady, [^\n]*\ntest-late: y\n`,
		`\n8 passed, 3 failed\n$`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no match of %q in\n%s", want, out)
		}
	}
}

func TestNoSuiteRunsAfterAFailedBuild(t *testing.T) {
	out := suites(t, true)
	if strings.Contains(out, "starts") || !strings.HasSuffix(out, "\n0 passed, 1 failed\n") {
		t.Error(out)
	}
}
