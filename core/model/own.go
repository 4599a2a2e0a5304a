// Copyright The ctx-lsp authors. MIT licence.

package model

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// A Registry is the built-in table together with models that the user has added. The zero value contains only the
// table.
type Registry struct{ own []own }

type own struct {
	key   string
	model Model
}

// Find looks up a model like the function Find, but first among the user's own models.
func (r *Registry) Find(id, provider, route string) (Model, bool) {
	if r != nil && len(r.own) > 0 {
		s := Spell(id)
		provider = Provider(provider)
		if provider == "" {
			provider = s.Reseller
		}
		for pass := range 2 {
			for i := len(r.own) - 1; i >= 0; i-- {
				o := &r.own[i]
				if o.key != s.Base || pass == 0 && o.model.Provider != provider || pass == 1 && o.model.Provider != "" {
					continue
				}
				m := o.model
				m.Reasoning = onRoute(m.Reasoning, m.Family, provider, strings.ToLower(route))
				return m, true
			}
		}
	}
	return Find(id, provider, route)
}

// Own calls yield with every model that the user has added, in order.
func (r *Registry) Own(yield func(Model)) {
	for i := range r.own {
		yield(r.own[i].model)
	}
}

// OwnSource is the source of models that the user has added.
const OwnSource = "your own file"

// Add reads a user's models from {"models": [{id, provider?, window, input?, output?, sharing?, family?, reasoning?}]},
// or from the array alone. It skips invalid entries and returns a message for each.
func (r *Registry) Add(v json.Value) (complaints []string) {
	list := v
	if v.Kind() == json.Object {
		list = v.Get("models")
	}
	if list.Kind() != json.Array {
		return []string{"A file of models is {\"models\": [ … ]}; this one holds " + list.Kind().String() + " there."}
	}
	i := 0
	for e := list.Elements(); e.Next(); {
		i++
		m, complaint := readOwn(e.Value)
		if complaint != "" {
			complaints = append(complaints, "Model "+decimal(i)+" was left out: "+complaint)
			continue
		}
		r.own = append(r.own, own{Spell(m.ID).Base, m})
	}
	return complaints
}

func readOwn(v json.Value) (Model, string) {
	m := Model{Shared: true, Source: OwnSource}
	if v.Kind() != json.Object {
		return m, "it is " + v.Kind().String() + ", not an object."
	}
	for f := v.Fields(); f.Next(); {
		complaint := ""
		switch {
		case f.KeyIs("id"):
			m.ID, complaint = stringIn(f.Value, "id")
		case f.KeyIs("provider"):
			m.Provider, complaint = stringIn(f.Value, "provider")
			m.Provider = Provider(m.Provider)
		case f.KeyIs("window"):
			m.Window, complaint = size(f.Value, "window")
		case f.KeyIs("input"):
			m.Input, complaint = size(f.Value, "input")
		case f.KeyIs("output"):
			m.Output, complaint = size(f.Value, "output")
		case f.KeyIs("sharing"):
			sharing := ""
			sharing, complaint = stringIn(f.Value, "sharing")
			if complaint == "" && sharing != "shared" && sharing != "separate" {
				complaint = "sharing is \"shared\" or \"separate\"."
			}
			m.Shared = sharing != "separate"
		case f.KeyIs("family"):
			m.Family, complaint = stringIn(f.Value, "family")
		case f.KeyIs("reasoning"):
			mode := ""
			if mode, complaint = stringIn(f.Value, "reasoning"); complaint == "" {
				ok := false
				if m.Reasoning, ok = ParseReasoning(mode); !ok {
					complaint = "reasoning is never, turn or always."
				}
			}
		case f.KeyIs("date"):
			m.Date, complaint = stringIn(f.Value, "date")
		case f.KeyIs("source"), f.KeyIs("encoding"):
		default:
			complaint = "it has a field " + string(f.Key.Raw()) + "; the known ones are id, provider, window, input, output, sharing, family, reasoning, date."
		}
		if complaint != "" {
			return m, complaint
		}
	}
	switch {
	case m.ID == "" || Spell(m.ID).Base == "":
		return m, "it has no id."
	case m.Window == 0 && m.Input == 0:
		return m, "it has neither a window nor an input limit."
	case m.Window == 0:
		m.Window = m.Input
	case m.Input == 0:
		m.Input = m.Window
	}
	if m.Input > m.Window {
		return m, "its input limit is larger than its window."
	}
	if m.Family == "" {
		// A known model keeps its family and reasoning under another name or at another provider.
		if known, ok := Find(m.ID, "", ""); ok {
			m.Family = known.Family
			if m.Reasoning == ReasoningUnknown {
				m.Reasoning = known.Reasoning
			}
		}
	}
	m.Encoding = encodingOf(m.Family)
	m.Framing = framingOf(m.Family, "")
	m.Estimate = estimateOf(m.Family, m.Provider)
	m.Image = imageOf(Key(m.ID), m.Family, m.Provider)
	return m, ""
}

func stringIn(v json.Value, name string) (string, string) {
	if v.Kind() != json.String {
		return "", name + " is " + v.Kind().String() + ", not a string."
	}
	return v.String(), ""
}

// maxSize is larger than any plausible window.
const maxSize = 1 << 31

func size(v json.Value, name string) (int64, string) {
	n, fault := v.Int64()
	if fault != json.NumberOK || n < 0 || n > maxSize {
		return 0, name + " is not a number of tokens."
	}
	return n, ""
}

func decimal(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return decimal(n/10) + string(rune('0'+n%10))
}
