// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
)

// TestGeneratedFilesAreUpToDate fails when an entry was changed and `make generated` was not run.
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

// TestPromptFilesOfAgentsAreOfAKind fails when an agent loads a file that editors would not be told of.
func TestPromptFilesOfAgentsAreOfAKind(t *testing.T) {
	tried := 0
	for _, e := range agent.Entries() {
		for _, pattern := range strings.Fields(e.PromptFiles) {
			tried++
			if promptfile.KindOf(strings.ReplaceAll(pattern, "*", "a")) == promptfile.None {
				t.Errorf("%s loads %s, which core/promptfile does not know: it needs a kind and a pattern there", e.Name, pattern)
			}
		}
	}
	if tried == 0 {
		t.Error("no agent has prompt files")
	}
}
