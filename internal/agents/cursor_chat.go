// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// The fields of the root, and those of its meter.
const (
	rootMessage   = 1
	rootMeter     = 5
	rootDirectory = 9

	meterTotal    = 1
	meterWindow   = 2
	meterCategory = 3
)

// cursorChatMeta returns a chat's own description: JSON, in hexadecimal digits.
func cursorChatMeta(q *query) (json.Value, error) {
	r, err := q.one(`SELECT value FROM meta WHERE key='0'`)
	if err != nil {
		return json.Value{}, err
	}
	if r == nil {
		return json.Value{}, nil // it was only just created
	}
	text := r.bytes(0)
	if decoded, err := hex.DecodeString(string(text)); err == nil {
		text = decoded
	}
	meta := parsed(text)
	if meta.Get("agentId").Kind() != json.String {
		return json.Value{}, fmt.Errorf("%s is not a Cursor chat, or its version is not supported", q.path)
	}
	return meta, nil
}

// cursorRoot returns the newest root of a chat, empty if there is none yet.
func cursorRoot(q *query, meta json.Value) (protoMessage, error) {
	id := meta.Get("latestRootBlobId").String()
	if id == "" {
		return nil, nil
	}
	r, err := q.one(`SELECT data FROM blobs WHERE id=?1`, id)
	if err != nil || r == nil {
		return nil, err
	}
	return r.bytes(0), nil
}

func listCursorChat(q *query) ([]transcript.Session, error) {
	meta, err := cursorChatMeta(q)
	if err != nil || !meta.Exists() {
		return nil, err
	}
	root, err := cursorRoot(q, meta)
	if err != nil || root == nil {
		return nil, err
	}
	return []transcript.Session{{
		ID: chatID(q.path, meta), Label: meta.Get("name").String(), Started: timeOf(meta.Get("createdAt")),
		Workspace: directoryOf(root),
	}}, nil
}

// chatID returns the name of a chat, which is also that of its directory.
func chatID(path string, meta json.Value) string {
	if id := meta.Get("agentId").String(); within(id) && len(id) < 200 {
		return id
	}
	return filepath.Base(filepath.Dir(path))
}

// directoryOf returns the directory in which a chat was started.
func directoryOf(root protoMessage) string {
	path := root.Text(rootDirectory)
	if len(path) > 4096 {
		return ""
	}
	if strings.HasPrefix(path, "file://") {
		path = pathOf(path)
	} else if !filepath.IsAbs(path) {
		return ""
	}
	if !utf8.ValidString(path) {
		return ""
	}
	return path
}

func writeCursorChat(q *query, to *transcript.StoreWriter) error {
	meta, err := cursorChatMeta(q)
	if err != nil || !meta.Exists() {
		return err
	}
	root, err := cursorRoot(q, meta)
	if err != nil || root == nil {
		return err
	}
	c := cursorSession{to: to}
	s := transcript.StoreSession{Title: meta.Get("name").String(), CWD: directoryOf(root), At: milliseconds(timeOf(meta.Get("createdAt")))}
	if model := meta.Get("lastUsedModel"); model.TextLen() < 200 && !model.Is("default") {
		s.Model = model.String()
	}
	meter := foundMeter(root.Get(rootMeter))
	c.metered = meter != nil
	if c.metered {
		s.Window, _ = meter.Number(meterWindow)
	}
	to.Session(s)
	if c.metered {
		c.categories(meter)
	}
	var ids []string
	root.Each(rootMessage, func(id protoMessage) {
		if len(id) == 32 && len(ids) < mostRows {
			ids = append(ids, hex.EncodeToString(id))
		}
	})
	missing := 0
	for i, id := range ids {
		r, err := q.one(`SELECT data FROM blobs WHERE id=?1`, id)
		if err != nil {
			return err
		}
		message := json.Value{}
		if r != nil {
			message = parsed(r.bytes(0))
		}
		if !message.Exists() {
			missing++
		}
		c.message(strconv.Itoa(i), message)
	}
	if missing > 0 {
		to.Warning(phrase.CursorMissing.Text())
	}
	if total, _ := meter.Number(meterTotal); c.metered {
		c.stated("after "+c.spoken, "", total, 0)
	} else {
		to.Warning(phrase.CursorNoCount.Text())
	}
	return nil
}

// foundMeter returns the meter in a field of the root, possibly inside another message: the one whose categories add up
// to its total. It returns nil if there is none.
func foundMeter(m protoMessage) protoMessage {
	for range 4 {
		if m == nil {
			return nil
		}
		total, known := m.Number(meterTotal)
		sum, n := int64(0), 0
		m.Each(meterCategory, func(category protoMessage) {
			if tokens, _ := category.Number(3); tokens > 0 && tokens < 1<<40 && n < 100 {
				sum += tokens
			}
			n++
		})
		if known && n > 1 && total > 0 && sum == total {
			return m
		}
		m = m.Get(1)
	}
	return nil
}

// categories writes the meter's categories of the window.
func (c *cursorSession) categories(meter protoMessage) {
	meter.Each(meterCategory, func(category protoMessage) {
		tokens, _ := category.Number(3)
		for _, row := range cursorRows {
			if category.Text(1) == row.id && tokens > 0 {
				c.to.Context(row.kind, transcript.StorePart{Label: phrase.ByCursorCount.Text(row.label.Arg()), Tokens: tokens})
			}
		}
	})
}

// message writes a message, which has a form that many programs share: a role, and a text or parts.
func (c *cursorSession) message(key string, m json.Value) {
	role, content := m.Get("role"), m.Get("content")
	kind := "assistant"
	switch {
	case role.Is("user"):
		kind = "user"
	case role.Is("system"):
		if text := contentText(content); text != "" && !c.metered {
			c.to.Context("system", transcript.StorePart{Label: phrase.System.Text(), Text: text})
		}
		return
	case role.Is("assistant"), role.Is("tool"):
	default:
		return
	}
	if content.Kind() == json.String {
		c.says(key, kind, content.String())
	}
	n := 0
	for e := content.Elements(); e.Next(); n++ {
		part, key := e.Value, key+"/"+strconv.Itoa(n)
		switch of := part.Get("type"); {
		case of.Is("reasoning"), of.Is("redacted-reasoning"):
			c.to.Item(transcript.StoreItem{Key: key, Kind: "reasoning", Text: part.Get("text").String(), Opaque: int64(max(part.Get("signature").TextLen(), part.Get("data").TextLen()))})
		case of.Is("tool-call"):
			c.to.Item(transcript.StoreItem{Key: key, Kind: "toolCalls", Name: nameIn(part.Get("toolName").String()), Call: part.Get("toolCallId").String(), JSON: part.Get("args").Raw()})
		case of.Is("tool-result"):
			text := contentText(part.Get("result"))
			if text == "" {
				text = contentText(part.Get("experimental_content"))
			}
			c.to.Item(transcript.StoreItem{Key: key, Kind: "toolResults", Name: nameIn(part.Get("toolName").String()), Call: part.Get("toolCallId").String(), Text: text, Error: part.Get("isError").Bool()})
		case of.Is("text"):
			c.says(key, kind, part.Get("text").String())
		}
	}
}

// says writes a text of a role. Text before the user's own question was added by the program.
func (c *cursorSession) says(key, kind, text string) {
	if text == "" {
		return
	}
	turn := kind == "user" && (strings.Contains(text, "<user_query>") || !strings.HasPrefix(text, "<"))
	if turn {
		c.spoken = key
	}
	c.to.Item(transcript.StoreItem{Key: key, Kind: kind, Text: text, Turn: turn})
}
