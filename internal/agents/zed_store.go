// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// mostThread bounds how large a thread may become when it is unpacked.
const mostThread = 128 << 20

func listZed(ctx context.Context, path string) (found []transcript.Session, err error) {
	err = opened(ctx, path, func(q *query) error {
		has, err := q.columns("threads")
		if err != nil {
			return err
		}
		return q.each(`SELECT `+sqlite.Pick(has, "id", "parent_id", "summary", "updated_at", "created_at", "folder_paths")+` FROM threads LIMIT ?1`, []any{mostSessions}, func(r row) bool {
			folder, _, _ := strings.Cut(r.text(5), "\n")
			found = append(found, transcript.Session{ID: r.text(0), Parent: r.text(1), Label: r.text(2), Modified: r.time(3), Started: r.time(4), Workspace: folder})
			return true
		})
	})
	return found, err
}

func writeZed(ctx context.Context, path, id string, to *transcript.StoreWriter) error {
	return opened(ctx, path, func(q *query) error {
		r, err := q.one(`SELECT summary, data_type, data FROM threads WHERE id=?1`, id)
		if err != nil || r == nil {
			return err
		}
		data := r.bytes(2)
		if r.text(1) == "zstd" {
			if data, err = unpacked(data); err != nil {
				return fmt.Errorf("%s: the thread %s cannot be unpacked: %w", path, id, err)
			}
		}
		tellThread(parsed(data), r.text(0), to)
		return nil
	})
}

func unpacked(packed []byte) ([]byte, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(mostThread))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	return decoder.DecodeAll(packed, nil)
}

func tellThread(thread json.Value, title string, to *transcript.StoreWriter) {
	model := thread.Get("model")
	s := transcript.StoreSession{Title: title, Model: model.Get("model").String(), Provider: model.Get("provider").String()}
	if own := thread.Get("title"); own.TextLen() > 0 {
		s.Title = own.String()
	}
	to.Session(s)
	usage := thread.Get("request_token_usage")
	spoken, answer := "", ""
	turn := func() {
		if u, ok := zedUsage(usage.Get(spoken), spoken); ok && spoken != "" {
			u.Before, u.Model, u.Provider = answer, s.Model, s.Provider
			to.Usage(u)
		}
	}
	n := 0
	for e := thread.Get("messages").Elements(); e.Next(); n++ {
		key := strconv.Itoa(n)
		switch m := e.Value; {
		case m.Get("User").Exists():
			turn()
			spoken, answer = m.Path("User", "id").String(), ""
			to.Item(transcript.StoreItem{Key: key, Kind: "user", Text: zedText(m.Path("User", "content")), Turn: true})
		case m.Get("Agent").Exists():
			if first := zedAnswer(key, m.Get("Agent"), to); first != "" {
				answer = first
			}
		case m.Get("Compaction").Exists(), m.Get("Summary").Exists():
			text := zedText(m.Get("Compaction")) + zedText(m.Get("Summary"))
			to.Compacted(transcript.StoreCompacted{Key: key, Text: text, Before: transcript.Unknown, Left: transcript.Unknown, Auto: true})
			answer = ""
		case m.Get("role").Exists(): // threads of Zed's first agent
			old(key, m, to)
			if m.Get("role").Is("assistant") {
				answer = key
			}
		}
	}
	turn()
}

// zedAnswer writes a response with the results of its calls, and returns the key of its first item.
func zedAnswer(key string, m json.Value, to *transcript.StoreWriter) (first string) {
	n := 0
	for e := m.Get("content").Elements(); e.Next(); n++ {
		i := transcript.StoreItem{Key: key + "/" + strconv.Itoa(n)}
		switch part := e.Value; {
		case part.Get("Text").Exists():
			i.Kind, i.Text = "assistant", part.Get("Text").String()
		case part.Get("Thinking").Exists():
			i.Kind, i.Text = "reasoning", part.Path("Thinking", "text").String()
			i.Opaque = int64(part.Path("Thinking", "signature").TextLen())
		case part.Get("RedactedThinking").Exists():
			i.Kind, i.Opaque = "reasoning", int64(part.Get("RedactedThinking").TextLen())
		case part.Get("ToolUse").Exists():
			use := part.Get("ToolUse")
			i.Kind, i.Name, i.Call, i.JSON = "toolCalls", use.Get("name").String(), use.Get("id").String(), use.Get("input").Raw()
		default:
			continue
		}
		if first == "" {
			first = i.Key
		}
		to.Item(i)
	}
	for f := m.Get("tool_results").Fields(); f.Next(); {
		result := f.Value
		to.Item(transcript.StoreItem{
			Key: key + "/result/" + f.Key.String(), Kind: "toolResults", Name: result.Get("tool_name").String(), Call: f.Key.String(),
			Text: zedText(result.Get("content")), Error: result.Get("is_error").Bool(),
		})
	}
	return first
}

// old writes a message of Zed's first agent, which kept segments.
func old(key string, m json.Value, to *transcript.StoreWriter) {
	kind := "user"
	if m.Get("role").Is("assistant") {
		kind = "assistant"
	}
	to.Item(transcript.StoreItem{Key: key, Kind: kind, Text: contentText(m.Get("segments")), Turn: kind == "user"})
	for e := m.Get("tool_results").Elements(); e.Next(); {
		to.Item(transcript.StoreItem{Key: key + "/" + e.Value.Get("tool_use_id").String(), Kind: "toolResults", Call: e.Value.Get("tool_use_id").String(), Text: zedText(e.Value.Get("content"))})
	}
}

// zedText returns the text in a list of parts, each under the name of its kind.
func zedText(v json.Value) string {
	var text strings.Builder
	var walk func(json.Value, int)
	walk = func(v json.Value, depth int) {
		switch {
		case depth > 32:
		case v.Kind() == json.String:
			text.WriteString(v.String())
		case v.Kind() == json.Array:
			for e := v.Elements(); e.Next(); {
				walk(e.Value, depth+1)
			}
		case v.Kind() == json.Object:
			for _, key := range []string{"Text", "text", "content", "Mention", "summary"} {
				walk(v.Get(key), depth+1)
			}
		}
	}
	walk(v, 0)
	return text.String()
}

func zedUsage(v json.Value, id string) (u transcript.StoreUsage, ok bool) {
	u = transcript.NewStoreUsage(id)
	u.Read, u.Write = whole(v.Get("cache_read_input_tokens")), whole(v.Get("cache_creation_input_tokens"))
	u.In, u.Out = sum(whole(v.Get("input_tokens")), u.Read, u.Write), whole(v.Get("output_tokens"))
	return u, u.In > 0
}
