// Copyright The ctx-lsp authors. MIT licence.

// Package vectors runs the conformance vectors of testdata/conformance on an engine.
//
// A file contains the vectors of one subject. Each vector is a conversation with a new core: calls, and what is
// expected of their results.
//
//	expect   fields that the result must have with these values; others may be there too
//	exact    the whole result
//	error    fields that the error's data must have
//
// In parameters, {"$repeat": "a", "times": 1000} stands for a long string. Parameters that are {"$raw": "text"} are
// sent as that text, JSON or not, and {"$base64": "…"} as those bytes. {"$saved": true} stands for the ledger that the
// vector's last ctx/session/save returned. {"$first": 12} as the first element of messages stands for the first 12
// messages that the vector has passed before, in messages and append.
package vectors

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// A File is the vectors of one subject.
type File struct {
	Name    string `json:"-"` // without its extension
	Subject string `json:"subject"`
	About   string `json:"about"`
	Vectors []Vector
}

// A Vector is one conversation.
type Vector struct {
	Name  string
	Calls []Call
}

// A Call is one request and what is expected of its result.
type Call struct {
	Method string
	Params json.RawMessage
	Expect json.RawMessage
	Exact  json.RawMessage
	Error  json.RawMessage
}

// Read reads every *.json file in a directory. It returns nil if there are none.
func Read(folder fs.FS) ([]File, error) {
	names, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var files []File
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		file := File{Name: strings.TrimSuffix(name, ".json")}
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&file); err != nil {
			return nil, fmt.Errorf("the vectors in %s cannot be read: %w", name, err)
		}
		seen := map[string]bool{}
		for _, v := range file.Vectors {
			if seen[v.Name] {
				return nil, fmt.Errorf("%s has two vectors called %q", name, v.Name)
			}
			seen[v.Name] = true
			if err := grow(v.Calls); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", name, v.Name, err)
			}
		}
		files = append(files, file)
	}
	return files, nil
}

// grow replaces {"$first": n} in the messages of calls with the first n messages passed before.
func grow(calls []Call) error {
	var sent []json.RawMessage
	for i, c := range calls {
		var params struct{ Messages, Append []json.RawMessage }
		if json.Unmarshal(c.Params, &params) != nil {
			continue
		}
		sent = append(sent[:len(sent):len(sent)], params.Append...)
		if len(params.Messages) == 0 {
			continue
		}
		var first struct {
			N int `json:"$first"`
		}
		if head := params.Messages[0]; json.Unmarshal(head, &first) == nil && first.N > 0 {
			if first.N > len(sent) {
				return fmt.Errorf("call %d wants %d messages of %d", i+1, first.N, len(sent))
			}
			before := sent[:first.N]
			var joined []byte
			for n, m := range before {
				if n > 0 {
					joined = append(joined, ',')
				}
				joined = append(joined, m...)
			}
			calls[i].Params = bytes.Replace(c.Params, head, joined, 1)
			params.Messages = append(before[:len(before):len(before)], params.Messages[1:]...)
		}
		sent = params.Messages
	}
	return nil
}

// Message returns the parameters as they are sent, except that {"$saved": true} is not replaced.
func (c Call) Message() ([]byte, error) {
	params := c.Params
	if len(params) == 0 {
		return []byte("{}"), nil
	}
	var special struct {
		Raw    json.RawMessage `json:"$raw"`
		Base64 *string         `json:"$base64"`
	}
	if json.Unmarshal(params, &special) == nil {
		if special.Base64 != nil {
			return base64.StdEncoding.DecodeString(*special.Base64)
		}
		if special.Raw != nil {
			quoted, err := expand(special.Raw)
			if err != nil {
				return nil, err
			}
			var text string
			err = json.Unmarshal(quoted, &text)
			return []byte(text), err
		}
	}
	return expand(params)
}

// expand replaces each {"$repeat": text, "times": n} in a value with the repeated text. It keeps everything else as it
// is written, in particular the order of fields.
func expand(value json.RawMessage) ([]byte, error) {
	var out bytes.Buffer
	if !bytes.Contains(value, []byte(`"$repeat"`)) {
		err := json.Compact(&out, value)
		return out.Bytes(), err
	}
	var repeat struct {
		Text  *string `json:"$repeat"`
		Times int     `json:"times"`
	}
	if json.Unmarshal(value, &repeat) == nil && repeat.Text != nil {
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		err := e.Encode(strings.Repeat(*repeat.Text, repeat.Times))
		return bytes.TrimSpace(out.Bytes()), err
	}
	d := json.NewDecoder(bytes.NewReader(value))
	opening, err := d.Token()
	if err != nil {
		return nil, err
	}
	object := opening == json.Delim('{')
	out.WriteString(fmt.Sprint(opening))
	for first := true; d.More(); first = false {
		if !first {
			out.WriteByte(',')
		}
		if object {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			quoted, _ := json.Marshal(key)
			out.Write(quoted)
			out.WriteByte(':')
		}
		var element json.RawMessage
		if err := d.Decode(&element); err != nil {
			return nil, err
		}
		expanded, err := expand(element)
		if err != nil {
			return nil, err
		}
		out.Write(expanded)
	}
	closing, err := d.Token()
	if err != nil {
		return nil, err
	}
	out.WriteString(fmt.Sprint(closing))
	return out.Bytes(), nil
}
