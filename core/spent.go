// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// Spent is the total usage of all requests. It never enters used.
type Spent struct {
	Calls, In, Out, CacheRead, CacheWrite, Reasoning int64
	cost                                             int64 // hundredths of a token of plain input
}

// Total returns all tokens that were read and written.
func (t *Spent) Total() int64 { return t.In + t.Out }

// Effective returns the total weighted by the cost of its tokens, in tokens of plain input.
func (t *Spent) Effective() int64 { return (t.cost + 50) / 100 }

// The weights of tokens that are read from a cache, written to one, and
// written to be kept for an hour, in hundredths of plain input.
const (
	weightRead  = 10
	weightWrite = 125
	weightLong  = 200
)

// cost returns the cost of a request in hundredths of a token of plain input. Output has the weight of plain input:
// its real cost differs by model.
func cost(in, out, read, write, long int64) int64 {
	read, write = max(read, 0), max(write, 0)
	long = min(long, write)
	plain := max(in, 0) + max(out, 0) - read - write
	return max(plain, 0)*100 + read*weightRead + (write-long)*weightWrite + long*weightLong
}

func (m *Metered) cost() int64 { return cost(m.In, m.Out, m.CacheRead, m.CacheWrite, m.KeptLong) }

func (r *request) cost() int64 { return cost(r.in, r.out, r.cacheRead, r.cacheWrite, r.keptLong) }

func (t *Spent) add(m *Metered) {
	t.Calls++
	t.In += max(m.In, 0)
	t.Out += max(m.Out, 0)
	t.CacheRead += max(m.CacheRead, 0)
	t.CacheWrite += max(m.CacheWrite, 0)
	t.Reasoning += max(m.Reasoning, 0)
	t.cost += m.cost()
}

// replace replaces a request's earlier report with its present one.
func (t *Spent) replace(before, after *request) {
	exchange := func(sum *int64, before, after int64) {
		*sum += max(after, 0) - max(before, 0)
	}
	exchange(&t.In, before.in, after.in)
	exchange(&t.Out, before.out, after.out)
	exchange(&t.CacheRead, before.cacheRead, after.cacheRead)
	exchange(&t.CacheWrite, before.cacheWrite, after.cacheWrite)
	exchange(&t.Reasoning, before.reasoning, after.reasoning)
	exchange(&t.cost, before.cost(), after.cost())
}

// atLeast raises the totals to sums that were kept elsewhere.
func (t *Spent) atLeast(m *Metered) {
	t.In, t.Out = max(t.In, m.In), max(t.Out, m.Out)
	t.CacheRead, t.CacheWrite = max(t.CacheRead, m.CacheRead), max(t.CacheWrite, m.CacheWrite)
	t.Reasoning = max(t.Reasoning, m.Reasoning)
	t.cost = max(t.cost, m.cost())
}

func (t *Spent) walk(c *codec.Codec) {
	c.Ints("Calls In Out CacheRead CacheWrite Reasoning cost", &t.Calls, &t.In, &t.Out, &t.CacheRead, &t.CacheWrite, &t.Reasoning, &t.cost)
}
