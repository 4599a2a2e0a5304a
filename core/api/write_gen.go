// Copyright The ctx-lsp authors. MIT licence.

// Code generated from core/api/schema*.go and methods.go by `make generated`. DO NOT EDIT.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func writeReading(w *json.Writer, s *shown) {
	w.BeginObject()
	text(w, `,"schema":`, core.Schema)
	text(w, `,"session":`, s.ID)
	text(w, `,"label":`, s.Label)
	text(w, `,"agent":`, s.Agent)
	text(w, `,"agentVersion":`, s.AgentVersion)
	text(w, `,"model":`, s.Model)
	text(w, `,"workspace":`, s.Workspace)
	text(w, `,"title":`, s.Title)
	text(w, `,"branch":`, s.Branch)
	w.Field(`,"parent":`)
	if s.Parent == "" {
		w.Null()
	} else {
		w.String(s.Parent)
	}
	word(w, `,"mode":`, s.Mode.String())
	word(w, `,"basis":`, s.Basis.String())
	w.Field(`,"pending":`)
	w.Bool(s.Pending)
	word(w, `,"activity":`, s.Activity.String())
	text(w, `,"waitingFor":`, s.WaitingFor)
	number(w, `,"since":`, s.Since)
	signed(w, `,"used":`, int64(s.Used))
	signed(w, `,"low":`, int64(s.Low))
	signed(w, `,"high":`, int64(s.High))
	text(w, `,"rangeCause":`, s.RangeCause)
	number(w, `,"limit":`, s.Limit)
	numberIf(w, `,"free":`, s.Limit, s.Free)
	signed(w, `,"reserve":`, int64(s.Reserve))
	percent(w, `,"percent":`, s.Percent)
	word(w, `,"limitSource":`, s.LimitSource.String())
	w.Field(`,"lastRequest":`)
	if v := s.LastRequest; v == nil {
		w.Null()
	} else {
		writeLastRequest(w, v)
	}
	w.Field(`,"leaving":`)
	writeLeaving(w, &s.Leaving)
	w.Field(`,"new":`)
	writeNewItems(w, &s.New)
	w.Field(`,"breakdown":`)
	w.BeginArray()
	for i := range s.Breakdown {
		writeRow(w, &s.Breakdown[i])
	}
	w.EndArray()
	w.Field(`,"mcpServers":`)
	w.BeginArray()
	for i := range s.Servers {
		writeServer(w, &s.Servers[i])
	}
	w.EndArray()
	w.Field(`,"largest":`)
	w.BeginArray()
	for i := range s.Largest {
		writeLargeItem(w, &s.Largest[i])
	}
	w.EndArray()
	w.Field(`,"compaction":`)
	writeCompaction(w, &s.Compaction)
	w.Field(`,"advice":`)
	w.BeginArray()
	for i := range s.Advice {
		writeAdvice(w, &s.Advice[i])
	}
	w.EndArray()
	w.Field(`,"accuracy":`)
	writeAccuracy(w, &s.Accuracy)
	w.Field(`,"spent":`)
	writeSpent(w, &s.Spent)
	signed(w, `,"compactions":`, int64(s.Compactions))
	w.Field(`,"children":`)
	s.writeChildren()
	w.Field(`,"warnings":`)
	w.BeginArray()
	for i := range s.Warnings {
		w.String(s.Warnings[i])
	}
	w.EndArray()
	number(w, `,"asOf":`, s.AsOf)
	if s.Unmeasured != "" {
		text(w, `,"unmeasured":`, s.Unmeasured)
	}
	w.Field(`,"agentPercent":`)
	if v := s.AgentOwn; v == nil {
		w.Null()
	} else {
		writeAgentOwn(w, v)
	}
	w.Field(`,"display":`)
	writeDisplay(w, &s.Display)
	w.EndObject()
}

func writeLastRequest(w *json.Writer, s *core.LastRequest) {
	w.BeginObject()
	signed(w, `,"in":`, int64(s.In))
	percent(w, `,"percent":`, s.Percent)
	number(w, `,"cacheRead":`, s.CacheRead)
	number(w, `,"cacheWrite":`, s.CacheWrite)
	number(w, `,"out":`, s.Out)
	number(w, `,"reasoning":`, s.Reasoning)
	signed(w, `,"carry":`, int64(s.Carry))
	word(w, `,"carryBasis":`, s.CarryBasis.String())
	w.EndObject()
}

