// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A distribution of WSL sees the drives of Windows as directories, and so also the sessions of agents that run in
// Windows. Windows sees the files of a distribution as a share. Opening the share of a stopped distribution starts it,
// so only running ones are searched, and only for a command that lists sessions once.

// windowsSide is the name of the host of sessions in Windows, distributionSide the beginning of that of sessions in a
// distribution.
const (
	windowsSide      = "Windows"
	distributionSide = "WSL: "
)

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

// homesOfWindows returns the users' directories that a distribution of WSL sees.
func homesOfWindows() []string {
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

// distributionShares are the names of the share with the distributions, the newer one first. Tests have their own.
var distributionShares = []string{"//wsl.localhost", "//wsl$"}

// findDistributions returns the names of the running distributions. Tests have their own.
var findDistributions = runningDistributions

// distributionPace is for how long they are known: each of an agent's locations depends on them.
const distributionPace = 5 * time.Second

var distributions = struct {
	sync.Mutex
	at    time.Time
	sides []side
}{}

// sidesOfDistributions returns the users' directories of running distributions.
func sidesOfDistributions() []side {
	distributions.Lock()
	defer distributions.Unlock()
	if time.Since(distributions.at) < distributionPace {
		return distributions.sides
	}
	distributions.sides = nil
	for _, name := range findDistributions() {
		system, host := distributionShares[0]+"/"+name, distributionSide+name
		for _, entry := range entries(system + "/home") {
			if entry.IsDir() {
				distributions.sides = append(distributions.sides, side{system + "/home/" + entry.Name(), host})
			}
		}
		distributions.sides = append(distributions.sides, side{system + "/root", host})
	}
	distributions.at = time.Now()
	return distributions.sides
}

// listedDistributions returns the lines that wsl.exe prints, in UTF-16 or UTF-8. Messages in the user's language can be
// among them.
func listedDistributions(out []byte) (names []string) {
	text := string(out)
	if strings.Contains(text, "\x00") {
		units := make([]uint16, 0, len(out)/2)
		for i := 0; i+1 < len(out); i += 2 {
			units = append(units, uint16(out[i])|uint16(out[i+1])<<8)
		}
		text = string(utf16.Decode(units))
	}
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		if name := strings.TrimSpace(line); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// A side is a user's directory in another system of this machine.
type side struct{ home, host string }

// otherSides returns the users' directories of Windows for a distribution of WSL, and those of running distributions
// for a command in Windows that asks for them.
func otherSides(e dirs.Environment) (sides []side) {
	switch {
	case e.OS == "linux" && e.Getenv("WSL_DISTRO_NAME") != "":
		for _, home := range homesOfWindows() {
			sides = append(sides, side{home, windowsSide})
		}
	case e.OS == "windows" && e.Distributions:
		sides = sidesOfDistributions()
	}
	return sides
}

// otherRoots returns the existing locations of an agent in the users' directories of other systems. Databases are left
// out, because their locks do not work across systems.
func (a *Agent) otherRoots(e dirs.Environment) (roots []Root) {
	if a.Store != nil || a.Forms[transcript.Database] != nil || a.Roots == nil {
		return nil
	}
	for _, side := range otherSides(e) {
		other := environmentOfSide(e, side.home)
		own, _ := a.Home.In(other)
		if own == "" {
			continue
		}
		if _, err := os.Stat(own); err != nil {
			continue
		}
		for _, root := range a.Roots(other, own, "") {
			if strings.HasPrefix(root.Path, own+"/") && root.Exists() {
				root.Path = filepath.FromSlash(root.Path)
				root.Name = strings.TrimPrefix(root.Name+", "+side.host, ", ")
				roots = append(roots, root)
			}
		}
	}
	return roots
}

// environmentOfSide returns the environment of agents in a user's directory of another system. Paths are joined as in
// Linux on both sides.
func environmentOfSide(e dirs.Environment, home string) dirs.Environment {
	e.OS, e.Home, e.Getenv, e.Storages, e.Distributions = "linux", home, func(string) string { return "" }, nil, false
	return e
}

// InDistribution reports whether Windows sees a directory as one of a distribution.
func InDistribution(dir string) bool {
	return slices.ContainsFunc(distributionShares, func(share string) bool {
		return strings.HasPrefix(filepath.ToSlash(dir)+"/", share+"/")
	})
}

// homeOfSide returns the user's directory that contains a session of another system; "" for a session of this side.
func homeOfSide(e dirs.Environment, path string) string {
	var roots []string
	var depths map[string]int // a user's directory's depth, by the name below the drive or the distribution
	switch {
	case e.OS == "windows":
		roots, depths = distributionShares, map[string]int{"home": 3, "root": 2}
	case e.OS == "linux" && e.Getenv("WSL_DISTRO_NAME") != "":
		roots, depths = []string{windowsDrives}, map[string]int{"Users": 3}
	}
	path = filepath.ToSlash(path)
	for _, root := range roots {
		below, ok := strings.CutPrefix(path, root+"/")
		if !ok {
			continue
		}
		names := strings.SplitN(below, "/", 4)
		if len(names) < 2 {
			return ""
		}
		if depth := depths[names[1]]; depth > 0 && len(names) > depth {
			return root + "/" + strings.Join(names[:depth], "/")
		}
	}
	return ""
}

// placeOther sets the host of a session of another system, and its workspace as this side sees it.
func placeOther(s *transcript.Session, windows bool) {
	host, workspace := sideOf(s, windows)
	if host == "" {
		return
	}
	if s.Host == "" {
		s.Host = host
	}
	if workspace != "" {
		s.Workspace = workspace
	}
}

// sideOf returns the host of a session of another system, and its workspace as this side sees it; "" for a workspace
// that this side does not see, and for a session of this side.
func sideOf(s *transcript.Session, windows bool) (host, workspace string) {
	w := s.Workspace
	if !windows {
		drive, below := strings.CutPrefix(s.Path, windowsDrives+"/")
		if !below || len(drive) < 2 || drive[1] != '/' {
			return "", ""
		}
		if len(w) > 2 && w[1] == ':' && (w[2] == '\\' || w[2] == '/') {
			workspace = windowsDrives + "/" + strings.ToLower(w[:1]) + strings.ReplaceAll(w[2:], `\`, "/")
		}
		return windowsSide, workspace
	}
	for _, share := range distributionShares {
		below, ok := strings.CutPrefix(filepath.ToSlash(s.Path), share+"/")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(below, "/")
		drive, mounted := strings.CutPrefix(w, "/mnt/")
		switch {
		case mounted && (len(drive) == 1 || len(drive) > 1 && drive[1] == '/'):
			workspace = strings.ToUpper(drive[:1]) + `:\` + strings.ReplaceAll(strings.TrimPrefix(drive[1:], "/"), "/", `\`)
		case strings.HasPrefix(w, "/"):
			workspace = filepath.FromSlash(share + "/" + name + w)
		}
		return distributionSide + name, workspace
	}
	return "", ""
}
