// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// mostEvents bounds the events of a conversation that are read.
const mostEvents = 50_000

// openHandsChanged returns when a conversation was last changed: its events are files of their own.
func openHandsChanged(folder string) (changed time.Time) {
	for _, name := range []string{"base_state.json", "events"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil && info.ModTime().After(changed) {
			changed = info.ModTime()
		}
	}
	return changed
}

// eventsOfOpenHands returns the folder of a conversation's events. While the agent works, only it changes.
func eventsOfOpenHands(s transcript.Session) string {
	return filepath.Join(filepath.Dir(s.Path), "events")
}

func isOpenHands(v json.Value) bool {
	return v.Get("execution_status").Exists() && v.Path("workspace", "working_dir").Exists()
}

func listOpenHandsFolder(_ context.Context, path string) ([]transcript.Session, error) {
	state, err := document(path)
	if err != nil {
		return nil, err
	}
	folder := filepath.Dir(path)
	s := transcript.Session{ID: filepath.Base(folder), Workspace: state.Path("workspace", "working_dir").String(), Modified: openHandsChanged(folder)}
	if above := filepath.Dir(folder); filepath.Base(above) == "subagents" {
		s.Parent = filepath.Base(filepath.Dir(above))
	}
	return []transcript.Session{s}, nil
}

// openHandsUsage returns the usage of each response by its id, and the window that LiteLLM knows of the model.
func openHandsUsage(state json.Value) (found map[string]transcript.StoreUsage, window int64) {
	found = map[string]transcript.StoreUsage{}
	for of := state.Path("stats", "usage_to_metrics").Fields(); of.Next(); {
		if of.KeyIs("condenser") {
			continue
		}
		for e := of.Value.Get("token_usages").Elements(); e.Next(); {
			id := e.Value.Get("response_id").String()
			in, ok := e.Value.Get("prompt_tokens").Int64()
			if id == "" || ok != json.NumberOK || in <= 0 {
				continue
			}
			if n, ok := e.Value.Get("context_window").Int64(); ok == json.NumberOK && n > 0 {
				window = n
			}
			u := transcript.NewStoreUsage(id)
			u.In, u.Model = in, openHandsModel(e.Value.Get("model").String())
			for key, to := range map[string]*int64{"completion_tokens": &u.Out, "cache_read_tokens": &u.Read, "cache_write_tokens": &u.Write, "reasoning_tokens": &u.Reasoning} {
				if n, ok := e.Value.Get(key).Int64(); ok == json.NumberOK {
					*to = n
				}
			}
			found[id] = u
		}
	}
	return found, window
}

// openHandsModel returns the name of a model without LiteLLM's provider.
func openHandsModel(name string) string { return nameIn(name[strings.LastIndexByte(name, '/')+1:]) }

func writeOpenHands(_ context.Context, path, _ string, to *transcript.StoreWriter) error {
	state, err := document(path)
	if err != nil {
		return err
	}
	name := state.Path("agent", "llm", "model").String()
	provider, _, found := strings.Cut(name, "/")
	if !found {
		provider = ""
	}
	usage, window := openHandsUsage(state)
	to.Session(transcript.StoreSession{CWD: state.Path("workspace", "working_dir").String(), Model: openHandsModel(name), Provider: nameIn(provider), Window: window})
	conversation := openHandsConversation{to: to, usage: usage, responses: strings.Contains(name, "gpt-5") || strings.Contains(name, "codex-mini-latest")}
	folder := filepath.Join(filepath.Dir(path), "events")
	list, err := os.ReadDir(folder)
	if err != nil {
		return nil // it has not begun
	}
	read, bytes := 0, int64(0)
	for _, entry := range list { // sorted by name, which begins with the number of the event
		name := entry.Name()
		info, err := entry.Info()
		if err != nil || !strings.HasPrefix(name, "event-") || !strings.HasSuffix(name, ".json") {
			continue
		}
		if read++; read > mostEvents || bytes+info.Size() > mostDocument {
			return fmt.Errorf("%s has more than 64 MB, the maximum for one session", folder)
		}
		bytes += info.Size()
		if event, err := document(filepath.Join(folder, name)); err == nil {
			conversation.event(event)
		}
	}
	return nil
}

