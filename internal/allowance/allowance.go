// Copyright The ctx-lsp authors. MIT licence.

// Package allowance reads what agents say on this machine of the limits of their accounts, and until when the prompt
// cache is warm. It asks nobody: Codex writes its limits beside the usage of each request, and Claude Code hands its
// own to the program of a status line. What is kept is numbers and times.
package allowance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A moment is a time as agents write it: in seconds or milliseconds since 1970, or as a date.
type moment struct{ at *api.Time }

// UnmarshalJSON never fails: a time that cannot be read is not known.
func (m *moment) UnmarshalJSON(text []byte) error {
	var number float64
	var date time.Time
	switch {
	case json.Unmarshal(text, &number) == nil && number > 1e11 && number < 1e15:
		date = time.UnixMilli(int64(number))
	case json.Unmarshal(text, &number) == nil && number > 0 && number <= 1e11:
		date = time.Unix(int64(number), 0)
	case json.Unmarshal(text, &date) != nil || date.Year() < 2000 || date.Year() > 9000:
		return nil
	}
	at := api.Time(date.UnixMilli())
	m.at = &at
	return nil
}

// An amount is a number that an agent may write otherwise.
type amount struct{ n *float64 }

// UnmarshalJSON never fails: what is no number is not known.
func (a *amount) UnmarshalJSON(text []byte) error {
	var n *float64
	if json.Unmarshal(text, &n) == nil {
		a.n = n
	}
	return nil
}

// codexRecord is a record of Codex in which it notes its limits.
type codexRecord struct {
	Timestamp moment `json:"timestamp"`
	Payload   struct {
		Limits *struct {
			Primary   *codexLimit `json:"primary"`
			Secondary *codexLimit `json:"secondary"`
		} `json:"rate_limits"`
	} `json:"payload"`
}

type codexLimit struct {
	Used    *float64 `json:"used_percent"`
	Minutes int64    `json:"window_minutes"`
	Resets  moment   `json:"resets_at"`
	In      *int64   `json:"resets_in_seconds"` // before Codex named the time
}

// OfCodex reads the limits in one record of Codex; nil where it has none.
func OfCodex(record []byte) *api.Allowance {
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
		add(a, l.Minutes, l.Used, l.Resets)
	}
	return known(a)
}

// statusLine is what Claude Code and Antigravity tell the program of a status line.
type statusLine struct {
	Limits struct {
		FiveHours statusLimit `json:"five_hour"`
		SevenDays statusLimit `json:"seven_day"`
	} `json:"rate_limits"`
	Cache struct {
		Expires moment `json:"expires_at"`
	} `json:"prompt_cache"`
	// Quota is Antigravity's: what is left, by a group of models and a window: "gemini-5h", "3p-weekly".
	Quota map[string]statusQuota `json:"quota"`
	Model struct {
		ID   string `json:"id"`
		Name string `json:"display_name"`
	} `json:"model"`
}

type statusQuota struct {
	Left   amount `json:"remaining_fraction"`
	Resets moment `json:"reset_time"`
}

type statusLimit struct {
	Used   amount `json:"used_percentage"`
	Resets moment `json:"resets_at"`
}

// OfStatusLine reads what an agent tells the program of a status line; nil where it says nothing of it.
func OfStatusLine(text []byte, now time.Time) *api.Allowance {
	var s statusLine
	_ = json.Unmarshal(text, &s) // a field of a wrong type is not known, and the others are
	at := api.Time(now.UnixMilli())
	a := &api.Allowance{At: &at, Windows: []api.AllowanceWindow{}, CacheUntil: s.Cache.Expires.at}
	add(a, 5*60, s.Limits.FiveHours.Used.n, s.Limits.FiveHours.Resets)
	add(a, 7*24*60, s.Limits.SevenDays.Used.n, s.Limits.SevenDays.Resets)
	group := "3p-"
	if strings.Contains(strings.ToLower(s.Model.ID+" "+s.Model.Name), "gemini") {
		group = "gemini-"
	}
	for window, minutes := range map[string]int64{"5h": 5 * 60, "weekly": 7 * 24 * 60} {
		if quota := s.Quota[group+window]; quota.Left.n != nil && *quota.Left.n >= 0 && *quota.Left.n <= 1 {
			used := (1 - *quota.Left.n) * 100
			add(a, minutes, &used, quota.Resets)
		}
	}
	return known(a)
}

// add adds a window of which the agent says how much is used.
func add(a *api.Allowance, minutes int64, used *float64, resets moment) {
	if used == nil || minutes <= 0 || math.IsNaN(*used) || *used < 0 || *used > 1e6 {
		return
	}
	percent := api.Hundredths(math.Round(*used * 100))
	a.Windows = append(a.Windows, api.AllowanceWindow{Minutes: minutes, Percent: percent, Resets: resets.at})
	slices.SortStableFunc(a.Windows, func(x, y api.AllowanceWindow) int { return cmp.Compare(x.Minutes, y.Minutes) })
}

// known is the allowance, or nil where nothing of it is known.
func known(a *api.Allowance) *api.Allowance {
	if len(a.Windows) == 0 && a.CacheUntil == nil {
		return nil
	}
	return a
}
