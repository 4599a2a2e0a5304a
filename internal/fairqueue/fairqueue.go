// Copyright The ctx-lsp authors. MIT licence.

// Package fairqueue provides a queue in which a client with many requests does not delay the others: clients take
// turns, and the requests of one client keep their order.
package fairqueue

import (
	"context"
	"slices"
)

// A Queue contains the waiting requests of several callers. The zero value is empty. It must not be used by several
// goroutines at the same time.
type Queue[T any] struct {
	order   []uint64 // the waiting callers, in the order of their turns
	waiting map[uint64][]T
	length  int
}

// Len returns the number of waiting requests.
func (q *Queue[T]) Len() int { return q.length }

// Add queues a request of a caller after the caller's earlier ones.
func (q *Queue[T]) Add(who uint64, what T) {
	if q.waiting == nil {
		q.waiting = map[uint64][]T{}
	}
	before := q.waiting[who]
	if len(before) == 0 {
		q.order = append(q.order, who)
	}
	q.waiting[who] = append(before, what)
	q.length++
}

// Next removes and returns the request whose turn it is; it returns false if none waits.
func (q *Queue[T]) Next() (next T, some bool) {
	if q.length == 0 {
		return next, false
	}
	who := q.order[0]
	q.order = slices.Delete(q.order, 0, 1)
	mine := q.waiting[who]
	next = mine[0]
	var none T
	mine[0] = none // otherwise it would stay in memory as long as later requests
	q.length--
	if len(mine) == 1 {
		delete(q.waiting, who)
	} else {
		q.waiting[who] = mine[1:]
		q.order = append(q.order, who)
	}
	return next, true
}

// Remove removes a request that is no longer needed; it returns false if the request is not waiting.
func (q *Queue[T]) Remove(who uint64, is func(T) bool) bool {
	at := slices.IndexFunc(q.waiting[who], is)
	if at < 0 {
		return false
	}
	q.length--
	if mine := slices.Delete(q.waiting[who], at, at+1); len(mine) > 0 {
		q.waiting[who] = mine
		return true
	}
	delete(q.waiting, who)
	q.order = slices.DeleteFunc(q.order, func(each uint64) bool { return each == who })
	return true
}

type key struct{}

// As returns a context that identifies the caller.
func As(ctx context.Context, who uint64) context.Context { return context.WithValue(ctx, key{}, who) }

// Who returns the caller that a context identifies, 0 if there is none.
func Who(ctx context.Context) uint64 {
	who, _ := ctx.Value(key{}).(uint64)
	return who
}
