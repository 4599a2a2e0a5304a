// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/wasm/js"
)

// Open starts the engine called name, "wasm" or "native". An empty name means wasm, or native where there is no module
// or it cannot be run here. If options has no module for wasm, [FindModule] looks for one; path is the file that the
// user has named for it, or empty.
func Open(name, path string, options Options) (*Pool, error) {
	switch name {
	case "":
		pool, err := Open("wasm", path, options)
		if err != nil && path == "" {
			options.withDefaults().Log("the core runs natively, with no bound on its memory and time: " + err.Error())
			return Native(options)
		}
		return pool, err
	case "native":
		return Native(options)
	case "wasm":
		if len(options.Module) == 0 {
			module, err := FindModule(path)
			if err != nil {
				return nil, err
			}
			options.Module = module
		}
		return Wasm(options)
	}
	return nil, fmt.Errorf("there is no engine %q; known are wasm and native", name)
}

// ErrNoModule says that no WebAssembly module was found.
var ErrNoModule = errors.New("this program was built without its WebAssembly module, ctx.wasm")

// FindModule finds the WebAssembly module: at path if the user has named one; else in this program, if the module was
// there when it was built; else beside the program; else in the checkout in which the program lies. It never looks in
// the working directory, which belongs to whatever project is open.
func FindModule(path string) ([]byte, error) {
	if path != "" {
		module, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("the WebAssembly module cannot be read: %w", err)
		}
		return module, nil
	}
	if module := js.Module(); module != nil {
		return module, nil
	}
	var tried []string
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		dir := filepath.Dir(exe)
		for _, place := range []string{
			filepath.Join(dir, "ctx.wasm"),
			filepath.Join(dir, "wasm", "js", "ctx.wasm"),
			filepath.Join(dir, "..", "wasm", "js", "ctx.wasm"),
		} {
			if module, err := os.ReadFile(place); err == nil {
				return module, nil
			}
			tried = append(tried, place)
		}
	}
	return nil, fmt.Errorf("%w, and there is none at %s. Build it with `make wasm` in a checkout, then build this program again or name the file in CTX_WASM; or use --engine native",
		ErrNoModule, strings.Join(tried, ", "))
}
