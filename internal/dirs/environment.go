// Copyright The ctx-lsp authors. MIT licence.

// Package dirs finds the directories in which programs, including ctx-lsp, keep their files on each system, and
// compares paths.
package dirs

import (
	"os"
	"runtime"
	"strings"
)

// Environment contains everything that determines the locations of sessions. It is a value, so that the locations on
// every system can be tested on any system.
type Environment struct {
	OS     string // a value of runtime.GOOS
	Home   string // the user's home directory
	Getenv func(string) string
	// Storages are directories, reported by editors, in which their extensions keep files.
	Storages []string
	// Distributions is set if sessions in running distributions of WSL are wanted, too. Finding these takes a program
	// that Windows has.
	Distributions bool
	// Allowed reports whether files of the agent with this id may be read; nil allows all. Files of other agents are
	// not opened.
	Allowed func(agent string) bool
}

// Allows reports whether files of the agent with this id may be read.
func (e Environment) Allows(agent string) bool { return e.Allowed == nil || e.Allowed(agent) }

// New returns an environment. A relative home directory is treated as missing.
func New(system, home string, getenv func(string) string) Environment {
	e := Environment{OS: system, Home: home, Getenv: getenv}
	if !e.Absolute(home) {
		e.Home = ""
	}
	return e
}

// Host returns the environment of this process.
func Host() Environment {
	home, _ := os.UserHomeDir()
	return New(runtime.GOOS, home, os.Getenv)
}

// Join joins path elements with the separator of the environment's system. It returns "" if any element is empty.
func (e Environment) Join(parts ...string) string {
	separator := "/"
	if e.OS == "windows" {
		separator = `\`
	}
	var b strings.Builder
	for _, part := range parts {
		if part == "" {
			return ""
		}
		if e.OS == "windows" {
			part = strings.ReplaceAll(part, "/", `\`)
		}
		if b.Len() > 0 && !strings.HasSuffix(b.String(), separator) {
			b.WriteString(separator)
		}
		b.WriteString(part)
	}
	return b.String()
}

// Absolute reports whether p is an absolute path on the environment's system.
func (e Environment) Absolute(p string) bool {
	if e.OS == "windows" {
		return len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') || strings.HasPrefix(p, `\\`)
	}
	return strings.HasPrefix(p, "/")
}

// Variable returns the value of an environment variable, with a leading ~ replaced by the home directory.
func (e Environment) Variable(name string) string {
	v := strings.TrimSpace(e.Getenv(name))
	if v == "~" {
		return e.Home
	}
	if rest, ok := strings.CutPrefix(v, "~/"); ok {
		return e.Join(e.Home, rest)
	}
	return v
}

// Folder returns the value of an environment variable that names a directory. It returns "" for a relative path, which
// would depend on the current directory.
func (e Environment) Folder(name string) string {
	if v := e.Variable(name); e.Absolute(v) {
		return v
	}
	return ""
}

// DataHome returns the XDG data directory; several agents use it on every system.
func (e Environment) DataHome() string {
	if v := e.Folder("XDG_DATA_HOME"); v != "" {
		return v
	}
	return e.Join(e.Home, ".local/share")
}

// CacheHome returns the XDG cache directory, which OpenCode uses on every system.
func (e Environment) CacheHome() string {
	if v := e.Folder("XDG_CACHE_HOME"); v != "" {
		return v
	}
	return e.Join(e.Home, ".cache")
}

// ConfigHome returns the XDG configuration directory.
func (e Environment) ConfigHome() string {
	if v := e.Folder("XDG_CONFIG_HOME"); v != "" {
		return v
	}
	return e.Join(e.Home, ".config")
}

// Roaming returns Windows's application data directory that follows the user to other machines.
func (e Environment) Roaming() string {
	if v := e.Folder("APPDATA"); v != "" {
		return v
	}
	return e.Join(e.Home, "AppData/Roaming")
}

// LocalData returns Windows's application data directory that stays on this machine.
func (e Environment) LocalData() string {
	if v := e.Folder("LOCALAPPDATA"); v != "" {
		return v
	}
	return e.Join(e.Home, "AppData/Local")
}

// Applications returns the directory in which desktop applications keep their data.
func (e Environment) Applications() string {
	switch e.OS {
	case "darwin":
		return e.Join(e.Home, "Library/Application Support")
	case "windows":
		return e.Roaming()
	}
	return e.ConfigHome()
}

// ApplicationConfig returns the directory in which a Python program keeps its configuration.
func (e Environment) ApplicationConfig(program string) string {
	switch e.OS {
	case "darwin":
		return e.Join(e.Home, "Library/Application Support", program)
	case "windows":
		return e.Join(e.LocalData(), program, program)
	}
	return e.Join(e.ConfigHome(), program)
}

// Above returns the parent directory of a path of the environment's system.
func (e Environment) Above(path string) string {
	separators := "/"
	if e.OS == "windows" {
		separators = `/\`
	}
	return path[:max(strings.LastIndexAny(path, separators), 0)]
}
