// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

// TestGeneratedFilesAreUpToDate fails if an entry was changed and `make generated` was not run.
func TestGeneratedFilesAreUpToDate(t *testing.T) {
	if err := run("../../..", true); err != nil {
		t.Error(err)
	}
}

func TestATabIsAskedForTheLongerNameFirst(t *testing.T) {
	text := typescript()
	roo, cline := strings.Index(text, "id: 'roo-code'"), strings.Index(text, "id: 'cline'")
	if roo < 0 || cline < 0 || roo > cline {
		t.Errorf("a tab of Roo Code, roo-cline, would be taken for Cline's:\n%s", text)
	}
}

// TestPromptFilesOfAgentsAreOfAKind fails if an agent loads a file that is not among the prompt files for editors.
func TestPromptFilesOfAgentsAreOfAKind(t *testing.T) {
	tried := 0
	for _, a := range agents.All() {
		for _, pattern := range a.PromptFiles {
			tried++
			if promptfile.KindOf(strings.ReplaceAll(pattern, "*", "a")) == promptfile.None {
				t.Errorf("%s loads %s, which core/promptfile does not know: it needs a kind and a pattern there", a.ID, pattern)
			}
		}
	}
	if tried == 0 {
		t.Error("no agent has prompt files")
	}
}

// TestAgentsHaveOneID fails if a package that must not import core/agent uses an agent id that core/agent does not
// have.
func TestAgentsHaveOneID(t *testing.T) {
	quoted := regexp.MustCompile(`"([^"]+)"`)
	for file, named := range map[string]string{
		"core/promptfile/kind.go":     `\{"[^"]+", [^,]+, "[^"]*", ("[^"]+"),`, // the reader of a kind of file
		"core/promptfile/document.go": `case ("[^:]+"):`,                       // the syntax of imports
	} {
		text, err := os.ReadFile("../../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		tried := 0
		for _, list := range regexp.MustCompile(named).FindAllSubmatch(text, -1) {
			for _, id := range quoted.FindAllSubmatch(list[1], -1) {
				tried++
				if _, ok := agent.Find(string(id[1])); !ok {
					t.Errorf("%s names the agent %s, which has no entry in core/agent", file, id[0])
				}
			}
		}
		if tried < 5 {
			t.Errorf("%s: only %d agents were found there", file, tried)
		}
	}
}
