// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// TestUpdatesOfGrokAreReadOnce checks which lines of the log count, where the prompt has fallen, and that a log that
// has grown is read from the end of the last read.
func TestUpdatesOfGrokAreReadOnce(t *testing.T) {
	m := dirstest.NewMachine(t)
	tokens := func(n any) string { return fmt.Sprintf(`{"params":{"_meta":{"totalTokens":%v}}}`+"\n", n) }
	over := func(id string) string {
		return `{"params":{"update":{"sessionUpdate":"turn_completed","prompt_id":"` + id + `"}}}` + "\n"
	}
	var g GrokUpdates
	log := ""
	for _, c := range []struct{ add, want string }{
		{over("p1") + `{"params":{"_meta":{"totalTo`, ""},
		{`kens":1}}}` + "\n", `{"totalTokens":1,"falls":[]}`},
		{over("p1") + over("p2") + over("p1") + tokens(1000) + tokens(500), `{"totalTokens":500,"falls":[]}`},
		{tokens(249), `{"totalTokens":249,"falls":[{"turn":3,"before":500,"after":249}]}`},
		{tokens(0) + tokens(int64(1<<40+1)) + tokens("1.5") + tokens(`"9"`) + "x\n", `{"totalTokens":249,"falls":[{"turn":3,"before":500,"after":249}]}`},
		{tokens(int64(1 << 40)), `{"totalTokens":1099511627776,"falls":[{"turn":3,"before":500,"after":249}]}`},
		{strings.Repeat(" ", MaxUpdate-len(tokens(7))) + tokens(7), `{"totalTokens":7,"falls":[{"turn":3,"before":500,"after":249},{"turn":3,"before":1099511627776,"after":7}]}`},
		{strings.Repeat(" ", MaxUpdate-len(tokens(8))+1) + tokens(8) + tokens(9), `{"totalTokens":9,"falls":[{"turn":3,"before":500,"after":249},{"turn":3,"before":1099511627776,"after":7}]}`},
		{strings.Repeat(tokens(900)+tokens(9), mostFalls), ""},
	} {
		log += c.add
		path := m.Put("updates.jsonl", log)
		got, ok := g.Read(path)
		if c.want == "" && c.add[0] == '{' && len(c.add) > 1000 {
			if n := strings.Count(string(got), `"turn"`); n != mostFalls {
				t.Errorf("%d compactions are remembered", n)
			}
			continue
		}
		if string(got) != c.want || ok != (c.want != "") {
			t.Errorf("after %.90q: %s, want %s", c.add, got, c.want)
		}
	}
	if got, ok := g.Read(m.Put("updates.jsonl", tokens(5))); !ok || string(got) != `{"totalTokens":5,"falls":[]}` {
		t.Errorf("a log that was written again: %s", got)
	}
	if _, ok := g.Read(filepath.Join(m.Home, "missing")); ok {
		t.Error("a missing log is read")
	}
}

// TestModelsOfPiAreBounded checks the length of names, the number of models, and models without an id or a window.
func TestModelsOfPiAreBounded(t *testing.T) {
	m := dirstest.NewMachine(t)
	provider, id := strings.Repeat("p", 99), strings.Repeat("m", 150)
	m.Put(".pi/agent/models.json", `{"providers":{"`+provider+`":{"models":[{"id":"`+id+`","contextWindow":1,"maxTokens":0},{"id":"`+id+`m","contextWindow":1},{"id":7,"contextWindow":1},{"id":"x"}]},"`+provider+`p":{"models":[{"id":"a","contextWindow":1}]}}}`)
	if got := Settings(m.Environment(), agent.Pi, ""); len(got) != 1 || got["models."+provider+"/"+id] != "1 - -" {
		t.Errorf("%v", got)
	}
	many := ""
	for i := range maxModels + 1 {
		many += fmt.Sprintf(`,{"id":"m%d","contextWindow":5,"maxTokens":1}`, i)
	}
	m.Put(".pi/agent/models.json", `{"providers":{"p":{"models":[`+many[1:]+`]}}}`)
	if got := Settings(m.Environment(), agent.Pi, ""); len(got) != maxModels || got["models.p/m0"] != "5 - 1" {
		t.Errorf("%d models", len(got))
	}
	limits := ""
	for i := range maxModels + 1 {
		limits += fmt.Sprintf(`,"m%d":{"limit":{"context":5,"output":1}}`, i)
	}
	m.Put(".config/opencode/opencode.json", `{"provider":{"p":{"models":{`+limits[1:]+`}}}}`)
	if got := Settings(m.Environment(), agent.OpenCode, ""); len(got) != maxModels || got["models.p/m0"] != "5 - 1" {
		t.Errorf("%d models of OpenCode", len(got))
	}
	m.Put(".config/opencode/opencode.json", `{"provider":{"`+provider+`":{"models":{"`+id+`":{"limit":{"context":5,"input":4}},"`+id+`m":{"limit":{"context":5}},"x":{"limit":{"context":0}}}},"`+provider+`p":{"models":{"a":{"limit":{"context":5}}}}},"providers":{"q":{"models":{"b":{"limit":{"context":7}}}}}}`)
	if got := Settings(m.Environment(), agent.OpenCode, ""); len(got) != 2 || got["models."+provider+"/"+id] != "5 4 -" || got["models.q/b"] != "7 - -" {
		t.Errorf("%v", got)
	}
}

