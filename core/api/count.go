// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// count counts texts without a session: for a model, or in an encoding.
func (c *Core) count(v json.Value) *Error {
	var p countParams
	if err := c.fillCountParams(v, &p); err != nil {
		return err
	}
	one, many, encoding := p.Text, p.Texts, p.Encoding
	if one.Exists() == many.Exists() {
		return invalid("text", "or the parameter \"texts\" is needed, and only one of them.")
	}
	if one.Exists() && one.Kind() != json.String {
		return invalid("text", "must be a string, not "+one.Kind().String()+".")
	}
	if many.Exists() && many.Kind() != json.Array {
		return invalid("texts", "must be an array of strings, not "+many.Kind().String()+".")
	}
	if p.As != "" && p.As != asMessage {
		return unknownName("as", "way of counting", p.As, []string{asMessage})
	}
	if p.Strict {
		if err := knownNames(p.Model, p.Provider); err != nil {
			return err
		}
	}
	var counter core.Meter
	answer := counted{Basis: core.Counted}
	if encoding == "" {
		if missing := c.vocabularies.Missing(p.Model, p.Provider, ""); missing != "" {
			return needsVocabulary(missing)
		}
		resolved := c.vocabularies.Resolve(p.Model, p.Provider, "")
		counter, answer.Note, answer.SimilarModels = resolved.Meter, resolved.UnknownModel, resolved.SimilarModels
		if m, ok := counter.(*count.Meter); ok && m.Exact() {
			encoding = m.Encoding()
			if doubt := m.Doubt(); !doubt.Empty() {
				answer.Note = doubt
				answer.Basis = core.Estimated
			}
		}
	}
	var tokenizer *token.Tokenizer
	if encoding != "" {
		t, missing, known := c.vocabularies.Tokenizer(encoding)
		if !known {
			return unknownName("encoding", "encoding", encoding, token.Names())
		}
		if missing != "" {
			return needsVocabulary(missing)
		}
		tokenizer = t
	} else if p.Boundaries {
		if !answer.Note.Empty() {
			return unknownModel(p.Model, ", so its encoding is unknown")
		}
		return invalid("boundaries", "needs an encoding or a model with a public one.")
	}
	answer.Encoding = encoding
	if p.As != "" && (tokenizer == nil || !tokenizer.Messages()) {
		return invalid("as", "can be \"message\" only where the frame of a message is known: for models of Claude, with their vocabulary.")
	}
	measure := func(field string, v json.Value) (int64, *Error) {
		if v.Kind() != json.String {
			return 0, invalid(field, "must be a string, not "+v.Kind().String()+".")
		}
		text := c.text(v)
		if p.As != "" {
			return tokenizer.CountMessage(text), nil
		}
		if tokenizer != nil {
			return tokenizer.Count(text), nil
		}
		n := counter.Part(&core.Part{Text: text, Tokens: core.Unknown})
		answer.Basis = n.Basis
		return n.Tokens, nil
	}
	if one.Exists() {
		n, err := measure("text", one)
		if err != nil {
			return err
		}
		answer.Tokens = n
	} else {
		answer.Texts = []int64{}
	}
	i := 0
	for e := many.Elements(); e.Next(); i++ {
		n, err := measure("texts["+strconv.Itoa(i)+"]", e.Value)
		if err != nil {
			return err
		}
		answer.Texts = append(answer.Texts, n)
		answer.Tokens += n
	}
	if p.Boundaries && one.Exists() {
		answer.Boundaries = []int{}
		if b, ok := any(tokenizer).(interface{ Boundaries([]byte, []int) []int }); ok {
			answer.Boundaries = b.Boundaries(c.text(one), answer.Boundaries)
		}
	}
	writeCountAnswer(&c.out, &answer)
	return nil
}

// asMessage requests a count like a provider's own: the text with the frame of a message.
const asMessage = "message"

// counted is the result of a count. Texts and Boundaries are nil if they were not requested.
type counted struct {
	Tokens        int64
	Basis         core.Basis
	Encoding      string
	Note          core.Text
	SimilarModels []string
	Texts         []int64
	Boundaries    []int
}

func refuseExact(f *json.Fields) *Error {
	if f.Value.Kind() == json.Null {
		return nil
	}
	return invalid("exact", "is answered by the daemon, ctx-lsp serve; this engine has no network.")
}

// matching is the list of models that match a query.
type matching struct{ query string }

// models lists all models of the registry, or those that match a query.
func (c *Core) models(v json.Value) *Error {
	var p modelsParams
	if err := c.fillModelsParams(v, &p); err != nil {
		return err
	}
	writeModelsAnswer(&c.out, &matching{p.Query})
	return nil
}

func writeModels(w *json.Writer, query string) {
	w.BeginArray()
	exact, part := "", strings.ToLower(query)
	if m, ok := model.Find(query, "", ""); ok && query != "" {
		writeModel(w, &m)
		exact = m.ID
	}
	for i := 0; i < model.Len(); i++ {
		m := model.At(i)
		if m.ID != exact && strings.Contains(strings.ToLower(m.ID), part) {
			writeModel(w, &m)
		}
	}
	w.EndArray()
}

// orUnknown converts the registry's 0, for an unknown number, to Unknown.
func orUnknown(n int64) int64 {
	if n <= 0 {
		return core.Unknown
	}
	return n
}
