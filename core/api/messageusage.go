// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/provider"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A messageUsage is the usage of a response, found in its message.
type messageUsage struct {
	usage   json.Value
	path    string // its path in the message
	id      string
	after   int  // the number of items after which it is applied
	through int  // the number of items in its prompt
	alone   bool // the message contains one response, so a sum over its responses is that of one
}

// A usageSearch looks for the usage of a response among the members of its message, apart from its content. What looks
// like a usage and cannot be read is kept for a warning.
type usageSearch struct {
	response bool // the message is a response
	visited  int
	found    json.Value
	path     string

	unread string // the path of the first member that cannot be read
	reason core.Text
}

const (
	usageDepth   = 3
	usageMembers = 200
)

// named reports whether any member of an object, at any depth, has the name of a usage or of one of its numbers.
func (s *usageSearch) named(v json.Value, depth int) bool {
	for f := v.Fields(); f.Next(); {
		if s.visited++; s.visited > usageMembers {
			return true
		}
		if isContent(&f) {
			if s.named(contentMetadata(&f), depth+1) {
				return true
			}
			continue
		}
		if count, _ := provider.IsCountName(f.Name()); count || provider.IsUsageName(f.Name()) {
			return true
		}
		if depth < usageDepth && (s.named(f.Value, depth+1) || s.namedIn(f.Value, depth)) {
			return true
		}
	}
	return false
}

func (s *usageSearch) namedIn(list json.Value, depth int) bool {
	for e := list.Elements(); e.Next(); {
		if s.visited++; s.visited > usageMembers || s.named(e.Value, depth+1) {
			return true
		}
	}
	return false
}

// object searches an object, whose path ends with a dot unless it is empty.
func (s *usageSearch) object(v json.Value, path string, depth int) {
	if s.found.Exists() {
		return
	}
	if s.response {
		if m, _, err := provider.Usage("", v, nil); err == nil && (m.In > 0 || m.Sum) {
			s.found, s.path = v, strings.TrimSuffix(path+inside(v), ".")
			return
		}
	}
	for f := v.Fields(); f.Next() && !s.found.Exists(); {
		if s.visited++; s.visited > usageMembers {
			return
		}
		if !isContent(&f) {
			s.member(f.Value, f.Name(), path+string(f.Name()), depth)
		} else if inner := contentMetadata(&f); inner.Kind() == json.Object {
			s.object(inner, path+string(f.Name())+".metadata.", depth+1)
		}
	}
}

// inside returns the path of the usage in the object in which it was found, "" if that is the usage itself.
func inside(v json.Value) string {
	for f := v.Fields(); f.Next(); {
		if f.Value.Kind() == json.Object && !isContent(&f) {
			if provider.IsUsageName(f.Name()) {
				return string(f.Name())
			} else if at := inside(f.Value); at != "" {
				return string(f.Name()) + "." + at
			}
		}
	}
	return ""
}

// member searches one member of an object.
func (s *usageSearch) member(v json.Value, name []byte, path string, depth int) {
	usage := provider.IsUsageName(name)
	count, prompt := provider.IsCountName(name)
	switch v.Kind() {
	case json.Object:
		if depth < usageDepth {
			s.object(v, path+".", depth+1)
		}
		if usage && !s.found.Exists() {
			s.miss(path, phrase.UsageNoPrompt.Text())
		}
	case json.Array:
		i := 0
		for e := v.Elements(); e.Next() && depth < usageDepth && !s.found.Exists(); i++ {
			s.object(e.Value, element(path, i)+".", depth+1)
		}
		if usage && !s.found.Exists() {
			s.miss(path, phrase.FieldKindObject.Text(phrase.Name(v.Kind().String())))
		}
	case json.Number:
		if prompt || count && s.response {
			s.miss(path, phrase.UsageNumber.Text())
		}
	case json.String, json.Bool:
		if usage || prompt {
			s.miss(path, phrase.FieldKindObject.Text(phrase.Name(v.Kind().String())))
		}
	}
}

// miss notes a member that cannot be read. The first one is named.
func (s *usageSearch) miss(path string, why core.Text) {
	if !s.response {
		why = phrase.UsageNoResponse.Text()
	}
	if s.unread == "" {
		s.unread, s.reason = path, why
	}
}

// contentMetadata returns what a host has attached to the content of a message, as Mastra does.
func contentMetadata(f *json.Fields) json.Value {
	if f.KeyIs("content") && f.Value.Kind() == json.Object {
		return f.Value.Get("metadata")
	}
	return json.Value{}
}

