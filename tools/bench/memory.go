// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func memoryFlags(flags *flag.FlagSet) func([]string) error {
	programPath := programFlag(flags)
	numbers := flags.String("sessions", "1,60,10000", "numbers of sessions")
	rest := flags.Duration("rest", 20*time.Second, "how long a daemon rests before its memory is measured")
	return func(modules []string) error {
		path, err := programPath()
		if err != nil {
			return err
		}
		if len(modules) == 0 {
			modules = []string{"wasm/js/ctx.wasm", "bin/go.wasm"}
		}
		fmt.Printf("%-44s %10s %14s %14s\n", "module", "sessions", "at rest, MB", "peak, MB")
		for _, module := range modules {
			cost, err := measureFile(module)
			if err != nil {
				return err
			}
			for _, number := range strings.Split(*numbers, ",") {
				n, err := strconv.Atoi(number)
				if err != nil || n < 1 {
					return fmt.Errorf("%q is not a number of sessions", number)
				}
				var idle, peak int64
				_, err = inEmptyHome(path, func(p program) (opened, error) {
					idle, peak, err = memoryWith(p, cost.path, n, *rest)
					return opened{}, err
				})
				if err != nil {
					return fmt.Errorf("%s with %d sessions: %w", module, n, err)
				}
				fmt.Printf("%-44s %10d %14.0f %14.0f\n", cost.compiler, n, float64(idle)/1024, float64(peak)/1024)
			}
		}
		return nil
	}
}

// memoryWith runs a daemon with n sessions, each with a message and a measured request. It returns its memory after a
// rest that no file backs, and the most that it had with the files, both in KB. The module has been compiled before, in
// a process of its own.
func memoryWith(p program, module string, n int, rest time.Duration) (idle, peak int64, err error) {
	args := []string{"serve", "--stdio", "--engine=wasm", "--module=" + module}
	for _, sessions := range []int{0, n} {
		cmd, c, err := start(p, args...)
		if err != nil {
			return 0, 0, err
		}
		err = begin(c, 1)
		for i := 1; i < sessions && err == nil; i++ {
			id := "s" + strconv.Itoa(i)
			for _, call := range []struct {
				method string
				params object
			}{
				{"ctx/session/open", object{"id": id, "model": "gpt-5", "limits": object{"window": 1 << 30}}},
				{"ctx/session/update", object{"id": id, "append": []object{{"kind": "user", "text": words(i)}}}},
				{"ctx/session/usage", object{"id": id, "provider": "ctx", "usage": object{"in": 20_000 + i, "out": 100}}},
			} {
				if err == nil {
					err = c.call(call.method, call.params)
				}
			}
		}
		if err == nil && sessions > 0 {
			time.Sleep(rest)
			if idle, err = ownMemory(cmd.Process.Pid); err == nil {
				peak, err = peakMemory(cmd.Process.Pid)
			}
		}
		if err == nil {
			err = finish(c)
		}
		c.to.Close()
		if err != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			return 0, 0, err
		}
		if err := cmd.Wait(); err != nil {
			return 0, 0, err
		}
	}
	return idle, peak, nil
}

// peakMemory returns the most memory that a process has had, in KB.
func peakMemory(pid int) (int64, error) {
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0, err
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0, fmt.Errorf("the system does not report the memory of process %d", pid)
	}
	return strconv.ParseInt(string(fields[0]), 10, 64)
}
