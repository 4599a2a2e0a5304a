// Copyright The ctx-lsp authors. MIT licence.

// Command pictures generates the images in docs/pictures: the screens of ctx-lsp in a real terminal, rendered by tmux,
// as SVG; and the page of `ctx-lsp history --html` in Chromium, if it is installed, as PNG. The sessions are invented.
//
//	mk/tool.sh pictures -ctx-lsp bin/ctx-lsp -out docs/pictures
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A picture is a screen: a command, the keys to send to it, and a text that shows that it is complete.
type picture struct {
	name          string
	columns, rows int
	args          string
	keys          []string
	until         string
}

var pictures = []picture{
	{"top", 100, 12, "top", nil, "Translate"},
	{"top-40x12", 40, 12, "top", nil, "Translate"},
	{"top-page", 90, 40, "top", []string{"Enter"}, "Course"},
	{"status", 90, 24, "status 0197f1c2", nil, "every row"},
	{"status-40", 40, 36, "status 0197f1c2", nil, "every row"},
	{"sessions", 110, 8, "sessions", nil, "Translate"},
	{"history", 90, 36, "history 0197f1c4", nil, "request 1"},
	{"context", 90, 56, "status --picture 0197f1c2", nil, "Largest"},
}

func main() {
	program := flag.String("ctx-lsp", "bin/ctx-lsp", "the program")
	out := flag.String("out", "docs/pictures", "where the pictures go")
	sample := flag.String("sample", "", "write the sample session to this file, and draw nothing")
	only := flag.String("only", "", "moving or sees: draw nothing else")
	flag.Parse()
	if err := write(*program, *out, *sample, *only); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func write(program, out, sample, only string) error {
	if sample != "" {
		return writeSample(sample)
	}
	return draw(program, out, only)
}

// variablesOf returns the environment of a program with this home directory.
func variablesOf(home string) []string {
	return []string{"HOME=" + home, "XDG_RUNTIME_DIR=" + home, "XDG_CACHE_HOME=" + home + "/cache", "XDG_STATE_HOME=" + home + "/state", "LANG=C.UTF-8"}
}

func draw(program, out, only string) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	if err := writeSessions(home, time.Now()); err != nil {
		return err
	}
	variables := variablesOf(home)
	if only != "sees" {
		if err := writeMoving(program, out, home, variablesOf); err != nil || only == "moving" {
			return err
		}
	}
	if err := drawSight(program, out, home, variables); err != nil || only == "sees" {
		return err
	}
	for _, p := range pictures {
		screen, err := capture(p, program, home, variables)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		svg := drawScreen(screen, p.columns, "ctx-lsp "+p.args)
		if err := os.WriteFile(filepath.Join(out, p.name+".svg"), []byte(svg), 0o644); err != nil {
			return err
		}
		fmt.Println(filepath.Join(out, p.name+".svg"))
	}
	return drawPage(program, filepath.Join(out, "history-html.png"), home, variables)
}

// capture runs a command in its own terminal and returns the screen with its colors.
func capture(p picture, program, home string, variables []string, args ...string) (string, error) {
	socket := filepath.Join(home, p.name+".tmux") // a server that is ending cannot be joined
	tmux := func(args ...string) (string, error) {
		text, err := exec.Command("tmux", append([]string{"-S", socket}, args...)...).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("tmux %q: %w: %s", args, err, text)
		}
		return string(text), nil
	}
	line := "exec env " + strings.Join(variables, " ") + " sh -c '" + strings.Join(append([]string{program, p.args}, args...), " ") + "; exec sleep 60'"
	if _, err := tmux("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(p.columns), "-y", fmt.Sprint(p.rows), line); err != nil {
		return "", err
	}
	defer func() { _, _ = tmux("kill-server") }()
	keys := p.keys
	screen := ""
	for began := time.Now(); time.Since(began) < 30*time.Second; {
		time.Sleep(700 * time.Millisecond)
		now, err := tmux("capture-pane", "-e", "-p")
		if err != nil {
			return "", err
		}
		if len(keys) > 0 && strings.Contains(now, " live") && !strings.Contains(now, "reading") {
			if _, err := tmux(append([]string{"send-keys"}, keys...)...); err != nil {
				return "", err
			}
			keys = nil
			continue
		}
		if now == screen && strings.Contains(now, p.until) { // the screen is stable
			return now, nil
		}
		screen = now
	}
	return "", fmt.Errorf("the screen never showed %q; it is\n%s", p.until, screen)
}

// drawPage renders the page of a session in a browser.
func drawPage(program, path, home string, variables []string) error {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		fmt.Println("there is no Chromium, so", path, "stays as it is")
		return nil
	}
	page := filepath.Join(home, "page.html")
	for _, cmd := range []*exec.Cmd{
		exec.Command(program, "history", "0197f1c4", "--html="+page),
		exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=900,1330", "--screenshot="+filepath.Join(home, "page.png"), "file://"+page),
	} {
		cmd.Env = append(os.Environ(), variables...)
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", cmd.Path, err, text)
		}
	}
	image, err := os.ReadFile(filepath.Join(home, "page.png"))
	if err != nil {
		return err
	}
	fmt.Println(path)
	return os.WriteFile(path, image, 0o644)
}
