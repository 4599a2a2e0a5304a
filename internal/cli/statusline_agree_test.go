// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// The status line, status and an editor's daemon show one session as it grows. They read it in three ways: from a saved
// ledger on, from its beginning, and as one permanent reader. All show the same number.

// TestStatuslineStatusAndEditorsAgree compares them while sessions grow: after the first records, around each
// compaction, and after some at random. An editor reads every record, and the status line is asked after every eighth
// as well. CTX_AGREE=all compares all three after every record of every session, which takes seven minutes of a
// processor: status begins at the beginning each time, and each status line loads its vocabulary.
func TestStatuslineStatusAndEditorsAgree(t *testing.T) {
	root := os.Getenv("CTX_TRANSCRIPTS")
	if root == "" {
		root = "../../testdata/sessions"
	}
	all := os.Getenv("CTX_AGREE") == "all"
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var sessions, looked, whole atomic.Int64
	t.Run("sessions", func(t *testing.T) {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".jsonl" || !strings.Contains(path, "claude") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			number := uint64(sessions.Add(1))
			t.Run(filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				records := bytes.SplitAfter(text, []byte("\n"))
				a, b := agreeOn(t, path, records, looksAtStatus(records, all, rand.New(rand.NewPCG(seed, number))))
				looked.Add(a)
				whole.Add(b)
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	if sessions.Load() == 0 {
		t.Fatal("no session was found")
	}
	t.Logf("%d sessions: compared after %d records, with status after %d of them", sessions.Load(), looked.Load(), whole.Load())
}

// looksAtStatus returns the numbers of records after which status is run, too.
func looksAtStatus(records [][]byte, all bool, random *rand.Rand) map[int]bool {
	looks := map[int]bool{len(records): true, len(records) - 1: true}
	for i := range 6 {
		looks[i+1] = true
	}
	for i, record := range records {
		if bytes.Contains(record, []byte(`"subtype":"compact_boundary"`)) {
			for after := range 8 {
				looks[i+after] = true
			}
		}
		if all {
			looks[i+1] = true
		}
	}
	for range 4 {
		looks[1+random.IntN(len(records))] = true
	}
	return looks
}

// agreeOn lets one session grow and compares after each record. It returns the number of comparisons, and of those with
// status.
func agreeOn(t *testing.T, path string, records [][]byte, looks map[int]bool) (looked, wholes int64) {
	t.Helper()
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	grown := filepath.Join(env.Dir, "s.jsonl")
	if id := regexp.MustCompile(`"sessionId":"([^"]+)"`).FindSubmatch(bytes.Join(records[:min(20, len(records))], nil)); id != nil {
		grown = filepath.Join(env.Dir, string(id[1])+".jsonl") // under the name that the agent uses
	}
	f, err := os.Create(grown)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e, err := nativeEngine(env, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var editor *follow.Feed
	var usage json.RawMessage
	var session, version, model string
	for i, record := range records {
		if _, err := f.Write(record); err != nil {
			t.Fatal(err)
		}
		var about struct {
			SessionID, Version, Subtype, Type string
			IsSidechain                       bool
			Message                           struct {
				Model string
				Usage json.RawMessage
			}
		}
		if json.Unmarshal(record, &about) == nil && !about.IsSidechain {
			session, version = either(about.SessionID, session), either(about.Version, version)
			if about.Subtype == "compact_boundary" {
				usage = nil
			}
			if about.Message.Usage != nil && about.Message.Model != "<synthetic>" {
				usage, model = about.Message.Usage, about.Message.Model
			}
		}
		if !looks[i+1] && (i+1)%8 != 0 || len(bytes.TrimSpace(record)) == 0 || session == "" {
			continue
		}
		readingOf := func(args ...string) *api.Reading {
			out.Reset()
			errs.Reset()
			if code := run(context.Background(), env, args); code != exitOK {
				t.Fatalf("%s, record %d: %v exits with %d: %s", path, i+1, args, code, errs.String())
			}
			r, err := terminal.Parse(bytes.TrimSpace(out.Bytes()))
			if err != nil {
				t.Fatalf("%s, record %d: %v says %.300s: %s", path, i+1, args, out.String(), errs.String())
			}
			return r
		}
		status, err := sessions.At(grown)
		if err != nil {
			continue // the agent is unknown until more is written
		}
		name, _ := json.Marshal(grown)
		current, _ := json.Marshal(usage)
		env.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":%q,"transcript_path":%s,"version":%q,"model":{"id":%q},"context_window":{"current_usage":%s}}`, session, name, version, model, current))
		line := readingOf("statusline", "--json", "--timeout=1m")
		if editor == nil {
			editor = follow.NewFeed(status, e.Call)
			editor.Settings = agents.Settings(env.host(), status.Agent, status.Workspace)
		}
		reading, _, err := editor.ReadWhile(context.Background(), func() bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		shown, err := terminal.Parse(reading)
		if err != nil {
			t.Fatal(err)
		}
		looked++
		differ := func(who string, r *api.Reading) bool {
			if away(line.Used, r.Used) > 1 || line.Display.Percent != r.Display.Percent || line.Display.Mark != r.Display.Mark {
				t.Errorf("%s, record %d: the status line says %d (%s%s), %s %d (%s%s)", path, i+1,
					line.Used, line.Display.Mark, line.Display.Percent, who, r.Used, r.Display.Mark, r.Display.Percent)
				return true
			}
			return false
		}
		if differ("an editor", shown) {
			return looked, wholes
		}
		if looks[i+1] {
			wholes++
			if differ("status", readingOf("status", "--json", grown)) {
				return looked, wholes
			}
		}
	}
	return looked, wholes
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func away(a, b int64) int64 { return max(a-b, b-a) }

// Claude Code requests its line before the transcript exists, and before it contains the first answer. Until then the
// first request of the workspace's last session is the base, for the status line like for status, and the number is
// marked.
func TestStatuslineBeforeTheFirstAnswer(t *testing.T) {
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	write := func(name, session string, answered bool) string {
		path := filepath.Join(env.Dir, name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if answered {
			writeClaudeTranscript(f, session, "/w/shop", 2, 0)
			return path
		}
		fmt.Fprintf(f, `{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"userType":"external","sessionId":%q,"version":"2.1.207","cwd":"/w/shop","message":{"role":"user","content":"hi"},"timestamp":"2026-11-01T10:00:00.000Z"}`+"\n", session)
		return path
	}
	line := func(session, path string) string {
		out.Reset()
		errs.Reset()
		name, _ := json.Marshal(path)
		env.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":%q,"transcript_path":%s,"cwd":"/w/shop","version":"2.1.207","model":{"id":"claude-opus-4-6"},"context_window":{"context_window_size":200000,"current_usage":null}}`, session, name))
		if code := run(context.Background(), env, []string{"statusline", "--timeout=30s", "--plain", "--template", "{percent}{mark} {model}"}); code != exitOK || errs.Len() > 0 {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		return strings.TrimSpace(out.String())
	}
	if got := line("new", filepath.Join(env.Dir, "notyet.jsonl")); strings.Contains(got, "10") {
		t.Errorf("nothing is known, and the line says %q", got)
	}
	answered := line("before", write("before.jsonl", "before", true))
	base := line("next", filepath.Join(env.Dir, "next.jsonl"))
	began := line("next", write("next.jsonl", "next", false))
	if !strings.HasPrefix(base, "1") || base != began || !strings.Contains(base, "~ claude-opus-4-6") {
		t.Errorf("after a session at %q the next begins at %q, and with its first message at %q", answered, base, began)
	}
	out.Reset()
	if code := run(context.Background(), env, []string{"status", "--json", filepath.Join(env.Dir, "next.jsonl")}); code != exitOK {
		t.Fatal(errs.String())
	}
	r, err := terminal.Parse(bytes.TrimSpace(out.Bytes()))
	if err != nil || r.Display.Percent+r.Display.Mark+" claude-opus-4-6" != began {
		t.Errorf("status says %s%s %s, the status line %q: %v", r.Display.Percent, r.Display.Mark, r.Model, began, err)
	}
}

// If a transcript takes too long to read, the line shows the agent's own numbers.
func TestStatuslineWithoutTimeGoesByTheNumbers(t *testing.T) {
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	path := filepath.Join(env.Dir, "s.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	writeClaudeTranscript(f, "s", "/w", 3, 0)
	f.Close()
	name, _ := json.Marshal(path)
	env.Stdin = strings.NewReader(`{"session_id":"s","transcript_path":` + string(name) + `,"model":{"id":"claude-opus-4-6"},"context_window":{"context_window_size":200000,"current_usage":{"input_tokens":3,"cache_creation_input_tokens":997,"cache_read_input_tokens":99000,"output_tokens":60}}}`)
	hang := make(chan struct{})
	defer close(hang)
	env.beforeReading = func() { <-hang }
	if code := run(context.Background(), env, []string{"statusline", "--timeout=100ms", "--plain", "--template", "{percent}"}); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	if out.String() != "50%\n" || !strings.Contains(errs.String(), "took too long") {
		t.Errorf("%q, %q", out.String(), errs.String())
	}
}
