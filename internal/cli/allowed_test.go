// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestAUserCannotWidenAPolicy checks which agents are read for each choice of the user and of the administrator, and
// that an unreadable choice allows none.
func TestAUserCannotWidenAPolicy(t *testing.T) {
	before := policyFile
	defer func() { policyFile = before }()
	for name, c := range map[string]struct {
		policy, config, variable string
		claude, codex            bool
		problem                  string
	}{
		"nothing":                   {"", "", "", true, true, ""},
		"a user's list":             {"", `{"agents":["codex"]}`, "", false, true, ""},
		"a user's all":              {"", `{"agents":"all"}`, "", true, true, ""},
		"an empty list":             {"", `{"agents":[]}`, "", false, false, ""},
		"a variable over a file":    {"", `{"agents":["codex"]}`, "claude-code", true, false, ""},
		"a policy":                  {`{"agents":["codex"]}`, "", "", false, true, ""},
		"a policy and a wider user": {`{"agents":["codex"]}`, `{"agents":"all"}`, "all", false, true, ""},
		"a policy and another user": {`{"agents":["codex"]}`, `{"agents":["claude-code"]}`, "", false, false, ""},
		"a policy of all":           {`{"agents":"all"}`, `{"agents":["codex"]}`, "", false, true, ""},
		"a policy of none":          {`{"agents":[]}`, "", "", false, false, ""},
		"a policy of other things":  {`{"x":1}`, "", "", true, true, ""},
		"a damaged policy":          {`{"agents":`, "", "", false, false, "so no agent is read"},
		"a policy of numbers":       {`{"agents":[1]}`, "", "", false, false, "so no agent is read"},
		"an unknown agent":          {`{"agents":["codexx"]}`, "", "", false, false, `contains an unknown agent "codexx"; did you mean "codex"?`},
		"a damaged user's file":     {"", `{"agents":["codex"`, "", false, false, "so no agent is read"},
		"a user's file of numbers":  {"", `{"agents":7}`, "", false, false, "so no agent is read"},
		"a user's unknown agent":    {"", `{"agents":["nobody"]}`, "", false, false, `contains an unknown agent "nobody"`},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			policy := filepath.Join(home, "policy.json")
			policyFile = func() string { return policy }
			if c.policy != "" {
				if err := os.WriteFile(policy, []byte(c.policy), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if c.config != "" {
				write(t, home, map[string]string{"config/ctx-lsp/config.json": c.config})
			}
			var out, messages strings.Builder
			env := &environment{
				Stdin: strings.NewReader(""), Stdout: &out, Stderr: &messages, Columns: 80, Dir: home, Now: time.Now,
				Getenv: func(name string) string {
					return map[string]string{"HOME": home, "USERPROFILE": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"), "CTX_AGENTS": c.variable}[name]
				},
			}
			if code := run(context.Background(), env, []string{"doctor", "--json"}); code != exitOK {
				t.Fatalf("exit code %d: %s", code, messages.String())
			}
			var checked struct {
				Agents  []struct{ Agent string }
				NotRead struct{ Agents, By []string }
			}
			if err := json.Unmarshal([]byte(out.String()), &checked); err != nil {
				t.Fatal(err)
			}
			looked := map[string]bool{}
			for _, a := range checked.Agents {
				looked[a.Agent] = true
			}
			if looked["claude-code"] != c.claude || looked["codex"] != c.codex {
				t.Errorf("Claude Code %v, want %v; Codex %v, want %v", looked["claude-code"], c.claude, looked["codex"], c.codex)
			}
			if restricted := !c.claude || !c.codex; restricted != (len(checked.NotRead.Agents) > 0 && len(checked.NotRead.By) > 0) {
				t.Errorf("doctor reports %+v", checked.NotRead)
			}
			if c.problem == "" && messages.Len() > 0 || !strings.Contains(messages.String(), c.problem) {
				t.Errorf("it says %q, want %q", messages.String(), c.problem)
			}
		})
	}
}

// TestAWrongListOfAgentsEndsTheDaemon checks that a daemon does not start with a list that has unknown agents.
func TestAWrongListOfAgentsEndsTheDaemon(t *testing.T) {
	if code, _, stderr := commandIn(t, t.TempDir(), "serve", "--agents=codexx"); code != exitUsage || !strings.Contains(stderr, `did you mean "codex"?`) {
		t.Errorf("%d: %s", code, stderr)
	}
}
