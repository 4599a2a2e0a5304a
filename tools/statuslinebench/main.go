// Copyright The ctx-lsp authors. MIT licence.

// Command statuslinebench measures status lines side by side: ctx-lsp and the
// tools a user would pick instead, on the same generated transcript, in turns,
// so that whatever else the machine does disturbs all of them alike.
//
//	go run ./tools/statuslinebench -ctx-lsp bin/ctx-lsp -tools DIR
//
// DIR is a folder with a node_modules of the other tools; those that are not
// there are left out, and said to be.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
	"github.com/ctx-lsp/ctx-lsp/tools/internal/longsession"
)

// tool is one status line.
type tool struct {
	name   string
	args   []string
	forget string // a folder to remove before each run
	runs   []run
}

type run struct {
	wall, processor time.Duration
	kb              int64
}

func main() {
	program := flag.String("ctx-lsp", "bin/ctx-lsp", "the program")
	tools := flag.String("tools", "", "a folder with a node_modules of other tools")
	megabytes := flag.Int("mb", 19, "size of the transcript")
	times := flag.Int("n", 15, "runs of each")
	flag.Parse()
	if err := measure(*program, *tools, *megabytes, *times); err != nil {
		fmt.Fprintln(os.Stderr, "statuslinebench:", err)
		os.Exit(1)
	}
}

func measure(program, tools string, megabytes, times int) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "statuslinebench")
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
	list := []*tool{
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
		list = append(list, &tool{name: other.name, args: append([]string{"node", script}, strings.Fields(other.args)...)})
	}
	list = append(list, &tool{name: "node -e 0 (the floor of any Node program)", args: []string{"node", "-e", "0"}})

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
			r, err := once(t.args, status, home, cache)
			if err != nil && t.args[0] == program {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			if err != nil {
				fmt.Printf("%s does not run here: %.200s\n", t.name, strings.TrimSpace(err.Error()))
				t.args = nil
				continue
			}
			t.runs = append(t.runs, r)
		}
	}
	fmt.Printf("\nmedians of %d runs in turns, transcript of %.1f MB\n", times, float64(size)/1e6)
	fmt.Printf("%-44s %9s %9s %9s %9s\n", "", "wall", "p90", "processor", "memory")
	for _, t := range list {
		if t.args == nil {
			continue
		}
		worked := make([]time.Duration, len(t.runs))
		for i, r := range t.runs {
			worked[i] = r.processor
		}
		slices.Sort(worked)
		slices.SortFunc(t.runs, func(a, b run) int { return int(a.wall - b.wall) })
		middle, slow := t.runs[len(t.runs)/2], t.runs[len(t.runs)*9/10]
		fmt.Printf("%-44s %6.1f ms %6.1f ms %6.1f ms %6.1f MB\n", t.name, ms(middle.wall), ms(slow.wall), ms(worked[len(worked)/2]), float64(middle.kb)/1024)
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// once runs a status line as an agent does, with the JSON on standard input.
func once(args []string, status, home, cache string) (run, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin = strings.NewReader(status)
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+cache, "XDG_RUNTIME_DIR="+home, "CLAUDE_CONFIG_DIR="+filepath.Join(home, ".claude"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err := cmd.Run()
	r := run{wall: time.Since(began)}
	if state := cmd.ProcessState; state != nil {
		r.processor, r.kb = state.UserTime()+state.SystemTime(), rusage.Peak(state)
	}
	if err != nil {
		return r, fmt.Errorf("%w: %s", err, errs.String())
	}
	return r, nil
}
