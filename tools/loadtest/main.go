// Copyright The ctx-lsp authors. MIT licence.

// Command load puts a running daemon under load and prints what it measured: how long an update takes to reach its
// watchers, how much memory the daemon needs, how fast it responds after its start, and the cost of a keystroke.
//
//	mk/tool.sh loadtest bin/ctx-lsp
//	mk/tool.sh loadtest -begin transcripts bin/ctx-lsp another/ctx-lsp
//
// The last line is "p99 X ms at 2000/s, M MB". With -begin it measures the cost of starting a daemon on a machine with
// many recent sessions, and several programs alternate.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	rate := flag.Int("rate", 2000, "updates a second")
	last := flag.Duration("for", 10*time.Second, "how long each load lasts")
	only := flag.Int("only", 0, "the load of so many sessions alone: 10, 100 or 1000")
	engine := flag.String("engine", "", "wasm or native; the daemon's own choice if empty")
	flag.StringVar(&stateDir, "state", "", "where the daemon keeps ledgers, none for nowhere; a directory of its own if empty")
	telemetry := flag.Int("telemetry", 0, "instead compare daemons that send measurements with silent ones, in so many rounds")
	begin := flag.String("begin", "", "instead measure what a daemon costs that begins with many sessions, made of this folder of transcripts; several programs may be named")
	rounds := flag.Int("rounds", 5, "how often -begin measures each program")
	rest := flag.Duration("rest", 0, "how long -begin also measures what a daemon costs at rest")
	flag.Parse()
	if *begin != "" && flag.NArg() > 0 {
		if err := inFolder(func(dir string) error {
			return measureBeginnings(flag.Args(), *engine, dir, *begin, *rounds, *rest)
		}); err != nil {
			fmt.Fprintln(os.Stderr, "load:", err)
			os.Exit(1)
		}
		return
	}
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "load: name the program to measure, as in: load bin/ctx-lsp")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *engine, *rate, *last, *only, *telemetry); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(program, engine string, rate int, last time.Duration, only, telemetry int) error {
	dir, err := os.MkdirTemp("", "ctx-load")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if telemetry > 0 {
		return compareTelemetry(program, engine, dir, rate, last, telemetry, cmp.Or(only, 100))
	}
	if only == 0 {
		if err := measureStart(program, engine, dir); err != nil {
			return err
		}
		if err := measureKeystroke(program, engine, dir); err != nil {
			return err
		}
	}
	fmt.Println("An update is a request on its connection; its time ends when a ctx/reading that has it was read from there. Of one")
	fmt.Println("session the daemon tells ten times a second: late is what comes on top of that, and age is the whole time.")
	fmt.Printf("%8s %11s %9s %8s %8s %8s %8s %8s %6s %6s %5s\n", "sessions", "connections", "updates/s", "late p50", "late p99", "late max", "age p50", "age p99", "cores", "load's", "MB")
	var closing string
	for _, scale := range []struct{ sessions, connections int }{{10, 1}, {100, 10}, {1000, 100}} {
		if only != 0 && only != scale.sessions {
			continue
		}
		r, err := measureLoad(program, engine, dir, scale.sessions, scale.connections, rate, last)
		if err != nil {
			return err
		}
		fmt.Printf("%8d %11d %9.0f %8.2f %8.2f %8.2f %8.2f %8.2f %6.2f %6.2f %5.0f\n", scale.sessions, scale.connections, r.rate,
			ms(percentile(r.late, 50)), ms(percentile(r.late, 99)), ms(percentile(r.late, 100)), ms(percentile(r.age, 50)), ms(percentile(r.age, 99)), r.cores, r.own, r.memory)
		closing = fmt.Sprintf("p99 %.1f ms at %d/s, %.0f MB", ms(percentile(r.late, 99)), rate, r.memory)
	}
	fmt.Println(closing)
	return nil
}

