// Copyright The ctx-lsp authors. MIT licence.

package settingsfile

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// call returns a client of a core in this process.
func call() client.Call {
	c := api.New()
	return func(_ context.Context, method string, params []byte) ([]byte, error) {
		return c.Call(method, params), nil
	}
}

func TestWrittenSettingsAreExplained(t *testing.T) {
	twelve, thirty := int64(12_000), int64(30_000)
	for name, c := range map[string]struct {
		path, text string
		disk       map[string]string
		env        map[string]string
		running    *Running
		want       string // findings: code@text message
		hover      string // part of the first hover
	}{
		"nothing to say": {path: ".claude/settings.json", text: `{"model": "x", "permissions": {}}`},
		"a window": {
			path: ".claude/settings.json", text: `{"autoCompactWindow": 400000}`, running: &Running{Model: "claude-sonnet-5", Limit: 1_000_000},
			hover: "Claude Code compacts at 367,000 tokens with claude-sonnet-5.\n- autoCompactWindow = 400000: alone 367,000, in force\n- the agent's rule:",
		},
		"without a session": {
			path: ".claude/settings.json", text: `{"autoCompactWindow": 400000}`,
			hover: "Claude Code compacts at 167,000 tokens of a window of 200k, and at 367,000 of 1M.",
		},
		"a unit in an older version": {
			path: ".claude/settings.json", text: `{"env": {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "200k"}}`, running: &Running{Model: "claude-sonnet-5", Version: "2.1.260", Limit: 1_000_000},
			want: `setting-value@"200k" CLAUDE_CODE_AUTO_COMPACT_WINDOW is read as 200, which is below the smallest value; 100,000 is used.`,
		},
		"a unit in an unknown version": {
			path: ".claude/settings.json", text: `{"env": {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "400k"}}`, running: &Running{Model: "claude-sonnet-5", Limit: 1_000_000},
			want: `setting-idle@"400k" CLAUDE_CODE_AUTO_COMPACT_WINDOW is read as 400 by versions before 2.1.329.`,
		},
		"clamped": {
			path: ".claude/settings.json", text: `{"autoCompactWindow": 200}`,
			want: `setting-value@200 autoCompactWindow is below the smallest value; 100,000 is used.`,
		},
		"a fraction for a percentage": {
			path: ".claude/settings.json", text: `{"env": {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "0.8"}}`,
			want: `setting-value@"0.8" CLAUDE_AUTOCOMPACT_PCT_OVERRIDE is read as 0.8%, because it is a percentage and not a fraction.`,
		},
		"a percentage for a fraction": {
			path: ".gemini/settings.json", text: `{"model": {"compressionThreshold": 70}}`,
			want: `setting-value@70 model.compressionThreshold is ignored, because it is a fraction of 1 and not a percentage.`,
		},
		"above the default": {
			path: ".claude/settings.json", text: `{"env": {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "99"}}`,
			want: `setting-idle@"99" CLAUDE_AUTOCOMPACT_PCT_OVERRIDE changes nothing here.`,
		},
		"a window and a percentage of it": {
			path: ".claude/settings.json", text: `{"env": {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "35", "CLAUDE_CODE_AUTO_COMPACT_WINDOW": "350000"}}`,
			running: &Running{Model: "claude-sonnet-5", Version: "2.1.330", Limit: 1_000_000},
			want: `settings-together@"35" CLAUDE_AUTOCOMPACT_PCT_OVERRIDE and CLAUDE_CODE_AUTO_COMPACT_WINDOW work together: Claude Code compacts at 115,500, and not at 343,000.` + "\n" +
				`settings-together@"350000" CLAUDE_CODE_AUTO_COMPACT_WINDOW and CLAUDE_AUTOCOMPACT_PCT_OVERRIDE work together: Claude Code compacts at 115,500, and not at 317,000.`,
			hover: "Claude Code compacts at 115,500 tokens",
		},
		"outvoted by a variable": {
			path: ".claude/settings.json", text: `{"autoCompactWindow": 300000}`, env: map[string]string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "500000"},
			want: `setting-overruled@300000 autoCompactWindow is not used, because CLAUDE_CODE_AUTO_COMPACT_WINDOW is set.`,
		},
		"outvoted by another file": {
			path: "~/.claude/settings.json", text: `{"autoCompactWindow": 300000}`, disk: map[string]string{"shop/.claude/settings.local.json": `{"autoCompactWindow": 500000}`},
			want: `setting-overruled@300000 autoCompactWindow is not used, because .claude/settings.local.json sets it to 500000.`,
		},
		"what the editor has counts": {
			path: ".claude/settings.local.json", text: "{\n  // \"autoCompactWindow\": 1,\n  \"autoCompactWindow\": 300000,\n}",
			disk:  map[string]string{"shop/.claude/settings.local.json": `{"autoCompactWindow": 500000}`, ".claude/settings.json": `{"autoCompactWindow": 600000}`},
			hover: "Claude Code compacts at 167,000 tokens of a window of 200k, and at 267,000 of 1M.",
		},
		"off": {
			path: ".claude/settings.json", text: `{"autoCompactEnabled": false, "autoCompactWindow": 300000}`,
			want:  `setting-overruled@300000 autoCompactWindow is not used, because autoCompactEnabled is set.`,
			hover: "Claude Code",
		},
		"TOML": {
			path: "~/.codex/config.toml", text: "model = \"gpt-5.5\"\nmodel_auto_compact_token_limit = \"200k\" # mine\n",
			want: `setting-text@"200k" model_auto_compact_token_limit is written as a text, which Codex does not read. Write 200000.`,
		},
		"TOML in force": {
			path: "~/.codex/config.toml", text: "model_auto_compact_token_limit = 150_000\n", running: &Running{Model: "gpt-5.5", Limit: 258_400},
			hover: "Codex compacts at 150,000 tokens with gpt-5.5.\n- model_auto_compact_token_limit = 150000: alone 150,000, in force",
		},
		"models of OpenCode": {
			path: "opencode.json", text: `{"provider": {"mine": {"models": {"small": {"limit": {"context": 200, "output": 1}}, "text": {"limit": {"context": "32k"}}, "full": {"limit": {"context": 32000, "output": 32000}}, "good": {"limit": {"context": 64000, "output": 8000}}}}}}`,
			want: "window-small@200 A window of 200 tokens is too small; the number has no unit.\n" +
				`setting-text@"32k" limit.context is written as a text, which OpenCode does not read. Write 32000.` + "\n" +
				`window-full@32000 OpenCode has no room for a prompt in a window of 32k with a response of 32k.`,
			hover: "OpenCode compacts at 56,000 tokens with good.",
		},
		"models of Pi": {
			path: "~/.pi/agent/models.json", text: `{"providers": {"mine": {"models": [{"id": "local", "contextWindow": 100000, "maxTokens": 8000}]}}}`,
			hover: "Pi compacts at 83,616 tokens with local.",
		},
		"heavy servers": {
			path: ".mcp.json", text: `{"mcpServers": {"big": {"command": "x"}, "small": {"command": "y"}, "new": {}}}`,
			running: &Running{Limit: 200_000, Servers: []Server{{Name: "big", Tokens: &thirty, Basis: "estimated", Text: json.RawMessage(`{"text":"9 tools of big"}`)}, {Name: "small", Tokens: &twelve, Text: json.RawMessage(`{"text":"2 tools of small"}`)}}},
			want:    `server-heavy@"big" The tools of big take ~30k tokens of every request, 15% of the window of 200k.`,
			hover:   "9 tools of big",
		},
		"servers in TOML": {
			path: "~/.codex/config.toml", text: "[mcp_servers.big]\ncommand = 'x'\n",
			running: &Running{Limit: 200_000, Servers: []Server{{Name: "big", Tokens: &thirty, Text: json.RawMessage(`{"text":"9 tools of big"}`)}}},
			want:    `server-heavy@[mcp_servers.big] The tools of big take 30k tokens of every request, 15% of the window of 200k.`,
			hover:   "9 tools of big",
		},
		"not a place":         {path: ".vscode/settings.json", text: `{"autoCompactWindow": 1}`},
		"not a place, either": {path: "sub/.claude/settings.json", text: `{"autoCompactWindow": 1}`},
		"not JSON":            {path: ".claude/settings.json", text: `{"autoCompactWindow": `},
	} {
		m := dirstest.NewMachine(t)
		for name, text := range c.disk {
			m.Put(name, text)
		}
		for name, value := range c.env {
			m.Env[name] = value
		}
		workspace := filepath.Join(m.Home, "shop")
		path := filepath.Join(workspace, filepath.FromSlash(c.path))
		if rest, ok := strings.CutPrefix(c.path, "~/"); ok {
			path = filepath.Join(m.Home, filepath.FromSlash(rest))
		}
		h := Host{Environment: m.Environment(), Workspace: workspace, Call: call(), Scope: "x", Running: func(string) *Running { return c.running }}
		got := h.Explain(context.Background(), path, []byte(c.text))
		var findings []string
		for _, f := range got.Findings {
			findings = append(findings, fmt.Sprintf("%s@%s %s", f.Code, c.text[f.At.From:f.At.To], f.Message.String()))
		}
		if printed := strings.Join(findings, "\n"); printed != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, printed, c.want)
		}
		hover := ""
		if len(got.Hovers) > 0 {
			hover = got.Hovers[0].Text.String()
		}
		if c.hover != "" && !strings.HasPrefix(hover, c.hover) {
			t.Errorf("%s: hover %q, want %q", name, hover, c.hover)
		}
	}
}

