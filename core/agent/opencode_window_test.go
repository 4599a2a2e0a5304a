// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// TestOpenCodeHasAThresholdByItsOwnList checks that the window in OpenCode's own list of models applies for that
// provider and moves the threshold. A model with the same name at another provider is another model.
func TestOpenCodeHasAThresholdByItsOwnList(t *testing.T) {
	setting := func(name string) string {
		return map[string]string{"models.github-copilot/claude-sonnet-4.6": "128000 - 16000"}[name]
	}
	of := agent.Installation{Agent: agent.OpenCode, Version: "1.14.30", Model: "claude-sonnet-4.6", Provider: "github-copilot", Setting: setting}
	limits, ok := agent.Window(of)
	if !ok || limits != (core.Limits{Window: 128_000, Input: core.Unknown, Output: 16_000}) {
		t.Fatalf("%+v, %v", limits, ok)
	}
	rule, _ := agent.Rule(of)
	if threshold := rule.Formula(limits); threshold != 112_000 {
		t.Errorf("the threshold is %d", threshold)
	}
	of.Provider = "anthropic"
	if limits, ok := agent.Window(of); ok {
		t.Errorf("by way of another provider %+v", limits)
	}
}
