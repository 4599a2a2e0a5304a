// Copyright The ctx-lsp authors. MIT licence.

//go:build generator

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/model"
)

// limits are the three limits of a model; zero means unknown.
type limits struct {
	window, input, output int64
	separate              bool
}

// A variant is the limits at one provider, with their sources.
type variant struct {
	provider string
	limits
	source, date string
}

// An entry is one model of the table.
type entry struct {
	key       string
	id        string
	identity  identity
	variants  []variant // the maker's first
	reasoning string
	own       bool // the maker sells the model itself, so the first variant has the maker's own numbers
}

type merged struct {
	models    []entry
	conflicts []conflict
}

func (m merged) variants() int {
	n := 0
	for _, e := range m.models {
		n += len(e.variants) - 1
	}
	return n
}

// providers are those whose statements are used. The registries list about two hundred resellers; their statements
// about a model are no better than its maker's, and often rounded.
var providers = map[string]bool{}

func init() {
	for _, p := range strings.Fields(`anthropic openai google google-vertex amazon-bedrock azure xai deepseek mistral groq cerebras
		openrouter github-copilot openai-codex opencode opencode-go vercel moonshotai kimi-for-coding zai zai-coding-plan alibaba
		alibaba-token-plan alibaba-coding-plan minimax fireworks-ai togetherai nvidia huggingface cloudflare-workers-ai
		perplexity cohere xiaomi llama baseten novita-ai ollama-cloud stepfun deepinfra nebius`) {
		providers[p] = true
	}
}

// direct reports whether a provider has its own limits. The others pass on those of a maker, and are different only if
// the difference is more than rounding.
func direct(provider string) bool {
	switch provider {
	case "github-copilot", "openai-codex", "amazon-bedrock", "google-vertex", "groq", "cerebras":
		return true
	}
	return false
}

// weight returns how far a source is trusted with a provider's limits: models.dev distinguishes total and input, pi-ai
// is the newest, and the others follow.
func weight(r record) int64 {
	switch r.Source {
	case "pi-ai":
		return 30
	case "cline":
		return 29
	case "pi-catalog":
		return 20
	}
	return 10
}

// usable removes numbers that are known not to be limits: pi-ai caps the window of OpenAI's own models at the prompt
// size at which the price goes up.
func usable(r record) record {
	if r.Source == "pi-ai" && r.Tier > 0 && r.Window == r.Tier && r.Provider == "openai" {
		r.Window = 0
	}
	return r
}

func included(r record) bool {
	if r.Type != "chat" || r.ID == "" || r.Window > 0 && r.Window < 2000 || !providers[model.Provider(r.Provider)] {
		return false
	}
	for _, not := range []string{"embed", "rerank", "whisper", "tts", "moderation", "dall-e", "-image", "image-", "transcribe", "auto", "guard", "realtime", "-live-", "native-audio", "ocr", "bge-", "voyage-", "flux-", "lyria-", "-safety", "diffusion", "voicechat", "-sonic"} {
		if strings.Contains(strings.ToLower(r.ID), not) {
			return false
		}
	}
	return true
}

func merge(records []record, sources []source, overrides *overrideFile) merged {
	groups := map[string][]record{}
	for _, r := range records {
		if !included(r) {
			continue
		}
		spelled := model.Spell(r.ID)
		if spelled.Base == "" || spelled.Million {
			continue
		}
		switch spelled.Base {
		case "free", "fusion", "community", "pareto", "vision-model", "computer-use":
			continue // a router's choice, not a model
		}
		r = usable(r)
		r.Provider = model.Provider(r.Provider)
		groups[spelled.Base] = append(groups[spelled.Base], r)
	}
	var out merged
	for key, group := range groups {
		if e, found, ok := mergeOne(key, group, sources, overrides); ok {
			out.models = append(out.models, e)
			out.conflicts = append(out.conflicts, found...)
		}
	}
	sort.Slice(out.models, func(i, j int) bool { return out.models[i].key < out.models[j].key })
	sort.Slice(out.conflicts, func(i, j int) bool { return out.conflicts[i].less(out.conflicts[j]) })
	out.models = withoutRepetition(out.models)
	return out
}

