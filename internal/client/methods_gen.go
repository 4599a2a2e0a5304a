// Copyright The ctx-lsp authors. MIT licence.

// Code generated from core/api/schema*.go and methods.go by `make generated`. DO NOT EDIT.

package client

import (
	"context"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Open calls ctx/session/open. Opens a session.
func (c Call) Open(ctx context.Context, p *api.OpenParams) Answer[api.Reading] {
	return query[api.Reading](ctx, c, "ctx/session/open", func(w *writer) { w.writeOpenParams(p) })
}

// Update calls ctx/session/update. Changes a session: its model, its fixed context, its items.
func (c Call) Update(ctx context.Context, p *api.UpdateParams) Answer[api.Reading] {
	return query[api.Reading](ctx, c, "ctx/session/update", func(w *writer) { w.writeUpdateParams(p) })
}

// Messages calls ctx/session/messages. Passes all messages of the conversation, as the host holds them.
func (c Call) Messages(ctx context.Context, p *api.MessagesParams) Answer[api.Reading] {
	return query[api.Reading](ctx, c, "ctx/session/messages", func(w *writer) { w.writeMessagesParams(p) })
}

// Usage calls ctx/session/usage. Passes the usage that a provider reported.
func (c Call) Usage(ctx context.Context, p *api.UsageParams) Answer[api.Reading] {
	return query[api.Reading](ctx, c, "ctx/session/usage", func(w *writer) { w.writeUsageParams(p) })
}

// Error calls ctx/session/error. Passes a provider's error.
func (c Call) Error(ctx context.Context, p *api.ErrorParams) Answer[api.Reading] {
	return query[api.Reading](ctx, c, "ctx/session/error", func(w *writer) { w.writeErrorParams(p) })
}

// Compacted calls ctx/session/compacted. Reports that the conversation was compacted.
func (c Call) Compacted(ctx context.Context, p *api.CompactedParams) Answer[api.Reading] {
	return query[api.Reading](ctx, c, "ctx/session/compacted", func(w *writer) { w.writeCompactedParams(p) })
}

// Records calls ctx/session/records. Passes records of an agent's transcript. Every engine reads every agent that keeps
// its sessions as text.
func (c Call) Records(ctx context.Context, p *api.RecordsParams) Answer[api.RecordsAnswer] {
	return query[api.RecordsAnswer](ctx, c, "ctx/session/records", func(w *writer) { w.writeRecordsParams(p) })
}

// Reading calls ctx/session/reading. Returns the current Reading.
func (c Call) Reading(ctx context.Context, p *api.ReadingParams) Answer[api.Reading] {
	return query[api.Reading](ctx, c, "ctx/session/reading", func(w *writer) { w.writeReadingParams(p) })
}

// Close calls ctx/session/close. Closes a session and its children.
func (c Call) Close(ctx context.Context, p *api.SessionParams) Answer[api.Nothing] {
	return query[api.Nothing](ctx, c, "ctx/session/close", func(w *writer) { w.writeSessionParams(p) })
}

// Sessions calls ctx/sessions. Lists the sessions in short.
func (c Call) Sessions(ctx context.Context, p *api.SessionsParams) Answer[api.SessionsAnswer] {
	return query[api.SessionsAnswer](ctx, c, "ctx/sessions", func(w *writer) { w.writeSessionsParams(p) })
}

// History calls ctx/session/history. Returns the history of a session.
func (c Call) History(ctx context.Context, p *api.HistoryParams) Answer[api.HistoryAnswer] {
	return query[api.HistoryAnswer](ctx, c, "ctx/session/history", func(w *writer) { w.writeHistoryParams(p) })
}

// Items calls ctx/session/items. Lists the largest items of a session.
func (c Call) Items(ctx context.Context, p *api.ItemsParams) Answer[api.ItemsAnswer] {
	return query[api.ItemsAnswer](ctx, c, "ctx/session/items", func(w *writer) { w.writeItemsParams(p) })
}

// Fits calls ctx/session/fits. Reports whether more text would fit into the next request of a session.
func (c Call) Fits(ctx context.Context, p *api.FitsParams) Answer[api.FitsAnswer] {
	return query[api.FitsAnswer](ctx, c, "ctx/session/fits", func(w *writer) { w.writeFitsParams(p) })
}

// Save calls ctx/session/save. Returns a ledger that restores the session after a restart.
func (c Call) Save(ctx context.Context, p *api.SessionParams) Answer[api.SaveAnswer] {
	return query[api.SaveAnswer](ctx, c, "ctx/session/save", func(w *writer) { w.writeSessionParams(p) })
}

// Restore calls ctx/session/restore. Opens a session again from its ledger.
func (c Call) Restore(ctx context.Context, p *api.RestoreParams) Answer[api.Reading] {
	return query[api.Reading](ctx, c, "ctx/session/restore", func(w *writer) { w.writeRestoreParams(p) })
}

// DocumentOpen calls ctx/document/open. Opens a prompt file.
func (c Call) DocumentOpen(ctx context.Context, p *api.DocumentOpenParams) Answer[api.DocumentView] {
	return query[api.DocumentView](ctx, c, "ctx/document/open", func(w *writer) { w.writeDocumentOpenParams(p) })
}

// DocumentChange calls ctx/document/change. Changes the text of a prompt file.
func (c Call) DocumentChange(ctx context.Context, p *api.DocumentChangeParams) Answer[api.DocumentView] {
	return query[api.DocumentView](ctx, c, "ctx/document/change", func(w *writer) { w.writeDocumentChangeParams(p) })
}

// DocumentView calls ctx/document/view. Returns the current view of a prompt file.
func (c Call) DocumentView(ctx context.Context, p *api.DocumentViewParams) Answer[api.DocumentView] {
	return query[api.DocumentView](ctx, c, "ctx/document/view", func(w *writer) { w.writeDocumentViewParams(p) })
}

// DocumentClose calls ctx/document/close. Closes a prompt file.
func (c Call) DocumentClose(ctx context.Context, p *api.DocumentParams) Answer[api.Nothing] {
	return query[api.Nothing](ctx, c, "ctx/document/close", func(w *writer) { w.writeDocumentParams(p) })
}

// Count calls ctx/count. Counts texts without a session.
func (c Call) Count(ctx context.Context, p *api.CountParams) Answer[api.CountAnswer] {
	return query[api.CountAnswer](ctx, c, "ctx/count", func(w *writer) { w.writeCountParams(p) })
}

// LearnedGet calls ctx/learned/get. Returns the learned corrections.
func (c Call) LearnedGet(ctx context.Context, p *api.NoParams) Answer[api.LearnedAnswer] {
	return query[api.LearnedAnswer](ctx, c, "ctx/learned/get", func(w *writer) { w.writeNoParams(p) })
}

// LearnedSet calls ctx/learned/set. Replaces the learned corrections.
func (c Call) LearnedSet(ctx context.Context, p *api.LearnedParams) Answer[api.Nothing] {
	return query[api.Nothing](ctx, c, "ctx/learned/set", func(w *writer) { w.writeLearnedParams(p) })
}

func (w *writer) writeOpenParams(p *api.OpenParams) {
	w.BeginObject()
	if p.ID != "" {
		w.Key("id")
		w.text(string(p.ID))
	}
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Agent != "" {
		w.Key("agent")
		w.text(string(p.Agent))
	}
	if p.AgentVersion != "" {
		w.Key("agentVersion")
		w.text(string(p.AgentVersion))
	}
	if p.Model != "" {
		w.Key("model")
		w.text(string(p.Model))
	}
	if p.Provider != "" {
		w.Key("provider")
		w.text(string(p.Provider))
	}
	if p.Route != "" {
		w.Key("route")
		w.text(string(p.Route))
	}
	if p.Workspace != "" {
		w.Key("workspace")
		w.text(string(p.Workspace))
	}
	if p.Checkout != "" {
		w.Key("checkout")
		w.text(string(p.Checkout))
	}
	if p.Mode != "" {
		w.Key("mode")
		w.text(string(p.Mode))
	}
	if p.Limits != nil {
		w.Key("limits")
		w.writeLimits(p.Limits)
	}
	if p.Reserve != nil {
		w.Key("reserve")
		w.Int(int64(*p.Reserve))
	}
	if p.Rule != nil {
		w.Key("rule")
		w.any(p.Rule)
	}
	if p.Reasoning != "" {
		w.Key("reasoning")
		w.text(string(p.Reasoning))
	}
	if p.Parent != "" {
		w.Key("parent")
		w.text(string(p.Parent))
	}
	if p.Label != "" {
		w.Key("label")
		w.text(string(p.Label))
	}
	if p.Title != "" {
		w.Key("title")
		w.text(string(p.Title))
	}
	if p.Branch != "" {
		w.Key("branch")
		w.text(string(p.Branch))
	}
	if len(p.Settings) > 0 {
		w.Key("settings")
		w.texts(p.Settings)
	}
	if p.Complete {
		w.Key("complete")
		w.Bool(p.Complete)
	}
	if p.Tail {
		w.Key("tail")
		w.Bool(p.Tail)
	}
	if p.HidePaths {
		w.Key("hidePaths")
		w.Bool(p.HidePaths)
	}
	if p.HeldBy != nil {
		w.Key("heldBy")
		w.Int(int64(*p.HeldBy))
	}
	if p.SetAside {
		w.Key("setAside")
		w.Bool(p.SetAside)
	}
	if p.At != nil {
		w.Key("at")
		w.Int(int64(*p.At))
	}
	if p.Panel {
		w.Key("panel")
		w.Bool(p.Panel)
	}
	if p.Rows != nil {
		w.Key("rows")
		w.BeginArray()
		for i := range p.Rows {
			w.writeHostRow(&p.Rows[i])
		}
		w.EndArray()
	}
	if p.Strict {
		w.Key("strict")
		w.Bool(p.Strict)
	}
	if p.Key != "" {
		w.Key("key")
		w.text(string(p.Key))
	}
	w.EndObject()
}

func (w *writer) writeUpdateParams(p *api.UpdateParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Model != "" {
		w.Key("model")
		w.text(string(p.Model))
	}
	if p.Provider != "" {
		w.Key("provider")
		w.text(string(p.Provider))
	}
	if p.Route != "" {
		w.Key("route")
		w.text(string(p.Route))
	}
	if p.Strict {
		w.Key("strict")
		w.Bool(p.Strict)
	}
	if p.Mode != "" {
		w.Key("mode")
		w.text(string(p.Mode))
	}
	if p.Limits != nil {
		w.Key("limits")
		w.writeLimits(p.Limits)
	}
	if p.AgentLimits != nil {
		w.Key("agentLimits")
		w.writeLimits(p.AgentLimits)
	}
	if p.Reserve != nil {
		w.Key("reserve")
		w.Int(int64(*p.Reserve))
	}
	if p.Rule != nil {
		w.Key("rule")
		w.any(p.Rule)
	}
	if p.System != nil {
		w.Key("system")
		w.any(p.System)
	}
	if p.Tools != nil {
		w.Key("tools")
		w.any(p.Tools)
	}
	if p.MCPTools != nil {
		w.Key("mcpTools")
		w.any(p.MCPTools)
	}
	if p.Skills != nil {
		w.Key("skills")
		w.any(p.Skills)
	}
	if p.Agents != nil {
		w.Key("agents")
		w.any(p.Agents)
	}
	if p.Memory != nil {
		w.Key("memory")
		w.any(p.Memory)
	}
	if p.Documents != nil {
		w.Key("documents")
		w.any(p.Documents)
	}
	w.optional("loaded", func() { w.writeLoaded(&p.Loaded) })
	if p.Append != nil {
		w.Key("append")
		w.BeginArray()
		for i := range p.Append {
			w.any(p.Append[i])
		}
		w.EndArray()
	}
	if p.Replace != nil {
		w.Key("replace")
		w.BeginArray()
		for i := range p.Replace {
			w.writeReplacement(&p.Replace[i])
		}
		w.EndArray()
	}
	if p.RemoveFrom != nil {
		w.Key("removeFrom")
		w.Int(int64(*p.RemoveFrom))
	}
	if p.RemoveFirst != nil {
		w.Key("removeFirst")
		w.Int(int64(*p.RemoveFirst))
	}
	if p.Turn != "" {
		w.Key("turn")
		w.text(string(p.Turn))
	}
	if p.Draft != nil {
		w.Key("draft")
		w.any(p.Draft)
	}
	if p.Complete != nil {
		w.Key("complete")
		w.Bool(*p.Complete)
	}
	if p.Title != nil {
		w.Key("title")
		w.text(string(*p.Title))
	}
	if p.Branch != nil {
		w.Key("branch")
		w.text(string(*p.Branch))
	}
	if p.Activity != nil {
		w.Key("activity")
		w.text(string(*p.Activity))
	}
	if p.WaitingFor != "" {
		w.Key("waitingFor")
		w.text(string(p.WaitingFor))
	}
	if p.Since != nil {
		w.Key("since")
		w.Int(int64(*p.Since))
	}
	if p.At != nil {
		w.Key("at")
		w.Int(int64(*p.At))
	}
	if p.UnreadAt != nil {
		w.Key("unreadAt")
		w.Int(int64(*p.UnreadAt))
	}
	if p.UnreadBy != "" {
		w.Key("unreadBy")
		w.text(string(p.UnreadBy))
	}
	if p.Behind != nil {
		w.Key("behind")
		w.Bool(*p.Behind)
	}
	if p.Reported != nil {
		w.Key("reported")
		w.Int(int64(*p.Reported))
	}
	if p.ReportedAt != nil {
		w.Key("reportedAt")
		w.Int(int64(*p.ReportedAt))
	}
	if p.Rows != nil {
		w.Key("rows")
		w.BeginArray()
		for i := range p.Rows {
			w.writeHostRow(&p.Rows[i])
		}
		w.EndArray()
	}
	w.EndObject()
}

func (w *writer) writeMessagesParams(p *api.MessagesParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	w.Key("messages")
	w.BeginArray()
	for i := range p.Messages {
		w.any(p.Messages[i])
	}
	w.EndArray()
	if p.Compacted != nil {
		w.Key("compacted")
		w.Bool(*p.Compacted)
	}
	if p.At != nil {
		w.Key("at")
		w.Int(int64(*p.At))
	}
	w.EndObject()
}

func (w *writer) writeUsageParams(p *api.UsageParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Request != "" {
		w.Key("request")
		w.text(string(p.Request))
	}
	if p.Provider != "" {
		w.Key("provider")
		w.text(string(p.Provider))
	}
	w.Key("usage")
	w.any(p.Usage)
	if p.Through != nil {
		w.Key("through")
		w.Int(int64(*p.Through))
	}
	if p.Final != nil {
		w.Key("final")
		w.Bool(*p.Final)
	}
	if p.Counted {
		w.Key("counted")
		w.Bool(p.Counted)
	}
	if p.Reported {
		w.Key("reported")
		w.Bool(p.Reported)
	}
	if p.At != nil {
		w.Key("at")
		w.Int(int64(*p.At))
	}
	w.EndObject()
}

func (w *writer) writeErrorParams(p *api.ErrorParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Provider != "" {
		w.Key("provider")
		w.text(string(p.Provider))
	}
	w.Key("error")
	w.any(p.Error)
	if p.Status != nil {
		w.Key("status")
		w.Int(int64(*p.Status))
	}
	if p.Reported {
		w.Key("reported")
		w.Bool(p.Reported)
	}
	if p.At != nil {
		w.Key("at")
		w.Int(int64(*p.At))
	}
	w.EndObject()
}

func (w *writer) writeCompactedParams(p *api.CompactedParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Trigger != "" {
		w.Key("trigger")
		w.text(string(p.Trigger))
	}
	if p.Summary != nil {
		w.Key("summary")
		w.any(p.Summary)
	}
	if p.Kept != nil {
		w.Key("kept")
		w.Int(int64(*p.Kept))
	}
	if p.Tokens != nil {
		w.Key("tokens")
		w.Int(int64(*p.Tokens))
	}
	if p.Before != nil {
		w.Key("before")
		w.Int(int64(*p.Before))
	}
	if p.At != nil {
		w.Key("at")
		w.Int(int64(*p.At))
	}
	w.EndObject()
}

func (w *writer) writeRecordsParams(p *api.RecordsParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Agent != "" {
		w.Key("agent")
		w.text(string(p.Agent))
	}
	w.Key("records")
	w.BeginArray()
	for i := range p.Records {
		w.any(p.Records[i])
	}
	w.EndArray()
	if p.Line != nil {
		w.Key("line")
		w.Int(int64(*p.Line))
	}
	if p.Open != nil {
		w.Key("open")
		w.any(p.Open)
	}
	if p.Steps {
		w.Key("steps")
		w.Bool(p.Steps)
	}
	if p.Inferred {
		w.Key("inferred")
		w.Bool(p.Inferred)
	}
	if p.Reading != nil {
		w.Key("reading")
		w.Bool(*p.Reading)
	}
	if p.Wanted {
		w.Key("wanted")
		w.Bool(p.Wanted)
	}
	if p.At != nil {
		w.Key("at")
		w.Int(int64(*p.At))
	}
	w.EndObject()
}

func (w *writer) writeReadingParams(p *api.ReadingParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Mode != "" {
		w.Key("mode")
		w.text(string(p.Mode))
	}
	if p.Panel {
		w.Key("panel")
		w.Bool(p.Panel)
	}
	if p.Rows != nil {
		w.Key("rows")
		w.BeginArray()
		for i := range p.Rows {
			w.writeHostRow(&p.Rows[i])
		}
		w.EndArray()
	}
	w.EndObject()
}

func (w *writer) writeSessionParams(p *api.SessionParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	w.EndObject()
}

func (w *writer) writeSessionsParams(p *api.SessionsParams) {
	w.BeginObject()
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Mode != "" {
		w.Key("mode")
		w.text(string(p.Mode))
	}
	w.EndObject()
}

func (w *writer) writeHistoryParams(p *api.HistoryParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Points != nil {
		w.Key("points")
		w.Int(int64(*p.Points))
	}
	w.EndObject()
}

func (w *writer) writeItemsParams(p *api.ItemsParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Top != nil {
		w.Key("top")
		w.Int(int64(*p.Top))
	}
	w.EndObject()
}

func (w *writer) writeFitsParams(p *api.FitsParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	w.Key("parts")
	w.any(p.Parts)
	if p.Phrases != nil {
		w.Key("phrases")
		w.Bool(*p.Phrases)
	}
	w.EndObject()
}

func (w *writer) writeRestoreParams(p *api.RestoreParams) {
	w.BeginObject()
	w.Key("ledger")
	w.any(p.Ledger)
	if p.ID != "" {
		w.Key("id")
		w.text(string(p.ID))
	}
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Parent != "" {
		w.Key("parent")
		w.text(string(p.Parent))
	}
	if p.Key != "" {
		w.Key("key")
		w.text(string(p.Key))
	}
	if p.Older {
		w.Key("older")
		w.Bool(p.Older)
	}
	w.EndObject()
}

func (w *writer) writeDocumentOpenParams(p *api.DocumentOpenParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Set != "" {
		w.Key("set")
		w.text(string(p.Set))
	}
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Path != "" {
		w.Key("path")
		w.text(string(p.Path))
	}
	w.Key("text")
	w.text(string(p.Text))
	if p.Model != "" {
		w.Key("model")
		w.text(string(p.Model))
	}
	if p.Provider != "" {
		w.Key("provider")
		w.text(string(p.Provider))
	}
	if p.Limit != nil {
		w.Key("limit")
		w.Int(int64(*p.Limit))
	}
	if p.Agent != "" {
		w.Key("agent")
		w.text(string(p.Agent))
	}
	if p.Show != nil {
		w.Key("show")
		w.writeShowOptions(p.Show)
	}
	w.EndObject()
}

func (w *writer) writeDocumentChangeParams(p *api.DocumentChangeParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Set != "" {
		w.Key("set")
		w.text(string(p.Set))
	}
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Version != nil {
		w.Key("version")
		w.Int(int64(*p.Version))
	}
	if p.Changes != nil {
		w.Key("changes")
		w.BeginArray()
		for i := range p.Changes {
			w.writeDocumentChange(&p.Changes[i])
		}
		w.EndArray()
	}
	if p.Imports != nil {
		w.Key("imports")
		w.BeginArray()
		for i := range p.Imports {
			w.writeImportTarget(&p.Imports[i])
		}
		w.EndArray()
	}
	if p.Model != nil {
		w.Key("model")
		w.text(string(*p.Model))
	}
	if p.Provider != "" {
		w.Key("provider")
		w.text(string(p.Provider))
	}
	if p.Limit != nil {
		w.Key("limit")
		w.Int(int64(*p.Limit))
	}
	if p.Show != nil {
		w.Key("show")
		w.writeShowOptions(p.Show)
	}
	w.EndObject()
}

func (w *writer) writeDocumentViewParams(p *api.DocumentViewParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Set != "" {
		w.Key("set")
		w.text(string(p.Set))
	}
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	if p.Show != nil {
		w.Key("show")
		w.writeShowOptions(p.Show)
	}
	w.EndObject()
}

func (w *writer) writeDocumentParams(p *api.DocumentParams) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Set != "" {
		w.Key("set")
		w.text(string(p.Set))
	}
	if p.Scope != "" {
		w.Key("scope")
		w.text(string(p.Scope))
	}
	w.EndObject()
}

