// Copyright The ctx-lsp authors. MIT licence.

package process

import (
	"bytes"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Host returns the system that this program runs on.
func Host() System { return host{} }

type host struct{}

// List reads the kernel's table of processes. Directories and open files would need libproc, and therefore cgo.
func (host) List() []Process {
	table, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	list := make([]Process, 0, len(table))
	for i := range table {
		entry := &table[i]
		name := entry.Proc.P_comm[:]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		list = append(list, Process{
			PID: int(entry.Proc.P_pid), Parent: int(entry.Eproc.Ppid), Name: string(name),
			Started: time.Unix(entry.Proc.P_starttime.Unix()),
			Front:   entry.Eproc.Tpgid > 0 && entry.Eproc.Pgid == entry.Eproc.Tpgid,
		})
	}
	return list
}

// Inspect reads the command line, which the kernel shows for the user's own processes: the number of arguments, the
// program's path and zeros, then the arguments. It ignores the environment that follows.
func (host) Inspect(p *Process) {
	text, err := unix.SysctlRaw("kern.procargs2", p.PID)
	if err != nil || len(text) < 4 {
		return
	}
	count := int(text[0]) | int(text[1])<<8 | int(text[2])<<16
	rest := text[4:]
	if end := bytes.IndexByte(rest, 0); end >= 0 {
		rest = bytes.TrimLeft(rest[end:], "\x00")
	}
	for i := 0; i < count && len(rest) > 0 && i < 64; i++ {
		argument, after, _ := bytes.Cut(rest, []byte{0})
		p.Command = append(p.Command, strings.Clone(string(argument)))
		rest = after
	}
}
