// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A scripted is a host whose sessions are the same for the same seed: it sends texts and not counts, and its prompts
// are measured with an overhead that a session has to learn. It compacts, rewinds, switches models and is refused as
// agents do.
type scripted struct {
	*rand.Rand
	id       string
	call     func(method string, params map[string]any)
	items    []int64 // tokens of each, about
	fixed    int64
	hidden   int64 // in every prompt, but never sent to the session
	window   int64
	requests int
	at       int64
}

func (s *scripted) send(method string, params map[string]any) {
	params["id"] = s.id
	s.at += 1000 + s.Int64N(40_000)
	params["at"] = s.at
	s.call(method, params)
}

func (s *scripted) once(in int) bool { return s.IntN(in) == 0 }

// prose returns a text of about n tokens.
func (s *scripted) prose(n int64) string {
	words := []string{"the ", "model ", "reads ", "func ", "return ", "window ", "int64 ", "{}\n", "context ", "größer ", "1234 ", "    ", "http://"}
	var out strings.Builder
	for range n {
		out.WriteString(words[s.IntN(len(words))])
	}
	return out.String()
}

// part returns a fixed row of about n tokens: its text, its size, or labelled parts.
func (s *scripted) part(n int64) any {
	s.fixed += n
	switch s.IntN(3) {
	case 0:
		return n
	case 1:
		return map[string]any{"text": s.prose(n)}
	}
	return []any{
		map[string]any{"tokens": n / 2, "label": "mcp__files__read"},
		map[string]any{"text": s.prose(n / 2), "label": "mcp__files__write"},
		map[string]any{"tokens": n, "label": "mcp__web__fetch", "deferred": true},
	}
}

func (s *scripted) open(agent string) {
	models := []string{"gpt-5.5", "claude-opus-5", "claude-sonnet-4-5", "gemini-3-pro-preview", "kimi-k2", "nobody-knows-this"}
	s.window = 14_000 + 4000*s.Int64N(8)
	params := map[string]any{"agent": agent, "workspace": "/work", "model": models[s.IntN(len(models))], "limits": map[string]any{"window": s.window}}
	if s.once(3) {
		params["reserve"] = s.Int64N(4000)
	}
	if s.once(3) {
		params["rule"] = []map[string]any{{"percent": 80}, {"threshold": s.window * 3 / 4}, {"reserve": 6000}, {"reserve": 4000, "target": 9000}}[s.IntN(4)]
	}
	if s.once(4) {
		params["complete"] = true
	}
	if s.once(3) {
		params["limits"] = map[string]any{"window": s.window, "input": s.window - 2000, "output": 3000}
	}
	s.hidden = s.Int64N(1500)
	s.send("ctx/session/open", params)
	fixed := map[string]any{}
	for _, row := range []string{"system", "tools", "mcpTools", "skills", "agents", "memory"} {
		if !s.once(3) {
			fixed[row] = s.part(20 + s.Int64N(900))
		}
	}
	if s.once(2) {
		fixed["loaded"] = map[string]any{
			"memory": map[string]any{"text": s.prose(200), "label": "AGENTS.md"}, "skills": map[string]any{"text": s.prose(50), "label": "review"},
			"servers": []string{"files", "db"},
		}
	}
	s.send("ctx/session/update", fixed)
}

func (s *scripted) item(kind string, n int64, more ...any) map[string]any {
	s.items = append(s.items, n)
	it := map[string]any{"kind": kind, "text": s.prose(n)}
	for i := 0; i+1 < len(more); i += 2 {
		it[more[i].(string)] = more[i+1]
	}
	return it
}

func (s *scripted) prompt() int64 {
	sum := s.fixed + s.hidden
	for _, n := range s.items {
		sum += n*11/10 + 6
	}
	return sum
}

func (s *scripted) turn() {
	fields := map[string]any{}
	if s.once(4) {
		fields["draft"] = s.prose(s.Int64N(200))
		s.send("ctx/session/update", fields)
		fields = map[string]any{}
	}
	if s.once(6) {
		fields["documents"] = map[string]any{"text": s.prose(400), "label": "main.go"}
	}
	if s.once(2) {
		fields["turn"] = "start"
	}
	fields["append"] = []any{s.item("user", 10+s.Int64N(300))}
	if s.once(8) {
		fields["append"] = append(fields["append"].([]any), map[string]any{"kind": "media", "mediaType": "image/png", "width": 800, "height": 600})
		s.items = append(s.items, 700)
	}
	s.send("ctx/session/update", fields)
	for range 1 + s.IntN(4) {
		s.request()
	}
	if s.once(3) {
		s.send("ctx/session/update", map[string]any{"turn": "end"})
	}
}

