// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// distributionPatience is how long the names of the running distributions are waited for.
const distributionPatience = 2 * time.Second

// runningDistributions returns the names of the running distributions, without starting one. It asks wsl.exe, unless
// the registry shows that the user has no distribution: without WSL, that program offers to install it, and waits.
func runningDistributions() []string {
	installed := installedDistributions()
	system, err := windows.GetSystemDirectory()
	if err != nil || len(installed) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), distributionPatience)
	defer cancel()
	list := exec.CommandContext(ctx, filepath.Join(system, "wsl.exe"), "--list", "--running", "--quiet")
	list.Env = append(os.Environ(), "WSL_UTF8=1")
	list.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
	out, err := list.Output()
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(listedDistributions(out), func(name string) bool { return !slices.Contains(installed, name) })
}

// installedDistributions returns the names of the user's distributions.
func installedDistributions() (names []string) {
	const path = `Software\Microsoft\Windows\CurrentVersion\Lxss`
	list, err := registry.OpenKey(registry.CURRENT_USER, path, registry.ENUMERATE_SUB_KEYS)
	if err != nil {
		return nil
	}
	defer list.Close()
	ids, _ := list.ReadSubKeyNames(-1)
	for _, id := range ids {
		each, err := registry.OpenKey(registry.CURRENT_USER, path+`\`+id, registry.QUERY_VALUE)
		if err != nil {
			continue
		}
		if name, _, err := each.GetStringValue("DistributionName"); err == nil {
			names = append(names, name)
		}
		each.Close()
	}
	return names
}
