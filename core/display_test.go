// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

func TestUsedAndLeftAddUpAsPrinted(t *testing.T) {
	for _, c := range []struct {
		used, whole      int64
		measured         bool
		percent, left, b string
	}{
		{0, 100_00, false, "0%", "100%", "▱▱▱▱▱▱▱▱▱▱"},
		{26_05, 100_00, false, "26%", "74%", "▰▰▰▱▱▱▱▱▱▱"},
		{61_50, 100_00, false, "62%", "38%", "▰▰▰▰▰▰▱▱▱▱"},
		{99_50, 100_00, false, "100%", "0%", "▰▰▰▰▰▰▰▰▰▰"},
		{117_00, 100_00, false, "117%", "0%", "▰▰▰▰▰▰▰▰▰▰"},
		{999, 200_000, false, "0%", "100%", "▱▱▱▱▱▱▱▱▱▱"}, // 0.4995%, which is 0.50% in hundredths
		{1000, 200_000, false, "1%", "99%", "▱▱▱▱▱▱▱▱▱▱"},
		{49, 100_000, true, "0.0%", "100.0%", "▱▱▱▱▱▱▱▱▱▱"}, // 0.049%
		{50, 100_000, true, "0.1%", "99.9%", "▱▱▱▱▱▱▱▱▱▱"},
		{5_000, Unknown, true, "0.0%", "100.0%", "▱▱▱▱▱▱▱▱▱▱"},
	} {
		print := printer{measured: c.measured}
		share := print.fraction(c.used, c.whole)
		print.percent(share, true)
		print.percentLeft(share, true)
		p, l, b := string(print.text[:print.ends[0]]), string(print.text[print.ends[0]:]), bar(hundredths(c.used, c.whole))
		if p != c.percent || l != c.left || b != c.b {
			t.Errorf("%d of %d: %s used, %s left, %s; want %s, %s, %s", c.used, c.whole, p, l, b, c.percent, c.left, c.b)
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

// TestSharesArePrintedAsFineAsTheyNeedToBe checks shares with and without decimals, in hundredths of a percent.
func TestSharesArePrintedAsFineAsTheyNeedToBe(t *testing.T) {
	for n, want := range map[int64][3]string{
		0: {"0%", "0.0%", "<0.1%"}, 4: {"0%", "0.0%", "<0.1%"}, 5: {"0%", "0.1%", "0.1%"}, 49: {"0%", "0.5%", "0.5%"}, 50: {"1%", "0.5%", "0.5%"},
		62: {"1%", "0.6%", "0.6%"}, 994: {"10%", "9.9%", "9.9%"}, 995: {"10%", "10.0%", "10%"}, 2605: {"26%", "26.1%", "26%"}, 2650: {"27%", "26.5%", "27%"},
		-62: {"-1%", "-0.6%", "-1%"}, -149: {"-1%", "-1.5%", "-1%"},
	} {
		if got := [3]string{Percent(n), FinePercent(n), FineShare(n)}; got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