// inFolder calls do with a temporary directory.
func inFolder(do func(dir string) error) error {
	dir, err := os.MkdirTemp("", "ctx-load")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return do(dir)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// A daemon is the process being measured.
type daemon struct {
	cmd    *exec.Cmd
	socket string
}

func startDaemon(program, engine, dir string) (*daemon, error) {
	d := &daemon{socket: filepath.Join(dir, fmt.Sprintf("%d.sock", time.Now().UnixNano()))}
	d.cmd = exec.Command(program, arguments(engine, dir, "--pipe="+d.socket)...)
	d.cmd.Stderr = nil
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	for range 500 {
		if _, err := os.Stat(d.socket); err == nil {
			return d, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	d.stop()
	return nil, fmt.Errorf("%s does not listen", program)
}

// stateDir is the daemon's --state, if the user specified it.
var stateDir string

// more are additional arguments for a comparison.
var more []string

func arguments(engine, dir string, moreArguments ...string) []string {
	state := stateDir
	if state == "" {
		state = filepath.Join(dir, "state")
	}
	args := append([]string{"serve", "--state=" + state}, moreArguments...)
	args = append(args, more...)
	if engine != "" {
		args = append(args, "--engine="+engine)
	}
	return args
}

func (d *daemon) stop() {
	_ = d.cmd.Process.Kill() // it may have ended unexpectedly
	_ = d.cmd.Wait()         // its exit code says that it was killed
}

// memory returns the daemon's peak resident memory in MB, 0 if the system does not report it.
func (d *daemon) memory() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(text), "\n") {
		var kb float64
		if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kb); n == 1 {
			return kb / 1024
		}
	}
	return 0
}

// measureStart measures the time from the start of the process to the response to initialize, with the compiled engine
// in its cache.
func measureStart(program, engine, dir string) error {
	var took []time.Duration
	for range 7 {
		begin := time.Now()
		c, err := startClient(program, engine, dir)
		if err != nil {
			return err
		}
		took = append(took, time.Since(begin))
		c.close()
	}
	slices.Sort(took)
	fmt.Printf("initialize answered %.0f ms after the start (median of %d, slowest %.0f ms)\n", ms(took[len(took)/2]), len(took), ms(took[len(took)-1]))
	return nil
}

// measureKeystroke types into a prompt file of 1 MB, and requests the hints around the cursor after each keystroke.
func measureKeystroke(program, engine, dir string) error {
	c, err := startClient(program, engine, dir)
	if err != nil {
		return err
	}
	defer c.close()
	section := "## Section\n\n" + strings.Repeat("A line of ordinary prose, of no great length, with some `code` in it.\n", 40) + "\n"
	text := strings.Repeat(section, 1<<20/len(section)+1)
	const uri = "file:///load/CLAUDE.md"
	document := map[string]any{"uri": uri, "languageId": "markdown", "version": 0, "text": text}
	if err := c.notify("textDocument/didOpen", map[string]any{"textDocument": document}); err != nil {
		return err
	}
	place := func(line, character int) map[string]any { return map[string]any{"line": line, "character": character} }
	hints := map[string]any{"textDocument": map[string]any{"uri": uri}, "range": map[string]any{"start": place(480, 0), "end": place(540, 0)}}
	begin := time.Now()
	if _, err := c.call("textDocument/inlayHint", hints); err != nil {
		return err
	}
	opened := time.Since(begin)
	var took []time.Duration
	for i := range 1001 {
		begin := time.Now()
		err := c.notify("textDocument/didChange", map[string]any{
			"textDocument":   map[string]any{"uri": uri, "version": i + 1},
			"contentChanges": []any{map[string]any{"range": map[string]any{"start": place(500, i%40), "end": place(500, i%40)}, "text": "x"}},
		})
		if err != nil {
			return err
		}
		if _, err := c.call("textDocument/inlayHint", hints); err != nil {
			return err
		}
		took = append(took, time.Since(begin))
	}
	first := took[0]
	took = took[1:]
	slices.Sort(took)
	fmt.Printf("a keystroke in a prompt file of %.1f MB: hints after %.1f ms (p50), %.1f ms (p99), %.1f ms (max of %d); the first took %.1f ms, opening the file %.0f ms\n",
		float64(len(text))/(1<<20), ms(percentile(took, 50)), ms(percentile(took, 99)), ms(percentile(took, 100)), len(took), ms(first), ms(opened))
	return nil
}

// percentile returns a percentile of sorted times.
func percentile(times []time.Duration, percent int) time.Duration {
	if len(times) == 0 {
		return 0
	}
	return times[min(len(times)*percent/100, len(times)-1)]
}
