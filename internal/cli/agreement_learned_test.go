// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/top"
)

// limitsLearnedFrom returns what a session would teach about its limits.
func limitsLearnedFrom(t *testing.T, f *frontEnds) map[string]any {
	t.Helper()
	e, err := nativeEngine(f.env, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s, _, err := f.env.sessionIn(t.Context(), f.path)
	if err == nil {
		_, err = readSession(t.Context(), f.env, e, s, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Call(e.Call).LearnedGet(t.Context(), &api.NoParams{}).JSON()
	var learned struct {
		Learned struct{ Limits []map[string]any }
	}
	if err != nil || json.Unmarshal(answer, &learned) != nil || len(learned.Learned.Limits) != 1 {
		t.Fatalf("%s teaches %s: %v", f.path, answer, err)
	}
	return learned.Learned.Limits[0]
}

// atThisMoment returns what status lines, the hook and the current session of the directory say at the test's clock.
func (f *frontEnds) atThisMoment() map[string]*api.Reading {
	read := func(stdin string, args ...string) *api.Reading {
		f.out.Reset()
		f.errs.Reset()
		f.env.Stdin = strings.NewReader(stdin)
		run(context.Background(), f.env, args)
		r, err := terminal.Parse(bytes.TrimSpace(f.out.Bytes()))
		if err != nil || r.Schema == "" {
			return nil
		}
		return r
	}
	event := fmt.Sprintf(`{%s,"hook_event_name":"PostToolUse","tool_name":"Bash"}`, f.about())
	return map[string]*api.Reading{
		"status here":        read("", "status", "--json"),
		"statusline":         read(fmt.Sprintf(`{%s,"version":"2.1.200"}`, f.about()), "statusline", "--json", "--timeout=1m"),
		"statusline, prompt": read("", "statusline", "--for=shell", "--json", "--timeout=1m"),
		"hook":               read(event, "hook", "--json", "--always", "--timeout=1m"),
	}
}

// mcpStatus returns what the MCP server says of the current session.
func (f *frontEnds) mcpStatus() string {
	server, err := mcpAnswers(f.env, f.env.Dir, false)
	if err != nil {
		return err.Error()
	}
	defer server.Close()
	answer, err := server.Status(context.Background(), "")
	if err != nil {
		return err.Error()
	}
	return answer
}

func panelOf(t *testing.T, text string) *api.Reading {
	t.Helper()
	r, err := terminal.Parse([]byte(strings.TrimSpace(text)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fullnessOf returns a line of top without the session's name.
func fullnessOf(line string) string { return line[strings.Index(line, ": ")+2:] }

// TestTheFrontEndsAgreeWithLearnedThresholdsAndClocks checks that the list of sessions, from its index too, status
// lines, the hook, MCP, top, history, whatif and the daemon have the level, state, forecast and threshold of status,
// whatever other sessions teach and the clock says.
func TestTheFrontEndsAgreeWithLearnedThresholdsAndClocks(t *testing.T) {
	f := newFrontEnds(t, filepath.Join("..", "..", "testdata", "sessions", agent.ClaudeCode, "compacted.jsonl"))
	f.form.write(f, bytes.Count(f.whole, []byte("\n")))
	limits := limitsLearnedFrom(t, f)
	// Another session of the same workspace, version and model, which was not compacted.
	text := strings.NewReplacer(`"sessionId":"s"`, `"sessionId":`+quoted(f.id), `"/home/ada/shop"`, quoted(f.env.Dir)).Replace(claudeSession(110_000))
	f.whole = []byte(text)
	f.form.write(f, strings.Count(text, "\n"))
	folder := f.env.host().StateDir()
	out := func(args ...string) string {
		t.Helper()
		f.out.Reset()
		if code := run(context.Background(), f.env, args); code != exitOK {
			t.Fatalf("%v exits with %d: %s", args, code, f.errs.String())
		}
		return f.out.String()
	}
	first, err := terminal.Parse([]byte(strings.TrimSpace(out("status", "--json", f.path))))
	if err != nil || first.AsOf == nil {
		t.Fatalf("%v: %s", err, f.out.String())
	}
	begun := time.UnixMilli(int64(*first.AsOf))
	seen := map[string]bool{}
	for i, part := range []float64{0, 0.9, 0.7, 0.7, 0.66, 0} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		os.Remove(state.OpenLearned(folder).Path())
		if part > 0 {
			limits["compacted"], limits["at"] = int64(part*limits["rule"].(float64)), time.Now().UnixMilli()+int64(i)
			limits["sessions"], limits["last"] = []string{"1", "2", "3"}, "1"
			text, err := json.Marshal(map[string]any{"limits": []any{limits}})
			if err == nil {
				err = state.OpenLearned(folder).Keep(t.Context(), text)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, ahead := range []time.Duration{time.Minute, 20 * time.Minute, 3 * time.Hour, 50 * 24 * time.Hour} {
			f.env.Now = func() time.Time { return begun.Add(ahead) }
			status, err := terminal.Parse([]byte(strings.TrimSpace(out("status", "--json", f.path))))
			if err != nil {
				t.Fatal(err)
			}
			want := levelOfReading(status)
			seen[want] = true
			for _, from := range []string{"read", "indexed"} {
				var list struct{ Sessions []listed }
				if err := json.Unmarshal([]byte(out("sessions", "--json")), &list); err != nil || len(list.Sessions) != 1 {
					t.Fatalf("sessions lists %s: %v", f.out.String(), err)
				}
				s := &list.Sessions[0]
				if got := levelAndState(s.Used, s.Limit, s.Threshold, s.Left, s.Level, s.Activity, s.Hint); got != want {
					t.Errorf("%v of the rule, %v later: sessions, %s, says %s, and status %s", part, ahead, from, got, want)
				}
			}
			for name, args := range map[string][]string{
				"history": {"history", "--json", f.path}, "whatif": {"whatif", "--json", "--threshold=1000000", f.path}, "picture": {"status", "--picture", "--json", f.path},
			} {
				var says struct{ Threshold, WasThreshold *int64 }
				if err := json.Unmarshal([]byte(out(args...)), &says); err != nil {
					t.Fatal(err)
				}
				if name == "whatif" {
					says.Threshold = says.WasThreshold
				}
				if got, want := orUnknown(says.Threshold), orUnknown(status.Compaction.Threshold); got != want {
					t.Errorf("%v of the rule: the threshold of %s is %s, and that of status %s", part, name, got, want)
				}
			}
			for name, r := range f.atThisMoment() {
				if name == "statusline" || name == "hook" {
					r = byItsAgent(r, status)
				}
				if got := levelOfReading(r); got != want {
					t.Errorf("%v of the rule, %v later: %s says %s, and status %s", part, ahead, name, got, want)
				}
			}
			if got, want := f.mcpStatus(), terminal.ForAgent(panelOf(t, out("status", "--json", "--all", f.path)), f.env.Now()); got != want {
				t.Errorf("%v of the rule, %v later: mcp says\n%s\nand status\n%s", part, ahead, got, want)
			}
			reading, _ := json.Marshal(status)
			row := top.LiveOf(f.id, reading)
			if got, want := f.firstLine(row.Fullness(terminal.Style{}), "top", "--plain"), row.Fullness(terminal.Style{}); !strings.HasSuffix(got, fullnessOf(want)) {
				t.Errorf("%v of the rule, %v later: top says %s, and status %s", part, ahead, got, want)
			}
			table := out("sessions", "--plain")
			if level := string(status.Compaction.Level); !strings.Contains(table, " "+level+" ") {
				t.Errorf("%v of the rule: status says %s, and sessions\n%s", part, level, table)
			}
		}
		f.env.Now = time.Now
		status, err := terminal.Parse([]byte(strings.TrimSpace(out("status", "--json", f.path))))
		if err != nil {
			t.Fatal(err)
		}
		watched, _ := daemonIn(t, folder, f.env, f.id, false)
		if got, want := levelOfReading(watched), levelOfReading(status); got != want {
			t.Errorf("%v of the rule: the daemon says %s, and status %s", part, got, want)
		}
	}
	if len(seen) < 6 { // three thresholds and none, at work and idle
		t.Errorf("only %d states: %v", len(seen), fmt.Sprint(seen))
	}
}
