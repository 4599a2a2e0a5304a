// Copyright The ctx-lsp authors. MIT licence.

package core

// Spent is what all requests took together. It never touches used.
type Spent struct{ Calls, In, Out, CacheRead, CacheWrite, Reasoning int64 }

func (t *Spent) add(m *Metered) {
	t.Calls++
	t.In += max(m.In, 0)
	t.Out += max(m.Out, 0)
	t.CacheRead += max(m.CacheRead, 0)
	t.CacheWrite += max(m.CacheWrite, 0)
	t.Reasoning += max(m.Reasoning, 0)
}

// replace exchanges what a request reported before for what it reports now.
func (t *Spent) replace(r *request, m *Metered) {
	exchange := func(sum *int64, was, is int64) {
		if is != Unknown {
			*sum += is - max(was, 0)
		}
	}
	exchange(&t.In, r.in, m.In)
	exchange(&t.Out, r.out, m.Out)
	exchange(&t.CacheRead, r.cacheRead, m.CacheRead)
	exchange(&t.CacheWrite, r.cacheWrite, m.CacheWrite)
	exchange(&t.Reasoning, r.reasoning, m.Reasoning)
}

// atLeast raises the totals to a sum that somebody else kept.
func (t *Spent) atLeast(m *Metered) {
	t.In, t.Out = max(t.In, m.In), max(t.Out, m.Out)
	t.CacheRead, t.CacheWrite = max(t.CacheRead, m.CacheRead), max(t.CacheWrite, m.CacheWrite)
	t.Reasoning = max(t.Reasoning, m.Reasoning)
}

func (t *Spent) walk(w *walker) {
	w.each(&t.Calls, &t.In, &t.Out, &t.CacheRead, &t.CacheWrite, &t.Reasoning)
}
