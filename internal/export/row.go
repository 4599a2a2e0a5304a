// Copyright The ctx-lsp authors. MIT licence.

// Package export writes the data of each request of a session as a row of a table, for questions about many sessions
// that no single Reading answers.
package export

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/redact"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Schema is the version of the columns. Within a version columns are added, but none changes its meaning.
const Schema = "ctx.request/2"

// A Row is one measured request. A column is null if it is unknown.
type Row struct {
	Time         *time.Time `json:"time"`
	Agent        string     `json:"agent"`
	AgentVersion string     `json:"agent_version"`
	Model        string     `json:"model"`
	Session      string     `json:"session"` // a keyed hash, unless names were asked for
	Project      string     `json:"project"` // also a hash; "" if the directory is unknown
	Call         int64      `json:"call"`    // the number of the request in its session
	Kind         *string    `json:"kind"`
	Compacted    bool       `json:"compacted"` // the first request after a compaction

	Window     *int64 `json:"window"`
	Threshold  *int64 `json:"threshold"` // compaction threshold
	In         int64  `json:"in"`        // the whole prompt, cached or not
	Out        *int64 `json:"out"`
	Reasoning  *int64 `json:"reasoning"`
	CacheRead  *int64 `json:"cache_read"`
	CacheWrite *int64 `json:"cache_write"`
	// A break of the prompt cache: why, and the tokens written to it again; null without one.
	CacheBreak     *string `json:"cache_break"`
	CacheRewritten *int64  `json:"cache_rewritten"`
	// Output of tools that was still in the window when it came again: the tokens that are new in this prompt, and all in
	// it.
	ReadAgain        *int64 `json:"read_again"`
	ReadAgainCarried *int64 `json:"read_again_carried"`

	Predicted *int64 `json:"predicted"` // the predicted size of this prompt, before it was measured
	Low       *int64 `json:"low"`
	High      *int64 `json:"high"`
	Error     *int64 `json:"error"` // predicted minus in
	Used      int64  `json:"used"`  // the predicted size of the next prompt

	// The tokens in the window after the request, by kind; their sum is used.
	System       int64 `json:"row_system"`
	Tools        int64 `json:"row_tools"`
	MCPTools     int64 `json:"row_mcp_tools"`
	Skills       int64 `json:"row_skills"`
	Agents       int64 `json:"row_agents"`
	Memory       int64 `json:"row_memory"`
	Documents    int64 `json:"row_documents"`
	Summary      int64 `json:"row_summary"`
	User         int64 `json:"row_user"`
	Assistant    int64 `json:"row_assistant"`
	ToolCalls    int64 `json:"row_tool_calls"`
	ToolResults  int64 `json:"row_tool_results"`
	RowReasoning int64 `json:"row_reasoning"`
	Media        int64 `json:"row_media"`
	Messages     int64 `json:"row_messages"`
	Prefix       int64 `json:"row_prefix"` // system prompt and tools that cannot be distinguished
	Unattributed int64 `json:"row_unattributed"`

	Servers []Server `json:"servers"`

	Request    string     `json:"request"` // a keyed hash that is the same in each copy of a request
	Schema     string     `json:"schema"`
	ExportedAt *time.Time `json:"exported_at"` // when this export started
}

// A Server is an MCP server and the tokens of its tools.
type Server struct {
	Name   string `json:"name"`
	Tools  int64  `json:"tools"`
	Tokens *int64 `json:"tokens"`
}

// column returns the column for the tokens of a kind.
func (r *Row) column(kind api.Kind) *int64 {
	switch kind {
	case "system":
		return &r.System
	case "tools":
		return &r.Tools
	case "mcpTools":
		return &r.MCPTools
	case "skills":
		return &r.Skills
	case "agents":
		return &r.Agents
	case "memory":
		return &r.Memory
	case "documents":
		return &r.Documents
	case "summary":
		return &r.Summary
	case "user":
		return &r.User
	case "assistant":
		return &r.Assistant
	case "toolCalls":
		return &r.ToolCalls
	case "toolResults":
		return &r.ToolResults
	case "reasoning":
		return &r.RowReasoning
	case "media":
		return &r.Media
	case "messages":
		return &r.Messages
	case "prefix":
		return &r.Prefix
	}
	return &r.Unattributed
}

