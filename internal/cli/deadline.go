// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Commands that show status end within 20 seconds, whatever they wait for: after showAfter they stop reading and show
// what they have, and after endAfter they are ended.
const (
	showAfter = 12 * time.Second
	endAfter  = 18 * time.Second
)

// interruptGrace is how long a command may take to end after an interrupt.
const interruptGrace = 2 * time.Second

// unhurried are the commands that end on their own after an interrupt, however long that takes, because they have
// clients and have to save acknowledged changes.
var unhurried = []string{"serve"}

// exitInterrupted is the exit code of a command that was ended by an interrupt, as in shells.
const exitInterrupted = 130

// A deadline ends commands that wait for something that does not respond.
type deadline struct {
	show, end, grace time.Duration

	typing  atomic.Bool // the command waits for the user to type
	once    sync.Once
	expired chan struct{} // closed when the command's time is over
}

// waitedFor is a terminal's input that records when the command waits for it.
type waitedFor struct {
	io.Reader
	by *deadline
}

func (w waitedFor) Read(p []byte) (int, error) {
	w.by.typing.Store(true)
	defer w.by.typing.Store(false)
	return w.Reader.Read(p)
}

func newDeadline() *deadline {
	return &deadline{show: showAfter, end: endAfter, grace: interruptGrace, expired: make(chan struct{})}
}

// hurry starts the deadline of a command that shows status: ctx ends when it has to show what it has.
func (env *environment) hurry(ctx context.Context) (context.Context, context.CancelFunc) {
	d := env.deadline
	if d == nil { // the command is not a process
		return context.WithCancel(ctx)
	}
	end := time.AfterFunc(d.end, func() { d.once.Do(func() { close(d.expired) }) })
	ctx, cancel := context.WithTimeout(ctx, d.show)
	return ctx, func() { end.Stop(); cancel() }
}

// runBounded is run for a process. It returns when the command has ended, when its time is over, or soon after an
// interrupt, even if the command is still waiting for something.
func runBounded(interrupted context.Context, env *environment, args []string, d *deadline) int {
	env.deadline, env.unpacked = d, &sync.Map{}
	defer env.removeUnpacked()
	ended := make(chan int, 1)
	go func() { ended <- run(interrupted, env, args) }()
	select {
	case code := <-ended:
		return code
	case <-d.expired:
		fmt.Fprintf(env.Stderr, "ctx-lsp: the command was ended after %s: a file or disk that it reads does not respond\n", d.end)
		return exitPart
	case <-interrupted.Done():
	}
	if d.typing.Load() {
		return exitInterrupted
	}
	if len(args) > 0 && slices.Contains(unhurried, args[0]) {
		return <-ended
	}
	select {
	case code := <-ended:
		return code
	case <-time.After(d.grace):
		return exitInterrupted
	}
}