// isContent reports whether a member of a message is content that is sent, in which nothing is a usage.
func isContent(f *json.Fields) bool {
	switch ownKey(f.Key) {
	case "content", "contents", "parts", "text", "refusal", "tool_calls", "toolCalls", "toolInvocations", "function_call",
		"reasoning", "reasoning_content", "reasoning_details", "thinking", "reasoningMetadata", "experimental_attachments",
		"attachments", "audio", "input", "output", "arguments", "args", "toolApprovals", "items", "blocks", "responses":
		return true
	}
	return false
}

// measured records the usage of a response, found in its message.
func (m *message) measured(usage, id json.Value) {
	found := messageUsage{usage: usage, path: "usage", after: len(m.added), through: m.step}
	if id.Kind() == json.String {
		found.id = shorten(id.String())
	}
	m.messageUsages = append(m.messageUsages, found)
	m.step = len(m.added)
	m.starts = append(m.starts, m.step)
}

// wholeUsage records the usage of the whole message: it is wherever ctx/session/usage finds one in a response, or in an
// object that the host attached to the message.
func (m *message) wholeUsage(u unwrapped) {
	if len(m.messageUsages) > m.usages {
		return // its steps have their own
	}
	body := u.body
	if u.info.Exists() {
		body = u.info
	}
	search := usageSearch{response: m.kind == core.Assistant}
	if !search.named(body, 0) {
		return
	}
	search.visited = 0
	search.object(body, "", 0)
	switch {
	case search.found.Exists():
		if m.steps == 0 {
			m.step = m.first
		}
		m.measured(search.found, get(body, "id"))
		last := &m.messageUsages[len(m.messageUsages)-1]
		last.path, last.alone = search.path, m.steps == 1
	case search.unread != "" && !isUnfinished(u.info):
		m.odd = append(m.odd, phrase.MessageUsage.Text(phrase.Name(shorten(search.unread)), search.reason.Arg()))
	}
}

// isUnfinished reports whether OpenCode is still writing a response, whose tokens are 0 until then.
func isUnfinished(info json.Value) bool {
	return info.Get("tokens").Kind() == json.Object && info.Path("time", "completed").IsNull()
}

// partUsage reads a part that contains the usage of the response before it, and nothing that is sent.
func (m *message) partUsage(b json.Value) {
	search := usageSearch{response: m.kind == core.Assistant}
	search.object(b, "", 0)
	if search.found.Exists() {
		m.measured(search.found, json.Value{})
	} else if search.unread != "" {
		m.odd = append(m.odd, phrase.MessageUsage.Text(phrase.Name(shorten(search.unread)), search.reason.Arg()))
	}
}

// applyAppended applies items, and the usages in their messages.
func (c *Core) applyAppended(e *entry, items []core.Appended, usages []messageUsage) {
	s := e.session
	base, next := s.Len(), 0
	for i := range items {
		s.Apply(&items[i])
		for ; next < len(usages) && usages[next].after == i+1; next++ {
			c.applyUsage(e, &usages[next], base+usages[next].through, s.Len())
		}
	}
}

// applyUsage applies the usage found in a message, unless it is applied already. through is the number of items in its
// prompt, and end that of the items up to its message.
func (c *Core) applyUsage(e *entry, found *messageUsage, through, end int) {
	s, last := e.session, &e.messageUsage
	m, _, err := provider.Usage(s.Provider, found.usage, nil)
	if m.Sum && found.alone {
		m.Sum = false
	}
	switch {
	case err == nil && m.Sum:
		s.Apply(core.Warned{Sentence: phrase.MessageUsage.Text(phrase.Name(shorten(found.path)), phrase.UsageSum.Text().Arg())})
		return
	case err != nil || m.In <= 0 || s.Measures(&m):
		return
	case s.Whole() && (s.Measured(through, end, &m) || last.in == m.In && last.out == m.Out && last.reasoning == m.Reasoning && last.through == through):
		return
	}
	if m.Request = found.id; m.Request == "" {
		m.Request = "message " + strconv.FormatInt(s.NumberRequest(), 10)
	}
	m.Partial, m.Through, m.ThroughSet, m.InArray = false, through, true, s.Whole()
	s.Apply(core.UsageRead{Request: m.Request, First: true, Complete: true})
	s.Apply(m)
	e.messageUsage = appliedUsage{m.In, m.Out, m.Reasoning, m.Request, through}
}

// appliedUsage is the last usage found in a message. If the next call of ctx/session/usage has the same numbers, it is
// for the same request.
type appliedUsage struct {
	in, out, reasoning int64
	request            string
	through            int
}
