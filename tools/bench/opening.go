// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	openedFew  = 100
	openedMany = 10_000
	// openingPatience is the CPU time that one daemon may take to open its sessions, so that a quadratic one ends.
	openingPatience = time.Minute
	// openingGrowth is the most that one of many sessions may cost, as a multiple of one of few.
	openingGrowth = 2.0
)

// unfinished is the error of a daemon that has not opened its sessions in this CPU time.
type unfinished struct {
	within  time.Duration
	open, n int
}

func (u unfinished) Error() string {
	return fmt.Sprintf("did not finish within %v of CPU time: %d of %d sessions are open", u.within, u.open, u.n)
}

// opened is the cost of one daemon's sessions: of opening all of them, and from shutdown to the end of the process.
type opened struct{ open, exit, openWall, exitWall time.Duration }

func openingFlags(flags *flag.FlagSet) func([]string) error {
	program := programFlag(flags)
	numbers := flags.String("sessions", strconv.Itoa(openedFew)+","+strconv.Itoa(openedMany), "numbers of sessions")
	engine := flags.String("engine", "wasm", "the engine")
	state := flags.String("state", "", "the directory of saved sessions, or none; by default one that is removed")
	return func([]string) error {
		path, err := program()
		if err != nil {
			return err
		}
		return measureOpenings(path, *engine, *state, strings.Split(*numbers, ","))
	}
}

// measureOpenings prints what opening some numbers of sessions costs one daemon, and what ending it costs.
func measureOpenings(path, engine, state string, numbers []string) error {
	fmt.Printf("%10s %12s %12s %14s %12s %12s\n", "sessions", "open, CPU", "open", "CPU, each", "exit, CPU", "exit")
	for _, number := range numbers {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not a number of sessions", number)
		}
		cost, err := inEmptyHome(path, func(p program) (opened, error) { return openMany(p, engine, state, n, 10*time.Minute) })
		if err != nil {
			return fmt.Errorf("%d sessions: %w", n, err)
		}
		fmt.Printf("%10d %10.2f s %10.2f s %11.3f ms %10.2f s %10.2f s\n", n, cost.open.Seconds(), cost.openWall.Seconds(),
			ms(cost.open)/float64(n), cost.exit.Seconds(), cost.exitWall.Seconds())
	}
	return nil
}

// openMany runs `serve`, opens n sessions in it, and shuts it down.
func openMany(p program, engine, state string, n int, patience time.Duration) (cost opened, err error) {
	args := []string{"serve", "--stdio", "--engine=" + engine}
	if state != "" {
		args = append(args, "--state="+state)
	}
	cmd, c, err := start(p, args...)
	if err != nil {
		return cost, err
	}
	defer func() {
		if err != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}()
	type object = map[string]any
	if err := c.call("initialize", object{"capabilities": object{}}); err != nil {
		return cost, err
	}
	if err := c.send(object{"method": "initialized", "params": object{}}); err != nil {
		return cost, err
	}
	if err := c.call("ctx/count", object{"text": "starts the engine", "model": "gpt-5"}); err != nil {
		return cost, err
	}
	before, err := usedSoFar(cmd.Process.Pid)
	if err != nil {
		return cost, err
	}
	began := time.Now()
	for i := range n {
		if err := c.call("ctx/session/open", object{"id": "chat" + strconv.Itoa(i), "model": "gpt-5"}); err != nil {
			return cost, err
		}
		if i%100 != 99 {
			continue
		}
		if now, err := usedSoFar(cmd.Process.Pid); err != nil {
			return cost, err
		} else if now-before > patience {
			return cost, unfinished{patience, i + 1, n}
		}
	}
	after, err := usedSoFar(cmd.Process.Pid)
	if err != nil {
		return cost, err
	}
	cost.open, cost.openWall, began = after-before, time.Since(began), time.Now()
	if err := c.call("shutdown", nil); err != nil {
		return cost, err
	}
	if err := c.send(object{"method": "exit"}); err != nil {
		return cost, err
	}
	if err := cmd.Wait(); err != nil {
		return cost, err
	}
	cost.exit, cost.exitWall = used(cmd)-after, time.Since(began)
	return cost, nil
}

// opening returns the measurement of opening and ending one of n sessions.
func opening(n int) func(program) (time.Duration, error) {
	return func(p program) (time.Duration, error) {
		cost, err := inEmptyHome(p.path, func(empty program) (opened, error) { return openMany(empty, "native", "", n, openingPatience) })
		return (cost.open + cost.exit) / time.Duration(n), err
	}
}

// growth returns an error if one of many sessions costs the commit more than openingGrowth times as much as one of few,
// or if the commit has not opened them. A base that has not opened them is in its row alone.
func growth(few, many times) error {
	if few.missing[1] != nil || many.missing[1] != nil {
		return errors.Join(few.missing[1], many.missing[1])
	}
	ratio := float64(many.middle(1)) / float64(few.middle(1))
	fmt.Printf("one of %d sessions costs %.2f times one of %d\n", openedMany, ratio, openedFew)
	if ratio > openingGrowth {
		return fmt.Errorf("ALARM: at most %.1f times is expected", openingGrowth)
	}
	return nil
}

// inEmptyHome runs do for a program with a home directory of its own, which is removed.
func inEmptyHome(path string, do func(program) (opened, error)) (opened, error) {
	home, err := os.MkdirTemp("", "ctx-bench")
	if err != nil {
		return opened{}, err
	}
	defer os.RemoveAll(home)
	return do(program{path: path, home: home})
}
