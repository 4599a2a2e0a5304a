package token

// joins returns the symbol that two symbols merge into, whatever the text, or noMerge.
func (v *Vocabulary) joins(left, right uint32) uint32 {
	size := v.entries[left].size() + v.entries[right].size()
	if v.characters != nil {
		size = 0
	}
	want := pairEntry(size, left, right)
	hash := want.digest()
	if size > 0 && size <= shortPieceMax {
		key := v.text(left).followed(uint(v.entries[left].size()), v.text(right))
		key.b |= uint64(size) << shortLength
		hash = key.digest()
		if size <= shortEntryMax {
			want = entry(key.a | key.b)
		}
	}
	if v.may(hash) == 0 {
		return noMerge
	}
	return v.find(want, hash)
}

// stand tells whether merging leaves two tokens apart that stand side by side. A row of tokens is what merging makes of a
// text if and only if this holds for every two neighbours, which is what lets a long text be cut and joined again.
func (v *Vocabulary) stand(left, right uint32) bool {
	if v.parts == nil {
		v.makeParts()
	}
	limit := uint32(noMerge)
	for {
		if joined := v.joins(left, right); joined < limit {
			return false
		}
		// Undo the later of the two merges that made them, and look at the seam before it.
		if left > right {
			limit = left
			left = v.parts[left].right
			if left == limit {
				limit = right + 1
				right = v.parts[right].left
				if right+1 == limit {
					return true
				}
			}
		} else {
			limit = right + 1
			right = v.parts[right].left
			if right+1 == limit {
				limit = left
				left = v.parts[left].right
				if left == limit {
					return true
				}
			}
		}
	}
}
