// Copyright The ctx-lsp authors. MIT licence.

// Package client calls the methods of core/api from Go, with typed parameters and answers. The methods and the writers
// of parameters are generated from the schema.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Call returns an engine's answer to a method: {"result":…} or {"error":…}. Once it has returned without an error, the
// parameters belong to the caller again.
type Call func(ctx context.Context, method string, params []byte) ([]byte, error)

// An Answer is the result of a method, or the error in place of it. The error is a [*api.Error] if the engine refused.
type Answer[T any] struct {
	result []byte
	err    error
	method string
}

// JSON returns the result as it was sent.
func (a Answer[T]) JSON() ([]byte, error) { return a.result, a.err }

// Read returns the result as a value.
func (a Answer[T]) Read() (*T, error) {
	if a.err != nil {
		return nil, a.err
	}
	to := new(T)
	if err := json.Unmarshal(a.result, to); err != nil {
		return nil, fmt.Errorf("the result of %s cannot be read: %w", a.method, err)
	}
	return to, nil
}

// Ask calls a method with parameters that are JSON already, and returns the result as it was sent.
func (c Call) Ask(ctx context.Context, method string, params []byte) ([]byte, error) {
	envelope, err := c(ctx, method, params)
	if err != nil {
		return nil, err
	}
	result, refused := api.Outcome(envelope)
	if refused != nil {
		return nil, refused
	}
	return result, nil
}

// InMode returns the Reading of the same session in a mode, or reading itself if the mode is empty.
func (c Call) InMode(ctx context.Context, reading []byte, mode string) ([]byte, error) {
	if mode == "" || len(reading) == 0 {
		return reading, nil
	}
	return c.again(ctx, reading, api.ReadingParams{Mode: api.Mode(mode)})
}

// InWords returns the Reading of the same session in a mode and with its panel, which has these rows of the host.
func (c Call) InWords(ctx context.Context, reading []byte, mode string, rows ...api.HostRow) ([]byte, error) {
	return c.again(ctx, reading, api.ReadingParams{Mode: api.Mode(mode), Panel: true, Rows: rows})
}

// again returns the Reading of the session of a Reading.
func (c Call) again(ctx context.Context, reading []byte, p api.ReadingParams) ([]byte, error) {
	var of struct {
		Session string `json:"session"`
	}
	if err := json.Unmarshal(reading, &of); err != nil {
		return nil, err
	}
	p.ID = of.Session
	return c.Reading(ctx, &p).JSON()
}

// mostKept is the largest buffer that is kept for later parameters. A batch of records is as large as this.
const mostKept = 2 << 20

var writers = sync.Pool{New: func() any { return new(writer) }}

// query makes a call whose parameters are written by write. The buffers of parameters are shared by all callers, of
// which few call at the same time.
func query[T any](ctx context.Context, call Call, method string, write func(*writer)) Answer[T] {
	w := writers.Get().(*writer)
	w.reset()
	if write(w); w.err != nil {
		return Answer[T]{err: fmt.Errorf("the parameters of %s cannot be written: %w", method, w.err)}
	}
	envelope, err := call(ctx, method, w.Buf)
	if err != nil {
		return Answer[T]{err: err} // the engine may still read the parameters
	}
	if cap(w.Buf) <= mostKept {
		writers.Put(w)
	}
	result, refused := api.Outcome(envelope)
	if refused != nil {
		return Answer[T]{err: refused}
	}
	return Answer[T]{result: result, method: method}
}

// Refused reports whether err is an error that an engine has returned, and if a kind is given, one of that kind.
func Refused(err error, kind string) bool {
	var refused *api.Error
	return errors.As(err, &refused) && (kind == "" || refused.Kind == kind)
}
