// Copyright The ctx-lsp authors. MIT licence.

package core

import "strconv"

// Display holds the short strings of a Reading, so that all front ends round and print alike.
type Display struct {
	Percent, Used, Limit, Free, Left, Mark string
	// Number is the usage of the window as all front ends print it: Mark and Percent, or Mark and Used if the window is
	// unknown. In provider mode, after a change of model, it names the window.
	Number string
	// PercentLeft is the unused part of the window. The strings of the Threshold are the same for the compaction
	// threshold. If only a part of the prompt is known, Free and all that is left begin with ≤.
	PercentLeft, Threshold, ThresholdPercent, ThresholdPercentLeft string
	// Bar shows the window in ten cells.
	Bar string
}

func (s *Session) display(r *Reading) {
	d, c := &r.Display, &r.Compaction
	percented, limited, lined := r.Percent != Unknown, r.Limit != Unknown, c.Threshold != Unknown
	t := printer{text: r.storage.printed[:0], measured: r.Mode == ProviderOnly}
	d.Mark, d.Bar = r.Basis.Mark(), ""
	if t.measured && r.Basis == BasisUnknown {
		d.Mark = "" // Unmeasured says why
	}
	if r.storage.part {
		d.Mark = "≥"
	}
	if r.storage.old && r.Basis != BasisUnknown {
		d.Mark = "!"
	}
	t.text = append(t.text, d.Mark...)
	used, threshold := t.fraction(r.Used, r.Limit), t.fraction(r.Used, c.Threshold)
	t.percent(used, percented)
	t.text = append(t.text, d.Mark...)
	t.short(r.Used, true)
	t.short(r.Limit, limited)
	t.short(r.Free, limited)
	t.percentLeft(used, percented)
	t.absent = limited && !lined // nothing compacts
	t.short(c.Left, c.Left != Unknown)
	t.short(c.Threshold, lined)
	t.percent(threshold, lined)
	t.percentLeft(threshold, lined)
	r.storage.printed = t.text

	all, from, mark := string(t.text), 0, len(d.Mark)
	for i, field := range []*string{&d.Percent, &d.Used, &d.Limit, &d.Free, &d.PercentLeft, &d.Left, &d.Threshold, &d.ThresholdPercent, &d.ThresholdPercentLeft} {
		*field = all[from:t.ends[i]]
		from = t.ends[i]
	}
	switch {
	case d.Mark == "?":
		d.Number = d.Mark
	case percented || t.measured:
		d.Number = d.Percent
	default:
		d.Number = d.Used
	}
	if t.measured && limited && s.requests.remodeled {
		d.Number += " of " + d.Limit // of another model's window than the one that the prompt was measured in
	}
	d.Percent, d.Used = d.Percent[mark:], d.Used[mark:]
	if r.storage.part { // what is left is at most the rest
		for _, field := range []*string{&d.Free, &d.PercentLeft, &d.Left, &d.ThresholdPercentLeft} {
			if *field != "" && *field != "?" {
				*field = "≤" + *field
			}
		}
	}
	if percented {
		d.Bar = bar(r.Percent)
	}
}

// printer prints the strings of a Display into one text and then slices it: that is one allocation instead of nine
// (BenchmarkUpdate).
type printer struct {
	text []byte
	ends [9]int
	n    int
	// measured is set in provider mode: percentages have a decimal, and unknown numbers are empty.
	measured bool
	// absent is set while the strings of a nonexistent threshold are printed: they are empty instead of unknown.
	absent bool
}

func (t *printer) end() {
	t.ends[t.n] = len(t.text)
	t.n++
}

func (t *printer) unknown() {
	if !t.measured && !t.absent {
		t.text = append(t.text, '?')
	}
}

// units returns the number of parts that a whole is divided into.
func (t *printer) units() int64 {
	if t.measured {
		return 1000
	}
	return 100
}

// fraction returns a share of whole in units. It is rounded only once, to the printed precision: the hundredths of a
// Reading are already rounded.
func (t *printer) fraction(part, whole int64) int64 { return share(part, whole, t.units()) }

// percent prints a share in units.
func (t *printer) percent(share int64, known bool) {
	switch {
	case !known:
		t.unknown()
	case t.measured:
		t.text = appendFinePercent(t.text, share*10)
	default:
		t.text = appendPercent(t.text, share*100)
	}
	t.end()
}

