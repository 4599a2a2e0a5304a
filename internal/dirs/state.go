// Copyright The ctx-lsp authors. MIT licence.

package dirs

// StateDir is where ctx-lsp keeps what must survive a restart: its lessons and ledgers. CTX_STATE_DIR moves it. It is
// empty, and nothing is kept, where there is no home directory or CTX_STATE_DIR is a relative path.
func (e Environment) StateDir() string {
	return e.ownFolder("CTX_STATE_DIR", "Library/Application Support", "state", "XDG_STATE_HOME", ".local/state")
}

// CacheDir is where ctx-lsp keeps what it can make again at any time. CTX_CACHE_DIR moves it. It is empty where
// StateDir would be.
func (e Environment) CacheDir() string {
	return e.ownFolder("CTX_CACHE_DIR", "Library/Caches", "cache", "XDG_CACHE_HOME", ".cache")
}

// ownFolder is a folder of ctx-lsp: the one that an environment variable of ctx-lsp names, or the usual one of the
// system. mac is below the home directory, windows below ctx-lsp's own folder there; elsewhere the variable xdg names
// the place, and without it unix does, below the home directory.
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