// TestSettingsOfAgentsWithVariables checks the variables that single agents read next to their settings.
func TestSettingsOfAgentsWithVariables(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".grok/config.toml", "[session]\nauto_compact_threshold_percent = 70\n")
	m.Put(".config/goose/config.yaml", "GOOSE_AUTO_COMPACT_THRESHOLD: 0.6\n")
	m.Put(".cline/data/globalState.json", `{"autoCondenseThreshold":0.4,"other":1}`)
	m.Put(".config/gptme/config.toml", "[context]\nbudget = 100\n")
	m.Put("shop/gptme.toml", "[context]\nbudget = 200\n")
	m.Put(".config/zed/settings.json", `{"agent":{"auto_compact":{"enabled":true,"threshold":0.5}}}`)
	m.Put("shop/.zed/settings.json", `{"agent":{"auto_compact":{"threshold":"0.6"}}}`)
	m.Put(".qwen/settings.json", `{"context":{"autoCompactThreshold":"0.7"},"chatCompression":{"contextPercentageThreshold":0.8}}`)
	m.Put(".pi/agent/settings.json", `{"compaction":{"reserveTokens":"5"}}`)
	check := func(of, name, want string) {
		t.Helper()
		e := m.Environment()
		e.OS = "linux"
		if got := Settings(e, of, filepath.Join(m.Home, "shop"))[name]; got != want {
			t.Errorf("%s: %s is %q, want %q", of, name, got, want)
		}
	}
	check(agent.Grok, "GROK_AUTO_COMPACT_THRESHOLD_PERCENT", "")
	check(agent.Goose, "GOOSE_AUTO_COMPACT_THRESHOLD", "0.6")
	check(agent.Cline, "autoCondenseThreshold", "0.4")
	check(agent.Cline, "other", "")
	check(agent.GPTMe, "context.budget", "200")
	check(agent.Zed, "agent.auto_compact.enabled", "true")
	check(agent.Zed, "agent.auto_compact.threshold", "0.6")
	check(agent.QwenCode, "context.autoCompactThreshold", "") // it is a text
	check(agent.QwenCode, "chatCompression.contextPercentageThreshold", "0.8")
	check(agent.Pi, "compaction.reserveTokens", "")
	for variable, of := range map[string]string{
		"GROK_AUTO_COMPACT_THRESHOLD_PERCENT": agent.Grok, "GOOSE_AUTO_COMPACT_THRESHOLD": agent.Goose, "GPTME_CONTEXT_BUDGET": agent.GPTMe,
		"COPILOT_BUFFER_EXHAUSTION_THRESHOLD": agent.CopilotCLI, "COPILOT_BACKGROUND_COMPACTION_THRESHOLD": agent.CopilotCLI, "KIMI_MODEL_NAME": agent.KimiCode,
		"OPENCODE_DISABLE_PRUNE": agent.OpenCode, "OPENCODE_DISABLE_AUTOCOMPACT": agent.Kilo, "DISABLE_COMPACT": agent.ClaudeCode,
	} {
		m.Env[variable] = " 7 "
		check(of, variable, "7")
		m.Env[variable] = " "
		if of != agent.Goose {
			check(of, variable, "")
		}
	}
	check(agent.Grok, "session.auto_compact_threshold_percent", "70")
}
