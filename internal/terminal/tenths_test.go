// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// TestSharesOfAWindowAreNotMoreThanAll checks that two shares that are 100% together are printed so.
func TestSharesOfAWindowAreNotMoreThanAll(t *testing.T) {
	for used := int64(0); used <= 100_00; used++ {
		if sum := core.Tenths(used) + core.Tenths(100_00-used); sum != 1000 {
			t.Fatalf("%d and %d hundredths are %d tenths", used, 100_00-used, sum)
		}
	}
	if got, rest := tenths(api.Hundredths(74_65)), tenths(api.Hundredths(25_35)); got != "74.6" || rest != "25.4" {
		t.Errorf("74.65%% and 25.35%% are printed as %s and %s", got, rest)
	}
}
