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
)

// TestStatusShowsTheSameSessionAsEveryFrontEnd checks the choice on the command line: live sessions come before those
// in deeper directories, a session is found from a directory next to the one its agent has changed to, and the command
// prints the reason.
func TestStatusShowsTheSameSessionAsEveryFrontEnd(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repo := filepath.Join(home, "shop")
	for _, dir := range []string{".git", "packages/a", "docs"} {
		os.MkdirAll(filepath.Join(repo, dir), 0o755)
	}
	now := time.Now()
	transcript := func(id string, ago time.Duration, dirs ...string) {
		path := filepath.Join(home, ".claude", "projects", "w", id+".jsonl")
		os.MkdirAll(filepath.Dir(path), 0o755)
		var text strings.Builder
		for i, dir := range dirs {
			fmt.Fprintf(&text, `{"type":"user","uuid":"u%d","parentUuid":null,"isSidechain":false,"sessionId":%q,"version":"2.1.200","cwd":%q,"message":{"role":"user","content":"hi"},"timestamp":%q}`+"\n",
				i, id, dir, now.Add(-ago).UTC().Format(time.RFC3339Nano))
		}
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		os.Chtimes(path, now.Add(-ago), now.Add(-ago))
	}
	const live, deeper = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
	transcript(live, 5*time.Minute, repo, filepath.Join(repo, "packages", "b")) // it has changed its directory since
	transcript(deeper, 20*time.Hour, filepath.Join(repo, "packages", "a"))
	for _, c := range []struct{ dir, want, because string }{
		{filepath.Join(repo, "packages", "a"), live, "live"},
		{filepath.Join(repo, "docs"), live, "live"},
		{repo, live, "live"},
	} {
		var out, errs bytes.Buffer
		env := &environment{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: c.dir, Now: func() time.Time { return now }, Columns: 80,
			Getenv: func(name string) string {
				if name == "HOME" || name == "USERPROFILE" {
					return home
				}
				return ""
			},
		}
		code := run(context.Background(), env, []string{"status", "--json"})
		var reading struct{ Session string }
		json.Unmarshal(out.Bytes(), &reading)
		if code != 0 || reading.Session != c.want || !strings.Contains(errs.String(), c.because) {
			t.Errorf("in %s: code %d, session %q, says %q", c.dir, code, reading.Session, errs.String())
		}
	}
	// An agent started above the repository works in it too, but one started in another directory does not.
	const above, other = "33333333-3333-4333-8333-333333333333", "44444444-4444-4444-8444-444444444444"
	transcript(other, time.Minute, filepath.Join(home, "other"))
	transcript(live, 10*time.Hour, repo)
	transcript(above, 5*time.Minute, home)
	var printed, hints bytes.Buffer
	env := &environment{Stdin: strings.NewReader(""), Stdout: &printed, Stderr: &hints, Dir: repo, Now: func() time.Time { return now }, Columns: 80, Getenv: func(name string) string {
		return map[string]string{"HOME": home, "USERPROFILE": home}[name]
	}}
	if run(context.Background(), env, []string{"status", "--json"}); !strings.Contains(printed.String(), above) {
		t.Errorf("of a repository whose folder above has a live session, it is not shown: %s", hints.String())
	}
	os.Remove(filepath.Join(home, ".claude", "projects", "w", above+".jsonl"))
	// If neither is running, the one started nearest is chosen.
	var out, errs bytes.Buffer
	env.Stdout, env.Stderr, env.Dir = &out, &errs, filepath.Join(repo, "packages", "a")
	run(context.Background(), env, []string{"status", "--json"})
	if !strings.Contains(out.String(), deeper) {
		t.Errorf("of two dead sessions the one of the folder above is shown: %s", errs.String())
	}
}
