// Copyright The ctx-lsp authors. MIT licence.

package bpe

// staysApart tells whether merging leaves two tokens apart that stand side by side. A row of tokens is what merging
// makes of a text if and only if this holds for every two neighbours, which is what lets a long text be cut and joined
// again.
func (l *levels) staysApart(v *Merges, left, right uint32) bool {
	l.makeParts(v)
	limit := uint32(noMerge)
	for {
		if joined := v.joins(left, right); joined < limit {
			return false
		}
		// Undo the later of the two merges that made them, and look at the seam before it.
		if left > right {
			limit = left
			left = l.parts[left].right
			if left == limit {
				limit = right + 1
				right = l.parts[right].left
				if right+1 == limit {
					return true
				}
			}
		} else {
			limit = right + 1
			right = l.parts[right].left
			if right+1 == limit {
				limit = left
				left = l.parts[left].right
				if left == limit {
					return true
				}
			}
		}
	}
}
