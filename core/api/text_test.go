// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A name that a user chose is never a phrase: the text of each phrase is used as the name of everything that a Reading
// names, and as the sentence and the reason of a host.
func TestNamesAreNeverPhrases(t *testing.T) {
	labels := map[string]bool{}
	for _, id := range phrase.All() {
		text := id.English()
		for _, value := range []string{"{0:count}", "{1:count}", "{2:count}"} {
			text = strings.ReplaceAll(text, value, "12")
		}
		for _, kind := range []string{"name", "text", "tokens"} {
			for at := range 3 {
				text = strings.ReplaceAll(text, fmt.Sprintf("{%d:%s}", at, kind), "x")
			}
		}
		if text = strings.TrimSpace(text); text == "" || text == "~12" {
			continue
		}
		name, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		part := fmt.Sprintf(`[{"label":%s,"tokens":4000}]`, name)
		c := New()
		for _, call := range [][2]string{
			{"ctx/session/open", fmt.Sprintf(`{"id":"a","limits":{"window":100000},"label":%s}`, name)},
			{"ctx/session/update", fmt.Sprintf(`{"id":"a","system":%[1]s,"tools":%[1]s,"mcpTools":%[1]s,"skills":%[1]s,"agents":%[1]s,"memory":%[1]s,"documents":%[1]s,
				"append":[{"kind":"user","tokens":900,"label":%[2]s},{"kind":"toolCalls","tokens":800,"name":%[2]s},{"kind":"toolResults","tokens":700,"label":%[2]s,"name":"read","what":"file","subject":%[2]s}]}`, part, name)},
			{"ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":70000,"out":100}}`},
			{"ctx/session/update", fmt.Sprintf(`{"id":"a","replace":[{"index":0,"item":{"kind":"user","tokens":100,"label":%[1]s},"reason":%[1]s}],"loaded":{"unknown":[%[1]s],"servers":[%[1]s]}}`, name)},
			{"ctx/session/open", fmt.Sprintf(`{"id":"b","parent":"a","label":%s}`, name)},
			{"ctx/session/reading", `{"id":"a"}`},
			{"ctx/session/items", `{"id":"a","top":20}`},
			{"ctx/session/fits", fmt.Sprintf(`{"id":"a","parts":%s,"phrases":true}`, part)},
		} {
			answer := c.Call(call[0], []byte(call[1]))
			var parsed struct {
				Result map[string]any
				Error  any
			}
			if err := json.Unmarshal(answer, &parsed); err != nil || parsed.Error != nil {
				t.Fatalf("%s: %v %s", call[0], err, answer)
			}
			noPhrases(t, text, parsed.Result, labels)
			warnings, _ := parsed.Result["warnings"].([]any)
			for _, w := range warnings {
				if w, _ := w.(map[string]any); w["text"] == text {
					labels["warnings"] = true
					if w["id"] != nil {
						t.Errorf("the host's sentence %q is the phrase %v", text, w)
					}
				}
			}
		}
	}
	for _, field := range []string{"breakdown", "largest", "reasons", "items", "warnings", "parts", "children"} {
		if !labels[field] {
			t.Errorf("no name was found in %s", field)
		}
	}
}

// noPhrases checks that no object whose label or reason is a text has a phrase. It records the lists that contain such
// objects.
func noPhrases(t *testing.T, text string, v any, found map[string]bool) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			noPhrases(t, text, e, found)
		}
	case map[string]any:
		for key, value := range v {
			if list, ok := value.([]any); ok {
				for _, e := range list {
					of, _ := e.(map[string]any)
					reason, _ := of["reason"].(map[string]any)
					if reason["text"] == text && reason["id"] != nil {
						t.Errorf("%s: the reason %q is taken for a phrase: %v", key, text, of)
					}
					label, ok := of["label"].(map[string]any)
					if !ok {
						label = map[string]any{"text": of["label"], "id": of["phrase"]}
					}
					if of != nil && (label["text"] == text || reason["text"] == text) {
						if ours, _ := of["kind"].(string); key == "breakdown" && slices.Contains(conversational, ours) {
							continue // the conversation's own rows may be called so
						}
						found[key] = true
						if label["id"] != nil {
							t.Errorf("%s: the name %q is taken for a phrase: %v", key, text, of)
						}
					}
				}
			}
			noPhrases(t, text, value, found)
		}
	}
}

// conversational are the kinds of rows that hosts do not name.
var conversational = []string{"user", "toolCalls", "toolResults", "messages", "unattributed", "prefix"}
