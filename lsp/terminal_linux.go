// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// maxProcesses bounds how many processes of a terminal are looked at.
const maxProcesses = 256

// processesBelow lists a process and its descendants, the deepest first.
func processesBelow(root int) []process {
	pids := []int{root}
	for i := 0; i < len(pids) && len(pids) < maxProcesses; i++ {
		threads, _ := filepath.Glob("/proc/" + strconv.Itoa(pids[i]) + "/task/*/children")
		for _, path := range threads {
			text, err := os.ReadFile(path)
			if err != nil {
				continue // it ended meanwhile
			}
			for _, field := range strings.Fields(string(text)) {
				if pid, err := strconv.Atoi(field); err == nil {
					pids = append(pids, pid)
				}
			}
		}
	}
	var processes []process
	for i := len(pids) - 1; i >= 0; i-- {
		dir := "/proc/" + strconv.Itoa(pids[i])
		cwd, err := os.Readlink(dir + "/cwd")
		if err != nil {
			continue
		}
		command, _ := os.ReadFile(dir + "/cmdline")
		name, _ := os.ReadFile(dir + "/comm")
		p := process{name: strings.TrimSpace(string(name)), command: strings.ReplaceAll(string(command), "\x00", " "), dir: cwd}
		if info, err := os.Stat(dir); err == nil {
			p.started = info.ModTime() // the folder appears with the process
		}
		processes = append(processes, p)
	}
	return processes
}