func (w *writer) writeCountParams(p *api.CountParams) {
	w.BeginObject()
	if p.Text != nil {
		w.Key("text")
		w.text(string(*p.Text))
	}
	if p.Texts != nil {
		w.Key("texts")
		w.BeginArray()
		for i := range p.Texts {
			w.text(string(p.Texts[i]))
		}
		w.EndArray()
	}
	if p.Model != "" {
		w.Key("model")
		w.text(string(p.Model))
	}
	if p.Provider != "" {
		w.Key("provider")
		w.text(string(p.Provider))
	}
	if p.Encoding != "" {
		w.Key("encoding")
		w.text(string(p.Encoding))
	}
	if p.As != "" {
		w.Key("as")
		w.text(string(p.As))
	}
	if p.Boundaries {
		w.Key("boundaries")
		w.Bool(p.Boundaries)
	}
	if p.Strict {
		w.Key("strict")
		w.Bool(p.Strict)
	}
	if p.Exact != nil {
		w.Key("exact")
		w.writeExactCount(p.Exact)
	}
	w.EndObject()
}

func (w *writer) writeNoParams(_ *api.NoParams) {
	w.BeginObject()
	w.EndObject()
}

func (w *writer) writeLearnedParams(p *api.LearnedParams) {
	w.BeginObject()
	w.Key("learned")
	w.any(p.Learned)
	w.EndObject()
}

