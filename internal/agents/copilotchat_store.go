// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func isChat(v json.Value) bool {
	return v.Get("requests").Kind() == json.Array && (v.Get("responderUsername").Exists() || v.Get("initialLocation").Exists() || v.Get("inputState").Exists() || v.Get("creationDate").Exists())
}

// chatState returns the state of a chat, and how many entries of its log could not be read.
func chatState(path string) (state json.Value, skipped int, err error) {
	f, err := safefile.File(path)
	if err != nil {
		return json.Value{}, 0, err
	}
	defer f.Close()
	text, skipped, err := readLog(f)
	if err != nil {
		return json.Value{}, 0, fmt.Errorf("%s: %w", path, err)
	}
	if text == nil && skipped > 0 {
		return json.Value{}, skipped, fmt.Errorf("%s contains no readable chat: it is being written, it was cut off, or its version is not supported", path)
	}
	return parsed(text), skipped, nil
}

// chatName returns the id of a chat, which is the name of its file.
func chatName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

func listCopilotChat(_ context.Context, path string) ([]transcript.Session, error) {
	state, _, err := chatState(path)
	if err != nil {
		return nil, err
	}
	requests := state.Get("requests")
	if requests.Kind() != json.Array || requests.Len() == 0 {
		return nil, nil // a chat without a message
	}
	s := transcript.Session{ID: chatName(path), Label: state.Get("customTitle").String(), Workspace: workspaceOf(filepath.Dir(filepath.Dir(path)))}
	s.Started = timeOf(state.Get("creationDate"))
	for e := requests.Elements(); e.Next(); {
		if at := timeOf(e.Value.Get("timestamp")); s.Started.IsZero() {
			s.Started = at
		}
	}
	return []transcript.Session{s}, nil
}

func writeCopilotChat(ctx context.Context, path, _ string, to *transcript.StoreWriter) error {
	state, skipped, err := chatState(path)
	if err != nil || state.Get("requests").Len() == 0 {
		return err
	}
	c := chat{to: to}
	s := transcript.StoreSession{
		CWD: workspaceOf(filepath.Dir(filepath.Dir(path))), Title: state.Get("customTitle").String(),
		Provider: "github-copilot", Route: "copilot", At: milliseconds(timeOf(state.Get("creationDate"))),
	}
	model := state.Path("inputState", "selectedModel", "metadata")
	s.Input, s.Output = whole(model.Get("maxInputTokens")), whole(model.Get("maxOutputTokens"))
	for e := state.Get("requests").Elements(); e.Next(); {
		if id := bareModel(e.Value); id != "" {
			s.Model = id
		}
	}
	c.to.Session(s)
	traces, turn := chatTraces(ctx, path), int64(0)
	for e := state.Get("requests").Elements(); e.Next(); turn++ {
		c.request(e.Value, traces[turn])
	}
	if skipped > 0 {
		c.to.Warning(phrase.CopilotChatSkipped.Text(phrase.Count(int64(skipped))))
	}
	if !c.measured {
		c.to.Warning(phrase.CopilotChatNoCount.Text())
	}
	return nil
}

// bareModel returns the model that has answered, without its vendor's name.
func bareModel(request json.Value) string {
	id := request.Path("result", "metadata", "resolvedModel")
	if id.TextLen() == 0 {
		id = request.Get("modelId")
	}
	if id.TextLen() > 200 {
		return ""
	}
	name := id.String()
	if name == "copilot/auto" {
		return ""
	}
	return strings.TrimPrefix(name, "copilot/")
}

type chat struct {
	to       *transcript.StoreWriter
	measured bool
}

// request writes a turn. Each of its rounds that was traced is measured.
func (c *chat) request(r json.Value, traces []chatTrace) {
	id := r.Get("requestId").String()
	at := milliseconds(timeOf(r.Get("timestamp")))
	metadata := r.Path("result", "metadata")
	said := contentText(metadata.Get("renderedUserMessage"))
	if said == "" {
		said = r.Path("message", "text").String()
	}
	c.to.Item(transcript.StoreItem{Key: id, Kind: "user", Text: said, At: at, Turn: true})
	last := ""
	rounds := metadata.Get("toolCallRounds")
	n := 0
	agree := len(traces) == max(rounds.Len(), 1)
	for e := rounds.Elements(); e.Next(); n++ {
		c.summary(id, e.Value, metadata)
		if agree {
			c.traced(id+"/"+strconv.Itoa(n), traces[n])
		}
		if first := c.round(id+"/"+strconv.Itoa(n), e.Value, metadata.Get("toolCallResults")); first != "" {
			last = first
		}
	}
	if n == 0 {
		c.summary(id, json.Value{}, metadata)
		if agree {
			c.traced(id, traces[0])
		}
		if text := answerText(r.Get("response")); text != "" {
			last = id + "/answer"
			c.to.Item(transcript.StoreItem{Key: last, Kind: "assistant", Text: text})
		}
	}
	if !agree {
		c.usage(r, metadata, id, last)
	}
	switch whole(r.Path("modelState", "value")) {
	case 1, 2, 3:
		c.to.Over(id)
	case transcript.Unknown:
		if r.Get("result").Kind() == json.Object {
			c.to.Over(id)
		}
	}
}

