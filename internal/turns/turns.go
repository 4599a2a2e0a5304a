// Copyright The ctx-lsp authors. MIT licence.

// Package turns has a queue in which whoever asks for much keeps nobody else waiting: each who waits gets one turn
// after the other, and the order of what one has asked for stays.
package turns

import (
	"context"
	"slices"
)

// A Queue is what waits, of several who ask. The zero value is empty. It is not safe for use by several goroutines.
type Queue[T any] struct {
	order   []uint64 // who waits, in the order of their turns
	waiting map[uint64][]T
	length  int
}

// Len is how much waits.
func (q *Queue[T]) Len() int { return q.length }

// Add queues what somebody asks for, behind what the same one has asked for before.
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

// Next takes what is to be done next; it is false where nothing waits.
func (q *Queue[T]) Next() (next T, some bool) {
	if q.length == 0 {
		return next, false
	}
	who := q.order[0]
	q.order = slices.Delete(q.order, 0, 1)
	mine := q.waiting[who]
	next = mine[0]
	var none T
	mine[0] = none // it is not to be kept as long as those behind it
	q.length--
	if len(mine) == 1 {
		delete(q.waiting, who)
	} else {
		q.waiting[who] = mine[1:]
		q.order = append(q.order, who)
	}
	return next, true
}

// Remove takes something out that is waited for no more; it is false where it waits no more either.
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

// As returns a context in which somebody asks.
func As(ctx context.Context, who uint64) context.Context { return context.WithValue(ctx, key{}, who) }

// Who is who asks in a context, 0 where nobody said.
func Who(ctx context.Context) uint64 {
	who, _ := ctx.Value(key{}).(uint64)
	return who
}
