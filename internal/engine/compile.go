// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"context"
	"fmt"
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
	if !entry.warm {
		options.Log("compiling the engine for this machine; this happens once")
	}
	host, err := compileHost(options, entry.dir)
	if err != nil && entry.warm {
		options.Log("the compiled engine in " + entry.dir + " cannot be used (" + err.Error() + "); it is compiled again")
		entry.remove()
		entry.warm = false
		host, err = compileHost(options, entry.dir)
	}
	if err != nil && entry.dir != "" {
		withCache := err
		if host, err = compileHost(options, ""); err == nil {
			options.Log("the compiled engine cannot be saved in " + entry.dir + " (" + withCache.Error() + "); it will be compiled at every start")
			entry.remove()
		}
		return host, err
	}
	if err == nil {
		entry.keep()
	}
	return host, err
}

// compileHost compiles a module. If dir is not empty, the compiled form is read from there and saved there.
func compileHost(options Options, dir string) (host *wasmHost, err error) {
	ctx := experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0))
	h := &wasmHost{options: options}
	defer func() {
		// wazero panics if the system provides no executable memory.
		if cause := recover(); cause != nil {
			host, err = nil, fmt.Errorf("the WebAssembly module cannot be compiled: %v", cause)
		}
		if err != nil {
			h.close()
		}
	}()
	slot, hooked := interrupt.Slot(options.Module)
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
	if h.compiled, err = h.runtime.CompileModule(ctx, options.Module); err != nil {
		return nil, fmt.Errorf("the WebAssembly module cannot be compiled: %w", err)
	}
	if hooked {
		if h.filler, err = h.runtime.CompileModule(ctx, interrupt.Filler(fillerCore, fillerHook, slot)); err != nil {
			return nil, fmt.Errorf("the placeholder of the WebAssembly module's hook cannot be compiled: %w", err)
		}
	}
	h.options.Module = nil // the bytes are no longer needed
	for _, imported := range h.compiled.ImportedFunctions() {
		if module, name, _ := imported.Import(); module != wasi_snapshot_preview1.ModuleName {
			return nil, fmt.Errorf("the WebAssembly module imports %s.%s, which the core does not use", module, name)
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
