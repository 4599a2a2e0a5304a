// Copyright The ctx-lsp authors. MIT licence.

package core

import "strconv"

// Display holds the short strings of a Reading, so that no face rounds for
// itself and all print the same.
type Display struct {
	Percent, Used, Limit, Free, Left, Mark string
	// PercentLeft is what of the window is not used; the Line's are the same
	// of the way to compaction.
	PercentLeft, Line, LinePercent, LinePercentLeft string
	// Bar is the window in ten cells.
	Bar string
}

func (s *Session) display(r *Reading) Display {
	d := Display{Mark: r.Basis.Mark(), Used: Short(r.Used)}
	d.Percent = "?"
	if r.Percent != Unknown {
		d.Percent = Percent(r.Percent)
	}
	d.Limit, d.Free, d.Left = "?", "?", "?"
	if r.Limit != Unknown {
		d.Limit, d.Free = Short(r.Limit), Short(r.Free)
	}
	if r.Compaction.Left != Unknown {
		d.Left = Short(r.Compaction.Left)
	}
	d.PercentLeft, d.Line, d.LinePercent, d.LinePercentLeft = "?", "?", "?", "?"
	if r.Percent != Unknown {
		d.PercentLeft = percentLeft(r.Percent)
		d.Bar = bar(r.Percent)
	}
	if r.Compaction.Line != Unknown {
		d.Line = Short(r.Compaction.Line)
		d.LinePercent = Percent(r.Compaction.Percent)
		d.LinePercentLeft = percentLeft(r.Compaction.Percent)
	}
	return d
}

// percentLeft is the complement of what Percent prints, so that the two always
// add up to 100; beyond the limit nothing is left.
func percentLeft(used int64) string {
	return Percent(max(100-(used+50)/100, 0) * 100)
}

// bar draws hundredths of a percent as ten cells. A cell is filled when its
// middle is reached.
func bar(percent int64) string {
	filled := min(max((percent+500)/1000, 0), 10)
	out := make([]byte, 0, 10*len("▰"))
	for i := int64(0); i < 10; i++ {
		if i < filled {
			out = append(out, "▰"...)
		} else {
			out = append(out, "▱"...)
		}
	}
	return string(out)
}

// Percent prints hundredths of a percent without decimals: 26.05 is 26%.
func Percent(hundredths int64) string {
	sign := ""
	if hundredths < 0 {
		sign, hundredths = "-", -hundredths
	}
	return sign + itoa((hundredths+50)/100) + "%"
}

// Short prints tokens the way people say them: 940, 5.1k, 52.1k, 170k, 1.25M.
func Short(n int64) string {
	if n < 0 {
		return "-" + Short(-n)
	}
	switch {
	case n < 1000:
		return itoa(n)
	case n < 99_950:
		return decimal((n+50)/100, 1) + "k"
	case n < 999_500:
		return itoa((n+500)/1000) + "k"
	}
	return decimal((n+5000)/10_000, 2) + "M"
}

// decimal prints n / 10^places without trailing zeros.
func decimal(n int64, places int) string {
	digits := itoa(n)
	for len(digits) <= places {
		digits = "0" + digits
	}
	whole, fraction := digits[:len(digits)-places], digits[len(digits)-places:]
	for len(fraction) > 0 && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
