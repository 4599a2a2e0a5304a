// Copyright The ctx-lsp authors. MIT licence.

package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// TestTwoAgentsInOneFolderAreDistinguished checks that agents in one directory are distinguished. It runs two programs
// named claude with files as Claude Code writes them, and one named codex that has its rollout open.
func TestTwoAgentsInOneFolderAreDistinguished(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip("there is no sleep to run under another name")
	}
	home, work := t.TempDir(), t.TempDir()
	program := func(name string) string {
		text, err := os.ReadFile(sleep)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(home, name)
		if err := os.WriteFile(path, text, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	claudeProgram, codexProgram := program("claude"), program("codex")
	start := func(program string, stdin *os.File) int {
		c := exec.Command(program, "60")
		c.Dir, c.Stdin = work, stdin
		if err := c.Start(); err != nil {
			t.Skip("a copied program does not run here: ", err)
		}
		t.Cleanup(func() { c.Process.Kill(); c.Wait() })
		return c.Process.Pid
	}
	rollout := filepath.Join(home, "rollout-x.jsonl")
	file, err := os.Create(rollout)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	began := time.Now()
	one, two, three := start(claudeProgram, nil), start(claudeProgram, nil), start(codexProgram, file)
	os.MkdirAll(filepath.Join(home, ".claude", "sessions"), 0o755)
	for pid, id := range map[int]string{one: "a", two: "b"} {
		text := fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":%q,"startedAt":%d,"status":"waiting","waitingFor":"permission"}`, pid, id, work, time.Now().UnixMilli())
		if err := os.WriteFile(filepath.Join(home, ".claude", "sessions", fmt.Sprint(pid, ".json")), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	folder := filepath.Join(home, ".claude", "projects", "w")
	sessions := []Session{
		{ID: "a", Agent: "claude-code", Path: filepath.Join(folder, "a.jsonl"), Dir: work, Begun: began, Last: time.Now()},
		{ID: "b", Agent: "claude-code", Path: filepath.Join(folder, "b.jsonl"), Dir: work, Begun: began, Last: time.Now().Add(time.Minute)},
		{ID: "x", Agent: "codex", Path: rollout, Dir: work, Begun: began, Last: time.Now()},
	}
	want := map[int]string{one: "a", two: "b", three: "x"}
	deadline := time.Now().Add(10 * time.Second)
	for {
		processes := Agents(Host())
		got := map[int]string{}
		for _, h := range Resolve(processes, Claims(dirs.New("linux", home, func(string) string { return "" })), sessions) {
			if want[h.Process.PID] != "" {
				got[h.Process.PID] = h.Session
			}
		}
		if fmt.Sprint(got) == fmt.Sprint(want) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the processes hold %v, not %v", got, want)
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, p := range Agents(Host()) {
		if p.PID == one && (p.Dir != work || p.Started.Before(began.Add(-5*time.Second)) || p.Started.After(time.Now().Add(5*time.Second))) {
			t.Errorf("process %d works in %s since %s", p.PID, p.Dir, p.Started)
		}
	}
}

func TestANameInBracketsDoesNotMisleadTheReaderOfProcesses(t *testing.T) {
	text := "7 (a) S 1 (b) S 2 7 7 34816 7 0 0 0 0 0 0 0 0 0 20 0 1 0 100 0 0"
	p, ok := parseStat(7, []byte(text))
	if !ok || p.Name != "a) S 1 (b" || p.Parent != 2 || !p.Front {
		t.Errorf("got %v %+v", ok, p)
	}
	for _, broken := range []string{"", "7", "7 (a", "7 (a) S 1", ") ("} {
		if _, ok := parseStat(7, []byte(broken)); ok {
			t.Errorf("%q is taken for a process", broken)
		}
	}
}
