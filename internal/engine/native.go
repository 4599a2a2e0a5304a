// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"errors"
	"fmt"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// Native runs the core in this process. It does not compile anything, but limits neither memory nor time. Short-lived
// commands use it, and WebAssembly is compared with it.
func Native(options Options) (*Pool, error) {
	return newPool(options, func() (instance, error) { return nativeInstance{api.New()}, nil }, nil), nil
}

type nativeInstance struct{ core *api.Core }

func (n nativeInstance) call(method string, params []byte) (answer []byte, fault *Fault) {
	defer func() {
		if cause := recover(); cause != nil {
			answer, fault = nil, &Fault{Method: method, Reason: Trapped, Detail: fmt.Sprint(cause)}
		}
	}()
	return append([]byte(nil), n.core.Call(method, params)...), nil
}

func (n nativeInstance) load(name string, pack []byte) ([]byte, *Fault) {
	if err := n.core.Load(name, pack); err != nil {
		return api.Refusal(err), nil
	}
	return nil, nil
}

func (n nativeInstance) offer(name string) ([]byte, *Fault) {
	if err := n.core.Offer(name); err != nil {
		return api.Refusal(err), nil
	}
	return nil, nil
}

func (n nativeInstance) withdraw(name string) *Fault {
	n.core.Withdraw(name)
	return nil
}

func (n nativeInstance) close() {}

// carriedVocabulary returns a pack that is built into this program, or stored next to it.
func carriedVocabulary(name string) ([]byte, error) {
	if p, ok := assets.Pack(name); ok {
		return p, nil
	}
	return nil, errors.New("this program contains no vocabulary called " + name)
}
