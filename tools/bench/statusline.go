// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/tools/internal/longsession"
)

// A statusLine is ctx-lsp or an alternative that a user might choose.
type statusLine struct {
	name   string
	args   []string
	forget string // a directory to remove before each run
	runs   []run
}

func statusLineFlags(flags *flag.FlagSet) func([]string) error {
	program := programFlag(flags)
	tools := flags.String("tools", "", "a folder with a node_modules of other tools")
	python := flags.String("python", "", "a virtual environment of Python with other tools")
	megabytes := flags.Int("mb", 19, "size of the transcript")
	times := flags.Int("n", 15, "runs of each")
	return func([]string) error {
		path, err := program()
		if err != nil {
			return err
		}
		return measureStatusLines(path, *tools, *python, *megabytes, *times)
	}
}

// measureStatusLines runs status lines alternately on the same generated transcript, so that other load on the machine
// affects all of them. Tools that are not installed are skipped, with a message.
func measureStatusLines(program, tools, python string, megabytes, times int) error {
	home, err := os.MkdirTemp("", "ctx-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	transcript := filepath.Join(home, ".claude", "projects", "-w-shop", longsession.ID+".jsonl")
	size, err := longsession.Write(transcript, megabytes<<20)
	if err != nil {
		return err
	}
	status := longsession.Status(transcript, home)

	cache := filepath.Join(home, "cache")
	list := []*statusLine{
		{name: "ctx-lsp statusline, first time", args: []string{program, "statusline"}, forget: cache},
		{name: "ctx-lsp statusline, after", args: []string{program, "statusline"}},
		{name: "ctx-lsp statusline, transcript grown", args: []string{program, "statusline"}},
	}
	for _, other := range []struct{ name, script, args string }{
		{"ccstatusline", "ccstatusline/dist/ccstatusline.js", ""},
		{"ccusage statusline", "ccusage/src/cli.js", "statusline --offline"},
	} {
		script := filepath.Join(tools, "node_modules", filepath.FromSlash(other.script))
		if _, err := os.Stat(script); tools == "" || err != nil {
			fmt.Printf("%s is not installed and left out\n", other.name)
			continue
		}
		list = append(list, &statusLine{name: other.name, args: append([]string{"node", script}, strings.Fields(other.args)...)})
	}
	for _, other := range []struct{ name, script, args string }{
		{"claude-statusbar", "claude-statusbar", "--no-auto-update"},
		{"cc-context-stats", "claude-statusline", ""},
		{"claude-monitor", "claude-monitor", "--statusline --once --no-api"},
	} {
		script := filepath.Join(python, "bin", other.script)
		if _, err := os.Stat(script); python == "" || err != nil {
			fmt.Printf("%s is not installed and left out\n", other.name)
			continue
		}
		list = append(list, &statusLine{name: other.name, args: append([]string{script}, strings.Fields(other.args)...)})
	}
	if python != "" {
		floor := []string{filepath.Join(python, "bin", "python"), "-c", "0"}
		list = append(list, &statusLine{name: "python -c 0 (the floor of any Python program)", args: floor})
	}
	list = append(list, &statusLine{name: "node -e 0 (the floor of any Node program)", args: []string{"node", "-e", "0"}})

	for i := range times {
		for _, t := range list {
			if t.args == nil {
				continue
			}
			if t.forget != "" {
				os.RemoveAll(t.forget)
			}
			if strings.HasSuffix(t.name, "grown") {
				if err := longsession.Grow(transcript, i); err != nil {
					return err
				}
			}
			r, err := runOnce(statusCommand(t.args, status, home, cache))
			if err != nil && t.args[0] == program {
				return err
			}
			if err != nil {
				fmt.Printf("%s does not run here: %v\n", t.name, err)
				t.args = nil
				continue
			}
			t.runs = append(t.runs, r)
		}
	}
	fmt.Printf("\nmedians of %d runs in turns, transcript of %.1f MB\n", times, float64(size)/1e6)
	fmt.Printf("%-44s %9s %9s %9s %9s\n", "", "wall", "p90", "CPU time", "memory")
	for _, t := range list {
		if t.args == nil {
			continue
		}
		wall, cpu := sorted(t.runs, wallOf), sorted(t.runs, cpuOf)
		memory := int64(0)
		for _, r := range t.runs {
			memory = max(memory, r.kb)
		}
		fmt.Printf("%-44s %6.1f ms %6.1f ms %6.1f ms %6.1f MB\n", t.name, ms(wall[times/2]), ms(wall[times*9/10]), ms(cpu[times/2]), float64(memory)/1024)
	}
	return nil
}

// statusCommand returns a status line's command the way an agent starts it, with the JSON on standard input.
func statusCommand(args []string, status, home, cache string) *exec.Cmd {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin = strings.NewReader(status)
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+cache, "XDG_RUNTIME_DIR="+home, "CLAUDE_CONFIG_DIR="+filepath.Join(home, ".claude"))
	return cmd
}
