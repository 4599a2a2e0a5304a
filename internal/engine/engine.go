// Copyright The ctx-lsp authors. MIT licence.

// Package engine runs the core: as WebAssembly under wazero, with limits on memory and time, or natively in this
// process. Both return the same bytes for the same calls.
//
// An engine distributes the sessions over several instances of the core, one for each CPU, so that conversations do not
// wait for each other; a sub-agent's session is in the same instance as its parent. An instance that fails is replaced,
// and its sessions are restored to their state before the call that failed:
//
//	e, err := engine.Wasm(engine.Options{Module: module})
//	answer, err := e.Call(ctx, "ctx/session/open", []byte(`{"id":"a"}`))
package engine

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"
)

// Engine executes the methods of docs/protocol.md. It may be used from several goroutines.
type Engine interface {
	// Call returns the envelope of core/api, {"result":…} or {"error":…}. The error is a [*Fault], or ctx.Err() if ctx
	// ends before the call has started; a call that has started is finished even if ctx ends. params is not kept.
	Call(ctx context.Context, method string, params []byte) ([]byte, error)
	// Close releases the instances and their sessions.
	Close() error
}

// Options of an engine. The zero value is ready to use, except for the Module of [Wasm].
type Options struct {
	// Module is the WebAssembly module, of either compiler, plain or compressed with zstd.
	Module []byte
	// CacheDir is the directory for the compiled module; "" or "none" for none.
	CacheDir string
	// KeyFile contains the user's secret, without which nothing from CacheDir is run. It is created if it does not
	// exist.
	KeyFile string
	// Instances is the number of instances, one for each CPU if 0. They start when they are first needed.
	Instances int
	// MemoryLimit limits the memory of one WebAssembly instance, 256 MB if 0.
	MemoryLimit uint64
	// Deadline limits the time of one call under WebAssembly, 10 s if 0.
	Deadline time.Duration
	// Brief is for a process that ends soon: no data for restoring sessions is kept, so the sessions of an instance
	// that fails are lost.
	Brief bool
	// Vocabulary returns the pack of a vocabulary that a call needs. If nil, the packs that come with this program are
	// used.
	Vocabulary func(name string) ([]byte, error)
	// Offered names additional vocabularies that Vocabulary can return: models of a family with that name are counted
	// with them.
	Offered []string
	// Log is called with a message about anything that takes long or has failed. It may be nil and must not call the
	// engine.
	Log func(sentence string)
	// Replaced is called for every instance that failed and was replaced, before the failed call returns. Documents
	// that were open in that instance are lost and must be opened again; its sessions are restored, except those in
	// Lost. Replaced may be nil and must not call the engine.
	Replaced func(*Fault)
}

const (
	defaultMemoryLimit = 256 << 20
	defaultDeadline    = 10 * time.Second
)

func (o Options) withDefaults() Options {
	if o.Instances <= 0 {
		o.Instances = runtime.GOMAXPROCS(0)
	}
	if o.MemoryLimit == 0 {
		o.MemoryLimit = defaultMemoryLimit
	}
	if o.Deadline == 0 {
		o.Deadline = defaultDeadline
	}
	if o.Vocabulary == nil {
		o.Vocabulary = carriedVocabulary
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	if o.Replaced == nil {
		o.Replaced = func(*Fault) {}
	}
	if o.CacheDir == "none" {
		o.CacheDir = ""
	}
	return o
}

// Reason is the reason why an instance failed.
type Reason string

// The reasons why an instance fails.
const (
	Trapped  Reason = "trap"     // the instance stopped unexpectedly
	Memory   Reason = "memory"   // the instance needed more memory than allowed
	Deadline Reason = "deadline" // the instance did not respond in time
)

// A Fault describes a call during which its instance failed. The call changed nothing.
type Fault struct {
	Method   string
	Reason   Reason
	Detail   string   // the instance's last message
	Limit    string   // the limit of memory or time, if that was the reason
	Restored int      // the number of sessions restored in a new instance
	Lost     []string // the sessions that could not be restored
	// Waiting is the number of sessions without an instance, because none can be started now. They are restored by the
	// first call for which an instance starts; [Options.Replaced] is then called again.
	Waiting int
	// Reread names the restored sessions that were read from transcripts. Their numbers are restored, but what the
	// reader remembered of earlier records is lost: a caller with the transcript should close these sessions and read
	// it again.
	Reread []string
}

func (f *Fault) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the engine failed in %s: ", f.Method)
	switch f.Reason {
	case Memory:
		fmt.Fprintf(&b, "it needs more than its %s of memory", f.Limit)
	case Deadline:
		fmt.Fprintf(&b, "it did not respond within %s", f.Limit)
	default:
		b.WriteString("it stopped")
		if f.Detail != "" {
			b.WriteString(" (" + f.Detail + ")")
		}
	}
	if f.Waiting > 0 {
		fmt.Fprintf(&b, ". It cannot be restarted now; %d of its sessions are kept and will be restored when it starts", f.Waiting)
		return b.String()
	}
	b.WriteString(". It was replaced")
	switch {
	case len(f.Lost) > 0:
		fmt.Fprintf(&b, "; these sessions could not be restored: %s; open them again", strings.Join(f.Lost, ", "))
	case f.Restored > 0:
		b.WriteString(", and every session was restored to its state before this call")
	}
	return b.String()
}

// An instance is one core that executes one call at a time.
type instance interface {
	// call executes a method; the caller owns the returned bytes. After a Fault the instance must be discarded.
	call(method string, params []byte) ([]byte, *Fault)
	// load passes a vocabulary to the core; it returns nothing, or an error envelope.
	load(name string, pack []byte) ([]byte, *Fault)
	// offer announces a vocabulary that can be loaded on request; it returns the same as load.
	offer(name string) ([]byte, *Fault)
	// withdraw withdraws an offer.
	withdraw(name string) *Fault
	close()
}
