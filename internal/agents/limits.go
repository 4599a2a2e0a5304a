// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A limitTime is a time as agents write it: in seconds or milliseconds since 1970, or as a date.
type limitTime struct{ at *api.Time }

// UnmarshalJSON never fails: a time that cannot be read is unknown.
func (m *limitTime) UnmarshalJSON(text []byte) error {
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

// A limitNumber is a number that an agent may write in another form.
type limitNumber struct{ n *float64 }

// UnmarshalJSON never fails: anything but a number is unknown.
func (a *limitNumber) UnmarshalJSON(text []byte) error {
	var n *float64
	if json.Unmarshal(text, &n) == nil {
		a.n = n
	}
	return nil
}

// statusLineMessage is the message that Claude Code and Antigravity send to a status line's program.
type statusLineMessage struct {
	Limits struct {
		FiveHours statusLimit `json:"five_hour"`
		SevenDays statusLimit `json:"seven_day"`
	} `json:"rate_limits"`
	Cache promptCache `json:"prompt_cache"`
	// Quota is Antigravity's: what is left, by a group of models and a window: "gemini-5h", "3p-weekly".
	Quota map[string]statusQuota `json:"quota"`
	Model struct {
		ID   string `json:"id"`
		Name string `json:"display_name"`
	} `json:"model"`
}

type statusQuota struct {
	Left   limitNumber `json:"remaining_fraction"`
	Resets limitTime   `json:"reset_time"`
}

type statusLimit struct {
	Used   limitNumber `json:"used_percentage"`
	Resets limitTime   `json:"resets_at"`
}

// StatusLineLimits reads the account limits that an agent passes to the program of its status line; nil if it passes
// none. Claude Code passes them directly, Antigravity as the fraction that is left.
func StatusLineLimits(text []byte, now time.Time) *api.Allowance {
	var s statusLineMessage
	_ = json.Unmarshal(text, &s) // a field of a wrong type is unknown, and the others are used
	at := api.Time(now.UnixMilli())
	a := &api.Allowance{At: &at, Windows: []api.AllowanceWindow{}, CacheUntil: s.Cache.Expires.at, Cache: s.Cache.account()}
	addLimit(a, 5*60, s.Limits.FiveHours.Used.n, s.Limits.FiveHours.Resets)
	addLimit(a, 7*24*60, s.Limits.SevenDays.Used.n, s.Limits.SevenDays.Resets)
	group := "3p-"
	if strings.Contains(strings.ToLower(s.Model.ID+" "+s.Model.Name), "gemini") {
		group = "gemini-"
	}
	for window, minutes := range map[string]int64{"5h": 5 * 60, "weekly": 7 * 24 * 60} {
		if quota := s.Quota[group+window]; quota.Left.n != nil && *quota.Left.n >= 0 && *quota.Left.n <= 1 {
			used := (1 - *quota.Left.n) * 100
			addLimit(a, minutes, &used, quota.Resets)
		}
	}
	return knownLimits(a)
}

// addLimit adds a window; used is the percentage that the agent reports.
func addLimit(a *api.Allowance, minutes int64, used *float64, resets limitTime) {
	if used == nil || minutes <= 0 || math.IsNaN(*used) || *used < 0 || *used > 1e6 {
		return
	}
	percent := api.Hundredths(math.Round(*used * 100))
	a.Windows = append(a.Windows, api.AllowanceWindow{Minutes: minutes, Percent: percent, Resets: resets.at})
	slices.SortStableFunc(a.Windows, func(x, y api.AllowanceWindow) int { return cmp.Compare(x.Minutes, y.Minutes) })
}

// knownLimits returns the allowance, or nil if nothing of it is known.
func knownLimits(a *api.Allowance) *api.Allowance {
	if len(a.Windows) == 0 && a.CacheUntil == nil && a.Cache == nil {
		return nil
	}
	return a
}
