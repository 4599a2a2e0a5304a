// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package lsp

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// ownedAlone refuses a directory that another user made or may enter.
func ownedAlone(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || ok && int(stat.Uid) != os.Getuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s must be a directory of yours that nobody else can enter (mode 0700)", dir)
	}
	return nil
}

// detach lets a process outlive the editor that started it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