func writeLeaving(w *json.Writer, s *core.Leaving) {
	w.BeginObject()
	signed(w, `,"tokens":`, int64(s.Tokens))
	w.Field(`,"reasons":`)
	w.BeginArray()
	for i := range s.Reasons {
		writeLeavingReason(w, &s.Reasons[i])
	}
	w.EndArray()
	w.EndObject()
}

func writeLeavingReason(w *json.Writer, s *core.LeavingReason) {
	w.BeginObject()
	text(w, `,"reason":`, s.Reason)
	signed(w, `,"tokens":`, int64(s.Tokens))
	w.EndObject()
}

func writeNewItems(w *json.Writer, s *core.NewItems) {
	w.BeginObject()
	signed(w, `,"tokens":`, int64(s.Tokens))
	signed(w, `,"items":`, int64(s.Items))
	word(w, `,"basis":`, s.Basis.String())
	w.EndObject()
}

func writeRow(w *json.Writer, s *core.Row) {
	w.BeginObject()
	word(w, `,"kind":`, s.Kind.String())
	text(w, `,"label":`, s.Label)
	signed(w, `,"tokens":`, int64(s.Tokens))
	word(w, `,"basis":`, s.Basis.String())
	if s.Deferred {
		w.Field(`,"deferred":`)
		w.Bool(true)
	}
	w.EndObject()
}

func writeServer(w *json.Writer, s *core.Server) {
	w.BeginObject()
	text(w, `,"name":`, s.Name)
	signed(w, `,"tools":`, int64(s.Tools))
	w.Field(`,"listed":`)
	w.Bool(s.Listed)
	signed(w, `,"deferred":`, int64(s.Deferred))
	number(w, `,"neverCalled":`, s.NeverCalled)
	signed(w, `,"calls":`, int64(s.Calls))
	number(w, `,"tokens":`, s.Tokens)
	word(w, `,"basis":`, s.Basis.String())
	text(w, `,"switchOff":`, s.Off)
	text(w, `,"text":`, s.Text)
	w.EndObject()
}

func writeCompaction(w *json.Writer, s *core.Compaction) {
	w.BeginObject()
	text(w, `,"rule":`, s.Rule)
	text(w, `,"since":`, s.Since)
	text(w, `,"source":`, s.Source)
	number(w, `,"line":`, s.Line)
	numberIf(w, `,"left":`, s.Line, s.Left)
	percent(w, `,"percent":`, s.Percent)
	word(w, `,"level":`, s.Level.String())
	w.Field(`,"reached":`)
	w.Bool(s.Reached)
	w.Field(`,"advised":`)
	w.Bool(s.Advised)
	number(w, `,"buffer":`, s.Buffer)
	w.Field(`,"landing":`)
	if v := s.Landing; v == nil {
		w.Null()
	} else {
		writeLanding(w, v)
	}
	w.Field(`,"callsLeft":`)
	if v := s.CallsLeft; v == nil {
		w.Null()
	} else {
		writeRange(w, v)
	}
	w.Field(`,"turnsLeft":`)
	if v := s.TurnsLeft; v == nil {
		w.Null()
	} else {
		writeRange(w, v)
	}
	w.EndObject()
}

func writeLanding(w *json.Writer, s *core.Range) {
	w.BeginObject()
	signed(w, `,"low":`, int64(s.Low))
	signed(w, `,"high":`, int64(s.High))
	w.EndObject()
}

func writeRange(w *json.Writer, s *core.Range) {
	w.BeginObject()
	signed(w, `,"low":`, int64(s.Low))
	signed(w, `,"likely":`, int64(s.Likely))
	signed(w, `,"high":`, int64(s.High))
	w.EndObject()
}

func writeAdvice(w *json.Writer, s *core.Advice) {
	w.BeginObject()
	text(w, `,"action":`, s.Action)
	text(w, `,"label":`, s.Label)
	signed(w, `,"tokens":`, int64(s.Tokens))
	signed(w, `,"items":`, int64(s.Items))
	text(w, `,"how":`, s.How)
	w.Field(`,"breaksCache":`)
	w.Bool(s.BreaksCache)
	w.EndObject()
}

