// Copyright The ctx-lsp authors. MIT licence.

package source

// StateDir is where ctx-lsp keeps what must survive a restart: its lessons and ledgers. CTX_STATE_DIR moves it. It is
// empty, and nothing is kept, where there is no home directory or CTX_STATE_DIR is a relative path.
func (e Environment) StateDir() string {
	if e.variable("CTX_STATE_DIR") != "" {
		return e.folder("CTX_STATE_DIR")
	}
	switch e.OS {
	case "darwin":
		return e.join(e.Home, "Library/Application Support/ctx-lsp")
	case "windows":
		return e.join(e.local(), "ctx-lsp", "state")
	}
	if v := e.folder("XDG_STATE_HOME"); v != "" {
		return e.join(v, "ctx-lsp")
	}
	return e.join(e.Home, ".local/state/ctx-lsp")
}

// CacheDir is where ctx-lsp keeps what it can make again at any time. CTX_CACHE_DIR moves it. It is empty where
// StateDir would be.
func (e Environment) CacheDir() string {
	if e.variable("CTX_CACHE_DIR") != "" {
		return e.folder("CTX_CACHE_DIR")
	}
	switch e.OS {
	case "darwin":
		return e.join(e.Home, "Library/Caches/ctx-lsp")
	case "windows":
		return e.join(e.local(), "ctx-lsp", "cache")
	}
	if v := e.folder("XDG_CACHE_HOME"); v != "" {
		return e.join(v, "ctx-lsp")
	}
	return e.join(e.Home, ".cache/ctx-lsp")
}