func (w *writer) writeItem(p *api.Item) {
	w.BeginObject()
	w.Key("kind")
	w.text(string(p.Kind))
	if p.Text != "" {
		w.Key("text")
		w.text(string(p.Text))
	}
	if p.Tokens != nil {
		w.Key("tokens")
		w.Int(int64(*p.Tokens))
	}
	if p.Label != "" {
		w.Key("label")
		w.text(string(p.Label))
	}
	if p.Name != "" {
		w.Key("name")
		w.text(string(p.Name))
	}
	if p.What != "" {
		w.Key("what")
		w.text(string(p.What))
	}
	if p.Subject != "" {
		w.Key("subject")
		w.text(string(p.Subject))
	}
	if p.MediaType != "" {
		w.Key("mediaType")
		w.text(string(p.MediaType))
	}
	if p.Width != nil {
		w.Key("width")
		w.Int(int64(*p.Width))
	}
	if p.Height != nil {
		w.Key("height")
		w.Int(int64(*p.Height))
	}
	if p.Pages != nil {
		w.Key("pages")
		w.Int(int64(*p.Pages))
	}
	if p.Seconds != nil {
		w.Key("seconds")
		w.Int(int64(*p.Seconds))
	}
	if p.Error {
		w.Key("error")
		w.Bool(p.Error)
	}
	if p.Reply != nil {
		w.Key("reply")
		w.Bool(*p.Reply)
	}
	if p.Opaque != nil {
		w.Key("opaque")
		w.Int(int64(*p.Opaque))
	}
	if p.ProviderMetadata != nil {
		w.Key("providerMetadata")
		w.any(p.ProviderMetadata)
	}
	if p.Parameters != nil {
		w.Key("parameters")
		w.Int(int64(*p.Parameters))
	}
	if p.Hidden {
		w.Key("hidden")
		w.Bool(p.Hidden)
	}
	if p.Wrapping != nil {
		w.Key("wrapping")
		w.Int(int64(*p.Wrapping))
	}
	w.EndObject()
}