func writeAccuracy(w *json.Writer, s *core.Accuracy) {
	w.BeginObject()
	w.Field(`,"last":`)
	if v := s.Last; v == nil {
		w.Null()
	} else {
		writeMiss(w, v)
	}
	w.Field(`,"ratio":`)
	w.Hundredths(s.Ratio)
	number(w, `,"medianTokens":`, s.MedianTokens)
	number(w, `,"p95Tokens":`, s.P95Tokens)
	percent(w, `,"p95Percent":`, s.P95Percent)
	signed(w, `,"steps":`, int64(s.Steps))
	w.EndObject()
}

func writeMiss(w *json.Writer, s *core.Miss) {
	w.BeginObject()
	signed(w, `,"predicted":`, int64(s.Predicted))
	signed(w, `,"actual":`, int64(s.Actual))
	signed(w, `,"error":`, int64(s.Error))
	w.Field(`,"percent":`)
	w.Hundredths(s.Percent)
	text(w, `,"cause":`, s.Cause)
	w.EndObject()
}

func writeSpent(w *json.Writer, s *core.Spent) {
	w.BeginObject()
	signed(w, `,"calls":`, int64(s.Calls))
	signed(w, `,"in":`, int64(s.In))
	signed(w, `,"out":`, int64(s.Out))
	signed(w, `,"cacheRead":`, int64(s.CacheRead))
	signed(w, `,"cacheWrite":`, int64(s.CacheWrite))
	signed(w, `,"reasoning":`, int64(s.Reasoning))
	signed(w, `,"total":`, int64(s.Total()))
	signed(w, `,"effective":`, int64(s.Effective()))
	w.EndObject()
}

func writeAgentOwn(w *json.Writer, s *core.AgentPercent) {
	w.BeginObject()
	w.Field(`,"value":`)
	w.Hundredths(s.Hundredths)
	text(w, `,"label":`, s.Label)
	w.EndObject()
}

func writeDisplay(w *json.Writer, s *core.Display) {
	w.BeginObject()
	word(w, `,"mark":`, s.Mark)
	word(w, `,"percent":`, s.Percent)
	word(w, `,"used":`, s.Used)
	word(w, `,"limit":`, s.Limit)
	word(w, `,"free":`, s.Free)
	word(w, `,"left":`, s.Left)
	word(w, `,"percentLeft":`, s.PercentLeft)
	word(w, `,"line":`, s.Line)
	word(w, `,"linePercent":`, s.LinePercent)
	word(w, `,"linePercentLeft":`, s.LinePercentLeft)
	word(w, `,"bar":`, s.Bar)
	w.EndObject()
}

func writeBrief(w *json.Writer, s *shown) {
	w.BeginObject()
	text(w, `,"session":`, s.ID)
	text(w, `,"label":`, s.Label)
	text(w, `,"agent":`, s.Agent)
	text(w, `,"model":`, s.Model)
	text(w, `,"workspace":`, s.Workspace)
	text(w, `,"title":`, s.Title)
	text(w, `,"branch":`, s.Branch)
	w.Field(`,"parent":`)
	if s.Parent == "" {
		w.Null()
	} else {
		w.String(s.Parent)
	}
	signed(w, `,"used":`, int64(s.Used))
	number(w, `,"limit":`, s.Limit)
	percent(w, `,"percent":`, s.Percent)
	word(w, `,"level":`, s.Compaction.Level.String())
	word(w, `,"basis":`, s.Basis.String())
	w.Field(`,"pending":`)
	w.Bool(s.Pending)
	word(w, `,"activity":`, s.Activity.String())
	text(w, `,"waitingFor":`, s.WaitingFor)
	number(w, `,"since":`, s.Since)
	number(w, `,"asOf":`, s.AsOf)
	w.Field(`,"children":`)
	s.writeChildren()
	w.Field(`,"display":`)
	writeDisplay(w, &s.Display)
	w.EndObject()
}

