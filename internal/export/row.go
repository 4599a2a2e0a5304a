// Copyright The ctx-lsp authors. MIT licence.

// Package export writes what is known of each request of a session as a row of a table: for questions about many
// sessions, which no single Reading answers.
package export

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
)

// Schema is the version of the columns. Columns are added within a version, and none changes its meaning.
const Schema = "ctx.request/1"

// A Row is one metered request. A column is null where it is not known.
type Row struct {
	Time         *time.Time `json:"time" parquet:"time,optional,timestamp(millisecond)"`
	Agent        string     `json:"agent" parquet:"agent,dict"`
	AgentVersion string     `json:"agent_version" parquet:"agent_version,dict"`
	Model        string     `json:"model" parquet:"model,dict"`
	Session      string     `json:"session" parquet:"session,dict"` // a keyed hash, unless names were asked for
	Project      string     `json:"project" parquet:"project,dict"` // the same; "" where the folder is not known
	Call         int64      `json:"call" parquet:"call"`            // the number of the request in its session
	Kind         *string    `json:"kind" parquet:"kind,optional,dict"`
	Compacted    bool       `json:"compacted" parquet:"compacted"` // the first request after a compaction

	Window     *int64 `json:"window" parquet:"window,optional"`
	Line       *int64 `json:"line" parquet:"line,optional"` // where the agent compacts
	In         int64  `json:"in" parquet:"in"`              // the whole prompt, cached or not
	Out        *int64 `json:"out" parquet:"out,optional"`
	Reasoning  *int64 `json:"reasoning" parquet:"reasoning,optional"`
	CacheRead  *int64 `json:"cache_read" parquet:"cache_read,optional"`
	CacheWrite *int64 `json:"cache_write" parquet:"cache_write,optional"`

	Predicted *int64 `json:"predicted" parquet:"predicted,optional"` // what this prompt was said to be, before it was measured
	Low       *int64 `json:"low" parquet:"low,optional"`
	High      *int64 `json:"high" parquet:"high,optional"`
	Error     *int64 `json:"error" parquet:"error,optional"` // predicted less in
	Used      int64  `json:"used" parquet:"used"`            // what the next prompt is said to be

	// What fills the window after the request, by kind; the sum is used.
	System       int64 `json:"row_system" parquet:"row_system"`
	Tools        int64 `json:"row_tools" parquet:"row_tools"`
	MCPTools     int64 `json:"row_mcp_tools" parquet:"row_mcp_tools"`
	Skills       int64 `json:"row_skills" parquet:"row_skills"`
	Agents       int64 `json:"row_agents" parquet:"row_agents"`
	Memory       int64 `json:"row_memory" parquet:"row_memory"`
	Documents    int64 `json:"row_documents" parquet:"row_documents"`
	Summary      int64 `json:"row_summary" parquet:"row_summary"`
	User         int64 `json:"row_user" parquet:"row_user"`
	Assistant    int64 `json:"row_assistant" parquet:"row_assistant"`
	ToolCalls    int64 `json:"row_tool_calls" parquet:"row_tool_calls"`
	ToolResults  int64 `json:"row_tool_results" parquet:"row_tool_results"`
	RowReasoning int64 `json:"row_reasoning" parquet:"row_reasoning"`
	Media        int64 `json:"row_media" parquet:"row_media"`
	Messages     int64 `json:"row_messages" parquet:"row_messages"`
	Prefix       int64 `json:"row_prefix" parquet:"row_prefix"` // system prompt and tools that cannot be told apart
	Unattributed int64 `json:"row_unattributed" parquet:"row_unattributed"`

	Servers []Server `json:"servers" parquet:"servers,list"`
}

// A Server is an MCP server and what its tools take.
type Server struct {
	Name   string `json:"name" parquet:"name,dict"`
	Tools  int64  `json:"tools" parquet:"tools"`
	Tokens *int64 `json:"tokens" parquet:"tokens,optional"`
}

// column is where the tokens of a kind are summed.
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

// Names say how sessions and projects are named in the rows.
type Names struct {
	Key   []byte // of the hash
	Plain bool   // as they are
}

// Of is a name as it stands in the rows. Without the key nobody can say which name it was, or try those he knows.
func (n Names) Of(name string) string {
	if name == "" || n.Plain {
		return name
	}
	mac := hmac.New(sha256.New, n.Key)
	mac.Write([]byte(name))
	return hex.EncodeToString(mac.Sum(nil)[:12])
}

// Read reads a session from its beginning, and visits a row for each request that was metered.
func Read(ctx context.Context, s source.Session, call source.Call, names Names, visit func(*Row) error) error {
	feed := source.NewFeed(s, call)
	defer feed.Close(context.WithoutCancel(ctx))
	steps := map[int64]source.Step{}
	feed.OnStep = func(step source.Step) {
		if step.Session == feed.ID {
			steps[step.Call] = step
		}
	}
	compactions := int64(0)
	return source.EachRequest(ctx, feed, func(text []byte) error {
		var r api.Reading
		if err := json.Unmarshal(text, &r); err != nil {
			return err
		}
		if r.LastRequest == nil {
			return nil
		}
		row := rowOf(&r, names)
		row.Compacted, compactions = r.Compactions > compactions, r.Compactions
		if step, ok := steps[row.Call]; ok {
			row.Kind, row.Predicted, row.Low, row.High, row.Error = &step.Kind, &step.Predicted, &step.Low, &step.High, &step.Error
			delete(steps, row.Call)
		}
		return visit(row)
	})
}

func rowOf(r *api.Reading, names Names) *Row {
	row := &Row{
		Agent: r.Agent, AgentVersion: r.AgentVersion, Model: r.Model, Session: names.Of(r.Session), Project: names.Of(r.Workspace),
		Call: r.Spent.Calls, Window: r.Limit, Line: r.Compaction.Line, In: r.LastRequest.In, Out: r.LastRequest.Out,
		Reasoning: r.LastRequest.Reasoning, CacheRead: r.LastRequest.CacheRead, CacheWrite: r.LastRequest.CacheWrite,
		Used: r.Used, Servers: []Server{},
	}
	if r.AsOf != nil {
		at := time.UnixMilli(int64(*r.AsOf)).UTC()
		row.Time = &at
	}
	for _, part := range r.Breakdown {
		if !part.Deferred {
			*row.column(part.Kind) += part.Tokens
		}
	}
	for _, server := range r.MCPServers {
		row.Servers = append(row.Servers, Server{server.Name, server.Tools, server.Tokens})
	}
	return row
}