func (w *writer) writePart(p *api.Part) {
	w.BeginObject()
	if p.Text != "" {
		w.Key("text")
		w.text(string(p.Text))
	}
	if p.Tokens != nil {
		w.Key("tokens")
		w.Int(int64(*p.Tokens))
	}
	if p.Label != "" {
		w.Key("label")
		w.text(string(p.Label))
	}
	if p.Deferred {
		w.Key("deferred")
		w.Bool(p.Deferred)
	}
	if p.Ephemeral {
		w.Key("ephemeral")
		w.Bool(p.Ephemeral)
	}
	w.EndObject()
}

func (w *writer) writeUsage(p *api.Usage) {
	w.BeginObject()
	if p.In != nil {
		w.Key("in")
		w.Int(int64(*p.In))
	}
	if p.Out != nil {
		w.Key("out")
		w.Int(int64(*p.Out))
	}
	if p.Reasoning != nil {
		w.Key("reasoning")
		w.Int(int64(*p.Reasoning))
	}
	if p.CacheRead != nil {
		w.Key("cacheRead")
		w.Int(int64(*p.CacheRead))
	}
	if p.CacheWrite != nil {
		w.Key("cacheWrite")
		w.Int(int64(*p.CacheWrite))
	}
	if p.Window != nil {
		w.Key("window")
		w.Int(int64(*p.Window))
	}
	w.EndObject()
}