// round writes one response of the model, with the results of its calls. It returns the key of the response's first
// item.
func (c *chat) round(key string, round, results json.Value) (first string) {
	add := func(i transcript.StoreItem) {
		if first == "" {
			first = i.Key
		}
		c.to.Item(i)
	}
	at := milliseconds(timeOf(round.Get("timestamp")))
	if thinking := round.Get("thinking"); thinking.Kind() == json.Object {
		i := transcript.StoreItem{Key: key + "/thinking", Kind: "reasoning", Text: contentText(thinking.Get("text")), At: at}
		for _, hidden := range []string{"id", "encrypted"} {
			i.Opaque = max(i.Opaque, int64(thinking.Get(hidden).TextLen()))
		}
		if i.Text != "" || i.Opaque > 100 {
			add(i)
		}
	}
	if text := round.Get("response").String(); text != "" {
		add(transcript.StoreItem{Key: key + "/text", Kind: "assistant", Text: text, At: at})
	}
	for e := round.Get("toolCalls").Elements(); e.Next(); {
		call := e.Value.Get("id").String()
		add(transcript.StoreItem{Key: key + "/" + call, Kind: "toolCalls", Name: e.Value.Get("name").String(), Call: call, JSON: []byte(e.Value.Get("arguments").String()), At: at})
	}
	for e := round.Get("toolCalls").Elements(); e.Next(); {
		call := e.Value.Get("id").String()
		if result := results.Get(call); result.Exists() {
			c.to.Item(transcript.StoreItem{Key: key + "/" + call + "/result", Kind: "toolResults", Name: e.Value.Get("name").String(), Call: call, Text: contentText(result.Get("content")), At: at})
		}
	}
	return first
}

// summary records that everything before a round was summarized.
func (c *chat) summary(id string, round, metadata json.Value) {
	name, text := round.Get("id"), round.Get("summary").String()
	before, model := int64(transcript.Unknown), json.Value{}
	matches := func(s json.Value) bool {
		of := s.Get("toolCallRoundId")
		return s.Get("text").TextLen() > 0 && (name.TextLen() > 0 && of.Is(name.String()) || !round.Exists() && of.TextLen() > 0)
	}
	if s := metadata.Get("summary"); text == "" && matches(s) {
		text = s.Get("text").String()
	}
	for e := metadata.Get("summaries").Elements(); e.Next(); {
		if matches(e.Value) {
			text, before, model = e.Value.Get("text").String(), whole(e.Value.Get("contextLengthBefore")), e.Value
		}
	}
	if text == "" {
		return
	}
	key := id + "/" + name.String()
	if usage := model.Get("usage"); usage.Kind() == json.Object {
		u := transcript.NewStoreUsage("summary " + key)
		u.Side, u.In, u.Out = true, whole(usage.Get("prompt_tokens")), whole(usage.Get("completion_tokens"))
		u.Read = whole(usage.Path("prompt_tokens_details", "cached_tokens"))
		c.to.Usage(u)
	}
	c.to.Compacted(transcript.StoreCompacted{Key: key, Text: text, Before: before, Left: transcript.Unknown, Auto: true})
}

// usage writes the prompt of the turn's last request, if the provider has reported it.
func (c *chat) usage(r, metadata json.Value, id, last string) {
	u := transcript.NewStoreUsage(id)
	u.Before, u.Model, u.Provider = last, bareModel(r), "github-copilot"
	u.In, u.Out = whole(metadata.Get("promptTokens")), whole(metadata.Get("outputTokens"))
	told := r.Path("result", "usage")
	if u.In <= 0 {
		u.In, u.Out = whole(told.Get("promptTokens")), whole(told.Get("completionTokens"))
	}
	if u.In <= 0 {
		return
	}
	c.measured = true
	c.to.Usage(u)
	for _, row := range []struct {
		label, kind string
		name        phrase.ID
	}{{"System Instructions", "system", phrase.System}, {"Tool Definitions", "tools", phrase.Tools}} {
		for e := told.Get("promptTokenDetails").Elements(); e.Next(); {
			if share := hundredths(e.Value.Get("percentageOfPrompt")); e.Value.Get("label").Is(row.label) && share > 0 && share <= 10000 {
				c.to.Context(row.kind, transcript.StorePart{Label: phrase.ByCopilotShare.Text(row.name.Arg()), Tokens: u.In * share / 10000})
			}
		}
	}
}

// answerText returns the shown text of a response without recorded rounds.
func answerText(response json.Value) string {
	var text strings.Builder
	for e := response.Elements(); e.Next(); {
		switch v := e.Value.Get("value"); {
		case v.Kind() == json.String && (!e.Value.Get("kind").Exists() || e.Value.Get("kind").Is("markdownContent")):
			text.WriteString(v.String())
		case e.Value.Get("kind").Is("markdownContent"):
			text.WriteString(e.Value.Path("content", "value").String())
		}
	}
	return text.String()
}

// contentText returns the text of a message, which is a text, a list of parts, or a tree of rendered parts.
func contentText(v json.Value) string {
	var text strings.Builder
	var walk func(v json.Value, depth int)
	walk = func(v json.Value, depth int) {
		switch v.Kind() {
		case json.String:
			text.WriteString(v.String())
		case json.Array:
			for e := v.Elements(); e.Next() && depth < 64; {
				walk(e.Value, depth+1)
			}
		case json.Object:
			if depth >= 64 {
				return
			}
			for _, key := range []string{"text", "value", "content", "node", "children"} {
				walk(v.Get(key), depth+1)
			}
		}
	}
	walk(v, 0)
	return text.String()
}
