// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// agentFields are what an agent says of itself beside its context. They are shown as they were said, and nothing is
// computed of them; a field that an agent does not say has no value.
type agentFields struct {
	Cost struct {
		USD          *float64 `json:"total_cost_usd"`
		Milliseconds *float64 `json:"total_duration_ms"`
		Added        *int64   `json:"total_lines_added"`
		Removed      *int64   `json:"total_lines_removed"`
	} `json:"cost"`
	Workspace struct {
		Project string `json:"project_dir"`
		Current string `json:"current_dir"`
	} `json:"workspace"`
	Limits struct {
		FiveHours struct {
			Used *float64 `json:"used_percentage"`
		} `json:"five_hour"`
		SevenDays struct {
			Used *float64 `json:"used_percentage"`
		} `json:"seven_day"`
	} `json:"rate_limits"`
	Cache struct {
		HitRatio *float64 `json:"hit_ratio"`
	} `json:"prompt_cache"`
}

// agentWords names the fields of a template that an agent's own JSON fills, in the order of the help.
var agentWords = [...][2]string{
	{"cost", "what the agent says that the session has cost"},
	{"duration", "how long the session has lasted, as the agent says"},
	{"lines", "lines that were added and removed"},
	{"dir", "the folder of the project"},
	{"limit5h", "of the limit of five hours that is used"},
	{"limit7d", "of the limit of seven days that is used"},
	{"cache", "of the prompts that came from the cache"},
}

// fieldsOf are the values of those fields in what an agent says. What is of a wrong type is not known.
func fieldsOf(text []byte, cwd string) terminal.Words {
	var f agentFields
	_ = json.Unmarshal(text, &f)
	percent := func(n *float64, factor float64) string {
		if n == nil || *n < 0 || *n*factor > 1e6 {
			return ""
		}
		return strconv.FormatFloat(*n*factor, 'f', 0, 64) + "%"
	}
	values := map[string]string{
		"limit5h": percent(f.Limits.FiveHours.Used, 1), "limit7d": percent(f.Limits.SevenDays.Used, 1),
		"cache": percent(f.Cache.HitRatio, 100),
	}
	if usd := f.Cost.USD; usd != nil && *usd >= 0 && *usd < 1e9 {
		values["cost"] = "$" + strconv.FormatFloat(*usd, 'f', 2, 64)
	}
	if ms := f.Cost.Milliseconds; ms != nil && *ms > 0 && *ms < 1e13 {
		values["duration"] = terminal.Age(time.Duration(*ms) * time.Millisecond)
	}
	if f.Cost.Added != nil && f.Cost.Removed != nil {
		values["lines"] = "+" + strconv.FormatInt(*f.Cost.Added, 10) + " -" + strconv.FormatInt(*f.Cost.Removed, 10)
	}
	for _, dir := range []string{f.Workspace.Project, f.Workspace.Current, cwd} {
		if dir != "" {
			values["dir"] = filepath.Base(strings.ReplaceAll(dir, `\`, "/"))
			break
		}
	}
	var words terminal.Words
	for _, word := range agentWords {
		words = append(words, terminal.Word{Name: word[0], Value: values[word[0]]})
	}
	return words
}

// agentFieldsText lists the fields for a person, one a line.
func agentFieldsText() string {
	var b strings.Builder
	for _, word := range agentWords {
		b.WriteString("  {" + word[0] + "}" + strings.Repeat(" ", 17-len(word[0])) + word[1] + "\n")
	}
	return b.String()
}
