// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A distribution of WSL sees the drives of Windows as directories, and so also the sessions of agents that run in
// Windows.

// windowsSide is the name of the host of these sessions.
const windowsSide = "Windows"

// windowsDrives is the folder with the drives. Tests have their own.
var windowsDrives = "/mnt"

// windowsPace is how often the home directories of Windows are searched for: it costs milliseconds there.
const windowsPace = time.Minute

var windowsHomes = struct {
	sync.Mutex
	at    time.Time
	homes []string
}{}

// notUsers lists directories of C:\Users that do not belong to users.
var notUsers = []string{"Public", "Default", "Default User", "All Users", "WsiAccount"}

// homesOfWindows returns the users' directories that a distribution of WSL sees; none elsewhere.
func homesOfWindows(e dirs.Environment) []string {
	if e.OS != "linux" || e.Getenv("WSL_DISTRO_NAME") == "" {
		return nil
	}
	windowsHomes.Lock()
	defer windowsHomes.Unlock()
	if time.Since(windowsHomes.at) < windowsPace {
		return windowsHomes.homes
	}
	windowsHomes.at, windowsHomes.homes = time.Now(), nil
	users := filepath.Join(windowsDrives, "c", "Users")
	for _, entry := range entries(users) {
		home := filepath.Join(users, entry.Name())
		if entry.IsDir() && !slices.Contains(notUsers, entry.Name()) && len(entries(home)) > 0 {
			windowsHomes.homes = append(windowsHomes.homes, home)
		}
	}
	return windowsHomes.homes
}

// windowsRoots returns the existing locations of an agent in the users' directories of Windows. Databases are left out,
// because their locks do not work across systems.
func (a *Agent) windowsRoots(e dirs.Environment) (roots []Root) {
	if a.Store != nil || a.Roots == nil {
		return nil
	}
	for _, home := range homesOfWindows(e) {
		other := e
		other.Home, other.Getenv, other.Storages = home, func(string) string { return "" }, nil
		own, _ := a.Home.In(other)
		if own == "" {
			continue
		}
		if _, err := os.Stat(own); err != nil {
			continue
		}
		for _, root := range a.Roots(other, own, "") {
			if strings.HasPrefix(root.Path, own+"/") && root.Exists() {
				root.Name = strings.TrimPrefix(root.Name+", "+windowsSide, ", ")
				roots = append(roots, root)
			}
		}
	}
	return roots
}

// placeWindows sets the host of a session of Windows, and its workspace as this side sees it.
func placeWindows(s *transcript.Session) {
	drive, below := strings.CutPrefix(s.Path, windowsDrives+"/")
	if !below || len(drive) < 2 || drive[1] != '/' {
		return
	}
	if s.Host == "" {
		s.Host = windowsSide
	}
	if w := s.Workspace; len(w) > 2 && w[1] == ':' && (w[2] == '\\' || w[2] == '/') {
		s.Workspace = windowsDrives + "/" + strings.ToLower(w[:1]) + strings.ReplaceAll(w[2:], `\`, "/")
	}
}
