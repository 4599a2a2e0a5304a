// Copyright The ctx-lsp authors. MIT licence.

package table

import "time"

// Schema is the version of the columns, the same as in ctx-lsp's internal/export.
const Schema = "ctx.request/2"

// A Row is one measured request, with the columns of ctx-lsp's internal/export. A column is null if it is unknown.
type Row struct {
	Time         *time.Time `json:"time" parquet:"time,optional,timestamp(millisecond)"`
	Agent        string     `json:"agent" parquet:"agent,dict"`
	AgentVersion string     `json:"agent_version" parquet:"agent_version,dict"`
	Model        string     `json:"model" parquet:"model,dict"`
	Session      string     `json:"session" parquet:"session,dict"`
	Project      string     `json:"project" parquet:"project,dict"`
	Call         int64      `json:"call" parquet:"call"`
	Kind         *string    `json:"kind" parquet:"kind,optional,dict"`
	Compacted    bool       `json:"compacted" parquet:"compacted"`

	Window     *int64 `json:"window" parquet:"window,optional"`
	Threshold  *int64 `json:"threshold" parquet:"threshold,optional"`
	In         int64  `json:"in" parquet:"in"`
	Out        *int64 `json:"out" parquet:"out,optional"`
	Reasoning  *int64 `json:"reasoning" parquet:"reasoning,optional"`
	CacheRead  *int64 `json:"cache_read" parquet:"cache_read,optional"`
	CacheWrite *int64 `json:"cache_write" parquet:"cache_write,optional"`

	CacheBreak     *string `json:"cache_break" parquet:"cache_break,optional,dict"`
	CacheRewritten *int64  `json:"cache_rewritten" parquet:"cache_rewritten,optional"`

	ReadAgain        *int64 `json:"read_again" parquet:"read_again,optional"`
	ReadAgainCarried *int64 `json:"read_again_carried" parquet:"read_again_carried,optional"`

	Predicted *int64 `json:"predicted" parquet:"predicted,optional"`
	Low       *int64 `json:"low" parquet:"low,optional"`
	High      *int64 `json:"high" parquet:"high,optional"`
	Error     *int64 `json:"error" parquet:"error,optional"`
	Used      int64  `json:"used" parquet:"used"`

	// The tokens in the window after the request, by kind; their sum is used.
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
	Prefix       int64 `json:"row_prefix" parquet:"row_prefix"`
	Unattributed int64 `json:"row_unattributed" parquet:"row_unattributed"`

	Servers []Server `json:"servers" parquet:"servers,list"`

	Request    string     `json:"request" parquet:"request"`
	Schema     string     `json:"schema" parquet:"schema,dict"`
	ExportedAt *time.Time `json:"exported_at" parquet:"exported_at,optional,timestamp(millisecond)"`
}

// A Server is an MCP server and the tokens of its tools.
type Server struct {
	Name   string `json:"name" parquet:"name,dict"`
	Tools  int64  `json:"tools" parquet:"tools"`
	Tokens *int64 `json:"tokens" parquet:"tokens,optional"`
}
