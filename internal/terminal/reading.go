// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// Parse reads a Reading from JSON.
func Parse(text []byte) (*api.Reading, error) {
	r := &api.Reading{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("the Reading cannot be read: %w", err)
	}
	return r, nil
}

// ParseHistory reads the usage history of a session from JSON.
func ParseHistory(text []byte) (*api.HistoryAnswer, error) {
	h := &api.HistoryAnswer{}
	if err := json.Unmarshal(text, h); err != nil {
		return nil, fmt.Errorf("the history cannot be read: %w", err)
	}
	return h, nil
}

// signedPercent formats a percentage with its sign: +0.1%.
func signedPercent(percent api.Hundredths) string {
	if percent > 0 {
		return "+" + percent.String() + "%"
	}
	return percent.String() + "%"
}

// mark returns the character in front of a number that was not measured; "" for other numbers.
func mark(basis api.Basis) string {
	switch basis {
	case "estimated", "measured+estimated":
		return "~"
	case "unknown":
		return "?"
	}
	return ""
}
