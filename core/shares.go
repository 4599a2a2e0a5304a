// Copyright The ctx-lsp authors. MIT licence.

package core

// A share is a fraction of the window, in hundredths of a percent, and a bar a fraction of the largest entry in its
// list. Both are computed here, so that no front end divides.

// share returns the share of the window that tokens take; Unknown without a window, and 0 for a negative number.
func (r *Reading) share(tokens int64) int64 { return shareOf(tokens, r.Limit) }

// shareOf is share for callers without a Reading.
func shareOf(tokens, limit int64) int64 {
	if limit <= 0 || tokens == Unknown {
		return Unknown
	}
	return hundredths(max(tokens, 0), limit)
}

// shares fills in the shares and bars of a Reading, after its tokens.
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
	r.FreeShare = Unknown
	if r.Limit > 0 {
		r.FreeShare = r.share(max(r.Free, 0))
	}
	c := &r.Compaction
	c.ThresholdShare, c.LeftShare, c.BufferShare = r.share(c.Threshold), Unknown, r.share(c.Buffer)
	if c.Threshold != Unknown {
		c.LeftShare = r.share(max(c.Left, 0))
	}
}

// sharesOf fills in the shares and bars of a list that begins with the largest.
func sharesOf(list []Largest, limit int64) {
	for i := range list {
		list[i].Share, list[i].Bar = shareOf(list[i].Tokens, limit), hundredths(list[i].Tokens, list[0].Tokens)
	}
}