func (w *writer) writeLimits(p *api.Limits) {
	w.BeginObject()
	if p.Window != nil {
		w.Key("window")
		w.Int(int64(*p.Window))
	}
	if p.Input != nil {
		w.Key("input")
		w.Int(int64(*p.Input))
	}
	if p.Output != nil {
		w.Key("output")
		w.Int(int64(*p.Output))
	}
	if p.Withheld {
		w.Key("withheld")
		w.Bool(p.Withheld)
	}
	w.EndObject()
}

func (w *writer) writeHostRow(p *api.HostRow) {
	w.BeginObject()
	w.Key("id")
	w.text(string(p.ID))
	if p.Section != "" {
		w.Key("section")
		w.text(string(p.Section))
	}
	if p.Label != nil {
		w.Key("label")
		w.any(p.Label)
	}
	if p.Value != nil {
		w.Key("value")
		w.any(p.Value)
	}
	if p.Note != nil {
		w.Key("note")
		w.any(p.Note)
	}
	if p.Tone != "" {
		w.Key("tone")
		w.text(string(p.Tone))
	}
	if p.Session != "" {
		w.Key("session")
		w.text(string(p.Session))
	}
	if p.Place != nil {
		w.Key("place")
		w.Int(int64(*p.Place))
	}
	if p.Action != "" {
		w.Key("action")
		w.text(string(p.Action))
	}
	w.EndObject()
}

