// Copyright The ctx-lsp authors. MIT licence.

package model

import "strings"

// nearMost is the maximum number of similar names returned.
const nearMost = 3

// NearModels returns the IDs of models with names similar to an unknown ID, the most similar first.
func NearModels(id string) []string {
	n := newNear(Spell(id).Base)
	for i := range builtin.len() {
		n.add(builtin.id(i))
	}
	return n.names
}

// NearProviders returns the names of providers similar to an unknown one, the most similar first.
func NearProviders(name string) []string {
	n := newNear(Provider(name))
	eachProvider(func(known string) bool {
		n.add(known)
		return true
	})
	return n.names
}

// KnownProvider reports whether name is one of the names of a known provider.
func KnownProvider(name string) bool {
	name = Provider(name)
	known := false
	eachProvider(func(other string) bool {
		known = other == name
		return !known
	})
	return known
}

// otherProviders are recognized by the shape of their usage, or are servers that users run themselves. The table has no
// limits for them.
const otherProviders = "ctx ollama vllm sglang tgi litellm huggingface groq genkit langchain agent-client-protocol acp ai-sdk ai "

// eachProvider calls yield with the name of each known provider until yield returns false.
func eachProvider(yield func(string) bool) {
	for rest := spellings; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		name, _, _ := strings.Cut(line, " ")
		if !yield(name) {
			return
		}
	}
	for rest := otherProviders; rest != ""; {
		var name string
		if name, rest, _ = strings.Cut(rest, " "); !yield(name) {
			return
		}
	}
	_, last := builtin.variants(builtin.len() - 1)
	for e, before := 0, ""; e < last; e++ {
		name := builtin.providerOf(e)
		if name != "" && name != before && !yield(name) {
			return
		}
		before = name
	}
}

// near collects the names that are most similar to another.
type near struct {
	to    string
	names []string
	off   [nearMost]int
}

// longestNear is the maximum length of names that are compared.
const longestNear = 64

func newNear(to string) *near {
	if len(to) > longestNear {
		to = ""
	}
	return &near{to: to}
}

// add adds a name if at most a quarter of it differs, and it is similar enough to be among the nearMost.
func (n *near) add(name string) {
	most := max(len(n.to)/4, 1)
	if len(n.to) < 3 || len(name) > longestNear || max(len(name)-len(n.to), len(n.to)-len(name)) > most {
		return
	}
	off := edits(n.to, name)
	if off > most {
		return
	}
	at := len(n.names)
	for at > 0 && off < n.off[at-1] {
		at--
	}
	for i := range n.names {
		if n.names[i] == name {
			return
		}
	}
	if at == nearMost {
		return
	}
	if len(n.names) < nearMost {
		n.names = append(n.names, "")
	}
	copy(n.names[at+1:], n.names[at:])
	copy(n.off[at+1:], n.off[at:])
	n.names[at], n.off[at] = name, off
}

// edits returns the minimum number of letters to insert, remove or replace to turn one folded name into the other.
func edits(a, b string) int {
	var row [longestNear + 1]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			least := corner
			if fold(a[i]) != fold(b[j]) {
				least = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], least
		}
	}
	return row[len(b)]
}