func writeListedSession(w *json.Writer, s *shown) {
	w.BeginObject()
	text(w, `,"session":`, s.ID)
	text(w, `,"label":`, s.Label)
	text(w, `,"agent":`, s.Agent)
	text(w, `,"model":`, s.Model)
	text(w, `,"workspace":`, s.Workspace)
	text(w, `,"title":`, s.Title)
	text(w, `,"branch":`, s.Branch)
	w.Field(`,"parent":`)
	if s.Parent == "" {
		w.Null()
	} else {
		w.String(s.Parent)
	}
	signed(w, `,"used":`, int64(s.Used))
	number(w, `,"limit":`, s.Limit)
	percent(w, `,"percent":`, s.Percent)
	word(w, `,"level":`, s.Compaction.Level.String())
	word(w, `,"basis":`, s.Basis.String())
	w.Field(`,"pending":`)
	w.Bool(s.Pending)
	word(w, `,"activity":`, s.Activity.String())
	text(w, `,"waitingFor":`, s.WaitingFor)
	number(w, `,"since":`, s.Since)
	number(w, `,"asOf":`, s.AsOf)
	w.Field(`,"children":`)
	s.writeChildIDs()
	w.Field(`,"display":`)
	writeDisplay(w, &s.Display)
	w.EndObject()
}

func writeRecordsAnswer(w *json.Writer, s *recorded) {
	w.BeginObject()
	if v := s.Reading; v != nil {
		w.Field(`,"reading":`)
		writeReading(w, v)
	}
	w.Field(`,"steps":`)
	writeSteps(w, s.entry)
	w.Field(`,"wanted":`)
	w.BeginArray()
	for i := range s.Wanted {
		writeWantedFile(w, &s.Wanted[i])
	}
	w.EndArray()
	w.EndObject()
}

func writeWantedFile(w *json.Writer, s *core.WantedFile) {
	w.BeginObject()
	text(w, `,"path":`, s.Path)
	text(w, `,"use":`, s.Use.String())
	number(w, `,"at":`, s.At)
	w.Field(`,"sent":`)
	w.Bool(s.Sent)
	w.EndObject()
}

func writeStep(w *json.Writer, s *step) {
	w.BeginObject()
	text(w, `,"session":`, s.Session)
	text(w, `,"model":`, s.Model)
	signed(w, `,"call":`, int64(s.Call))
	text(w, `,"kind":`, s.Kind)
	signed(w, `,"predicted":`, int64(s.Predicted))
	signed(w, `,"low":`, int64(s.Low))
	signed(w, `,"high":`, int64(s.High))
	signed(w, `,"actual":`, int64(s.Actual))
	w.Field(`,"redacted":`)
	w.Bool(s.Redacted)
	signed(w, `,"texts":`, int64(s.Texts))
	signed(w, `,"held":`, int64(s.Held))
	signed(w, `,"error":`, int64(s.Miss))
	w.Field(`,"percent":`)
	w.Hundredths(s.Percent)
	signed(w, `,"turn":`, int64(s.Turn))
	w.Field(`,"landing":`)
	if v := s.Landing; v == nil {
		w.Null()
	} else {
		writeRange(w, v)
	}
	w.Field(`,"forecasts":`)
	w.BeginArray()
	for i := range s.Forecasts {
		writeForecast(w, &s.Forecasts[i])
	}
	w.EndArray()
	w.EndObject()
}

func writeForecast(w *json.Writer, s *core.Forecast) {
	w.BeginObject()
	signed(w, `,"line":`, int64(s.Line))
	w.Field(`,"calls":`)
	writeRange(w, &s.Calls)
	w.Field(`,"turns":`)
	writeRange(w, &s.Turns)
	w.EndObject()
}

func writeSessionsAnswer(w *json.Writer, s *Core) {
	w.BeginObject()
	w.Field(`,"sessions":`)
	s.writeSessions()
	w.EndObject()
}

func writeHistoryAnswer(w *json.Writer, s *history) {
	w.BeginObject()
	w.Field(`,"points":`)
	w.BeginArray()
	for i := range s.Points {
		writeHistoryPoint(w, &s.Points[i])
	}
	w.EndArray()
	w.Field(`,"compactions":`)
	w.BeginArray()
	for i := range s.Compactions {
		writeHistoryCompaction(w, &s.Compactions[i])
	}
	w.EndArray()
	number(w, `,"line":`, s.Line)
	number(w, `,"limit":`, s.Limit)
	w.EndObject()
}

func writeHistoryPoint(w *json.Writer, s *point) {
	w.BeginObject()
	number(w, `,"at":`, s.At)
	signed(w, `,"call":`, int64(s.Call))
	signed(w, `,"used":`, int64(s.Used))
	percent(w, `,"percent":`, s.Percent)
	w.EndObject()
}

