// Copyright The ctx-lsp authors. MIT licence.

package statusline

import (
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
	"github.com/ctx-lsp/ctx-lsp/internal/history"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// agentFields are the agent's own fields other than its context. They are shown as reported, and nothing is computed
// from them except the time left until a moment; a field that an agent does not send has no value.
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
	Cache struct {
		HitRatio *float64 `json:"hit_ratio"`
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

// agentWords names the fields of a template that an agent's own JSON fills, in the order of the help.
var agentWords = [...][2]string{
	{"cost", "cost of the session, as reported by the agent"},
	{"premium", "premium requests, as reported by Copilot CLI"},
	{"duration", "duration of the session, as reported by the agent"},
	{"lines", "lines added and removed"},
	{"dir", "the project's directory"},
	{"limits", "how much of the account's limits is used, and the time until they reset, as reported by the agent"},
	{"limit5h", "used part of the five-hour limit"},
	{"reset5h", "time until that limit resets"},
	{"limit7d", "used part of the seven-day limit"},
	{"reset7d", "time until that limit resets"},
	{"cache", "state of the prompt cache, as reported by the agent: warm, with the time until it expires, or cold"},
	{"cacheLeft", "time until the prompt cache expires"},
	{"cacheHits", "cached part of the prompts"},
	{"cacheMisses", "requests that missed the prompt cache, as counted by the agent"},
	{"cacheCause", "cause of the last of them, in the agent's words"},
	{"cacheRewritten", "tokens that they wrote to the cache again, as counted by the agent"},
	{"effort", "reasoning effort that is set"},
	{"style", "the agent's output style"},
}

// readingWords names the fields that a Reading fills, in the order of the help.
var readingWords = [...][2]string{
	{"compactions", "number of compactions in the conversation"},
	{"back", "in the last fifth of the prompt cache's lifetime the time until it is cold, and then what the next prompt rewrites"},
	{"first", "tokens of the fixed context in every request: system prompt, tools, memory, skills, agents"},
}

// wordsOf returns the values of those fields; they are empty without a Reading.
func wordsOf(r *api.Reading, now time.Time) terminal.Words {
	values := [len(readingWords)]string{}
	if r != nil {
		values[0] = strconv.FormatInt(r.Compaction.Count, 10)
		values[1] = terminal.BackSoon(r, now)
		if fixed := history.Fixed(r); fixed > 0 {
			values[2] = core.Short(fixed)
		}
	}
	var words terminal.Words
	for i, word := range readingWords {
		words = append(words, terminal.Word{Name: word[0], Value: values[i]})
	}
	return words
}

// fieldsOf returns the values of the agent's own fields. Values of a wrong type are unknown.
func fieldsOf(text []byte, cwd string, now time.Time) terminal.Words {
	var f agentFields
	_ = json.Unmarshal(text, &f)
	return f.words(agents.StatusLineLimits(text, now), cwd, now)
}

// words returns the values, including the account's limits and the prompt cache.
func (f *agentFields) words(a *api.Allowance, cwd string, now time.Time) terminal.Words {
	values := map[string]string{"effort": f.Effort.Level, "style": f.Style.Name}
	allowanceWords(values, a, now)
	if hits := f.Cache.HitRatio; hits != nil && *hits >= 0 && *hits <= 1e4 {
		values["cacheHits"] = strconv.FormatFloat(*hits*100, 'f', 0, 64) + "%"
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

// allowanceWords fills in the fields of the account's limits and of the prompt cache.
func allowanceWords(values map[string]string, a *api.Allowance, now time.Time) {
	if a == nil {
		return
	}
	var limits []string
	for _, w := range a.Windows {
		name := strconv.FormatInt(w.Minutes/60, 10) + "h"
		if w.Minutes < 60 {
			name = strconv.FormatInt(w.Minutes, 10) + "m"
		} else if w.Minutes%(24*60) == 0 {
			name = strconv.FormatInt(w.Minutes/60/24, 10) + "d"
		}
		used, resets := strconv.FormatFloat(w.Percent.Float(), 'f', 0, 64)+"%", until(w.Resets, now)
		limit := name + " " + used
		if resets != "" {
			limit += " (resets in " + resets + ")"
		}
		limits = append(limits, limit)
		values["limit"+name], values["reset"+name] = used, resets
	}
	values["limits"] = strings.Join(limits, ", ")
	if c := a.Cache; c != nil {
		if c.Misses != nil {
			values["cacheMisses"] = strconv.FormatInt(*c.Misses, 10)
		}
		if c.Rewritten != nil {
			values["cacheRewritten"] = core.Short(*c.Rewritten)
		}
		values["cacheCause"] = strings.ReplaceAll(strings.Join(c.LastCauses, ", "), "_", " ")
	}
	if a.CacheUntil != nil {
		left := until(a.CacheUntil, now)
		values["cache"], values["cacheLeft"] = "cold", left
		if !time.UnixMilli(int64(*a.CacheUntil)).Before(now) {
			values["cache"] = strings.TrimSpace("warm " + left)
		}
	}
}

// until returns how long it is until a time that an agent reports; "" if it reports none or if that time has passed.
func until(at *api.Time, now time.Time) string {
	if at == nil {
		return ""
	}
	if left := time.UnixMilli(int64(*at)).Sub(now); left > 0 && left < 1000*24*time.Hour {
		return terminal.Age(left)
	}
	return ""
}

// branchOf returns the branch of the worktree that an agent reports, otherwise the branch checked out in the directory.
func branchOf(text []byte, cwd string) string {
	var f agentFields
	_ = json.Unmarshal(text, &f)
	if f.Worktree.Branch != "" {
		return f.Worktree.Branch
	}
	for _, dir := range []string{cwd, f.Workspace.Current, f.Workspace.Project} {
		if root := focus.Repository(dir); dirs.Local(dir) && root != "" {
			return checkedOut(root)
		}
	}
	return ""
}

// checkedOut returns the branch of a repository; "" if a commit is checked out.
func checkedOut(root string) string {
	head, err := safefile.Open(root, ".git/HEAD")
	if err != nil {
		return "" // a worktree; the agent's records name its branch
	}
	defer head.Close()
	line, _ := io.ReadAll(io.LimitReader(head, 1<<10))
	branch, _ := strings.CutPrefix(strings.TrimSpace(string(line)), "ref: refs/heads/")
	if strings.HasPrefix(string(line), branch) {
		return ""
	}
	return branch
}

// Fields lists the fields of a template for the help, one per line.
func Fields() string {
	var b strings.Builder
	b.WriteString(terminal.Fields())
	for _, word := range slices.Concat(readingWords[:], agentWords[:]) {
		b.WriteString("  {" + word[0] + "}" + strings.Repeat(" ", 17-len(word[0])) + word[1] + "\n")
	}
	return b.String()
}
