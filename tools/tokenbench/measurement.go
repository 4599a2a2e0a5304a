// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// A measurement is the result of one process, for one tokenizer and one text.
type measurement struct {
	Load   time.Duration `json:"load"`   // time until the tokenizer was ready to count
	First  time.Duration `json:"first"`  // time to count the text, the first in the process
	Second time.Duration `json:"second"` // time to count it again
	Size   int           `json:"size"`   // size of the text in bytes
	Tokens int64         `json:"tokens"`
	Memory int64         `json:"-"` // the peak memory of the process in bytes, measured by its parent
}

// measureApart measures in a separate process. The calling process must stay small, because on Linux a child inherits
// the peak memory of its parent.
func measureApart(name, encoding, file string) (measurement, error) {
	var m measurement
	program, err := os.Executable()
	if err != nil {
		return m, err
	}
	c := exec.Command(program, "-alone", name, "-encoding", encoding, file)
	out, err := c.Output()
	if err != nil {
		reason := err.Error()
		if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && len(failed.Stderr) > 0 {
			reason = strings.TrimSpace(strings.TrimPrefix(string(failed.Stderr), "bench: "))
		}
		return m, fmt.Errorf("%s on %s: %s", name, file, reason)
	}
	if err := json.Unmarshal(out, &m); err != nil {
		return m, fmt.Errorf("%s on %s printed something else than a measurement: %w", name, file, err)
	}
	m.Memory = c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	return m, nil
}

// printMeasurement measures in this process, which has not counted anything before.
func printMeasurement(name, encoding, file string) error {
	t, err := findTokenizer(name)
	if err != nil {
		return err
	}
	bytes, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text := string(bytes)
	m := measurement{Size: len(text)}

	begin := time.Now()
	count, err := t.load(encoding)
	if err != nil {
		return err
	}
	m.Load = time.Since(begin)

	begin = time.Now()
	if m.Tokens, err = count(text); err != nil {
		return err
	}
	m.First = time.Since(begin)

	begin = time.Now()
	again, err := count(text)
	if err != nil {
		return err
	}
	m.Second = time.Since(begin)

	if again != m.Tokens {
		return fmt.Errorf("the first pass counted %d tokens and the second %d", m.Tokens, again)
	}
	return json.NewEncoder(os.Stdout).Encode(m)
}
