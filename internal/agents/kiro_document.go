// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"encoding/base64"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func isKiroIDE(v json.Value) bool {
	return v.Get("history").Kind() == json.Array && v.Get("sessionId").Kind() == json.String &&
		(v.Get("contextUsagePercentage").Exists() || v.Get("workspaceDirectory").Exists() || v.Get("workspacePath").Exists())
}

func listKiroIDE(_ context.Context, path string) ([]transcript.Session, error) {
	v, err := document(path)
	if err != nil || v.Get("history").Len() == 0 {
		return nil, err
	}
	s := transcript.Session{ID: chatName(path), Label: v.Get("title").String(), Started: timeOf(v.Get("dateCreated")), Workspace: kiroWorkspace(path, v)}
	return []transcript.Session{s}, nil
}

// kiroWorkspace returns the directory of a session, from the document or the name of its directory.
func kiroWorkspace(path string, v json.Value) string {
	for _, key := range []string{"workspaceDirectory", "workspacePath"} {
		if folder := v.Get(key); folder.TextLen() < 4096 && filepath.IsAbs(folder.String()) {
			return folder.String()
		}
	}
	name := strings.TrimRight(filepath.Base(filepath.Dir(path)), "=_")
	if folder, err := base64.RawURLEncoding.DecodeString(name); err == nil && filepath.IsAbs(string(folder)) {
		return string(folder)
	}
	return ""
}

func writeKiroIDE(_ context.Context, path, _ string, to *transcript.StoreWriter) error {
	v, err := document(path)
	if err != nil || v.Get("history").Len() == 0 {
		return err
	}
	s := transcript.StoreSession{CWD: kiroWorkspace(path, v), Title: v.Get("title").String(), At: milliseconds(timeOf(v.Get("dateCreated")))}
	for _, key := range []string{"selectedModel", "modelId", "defaultModelTitle"} {
		if model := v.Get(key); s.Model == "" && model.Kind() == json.String {
			s.Model = nameIn(model.String())
		}
	}
	to.Session(s)
	n, open := 0, ""
	for e := v.Get("history").Elements(); e.Next(); n++ {
		m := e.Value.Get("message")
		if m.Kind() != json.Object {
			m = e.Value
		}
		key, text := strconv.Itoa(n), contentText(m.Get("content"))
		switch role := m.Get("role"); {
		case role.Is("user"):
			to.Item(transcript.StoreItem{Key: key, Kind: "user", Text: text, Turn: true})
			open = key
		case role.Is("assistant"), role.Is("bot"):
			if text != "" {
				to.Item(transcript.StoreItem{Key: key, Kind: "assistant", Text: text})
			}
			if open != "" {
				to.Over(open)
			}
		case role.Is("tool"):
			to.Item(transcript.StoreItem{Key: key, Kind: "toolResults", Text: text})
		case role.Is("system"):
			to.Context("system", transcript.StorePart{Label: phrase.System.Text(), Text: text})
		}
	}
	if percent := hundredths(v.Get("contextUsagePercentage")); percent >= 0 {
		to.Own(percent, phrase.AgentPrints.Text(phrase.Name("Kiro")))
	}
	to.Warning(phrase.KiroEstimate.Text())
	return nil
}