// openHandsConversation writes the events of a conversation as records.
type openHandsConversation struct {
	to        *transcript.StoreWriter
	usage     map[string]transcript.StoreUsage
	response  string   // the id of the last response
	items     []string // the event of each item
	responses bool     // the model is used by the Responses API
}

// item writes an item of an event.
func (c *openHandsConversation) item(event string, i transcript.StoreItem) {
	c.items = append(c.items, event)
	c.to.Item(i)
}

// condensed writes a condensation. The events after those that it forgets remain.
func (c *openHandsConversation) condensed(e json.Value, key string, at int64) {
	forgotten := map[string]bool{}
	for id := e.Get("forgotten_event_ids").Elements(); id.Next(); {
		forgotten[id.Value.String()] = true
	}
	kept := 0
	for kept < len(c.items) && !forgotten[c.items[len(c.items)-1-kept]] {
		kept++
	}
	c.items = c.items[len(c.items)-kept:]
	c.to.Compacted(transcript.StoreCompacted{Key: key, Text: e.Get("summary").String(), Kept: int64(kept), Before: transcript.Unknown, Left: transcript.Unknown, At: at, Auto: true})
}

func (c *openHandsConversation) event(e json.Value) {
	key, at := e.Get("id").String(), milliseconds(timeOf(e.Get("timestamp")))
	switch kind := e.Get("kind"); {
	case kind.Is("SystemPromptEvent"):
		c.system(e)
	case kind.Is("MessageEvent") && e.Get("source").Is("user"):
		text := contentText(e.Path("llm_message", "content")) + contentText(e.Get("extended_content"))
		c.item(key, transcript.StoreItem{Key: key, Kind: "user", Text: text, At: at, Turn: true})
	case kind.Is("MessageEvent"):
		c.answered(e, at)
		c.reasoning(e.Path("llm_message", "reasoning_content"), key, at)
		c.item(key, transcript.StoreItem{Key: key, Kind: "assistant", Text: contentText(e.Path("llm_message", "content")), At: at})
		c.to.Over(key)
	case kind.Is("ActionEvent"):
		c.answered(e, at)
		c.reasoning(e.Get("reasoning_content"), key, at)
		if thought := contentText(e.Get("thought")); thought != "" {
			c.item(key, transcript.StoreItem{Key: key + "/thought", Kind: "assistant", Text: thought, At: at})
		}
		call := e.Get("tool_call")
		c.item(key, transcript.StoreItem{Key: key, Kind: "toolCalls", Call: e.Get("tool_call_id").String(), Name: nameIn(e.Get("tool_name").String()), JSON: []byte(call.Get("arguments").String()), At: at})
		if e.Get("tool_name").Is("finish") {
			c.to.Over(key)
		}
	case kind.Is("ObservationEvent"), kind.Is("AgentErrorEvent"), kind.Is("UserRejectObservation"):
		c.item(key, transcript.StoreItem{Key: key, Kind: "toolResults", Call: e.Get("tool_call_id").String(), Name: nameIn(e.Get("tool_name").String()), Text: openHandsResult(e), At: at, Error: e.Path("observation", "is_error").Bool()})
	case kind.Is("Condensation"):
		c.condensed(e, key, at)
	}
}

// answered writes the usage of a response before its first item.
func (c *openHandsConversation) answered(e json.Value, at int64) {
	id := e.Get("llm_response_id").String()
	if id == "" || id == c.response {
		return
	}
	c.response = id
	if u, ok := c.usage[id]; ok {
		u.At = at
		c.to.Usage(u)
	}
}

func (c *openHandsConversation) reasoning(text json.Value, key string, at int64) {
	if text.TextLen() > 0 {
		c.item(key, transcript.StoreItem{Key: key + "/reasoning", Kind: "reasoning", Text: text.String(), At: at})
	}
}