func writeHistoryCompaction(w *json.Writer, s *core.Landing) {
	w.BeginObject()
	number(w, `,"at":`, s.At)
	signed(w, `,"call":`, int64(s.Call))
	number(w, `,"before":`, s.Before)
	number(w, `,"after":`, s.After)
	word(w, `,"trigger":`, byAgent(s.Auto).String())
	w.EndObject()
}

func writeItemsAnswer(w *json.Writer, s *largest) {
	w.BeginObject()
	w.Field(`,"items":`)
	w.BeginArray()
	for i := range s.Items {
		writeLargeItem(w, &s.Items[i])
	}
	w.EndArray()
	signed(w, `,"total":`, int64(s.Total))
	w.EndObject()
}

func writeFitsAnswer(w *json.Writer, s *core.Fit) {
	w.BeginObject()
	signed(w, `,"tokens":`, int64(s.Tokens))
	word(w, `,"basis":`, s.Basis.String())
	signed(w, `,"used":`, int64(s.Used))
	number(w, `,"limit":`, s.Limit)
	percent(w, `,"percent":`, s.Percent)
	numberIf(w, `,"free":`, s.Limit, s.Free)
	number(w, `,"line":`, s.Line)
	percent(w, `,"linePercent":`, s.LinePercent)
	numberIf(w, `,"left":`, s.Line, s.Left)
	word(w, `,"level":`, s.Level.String())
	w.Field(`,"parts":`)
	w.BeginArray()
	for i := range s.Parts {
		writeFitsPart(w, &s.Parts[i])
	}
	w.EndArray()
	w.Field(`,"fewer":`)
	if v := s.Fewer; v == nil {
		w.Null()
	} else {
		writeFewer(w, v)
	}
	text(w, `,"text":`, s.Text)
	w.EndObject()
}

func writeFitsPart(w *json.Writer, s *core.FitPart) {
	w.BeginObject()
	text(w, `,"label":`, s.Label)
	signed(w, `,"tokens":`, int64(s.Tokens))
	word(w, `,"basis":`, s.Basis.String())
	if s.LeftOut {
		w.Field(`,"leftOut":`)
		w.Bool(true)
	}
	w.EndObject()
}

func writeFewer(w *json.Writer, s *core.Fewer) {
	w.BeginObject()
	signed(w, `,"tokens":`, int64(s.Tokens))
	signed(w, `,"used":`, int64(s.Used))
	percent(w, `,"percent":`, s.Percent)
	percent(w, `,"linePercent":`, s.LinePercent)
	word(w, `,"level":`, s.Level.String())
	w.EndObject()
}

func writeLargeItem(w *json.Writer, s *core.Largest) {
	w.BeginObject()
	signed(w, `,"index":`, int64(s.Index))
	word(w, `,"kind":`, s.Kind.String())
	word(w, `,"what":`, s.What.String())
	text(w, `,"label":`, s.Label)
	signed(w, `,"times":`, int64(s.Times))
	signed(w, `,"tokens":`, int64(s.Tokens))
	word(w, `,"basis":`, s.Basis.String())
	percent(w, `,"share":`, s.Share)
	number(w, `,"place":`, s.Place)
	w.EndObject()
}

func writeSaveAnswer(w *json.Writer, s *saved) {
	w.BeginObject()
	w.Field(`,"ledger":`)
	writeLedger(w, s)
	w.EndObject()
}

func writeLedger(w *json.Writer, s *saved) {
	w.BeginObject()
	text(w, `,"schema":`, core.LedgerSchema)
	text(w, `,"session":`, s.entry.session.ID)
	if s.entry.session.Parent != "" {
		text(w, `,"parent":`, s.entry.session.Parent)
	}
	w.Field(`,"settings":`)
	writeSettings(w, s.entry.settings)
	w.Field(`,"names":`)
	w.BeginArray()
	for i := range s.Names {
		w.String(s.Names[i])
	}
	w.EndArray()
	w.Field(`,"numbers":`)
	w.Ints(s.Numbers)
	if v := s.Reader; v != nil {
		w.Field(`,"reader":`)
		writeReaderState(w, v)
	}
	w.EndObject()
}

