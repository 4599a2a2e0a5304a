// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/cli"
)

// TestThePageOfCommandsIsUpToDate checks docs/commands.md, which `make generated` writes.
func TestThePageOfCommandsIsUpToDate(t *testing.T) {
	t.Chdir("../../..")
	if err := run(true, ""); err != nil {
		t.Error(err)
	}
}

// TestTheManualPageHasEveryCommandAndFlag checks that no flag is lost in the conversion to groff.
func TestTheManualPageHasEveryCommandAndFlag(t *testing.T) {
	page, err := manual("1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.NewReplacer(`\-`, "-", `\&`, "").Replace(string(page))
	for _, c := range cli.Root().Commands() {
		if !strings.Contains(plain, "ctx-lsp "+c.Name()) {
			t.Errorf("the page has no %s", c.Name())
		}
	}
	for _, flag := range []string{"--exec-timeout", "--cap-results", "--otlp-project", "--clientProcessId", "--picture", "--forget"} {
		if !strings.Contains(plain, flag) {
			t.Errorf("the page has no %s", flag)
		}
	}
	if !strings.Contains(plain, "1.2.3") || strings.Contains(plain, "--exec-now") {
		t.Error("the page has no version, or a hidden flag")
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	cmd := exec.Command(groff, "-ww", "-man", "-Kutf8", "-Tutf8", "-rLL=80n", "-rHY=0")
	cmd.Stdin = bytes.NewReader(page)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Fatalf("groff prints %q, %v", errs.String(), err)
	}
	for _, want := range []string{"'{number} of {limit}[ · {hint}]'", "~/.config/fish/completions", `{"hooks": {"UserPromptSubmit"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page does not show %s", want)
		}
	}
}
