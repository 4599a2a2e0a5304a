// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/meter"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

var countFields = []string{"text", "texts", "model", "provider", "encoding", "boundaries", "exact"}

// count counts texts outside any session: for a model, or by an encoding.
func (c *Core) count(v json.Value) *Error {
	var (
		name, from, encoding string
		boundaries           bool
		one, many            json.Value
		err                  *Error
	)
	for f := v.Fields(); f.Next(); {
		switch string(f.Name()) {
		case "text":
			one = f.Value
		case "texts":
			many = f.Value
		case "model":
			err = readString(&f, &name)
		case "provider":
			err = readString(&f, &from)
		case "encoding":
			err = readString(&f, &encoding)
		case "boundaries":
			err = readBool(&f, &boundaries)
		case "exact":
			if f.Value.Kind() == json.Null {
				break
			}
			err = invalid("exact", "is answered by the daemon, ctx-lsp serve; this engine has no network.")
		default:
			err = unknownField(&f, countFields)
		}
		if err != nil {
			return err
		}
	}
	if one.Exists() == many.Exists() {
		return invalid("text", "or texts is needed, and only one of them.")
	}
	if one.Exists() && one.Kind() != json.String {
		return invalid("text", "must be a string, not "+one.Kind().String()+".")
	}
	if many.Exists() && many.Kind() != json.Array {
		return invalid("texts", "must be an array of strings, not "+many.Kind().String()+".")
	}
	var counter core.Meter
	if encoding == "" {
		if missing := c.shop.Missing(name, from, ""); missing != "" {
			return needsVocabulary(missing)
		}
		counter = c.shop.Resolve(name, from, "").Meter
		if m, ok := counter.(*meter.Meter); ok && m.Exact() {
			encoding = m.Encoding()
		}
	}
	var tokenizer *token.Tokenizer
	if encoding != "" {
		t, missing, known := c.shop.Tokenizer(encoding)
		if !known {
			return unknownName("encoding", "encoding", encoding, token.Names())
		}
		if missing != "" {
			return needsVocabulary(missing)
		}
		tokenizer = t
	} else if boundaries {
		return invalid("boundaries", "needs an encoding or a model with a public one.")
	}
	total, basis := int64(0), core.Counted
	measure := func(field string, v json.Value) (int64, *Error) {
		if v.Kind() != json.String {
			return 0, invalid(field, "must be a string, not "+v.Kind().String()+".")
		}
		text := c.text(v)
		if tokenizer != nil {
			return tokenizer.Count(text), nil
		}
		n := counter.Part(&core.Part{Text: text, Tokens: core.Unknown})
		basis = n.Basis
		return n.Tokens, nil
	}
	var each []int64
	if one.Exists() {
		n, err := measure("text", one)
		if err != nil {
			return err
		}
		total = n
	}
	i := 0
	for e := many.Elements(); e.Next(); i++ {
		n, err := measure("texts["+strconv.Itoa(i)+"]", e.Value)
		if err != nil {
			return err
		}
		each = append(each, n)
		total += n
	}
	w := &c.out
	w.BeginObject()
	number(w, "tokens", total)
	word(w, "basis", basis.String())
	text(w, "encoding", encoding)
	if many.Exists() {
		w.Field("texts")
		w.BeginArray()
		for _, n := range each {
			w.Int(n)
		}
		w.EndArray()
	}
	if boundaries && one.Exists() {
		w.Field("boundaries")
		w.BeginArray()
		if b, ok := any(tokenizer).(interface{ Boundaries([]byte, []int) []int }); ok {
			for _, end := range b.Boundaries(c.text(one), nil) {
				w.Int(int64(end))
			}
		}
		w.EndArray()
	}
	w.EndObject()
	return nil
}

var modelsFields = []string{"query"}

// models lists what the registry knows, or what matches a query.
func (c *Core) models(v json.Value) *Error {
	query := ""
	for f := v.Fields(); f.Next(); {
		err := unknownField(&f, modelsFields)
		if string(f.Name()) == "query" {
			err = readString(&f, &query)
		}
		if err != nil {
			return err
		}
	}
	w := &c.out
	w.BeginObject()
	w.Field("models")
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
	w.EndObject()
	return nil
}

func writeModel(w *json.Writer, m *model.Model) {
	known := func(n int64) int64 {
		if n <= 0 {
			return core.Unknown
		}
		return n
	}
	w.BeginObject()
	text(w, "id", m.ID)
	text(w, "provider", m.Provider)
	number(w, "window", known(m.Window))
	number(w, "input", known(m.Input))
	number(w, "output", known(m.Output))
	text(w, "sharing", m.Sharing())
	text(w, "encoding", m.Encoding)
	text(w, "family", m.Family)
	word(w, "reasoning", m.Reasoning.String())
	text(w, "source", m.Source)
	text(w, "date", m.Date)
	w.EndObject()
}