// percentLeft prints the complement of percent, so that the two always add up to 100; beyond the limit it is 0.
func (t *printer) percentLeft(share int64, known bool) { t.percent(max(t.units()-share, 0), known) }

func (t *printer) short(n int64, known bool) {
	if known {
		t.text = appendShort(t.text, n)
	} else {
		t.unknown()
	}
	t.end()
}

const cells = "▰▰▰▰▰▰▰▰▰▰▱▱▱▱▱▱▱▱▱▱"

// bar draws hundredths of a percent as ten cells. A cell is filled from its middle on.
func bar(percent int64) string {
	const cell = len("▰")
	empty := 10 - int(min(max((percent+500)/1000, 0), 10))
	return cells[empty*cell : (empty+10)*cell]
}

// Percent prints hundredths of a percent without decimals: 26.05 is 26%.
func Percent(hundredths int64) string { return string(appendPercent(nil, hundredths)) }

// percentOf prints a share of whole without decimals, rounded once.
func percentOf(part, whole int64) string {
	return string(appendPercent(nil, share(part, whole, 100)*100))
}

// Tenths rounds hundredths to tenths, a half to the even one: two shares that are 100% together are so rounded as well.
func Tenths(hundredths int64) int64 {
	tenths, rest := hundredths/10, hundredths%10
	if rest > 5 || rest == 5 && tenths%2 != 0 {
		tenths++
	}
	return tenths
}

// FinePercent prints hundredths of a percent with one decimal: 26.05 is 26.1%.
func FinePercent(hundredths int64) string { return string(appendFinePercent(nil, hundredths)) }

func appendFinePercent(b []byte, hundredths int64) []byte {
	if hundredths < 0 {
		b = append(b, '-')
		hundredths = -hundredths
	}
	tenths := (hundredths + 5) / 10
	return append(appendInt(b, tenths/10), '.', byte('0'+tenths%10), '%')
}

// FineShare prints hundredths of a percent with a decimal below ten percent, the usual range of a prompt file's share:
// 0.62% is 0.6%, and almost nothing is <0.1%.
func FineShare(hundredths int64) string {
	if hundredths < 0 || hundredths >= 995 {
		return Percent(hundredths)
	}
	if hundredths < 5 {
		return "<0.1%"
	}
	return string(appendTenths(nil, (hundredths+5)/10)) + "%"
}

// Share returns part of whole in hundredths of a percent, rounded half up.
func Share(part, whole int64) int64 { return hundredths(part, whole) }

func appendPercent(b []byte, hundredths int64) []byte {
	if hundredths < 0 {
		b = append(b, '-')
		hundredths = -hundredths
	}
	return append(appendInt(b, (hundredths+50)/100), '%')
}

// Short prints tokens in the usual short form: 940, 5.1k, 52.1k, 170k, 1.25M.
func Short(n int64) string { return string(appendShort(nil, n)) }

func appendShort(b []byte, n int64) []byte {
	if n < 0 {
		b = append(b, '-')
		n = -n
	}
	switch {
	case n < 1000:
		return appendInt(b, n)
	case n < 99_950:
		return append(appendTenths(b, (n+50)/100), 'k')
	case n < 999_500:
		return append(appendInt(b, (n+500)/1000), 'k')
	}
	unit := byte('M')
	if n = (n + 5000) / 10_000; n >= 100_000 {
		unit, n = 'B', (n+500)/1000
	}
	if n%10 == 0 {
		return append(appendTenths(b, n/10), unit)
	}
	b = appendInt(b, n/100)
	return append(b, '.', byte('0'+n/10%10), byte('0'+n%10), unit)
}

// appendTenths prints n/10, without a decimal if it is zero.
func appendTenths(b []byte, n int64) []byte {
	b = appendInt(b, n/10)
	if n %= 10; n != 0 {
		b = append(b, '.', byte('0'+n))
	}
	return b
}

// appendInt prints a number that is not negative; most have three digits.
func appendInt(b []byte, n int64) []byte {
	switch {
	case n >= 1000:
		return strconv.AppendInt(b, n, 10)
	case n >= 100:
		b = append(b, byte('0'+n/100))
		n %= 100
		fallthrough
	case n >= 10:
		return append(b, byte('0'+n/10), byte('0'+n%10))
	}
	return append(b, byte('0'+n))
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
