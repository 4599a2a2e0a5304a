// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestTheListOfCommandsIsNotStale protects docs/commands.md; `make generated` writes it.
func TestTheListOfCommandsIsNotStale(t *testing.T) {
	_, want, _ := runWith(t, "", "help", "--markdown")
	got, err := os.ReadFile("../../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
		t.Error("docs/commands.md is not what the commands' help says; run `make generated`")
	}
	for line := range strings.SplitSeq(want, "\n") {
		if len([]rune(line)) > manualColumns && !strings.Contains(line, "ctx-lsp ") {
			t.Errorf("a line of %d columns: %s", len([]rune(line)), line)
		}
	}
}

// TestTheManualPageHasEveryCommandAndFlag protects the page from a help text that is written in a way it cannot read.
func TestTheManualPageHasEveryCommandAndFlag(t *testing.T) {
	_, page, _ := runWith(t, "", "help", "--man")
	plain := strings.NewReplacer(`\-`, "-", `\(dq`, `"`).Replace(page)
	for _, c := range commands {
		if c.hidden {
			continue
		}
		if !strings.Contains(plain, ".SS ctx-lsp "+c.name+"\n") {
			t.Errorf("the page has no %s", c.name)
		}
		var listed []string
		for _, b := range helpBlocks(c.usage) {
			for _, term := range b.terms {
				listed = append(listed, term.name)
				if strings.HasPrefix(term.name, "--") && strings.Contains(term.name, "  ") || len(term.name) > 40 {
					t.Errorf("%s: %q is taken for a flag", c.name, term.name)
				}
			}
		}
		for line := range strings.SplitSeq(c.usage, "\n") {
			if flag := flagInUsage.FindString(line); strings.HasPrefix(line, "  --") && !slices.ContainsFunc(listed, func(name string) bool { return strings.HasPrefix(name, flag) }) {
				t.Errorf("%s: the page has no %s", c.name, flag)
			}
		}
	}
	if _, one, _ := runWith(t, "", "help", "status", "--man"); strings.Count(one, "\n.SS ") != 1 {
		t.Errorf("the page of one command has %d", strings.Count(one, "\n.SS "))
	}
}

// TestTheManualPageIsRightToGroff has groff tell of everything that it finds odd.
func TestTheManualPageIsRightToGroff(t *testing.T) {
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip("groff is not here")
	}
	_, page, _ := runWith(t, "", "help", "--man")
	cmd := exec.Command("groff", "-ww", "-man", "-Tutf8", "-rLL=80n", "-rHY=0")
	cmd.Stdin = strings.NewReader(page)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Fatalf("groff says %q, %v", errs.String(), err)
	}
	for _, want := range []string{"'{percent}{mark} of {limit}[ · {calls} calls left]'", "~/.config/fish/completions", `{"hooks": {"UserPromptSubmit"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page does not show %s as it is", want)
		}
	}
}
