// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// auggie is Augment's agent. An exchange in its documents is one request and its response; the results of tools are in
// the request after the one with the calls.
var auggie = Agent{
	ID: agent.Auggie, Home: Folder{Default: ".augment"},
	Places: Places{
		Roots: inHome(Root{Path: "sessions", List: storeFiles("*.json")}),
	},
	Records: Records{
		Store: &Store{
			List: listAuggie, Write: writeAuggie,
			Text: func(v json.Value) bool {
				return v.Get("sessionId").Exists() && v.Get("chatHistory").Kind() == json.Array
			},
		},
	},
	Process: Process{Programs: []string{"auggie"}, Packages: []string{"@augmentcode/auggie"}},
}

func listAuggie(_ context.Context, path string) ([]transcript.Session, error) {
	v, err := document(path)
	if err != nil {
		return nil, err
	}
	s := transcript.Session{
		ID:    cmp.Or(nameIn(v.Get("sessionId").String()), strings.TrimSuffix(filepath.Base(path), ".json")),
		Label: nameIn(v.Get("customTitle").String()), Started: timeOf(v.Get("created")), Modified: timeOf(v.Get("modified")),
	}
	for e := v.Get("chatHistory").Elements(); e.Next(); {
		s.Workspace = cmp.Or(auggieFolder(e.Value.Get("exchange")), s.Workspace)
	}
	if info, err := os.Stat(path); err == nil && s.Modified.IsZero() {
		s.Modified = info.ModTime()
	}
	return []transcript.Session{s}, nil
}

// auggieFolder returns the directory that a request was sent from, "" if it does not name one.
func auggieFolder(exchange json.Value) string {
	for e := exchange.Get("request_nodes").Elements(); e.Next(); {
		state := e.Value.Get("ide_state_node")
		for _, dir := range []json.Value{state.Path("current_terminal", "current_working_directory"), state.Get("repository_root"), state.Get("folder_root")} {
			if dir.TextLen() > 0 {
				return dir.String()
			}
		}
	}
	return ""
}

func writeAuggie(_ context.Context, path, _ string, to *transcript.StoreWriter) error {
	v, err := document(path)
	if err != nil {
		return err
	}
	s := transcript.StoreSession{Title: nameIn(v.Get("customTitle").String()), Model: nameIn(v.Path("agentState", "modelId").String()), At: milliseconds(timeOf(v.Get("created")))}
	for e := v.Get("chatHistory").Elements(); e.Next(); {
		exchange := e.Value.Get("exchange")
		s.CWD = cmp.Or(auggieFolder(exchange), s.CWD)
		s.Model = cmp.Or(nameIn(exchange.Get("model_id").String()), s.Model)
		for of := exchange.Get("response_nodes").Elements(); of.Next(); {
			s.Window = max(s.Window, whole(of.Value.Path("token_usage", "max_context_tokens")))
		}
	}
	to.Session(s)
	n := 0
	for e := v.Get("chatHistory").Elements(); e.Next(); n++ {
		exchange := e.Value.Get("exchange")
		key := cmp.Or(nameIn(exchange.Get("request_id").String()), strconv.Itoa(n))
		auggieRequest(key, exchange, milliseconds(timeOf(e.Value.Get("finishedAt"))), to)
	}
	return nil
}

// auggieRequest writes a request, its usage and its response. Node numbers are those of Augment's protocol.
func auggieRequest(key string, exchange json.Value, at int64, to *transcript.StoreWriter) {
	said := exchange.Get("request_message").String()
	n := 0
	for e := exchange.Get("request_nodes").Elements(); e.Next(); n++ {
		if text := e.Value.Path("text_node", "content"); text.TextLen() > 0 && said == "" {
			said = text.String()
		}
		if result := e.Value.Get("tool_result_node"); result.Kind() == json.Object {
			text := result.Get("content").String()
			for of := result.Get("content_nodes").Elements(); of.Next() && text == ""; {
				text = of.Value.Get("text_content").String()
			}
			to.Item(transcript.StoreItem{Key: key + "/result/" + strconv.Itoa(n), Kind: "toolResults", Call: result.Get("tool_use_id").String(), Text: text, Error: result.Get("is_error").Bool(), At: at})
		}
	}
	if said != "" {
		to.Item(transcript.StoreItem{Key: key + "/user", Kind: "user", Text: said, At: at, Turn: true})
	}
	for e := exchange.Get("response_nodes").Elements(); e.Next(); {
		u := transcript.NewStoreUsage(key)
		of := e.Value.Get("token_usage")
		u.Out, u.Read, u.Write = whole(of.Get("output_tokens")), whole(of.Get("cache_read_input_tokens")), whole(of.Get("cache_creation_input_tokens"))
		u.In = max(whole(of.Get("input_tokens")), 0) + max(u.Read, 0) + max(u.Write, 0) // beside the cached part
		if u.Model, u.At = nameIn(exchange.Get("model_id").String()), at; u.In > 0 {
			to.Usage(u)
			break // further ones would repeat it
		}
	}
	if text := exchange.Get("response_text"); text.TextLen() > 0 {
		to.Item(transcript.StoreItem{Key: key + "/response", Kind: "assistant", Text: text.String(), At: at})
	}
	calls := 0
	for e := exchange.Get("response_nodes").Elements(); e.Next(); {
		call := e.Value.Get("tool_use")
		if whole(e.Value.Get("type")) != 5 || call.Kind() != json.Object {
			continue // 7 is the beginning of a call that 5 has as a whole
		}
		calls++
		to.Item(transcript.StoreItem{Key: key + "/call/" + strconv.Itoa(calls), Kind: "toolCalls", Name: nameIn(call.Get("tool_name").String()), Call: call.Get("tool_use_id").String(), JSON: auggieInput(call.Get("input_json")), At: at})
	}
	if calls == 0 && exchange.Get("response_text").TextLen() > 0 {
		to.Over(key)
	}
}

// auggieInput returns the arguments of a call, which are a text with JSON, or JSON.
func auggieInput(input json.Value) []byte {
	if input.Kind() == json.String {
		return []byte(input.String())
	}
	return input.Raw()
}
