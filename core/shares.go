// Copyright The ctx-lsp authors. MIT licence.

package core

// A share is how much of the window something is, in hundredths of a percent,
// and a bar how much it is of the largest thing in its list. Both are decided
// here, so that no face divides.

// share returns Unknown without a window, and nothing below zero: what is free
// beyond the line is nothing.
func (r *Reading) share(tokens int64) int64 { return shareOf(tokens, r.Limit) }

// shareOf is share where there is no Reading.
func shareOf(tokens, limit int64) int64 {
	if limit <= 0 || tokens == Unknown {
		return Unknown
	}
	return hundredths(max(tokens, 0), limit)
}

// shares fills the shares and the bars of a Reading whose tokens are known.
func (r *Reading) shares() {
	most := int64(0)
	for i := range r.Breakdown {
		if row := &r.Breakdown[i]; !row.Deferred {
			most = max(most, row.Tokens)
		}
	}
	for i := range r.Breakdown {
		row := &r.Breakdown[i]
		row.Share, row.Bar = r.share(row.Tokens), hundredths(row.Tokens, most)
		if row.Deferred {
			row.Share, row.Bar = Unknown, 0
		}
	}
	r.FreeShare, r.ReserveShare = Unknown, r.share(r.Reserve)
	if r.Limit > 0 {
		r.FreeShare = r.share(max(r.Free, 0))
	}
	c := &r.Compaction
	c.LineShare, c.LeftShare, c.BufferShare = r.share(c.Line), Unknown, r.share(c.Buffer)
	if c.Line != Unknown {
		c.LeftShare = r.share(max(c.Left, 0))
	}
}

// sharesOf fills the same of a list that begins with the largest.
func sharesOf(list []Largest, limit int64) {
	for i := range list {
		list[i].Share, list[i].Bar = shareOf(list[i].Tokens, limit), hundredths(list[i].Tokens, list[0].Tokens)
	}
}
