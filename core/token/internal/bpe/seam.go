// Copyright The ctx-lsp authors. MIT licence.

package bpe

// staysApart reports whether merging never joins two neighboring tokens. A sequence of tokens is the result of merging
// a text if and only if this is true for every two neighbors, so long texts can be cut and joined again.
func (l *levels) staysApart(v *Merges, left, right uint32) bool {
	l.makeParts(v)
	limit := uint32(noMerge)
	for {
		if joined := v.joins(left, right); joined < limit {
			return false
		}
		// Undo the later of the two merges that made them, and check the seam before it.
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