func (c *openHandsConversation) system(e json.Value) {
	parts := []transcript.StorePart{{Label: phrase.System.Text(), Text: e.Path("system_prompt", "text").String()}}
	if more := e.Path("dynamic_context", "text"); more.TextLen() > 0 {
		parts = append(parts, transcript.StorePart{Label: phrase.System.Text(), Text: more.String()})
	}
	c.to.Context("system", parts...)
	var own, served []transcript.StorePart
	ownMore, servedMore := int64(0), int64(0)
	for t := e.Get("tools").Elements(); t.Next(); {
		risk := int64(openHandsRisk)
		if t.Value.Path("annotations", "readOnlyHint").Bool() {
			risk = 0
		}
		if tool := t.Value.Get("mcp_tool"); tool.Kind() == json.Object {
			schema := tool.Get("input_schema")
			if !schema.Exists() {
				schema = tool.Get("inputSchema")
			}
			if c.responses {
				schema, risk = json.Value{}, risk+openHandsData
			}
			served = append(served, openHandsTool(tool.Get("name").String(), tool.Get("description"), schema))
			servedMore += openHandsSummary + risk
			continue
		}
		name := openHandsName(t.Value.Get("kind").String())
		own = append(own, openHandsTool(name, t.Value.Get("description"), json.Value{}))
		more, known := openHandsParameters[name]
		if !known {
			more = openHandsUsual
		}
		ownMore += more + openHandsSummary + risk
	}
	for _, row := range []struct {
		kind  string
		tools []transcript.StorePart
		more  int64
	}{{"tools", own, ownMore}, {"mcpTools", served, servedMore}} {
		if len(row.tools) > 0 {
			c.to.Context(row.kind, append(row.tools, transcript.StorePart{Label: phrase.Parameters.Text(), Tokens: row.more, Reference: true})...)
		}
	}
}

// Parameters that OpenHands sends without a record, in o200k tokens: those of its own tools, and two that it adds to
// each tool, a summary of the call and its risk. Read-only tools have no risk. Measured with openhands-sdk 1.21.0.
const (
	openHandsSummary = 39
	openHandsRisk    = 50
	openHandsUsual   = 100 // a tool that was not measured
	openHandsData    = 15  // what the Responses API gets in place of the parameters of an MCP tool
)

var openHandsParameters = map[string]int64{
	"terminal": 339, "file_editor": 279, "task_tracker": 138, "task": 62, "finish": 15, "think": 12,
}

// openHandsTool returns the definition of a tool. The parameters of OpenHands' own tools are not recorded.
func openHandsTool(name string, description, parameters json.Value) transcript.StorePart {
	w := json.Writer{}
	w.BeginObject()
	w.Key("name")
	w.String(name)
	w.Key("description")
	w.String(description.String())
	if parameters.Kind() == json.Object {
		w.Key("parameters")
		w.Raw(parameters.Raw())
	}
	w.EndObject()
	return transcript.StorePart{Label: phrase.Named(nameIn(name)), Tool: w.Buf}
}

// openHandsName returns the name of a tool by the name of its class: FileEditorTool is file_editor.
func openHandsName(class string) string {
	class = strings.TrimSuffix(class, "Tool")
	var out []byte
	for i, c := range []byte(class) {
		if c >= 'A' && c <= 'Z' {
			if i > 0 {
				out = append(out, '_')
			}
			c |= 0x20
		}
		out = append(out, c)
	}
	return string(out)
}

// openHandsResult returns the text of a result as it is sent: the terminal's has the state of the shell at its end.
func openHandsResult(e json.Value) string {
	o := e.Get("observation")
	switch {
	case e.Get("error").TextLen() > 0:
		return e.Get("error").String()
	case e.Get("rejection_reason").TextLen() > 0:
		return "Action rejected: " + e.Get("rejection_reason").String()
	}
	text := contentText(o.Get("content"))
	meta := o.Get("metadata")
	if meta.Kind() != json.Object {
		return text
	}
	text = meta.Get("prefix").String() + text + meta.Get("suffix").String()
	if dir := meta.Get("working_dir"); dir.TextLen() > 0 {
		text += "\n[Current working directory: " + dir.String() + "]"
	}
	if python := meta.Get("py_interpreter_path"); python.TextLen() > 0 {
		text += "\n[Python interpreter: " + python.String() + "]"
	}
	if code := string(meta.Get("exit_code").Raw()); code != "" && code != "-1" {
		text += "\n[Command finished with exit code " + code + "]"
	}
	return text
}
