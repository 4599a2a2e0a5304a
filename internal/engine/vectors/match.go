// Copyright The ctx-lsp authors. MIT licence.

package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// check returns what is wrong with a result, or "".
func check(c Call, answer []byte) string {
	var got struct {
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
			Data    json.RawMessage
		}
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return "the answer is not JSON: " + err.Error()
	}
	switch {
	case c.Error != nil:
		if got.Error == nil {
			return "an error was expected"
		}
		if got.Error.Code == 0 || got.Error.Message == "" {
			return "the error has no code or no message"
		}
		return differs("data", decode(c.Error), decode(got.Error.Data), false)
	case got.Error != nil:
		return "it is refused"
	case c.Exact != nil:
		return differs("result", decode(c.Exact), decode(got.Result), true)
	case c.Expect != nil:
		if why := differs("result", decode(c.Expect), decode(got.Result), false); why != "" {
			return why
		}
	}
	return broken(got.Result)
}

// broken returns which of the rules for every Reading a result breaks, or "".
func broken(result json.RawMessage) string {
	var r struct {
		Schema    string
		Used      int64
		Range     struct{ Low, High int64 }
		Breakdown []struct {
			Kind     string
			Tokens   int64
			Deferred bool
		}
	}
	if json.Unmarshal(result, &r) != nil || r.Schema != "ctx.reading/3" {
		return ""
	}
	var sum int64
	for _, row := range r.Breakdown {
		if row.Tokens < 0 {
			return fmt.Sprintf("the row %s is negative: %d", row.Kind, row.Tokens)
		}
		if !row.Deferred {
			sum += row.Tokens
		}
	}
	switch {
	case sum != r.Used:
		return fmt.Sprintf("the rows add up to %d, but used is %d", sum, r.Used)
	case r.Used < 0:
		return fmt.Sprintf("used is negative: %d", r.Used)
	case r.Range.Low < 0 || r.Range.Low > r.Used || r.Range.High < r.Used:
		return fmt.Sprintf("used is %d, which is not within %d and %d", r.Used, r.Range.Low, r.Range.High)
	}
	return ""
}

// decode decodes JSON but keeps numbers as they are written.
func decode(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err.Error()
	}
	return v
}

// differs returns where got differs from want, or "". An object may have more fields than wanted, unless whole is set.
func differs(at string, want, got any, whole bool) string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return unlike(at, want, got)
		}
		for key, w := range want {
			g, there := object[key]
			if !there {
				return fmt.Sprintf("%s.%s is missing, want %s", at, key, show(w))
			}
			if why := differs(at+"."+key, w, g, whole); why != "" {
				return why
			}
		}
		for key := range object {
			if _, wanted := want[key]; whole && !wanted {
				return fmt.Sprintf("%s.%s is one too many", at, key)
			}
		}
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return unlike(at, want, got)
		}
		for i, w := range want {
			if why := differs(fmt.Sprintf("%s[%d]", at, i), w, list[i], whole); why != "" {
				return why
			}
		}
	case json.Number:
		g, ok := got.(json.Number)
		if !ok {
			return unlike(at, want, got)
		}
		if want != g {
			a, _ := want.Float64()
			b, _ := g.Float64()
			if a != b {
				return unlike(at, want, got)
			}
		}
	default:
		if want != got {
			return unlike(at, want, got)
		}
	}
	return ""
}

func unlike(at string, want, got any) string {
	return fmt.Sprintf("%s is %s, want %s", at, show(got), show(want))
}

func show(v any) string {
	text, _ := json.Marshal(v)
	const most = 300
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
