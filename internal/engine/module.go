// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/assets"
	"github.com/ctx-lsp/ctx-lsp/internal/engine/interrupt"
	"github.com/ctx-lsp/ctx-lsp/wasm/js"
)

// Open starts the engine with the given name, "wasm" or "native". An empty name means wasm, or native if there is no
// module or it cannot be run here. If options has no module for wasm, [FindModule] looks for one; path is the file that
// the user has named for it, or empty.
func Open(name, path string, options Options) (*Pool, error) {
	switch name {
	case "":
		pool, err := Open("wasm", path, options)
		if err != nil && path == "" {
			options.withDefaults().Log("the core runs natively, without limits on memory and time: " + err.Error())
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
	return nil, fmt.Errorf("unknown engine %q; expected wasm or native", name)
}

// ErrNoModule is the error if no WebAssembly module is found.
var ErrNoModule = errors.New("this program was built without its WebAssembly module, ctx.wasm")

// FindModule returns the WebAssembly module as it is stored, which may be compressed: the file at path if the user has
// named one, otherwise the one in this program if it was built with the module, otherwise the one next to the program,
// where package assets finds it.
func FindModule(path string) ([]byte, error) {
	if path != "" {
		module, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("the WebAssembly module cannot be read: %w", err)
		}
		return module, nil
	}
	if module := js.Packed(); module != nil {
		return module, nil
	}
	module, err := assets.Read("ctx.wasm")
	if err != nil {
		return nil, fmt.Errorf("%w, and %w. Build it with `make wasm` in a checkout, then build this program again or name the file in CTX_WASM; or use --engine native",
			ErrNoModule, err)
	}
	return module, nil
}

// unpacked returns a module without compression.
func unpacked(module []byte) ([]byte, error) {
	if bytes.HasPrefix(module, []byte("\x00asm")) {
		return module, nil
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	plain, err := decoder.DecodeAll(module, nil)
	if err != nil {
		return nil, fmt.Errorf("the WebAssembly module cannot be compiled: it is damaged or of another format: %w", err)
	}
	return plain, nil
}

// Compiler returns the name of the compiler of the module that FindModule returns for no path, or "" if there is none.
func Compiler() string {
	if name := js.Compiler(); name != "" {
		return name
	}
	path, err := assets.Find("ctx.wasm")
	if err != nil {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	start := make([]byte, interrupt.Start)
	n, _ := io.ReadFull(file, start) // a shorter file is no module
	return interrupt.Compiler(start[:n])
}
