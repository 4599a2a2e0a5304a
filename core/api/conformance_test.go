// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type vectorFile struct {
	Subject, About string
	Vectors        []struct {
		Name  string
		Calls []struct {
			Method string
			Params any
			Expect any
			Exact  any
			Error  map[string]any
		}
	}
}

// TestVectors runs testdata/conformance on this package itself, the fastest of the engines: each result is as expected,
// and has the recorded digest. With CTX_ANSWERS=DIRECTORY it writes the answers there, to compare two versions.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob("../../testdata/conformance/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors found: %v", err)
	}
	sums, err := os.ReadFile("../../testdata/conformance/answers.sum")
	if err != nil {
		t.Fatal(err)
	}
	loaded := withVocabularies(t)
	total := 0
	var unrecorded []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var vectors vectorFile
		if err := json.Unmarshal(text, &vectors); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, v := range vectors.Vectors {
			total++
			t.Run(filepath.Base(file)+"/"+v.Name, func(t *testing.T) {
				c, digest := beside(loaded), sha256.New()
				var answers bytes.Buffer
				var saved []byte
				var told []any
				for i, call := range v.Calls {
					told = grow(call.Params, told)
					answer := c.Call(call.Method, bytes.ReplaceAll(params(call.Params), []byte(`{"$saved":true}`), saved))
					if ledger, ok := bytes.CutPrefix(answer, []byte(`{"result":{"ledger":`)); ok {
						saved = bytes.Clone(bytes.TrimSuffix(ledger, []byte("}}")))
					}
					line := append(bytes.Clone(answer), '\n')
					digest.Write(line)
					answers.Write(line)
					var got struct {
						Result any
						Error  *struct {
							Code    int
							Message string
							Data    any
						}
					}
					if err := json.Unmarshal(answer, &got); err != nil {
						t.Fatalf("call %d %s: %v", i, call.Method, err)
					}
					switch {
					case call.Error != nil:
						if got.Error == nil {
							t.Fatalf("call %d %s: no error, but %s", i, call.Method, answer)
						}
						if why := differs("data", any(call.Error), got.Error.Data); why != "" {
							t.Errorf("call %d %s: %s in %s", i, call.Method, why, answer)
						}
						if !strings.HasSuffix(got.Error.Message, ".") {
							t.Errorf("call %d: %q is no sentence", i, got.Error.Message)
						}
					case got.Error != nil:
						t.Fatalf("call %d %s: %s", i, call.Method, answer)
					case call.Exact != nil:
						if fmt.Sprint(call.Exact) != fmt.Sprint(got.Result) {
							t.Errorf("call %d %s: %s", i, call.Method, answer)
						}
					case call.Expect != nil:
						if why := differs("", call.Expect, got.Result); why != "" {
							t.Errorf("call %d %s: %s\n%s", i, call.Method, why, answer)
						}
					}
					checkInvariants(t, i, got.Result)
				}
				sum := fmt.Sprintf("%x  %s: %s\n", digest.Sum(nil), strings.TrimSuffix(filepath.Base(file), ".json"), v.Name)
				if !t.Failed() && !bytes.Contains(sums, []byte(sum)) {
					unrecorded = append(unrecorded, t.Name())
				}
				if folder := os.Getenv("CTX_ANSWERS"); folder != "" {
					name := strings.Map(func(r rune) rune {
						if strings.ContainsRune(`/\:*?"<>|`, r) {
							return '_'
						}
						return r
					}, t.Name())
					if err := os.WriteFile(filepath.Join(folder, name), answers.Bytes(), 0o644); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	if len(unrecorded) > 0 {
		t.Errorf("the answers of %d vectors are as expected, but not those recorded in answers.sum:\n\t%s\n"+
			"Only digests are recorded. To see the difference, run this with CTX_ANSWERS=DIRECTORY before and after the change, and compare. "+
			"If the change is meant, make vectors records it.", len(unrecorded), strings.Join(unrecorded, "\n\t"))
	}
	if total < 60 {
		t.Errorf("only %d vectors", total)
	}
}

// checkInvariants checks invariants of every Reading, whatever was sent.
func checkInvariants(t *testing.T, call int, result any) {
	t.Helper()
	r, ok := result.(map[string]any)
	if !ok || r["schema"] != "ctx.reading/3" {
		return
	}
	sum := 0.0
	for _, row := range r["breakdown"].([]any) {
		row := row.(map[string]any)
		if row["tokens"].(float64) < 0 {
			t.Errorf("call %d: a row is negative: %v", call, row)
		}
		if row["deferred"] != true {
			sum += row["tokens"].(float64)
		}
	}
	if sum != r["used"].(float64) {
		t.Errorf("call %d: rows sum to %v, used is %v", call, sum, r["used"])
	}
	checkTerms(t, call, r)
	span := r["range"].(map[string]any)
	if low, high := span["low"].(float64), span["high"].(float64); low > r["used"].(float64) || high < r["used"].(float64) || low < 0 {
		t.Errorf("call %d: %v is not within %v and %v", call, r["used"], low, high)
	}
}

// checkTerms checks that the terms of used are all in the Reading, and that they are what they say: provider mode has
// only the measured prompt, and a prompt that was measured and answered by the same model assumes nothing.
func checkTerms(t *testing.T, call int, r map[string]any) {
	t.Helper()
	number := func(v any) float64 {
		n, _ := v.(float64)
		return n
	}
	last, _ := r["lastRequest"].(map[string]any)
	leaving, fresh := r["leaving"].(map[string]any), r["new"].(map[string]any)
	terms := number(last["in"]) - number(leaving["tokens"]) + number(last["carry"]) + number(fresh["tokens"]) + number(r["assumed"])
	if terms != r["used"].(float64) {
		t.Errorf("call %d: used is %v, and its terms sum to %v", call, r["used"], terms)
	}
	if r["mode"] == "provider" && number(last["carry"])+number(leaving["tokens"])+number(fresh["tokens"]) != 0 {
		t.Errorf("call %d: provider mode has more than the measured prompt: %v %v %v", call, last, leaving, fresh)
	}
	if last != nil && r["basis"] == "measured" && number(r["assumed"]) != 0 {
		t.Errorf("call %d: a measured number assumes %v tokens", call, r["assumed"])
	}
}

func params(v any) []byte {
	if m, ok := v.(map[string]any); ok {
		if raw, ok := m["$raw"]; ok {
			return []byte(expand(raw).(string))
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(expand(v)); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(out.Bytes())
}

// grow replaces {"$first": n} in messages with the first n of those sent before, and returns all messages sent so far.
func grow(params any, told []any) []any {
	p, _ := params.(map[string]any)
	appended, _ := p["append"].([]any)
	told = append(slices.Clip(told), appended...)
	messages, _ := p["messages"].([]any)
	if len(messages) == 0 {
		return told
	}
	if head, ok := messages[0].(map[string]any); ok && head["$first"] != nil {
		messages = append(slices.Clip(told[:int(head["$first"].(float64))]), messages[1:]...)
		p["messages"] = messages
	}
	return messages
}

// expand replaces {"$repeat": text, "times": n} with n repetitions of the text.
func expand(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if text, ok := v["$repeat"].(string); ok {
			return strings.Repeat(text, int(v["times"].(float64)))
		}
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = expand(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = expand(e)
		}
		return out
	}
	return v
}

// differs describes where got lacks a value of want, or returns "".
func differs(at string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s is %v, want an object", at, got)
		}
		for k, w := range want {
			if why := differs(at+"."+k, w, object[k]); why != "" {
				return why
			}
		}
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return fmt.Sprintf("%s is %v, want %v", at, got, want)
		}
		for i, w := range want {
			if why := differs(fmt.Sprintf("%s[%d]", at, i), w, list[i]); why != "" {
				return why
			}
		}
	default:
		if want != got {
			return fmt.Sprintf("%s is %v, want %v", at, got, want)
		}
	}
	return ""
}