func mergeOne(key string, group []record, sources []source, overrides *overrideFile) (entry, []conflict, bool) {
	var reasons bool
	for _, r := range group {
		reasons = reasons || r.Reasoning
	}
	e := entry{key: key, identity: classify(key, reasons)}
	e.reasoning = e.identity.reasoning
	byProvider := map[string][]record{}
	for _, r := range group {
		byProvider[r.Provider] = append(byProvider[r.Provider], r)
	}
	e.id = spelling(key, group, e.identity.maker)

	// The maker's own statements, or those of all providers if the maker does not sell the model.
	maker, statements := e.identity.maker, byProvider[e.identity.maker]
	own := stated(statements)
	if !own {
		maker, statements = "", group
	}
	e.own = own
	canonical, ok := decide(statements, limits{}, sources)
	overridden := overrides.apply(key, e.identity.maker, &canonical, &e)
	if !ok && !overridden {
		return e, nil, false
	}
	finish(&canonical.limits, e.identity.family)
	canonical.provider = maker
	if overridden {
		canonical.provider = e.identity.maker
	}
	e.variants = []variant{canonical}

	var conflicts []conflict
	if c, differs := disagreement(e.id, maker, statements, canonical.limits); differs {
		conflicts = append(conflicts, c)
	}
	names := make([]string, 0, len(byProvider))
	for p := range byProvider {
		names = append(names, p)
	}
	sort.Strings(names)
	for _, p := range names {
		if p == maker {
			continue
		}
		v, ok := decide(byProvider[p], canonical.limits, sources)
		if overrides.apply(key, p, &v, &e) {
			ok = true
		}
		if !ok {
			continue
		}
		v.provider = p
		finish(&v.limits, e.identity.family)
		if nearly(v.limits, canonical.limits, direct(p)) {
			continue
		}
		e.variants = append(e.variants, v)
		if c, differs := disagreement(e.id, p, byProvider[p], v.limits); differs && direct(p) {
			conflicts = append(conflicts, c)
		}
	}
	return e, conflicts, true
}

func stated(records []record) bool {
	for _, r := range records {
		if r.Window > 0 {
			return true
		}
	}
	return false
}

// decide selects each number from the statement with the greatest weight; the weights of sources that agree are added.
func decide(records []record, base limits, sources []source) (variant, bool) {
	window := vote(records, func(r record) int64 { return r.Window })
	output := vote(records, func(r record) int64 { return r.Output })
	if window == 0 {
		return variant{}, false
	}
	input := vote(records, func(r record) int64 {
		if r.Input < r.Window {
			return r.Input
		}
		return 0
	})
	if input >= window {
		input = 0
	}
	if output == 0 {
		output = base.output
	}
	if input == 0 && window == base.window {
		input = base.input
	}
	if window == base.input && window < base.window && !direct(records[0].Provider) {
		// A source with only one number has stated the input limit.
		window, input = base.window, base.input
	}
	v := variant{limits: limits{window: window, input: input, output: output}}
	// The sources that state the window, with the newest of their dates.
	var says []string
	for _, s := range sources {
		for _, r := range records {
			if r.Source == s.Name && r.Window == window {
				says = append(says, s.label())
				v.date = max(v.date, s.Date)
				break
			}
		}
	}
	v.source = strings.Join(says, " ")
	return v, true
}

func vote(records []record, number func(record) int64) int64 {
	votes := map[int64]int64{}
	for _, r := range records {
		if n := number(r); n > 0 {
			votes[n] += weight(r)
		}
	}
	var best, most int64
	for n, v := range votes {
		if v > most || v == most && n < best {
			best, most = n, v
		}
	}
	return best
}

