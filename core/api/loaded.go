// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// maxNames is how many servers and messages are read in one call.
const maxNames = 1000

// readLoaded reads what a host has found in the files that an agent loads automatically. Their texts are counted; their
// position in the prompt depends on the agent.
func (c *Core) readLoaded(s *core.Session, f *json.Fields, to *[]core.Event) *Error {
	v := f.Value
	if !v.Exists() || v.IsNull() {
		return nil
	}
	if v.Kind() != json.Object {
		return invalid("loaded", "must be an object with memory, skills, agents or servers, not "+v.Kind().String()+".")
	}
	var p loaded
	p.unset()
	if err := c.fillLoaded(v, &p); err != nil {
		return err.within("loaded")
	}
	for _, row := range []struct {
		kind  core.Kind
		value json.Value
	}{{core.Memory, p.Memory}, {core.Skills, p.Skills}, {core.Agents, p.Agents}} {
		if !row.value.Exists() {
			continue
		}
		parts, err := c.readParts(row.kind.String(), row.value)
		if err != nil {
			return err.within("loaded")
		}
		known := core.PrefixKnown{Source: core.FromFiles, Kind: row.kind}
		for i := range parts {
			known.Parts = append(known.Parts, core.PrefixPart{Part: parts[i], Cached: agent.Caches(s.Agent, s.AgentVersion, row.kind)})
		}
		*to = append(*to, known)
	}
	if p.Servers.Exists() {
		names, err := readNames("loaded.servers", p.Servers)
		if err != nil {
			return err
		}
		*to = append(*to, core.ServersConfigured{Names: names})
	}
	if p.ServersChanged != core.Unknown || p.MemoryChanged != core.Unknown {
		*to = append(*to, core.FilesChanged{Servers: p.ServersChanged, Memory: p.MemoryChanged})
	}
	return readSentences("loaded.unknown", p.Unknown, to)
}

// readSentences reads an array of messages that a host reports as warnings.
func readSentences(field string, v json.Value, to *[]core.Event) *Error {
	if v.IsNull() {
		return nil
	}
	if v.Kind() != json.Array || v.Len() > maxNames {
		return invalid(field, "is an array of at most 1000 texts.")
	}
	for e := v.Elements(); e.Next(); {
		sentence, ok := phrase.Read(e.Value)
		if !ok {
			return invalid(field, "is an array of texts, or of phrases with their id and args.")
		}
		*to = append(*to, core.Warned{Sentence: sentence})
	}
	return nil
}

// readNames reads an array of strings.
func readNames(field string, v json.Value) (names []string, _ *Error) {
	if !v.Exists() || v.IsNull() {
		return nil, nil
	}
	if v.Kind() != json.Array || v.Len() > maxNames {
		return nil, invalid(field, "is an array of at most 1000 texts.")
	}
	for e := v.Elements(); e.Next(); {
		if e.Value.Kind() != json.String {
			return nil, invalid(field, "is an array of texts.")
		}
		names = append(names, e.Value.String())
	}
	return names, nil
}
