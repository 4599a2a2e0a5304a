// Copyright The ctx-lsp authors. MIT licence.

package course

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// A Sample is one thing that prompts held, from the kind down to its name, and what it cost.
type Sample struct {
	Stack []string // the kind, the tool, the file or command
	// Tokens is how large it was at most, and Sent how many tokens of it all requests held together: a result that stays
	// for forty requests is sent forty times.
	Tokens, Sent int64
	Requests     int64 // how many of them held it
}

// Samples says where the tokens of a session went: over all requests, by kind, tool, file and message. What they sent
// adds up to what the requests held.
func (c *Course) Samples() []Sample {
	by := map[string]*Sample{}
	add := func(stack []string, tokens int64) int64 {
		if tokens <= 0 {
			return 0
		}
		k := strings.Join(stack, "\x00")
		s := by[k]
		if s == nil {
			s = &Sample{Stack: stack}
			by[k] = s
		}
		s.Tokens = max(s.Tokens, tokens)
		s.Sent += tokens
		s.Requests++
		return tokens
	}
	for i := range c.Requests {
		r := &c.Requests[i]
		rest := map[api.Kind]int64{} // of the conversation's rows, what is in no item
		for _, row := range r.Rows {
			if row.Deferred {
				continue
			}
			if conversation(row.Kind) {
				rest[row.Kind] += row.Tokens
				continue
			}
			add([]string{kindName(row.Kind), row.Label}, row.Tokens)
		}
		for j := range r.Items {
			item := &r.Items[j]
			left, counted := rest[item.Kind]
			if !counted {
				continue
			}
			rest[item.Kind] = left - add(append([]string{kindName(item.Kind)}, frames(item)...), min(item.Tokens, left))
		}
		for kind, left := range rest {
			add([]string{kindName(kind), "smaller ones, or shares of larger ones"}, left)
		}
	}
	list := make([]Sample, 0, len(by))
	for _, s := range by {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(b.Sent, a.Sent), slices.Compare(a.Stack, b.Stack))
	})
	return list
}

// conversation says whether a kind's row is the sum of items.
func conversation(kind api.Kind) bool {
	switch kind {
	case "user", "assistant", "toolCalls", "toolResults", "reasoning", "media", "summary":
		return true
	}
	return false
}

// kindName is how a kind is called in a profile: its word, in two.
func kindName(kind api.Kind) string {
	var b strings.Builder
	for _, r := range string(kind) {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// frames are the tool and the name of an item: Read, src/api.go; mcp:github, get_issue; message 12.
func frames(item *api.LargeItem) []string {
	if item.What == "" {
		return []string{"message " + itoa(item.Index+1)}
	}
	tool, name, two := strings.Cut(item.Label, " ")
	if !two {
		return []string{item.Label}
	}
	return []string{tool, name}
}

// WritePprof writes a profile that go tool pprof opens.
func WritePprof(w io.Writer, c *Course) error {
	p := &profile.Profile{
		SampleType:        []*profile.ValueType{{Type: "sent", Unit: "tokens"}, {Type: "held", Unit: "tokens"}, {Type: "requests", Unit: "count"}},
		DefaultSampleType: "sent",
		PeriodType:        &profile.ValueType{Type: "requests", Unit: "count"},
		Period:            1,
		Comments:          []string{"ctx-lsp profile: " + c.Last.Model + ", session " + c.Last.Session},
	}
	if first, last := c.Requests[0].At, c.Requests[len(c.Requests)-1].At; first != nil && last != nil {
		p.TimeNanos = int64(*first) * 1e6
		p.DurationNanos = max(int64(*last)-int64(*first), 0) * 1e6
	}
	locations := map[string]*profile.Location{}
	at := func(name string) *profile.Location {
		if l := locations[name]; l != nil {
			return l
		}
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, SystemName: name}
		p.Function = append(p.Function, f)
		l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f}}}
		p.Location = append(p.Location, l)
		locations[name] = l
		return l
	}
	for _, s := range c.Samples() {
		sample := &profile.Sample{Value: []int64{s.Sent, s.Tokens, s.Requests}}
		for i := len(s.Stack) - 1; i >= 0; i-- { // the leaf is first
			sample.Location = append(sample.Location, at(s.Stack[i]))
		}
		p.Sample = append(p.Sample, sample)
	}
	if err := p.CheckValid(); err != nil {
		return err
	}
	return p.Write(w)
}

// WriteSpeedscope writes a profile in speedscope's own format: https://www.speedscope.app/file-format-schema.json
func WriteSpeedscope(w io.Writer, c *Course) error {
	type frame struct {
		Name string `json:"name"`
	}
	type sampled struct {
		Type       string  `json:"type"`
		Name       string  `json:"name"`
		Unit       string  `json:"unit"`
		StartValue int64   `json:"startValue"`
		EndValue   int64   `json:"endValue"`
		Samples    [][]int `json:"samples"`
		Weights    []int64 `json:"weights"`
	}
	var frames []frame
	places := map[string]int{}
	profiles := []*sampled{{Name: "Sent over all requests, in tokens"}, {Name: "Held at most, in tokens"}}
	for _, s := range c.Samples() {
		var stack []int
		for _, name := range s.Stack {
			place, known := places[name]
			if !known {
				place = len(frames)
				places[name] = place
				frames = append(frames, frame{name})
			}
			stack = append(stack, place)
		}
		for i, weight := range []int64{s.Sent, s.Tokens} {
			profiles[i].Samples = append(profiles[i].Samples, stack)
			profiles[i].Weights = append(profiles[i].Weights, weight)
			profiles[i].EndValue += weight
		}
	}
	for _, p := range profiles {
		p.Type, p.Unit = "sampled", "none"
	}
	return json.NewEncoder(w).Encode(map[string]any{
		"$schema":  "https://www.speedscope.app/file-format-schema.json",
		"exporter": "ctx-lsp", "name": c.Last.Session, "activeProfileIndex": 0,
		"shared": map[string]any{"frames": frames}, "profiles": profiles,
	})
}