func TestAFileWithManyModelsCostsLittle(t *testing.T) {
	m := dirstest.NewMachine(t)
	workspace := filepath.Join(m.Home, "shop")
	var models []string
	for i := range 5000 {
		models = append(models, fmt.Sprintf(`"m%d": {"limit": {"context": 64000, "output": 8000}}`, i))
	}
	core, calls := call(), 0
	h := Host{Environment: m.Environment(), Workspace: workspace, Scope: "x", Call: func(ctx context.Context, method string, params []byte) ([]byte, error) {
		calls++
		return core(ctx, method, params)
	}}
	text := `{"provider": {"mine": {"models": {` + strings.Join(models, ", ") + `}}}}`
	got := h.Explain(context.Background(), filepath.Join(workspace, "opencode.json"), []byte(text))
	if len(got.Hovers) != mostWritten || calls != 2*mostWritten {
		t.Errorf("%d hovers after %d calls; want %d and %d", len(got.Hovers), calls, mostWritten, 2*mostWritten)
	}
	if hover := got.Hovers[len(got.Hovers)-1].Text.String(); hover != "OpenCode compacts at 56,000 tokens with m4999." {
		t.Errorf("the last one is %q", hover)
	}

	text = "{" + strings.Repeat(`"autoCompactWindow": 300000, `, 5000) + `"autoCompactEnabled": false}`
	calls = 0
	h.Explain(context.Background(), filepath.Join(workspace, ".claude", "settings.json"), []byte(text))
	if most := 100 * mostWritten; calls > most {
		t.Errorf("a setting that is written 5,000 times makes %d calls; want at most %d", calls, most)
	}
}