func (w *writer) writeLoaded(p *api.Loaded) {
	w.BeginObject()
	if p.Memory != nil {
		w.Key("memory")
		w.any(p.Memory)
	}
	if p.Skills != nil {
		w.Key("skills")
		w.any(p.Skills)
	}
	if p.Agents != nil {
		w.Key("agents")
		w.any(p.Agents)
	}
	if p.Servers != nil {
		w.Key("servers")
		w.BeginArray()
		for i := range p.Servers {
			w.text(string(p.Servers[i]))
		}
		w.EndArray()
	}
	if p.ServersChanged != nil {
		w.Key("serversChanged")
		w.Int(int64(*p.ServersChanged))
	}
	if p.MemoryChanged != nil {
		w.Key("memoryChanged")
		w.Int(int64(*p.MemoryChanged))
	}
	if p.Unknown != nil {
		w.Key("unknown")
		w.BeginArray()
		for i := range p.Unknown {
			w.any(p.Unknown[i])
		}
		w.EndArray()
	}
	w.EndObject()
}

func (w *writer) writeReplacement(p *api.Replacement) {
	w.BeginObject()
	w.Key("index")
	w.Int(int64(p.Index))
	w.Key("item")
	w.writeItem(&p.Item)
	if p.Reason != "" {
		w.Key("reason")
		w.text(string(p.Reason))
	}
	w.EndObject()
}

