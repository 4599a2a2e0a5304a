// Copyright The ctx-lsp authors. MIT licence.

// Code generated from core/api/schema*.go and methods.go by `make generated`. DO NOT EDIT.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

var activityWords = []string{"working", "waiting", "idle", "ended"}

var waitingForWords = []string{"approval", "prompt"}

var subjectKindWords = []string{"tool", "file", "command", "url", "mcp", "agent", "skill", "others"}

var modeWords = []string{"hybrid", "provider"}

var reasoningModeWords = []string{"never", "turn", "always"}

var triggerWords = []string{"auto", "manual"}

var turnWords = []string{"start", "end"}

var toneWords = []string{"plain", "strong", "quiet", "ok", "soon", "now", "over"}

var importProblemWords = []string{"missing", "outside", "tooLarge", "unreadable"}

var drawnPartWords = []string{"lenses", "hints", "hovers", "links", "diagnostics", "breakdown"}

var textUnitsWords = []string{"utf-8", "utf-16", "utf-32"}

var hostRowFields = []string{"id", "section", "label", "value", "note", "tone", "session", "place", "action"}

func (c *Core) fillHostRow(v json.Value, to *core.HostRow) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
			err = readString(&f, &to.ID)
		case "section":
			err = readSection(&f, &to.Section)
		case "label":
			err = readSentence(&f, &to.Label)
		case "value":
			err = readSentence(&f, &to.Value)
		case "note":
			err = readSentence(&f, &to.Note)
		case "tone":
			err = readTone(&f, &to.Tone)
		case "session":
			err = readString(&f, &to.PanelRow.Session)
		case "place":
			err = readOptional(&f, &to.Place)
		case "action":
			err = readString(&f, &to.Action)
		default:
			err = unknownField(&f, hostRowFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var limitsFields = []string{"window", "input", "output", "withheld"}

func (c *Core) fillLimits(v json.Value, to *core.Limits) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "window":
			err = readLimit(&f, &to.Window)
		case "input":
			err = readLimit(&f, &to.Input)
		case "output":
			err = readOutput(&f, &to.Output)
		case "withheld":
			err = readWithheld(&f, &to.Window)
		default:
			err = unknownField(&f, limitsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var ruleFields = []string{"percent", "reserve", "target", "threshold"}

func (c *Core) fillRule(v json.Value, to *core.Rule) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "percent":
			err = readRulePercent(&f, to)
		case "reserve":
			err = readRuleReserve(&f, to)
		case "target":
			err = readTokens(&f, &to.Target)
		case "threshold":
			err = readTokens(&f, &to.Threshold)
		default:
			err = unknownField(&f, ruleFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var openParamsFields = []string{"id", "scope", "agent", "agentVersion", "model", "provider", "route", "workspace", "checkout", "mode", "limits", "reserve", "rule", "reasoning", "parent", "label", "title", "branch", "settings", "complete", "tail", "hidePaths", "heldBy", "setAside", "at", "panel", "rows", "strict", "key"}

func (c *Core) fillOpenParams(v json.Value, to *opening) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
			err = readString(&f, &to.ID)
		case "scope":
			err = readString(&f, &to.Scope)
		case "agent":
			err = readAgent(&f, &to.Agent)
		case "agentVersion":
			err = readString(&f, &to.AgentVersion)
		case "model":
			err = readString(&f, &to.Model)
		case "provider":
			err = readString(&f, &to.Provider)
		case "route":
			err = readString(&f, &to.Route)
		case "workspace":
			err = readString(&f, &to.Workspace)
		case "checkout":
			err = readString(&f, &to.Checkout)
		case "mode":
			err = readWord(&f, &to.Mode, modeWords, "mode")
		case "limits":
			err = c.readLimits(&f, &to.Limits)
		case "reserve":
			err = readOptional(&f, &to.Reserve)
		case "rule":
			err = c.readRule(&f, &to.Rule)
		case "reasoning":
			err = readWord(&f, &to.Reasoning, reasoningModeWords, "mode of reasoning")
		case "parent":
			err = readString(&f, &to.Parent)
		case "label":
			err = readString(&f, &to.Label)
		case "title":
			err = readString(&f, &to.Title)
		case "branch":
			err = readString(&f, &to.Branch)
		case "settings":
			err = readSettings(&f, &to.Settings)
		case "complete":
			err = readBool(&f, &to.Complete)
		case "tail":
			err = readBool(&f, &to.Tail)
		case "hidePaths":
			err = readBool(&f, &to.HidePaths)
		case "heldBy":
			err = readOptional(&f, &to.HeldBy)
		case "setAside":
			err = readBool(&f, &to.SetAside)
		case "at":
			err = readTime(&f, &to.At)
		case "panel":
			err = readBool(&f, &to.Panel)
		case "rows":
			err = c.readHostRows(f.Value, &to.Rows)
		case "strict":
			err = readBool(&f, &to.Strict)
		case "key":
			err = readString(&f, &to.Key)
		default:
			err = unknownField(&f, openParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var itemFields = []string{"kind", "text", "tokens", "label", "name", "what", "subject", "mediaType", "width", "height", "pages", "seconds", "error", "reply", "opaque", "providerMetadata", "parameters", "hidden", "wrapping"}

func (c *Core) fillItem(v json.Value, to *core.Item) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "kind":
			err = readItemKind(&f, &to.Kind)
		case "text":
			err = readBody(c, &f, &to.Text)
		case "tokens":
			err = readOptional(&f, &to.Tokens)
		case "label":
			err = readName(&f, &to.Label)
		case "name":
			err = readString(&f, &to.Name)
		case "what":
			err = readSubjectKind(&f, &to.About.What)
		case "subject":
			err = readString(&f, &to.About.Name)
		case "mediaType":
			err = readString(&f, &to.MediaType)
		case "width":
			err = readOptional(&f, &to.Width)
		case "height":
			err = readOptional(&f, &to.Height)
		case "pages":
			err = readOptional(&f, &to.Pages)
		case "seconds":
			err = readOptional(&f, &to.Seconds)
		case "error":
			err = readBool(&f, &to.Error)
		case "reply":
			err = readNot(&f, &to.NotReply)
		case "opaque":
			err = readOptional(&f, &to.Opaque)
		case "providerMetadata":
			err = readMetadata(&f, &to.Opaque)
		case "parameters":
			err = readOptional(&f, &to.Parameters)
		case "hidden":
			err = readBool(&f, &to.Hidden)
		case "wrapping":
			err = readOptional(&f, &to.Wrapping)
		default:
			err = unknownField(&f, itemFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var partFields = []string{"text", "tokens", "label", "deferred", "ephemeral"}

func (c *Core) fillPart(v json.Value, to *core.Part) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "text":
			err = readBody(c, &f, &to.Text)
		case "tokens":
			err = readOptional(&f, &to.Tokens)
		case "label":
			err = readName(&f, &to.Label)
		case "deferred":
			err = readBool(&f, &to.Deferred)
		case "ephemeral":
			err = readBool(&f, &to.Ephemeral)
		default:
			err = unknownField(&f, partFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var replacementFields = []string{"index", "item", "reason"}

// replacement are what is read of Replacement.
type replacement struct {
	Index  json.Fields
	Item   core.Item
	Reason string
}

// unset is before anything is read.
func (to *replacement) unset() {
	*to = replacement{}
}

func (c *Core) fillReplacement(v json.Value, to *replacement) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "index":
			to.Index = f
		case "item":
			err = c.readItem(f.Value, &to.Item).within("item")
		case "reason":
			err = readString(&f, &to.Reason)
		default:
			err = unknownField(&f, replacementFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var updateParamsFields = []string{"id", "scope", "model", "provider", "route", "strict", "mode", "limits", "agentLimits", "reserve", "rule", "system", "tools", "mcpTools", "skills", "agents", "memory", "documents", "loaded", "append", "replace", "removeFrom", "removeFirst", "turn", "draft", "complete", "title", "branch", "activity", "waitingFor", "since", "at", "unreadAt", "unreadBy", "behind", "reported", "reportedAt", "rows"}

// updateParams are what is read of UpdateParams.
type updateParams struct {
	Model       string
	Provider    string
	Route       string
	Strict      bool
	Mode        Mode
	Limits      core.Limits
	AgentLimits core.Limits
	Reserve     int64
	Rule        json.Fields
	System      json.Value
	Tools       json.Value
	MCPTools    json.Value
	Skills      json.Value
	Agents      json.Value
	Memory      json.Value
	Documents   json.Value
	Loaded      json.Fields
	Append      json.Value
	Replace     json.Value
	RemoveFrom  json.Fields
	RemoveFirst json.Fields
	Turn        Turn
	Draft       json.Value
	Complete    json.Fields
	Title       json.Fields
	Branch      json.Fields
	Activity    json.Fields
	WaitingFor  WaitingFor
	Since       int64
	At          int64
	UnreadAt    int64
	UnreadBy    string
	Behind      json.Fields
	Reported    int64
	ReportedAt  int64
	Rows        json.Value
}

// unset is before anything is read.
func (to *updateParams) unset() {
	*to = updateParams{}
	to.Limits = core.NoLimits
	to.AgentLimits = core.NoLimits
	to.Reserve = core.Unknown
	to.Since = core.Unknown
	to.At = core.Unknown
	to.UnreadAt = core.Unknown
	to.Reported = core.Unknown
	to.ReportedAt = core.Unknown
}

func (c *Core) fillUpdateParams(v json.Value, to *updateParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
		case "scope":
		case "model":
			err = readString(&f, &to.Model)
		case "provider":
			err = readString(&f, &to.Provider)
		case "route":
			err = readString(&f, &to.Route)
		case "strict":
			err = readBool(&f, &to.Strict)
		case "mode":
			err = readWord(&f, &to.Mode, modeWords, "mode")
		case "limits":
			err = c.readLimits(&f, &to.Limits)
		case "agentLimits":
			err = c.readLimits(&f, &to.AgentLimits)
		case "reserve":
			err = readOptional(&f, &to.Reserve)
		case "rule":
			to.Rule = f
		case "system":
			to.System = f.Value
		case "tools":
			to.Tools = f.Value
		case "mcpTools":
			to.MCPTools = f.Value
		case "skills":
			to.Skills = f.Value
		case "agents":
			to.Agents = f.Value
		case "memory":
			to.Memory = f.Value
		case "documents":
			to.Documents = f.Value
		case "loaded":
			to.Loaded = f
		case "append":
			to.Append = f.Value
		case "replace":
			to.Replace = f.Value
		case "removeFrom":
			to.RemoveFrom = f
		case "removeFirst":
			to.RemoveFirst = f
		case "turn":
			err = readTurn(&f, &to.Turn)
		case "draft":
			to.Draft = f.Value
		case "complete":
			to.Complete = f
		case "title":
			to.Title = f
		case "branch":
			to.Branch = f
		case "activity":
			to.Activity = f
		case "waitingFor":
			err = readWord(&f, &to.WaitingFor, waitingForWords, "thing to wait for")
		case "since":
			err = readTime(&f, &to.Since)
		case "at":
			err = readTime(&f, &to.At)
		case "unreadAt":
			err = readTime(&f, &to.UnreadAt)
		case "unreadBy":
			err = readString(&f, &to.UnreadBy)
		case "behind":
			to.Behind = f
		case "reported":
			err = readOptional(&f, &to.Reported)
		case "reportedAt":
			err = readTime(&f, &to.ReportedAt)
		case "rows":
			to.Rows = f.Value
		default:
			err = unknownField(&f, updateParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var messagesParamsFields = []string{"id", "scope", "messages", "compacted", "at"}

// messagesParams are what is read of MessagesParams.
type messagesParams struct {
	Messages  json.Value
	Compacted json.Fields
	At        int64
}

// unset is before anything is read.
func (to *messagesParams) unset() {
	*to = messagesParams{}
	to.At = core.Unknown
}

func (c *Core) fillMessagesParams(v json.Value, to *messagesParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
		case "scope":
		case "messages":
			err = readArray(&f, &to.Messages)
		case "compacted":
			to.Compacted = f
		case "at":
			err = readTime(&f, &to.At)
		default:
			err = unknownField(&f, messagesParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var loadedFields = []string{"memory", "skills", "agents", "servers", "serversChanged", "memoryChanged", "unknown"}

// loaded are what is read of Loaded.
type loaded struct {
	Memory         json.Value
	Skills         json.Value
	Agents         json.Value
	Servers        json.Value
	ServersChanged int64
	MemoryChanged  int64
	Unknown        json.Value
}

// unset is before anything is read.
func (to *loaded) unset() {
	*to = loaded{}
	to.ServersChanged = core.Unknown
	to.MemoryChanged = core.Unknown
}

func (c *Core) fillLoaded(v json.Value, to *loaded) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "memory":
			to.Memory = f.Value
		case "skills":
			to.Skills = f.Value
		case "agents":
			to.Agents = f.Value
		case "servers":
			to.Servers = f.Value
		case "serversChanged":
			err = readTime(&f, &to.ServersChanged)
		case "memoryChanged":
			err = readTime(&f, &to.MemoryChanged)
		case "unknown":
			to.Unknown = f.Value
		default:
			err = unknownField(&f, loadedFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var usageParamsFields = []string{"id", "scope", "request", "provider", "usage", "through", "final", "counted", "reported", "at"}

// usageParams are what is read of UsageParams.
type usageParams struct {
	Request  string
	Provider string
	Usage    json.Value
	Through  int64
	Final    bool
	Counted  bool
	Reported bool
	At       int64
}

// unset is before anything is read.
func (to *usageParams) unset() {
	*to = usageParams{}
	to.Through = core.Unknown
	to.Final = true
	to.At = core.Unknown
}

func (c *Core) fillUsageParams(v json.Value, to *usageParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
		case "scope":
		case "request":
			err = readString(&f, &to.Request)
		case "provider":
			err = readString(&f, &to.Provider)
		case "usage":
			to.Usage = f.Value
		case "through":
			err = readOptionalIndex(&f, core.MaxItems, &to.Through)
		case "final":
			err = readBool(&f, &to.Final)
		case "counted":
			err = readBool(&f, &to.Counted)
		case "reported":
			err = readBool(&f, &to.Reported)
		case "at":
			err = readTime(&f, &to.At)
		default:
			err = unknownField(&f, usageParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var usageFields = []string{"in", "out", "reasoning", "cacheRead", "cacheWrite", "window"}

func (c *Core) fillUsage(v json.Value, to *core.Metered) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "in":
			err = readOptional(&f, &to.In)
		case "out":
			err = readOptional(&f, &to.Out)
		case "reasoning":
			err = readOptional(&f, &to.Reasoning)
		case "cacheRead":
			err = readOptional(&f, &to.CacheRead)
		case "cacheWrite":
			err = readOptional(&f, &to.CacheWrite)
		case "window":
			err = readOptional(&f, &to.Window)
		default:
			err = unknownField(&f, usageFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var errorParamsFields = []string{"id", "scope", "provider", "error", "status", "reported", "at"}

// errorParams are what is read of ErrorParams.
type errorParams struct {
	Provider string
	Error    json.Value
	Status   int64
	Reported bool
	At       int64
}

// unset is before anything is read.
func (to *errorParams) unset() {
	*to = errorParams{}
	to.Status = 0
	to.At = core.Unknown
}

func (c *Core) fillErrorParams(v json.Value, to *errorParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
		case "scope":
		case "provider":
			err = readString(&f, &to.Provider)
		case "error":
			to.Error = f.Value
		case "status":
			err = readOptional(&f, &to.Status)
		case "reported":
			err = readBool(&f, &to.Reported)
		case "at":
			err = readTime(&f, &to.At)
		default:
			err = unknownField(&f, errorParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var compactedParamsFields = []string{"id", "scope", "trigger", "summary", "kept", "tokens", "before", "at"}

// compactedParams are what is read of CompactedParams.
type compactedParams struct {
	Trigger Trigger
	Summary json.Value
	Kept    json.Fields
	Tokens  int64
	Before  int64
	At      int64
}

// unset is before anything is read.
func (to *compactedParams) unset() {
	*to = compactedParams{}
	to.Tokens = core.Unknown
	to.Before = core.Unknown
	to.At = core.Unknown
}

func (c *Core) fillCompactedParams(v json.Value, to *compactedParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
		case "scope":
		case "trigger":
			err = readWord(&f, &to.Trigger, triggerWords, "trigger")
		case "summary":
			to.Summary = f.Value
		case "kept":
			to.Kept = f
		case "tokens":
			err = readOptional(&f, &to.Tokens)
		case "before":
			err = readOptional(&f, &to.Before)
		case "at":
			err = readTime(&f, &to.At)
		default:
			err = unknownField(&f, compactedParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var recordsParamsFields = []string{"id", "scope", "agent", "records", "line", "open", "steps", "inferred", "reading", "wanted", "at"}

// recordsParams are what is read of RecordsParams.
type recordsParams struct {
	ID       string
	Scope    string
	Agent    string
	Records  json.Value
	Line     int64
	Open     json.Fields
	Steps    bool
	Inferred bool
	Reading  bool
	Wanted   bool
	At       int64
}

// unset is before anything is read.
func (to *recordsParams) unset() {
	*to = recordsParams{}
	to.Line = 0
	to.Reading = true
	to.At = core.Unknown
}

func (c *Core) fillRecordsParams(v json.Value, to *recordsParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
			err = readString(&f, &to.ID)
		case "scope":
			err = readString(&f, &to.Scope)
		case "agent":
			err = readTranscriptAgent(&f, &to.Agent)
		case "records":
			to.Records = f.Value
		case "line":
			err = readOptional(&f, &to.Line)
		case "open":
			to.Open = f
		case "steps":
			err = readBool(&f, &to.Steps)
		case "inferred":
			err = readBool(&f, &to.Inferred)
		case "reading":
			err = readBool(&f, &to.Reading)
		case "wanted":
			err = readBool(&f, &to.Wanted)
		case "at":
			err = readTime(&f, &to.At)
		default:
			err = unknownField(&f, recordsParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var readingParamsFields = []string{"id", "scope", "mode", "panel", "rows"}

// readingParams are what is read of ReadingParams.
type readingParams struct {
	Mode  Mode
	Panel bool
	Rows  json.Value
}

// unset is before anything is read.
func (to *readingParams) unset() {
	*to = readingParams{}
}

func (c *Core) fillReadingParams(v json.Value, to *readingParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
		case "scope":
		case "mode":
			err = readWord(&f, &to.Mode, modeWords, "mode")
		case "panel":
			err = readBool(&f, &to.Panel)
		case "rows":
			to.Rows = f.Value
		default:
			err = unknownField(&f, readingParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var sessionsParamsFields = []string{"scope", "mode"}

// sessionsParams are what is read of SessionsParams.
type sessionsParams struct {
	Scope string
	Mode  Mode
}

// unset is before anything is read.
func (to *sessionsParams) unset() {
	*to = sessionsParams{}
}

func (c *Core) fillSessionsParams(v json.Value, to *sessionsParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "scope":
			err = readString(&f, &to.Scope)
		case "mode":
			err = readWord(&f, &to.Mode, modeWords, "mode")
		default:
			err = unknownField(&f, sessionsParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var sessionParamsFields = []string{"id", "scope"}

func (c *Core) fillSessionParams(v json.Value) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
		case "scope":
		default:
			err = unknownField(&f, sessionParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var noParamsFields []string

func (c *Core) fillNoParams(v json.Value) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		default:
			err = unknownField(&f, noParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var historyParamsFields = []string{"id", "scope", "points"}

// historyParams are what is read of HistoryParams.
type historyParams struct {
	Points int64
}

// unset is before anything is read.
func (to *historyParams) unset() {
	*to = historyParams{}
	to.Points = 200
}

func (c *Core) fillHistoryParams(v json.Value, to *historyParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
		case "scope":
		case "points":
			err = readOptional(&f, &to.Points)
		default:
			err = unknownField(&f, historyParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var itemsParamsFields = []string{"id", "scope", "top"}

// itemsParams are what is read of ItemsParams.
type itemsParams struct {
	Top int64
}

// unset is before anything is read.
func (to *itemsParams) unset() {
	*to = itemsParams{}
	to.Top = 20
}

func (c *Core) fillItemsParams(v json.Value, to *itemsParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
		case "scope":
		case "top":
			err = readOptional(&f, &to.Top)
		default:
			err = unknownField(&f, itemsParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var fitsParamsFields = []string{"id", "scope", "parts", "phrases"}

// fitsParams are what is read of FitsParams.
type fitsParams struct {
	Parts   json.Value
	Phrases bool
}

// unset is before anything is read.
func (to *fitsParams) unset() {
	*to = fitsParams{}
}

func (c *Core) fillFitsParams(v json.Value, to *fitsParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
		case "scope":
		case "parts":
			to.Parts = f.Value
		case "phrases":
			err = readBool(&f, &to.Phrases)
		default:
			err = unknownField(&f, fitsParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var restoreParamsFields = []string{"ledger", "id", "scope", "parent", "key", "older"}

// restoreParams are what is read of RestoreParams.
type restoreParams struct {
	Ledger json.Value
	ID     string
	Scope  string
	Parent string
	Key    string
	Older  bool
}

// unset is before anything is read.
func (to *restoreParams) unset() {
	*to = restoreParams{}
}

func (c *Core) fillRestoreParams(v json.Value, to *restoreParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "ledger":
			to.Ledger = f.Value
		case "id":
			err = readString(&f, &to.ID)
		case "scope":
			err = readString(&f, &to.Scope)
		case "parent":
			err = readString(&f, &to.Parent)
		case "key":
			err = readString(&f, &to.Key)
		case "older":
			err = readBool(&f, &to.Older)
		default:
			err = unknownField(&f, restoreParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var documentOpenParamsFields = []string{"id", "set", "scope", "path", "text", "model", "provider", "limit", "agent", "show"}

// documentOpenParams are what is read of DocumentOpenParams.
type documentOpenParams struct {
	ID       string
	Set      string
	Scope    string
	Path     string
	Text     []byte
	Model    string
	Provider string
	Limit    int64
	Agent    string
	Show     show
}

// unset is before anything is read.
func (to *documentOpenParams) unset() {
	*to = documentOpenParams{}
	to.Limit = core.Unknown
	to.Show = everything
}

func (c *Core) fillDocumentOpenParams(v json.Value, to *documentOpenParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
			err = readString(&f, &to.ID)
		case "set":
			err = readString(&f, &to.Set)
		case "scope":
			err = readString(&f, &to.Scope)
		case "path":
			err = readString(&f, &to.Path)
		case "text":
			err = readBody(c, &f, &to.Text)
		case "model":
			err = readString(&f, &to.Model)
		case "provider":
			err = readString(&f, &to.Provider)
		case "limit":
			err = readTokens(&f, &to.Limit)
		case "agent":
			err = readString(&f, &to.Agent)
		case "show":
			err = c.readShowOptions(&f, &to.Show)
		default:
			err = unknownField(&f, documentOpenParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var documentChangeParamsFields = []string{"id", "set", "scope", "version", "changes", "imports", "model", "provider", "limit", "show"}

// documentChangeParams are what is read of DocumentChangeParams.
type documentChangeParams struct {
	ID       string
	Set      string
	Scope    string
	Changes  json.Value
	Imports  json.Value
	Model    json.Fields
	Provider string
	Limit    int64
	Show     show
}

// unset is before anything is read.
func (to *documentChangeParams) unset() {
	*to = documentChangeParams{}
	to.Limit = core.Unknown
	to.Show = everything
}

func (c *Core) fillDocumentChangeParams(v json.Value, to *documentChangeParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
			err = readString(&f, &to.ID)
		case "set":
			err = readString(&f, &to.Set)
		case "scope":
			err = readString(&f, &to.Scope)
		case "version":
		case "changes":
			err = readArray(&f, &to.Changes)
		case "imports":
			err = readArray(&f, &to.Imports)
		case "model":
			to.Model = f
		case "provider":
			err = readString(&f, &to.Provider)
		case "limit":
			err = readTokens(&f, &to.Limit)
		case "show":
			err = c.readShowOptions(&f, &to.Show)
		default:
			err = unknownField(&f, documentChangeParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var documentChangeFields = []string{"from", "to", "text"}

func (c *Core) fillDocumentChange(v json.Value, to *edit) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "from":
			err = readTokens(&f, &to.From)
		case "to":
			err = readTokens(&f, &to.To)
		case "text":
			err = readBody(c, &f, &to.Text)
		default:
			err = unknownField(&f, documentChangeFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var importTargetFields = []string{"target", "id", "problem"}

func (c *Core) fillImportTarget(v json.Value, to *promptfile.Link) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "target":
			err = readString(&f, &to.Target)
		case "id":
			err = readString(&f, &to.ID)
		case "problem":
			err = readProblem(&f, &to.Problem)
		default:
			err = unknownField(&f, importTargetFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var showOptionsFields = []string{"view", "sections", "from", "to", "findings", "budget", "with", "draw", "units", "plain", "phrases"}

func (c *Core) fillShowOptions(v json.Value, to *show) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "view":
			err = readBool(&f, &to.View)
		case "sections":
			err = readBool(&f, &to.Sections)
		case "from":
			err = readTokens(&f, &to.From)
		case "to":
			err = readTokens(&f, &to.To)
		case "findings":
			err = readBool(&f, &to.Findings)
		case "budget":
			err = c.readDocumentBudget(&f, &to.Budget)
		case "with":
			err = to.readWith(&f)
		case "draw":
			err = to.readDraw(&f)
		case "units":
			err = to.readUnits(&f)
		case "plain":
			err = readBool(&f, &to.Plain)
		case "phrases":
			err = readBool(&f, &to.Phrases)
		default:
			err = unknownField(&f, showOptionsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var documentBudgetFields = []string{"always", "loaded"}

func (c *Core) fillDocumentBudget(v json.Value, to *promptfile.Budget) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "always":
			err = readTokens(&f, &to.Always)
		case "loaded":
			err = readTokens(&f, &to.Loaded)
		default:
			err = unknownField(&f, documentBudgetFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var documentViewParamsFields = []string{"id", "set", "scope", "show"}

// documentViewParams are what is read of DocumentViewParams.
type documentViewParams struct {
	ID    string
	Set   string
	Scope string
	Show  show
}

// unset is before anything is read.
func (to *documentViewParams) unset() {
	*to = documentViewParams{}
	to.Show = everything
}

func (c *Core) fillDocumentViewParams(v json.Value, to *documentViewParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
			err = readString(&f, &to.ID)
		case "set":
			err = readString(&f, &to.Set)
		case "scope":
			err = readString(&f, &to.Scope)
		case "show":
			err = c.readShowOptions(&f, &to.Show)
		default:
			err = unknownField(&f, documentViewParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var documentParamsFields = []string{"id", "set", "scope"}

// documentParams are what is read of DocumentParams.
type documentParams struct {
	ID    string
	Set   string
	Scope string
}

// unset is before anything is read.
func (to *documentParams) unset() {
	*to = documentParams{}
}

func (c *Core) fillDocumentParams(v json.Value, to *documentParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "id":
			err = readString(&f, &to.ID)
		case "set":
			err = readString(&f, &to.Set)
		case "scope":
			err = readString(&f, &to.Scope)
		default:
			err = unknownField(&f, documentParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var countParamsFields = []string{"text", "texts", "model", "provider", "encoding", "as", "boundaries", "strict", "exact"}

// countParams are what is read of CountParams.
type countParams struct {
	Text       json.Value
	Texts      json.Value
	Model      string
	Provider   string
	Encoding   string
	As         string
	Boundaries bool
	Strict     bool
}

// unset is before anything is read.
func (to *countParams) unset() {
	*to = countParams{}
}

func (c *Core) fillCountParams(v json.Value, to *countParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "text":
			to.Text = f.Value
		case "texts":
			to.Texts = f.Value
		case "model":
			err = readString(&f, &to.Model)
		case "provider":
			err = readString(&f, &to.Provider)
		case "encoding":
			err = readString(&f, &to.Encoding)
		case "as":
			err = readString(&f, &to.As)
		case "boundaries":
			err = readBool(&f, &to.Boundaries)
		case "strict":
			err = readBool(&f, &to.Strict)
		case "exact":
			err = refuseExact(&f)
		default:
			err = unknownField(&f, countParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var modelsParamsFields = []string{"query"}

// modelsParams are what is read of ModelsParams.
type modelsParams struct {
	Query string
}

// unset is before anything is read.
func (to *modelsParams) unset() {
	*to = modelsParams{}
}

func (c *Core) fillModelsParams(v json.Value, to *modelsParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "query":
			err = readString(&f, &to.Query)
		default:
			err = unknownField(&f, modelsParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var learnedParamsFields = []string{"learned"}

// learnedParams are what is read of LearnedParams.
type learnedParams struct {
	Learned json.Value
}

// unset is before anything is read.
func (to *learnedParams) unset() {
	*to = learnedParams{}
}

func (c *Core) fillLearnedParams(v json.Value, to *learnedParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "learned":
			to.Learned = f.Value
		default:
			err = unknownField(&f, learnedParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var linesParamsFields = []string{"reading", "lines", "words"}

// linesParams are what is read of LinesParams.
type linesParams struct {
	Reading json.Value
	Lines   json.Value
	Words   json.Value
}

// unset is before anything is read.
func (to *linesParams) unset() {
	*to = linesParams{}
}

func (c *Core) fillLinesParams(v json.Value, to *linesParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "reading":
			to.Reading = f.Value
		case "lines":
			to.Lines = f.Value
		case "words":
			to.Words = f.Value
		default:
			err = unknownField(&f, linesParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}

var crossingParamsFields = []string{"reading", "state"}

// crossingParams are what is read of CrossingParams.
type crossingParams struct {
	Reading json.Value
	State   json.Value
}

// unset is before anything is read.
func (to *crossingParams) unset() {
	*to = crossingParams{}
}

func (c *Core) fillCrossingParams(v json.Value, to *crossingParams) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch f.Called() {
		case "reading":
			to.Reading = f.Value
		case "state":
			to.State = f.Value
		default:
			err = unknownField(&f, crossingParamsFields)
		}
		if err != nil {
			return err
		}
	}
	return onlyOnce(v)
}
