// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// A terminalSession is a real pseudo-terminal, drawn by tmux.
type terminalSession struct {
	t      *testing.T
	socket string
}

// startTerminal runs ctx-lsp in a terminal of a given size, with its own home.
func startTerminal(t *testing.T, home string, columns, rows int, variables, command string) *terminalSession {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("there is no tmux to draw a terminal")
	}
	program, err := os.Executable() // TestMain makes it ctx-lsp if it is called by that name
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	link := filepath.Join(folder, "ctx-lsp")
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	s := &terminalSession{t, filepath.Join(folder, "tmux")}
	line := fmt.Sprintf("env HOME=%s XDG_RUNTIME_DIR=%s XDG_STATE_HOME=%s/state LANG=C.UTF-8 %s %s %s; echo ended $?; sleep 600", home, folder, folder, variables, link, command)
	s.tmux("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows), line)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", s.socket, "kill-server").Run() })
	return s
}

func (s *terminalSession) tmux(args ...string) string {
	s.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", s.socket}, args...)...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

func (s *terminalSession) keys(keys ...string) {
	s.t.Helper()
	s.tmux(append([]string{"send-keys"}, keys...)...)
}

// until waits until the screen matches, and returns it.
func (s *terminalSession) until(pattern string) string {
	s.t.Helper()
	want := regexp.MustCompile(pattern)
	screen := ""
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if screen = s.tmux("capture-pane", "-p"); want.MatchString(screen) {
			return screen
		}
	}
	s.t.Fatalf("the screen never matched %s; it is\n%s", pattern, screen)
	return ""
}

// liveHome returns a home with sessions whose last records are current.
func liveHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	for i, calls := range []int{40, 140, 90} {
		writeLiveSession(t, home, fmt.Sprintf("0197f1c%d-0000-7000-8000-000000000001", i), fmt.Sprintf("/w/shop%d", i), calls)
	}
	return home
}

// writeLiveSession writes a session of Claude Code with records from the last minutes.
func writeLiveSession(t *testing.T, home, id, cwd string, calls int) string {
	t.Helper()
	path := filepath.Join(home, ".claude", "projects", "-w", id+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	writeClaudeTranscript(&b, id, cwd, calls, 0)
	now := dirstest.Recording{id: b.String()}.Mover(t, 0)(b.String())
	// The session has no title, so its first words name it. It is complete when it appears, because the first words are
	// read once.
	now = strings.Replace(now, "Please look into it.", filepath.Base(cwd)+": look into it.", 1)
	written := filepath.Join(home, id)
	if err := os.WriteFile(written, []byte(now), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(written, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTopInATerminal checks the screen as users see it: in a real pseudo-terminal, with keys and a resize, while a
// session grows.
func TestTopInATerminal(t *testing.T) {
	home := liveHome(t)
	s := startTerminal(t, home, 80, 24, "TERM=screen-256color", "top")
	screen := s.until(`(?s)3 live · by next compaction.*shop1: look.*shop2: look.*shop0: look`)
	if !strings.HasPrefix(screen, "ctx-lsp top") {
		t.Errorf("the first line is not the heading:\n%s", screen)
	}
	if lines := strings.Split(strings.TrimRight(screen, "\n"), "\n"); len(lines) != 24 || !strings.Contains(lines[23], "q quit") {
		t.Errorf("the screen has %d lines:\n%s", len(lines), screen)
	}
	s.keys("Down", "Enter")
	s.until(`Claude Code · claude-opus-4-6 · /w/shop2`)
	s.until(`(?m)^Compaction  at 167,000`) // without scrolling
	s.keys("End")
	s.until(`(?m)^Spent  `)
	s.tmux("resize-window", "-x", "40", "-y", "12")
	s.until(`(?m)esc back   \? keys *$`)
	s.keys("Escape")
	s.until(`enter open  / filter`)
	s.tmux("resize-window", "-x", "80", "-y", "24")
	s.until(`AGENT +SESSION`)
	writeLiveSession(t, home, "0197f1c9-0000-7000-8000-000000000001", "/w/fresh", 146)
	s.until(`(?s)4 live.*fresh: look.*shop1: look.*shop2: look.*shop0: look`)
	s.keys("/")
	s.keys("s", "h", "o", "p", "0")
	s.until(`(?s)1 shown.*filter: shop0_`)
	s.keys("Escape")
	s.until(`4 live · by next compaction`) // a key right after Escape would be read as one key with Alt
	s.keys("?")
	s.until(`(?s)Keys.*press any key to return`)
	s.keys("x")
	s.until(`AGENT`)
	s.keys("q")
	if screen := s.until(`ended 0`); strings.Contains(screen, "AGENT") {
		t.Errorf("the alternate screen was not left:\n%s", screen)
	}
}

// TestTopOfARemovedTranscript checks that the page of one session does not keep the number of a removed transcript.
func TestTopOfARemovedTranscript(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a session is dropped after ten seconds without its file")
	}
	home := liveHome(t)
	path := writeLiveSession(t, home, "0197f1c9-0000-7000-8000-000000000001", "/w/removed", 146)
	s := startTerminal(t, home, 80, 24, "TERM=screen-256color", "top "+path)
	s.until(`Claude Code · claude-opus-4-6 · /w/removed`)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if screen := s.until(`The transcript of this session was removed\.`); strings.Contains(screen, "claude-opus") {
		t.Errorf("the page of a removed transcript is\n%s", screen)
	}
}

// TestTopWithoutColour checks NO_COLOR and terminals without cursor control.
func TestTopWithoutColour(t *testing.T) {
	home := liveHome(t)
	s := startTerminal(t, home, 80, 24, "TERM=screen-256color NO_COLOR=1", "top")
	s.until(`3 live`)
	if screen := s.tmux("capture-pane", "-p", "-e"); strings.Contains(screen, "\x1b[") {
		t.Errorf("there is colour in\n%q", screen)
	}
	s.keys("q")
	s.until(`ended 0`)

	dumb := startTerminal(t, home, 80, 24, "TERM=dumb", "top")
	screen := dumb.until(`Claude Code, shop1: look into it: ~\d+% of 200k, [0-9.]+k until it compacts, about \d+\s+requests`)
	if strings.Contains(screen, "AGENT") {
		t.Errorf("a dumb terminal has a table:\n%s", screen)
	}
	dumb.keys("C-c")
	dumb.until(`ended`)
}
