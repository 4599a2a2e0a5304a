// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"fmt"
	"strings"
)

// suggestion returns "; did you mean X?" for the known word closest to word, or "" if none is close: at most two
// letters, and at most a third of the longer word, may differ.
func suggestion(word string, known []string) string {
	best, bestDistance := "", 3
	for _, k := range known {
		longer := max(len(strings.TrimLeft(word, "-")), len(strings.TrimLeft(k, "-")))
		if d := distance(word, k); d < bestDistance && 3*d <= longer {
			best, bestDistance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// distance returns how many letters must be inserted, deleted, changed or swapped with their neighbor to get from a to
// b.
func distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
