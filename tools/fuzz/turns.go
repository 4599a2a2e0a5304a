// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"
)

// longest is the maximum length of a target's turn, so that even a run that is ended early has tried all targets.
const longest = 5 * time.Minute

// minimizing is how many executions a target may spend on minimizing one input. A time limit would take most of a turn,
// because every input that reaches something new is minimized.
const minimizing = "20x"

// runAll runs targets in turn until the time is over, and prints the executions of each.
func runAll(found []target, all time.Duration, workers int) (failed int, err error) {
	end := time.Now().Add(all)
	turn := min(all/time.Duration(len(found)), longest)
	executions := map[target]int64{}
	broken := map[target]bool{}
	for time.Until(end) > time.Second && len(broken) < len(found) {
		for _, each := range found {
			left := min(turn, time.Until(end))
			if broken[each] || left < time.Second {
				continue
			}
			n, good := run(each, left, workers)
			executions[each] += n
			if !good {
				broken[each] = true // the same input would fail again
			}
		}
	}
	total := int64(0)
	for _, each := range found {
		verdict := ""
		if broken[each] {
			verdict = ", and fails"
		}
		fmt.Printf("%s %s: %d executions%s\n", each.folder, each.name, executions[each], verdict)
		total += executions[each]
	}
	fmt.Printf("%d executions of %d targets, %d failed\n", total, len(found), len(broken))
	return len(broken), nil
}

var executed = regexp.MustCompile(`execs: (\d+)`)

// run runs one target for one turn.
func run(each target, turn time.Duration, workers int) (executions int64, good bool) {
	command := exec.Command("go", "test", "./"+each.folder, "-run", "^$", "-fuzz", "^"+each.name+"$", "-fuzztime", turn.Round(time.Second).String(),
		"-fuzzminimizetime", minimizing, "-parallel", strconv.Itoa(workers))
	var text bytes.Buffer
	out, in := io.Pipe()
	command.Stdout, command.Stderr = in, in
	counted := make(chan int64)
	go func() {
		last := int64(0)
		lines := bufio.NewReader(out)
		for {
			line, err := lines.ReadBytes('\n')
			if match := executed.FindSubmatch(line); match != nil {
				last, _ = strconv.ParseInt(string(match[1]), 10, 64) // only digits, and too few to overflow
			} else {
				text.Write(line)
			}
			if err != nil {
				counted <- last
				return
			}
		}
	}()
	err := command.Run()
	in.Close()
	executions = <-counted
	fmt.Printf("%s %s %s: %d executions\n", time.Now().Format(time.TimeOnly), each.folder, each.name, executions)
	// The go command treats a turn that ends in the middle of an input as a failure, but without naming an input.
	ended := bytes.Contains(text.Bytes(), []byte("context deadline exceeded")) && !bytes.Contains(text.Bytes(), []byte("Failing input written"))
	if err != nil && !ended {
		os.Stdout.Write(text.Bytes())
	}
	return executions, err == nil || ended
}