// Names specify how sessions and projects are named in the rows, and which requests are included.
type Names struct {
	Key   []byte // the key of the hash
	Plain bool   // whether names are written as they are
	// Unredacted keeps possible secrets in names from untrusted sources.
	Unredacted bool
	// Since and Until limit the times of requests: Since is inclusive, Until exclusive. If one is set, requests without
	// a time are left out.
	Since, Until time.Time
	// At is when the export started; if zero, rows do not contain it.
	At time.Time
}

// wants reports whether a row is within the time limits.
func (n Names) wants(row *Row) bool {
	if n.Since.IsZero() && n.Until.IsZero() {
		return true
	}
	return row.Time != nil && !row.Time.Before(n.Since) && (n.Until.IsZero() || row.Time.Before(n.Until))
}

// request returns the key of a request. A fork or a resumed session copies the records of earlier requests, with their
// times and usage, so the key is derived from those; the key of a request without a time is derived from its session
// and number. Ids of providers are not used: some agents do not record them, and gateways may use one twice.
func (n Names) request(row *Row, session string) string {
	mac := hmac.New(sha256.New, n.Key)
	if row.Time == nil {
		fmt.Fprintf(mac, "request\x00%s\x00%s\x00%d", row.Agent, session, row.Call)
	} else {
		fmt.Fprintf(mac, "request\x00%s\x00%s\x00%d", row.Agent, row.Model, row.Time.UnixMilli())
	}
	for _, tokens := range []*int64{&row.In, row.Out, row.CacheRead, row.CacheWrite} {
		if tokens == nil {
			mac.Write([]byte("\x00?"))
		} else {
			fmt.Fprintf(mac, "\x00%d", *tokens)
		}
	}
	return hex.EncodeToString(mac.Sum(nil)[:12])
}

// Of returns a name as written in the rows. Without the key, a hash cannot be reversed, and guessed names cannot be
// tested.
func (n Names) Of(name string) string {
	if name == "" || n.Plain {
		return name
	}
	mac := hmac.New(sha256.New, n.Key)
	mac.Write([]byte(name))
	return hex.EncodeToString(mac.Sum(nil)[:12])
}

// Read reads a session from its start, with the window that its agent has reported, and calls visit with a row for each
// measured request.
func Read(ctx context.Context, s transcript.Session, call client.Call, windows follow.Windows, names Names, visit func(*Row) error) error {
	feed := follow.NewFeed(s, call)
	feed.Windows = windows
	defer feed.Close(context.WithoutCancel(ctx))
	steps := map[int64]follow.Step{}
	feed.OnStep = func(step follow.Step) {
		if step.Session == feed.ID {
			steps[step.Call] = step
		}
	}
	compactions := int64(0)
	var doc json.Document
	var part []byte
	named := naming{names: names}
	again := repeated{session: s, call: call}
	return follow.EachRequest(ctx, feed, func(text []byte) error {
		part = appendWanted(part[:0], text)
		r, err := doc.Parse(part)
		if err != nil {
			return err
		}
		row := rowOf(r, &named)
		if row == nil {
			return nil
		}
		row.Request, row.Schema = names.request(row, r.Get("session").String()), Schema
		if !names.At.IsZero() {
			row.ExportedAt = &names.At
		}
		now, _ := r.Path("compaction", "count").Int64()
		row.Compacted, compactions = now > compactions, now
		if step, ok := steps[row.Call]; ok {
			row.Kind, row.Predicted, row.Low, row.High, row.Error = &step.Kind, &step.Predicted, &step.Low, &step.High, &step.Error
			if broke := step.Break; broke != nil {
				row.CacheBreak, row.CacheRewritten = &broke.Cause, &broke.Written
			}
		}
		again.set(ctx, row)
		clear(steps) // steps of earlier calls are no longer needed
		if !names.wants(row) {
			return nil
		}
		return visit(row)
	})
}

