// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// hostileSession writes a session whose texts contain keys and passwords, and whose names and texts contain control
// sequences. It is compacted at its end. No scanner takes its secrets for real ones, because they are composed here.
func hostileSession(t *testing.T, home string) (path string, secrets []string) {
	t.Helper()
	key, token, password := "gh"+"p_"+strings.Repeat("aB3x", 9), "sk"+"-ant-api03-"+strings.Repeat("Zq7_", 24), "hunter2"+"Longer!"
	osc := "\x1b]52;c;aGVsbG8=\x07"
	var text strings.Builder
	n := 0
	record := func(kind string, more map[string]any) {
		n++
		all := map[string]any{
			"type": kind, "uuid": fmt.Sprint("u", n), "parentUuid": fmt.Sprint("u", n-1), "isSidechain": false, "sessionId": "s1", "version": "2.1.200",
			"cwd": "/w/p", "gitBranch": "main" + osc, "timestamp": fmt.Sprintf("2026-11-20T10:00:%02d.000Z", n),
		}
		if n == 1 {
			all["parentUuid"] = nil
		}
		for name, value := range more {
			all[name] = value
		}
		line, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	user := func(content any) {
		record("user", map[string]any{"message": map[string]any{"role": "user", "content": content}})
	}
	assistant := func(content ...any) {
		record("assistant", map[string]any{"requestId": fmt.Sprint("r", n), "message": map[string]any{
			"id": fmt.Sprint("m", n), "role": "assistant", "model": "=claude-sonnet-4-5" + osc, "content": content,
			"usage": map[string]any{"input_tokens": 10, "cache_creation_input_tokens": 15_000 + n*100, "cache_read_input_tokens": 0, "output_tokens": 30},
		}})
	}
	user("Deploy it with " + key + osc + " please")
	assistant(map[string]any{"type": "text", "text": "I use the token."}, map[string]any{
		"type": "tool_use", "id": "t1", "name": "Bash", "input": map[string]any{"command": "curl -H 'Authorization: Bearer " + token + "' https://x.example\nPASSWORD=" + password + " ./deploy"},
	})
	user([]any{map[string]any{"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": "Exit code 2\nrefused: password=" + password + osc}})
	assistant(map[string]any{"type": "text", "text": "The key " + key + " is refused." + osc})
	record("system", map[string]any{"subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": map[string]any{"trigger": "auto", "preTokens": 15_400}})
	record("user", map[string]any{"isCompactSummary": true, "message": map[string]any{"role": "user", "content": "Summary: deploy with api_key=" + token + "."}})
	assistant(map[string]any{"type": "text", "text": "Trying again with password: " + password + "."})
	path = filepath.Join(home, ".claude", "projects", "-w-p", "s1.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, []string{key, token, password}
}

// control matches the characters that control a terminal.
var control = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f]|\u009b")

// TestTextsForSomeoneElseHoldNoSecret runs each command whose output may be passed to others.
func TestTextsForSomeoneElseHoldNoSecret(t *testing.T) {
	home := t.TempDir()
	path, secrets := hostileSession(t, home)
	for _, args := range [][]string{
		{"handover", path},
		{"handover", "--json", path},
		{"handover", "--tokens=150", path},
		{"forgot", path},
		{"forgot", "--gone", path},
		{"forgot", "--diff", path},
		{"forgot", "--json", path},
		{"export", "--format=csv", "--names", path},
		{"export", "--format=jsonl", "--names", path},
	} {
		name := strings.Join(args[:len(args)-1], " ")
		t.Run(name, func(t *testing.T) {
			code, out, errs := counting(t, home, home, "", args...)
			if code != exitOK || out == "" {
				t.Fatalf("code %d: %s%s", code, out, errs)
			}
			for _, secret := range secrets {
				if strings.Contains(out, secret) || strings.Contains(out, secret[:len(secret)-3]) {
					t.Errorf("%q is in it:\n%s", secret, out)
				}
			}
			if at := control.FindString(out + errs); at != "" {
				t.Errorf("%q is in it:\n%q", at, out)
			}
			counted := strings.Contains(out, "were removed.") || regexp.MustCompile(`"struck": ?[1-9]`).MatchString(out)
			if args[0] != "export" && !counted && !strings.Contains(name, "150") && !strings.Contains(name, "diff") {
				t.Errorf("it does not say how many were struck:\n%s", out)
			}
			code, out, errs = counting(t, home, home, "", append(args, "--unredacted")...)
			if code != exitOK || control.MatchString(out+errs) || strings.Contains(out, "secret removed") {
				t.Errorf("unredacted: code %d\n%s%s", code, out, errs)
			}
			if args[0] == "handover" && !strings.Contains(name, "150") && !strings.Contains(out, secrets[0]) {
				t.Errorf("unredacted, it lacks %q:\n%s", secrets[0], out)
			}
		})
	}
}

// TestNoCellIsAFormula reads an export like a spreadsheet: no text begins like a formula, and numbers are numbers.
func TestNoCellIsAFormula(t *testing.T) {
	home := t.TempDir()
	path, _ := hostileSession(t, home)
	code, out, errs := counting(t, home, home, "", "export", "--format=csv", "--names", path)
	if code != exitOK {
		t.Fatalf("%s%s", out, errs)
	}
	table, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(table) < 3 {
		t.Fatalf("%v: %s", err, out)
	}
	models, negative := 0, 0
	for _, row := range table[1:] {
		for i, cell := range row {
			switch column := table[0][i]; {
			case column == "model":
				models++
				if !strings.HasPrefix(cell, "'=claude-sonnet-4-5") {
					t.Errorf("the model is %q", cell)
				}
			case column == "error" && strings.HasPrefix(cell, "-"):
				negative++
			case cell != "" && strings.ContainsAny(cell[:1], "=+-@"):
				t.Errorf("%s is %q", column, cell)
			}
		}
	}
	if models == 0 {
		t.Error("no row has a model")
	}
	t.Logf("%d negative numbers", negative)
}

// TestToolsAnswerWithoutSecrets calls every tool of the MCP server for a session whose names contain secrets.
func TestToolsAnswerWithoutSecrets(t *testing.T) {
	with, repo := askedWorkspace(t)
	secret := "gh" + "p_" + strings.Repeat("aB3x", 9)
	id := "33333333-3333-4333-8333-333333333333"
	transcript := filepath.Join(filepath.Dir(repo), ".claude", "projects", "repo", id+".jsonl")
	source, _ := hostileSession(t, t.TempDir())
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	hostile := strings.ReplaceAll(strings.ReplaceAll(string(text), `"sessionId":"s1"`, `"sessionId":"`+id+`"`), `"/w/p"`, fmt.Sprintf("%q", repo))
	if err := os.WriteFile(transcript, []byte(hostile), 0o644); err != nil {
		t.Fatal(err)
	}
	file := secret + ".txt"
	if err := os.WriteFile(filepath.Join(repo, file), []byte("words"), 0o644); err != nil {
		t.Fatal(err)
	}
	struck := 0
	for tool, arguments := range map[string]map[string]any{
		"context_status": {"session": id}, "largest_items": {"session": id}, "what_was_forgotten": {"session": id},
		"count_tokens": {"session": id, "files": []string{file}}, "will_it_fit": {"session": id, "files": []string{file}},
	} {
		text, failed := asksFor(t, with, tool, arguments)
		if failed || control.MatchString(text) || strings.Contains(text, secret) {
			t.Errorf("%s: %q", tool, text)
		}
		struck += strings.Count(text, "removed.")
	}
	if struck == 0 {
		t.Error("no tool says that something was struck")
	}
}
