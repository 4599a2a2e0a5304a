// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bytes"
	"encoding/json"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// codexRecord is a record of Codex with the limits of the account.
type codexRecord struct {
	Timestamp limitTime `json:"timestamp"`
	Payload   struct {
		Limits *struct {
			Primary   *codexLimit `json:"primary"`
			Secondary *codexLimit `json:"secondary"`
		} `json:"rate_limits"`
	} `json:"payload"`
}

type codexLimit struct {
	Used    *float64  `json:"used_percent"`
	Minutes int64     `json:"window_minutes"`
	Resets  limitTime `json:"resets_at"`
	In      *int64    `json:"resets_in_seconds"` // before Codex named the time
}

// codexLimits reads the limits in one record of Codex; nil if it has none.
func codexLimits(record []byte) *api.Allowance {
	if !bytes.Contains(record, []byte(`"rate_limits"`)) {
		return nil
	}
	var r codexRecord
	if json.Unmarshal(record, &r) != nil || r.Payload.Limits == nil {
		return nil
	}
	a := &api.Allowance{At: r.Timestamp.at, Windows: []api.AllowanceWindow{}}
	for _, l := range []*codexLimit{r.Payload.Limits.Primary, r.Payload.Limits.Secondary} {
		if l == nil {
			continue
		}
		if l.Resets.at == nil && l.In != nil && *l.In >= 0 && *l.In < 1e9 && a.At != nil {
			at := *a.At + api.Time(*l.In*1000)
			l.Resets.at = &at
		}
		addLimit(a, l.Minutes, l.Used, l.Resets)
	}
	return knownLimits(a)
}
