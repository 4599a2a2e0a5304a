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
		if p, l, b := Percent(c.used), percentLeft(c.used), bar(c.used); p != c.percent || l != c.left || b != c.b {
			t.Errorf("%d hundredths: %s used, %s left, %s; want %s, %s, %s", c.used, p, l, b, c.percent, c.left, c.b)
		}
	}
}
