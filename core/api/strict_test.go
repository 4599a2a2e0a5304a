// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

type refusal struct {
	Result struct {
		SimilarModels []string
		Warnings      []Text
	}
	Error *struct {
		Message string
		Data    RefusedData
	}
}

func refusalOf(t *testing.T, c *Core, method, params string) (answer refusal) {
	t.Helper()
	if err := json.Unmarshal(c.Call(method, []byte(params)), &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestAnUnknownModelHasSimilarNamesAsAField(t *testing.T) {
	c := New()
	opened := refusalOf(t, c, "ctx/session/open", `{"id": "a", "model": "gpt-55"}`)
	if got := opened.Result.SimilarModels; !slices.Equal(got, []string{"gpt-5", "gpt-5.5"}) || len(opened.Result.Warnings) != 1 {
		t.Errorf("similarModels %q, warnings %q", got, opened.Result.Warnings)
	}
	if named := refusalOf(t, c, "ctx/session/update", `{"id": "a", "model": "gpt-5.5"}`); named.Result.SimilarModels != nil {
		t.Errorf("a known model has similarModels %q", named.Result.SimilarModels)
	}
	if pack, _ := assets.Pack("o200k"); c.Load("o200k", pack) != nil {
		t.Fatal("o200k cannot be loaded")
	}
	if counted := refusalOf(t, c, "ctx/count", `{"text": "", "model": "gpt-55"}`); !slices.Equal(counted.Result.SimilarModels, []string{"gpt-5", "gpt-5.5"}) {
		t.Errorf("ctx/count has similarModels %q", counted.Result.SimilarModels)
	}
}

func TestStrictRefusesUnknownNames(t *testing.T) {
	c := New()
	refusalOf(t, c, "ctx/session/open", `{"id": "open", "model": "gpt-5.5"}`)
	for _, each := range []struct {
		method, params, field, message string
		known                          []string
	}{
		{
			"ctx/session/open", `{"model": "gpt-55", "strict": true}`, "model",
			`The parameter "model" names an unknown model "gpt-55"; similar names are gpt-5, gpt-5.5.`, []string{"gpt-5", "gpt-5.5"},
		},
		{
			"ctx/session/open", `{"model": "gpt-5.5", "provider": "opnai", "strict": true}`, "provider",
			`The parameter "provider" names an unknown provider "opnai"; similar names are openai.`, []string{"openai"},
		},
		{
			"ctx/session/update", `{"id": "open", "model": "nothing like it", "strict": true}`, "model",
			`The parameter "model" names an unknown model "nothing like it".`, nil,
		},
		{
			"ctx/count", `{"text": "", "model": "gpt-55", "strict": true}`, "model",
			`The parameter "model" names an unknown model "gpt-55"; similar names are gpt-5, gpt-5.5.`, []string{"gpt-5", "gpt-5.5"},
		},
	} {
		answer := refusalOf(t, c, each.method, each.params)
		if answer.Error == nil {
			t.Errorf("%s %s is accepted", each.method, each.params)
			continue
		}
		got := answer.Error
		if got.Message != each.message || got.Data.Field != each.field || got.Data.Kind != InvalidParams || !slices.Equal(got.Data.Known, each.known) {
			t.Errorf("%s %s: %q %+v", each.method, each.params, got.Message, got.Data)
		}
	}
	for _, params := range []string{`{"strict": true}`, `{"model": "gpt-5.5", "provider": "openai", "strict": true}`} {
		if answer := refusalOf(t, c, "ctx/session/open", params); answer.Error != nil {
			t.Errorf("%s: %s", params, answer.Error.Message)
		}
	}
}

func TestErrorsOfMessagesSpeakOfRoles(t *testing.T) {
	c := New()
	refusalOf(t, c, "ctx/session/open", `{"id": "a"}`)
	const kinds = `names an unknown kind "alien"; known are user, assistant, toolCalls, toolResults, reasoning, media, summary, documents, memory, system, developer.`
	for _, each := range []struct{ message, field, text string }{
		{`{"text": "x"}`, "messages[0].role", `The parameter "messages[0].role" is missing; known are user, assistant, system, developer, tool.`},
		{`{}`, "messages[0].role", `The parameter "messages[0].role" is missing; known are user, assistant, system, developer, tool.`},
		{`"x"`, "messages[0]", `The parameter "messages[0]" must be a message with a role and its content, not a string.`},
		{`null`, "messages[0]", `The parameter "messages[0]" must be a message with a role and its content, not null.`},
		{`{"kind": "alien", "text": "x"}`, "messages[0].kind", `The parameter "messages[0].kind" ` + kinds},
	} {
		answer := refusalOf(t, c, "ctx/session/messages", `{"id": "a", "messages": [`+each.message+`]}`)
		if answer.Error == nil || answer.Error.Message != each.text || answer.Error.Data.Field != each.field {
			t.Errorf("%s: %+v", each.message, answer.Error)
		}
	}
}
