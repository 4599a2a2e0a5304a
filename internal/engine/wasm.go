// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"
)

// Wasm runs the core as WebAssembly under wazero. The module has no access to files, the network, the time of day or
// arguments; its memory and the time of each call are limited.
func Wasm(options Options) (*Pool, error) {
	options = options.withDefaults()
	if len(options.Module) == 0 {
		return nil, errors.New("there is no WebAssembly module to run")
	}
	host, err := newWasmHost(options)
	if err != nil {
		return nil, err
	}
	options.Module = nil
	return newPool(options, host.instantiate, host.close), nil
}

// softMemoryLimit returns the limit at which Go's runtime in the module collects garbage, so that it does not reach the
// hard limit. TinyGo's runtime ignores it.
func (h *wasmHost) softMemoryLimit() string {
	return fmt.Sprintf("%dMiB", h.options.MemoryLimit>>20*3/4)
}

// instantiate makes an instance. It compiles nothing and needs no name in the runtime, so that an instance can be
// replaced even if the disk has failed.
func (h *wasmHost) instantiate() (instance, error) {
	ctx := withOwnMemory(context.Background())
	w := &wasmInstance{host: h}
	config := wazero.NewModuleConfig().
		WithName(""). // no name, because there are several instances of one module
		WithStartFunctions().
		WithEnv("GOMEMLIMIT", h.softMemoryLimit()).
		WithEnv("GOGC", collectEarly).
		WithSysNanotime(). // Go's collector measures its share of the time, and helps less if that seems too large
		WithStderr(&w.lastWords)
	module, err := h.runtime.InstantiateModule(ctx, h.compiled, config)
	if err != nil {
		return nil, fmt.Errorf("the WebAssembly module does not start: %w", err)
	}
	w.module = module
	if h.filler != nil {
		if err := w.hook(); err != nil {
			w.close()
			return nil, fmt.Errorf("the WebAssembly module does not accept its hook: %w", err)
		}
	}
	for name, f := range map[string]*api.Function{
		"alloc": &w.allocFn, "call": &w.callFn, "load": &w.loadFn, "offer": &w.offerFn, "withdraw": &w.withdrawFn,
	} {
		if *f = module.ExportedFunction(name); *f == nil {
			w.close()
			return nil, fmt.Errorf("the WebAssembly module does not export %s: it is not the core of ctx-lsp", name)
		}
	}
	w.patience = newPatience(loadTime)
	if start := module.ExportedFunction("_initialize"); start != nil {
		if _, err := start.Call(ctx); err != nil {
			w.close()
			return nil, fmt.Errorf("the WebAssembly module does not start: %w", err)
		}
	}
	return w, nil
}

// hook installs a function in the module's hook that checks the clock. The function also lets Go's scheduler run, which
// cannot interrupt WebAssembly by itself.
func (w *wasmInstance) hook() error {
	ctx := context.Background()
	look := func(context.Context, []uint64) {
		if w.patience.usedUp(time.Now()) {
			w.late = true
			panic(errLate)
		}
	}
	compiled, err := w.host.runtime.NewHostModuleBuilder(fillerHook).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(look), nil, nil).Export("check").Compile(ctx)
	if err != nil {
		return err
	}
	w.hooks = append(w.hooks, compiled)
	unnamed := wazero.NewModuleConfig().WithName("")
	clock, err := w.host.runtime.InstantiateModule(ctx, compiled, unnamed)
	if err != nil {
		return err
	}
	w.hooks = append(w.hooks, clock)
	resolve := func(name string) api.Module {
		switch name {
		case fillerCore:
			return w.module
		case fillerHook:
			return clock
		}
		return nil
	}
	filler, err := w.host.runtime.InstantiateModule(experimental.WithImportResolver(ctx, resolve), w.host.filler, unnamed)
	if err != nil {
		return err
	}
	w.hooks = append(w.hooks, filler)
	return nil
}

// collectEarly is the garbage collector's target for Go's build of the module. The long-lived data in the module, the
// vocabularies, is large and free of pointers, so collecting is cheap; and a WebAssembly memory that has grown never
// shrinks.
const collectEarly = "25"

var errLate = errors.New("the call took too long")