func writeReaderState(w *json.Writer, s *agent.State) {
	w.BeginObject()
	text(w, `,"agent":`, s.Agent)
	w.Field(`,"names":`)
	w.BeginArray()
	for i := range s.Names {
		w.String(s.Names[i])
	}
	w.EndArray()
	w.Field(`,"state":`)
	w.Base64(s.Bytes)
	w.EndObject()
}

func writeDocumentView(w *json.Writer, s *view) {
	w.BeginObject()
	text(w, `,"schema":`, documentSchema)
	text(w, `,"id":`, s.Document.ID)
	text(w, `,"path":`, s.Document.Path)
	text(w, `,"kind":`, s.Document.Kind.String())
	text(w, `,"title":`, s.Document.Kind.Title())
	text(w, `,"agent":`, s.Document.Agent)
	text(w, `,"model":`, s.model.model)
	w.Field(`,"modelChosen":`)
	w.Bool(s.model.chosen)
	w.Field(`,"load":`)
	writeDocumentLoad(w, &s.Load)
	signed(w, `,"tokens":`, int64(s.Tokens))
	word(w, `,"basis":`, s.basis.String())
	signed(w, `,"listed":`, int64(s.Listed))
	signed(w, `,"imported":`, int64(s.Imported))
	signed(w, `,"files":`, int64(s.Files))
	signed(w, `,"total":`, int64(s.total()))
	percent(w, `,"share":`, s.share())
	number(w, `,"limit":`, s.limit)
	word(w, `,"limitOf":`, s.limitOf.String())
	w.Field(`,"sections":`)
	s.writeSections(w)
	signed(w, `,"sectionCount":`, int64(len(s.View.Sections)))
	w.Field(`,"imports":`)
	s.writeImports(w)
	w.Field(`,"findings":`)
	w.BeginArray()
	for i := range s.Findings {
		writeFinding(w, &s.Findings[i])
	}
	w.EndArray()
	w.Field(`,"display":`)
	writeDocumentDisplay(w, s)
	if v := s.drawn; v != nil {
		w.Field(`,"drawn":`)
		writeDrawn(w, v)
	}
	w.EndObject()
}

func writeDocumentLoad(w *json.Writer, s *promptfile.Load) {
	w.BeginObject()
	text(w, `,"when":`, s.When.String())
	w.Field(`,"globs":`)
	w.BeginArray()
	for i := range s.Globs {
		w.String(s.Globs[i])
	}
	w.EndArray()
	text(w, `,"why":`, s.Why)
	w.EndObject()
}

func writeSection(w *json.Writer, s *section) {
	w.BeginObject()
	text(w, `,"title":`, s.Title)
	signed(w, `,"level":`, int64(s.Level))
	signed(w, `,"from":`, int64(s.From))
	signed(w, `,"to":`, int64(s.To))
	signed(w, `,"end":`, int64(s.End))
	signed(w, `,"own":`, int64(s.Own))
	signed(w, `,"tokens":`, int64(s.Tokens))
	text(w, `,"display":`, short(s.mark, s.Tokens))
	text(w, `,"ownDisplay":`, short(s.mark, s.Own))
	w.EndObject()
}

func writeDocumentImport(w *json.Writer, s *imported) {
	w.BeginObject()
	text(w, `,"target":`, s.Target)
	signed(w, `,"from":`, int64(s.From))
	signed(w, `,"to":`, int64(s.To))
	text(w, `,"id":`, s.ID)
	text(w, `,"problem":`, s.Problem)
	signed(w, `,"tokens":`, int64(s.Tokens))
	signed(w, `,"all":`, int64(s.All))
	text(w, `,"display":`, short(s.mark, max(s.All, s.Tokens)))
	w.EndObject()
}

func writeFinding(w *json.Writer, s *promptfile.Finding) {
	w.BeginObject()
	signed(w, `,"from":`, int64(s.From))
	signed(w, `,"to":`, int64(s.To))
	signed(w, `,"severity":`, int64(s.Severity))
	text(w, `,"code":`, s.Code)
	text(w, `,"message":`, s.Message)
	if v := other(s); v != nil {
		w.Field(`,"other":`)
		writeOtherFinding(w, v)
	}
	w.EndObject()
}

func writeOtherFinding(w *json.Writer, s *promptfile.Finding) {
	w.BeginObject()
	text(w, `,"id":`, s.Other)
	signed(w, `,"from":`, int64(s.OtherFrom))
	signed(w, `,"to":`, int64(s.OtherTo))
	text(w, `,"message":`, s.OtherMessage)
	w.EndObject()
}

