// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/countapi"
)

// A CountAPI has a provider count the tokens of a request. Nothing else in this package uses a network, and only
// clients can trigger it.
type CountAPI func(ctx context.Context, request countapi.Request) (countapi.Result, error)

// count answers ctx/count: the engine counts, or with "exact" the provider.
func (c *connection) count(r *request) ([]byte, *api.Error) {
	exact := r.fields.Get("exact")
	if exact == nil || string(exact) == "null" {
		return c.forward(r)
	}
	if c.server.options.CountAPI == nil {
		return nil, &api.Error{Kind: api.RequestFailed, Message: "This daemon sends no requests to providers."}
	}
	if len(r.fields) > 1 {
		return nil, api.Invalid("exact", "cannot be used with other parameters.")
	}
	var asked struct {
		countapi.Request
		Session string `json:"session"`
		Through *int64 `json:"through"`
	}
	if err := json.Unmarshal(exact, &asked); err != nil {
		return nil, unfit("exact", err)
	}
	if asked.BaseURL != "" && !ownServer(asked.API, asked.BaseURL) {
		return nil, api.Invalid("exact.baseUrl", "must be the address of a vllm, llama.cpp or ollama server on this machine, such as http://127.0.0.1:8000, without a path; other addresses come from the daemon's environment.")
	}
	var s *session
	if asked.Session != "" {
		if s = c.find(asked.Session); s == nil {
			return nil, api.NoSession(asked.Session)
		}
	}
	asked.Keyless = asked.BaseURL != ""
	counted, err := c.server.options.CountAPI(r.ctx, asked.Request)
	if err != nil {
		if r.ctx.Err() != nil {
			return nil, cancelled()
		}
		return nil, &api.Error{Kind: api.RequestFailed, Message: "The provider did not count the request: " + err.Error() + "."}
	}
	answered := struct {
		countapi.Result
		Reading json.RawMessage `json:"reading,omitempty"`
	}{Result: counted}
	if s != nil && counted.Basis == "measured" {
		reading, fault := c.calibrate(r, s, counted, asked.Through)
		if fault != nil {
			return nil, fault
		}
		answered.Reading = reading
	}
	return answer(answered)
}

// ownServer reports whether a client may use this address: a model server on this machine, without a path, so that
// nothing else there can be reached. Settings of a workspace must not be able to send a key anywhere.
func ownServer(api, address string) bool {
	switch model.Provider(api) {
	case "vllm", "llama.cpp", "ollama":
	default:
		return false
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Path != "" && u.Path != "/" || strings.ContainsAny(address, "?#") {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// calibrate reports the measured size of the next prompt to a session. It makes the call in the session's lane, to keep
// the order of the session's changes.
func (c *connection) calibrate(r *request, s *session, counted countapi.Result, through *int64) ([]byte, *api.Error) {
	usage := api.Usage{In: &counted.Tokens}
	if counted.Window > 0 {
		usage.Window = &counted.Window
	}
	body, fault := answer(usage)
	if fault != nil {
		return nil, fault
	}
	now := api.Time(c.server.options.Now().UnixMilli())
	params := &api.UsageParams{ID: s.id, Scope: s.scope, Provider: "ctx", Usage: json.RawMessage(body), Counted: true, Through: through, At: &now}
	type outcome struct {
		reading []byte
		fault   *api.Error
	}
	done := make(chan outcome)
	c.server.lanes.Run("session "+s.id, c.number, func() {
		reading, fault := changedBy(c, r, s, "ctx/session/usage", client.Call(c.server.callRaw).Usage(r.ctx, params))
		done <- outcome{reading, fault}
	})
	o := <-done
	return o.reading, o.fault
}
