// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/tools/internal/longsession"
)

func commandsFlags(flags *flag.FlagSet) func([]string) error {
	program := programFlag(flags)
	base := flags.String("base", "", "another ctx-lsp, to measure in turns with the first")
	tools := flags.String("tools", "", "a folder with a node_modules of other tools")
	folder := flags.String("in", "", "the directory for the sessions, which stay there for the next time; by default they are removed")
	sessions := flags.Int("sessions", 500, "sessions of Claude Code")
	megabytes := flags.Int("mb", 1000, "size of all of them")
	times := flags.Int("n", 5, "runs of each")
	return func([]string) error {
		path, err := program()
		if err != nil {
			return err
		}
		programs := []string{path}
		if *base != "" {
			if programs = append(programs, *base); !filepath.IsAbs(*base) {
				return fmt.Errorf("-base requires an absolute path")
			}
		}
		return measureCommands(programs, *tools, *folder, *sessions, *megabytes, *times)
	}
}

// A reading is a command that reads sessions, with the CPU time of its runs.
type reading struct {
	name   string
	args   []string
	home   string
	input  string
	screen bool // it does not end, and is measured until its screen shows a session
	first  run
	after  []run
}

// measureCommands runs the commands that read sessions, and other tools that report on them, in turns on a home
// directory with many sessions: once with nothing kept, then several times. Tools that are not installed are skipped,
// with a message.
func measureCommands(programs []string, tools, folder string, sessions, megabytes, times int) error {
	root := folder
	if root == "" {
		temporary, err := os.MkdirTemp("", "ctx-bench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temporary)
		root = temporary
	}
	projects, workspace := filepath.Join(root, "projects"), filepath.Join(root, "w", "0")
	if _, err := os.Stat(projects); err != nil {
		if err := longSessions(root, projects, sessions, megabytes<<20/sessions); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(workspace, 0o755); err != nil {
		return err
	}
	var list []*reading
	for i, program := range programs {
		home := filepath.Join(root, strconv.Itoa(i))
		if err := linkProjects(home, projects); err != nil {
			return err
		}
		name := "ctx-lsp"
		if i > 0 {
			name = "base"
		}
		for _, args := range []string{"status", "sessions", "statusline --for=shell", "fits README.md", "doctor"} {
			list = append(list, &reading{name: name + " " + args, args: append([]string{program}, strings.Fields(args)...), home: home})
		}
		list = append(list, &reading{name: name + " top, its first screen", args: []string{program, "top"}, home: home, screen: true})
	}
	list = append(list, others(root, projects, tools)...)
	if err := os.WriteFile(filepath.Join(workspace, "README.md"), []byte(words(0)), 0o600); err != nil {
		return err
	}
	for i := range times + 1 {
		for _, r := range list {
			if r.args == nil {
				continue
			}
			if i == 0 {
				os.RemoveAll(filepath.Join(r.home, "state"))
				os.RemoveAll(filepath.Join(r.home, "cache"))
			}
			one, err := r.run(workspace)
			switch {
			case err != nil && slices.Contains(programs, r.args[0]):
				return err
			case err != nil:
				fmt.Printf("%s does not run here: %v\n", r.name, err)
				r.args = nil
			case i == 0:
				r.first = one
			default:
				r.after = append(r.after, one)
			}
		}
	}
	fmt.Printf("\n%d sessions of %d MB together; the first time, then the least and the median of %d runs in turns\n", sessions, megabytes, times)
	fmt.Printf("%-44s %12s %12s %12s %10s\n", "CPU time", "first", "least", "median", "memory")
	for _, r := range list {
		if r.args == nil {
			continue
		}
		cpu, memory := sorted(r.after, cpuOf), r.first.kb
		for _, one := range r.after {
			memory = max(memory, one.kb)
		}
		fmt.Printf("%-44s %9.1f ms %9.1f ms %9.1f ms %7.1f MB\n", r.name, ms(r.first.cpu), ms(cpu[0]), ms(cpu[len(cpu)/2]), float64(memory)/1024)
	}
	return nil
}

// others returns the tools that are installed.
func others(root, projects, tools string) (list []*reading) {
	newest, _ := filepath.Glob(filepath.Join(projects, "*", "*.jsonl"))
	for _, other := range []struct{ name, script, args string }{
		{"ccstatusline", "ccstatusline/dist/ccstatusline.js", ""},
		{"ccusage daily", "ccusage/src/cli.js", "daily --offline"},
		{"ccusage session", "ccusage/src/cli.js", "session --offline"},
		{"codeburn status", "codeburn/dist/cli.js", "status"},
		{"tokscale clients", "@tokscale/cli-linux-x64-gnu/bin/tokscale", "clients"},
		{"tokscale models", "@tokscale/cli-linux-x64-gnu/bin/tokscale", "models"},
	} {
		script := filepath.Join(tools, "node_modules", filepath.FromSlash(other.script))
		if _, err := os.Stat(script); tools == "" || err != nil {
			fmt.Printf("%s is not installed and left out\n", other.name)
			continue
		}
		home := filepath.Join(root, "others")
		if err := linkProjects(home, projects); err != nil {
			fmt.Printf("%s is left out: %v\n", other.name, err)
			continue
		}
		args := append([]string{"node", script}, strings.Fields(other.args)...)
		if filepath.Ext(script) != ".js" { // a program
			args = args[1:]
		}
		list = append(list, &reading{name: other.name, args: args, home: home, input: longsession.Status(slices.Max(newest), root)})
	}
	return list
}

// run runs a command to its end, or a screen until it shows a session.
func (r *reading) run(workspace string) (run, error) {
	if r.screen {
		return firstScreen(r.args, r.home)
	}
	cmd := command(r.args[0], r.home, r.args[1:]...)
	cmd.Dir, cmd.Stdin = workspace, strings.NewReader(r.input)
	return runOnce(cmd)
}

// linkProjects makes a home directory whose sessions of Claude Code are in another directory.
func linkProjects(home, projects string) error {
	if err := os.MkdirAll(filepath.Join(home, ".claude"), 0o755); err != nil {
		return err
	}
	link := filepath.Join(home, ".claude", "projects")
	if _, err := os.Lstat(link); err == nil {
		return nil
	}
	return os.Symlink(projects, link)
}

// longSessions writes sessions of twenty directories below root that changed within the last day, the last of them now.
func longSessions(root, projects string, n, size int) error {
	first := filepath.Join(projects, "-w-0", longsession.ID+".jsonl")
	if _, err := longsession.Write(first, size); err != nil {
		return err
	}
	content, err := os.ReadFile(first)
	if err != nil {
		return err
	}
	if err := os.Remove(first); err != nil {
		return err
	}
	for i := range n {
		id := fmt.Sprintf("0197f1c2-0000-7000-8000-%012d", 100+i)
		folder := filepath.Join(projects, fmt.Sprintf("-w-%d", i%20))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		own := strings.NewReplacer(longsession.ID, id, "/w/shop", filepath.Join(root, "w", strconv.Itoa((n-1-i)%20))).Replace(string(content))
		own = fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"cwd":%q,"sessionId":%q,"version":"2.1.120","type":"user","message":{"role":"user","content":"Please look at order %d of the shop."},"uuid":"p","timestamp":"2026-03-02T08:59:00.000Z"}`+"\n", filepath.Join(root, "w", strconv.Itoa((n-1-i)%20)), id, i) + own
		if i%2 == 0 { // the others have no title
			own += fmt.Sprintf(`{"type":"ai-title","aiTitle":"Task %d of the shop","sessionId":%q}`+"\n", i, id)
		}
		path := filepath.Join(folder, id+".jsonl")
		if err := os.WriteFile(path, []byte(own), 0o600); err != nil {
			return err
		}
		at := time.Now().Add(-time.Duration(n-i) * 2 * time.Minute)
		if err := os.Chtimes(path, at, at); err != nil {
			return err
		}
	}
	return nil
}

// firstScreen runs a command in tmux until its screen shows a percentage. It requires Linux.
func firstScreen(args []string, home string) (r run, err error) {
	socket := filepath.Join(home, "tmux")
	tmux := func(more ...string) (string, error) {
		out, err := exec.Command("tmux", append([]string{"-S", socket}, more...)...).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("tmux %q: %w: %s", more, err, out)
		}
		return strings.TrimSpace(string(out)), nil
	}
	line := "exec env HOME=" + home + " XDG_RUNTIME_DIR=" + home + " XDG_STATE_HOME=" + home + "/state XDG_CACHE_HOME=" + home + "/cache LANG=C.UTF-8 " + strings.Join(args, " ")
	began := time.Now()
	if _, err := tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", line); err != nil {
		return r, err
	}
	defer func() { _, _ = tmux("kill-server") }()
	pane, err := tmux("display-message", "-p", "#{pane_pid}")
	if err != nil {
		return r, err
	}
	pid, err := strconv.Atoi(pane)
	if err != nil {
		return r, err
	}
	for time.Since(began) < time.Minute {
		screen, err := tmux("capture-pane", "-p")
		if err != nil {
			return r, err
		}
		if strings.Contains(screen, "%") {
			r.wall = time.Since(began)
			r.cpu, err = usedSoFar(pid)
			return r, err
		}
		time.Sleep(5 * time.Millisecond)
	}
	return r, fmt.Errorf("%v shows no session", args)
}
