// Copyright The ctx-lsp authors. MIT licence.

package agent

func (q *qwenCode) state(t *tape) {
	q.base(t)
	q.chain.state(t)
	t.int(&q.window)
	if t.writing || t.version > 5 { // versions before knew no calls
		q.tools.state(t)
	}
}