func (s *scripted) request() {
	in, held := s.prompt(), len(s.items)
	if in > s.window {
		s.send("ctx/session/error", map[string]any{
			"error": "prompt is too long: " + strconv.FormatInt(in, 10) + " tokens > " + strconv.FormatInt(s.window, 10) + " maximum",
		})
		s.compact()
		return
	}
	if s.once(25) { // a request of the agent's own, apart from the conversation
		in = 300 + s.Int64N(500)
	}
	s.requests++
	thought := s.Int64N(3) * s.Int64N(200)
	numbers := map[string]any{"in": in, "cacheRead": in * 3 / 4, "cacheWrite": in / 8}
	var said []any
	if thought > 0 {
		said = append(said, s.item("reasoning", thought, "opaque", s.Int64N(900)))
	}
	said = append(said, s.item("assistant", 5+s.Int64N(200)))
	out := thought + s.items[len(s.items)-1]
	var results []any
	for range s.IntN(3) {
		tool := []string{"Read", "Bash", "mcp__files__read", "mcp__web__fetch"}[s.IntN(4)]
		said = append(said, s.item("toolCalls", 20, "name", tool, "parameters", 2))
		out += 26
		results = append(results, s.item("toolResults", 50+s.Int64N(1500), "name", tool, "what", "file", "subject", "/w/src/"+strconv.Itoa(s.IntN(5))+".go"))
	}
	numbers["out"], numbers["reasoning"] = out, thought
	usage := map[string]any{"provider": "ctx", "usage": numbers, "request": strconv.Itoa(s.requests)}
	switch s.IntN(4) {
	case 0: // the usage first
		s.send("ctx/session/usage", usage)
		s.send("ctx/session/update", map[string]any{"append": append(said, results...)})
	case 1:
		s.send("ctx/session/update", map[string]any{"append": said})
		s.send("ctx/session/usage", usage)
		if len(results) > 0 {
			s.send("ctx/session/update", map[string]any{"append": results})
		}
	case 2:
		s.send("ctx/session/update", map[string]any{"append": append(said, results...)})
		usage["through"] = held
		s.send("ctx/session/usage", usage)
	default: // a stream
		usage["final"] = false
		s.send("ctx/session/usage", usage)
		s.send("ctx/session/update", map[string]any{"append": append(said, results...)})
		delete(usage, "final")
		s.send("ctx/session/usage", usage)
	}
}

func (s *scripted) compact() {
	kept := s.IntN(min(3, len(s.items)+1))
	s.items = append(s.items[len(s.items)-kept:], 300)
	params := map[string]any{"kept": kept, "trigger": []string{"auto", "manual"}[s.IntN(2)]}
	if s.once(2) {
		params["summary"] = 300
	} else {
		params["summary"] = s.prose(300)
	}
	s.send("ctx/session/compacted", params)
}

func (s *scripted) run(agent string) {
	s.open(agent)
	for range 11 {
		s.turn()
		switch {
		case s.prompt() > s.window*4/5 && !s.once(3), s.once(20):
			s.compact()
		case s.once(12):
			at := s.IntN(len(s.items) + 1)
			s.items = s.items[:at]
			s.send("ctx/session/update", map[string]any{"removeFrom": at})
		case s.once(12):
			s.send("ctx/session/update", map[string]any{"model": []string{"gpt-5.5", "claude-opus-5", "gemini-3-pro-preview"}[s.IntN(3)]})
		case s.once(12):
			s.send("ctx/session/update", map[string]any{"mcpTools": s.part(500)})
		case s.once(12):
			s.send("ctx/session/update", map[string]any{"agentLimits": map[string]any{"window": s.window - 1000}})
		case s.once(12) && len(s.items) > 0:
			i := s.IntN(len(s.items))
			s.items[i] = 10
			s.send("ctx/session/update", map[string]any{"replace": []any{map[string]any{"index": i, "item": map[string]any{"kind": "toolResults", "tokens": 10}}}})
		case s.once(12) && len(s.items) > 0:
			s.send("ctx/session/update", map[string]any{"removeFirst": 1})
		}
	}
}

// scriptedSession plays one session.
func scriptedSession(id string, seed uint64, agent string, call func(method string, params []byte)) {
	s := &scripted{Rand: rand.New(rand.NewPCG(2, seed)), id: id, at: 1_790_000_000_000}
	s.call = func(method string, params map[string]any) {
		text, err := json.Marshal(params)
		if err != nil {
			panic(err)
		}
		call(method, text)
	}
	s.run(agent)
}