func writeDocumentDisplay(w *json.Writer, s *view) {
	w.BeginObject()
	text(w, `,"mark":`, s.mark)
	text(w, `,"tokens":`, short(s.mark, s.Tokens))
	text(w, `,"imported":`, short(s.mark, s.Imported))
	text(w, `,"total":`, short(s.mark, s.total()))
	text(w, `,"listed":`, short(s.mark, s.Listed))
	text(w, `,"share":`, s.shownShare())
	text(w, `,"limit":`, s.shownLimit())
	w.EndObject()
}

func writeDrawn(w *json.Writer, s *promptfile.Drawn) {
	w.BeginObject()
	if s.Lenses != nil {
		w.Field(`,"lenses":`)
		w.BeginArray()
		for i := range s.Lenses {
			writeDocumentLens(w, &s.Lenses[i])
		}
		w.EndArray()
	}
	if s.Hints != nil {
		w.Field(`,"hints":`)
		w.BeginArray()
		for i := range s.Hints {
			writeDocumentHint(w, &s.Hints[i])
		}
		w.EndArray()
	}
	if s.Hovers != nil {
		w.Field(`,"hovers":`)
		w.BeginArray()
		for i := range s.Hovers {
			writeDocumentHover(w, &s.Hovers[i])
		}
		w.EndArray()
	}
	if s.Links != nil {
		w.Field(`,"links":`)
		w.BeginArray()
		for i := range s.Links {
			writeDocumentLink(w, &s.Links[i])
		}
		w.EndArray()
	}
	if s.Diagnostics != nil {
		w.Field(`,"diagnostics":`)
		w.BeginArray()
		for i := range s.Diagnostics {
			writeDocumentDiagnostic(w, &s.Diagnostics[i])
		}
		w.EndArray()
	}
	if s.Breakdown != "" {
		text(w, `,"breakdown":`, s.Breakdown)
	}
	w.EndObject()
}

func writeTextPosition(w *json.Writer, s *promptfile.Position) {
	w.BeginObject()
	signed(w, `,"line":`, int64(s.Line))
	signed(w, `,"character":`, int64(s.Character))
	w.EndObject()
}

func writeTextRange(w *json.Writer, s *promptfile.Range) {
	w.BeginObject()
	w.Field(`,"start":`)
	writeTextPosition(w, &s.Start)
	w.Field(`,"end":`)
	writeTextPosition(w, &s.End)
	w.EndObject()
}

func writeDocumentLens(w *json.Writer, s *promptfile.Lens) {
	w.BeginObject()
	w.Field(`,"range":`)
	writeTextRange(w, &s.Range)
	text(w, `,"title":`, s.Title)
	w.EndObject()
}

func writeDocumentHint(w *json.Writer, s *promptfile.Hint) {
	w.BeginObject()
	w.Field(`,"position":`)
	writeTextPosition(w, &s.Position)
	text(w, `,"label":`, s.Label)
	text(w, `,"tooltip":`, s.Tooltip)
	w.EndObject()
}

func writeDocumentHover(w *json.Writer, s *promptfile.Hover) {
	w.BeginObject()
	w.Field(`,"range":`)
	writeTextRange(w, &s.Range)
	text(w, `,"text":`, s.Text)
	w.EndObject()
}

func writeDocumentLink(w *json.Writer, s *promptfile.ImportLink) {
	w.BeginObject()
	w.Field(`,"range":`)
	writeTextRange(w, &s.Range)
	text(w, `,"id":`, s.ID)
	text(w, `,"tooltip":`, s.Tooltip)
	w.EndObject()
}

func writeDocumentDiagnostic(w *json.Writer, s *promptfile.Diagnostic) {
	w.BeginObject()
	w.Field(`,"range":`)
	writeTextRange(w, &s.Range)
	signed(w, `,"severity":`, int64(s.Severity))
	text(w, `,"code":`, s.Code)
	text(w, `,"message":`, s.Message)
	if v := s.Related; v != nil {
		w.Field(`,"related":`)
		writeDocumentReference(w, v)
	}
	w.EndObject()
}

