// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// TestEveryReadAgentHasAProof checks that each agent whose sessions are read says what its reader was compared with,
// and that no other agent does.
func TestEveryReadAgentHasAProof(t *testing.T) {
	recorded, err := os.ReadDir(filepath.Join("..", "..", "testdata", "agents"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range recorded {
		if agent.ProofOf(folder.Name()).Lab == "" {
			t.Errorf("the lab has recorded %s, whose entry does not say so", folder.Name())
		}
	}
	ranks := map[string]int{}
	month := regexp.MustCompile(`^20\d\d-[01]\d$`)
	for _, e := range agent.Entries() {
		p := e.Proof
		ranks[p.Rank()]++
		if read := agent.New(e.ID) != nil; read != (p.Rank() != "") {
			t.Errorf("%s is read: %v, and its proof is %+v", e.ID, read, p)
		}
		if p.Lab == "" && p.Rank() != "" && !month.MatchString(p.Dated) {
			t.Errorf("%s: the proof has no month: %+v", e.ID, p)
		}
		if listed := strings.Contains(agent.ProofParagraph(), e.Name+",") || strings.Contains(agent.ProofParagraph(), e.Name+"."); p.Lab != "" && !listed {
			t.Errorf("%s is not in the paragraph of documents: %s", e.ID, agent.ProofParagraph())
		}
		if got := agent.ProofOf(e.ID).Text().String(); (got == "") != (p.Rank() == "") || p.Lab != "" && !strings.Contains(got, p.Lab) {
			t.Errorf("%s: %q", e.ID, got)
		}
	}
	if ranks[agent.ProvedInLab] < 5 || ranks[agent.ProvedByFixtures] < 5 || ranks[agent.ProvedByTexts] < 2 {
		t.Errorf("agents by rank: %v", ranks)
	}
}