func (w *writer) writeShowOptions(p *api.ShowOptions) {
	w.BeginObject()
	if p.View != nil {
		w.Key("view")
		w.Bool(*p.View)
	}
	if p.Sections != nil {
		w.Key("sections")
		w.Bool(*p.Sections)
	}
	if p.From != nil {
		w.Key("from")
		w.Int(int64(*p.From))
	}
	if p.To != nil {
		w.Key("to")
		w.Int(int64(*p.To))
	}
	if p.Findings != nil {
		w.Key("findings")
		w.Bool(*p.Findings)
	}
	if p.Budget != nil {
		w.Key("budget")
		w.writeDocumentBudget(p.Budget)
	}
	if p.With != nil {
		w.Key("with")
		w.BeginArray()
		for i := range p.With {
			w.text(string(p.With[i]))
		}
		w.EndArray()
	}
	if p.Draw != nil {
		w.Key("draw")
		w.BeginArray()
		for i := range p.Draw {
			w.text(string(p.Draw[i]))
		}
		w.EndArray()
	}
	if p.Units != "" {
		w.Key("units")
		w.text(string(p.Units))
	}
	if p.Plain != nil {
		w.Key("plain")
		w.Bool(*p.Plain)
	}
	if p.Phrases != nil {
		w.Key("phrases")
		w.Bool(*p.Phrases)
	}
	w.EndObject()
}

