// Copyright The ctx-lsp authors. MIT licence.

//go:build chaos

package cli

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// Builds for tools/chaos have a clock that can jump: CTX_CHAOS_CLOCK names a file that contains by how many seconds it
// is wrong.
func init() {
	clock = func() time.Time {
		text, err := os.ReadFile(os.Getenv("CTX_CHAOS_CLOCK"))
		if err != nil {
			return time.Now()
		}
		wrong, _ := strconv.Atoi(strings.TrimSpace(string(text))) // a half-written number is ignored
		return time.Now().Add(time.Duration(wrong) * time.Second)
	}
}
