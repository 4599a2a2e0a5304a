// Copyright The ctx-lsp authors. MIT licence.

// Package engine runs the core: as WebAssembly under wazero, bounded in memory and time, or natively in this process.
// Both answer the same calls with the same bytes.
//
// An engine spreads the sessions over several instances of the core, one a processor, so that conversations do not wait
// for each other; a sub-agent's session lives where its parent does. An instance that fails is replaced, and its
// sessions come back as they were before the call that failed:
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

// Engine answers the methods of docs/protocol.md. It may be used from several goroutines.
type Engine interface {
	// Call answers with the envelope of core/api, {"result":…} or {"error":…}. The error is a [*Fault], or ctx.Err() when
	// ctx ends before the call has begun; a call that has begun is finished even when ctx ends. params is not kept.
	Call(ctx context.Context, method string, params []byte) ([]byte, error)
	// Close frees the instances. Their sessions are gone.
	Close() error
}

// Options of an engine. The zero value is ready to use, but for the Module of [Wasm].
type Options struct {
	// Module is the WebAssembly module, of either compiler.
	Module []byte
	// CacheDir is where the compiled module is kept; "" or "none" for nowhere.
	CacheDir string
	// KeyFile contains the user's secret, without which nothing from CacheDir is run. It is made if it does not exist.
	KeyFile string
	// Instances is how many instances there are, one a processor if 0. They start when they are first needed.
	Instances int
	// MemoryLimit bounds the memory of one WebAssembly instance, 256 MB if 0.
	MemoryLimit uint64
	// Deadline bounds one call under WebAssembly, 10 s if 0.
	Deadline time.Duration
	// Brief is for a process that ends soon: nothing is kept from which sessions could be restored, so the sessions of an
	// instance that fails are lost.
	Brief bool
	// Vocabulary finds the pack of a vocabulary that a call needs. If nil, the packs that this program carries are used.
	Vocabulary func(name string) ([]byte, error)
	// Offered names further vocabularies that Vocabulary can find: models of a family of that name are counted with them.
	Offered []string
	// Log is called with a sentence about whatever takes long or has failed. It may be nil and must not call the engine.
	Log func(sentence string)
	// Replaced is called for every instance that failed and was replaced, before the failed call returns. Documents that
	// were open in that instance are gone and must be opened again; its sessions are there, except those in Lost. Replaced
	// may be nil and must not call the engine.
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

// Reason is why an instance failed.
type Reason string

// The reasons for which an instance fails.
const (
	Trapped  Reason = "trap"     // the instance stopped by itself
	Memory   Reason = "memory"   // the instance needed more memory than it may have
	Deadline Reason = "deadline" // the instance did not answer in time
)

// A Fault describes a call during which its instance failed. The call changed nothing.
type Fault struct {
	Method   string
	Reason   Reason
	Detail   string   // the last thing that the instance wrote
	Limit    string   // the limit of memory or of time, where that was the reason
	Restored int      // how many sessions were brought back in a new instance
	Lost     []string // the sessions that could not be brought back
	// Waiting is how many sessions have no instance, because none can be started now. They come back with the first call
	// for which an instance starts; [Options.Replaced] is then called again.
	Waiting int
	// Reread names the restored sessions that were read from transcripts. Their numbers are back, but what the reader
	// remembered of earlier records is lost: whoever has the transcript should close these sessions and read it again.
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

// An instance is one core that answers one call at a time.
type instance interface {
	// call answers a method; the bytes belong to the caller. After a Fault the instance must be thrown away.
	call(method string, params []byte) ([]byte, *Fault)
	// load hands over a vocabulary; the answer is empty, or an error envelope.
	load(name string, pack []byte) ([]byte, *Fault)
	// offer says that a vocabulary can be loaded when it is asked for; the answer is like that of load.
	offer(name string) ([]byte, *Fault)
	// withdraw ends an offer.
	withdraw(name string) *Fault
	close()
}
