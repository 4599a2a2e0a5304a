// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// Reading is a Reading as it comes over the protocol. What is null there is
// nil here.
type Reading struct {
	Schema      string  `json:"schema"`
	Session     string  `json:"session"`
	Agent       string  `json:"agent"`
	Model       string  `json:"model"`
	Workspace   string  `json:"workspace"`
	Mode        string  `json:"mode"`
	Basis       string  `json:"basis"`
	Pending     bool    `json:"pending"`
	Used        *int64  `json:"used"`
	Low         *int64  `json:"low"`
	High        *int64  `json:"high"`
	Limit       *int64  `json:"limit"`
	Free        *int64  `json:"free"`
	Reserve     int64   `json:"reserve"`
	Percent     Decimal `json:"percent"`
	LimitSource string  `json:"limitSource"`

	LastRequest *LastRequest `json:"lastRequest"`
	Leaving     struct {
		Tokens  int64 `json:"tokens"`
		Reasons []struct {
			Reason string `json:"reason"`
			Tokens int64  `json:"tokens"`
		} `json:"reasons"`
	} `json:"leaving"`
	New struct {
		Tokens int64  `json:"tokens"`
		Items  int64  `json:"items"`
		Basis  string `json:"basis"`
	} `json:"new"`
	Breakdown  []Row      `json:"breakdown"`
	Compaction Compaction `json:"compaction"`
	Advice     []Advice   `json:"advice"`
	Accuracy   struct {
		Last         *Miss   `json:"last"`
		Ratio        Decimal `json:"ratio"`
		MedianTokens *int64  `json:"medianTokens"`
		P95Tokens    *int64  `json:"p95Tokens"`
		P95Percent   Decimal `json:"p95Percent"`
		Steps        int64   `json:"steps"`
	} `json:"accuracy"`
	Spent struct {
		Calls int64 `json:"calls"`
		In    int64 `json:"in"`
		Out   int64 `json:"out"`
	} `json:"spent"`
	Compactions  int64    `json:"compactions"`
	Children     []Child  `json:"children"`
	Warnings     []string `json:"warnings"`
	AsOf         *int64   `json:"asOf"`
	AgentPercent *struct {
		Value Decimal `json:"value"`
		Label string  `json:"label"`
	} `json:"agentPercent"`
	Display Display `json:"display"`
}

// Decimal is a number as it was written, so that no face rounds it again;
// empty for null.
type Decimal string

// UnmarshalJSON keeps the digits.
func (d *Decimal) UnmarshalJSON(text []byte) error {
	*d = Decimal(text)
	if string(text) == "null" {
		*d = ""
	}
	return nil
}

// Or is the number, or a stand-in where there is none.
func (d Decimal) Or(none string) string {
	if d == "" {
		return none
	}
	return string(d)
}

// Over says whether there is a number and it is more than that.
func (d Decimal) Over(bound float64) bool { return d != "" && d.float() > bound }

// Short is the percentage without decimals, rounded as core rounds it.
func (d Decimal) Short() string {
	if d == "" {
		return "?"
	}
	whole, fraction, _ := strings.Cut(string(d), ".")
	hundredths, err := strconv.ParseInt(whole+(fraction + "00")[:2], 10, 64)
	if err != nil {
		return "?"
	}
	return core.Percent(hundredths)
}

// float is the number for drawing, never for printing.
func (d Decimal) float() float64 {
	f, _ := strconv.ParseFloat(string(d), 64)
	return f
}

// signedPercent is "+0.1 %".
func (d Decimal) signedPercent() string {
	if d == "" {
		return "? %"
	}
	if d[0] != '-' && d.float() != 0 {
		return "+" + string(d) + " %"
	}
	return string(d) + " %"
}

// LastRequest is the last metered prompt.
type LastRequest struct {
	In         int64   `json:"in"`
	Percent    Decimal `json:"percent"`
	CacheRead  *int64  `json:"cacheRead"`
	CacheWrite *int64  `json:"cacheWrite"`
	Out        *int64  `json:"out"`
	Reasoning  *int64  `json:"reasoning"`
	Carry      int64   `json:"carry"`
	CarryBasis string  `json:"carryBasis"`
}

// Row is one part of what fills the window.
type Row struct {
	Kind     string `json:"kind"`
	Label    string `json:"label"`
	Tokens   int64  `json:"tokens"`
	Basis    string `json:"basis"`
	Deferred bool   `json:"deferred"`
}

// Compaction is when the agent compacts.
type Compaction struct {
	Rule      string  `json:"rule"`
	Since     string  `json:"since"`
	Source    string  `json:"source"`
	Line      *int64  `json:"line"`
	Left      *int64  `json:"left"`
	Percent   Decimal `json:"percent"`
	Level     string  `json:"level"`
	Buffer    *int64  `json:"buffer"`
	Landing   *Range  `json:"landing"`
	CallsLeft *Range  `json:"callsLeft"`
	TurnsLeft *Range  `json:"turnsLeft"`
}

// Range is an estimate with its bounds.
type Range struct {
	Low    int64  `json:"low"`
	Likely *int64 `json:"likely"`
	High   int64  `json:"high"`
}

// Advice is something the user could do.
type Advice struct {
	Action      string `json:"action"`
	Label       string `json:"label"`
	Tokens      int64  `json:"tokens"`
	How         string `json:"how"`
	BreaksCache bool   `json:"breaksCache"`
}

// Miss is a prediction held against its measurement.
type Miss struct {
	Predicted int64   `json:"predicted"`
	Actual    int64   `json:"actual"`
	Error     int64   `json:"error"`
	Percent   Decimal `json:"percent"`
	Cause     string  `json:"cause"`
}

// Child is a sub-agent.
type Child struct {
	Session  string  `json:"session"`
	Label    string  `json:"label"`
	Agent    string  `json:"agent"`
	Model    string  `json:"model"`
	Used     *int64  `json:"used"`
	Limit    *int64  `json:"limit"`
	Percent  Decimal `json:"percent"`
	Level    string  `json:"level"`
	Basis    string  `json:"basis"`
	Children []Child `json:"children"`
}

// Display has the strings that were rounded once, in core.
type Display struct {
	Percent         string `json:"percent"`
	Used            string `json:"used"`
	Limit           string `json:"limit"`
	Free            string `json:"free"`
	Left            string `json:"left"`
	Mark            string `json:"mark"`
	PercentLeft     string `json:"percentLeft"`
	Line            string `json:"line"`
	LinePercent     string `json:"linePercent"`
	LinePercentLeft string `json:"linePercentLeft"`
	Bar             string `json:"bar"`
}

// Parse reads a Reading from JSON.
func Parse(text []byte) (*Reading, error) {
	r := &Reading{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("the Reading cannot be read: %w", err)
	}
	return r, nil
}

// mark is what stands behind a number that was not measured.
func mark(basis string) string {
	switch basis {
	case "estimated", "measured+estimated":
		return "~"
	case "unknown":
		return "?"
	}
	return ""
}
