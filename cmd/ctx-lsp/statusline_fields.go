// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/inside"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// agentFields are what an agent says of itself beside its context. They are shown as they were said, and nothing is
// computed of them but how long it is until a time; a field that an agent does not say has no value.
type agentFields struct {
	Cost struct {
		USD          *float64 `json:"total_cost_usd"`
		Milliseconds *float64 `json:"total_duration_ms"`
		Added        *int64   `json:"total_lines_added"`
		Removed      *int64   `json:"total_lines_removed"`
		Premium      *float64 `json:"total_premium_requests"`
	} `json:"cost"`
	Workspace struct {
		Project string `json:"project_dir"`
		Current string `json:"current_dir"`
	} `json:"workspace"`
	Limits struct {
		FiveHours agentLimit `json:"five_hour"`
		SevenDays agentLimit `json:"seven_day"`
	} `json:"rate_limits"`
	Cache struct {
		HitRatio *float64        `json:"hit_ratio"`
		Expires  json.RawMessage `json:"expires_at"`
	} `json:"prompt_cache"`
	Effort struct {
		Level string `json:"level"`
	} `json:"effort"`
	Style struct {
		Name string `json:"name"`
	} `json:"output_style"`
	Worktree struct {
		Branch string `json:"branch"`
	} `json:"worktree"`
}

type agentLimit struct {
	Used   *float64        `json:"used_percentage"`
	Resets json.RawMessage `json:"resets_at"`
}

// agentWords names the fields of a template that an agent's own JSON fills, in the order of the help.
var agentWords = [...][2]string{
	{"cost", "what the agent says that the session has cost"},
	{"premium", "premium requests, as Copilot CLI counts them"},
	{"duration", "how long the session has lasted, as the agent says"},
	{"lines", "lines that were added and removed"},
	{"dir", "the folder of the project"},
	{"limit5h", "of the limit of five hours that is used"},
	{"reset5h", "until that limit begins anew"},
	{"limit7d", "of the limit of seven days that is used"},
	{"reset7d", "until that limit begins anew"},
	{"cache", "of the prompts that came from the cache"},
	{"cacheLeft", "until the prompt cache expires"},
	{"effort", "how much the model is to think"},
	{"style", "the agent's style of answers"},
}

// fieldsOf are the values of those fields in what an agent says. What is of a wrong type is not known.
func fieldsOf(text []byte, cwd string, now time.Time) terminal.Words {
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
		"reset5h": until(f.Limits.FiveHours.Resets, now), "reset7d": until(f.Limits.SevenDays.Resets, now),
		"cache": percent(f.Cache.HitRatio, 100), "cacheLeft": until(f.Cache.Expires, now),
		"effort": f.Effort.Level, "style": f.Style.Name,
	}
	if usd := f.Cost.USD; usd != nil && *usd >= 0 && *usd < 1e9 {
		values["cost"] = "$" + strconv.FormatFloat(*usd, 'f', 2, 64)
	}
	if n := f.Cost.Premium; n != nil && *n >= 0 && *n < 1e9 {
		values["premium"] = strconv.FormatFloat(*n, 'f', -1, 64)
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

// until says how long it is until a time that an agent says, in seconds or milliseconds since 1970 or as a date; empty
// where it says none, and for what is over.
func until(raw json.RawMessage, now time.Time) string {
	var at time.Time
	var number float64
	switch {
	case json.Unmarshal(raw, &number) == nil && number > 1e11 && number < 1e15:
		at = time.UnixMilli(int64(number))
	case json.Unmarshal(raw, &number) == nil && number > 0 && number < 1e11:
		at = time.Unix(int64(number), 0)
	case json.Unmarshal(raw, &at) != nil:
		return ""
	}
	if left := at.Sub(now); left > 0 && left < 1000*24*time.Hour {
		return terminal.Age(left)
	}
	return ""
}

// branchOf is the branch of the worktree that an agent says, or else the one that is checked out in the folder.
func branchOf(text []byte, cwd string) string {
	var f agentFields
	_ = json.Unmarshal(text, &f)
	if f.Worktree.Branch != "" {
		return f.Worktree.Branch
	}
	for _, dir := range []string{cwd, f.Workspace.Current, f.Workspace.Project} {
		if root := repository(dir); source.Local(dir) && root != "" {
			return checkedOut(root)
		}
	}
	return ""
}

// checkedOut is the branch of a repository, empty where a commit is checked out that is none.
func checkedOut(root string) string {
	head, err := inside.Open(root, ".git/HEAD")
	if err != nil {
		return "" // a worktree, of which the agent's records tell
	}
	defer head.Close()
	line, _ := io.ReadAll(io.LimitReader(head, 1<<10))
	branch, _ := strings.CutPrefix(strings.TrimSpace(string(line)), "ref: refs/heads/")
	if strings.HasPrefix(string(line), branch) {
		return ""
	}
	return branch
}

// agentFieldsText lists the fields for a person, one a line.
func agentFieldsText() string {
	var b strings.Builder
	for _, word := range agentWords {
		b.WriteString("  {" + word[0] + "}" + strings.Repeat(" ", 17-len(word[0])) + word[1] + "\n")
	}
	return b.String()
}
