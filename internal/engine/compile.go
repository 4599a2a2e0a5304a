// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/ctx-lsp/ctx-lsp/internal/engine/interrupt"
)

// A wasmHost contains the compiled modules of which instances are made. Everything is compiled when the host is
// created, so that starting another instance later does not need the disk.
type wasmHost struct {
	options  Options
	runtime  wazero.Runtime
	cache    wazero.CompilationCache
	compiled wazero.CompiledModule

	// filler is the module that fills the hook (see package interrupt); nil if the module has no hook.
	filler wazero.CompiledModule
}

// The module names for the instance and for the hook's function in a filler's imports.
const (
	fillerCore = "core"
	fillerHook = "hook"
)

// newWasmHost compiles a module, or loads its compiled form from the cache. The cache never prevents a start: a damaged
// entry is removed and compiled again, and if nothing can be written, the module is compiled for this run only.
func newWasmHost(options Options) (*wasmHost, error) {
	entry, err := openEntry(options.CacheDir, options.KeyFile, options.Module)
	if err != nil {
		options.Log("the compiled engine cannot be saved in " + options.CacheDir + " (" + err.Error() + "); it will be compiled at every start")
	}
	if entry.stub != nil {
		host, err := compileHost(options, entry.stub, entry.dir)
		if err == nil && entry.unchanged() {
			return host, nil
		}
		if err == nil {
			host.close()
			err = errors.New("it is not for this machine")
		}
		options.Log("the compiled engine in " + entry.dir + " cannot be used (" + err.Error() + "); it is compiled again")
		entry.remove()
	}
	options.Log("compiling the engine for this machine; this happens once")
	module, err := unpacked(options.Module)
	if err != nil {
		return nil, err
	}
	if entry.dir == "" {
		return compileHost(options, module, "")
	}
	host, saved := compileAndSave(options, module, entry)
	if host == nil {
		if host, err = compileHost(options, module, ""); err != nil {
			return nil, err
		}
	}
	if saved != nil {
		options.Log("the compiled engine cannot be saved in " + entry.dir + " (" + saved.Error() + "); it will be compiled at every start")
	}
	return host, nil
}

// compileAndSave compiles a module and its stub, and makes their compiled forms an entry of the cache. With the error
// it returns the host if only saving has failed.
func compileAndSave(options Options, module []byte, entry entry) (*wasmHost, error) {
	dir, err := os.MkdirTemp(filepath.Dir(entry.dir), "new-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	host, err := compileHost(options, module, dir)
	if err != nil {
		return nil, err
	}
	stub, err := interrupt.Stub(module)
	if err != nil {
		return host, err
	}
	named := filepath.Join(dir, "stub")
	ofStub, err := compileHost(options, stub, named)
	if err != nil {
		return host, err
	}
	ofStub.close()
	return host, entry.keep(dir, named, stub)
}

// compileHost compiles a module. If dir is not empty, the compiled form is read from there and saved there.
func compileHost(options Options, module []byte, dir string) (host *wasmHost, err error) {
	ctx := experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0))
	h := &wasmHost{options: options}
	h.options.Module = nil // the bytes are no longer needed after this call
	defer func() {
		// wazero panics if the system provides no executable memory.
		if cause := recover(); cause != nil {
			host, err = nil, fmt.Errorf("the WebAssembly module cannot be compiled: %v", cause)
		}
		if err != nil {
			h.close()
		}
	}()
	slot, hooked := interrupt.Slot(module)
	config := wazero.NewRuntimeConfig().
		WithCloseOnContextDone(!hooked). // lets a deadline end any loop, but makes each loop slow
		WithMemoryLimitPages(uint32(options.MemoryLimit >> 16))
	if dir != "" {
		if h.cache, err = wazero.NewCompilationCacheWithDir(dir); err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(h.cache)
	}
	h.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if h.compiled, err = h.runtime.CompileModule(ctx, module); err != nil {
		return nil, fmt.Errorf("the WebAssembly module cannot be compiled: %w", err)
	}
	if hooked {
		if h.filler, err = h.runtime.CompileModule(ctx, interrupt.Filler(fillerCore, fillerHook, slot)); err != nil {
			return nil, fmt.Errorf("the placeholder of the WebAssembly module's hook cannot be compiled: %w", err)
		}
	}
	for _, imported := range h.compiled.ImportedFunctions() {
		if from, name, _ := imported.Import(); from != wasi_snapshot_preview1.ModuleName {
			return nil, fmt.Errorf("the WebAssembly module imports %s.%s, which the core does not use", from, name)
		}
	}
	if len(h.compiled.ImportedFunctions()) > 0 {
		wasi_snapshot_preview1.MustInstantiate(ctx, h.runtime)
	}
	return h, nil
}

func (h *wasmHost) close() {
	if h.runtime != nil {
		h.runtime.Close(context.Background())
	}
	if h.cache != nil {
		h.cache.Close(context.Background())
	}
}
