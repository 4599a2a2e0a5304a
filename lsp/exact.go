package lsp

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/lsp/countapi"
)

// exactParams is the member "exact" of ctx/count.
type exactParams struct {
	countapi.Request
	Session string `json:"session"`
	Through *int64 `json:"through"`
}

// count answers ctx/count: in the engine, or by the provider itself when the client says exact.
func (c *connection) count(r *request) ([]byte, *wireError) {
	raw := memberOf(r.params, "exact")
	if raw == nil || string(raw) == "null" {
		return c.forward(r)
	}
	p, err := readExact(r.params, raw)
	if err != nil {
		return nil, err
	}
	var s *session
	if p.Session != "" {
		if s = c.find(p.Session); s == nil {
			return nil, unknownSession(p.Session)
		}
	}
	result, failed := countapi.Count(r.ctx, p.Request, countapi.Options{Getenv: os.Getenv, Transport: countTransport})
	if failed != nil {
		if r.ctx.Err() == context.Canceled {
			return nil, cancelled()
		}
		return nil, &wireError{code: codeRequestFailed, message: sentenceOf(failed), data: []byte(`{"kind":"count_failed"}`)}
	}
	answer, encoding := json.Marshal(result)
	if encoding != nil {
		return nil, &wireError{code: codeInternal, message: encoding.Error()}
	}
	if s == nil || result.Basis != "measured" {
		return answer, nil
	}
	reading, err := c.calibrate(r, s, result, p.Through)
	if err != nil {
		return nil, err
	}
	answer = append(answer[:len(answer)-1], `,"reading":`...)
	answer = append(answer, reading...)
	return append(answer, '}'), nil
}

// countTransport is the network; a test puts another in its place.
var countTransport http.RoundTripper

func readExact(params, raw []byte) (exactParams, *wireError) {
	var p exactParams
	alone := true
	members(params, func(m member) bool {
		alone = alone && m.name == "exact"
		return alone
	})
	if !alone {
		return p, &wireError{code: codeInvalidParams, message: "The parameter \"exact\" stands alone: the provider counts its \"request\", and nothing else.",
			data: []byte(`{"kind":"invalid_params","field":"exact"}`)}
	}
	known := []string{"api", "model", "request", "baseUrl", "session", "through"}
	unknown := ""
	object := members(raw, func(m member) bool {
		if !slices.Contains(known, m.name) {
			unknown = m.name
		}
		return unknown == ""
	})
	field := func(name, why string) *wireError {
		quoted, _ := json.Marshal("exact." + name) // a string always encodes
		list, _ := json.Marshal(known)
		return &wireError{code: codeInvalidParams, message: "The parameter " + string(quoted) + " " + why,
			data: []byte(`{"kind":"invalid_params","field":` + string(quoted) + `,"known":` + string(list) + `}`)}
	}
	if unknown != "" {
		return p, field(unknown, "is not known; these are: "+strings.Join(known, ", ")+".")
	}
	if err := json.Unmarshal(raw, &p); err != nil || !object {
		return p, field("request", "and its neighbours could not be read: api, model, baseUrl and session are strings, through is a number, request an object.")
	}
	if countapi.Needs(p.API) == "" {
		return p, field("api", "names no provider that counts tokens; these do: "+strings.Join(countapi.Names(), ", ")+".")
	}
	if p.Through != nil && *p.Through < 0 {
		return p, field("through", "is negative.")
	}
	if p.BaseURL != "" && !ownServer(p.API, p.BaseURL) {
		// A workspace's settings must not be able to send a key anywhere.
		return p, field("baseUrl", "may only name a server on this machine, of vllm, llama.cpp or ollama; other addresses come from the daemon's environment.")
	}
	return p, nil
}

// ownServer tells whether a client may name this address: a model server on this machine.
func ownServer(api, address string) bool {
	switch model.Provider(api) {
	case "vllm", "llama.cpp", "ollama":
	default:
		return false
	}
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// calibrate hands a session the count of what it is about to send.
func (c *connection) calibrate(r *request, s *session, result countapi.Result, through *int64) ([]byte, *wireError) {
	id, _ := json.Marshal(s.key) // a string always encodes
	params := []byte(`{"id":` + string(id) + `,"provider":"ctx","counted":true,"usage":{"in":` + strconv.FormatInt(result.Tokens, 10) + `}`)
	if through != nil {
		params = append(params, `,"through":`+strconv.FormatInt(*through, 10)...)
	}
	params = append(params, `,"at":`+strconv.FormatInt(c.server.options.Now().UnixMilli(), 10)+`}`...)
	var reading []byte
	var err *wireError
	done := make(chan struct{})
	c.server.lanes.run("session "+s.id, func() {
		defer close(done)
		reading, err = c.changeWith(r, s, "ctx/session/usage", params)
	})
	<-done
	return reading, err
}

func sentenceOf(err error) string {
	text := err.Error()
	if text == "" {
		return "The count failed."
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
