// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"flag"
	"fmt"
	"net/textproto"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/engine/interrupt"
)

func modulesFlags(flags *flag.FlagSet) func([]string) error {
	programPath := programFlag(flags)
	rounds := flags.Int("n", 9, "rounds, in which the modules take turns")
	rest := flags.Duration("rest", 20*time.Second, "how long a daemon rests before its memory is measured")
	return func(args []string) error {
		path, err := programPath()
		if err != nil {
			return err
		}
		if len(args) == 0 {
			args = []string{"wasm/js/ctx.wasm", "bin/go.wasm"}
		}
		return compareModules(path, args, *rounds, *rest)
	}
}

// A moduleCost is the measured cost of a daemon with one module.
type moduleCost struct {
	path, compiler           string
	size, compressed         int
	first, start, update     []time.Duration
	memoryStart, memoryAfter []int64 // in KB
}

// compareModules runs daemons of a program with each module in turns. It prints sizes, CPU times and memory.
func compareModules(program string, modules []string, rounds int, rest time.Duration) error {
	var costs []*moduleCost
	for _, path := range modules {
		c, err := measureFile(path)
		if err != nil {
			return err
		}
		costs = append(costs, c)
	}
	for range rounds {
		for _, c := range costs {
			if err := c.round(program, rest); err != nil {
				return fmt.Errorf("%s: %w", c.path, err)
			}
		}
	}
	fmt.Printf("%-44s", fmt.Sprintf("medians of %d rounds in turns", rounds))
	for _, c := range costs {
		fmt.Printf(" %26s", c.compiler)
	}
	fmt.Println()
	for _, row := range []struct {
		name string
		cell func(*moduleCost) string
	}{
		{"size, KB; compressed by gzip", func(c *moduleCost) string { return fmt.Sprintf("%d; %d", c.size/1000, c.compressed/1000) }},
		{"first start on a machine, compiling; CPU, ms", func(c *moduleCost) string { return middle(c.first, time.Millisecond) }},
		{"later starts; CPU, ms", func(c *moduleCost) string { return middle(c.start, time.Millisecond) }},
		{"an update and its Reading; CPU, us", func(c *moduleCost) string { return middle(c.update, time.Microsecond) }},
		{"memory at rest after the start, MB", func(c *moduleCost) string { return middle(c.memoryStart, 1<<10) }},
		{fmt.Sprintf("memory at rest after %d updates, MB", updates), func(c *moduleCost) string { return middle(c.memoryAfter, 1<<10) }},
	} {
		fmt.Printf("%-44s", row.name)
		for _, c := range costs {
			fmt.Printf(" %26s", row.cell(c))
		}
		fmt.Println()
	}
	return nil
}

func middle[N ~int64](list []N, unit N) string {
	sorted := slices.Sorted(slices.Values(list))
	return fmt.Sprintf("%.1f", float64(sorted[len(sorted)/2])/float64(unit))
}

func measureFile(path string) (*moduleCost, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	module, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(module); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return &moduleCost{path: path, compiler: interrupt.Compiler(module), size: len(module), compressed: packed.Len()}, nil
}

// round measures a daemon that compiles the module, one that finds it compiled, and one with updates.
func (c *moduleCost) round(path string, rest time.Duration) error {
	home, err := os.MkdirTemp("", "ctx-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	p := program{path: path, home: home}
	first, _, err := c.daemon(p, 0, 0)
	if err != nil {
		return err
	}
	start, idle, err := c.daemon(p, 0, rest)
	if err != nil {
		return err
	}
	with, after, err := c.daemon(p, updates, rest)
	if err != nil {
		return err
	}
	c.first, c.start = append(c.first, first), append(c.start, start)
	c.update = append(c.update, (with-start)/updates)
	c.memoryStart, c.memoryAfter = append(c.memoryStart, idle), append(c.memoryAfter, after)
	return nil
}

// daemon runs a daemon with one session and some updates. It returns its CPU time, and its memory in KB after a rest.
func (c *moduleCost) daemon(p program, updates int, rest time.Duration) (cpu time.Duration, memory int64, err error) {
	cmd := p.command("serve", "--stdio", "--engine=wasm", "--module="+c.path)
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	talk := &client{to: in, from: textproto.NewReader(bufio.NewReader(out))}
	if err = begin(talk, updates); err == nil {
		if cpu, err = usedSoFar(cmd.Process.Pid); err == nil && rest > 0 {
			time.Sleep(rest)
			memory, err = ownMemory(cmd.Process.Pid)
		}
	}
	if err == nil {
		err = finish(talk)
	}
	in.Close()
	if err != nil {
		_ = cmd.Process.Kill()
	}
	return cpu, memory, cmp.Or(err, cmd.Wait())
}

var anonymous = regexp.MustCompile(`(?m)^RssAnon:\s+(\d+) kB$`)

// ownMemory returns the memory of a process that no file backs, in KB.
func ownMemory(pid int) (int64, error) {
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0, err
	}
	m := anonymous.FindSubmatch(status)
	if m == nil {
		return 0, fmt.Errorf("the system does not report the memory of process %d", pid)
	}
	return strconv.ParseInt(string(m[1]), 10, 64)
}
