// Copyright The ctx-lsp authors. MIT licence.

package process

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Host returns the system that this program runs on.
func Host() System { return host{} }

type host struct{}

// List takes a snapshot of all processes. Windows shows their directories and open files only to programs that read
// their memory, which ctx-lsp does not do.
func (host) List() []Process {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil
	}
	defer windows.CloseHandle(snapshot)
	var list []Process
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		p := Process{PID: int(entry.ProcessID), Parent: int(entry.ParentProcessID), Name: windows.UTF16ToString(entry.ExeFile[:])}
		if agentOf(p.Name) != "" || interprets(p.Name) {
			p.Started = startOf(entry.ProcessID)
		}
		list = append(list, p)
	}
	return list
}

func startOf(pid uint32) time.Time {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return time.Time{}
	}
	defer windows.CloseHandle(process)
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(process, &created, &exited, &kernel, &user) != nil {
		return time.Time{}
	}
	return time.Unix(0, created.Nanoseconds())
}

// Inspect does nothing.
func (host) Inspect(*Process) {}
