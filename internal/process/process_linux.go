// Copyright The ctx-lsp authors. MIT licence.

package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Host returns the system that this program runs on.
func Host() System { return linux{} }

type linux struct{}

// ticks is the number of clock ticks a second in the kernel's files; it has long been 100 on every architecture.
const ticks = 100

// booted returns the time at which the system started, by the clock of this program; zero if unknown.
var booted = sync.OnceValue(func() time.Time {
	var since unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &since) != nil {
		return time.Time{}
	}
	return time.Now().Add(-time.Duration(since.Nano()))
})

// List reads one small file for each process.
func (linux) List() []Process {
	folder, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1)
	var list []Process
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		text, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue // the process has ended in the meantime
		}
		if p, ok := parseStat(pid, text); ok {
			list = append(list, p)
		}
	}
	return list
}

// parseStat reads /proc/PID/stat. The name is in parentheses and may contain any character; numbers follow it.
func parseStat(pid int, text []byte) (Process, bool) {
	open, shut := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 0 || shut < open {
		return Process{}, false
	}
	fields := strings.Fields(string(text[shut+1:]))
	if len(fields) < 20 || fields[0] == "Z" {
		return Process{}, false
	}
	number := func(i int) int64 {
		n, _ := strconv.ParseInt(fields[i], 10, 64)
		return n
	}
	p := Process{PID: pid, Parent: int(number(1)), Name: string(text[open+1 : shut])}
	p.Front = number(2) == number(5) && number(5) > 0
	if boot := booted(); !boot.IsZero() {
		p.Started = boot.Add(time.Duration(number(19)) * (time.Second / ticks)).Round(0)
	}
	return p, true
}

// maxDescriptors limits how many open files of a process are read.
const maxDescriptors = 4096

// Inspect reads the command line, directory and open files, which the kernel shows for the user's own processes.
func (linux) Inspect(p *Process) {
	dir := "/proc/" + strconv.Itoa(p.PID)
	if text, err := os.ReadFile(dir + "/cmdline"); err == nil {
		p.Command = strings.Split(strings.TrimRight(string(text), "\x00"), "\x00")
	}
	p.Dir, _ = os.Readlink(dir + "/cwd")
	folder, err := os.Open(dir + "/fd")
	if err != nil {
		return
	}
	defer folder.Close()
	p.FilesKnown = true
	names, _ := folder.Readdirnames(maxDescriptors)
	for _, name := range names {
		target, err := os.Readlink(dir + "/fd/" + name)
		if err == nil && (strings.HasSuffix(target, ".jsonl") || strings.HasSuffix(target, ".json")) {
			p.Files = append(p.Files, target)
		}
	}
}
