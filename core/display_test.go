// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

func TestUsedAndLeftAddUpAsPrinted(t *testing.T) {
	for _, c := range []struct {
		used             int64
		percent, left, b string
	}{
		{0, "0%", "100%", "▱▱▱▱▱▱▱▱▱▱"},
		{2605, "26%", "74%", "▰▰▰▱▱▱▱▱▱▱"},
		{6150, "62%", "38%", "▰▰▰▰▰▰▱▱▱▱"},
		{9950, "100%", "0%", "▰▰▰▰▰▰▰▰▰▰"},
		{11700, "117%", "0%", "▰▰▰▰▰▰▰▰▰▰"},
	} {
		var print printer
		print.percent(c.used, true)
		print.percentLeft(c.used, true)
		p, l, b := string(print.text[:print.ends[0]]), string(print.text[print.ends[0]:]), bar(c.used)
		if p != c.percent || l != c.left || b != c.b {
			t.Errorf("%d hundredths: %s used, %s left, %s; want %s, %s, %s", c.used, p, l, b, c.percent, c.left, c.b)
		}
	}
}

func TestTokensArePrintedTheWayPeopleSayThem(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 940: "940", 999: "999", 1000: "1k", 5_120: "5.1k", 52_049: "52k", 52_050: "52.1k", 99_949: "99.9k",
		99_950: "100k", 170_000: "170k", 999_499: "999k", 999_500: "1M", 999_994_999: "999.99M", 999_995_000: "1B", 1_250_000_000: "1.25B", 1_000_000: "1M", 1_250_000: "1.25M", 1_204_999: "1.2M", 1_050_000: "1.05M", -5_120: "-5.1k",
	} {
		if got := Short(n); got != want {
			t.Errorf("%d is %q, not %q", n, got, want)
		}
	}
}