func writeDocumentReference(w *json.Writer, s *promptfile.Related) {
	w.BeginObject()
	text(w, `,"id":`, s.ID)
	w.Field(`,"range":`)
	writeTextRange(w, &s.Range)
	text(w, `,"message":`, s.Message)
	w.EndObject()
}

func writeCountAnswer(w *json.Writer, s *counted) {
	w.BeginObject()
	signed(w, `,"tokens":`, int64(s.Tokens))
	word(w, `,"basis":`, s.Basis.String())
	text(w, `,"encoding":`, s.Encoding)
	if s.Note != "" {
		text(w, `,"note":`, s.Note)
	}
	if s.Texts != nil {
		w.Field(`,"texts":`)
		w.BeginArray()
		for i := range s.Texts {
			w.Int(int64(s.Texts[i]))
		}
		w.EndArray()
	}
	if s.Boundaries != nil {
		w.Field(`,"boundaries":`)
		w.BeginArray()
		for i := range s.Boundaries {
			w.Int(int64(s.Boundaries[i]))
		}
		w.EndArray()
	}
	w.EndObject()
}

func writeModelsAnswer(w *json.Writer, s *matching) {
	w.BeginObject()
	w.Field(`,"models":`)
	writeModels(w, s.query)
	w.EndObject()
}

func writeModel(w *json.Writer, s *model.Model) {
	w.BeginObject()
	text(w, `,"id":`, s.ID)
	text(w, `,"provider":`, s.Provider)
	number(w, `,"window":`, orUnknown(s.Window))
	number(w, `,"input":`, orUnknown(s.Input))
	number(w, `,"output":`, orUnknown(s.Output))
	text(w, `,"sharing":`, s.Sharing())
	text(w, `,"encoding":`, s.Encoding)
	text(w, `,"family":`, s.Family)
	text(w, `,"reasoning":`, s.Reasoning.String())
	text(w, `,"source":`, s.Source)
	text(w, `,"date":`, s.Date)
	w.EndObject()
}

func writeLearnedAnswer(w *json.Writer, s *Core) {
	w.BeginObject()
	w.Field(`,"learned":`)
	writeLearned(w, s)
	w.EndObject()
}

func writeLearned(w *json.Writer, s *Core) {
	w.BeginObject()
	w.Field(`,"lessons":`)
	w.BeginArray()
	for i := range s.lessons {
		writeLesson(w, &s.lessons[i])
	}
	w.EndArray()
	w.EndObject()
}

func writeLesson(w *json.Writer, s *core.Lesson) {
	w.BeginObject()
	text(w, `,"key":`, strconv.FormatUint(s.Key, 16))
	text(w, `,"place":`, strconv.FormatUint(s.Place, 16))
	text(w, `,"agent":`, s.Agent)
	text(w, `,"model":`, s.Model)
	text(w, `,"session":`, strconv.FormatUint(s.Session, 16))
	w.Field(`,"bases":`)
	w.BeginArray()
	for i := range s.Bases {
		w.Int(int64(s.Bases[i]))
	}
	w.EndArray()
	number(w, `,"afterBase":`, s.AfterBase)
	number(w, `,"second":`, s.Second)
	signed(w, `,"actual":`, int64(s.Actual))
	signed(w, `,"estimated":`, int64(s.Estimated))
	word(w, `,"reasoning":`, s.Mode.String())
	signed(w, `,"steps":`, int64(s.Steps))
	number(w, `,"at":`, s.At)
	w.Field(`,"rows":`)
	w.BeginArray()
	for i := range s.Rows {
		w.Int(int64(s.Rows[i]))
	}
	w.EndArray()
	w.EndObject()
}

func writeRefused(w *json.Writer, s *Error) {
	w.BeginObject()
	signed(w, `,"code":`, int64(Code(s.Kind)))
	text(w, `,"message":`, s.Message)
	w.Field(`,"data":`)
	writeRefusedData(w, s)
	w.EndObject()
}

func writeRefusedData(w *json.Writer, s *Error) {
	w.BeginObject()
	text(w, `,"kind":`, s.Kind)
	if s.Field != "" {
		text(w, `,"field":`, s.Field)
	}
	if s.Name != "" {
		text(w, `,"name":`, s.Name)
	}
	if s.Known != nil {
		w.Field(`,"known":`)
		w.BeginArray()
		for i := range s.Known {
			w.String(s.Known[i])
		}
		w.EndArray()
	}
	w.EndObject()
}
