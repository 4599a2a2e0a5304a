// Copyright The ctx-lsp authors. MIT licence.

package acp

import (
	"encoding/json"
	"strings"
	"sync"
)

// talk is the state needed to understand a connection, mainly which request a response belongs to.
type talk struct {
	mu      sync.Mutex
	pending map[string]request // the client's requests, by id
	busy    map[string]bool    // sessions with a prompt in progress

	compactions compactions
}

type request struct{ method, session, cwd string }

const (
	// maxPending limits how many requests may be waiting for a response.
	maxPending = 1024
	// maxSessions limits the number of sessions on one connection.
	maxSessions = 256
)

// message holds the fields of a JSON-RPC message that are used here.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// client returns the function that handles lines from the client. Lines that are not JSON, and responses, are ignored.
func (t *talk) client(watch Watcher) func(line []byte) {
	return func(line []byte) {
		var m message
		if json.Unmarshal(line, &m) != nil || m.Method == "" {
			return
		}
		var p struct {
			Session string  `json:"sessionId"`
			Cwd     string  `json:"cwd"`
			Prompt  []block `json:"prompt"`
		}
		_ = json.Unmarshal(m.Params, &p)
		switch m.Method {
		case "session/prompt":
			for i, b := range p.Prompt {
				watch.Added(p.Session, Piece{Kind: "user", Text: b.text(), More: i > 0})
			}
			t.working(p.Session, true)
		case "session/close", "session/delete":
			watch.Ended(p.Session)
		case "initialize":
			t.compactions.readCapabilities(m.Params)
		case "session/new", "session/load", "session/resume", "session/fork":
		default:
			return
		}
		if len(m.ID) == 0 {
			return
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if len(t.pending) < maxPending {
			t.pending[string(m.ID)] = request{m.Method, p.Session, p.Cwd}
		}
		if m.Method == "session/load" {
			watch.Began(p.Session, p.Cwd, "") // its history comes before the response
		}
	}
}

func (t *talk) working(session string, busy bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy == nil || len(t.busy) > maxSessions {
		t.busy = map[string]bool{}
	}
	t.busy[session] = busy
}

// agent returns the function that handles lines from the agent. Lines that are not JSON are ignored.
func (t *talk) agent(watch Watcher) func(line []byte) {
	return func(line []byte) {
		var m message
		if json.Unmarshal(line, &m) != nil {
			return
		}
		switch {
		case m.Method == "session/update":
			t.update(watch, line, m.Params)
		case m.Method == "" && len(m.ID) > 0:
			t.mu.Lock()
			asked, known := t.pending[string(m.ID)]
			delete(t.pending, string(m.ID))
			t.mu.Unlock()
			if known {
				t.answer(watch, asked, m)
			}
		}
	}
}

// answer handles the agent's response to a request of the client.
func (t *talk) answer(watch Watcher, asked request, m message) {
	var r struct {
		Session string `json:"sessionId"`
		Info    struct {
			Name, Version string
		} `json:"agentInfo"`
		Models struct {
			Current string `json:"currentModelId"`
		} `json:"models"`
		Options []struct {
			Category string          `json:"category"`
			Current  json.RawMessage `json:"currentValue"`
		} `json:"configOptions"`
	}
	_ = json.Unmarshal(m.Result, &r)
	model := r.Models.Current
	for _, option := range r.Options {
		if option.Category == "model" && model == "" {
			_ = json.Unmarshal(option.Current, &model)
		}
	}
	failed := len(m.Error) > 0
	switch asked.method {
	case "initialize":
		watch.Agent(r.Info.Name, r.Info.Version)
		t.compactions.readVersion(m.Result)
	case "session/new", "session/fork":
		if r.Session != "" && !failed {
			watch.Began(r.Session, asked.cwd, model)
		}
	case "session/load", "session/resume":
		if failed {
			watch.Ended(asked.session)
			return
		}
		watch.Began(asked.session, asked.cwd, model)
		watch.TurnEnded(asked.session)
	case "session/prompt":
		t.working(asked.session, false)
		watch.TurnEnded(asked.session)
	}
}

// block is a block of content.
type block struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	URI      string `json:"uri"`
	Resource struct {
		Text string `json:"text"`
	} `json:"resource"`
}

func (b *block) text() string {
	switch b.Type {
	case "resource":
		return b.Resource.Text
	case "resource_link":
		return b.URI
	}
	return b.Text
}

// update handles a session/update.
func (t *talk) update(watch Watcher, line, params json.RawMessage) {
	var p struct {
		Session string `json:"sessionId"`
		Update  struct {
			Kind string `json:"sessionUpdate"`
			compactionUpdate
			Title  string          `json:"title"`
			Name   string          `json:"name"`
			Input  json.RawMessage `json:"rawInput"`
			Output json.RawMessage `json:"rawOutput"`
		} `json:"update"`
	}
	if json.Unmarshal(params, &p) != nil || p.Session == "" {
		return
	}
	u := &p.Update
	switch u.Kind {
	case "usage_update":
		if usage, ok := usageIn(line); ok {
			watch.Reported(usage.session, usage.used, usage.size)
		}
	case "compaction_update", "compaction_summary_chunk":
		watch.Compacting(p.Session)
		if summary, completed := t.compactions.apply(p.Session, u.Kind, u.compactionUpdate); completed {
			watch.Compacted(p.Session, summary)
		}
	case "user_message_chunk", "agent_message_chunk", "agent_thought_chunk":
		var b block
		if json.Unmarshal(u.Content, &b) != nil {
			return
		}
		kind := map[string]string{"user_message_chunk": "user", "agent_message_chunk": "assistant", "agent_thought_chunk": "reasoning"}[u.Kind]
		t.mu.Lock()
		echo := kind == "user" && t.busy[p.Session] // an echo of the prompt that the client sent
		t.mu.Unlock()
		if !echo {
			watch.Added(p.Session, Piece{Kind: kind, Text: b.text(), More: true})
		}
	case "tool_call", "tool_call_update":
		if u.Kind == "tool_call" || present(u.Input) {
			watch.Added(p.Session, Piece{Kind: "toolCalls", Text: u.Title + string(u.Input), Name: u.Name})
		}
		if u.Status == "completed" || u.Status == "failed" {
			watch.Added(p.Session, Piece{Kind: "toolResults", Text: resultOf(u.Content, u.Output), Name: u.Name})
		}
	}
}

func present(raw json.RawMessage) bool {
	return len(raw) > 0 && string(raw) != "null" && string(raw) != "{}"
}

// resultOf returns the text of a tool's result: the content shown for it, otherwise its raw output.
func resultOf(content, output json.RawMessage) string {
	var shown []struct {
		Type    string `json:"type"`
		Content block  `json:"content"`
		Path    string `json:"path"`
	}
	_ = json.Unmarshal(content, &shown)
	var b strings.Builder
	for i := range shown {
		b.WriteString(shown[i].Content.text())
		b.WriteString(shown[i].Path)
	}
	if b.Len() == 0 && present(output) {
		var text string
		if json.Unmarshal(output, &text) == nil {
			return text
		}
		return string(output)
	}
	return b.String()
}