func (w *writer) writeDocumentChange(p *api.DocumentChange) {
	w.BeginObject()
	if p.From != nil {
		w.Key("from")
		w.Int(int64(*p.From))
	}
	if p.To != nil {
		w.Key("to")
		w.Int(int64(*p.To))
	}
	w.Key("text")
	w.text(string(p.Text))
	w.EndObject()
}

func (w *writer) writeImportTarget(p *api.ImportTarget) {
	w.BeginObject()
	w.Key("target")
	w.text(string(p.Target))
	if p.ID != "" {
		w.Key("id")
		w.text(string(p.ID))
	}
	if p.Problem != "" {
		w.Key("problem")
		w.text(string(p.Problem))
	}
	w.EndObject()
}

func (w *writer) writeExactCount(p *api.ExactCount) {
	w.BeginObject()
	w.Key("api")
	w.text(string(p.API))
	if p.Model != "" {
		w.Key("model")
		w.text(string(p.Model))
	}
	w.Key("request")
	w.any(p.Request)
	if p.BaseURL != "" {
		w.Key("baseUrl")
		w.text(string(p.BaseURL))
	}
	if p.Session != "" {
		w.Key("session")
		w.text(string(p.Session))
	}
	if p.Through != nil {
		w.Key("through")
		w.Int(int64(*p.Through))
	}
	w.EndObject()
}

func (w *writer) writeDocumentBudget(p *api.DocumentBudget) {
	w.BeginObject()
	if p.Always != nil {
		w.Key("always")
		w.Int(int64(*p.Always))
	}
	if p.Loaded != nil {
		w.Key("loaded")
		w.Int(int64(*p.Loaded))
	}
	w.EndObject()
}
