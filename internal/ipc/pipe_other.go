// Copyright The ctx-lsp authors. MIT licence.

//go:build !windows

package ipc

import (
	"context"
	"errors"
	"io"
	"net"
)

// errNoPipes is never returned, because no meeting is at a named pipe here.
var errNoPipes = errors.New("only Windows has named pipes")

func isNamedPipe(string) bool { return false }

func (m Meeting) claimPipe() (io.Closer, error) { return nil, errNoPipes }

func (m Meeting) dialPipe(context.Context) (net.Conn, error) { return nil, errNoPipes }

func (m Meeting) listenPipe() (net.Listener, error) { return nil, errNoPipes }
