// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// fuzzRecords reads any records as those of an agent that every engine reads: nothing panics, and no number is one that
// cannot be.
func fuzzRecords(f *testing.F, by string) {
	fuzzFiles(f, "../../testdata/sessions/"+by+"/*.json*", func(t *testing.T, session *core.Session) func(json.Value) {
		reader := agent.New(by)
		return func(record json.Value) {
			reader.Record(record, func(e core.Event) {
				plausible(t, e)
				apply(session, e)
			})
		}
	})
}

func FuzzClaudeCode(f *testing.F)   { fuzzRecords(f, agent.ClaudeCode) }
func FuzzCodex(f *testing.F)        { fuzzRecords(f, agent.Codex) }
func FuzzOpenCode(f *testing.F)     { fuzzRecords(f, agent.OpenCode) }
func FuzzGeminiCLI(f *testing.F)    { fuzzRecords(f, agent.GeminiCLI) }
func FuzzQwenCode(f *testing.F)     { fuzzRecords(f, agent.QwenCode) }
func FuzzCopilotCLI(f *testing.F)   { fuzzRecords(f, agent.CopilotCLI) }
func FuzzCline(f *testing.F)        { fuzzRecords(f, agent.Cline) }
func FuzzRooCode(f *testing.F)      { fuzzRecords(f, agent.RooCode) }
func FuzzMiniSWEAgent(f *testing.F) { fuzzRecords(f, agent.MiniSWEAgent) }