// finish completes the limits. Gemini's context length is its input limit, and the output is separate; everywhere else
// both share the window.
func finish(l *limits, family string) {
	if family == "gemini" || family == "gemini-4" {
		l.separate = l.output > 0 && l.output < l.window && (l.input == 0 || l.input >= l.window)
	}
	if l.input == 0 || l.input > l.window {
		l.input = l.window
	}
	if l.output > l.window {
		l.output = l.window
	}
}

// nearly reports whether the limits of a provider are those of the maker, or rounded from them.
func nearly(a, b limits, exact bool) bool {
	close := func(x, y int64) bool {
		if exact {
			return x == y
		}
		return max(x, y)-min(x, y) <= max(x, y)/20
	}
	return close(a.window, b.window) && close(a.input, b.input) && (exact && close(a.output, b.output) || !exact)
}

// spelling returns the id as its maker writes it.
func spelling(key string, group []record, maker string) string {
	best, mark := "", -1
	for _, r := range group {
		id := r.ID[strings.LastIndexByte(r.ID, '/')+1:]
		if model.Key(id) != key {
			continue
		}
		m := 0
		if r.Provider == maker {
			m = 2 + int(weight(r))
		} else if id == strings.ToLower(id) {
			m = 1
		}
		if m > mark || m == mark && id < best {
			best, mark = id, m
		}
	}
	if best == "" {
		return key
	}
	return best
}

// withoutRepetition drops snapshots and effort spellings with the same entry as their model, because looking them up
// finds the model.
func withoutRepetition(models []entry) []entry {
	byKey := map[string]*entry{}
	for i := range models {
		byKey[models[i].key] = &models[i]
	}
	kept := models[:0:0]
	for _, e := range models {
		base := model.Undecorated(e.key)
		if same := byKey[base]; base != e.key && same != nil && (!e.own || same.identity == e.identity && same.variants[0].limits == e.variants[0].limits) {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

type override struct {
	Match     string `json:"match"`
	Provider  string `json:"provider"`
	Window    int64  `json:"window"`
	Input     int64  `json:"input"`
	Output    int64  `json:"output"`
	Sharing   string `json:"sharing"`
	Family    string `json:"family"`
	Reasoning string `json:"reasoning"`
	Source    string `json:"source"`
	Date      string `json:"date"`
	used      bool
}

type overrideFile struct {
	About     string      `json:"about"`
	Overrides []*override `json:"overrides"`
}

func readOverrides(path string) (*overrideFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file := &overrideFile{}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, o := range file.Overrides {
		if o.Match == "" || o.Provider == "" || o.Source == "" || o.Date == "" {
			return nil, fmt.Errorf("%s: an override needs match, provider, source and date: %+v", path, *o)
		}
	}
	return file, nil
}

func (o *override) matches(key, provider string) bool {
	if o.Provider != provider {
		return false
	}
	pattern := model.Key(o.Match)
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return key == pattern
	}
	return len(key) >= len(before)+len(after) && strings.HasPrefix(key, before) && strings.HasSuffix(key, after)
}

func (f *overrideFile) apply(key, provider string, v *variant, e *entry) bool {
	applied := false
	for _, o := range f.Overrides {
		if !o.matches(key, provider) {
			continue
		}
		o.used, applied = true, true
		if o.Window > 0 {
			v.window = o.Window
		}
		if o.Input > 0 {
			v.input = o.Input
		}
		if o.Output > 0 {
			v.output = o.Output
		}
		if o.Family != "" {
			e.identity.family = o.Family
		}
		if o.Reasoning != "" {
			e.reasoning = o.Reasoning
		}
		v.source, v.date = o.Source, o.Date
	}
	return applied
}

func (f *overrideFile) unused() []string {
	var out []string
	for _, o := range f.Overrides {
		if !o.used {
			out = append(out, o.Match)
		}
	}
	return out
}
