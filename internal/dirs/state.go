// Copyright The ctx-lsp authors. MIT licence.

package dirs

// StateDir returns the directory for files that must survive a restart: learned corrections and ledgers. CTX_STATE_DIR
// overrides it. It is "", and nothing is kept, if there is no home directory or CTX_STATE_DIR is a relative path.
func (e Environment) StateDir() string {
	return e.ownFolder("CTX_STATE_DIR", "Library/Application Support", "state", "XDG_STATE_HOME", ".local/state")
}

// CacheDir returns the directory for files that can be recreated at any time. CTX_CACHE_DIR overrides it. It is ""
// under the same conditions as StateDir.
func (e Environment) CacheDir() string {
	return e.ownFolder("CTX_CACHE_DIR", "Library/Caches", "cache", "XDG_CACHE_HOME", ".cache")
}

// ownFolder returns a directory of ctx-lsp: the value of the given variable of ctx-lsp, or the usual directory of the
// system. On macOS that is mac below the home directory, on Windows a subdirectory of ctx-lsp's local data; elsewhere
// it is in the directory that the variable xdg names, by default unix below the home directory.
func (e Environment) ownFolder(variable, mac, windows, xdg, unix string) string {
	if e.Variable(variable) != "" {
		return e.Folder(variable)
	}
	switch e.OS {
	case "darwin":
		return e.Join(e.Home, mac, "ctx-lsp")
	case "windows":
		return e.Join(e.LocalData(), "ctx-lsp", windows)
	}
	if v := e.Folder(xdg); v != "" {
		return e.Join(v, "ctx-lsp")
	}
	return e.Join(e.Home, unix, "ctx-lsp")
}
