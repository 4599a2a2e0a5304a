// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"os"
	"runtime"
	"strings"
)

// Environment is everything on which the places of sessions depend. It is a value, so that the places of every system
// can be tested on any system.
type Environment struct {
	OS     string // as runtime.GOOS names it
	Home   string // the user's home directory
	Getenv func(string) string
	// Storages are folders that editors have named, in which their extensions keep their files.
	Storages []string
}

// NewEnvironment makes an environment. A relative path counts as no home directory.
func NewEnvironment(system, home string, getenv func(string) string) Environment {
	e := Environment{OS: system, Home: home, Getenv: getenv}
	if !e.absolute(home) {
		e.Home = ""
	}
	return e
}

// Host is the environment of this process.
func Host() Environment {
	home, _ := os.UserHomeDir()
	return NewEnvironment(runtime.GOOS, home, os.Getenv)
}

// join joins a path with the separator of the environment's system.
func (e Environment) join(parts ...string) string {
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

// absolute says whether p is a full path on the environment's system.
func (e Environment) absolute(p string) bool {
	if e.OS == "windows" {
		return len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') || strings.HasPrefix(p, `\\`)
	}
	return strings.HasPrefix(p, "/")
}

// variable is the value of an environment variable with a leading ~ replaced
// by the home directory.
func (e Environment) variable(name string) string {
	v := strings.TrimSpace(e.Getenv(name))
	if v == "~" {
		return e.Home
	}
	if rest, ok := strings.CutPrefix(v, "~/"); ok {
		return e.join(e.Home, rest)
	}
	return v
}

// folder is the value of an environment variable that names a folder. It is empty for a relative path, which would name
// a folder of whatever project is open.
func (e Environment) folder(name string) string {
	if v := e.variable(name); e.absolute(v) {
		return v
	}
	return ""
}

// dataHome is the XDG data directory; several agents use it on every system.
func (e Environment) dataHome() string {
	if v := e.folder("XDG_DATA_HOME"); v != "" {
		return v
	}
	return e.join(e.Home, ".local/share")
}

// cacheHome is the XDG cache directory, which OpenCode uses on every system.
func (e Environment) cacheHome() string {
	if v := e.folder("XDG_CACHE_HOME"); v != "" {
		return v
	}
	return e.join(e.Home, ".cache")
}

// configHome is the XDG configuration directory.
func (e Environment) configHome() string {
	if v := e.folder("XDG_CONFIG_HOME"); v != "" {
		return v
	}
	return e.join(e.Home, ".config")
}

// roaming and local are the application data folders of Windows.
func (e Environment) roaming() string {
	if v := e.folder("APPDATA"); v != "" {
		return v
	}
	return e.join(e.Home, "AppData/Roaming")
}

func (e Environment) local() string {
	if v := e.folder("LOCALAPPDATA"); v != "" {
		return v
	}
	return e.join(e.Home, "AppData/Local")
}
