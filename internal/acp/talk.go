// Copyright The ctx-lsp authors. MIT licence.

package acp

import (
	"encoding/json"
	"strings"
	"sync"
)

// talk is what has to be remembered of a connection to understand it: which request an answer belongs to.
type talk struct {
	mu    sync.Mutex
	asked map[string]request // of the client, by id
	busy  map[string]bool    // sessions in which a prompt is being answered

	compactions compactions
}

type request struct{ method, session, cwd string }

const (
	// maxAsked bounds the requests whose answers are waited for.
	maxAsked = 1024
	// maxSessions bounds the sessions of one connection.
	maxSessions = 256
)

// message is what is read of a JSON-RPC message.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// client makes the reader of what the client writes. What is no message is passed over.
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
				watch.Said(p.Session, Piece{Kind: "user", Text: b.text(), More: i > 0})
			}
			t.working(p.Session, true)
		case "session/close", "session/delete":
			watch.Ended(p.Session)
		case "initialize":
			t.compactions.offer(m.Params)
		case "session/new", "session/load", "session/resume", "session/fork":
		default:
			return
		}
		if len(m.ID) == 0 {
			return
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if len(t.asked) < maxAsked {
			t.asked[string(m.ID)] = request{m.Method, p.Session, p.Cwd}
		}
		if m.Method == "session/load" {
			watch.Began(p.Session, p.Cwd, "") // its history comes before the answer
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

// agent makes the reader of what the agent writes.
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
			asked, known := t.asked[string(m.ID)]
			delete(t.asked, string(m.ID))
			t.mu.Unlock()
			if known {
				t.answer(watch, asked, m)
			}
		}
	}
}

// answer is told of the agent's answer to a request of the client.
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
		t.compactions.agree(m.Result)
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
		watch.Rested(asked.session)
	case "session/prompt":
		t.working(asked.session, false)
		watch.Rested(asked.session)
	}
}

// block is a piece of content.
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

// update is told of a session/update.
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
		if told, ok := usageIn(line); ok {
			watch.Told(told.session, told.used, told.size)
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
		echo := kind == "user" && t.busy[p.Session] // of the prompt that the client sent
		t.mu.Unlock()
		if !echo {
			watch.Said(p.Session, Piece{Kind: kind, Text: b.text(), More: true})
		}
	case "tool_call", "tool_call_update":
		if u.Kind == "tool_call" || present(u.Input) {
			watch.Said(p.Session, Piece{Kind: "toolCalls", Text: u.Title + string(u.Input), Name: u.Name})
		}
		if u.Status == "completed" || u.Status == "failed" {
			watch.Said(p.Session, Piece{Kind: "toolResults", Text: resultOf(u.Content, u.Output), Name: u.Name})
		}
	}
}

func present(raw json.RawMessage) bool {
	return len(raw) > 0 && string(raw) != "null" && string(raw) != "{}"
}

// resultOf is the text of a tool's result: what the agent shows of it, or what it says that it was.
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