type wasmInstance struct {
	host                    *wasmHost
	module                  api.Module
	allocFn, callFn, loadFn api.Function
	offerFn, withdrawFn     api.Function
	stack                   [4]uint64
	hooks                   []api.Closer // the modules that end calls that take too long
	patience                patience     // the remaining time of the running call
	late                    bool         // whether the call was ended because it took too long
	lastWords               words
}

// loadTime is how long loading a vocabulary may take, which happens once for each.
const loadTime = 30 * time.Second

func (w *wasmInstance) call(method string, params []byte) ([]byte, *Fault) {
	return w.exchange(w.callFn, method, method, params, w.host.options.Deadline)
}

func (w *wasmInstance) load(name string, pack []byte) ([]byte, *Fault) {
	return w.exchange(w.loadFn, "loading the vocabulary "+name, name, pack, max(loadTime, w.host.options.Deadline))
}

func (w *wasmInstance) offer(name string) ([]byte, *Fault) {
	return w.exchange(w.offerFn, "offering the vocabulary "+name, name, nil, w.host.options.Deadline)
}

func (w *wasmInstance) withdraw(name string) *Fault {
	_, fault := w.exchange(w.withdrawFn, "withdrawing the vocabulary "+name, name, nil, w.host.options.Deadline)
	return fault
}

// exchange passes two arguments to an export of the module, and copies its result out of the module's memory.
func (w *wasmInstance) exchange(export api.Function, doing, first string, second []byte, limit time.Duration) ([]byte, *Fault) {
	ctx := context.Background()
	if w.host.filler != nil {
		w.patience = newPatience(limit)
	} else {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	// One allocation contains both: the second argument follows the first.
	w.stack[0] = uint64(len(first) + len(second))
	if err := w.allocFn.CallWithStack(ctx, w.stack[:]); err != nil {
		return nil, w.fault(doing, err, limit)
	}
	ptr := uint32(w.stack[0])
	memory := w.module.Memory()
	if ptr != 0 && !(memory.WriteString(ptr, first) && memory.Write(ptr+uint32(len(first)), second)) {
		return nil, &Fault{Method: doing, Reason: Trapped, Detail: "it returned an address outside its memory"}
	}
	w.stack = [4]uint64{uint64(ptr), uint64(len(first)), uint64(ptr) + uint64(len(first)), uint64(len(second))}
	if err := export.CallWithStack(ctx, w.stack[:]); err != nil {
		return nil, w.fault(doing, err, limit)
	}
	if w.stack[0] == 0 {
		return nil, nil
	}
	answer, ok := memory.Read(uint32(w.stack[0]>>32), uint32(w.stack[0]))
	if !ok {
		return nil, &Fault{Method: doing, Reason: Trapped, Detail: "its answer is outside its memory"}
	}
	return append([]byte(nil), answer...), nil
}

// fault returns the Fault for an error with which the module stopped.
func (w *wasmInstance) fault(doing string, err error, limit time.Duration) *Fault {
	f := &Fault{Method: doing, Reason: Trapped, Detail: w.lastWords.firstLine()}
	var exit *sys.ExitError
	if w.late || errors.As(err, &exit) && exit.ExitCode() == sys.ExitCodeDeadlineExceeded {
		f.Reason, f.Limit = Deadline, limit.String()
		return f
	}
	if f.Detail == "" {
		f.Detail, _, _ = strings.Cut(err.Error(), "\n")
	}
	// A module that ran out of memory either says so (Go, in one of several ways) or traps with its memory nearly full
	// (TinyGo). Go's memory grows in steps of 4 MB.
	const nearly = 4<<20 + 1<<16
	if strings.Contains(f.Detail, "out of memory") || strings.Contains(f.Detail, "cannot allocate") || uint64(w.module.Memory().Size())+nearly > w.host.options.MemoryLimit {
		f.Reason, f.Limit = Memory, fmt.Sprintf("%d MB", w.host.options.MemoryLimit>>20)
	}
	return f
}

func (w *wasmInstance) close() {
	for _, m := range slices.Backward(w.hooks) { // the filler is closed before the modules that it imports
		m.Close(context.Background())
	}
	w.module.Close(context.Background())
}

// words keeps the start of a module's standard error output, because the reason for a panic comes first.
type words struct{ text []byte }

func (t *words) Write(p []byte) (int, error) {
	const enough = 4096
	if room := enough - len(t.text); room > 0 {
		t.text = append(t.text, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

func (t *words) firstLine() string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(t.text)), "\n")
	return line
}