// A naming caches the names of the session and project, which are the same in most rows of a session.
type naming struct {
	names          Names
	called, hashed [2]string
	shown          map[string]string // names from untrusted sources, as the rows contain them
}

// text returns a name from an untrusted source without control characters, and without possible secrets unless they are
// wanted.
func (n *naming) text(name string) string {
	shown, known := n.shown[name]
	if !known {
		if n.shown == nil {
			n.shown = map[string]string{}
		}
		shown = (&redact.Redactor{Unredacted: n.names.Unredacted}).Line(name)
		n.shown[name] = shown
	}
	return shown
}

// project returns the name of a project: its hash, or its path without control characters.
func (n *naming) project(path string) string {
	name := n.name(1, path)
	if n.names.Plain {
		return n.text(name)
	}
	return name
}

// Struck returns how many secrets were removed from the row.
func (r *Row) Struck() int {
	n := redact.Count(r.Agent, r.AgentVersion, r.Model, r.Project)
	for _, server := range r.Servers {
		n += redact.Count(server.Name)
	}
	return n
}

func (n *naming) name(which int, name string) string {
	if n.hashed[which] == "" || n.called[which] != name {
		n.called[which], n.hashed[which] = name, n.names.Of(name)
	}
	return n.hashed[which]
}

// wanted are the members of a Reading needed for a row. They are a third of its text, and reading the others would cost
// a fifth of an export.
var wanted = map[string]bool{
	"agent": true, "agentVersion": true, "model": true, "session": true, "workspace": true, "spent": true, "limit": true, "compaction": true,
	"lastRequest": true, "used": true, "asOf": true, "breakdown": true, "mcpServers": true,
}

// appendWanted appends a Reading with only the wanted members.
func appendWanted(dst, reading []byte) []byte {
	dst = append(dst, '{')
	json.Members(reading, func(name, value []byte) {
		if !wanted[string(name)] {
			return
		}
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = append(append(append(append(dst, '"'), name...), '"', ':'), value...)
	})
	return append(dst, '}')
}

// rowOf returns the row of a Reading, nil if no request was measured.
func rowOf(r json.Value, names *naming) *Row {
	last := r.Get("lastRequest")
	if last.IsNull() {
		return nil
	}
	row := &Row{
		Agent: names.text(r.Get("agent").String()), AgentVersion: names.text(r.Get("agentVersion").String()), Model: names.text(r.Get("model").String()),
		Session: terminal.Sentence(names.name(0, r.Get("session").String())), Project: names.project(r.Get("workspace").String()),
		Call: whole(r.Path("spent", "calls")), Window: known(r.Get("limit")), Threshold: known(r.Path("compaction", "threshold")),
		In: whole(last.Get("in")), Out: known(last.Get("out")), Reasoning: known(last.Get("reasoning")),
		CacheRead: known(last.Get("cacheRead")), CacheWrite: known(last.Get("cacheWrite")), Used: whole(r.Get("used")), Servers: []Server{},
	}
	if asOf := known(r.Get("asOf")); asOf != nil {
		at := time.UnixMilli(*asOf).UTC()
		row.Time = &at
	}
	for parts := r.Get("breakdown").Elements(); parts.Next(); {
		if part := parts.Value; !part.Get("deferred").Bool() {
			*row.column(api.Kind(part.Get("kind").String())) += whole(part.Get("tokens"))
		}
	}
	for servers := r.Get("mcpServers").Elements(); servers.Next(); {
		server := servers.Value
		row.Servers = append(row.Servers, Server{names.text(server.Get("name").String()), whole(server.Get("tools")), known(server.Get("tokens"))})
	}
	return row
}

// known returns a number of a Reading, nil if it is null.
func known(v json.Value) *int64 {
	if v.IsNull() {
		return nil
	}
	n, _ := v.Int64() // a Reading has only integers here
	return &n
}

func whole(v json.Value) int64 {
	n, _ := v.Int64()
	return n
}
