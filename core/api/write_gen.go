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
	if !s.names(w) {
		from := len(w.Buf)
		w.StringField(`,"schema":`, core.Schema)
		w.StringField(`,"session":`, s.ID)
		w.StringField(`,"label":`, s.Label)
		w.StringField(`,"agent":`, s.Agent)
		w.StringField(`,"agentVersion":`, s.AgentVersion)
		w.StringField(`,"model":`, s.Model)
		w.StringField(`,"workspace":`, s.Workspace)
		w.StringField(`,"title":`, s.Title)
		w.StringField(`,"branch":`, s.Branch)
		w.Field(`,"parent":`)
		if s.Parent == "" {
			w.Null()
		} else {
			w.String(s.Parent)
		}
		s.keepNames(w, from)
	}
	w.PlainField(`,"mode":`, s.Mode.String())
	w.PlainField(`,"basis":`, s.Basis.String())
	w.Field(`,"pending":`)
	w.Bool(s.Pending)
	w.PlainField(`,"activity":`, s.Activity.String())
	w.StringField(`,"waitingFor":`, s.WaitingFor)
	number(w, `,"since":`, s.Since)
	w.IntField(`,"used":`, int64(s.Used))
	w.Field(`,"range":`)
	writeSpan(w, &s.Reading)
	number(w, `,"limit":`, s.Limit)
	numberIf(w, `,"free":`, s.Limit, s.Free)
	percent(w, `,"freeShare":`, s.FreeShare)
	w.IntField(`,"reserve":`, int64(s.Reserve))
	percent(w, `,"percent":`, s.Percent)
	w.PlainField(`,"limitSource":`, s.LimitSource.String())
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
	if s.Assumed != 0 {
		w.IntField(`,"assumed":`, int64(s.Assumed))
	}
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
	w.Field(`,"cache":`)
	writeCache(w, &s.Reading)
	w.Field(`,"children":`)
	s.writeChildren()
	w.Field(`,"warnings":`)
	w.BeginArray()
	for i := range s.Warnings {
		writeText(w, &s.Warnings[i])
	}
	w.EndArray()
	if s.entry.session.SimilarModels(&s.Reading) != nil {
		w.Field(`,"similarModels":`)
		w.BeginArray()
		for i := range s.entry.session.SimilarModels(&s.Reading) {
			w.String(s.entry.session.SimilarModels(&s.Reading)[i])
		}
		w.EndArray()
	}
	number(w, `,"asOf":`, s.AsOf)
	if !s.Unmeasured.Empty() {
		w.Field(`,"unmeasured":`)
		writeText(w, &s.Unmeasured)
	}
	if v := s.agentOwn(); v != nil {
		w.Field(`,"agentOwn":`)
		writeAgentOwn(w, v)
	}
	w.Field(`,"display":`)
	writeDisplay(w, &s.Display)
	if v := s.panel(); v != nil {
		w.Field(`,"panel":`)
		writePanel(w, v)
	}
	w.EndObject()
}

func writeSpan(w *json.Writer, s *core.Reading) {
	w.BeginObject()
	w.IntField(`,"low":`, int64(s.Low))
	w.IntField(`,"high":`, int64(s.High))
	if !s.RangeCause.Empty() {
		w.Field(`,"cause":`)
		writeText(w, &s.RangeCause)
	}
	w.EndObject()
}

func writeLastRequest(w *json.Writer, s *core.LastRequest) {
	w.BeginObject()
	w.IntField(`,"in":`, int64(s.In))
	percent(w, `,"percent":`, s.Percent)
	number(w, `,"cacheRead":`, s.CacheRead)
	number(w, `,"cacheWrite":`, s.CacheWrite)
	number(w, `,"out":`, s.Out)
	number(w, `,"reasoning":`, s.Reasoning)
	w.IntField(`,"carry":`, int64(s.Carry))
	w.PlainField(`,"carryBasis":`, s.CarryBasis.String())
	w.EndObject()
}

func writeLeaving(w *json.Writer, s *core.Leaving) {
	w.BeginObject()
	w.IntField(`,"tokens":`, int64(s.Tokens))
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
	w.Field(`,"reason":`)
	writeText(w, &s.Reason)
	w.IntField(`,"tokens":`, int64(s.Tokens))
	w.EndObject()
}

func writeNewItems(w *json.Writer, s *core.NewItems) {
	w.BeginObject()
	w.IntField(`,"tokens":`, int64(s.Tokens))
	w.IntField(`,"items":`, int64(s.Items))
	w.PlainField(`,"basis":`, s.Basis.String())
	w.EndObject()
}

func writeRow(w *json.Writer, s *core.Row) {
	w.BeginObject()
	w.PlainField(`,"kind":`, s.Kind.String())
	w.Field(`,"label":`)
	writeText(w, &s.Label)
	w.IntField(`,"tokens":`, int64(s.Tokens))
	percent(w, `,"share":`, s.Share)
	w.Field(`,"bar":`)
	w.Hundredths(s.Bar)
	w.PlainField(`,"basis":`, s.Basis.String())
	if s.Deferred {
		w.Field(`,"deferred":`)
		w.Bool(true)
	}
	w.EndObject()
}

func writeServer(w *json.Writer, s *core.Server) {
	w.BeginObject()
	w.StringField(`,"name":`, s.Name)
	w.IntField(`,"tools":`, int64(s.Tools))
	w.Field(`,"listed":`)
	w.Bool(s.Listed)
	w.IntField(`,"deferred":`, int64(s.Deferred))
	number(w, `,"neverCalled":`, s.NeverCalled)
	w.IntField(`,"calls":`, int64(s.Calls))
	number(w, `,"tokens":`, s.Tokens)
	w.PlainField(`,"basis":`, s.Basis.String())
	w.StringField(`,"switchOff":`, s.Off)
	w.Field(`,"text":`)
	writeText(w, &s.Text)
	w.EndObject()
}

func writeCompaction(w *json.Writer, s *core.Compaction) {
	w.BeginObject()
	w.StringField(`,"rule":`, s.Rule)
	w.StringField(`,"since":`, s.Since)
	w.StringField(`,"source":`, s.Source)
	number(w, `,"threshold":`, s.Threshold)
	percent(w, `,"thresholdShare":`, s.ThresholdShare)
	if !s.ThresholdFrom.Empty() {
		w.Field(`,"thresholdFrom":`)
		writeText(w, &s.ThresholdFrom)
	}
	w.Field(`,"sources":`)
	w.BeginArray()
	for i := range s.Sources {
		writeThresholdSource(w, &s.Sources[i])
	}
	w.EndArray()
	w.Field(`,"moved":`)
	if v := s.Moved; v == nil {
		w.Null()
	} else {
		writeThresholdMove(w, v)
	}
	numberIf(w, `,"left":`, s.Threshold, s.Left)
	percent(w, `,"leftShare":`, s.LeftShare)
	percent(w, `,"percent":`, s.Percent)
	w.PlainField(`,"level":`, s.Level.String())
	w.Field(`,"reached":`)
	w.Bool(s.Reached)
	w.Field(`,"advised":`)
	w.Bool(s.Advised)
	number(w, `,"buffer":`, s.Buffer)
	percent(w, `,"bufferShare":`, s.BufferShare)
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
	if !s.ForecastFrom.Empty() {
		w.Field(`,"forecastFrom":`)
		writeText(w, &s.ForecastFrom)
	}
	w.Field(`,"hint":`)
	writeText(w, &s.Hint)
	w.IntField(`,"count":`, int64(s.Count))
	w.Field(`,"last":`)
	if v := s.Last; v == nil {
		w.Null()
	} else {
		writeVerdict(w, v)
	}
	w.EndObject()
}

func writeThresholdMove(w *json.Writer, s *core.ThresholdMove) {
	w.BeginObject()
	number(w, `,"at":`, s.At)
	w.IntField(`,"call":`, int64(s.Call))
	w.IntField(`,"from":`, int64(s.From))
	w.IntField(`,"to":`, int64(s.To))
	w.PlainField(`,"source":`, s.Source.String())
	w.Field(`,"text":`)
	writeText(w, &s.Text)
	w.EndObject()
}

func writeThresholdSource(w *json.Writer, s *core.ThresholdSource) {
	w.BeginObject()
	w.PlainField(`,"source":`, s.Kind.String())
	w.Field(`,"name":`)
	writeText(w, &s.Name)
	w.StringField(`,"setting":`, s.Setting)
	w.StringField(`,"value":`, s.Value)
	number(w, `,"threshold":`, s.Threshold)
	w.IntField(`,"adds":`, int64(s.Adds))
	w.PlainField(`,"state":`, s.State.String())
	if !s.Note.Empty() {
		w.Field(`,"note":`)
		writeText(w, &s.Note)
	}
	w.EndObject()
}

func writeVerdict(w *json.Writer, s *core.Verdict) {
	w.BeginObject()
	number(w, `,"at":`, s.At)
	w.PlainField(`,"trigger":`, s.Trigger.String())
	w.IntField(`,"before":`, int64(s.Before))
	w.PlainField(`,"beforeBasis":`, s.BeforeBasis.String())
	number(w, `,"left":`, s.Left)
	w.PlainField(`,"leftBasis":`, s.LeftBasis.String())
	number(w, `,"freed":`, s.Freed)
	number(w, `,"threshold":`, s.Threshold)
	w.Field(`,"source":`)
	if s.Source() == "" {
		w.Null()
	} else {
		w.String(s.Source())
	}
	w.PlainField(`,"asPredicted":`, s.AsPredicted.String())
	number(w, `,"thresholdNow":`, s.ThresholdNow)
	w.Field(`,"loop":`)
	w.Bool(s.Loop)
	w.Field(`,"text":`)
	writeText(w, &s.Text)
	w.EndObject()
}

func writeCache(w *json.Writer, s *core.Reading) {
	w.BeginObject()
	w.Field(`,"back":`)
	if v := s.Back; v == nil {
		w.Null()
	} else {
		writeBack(w, v)
	}
	if v := s.Breaks; v != nil {
		w.Field(`,"breaks":`)
		writeCacheBreaks(w, v)
	}
	w.EndObject()
}

func writeBack(w *json.Writer, s *core.Back) {
	w.BeginObject()
	w.IntField(`,"warmUntil":`, int64(s.WarmUntil))
	w.IntField(`,"coldFrom":`, int64(s.ColdFrom))
	w.IntField(`,"warnFrom":`, int64(s.WarnFrom))
	w.PlainField(`,"cause":`, s.Cause.String())
	w.IntField(`,"life":`, int64(s.Life))
	w.IntField(`,"anew":`, int64(s.Rewritten))
	w.StringField(`,"display":`, s.Display)
	w.IntField(`,"kept":`, int64(s.Kept))
	number(w, `,"compactsAt":`, s.CompactsAt)
	number(w, `,"compactsTo":`, s.CompactsTo)
	number(w, `,"compactFirst":`, s.CompactFirst)
	w.Field(`,"text":`)
	writeText(w, &s.Text)
	if !s.CompactsText.Empty() {
		w.Field(`,"compactsText":`)
		writeText(w, &s.CompactsText)
	}
	if !s.FirstText.Empty() {
		w.Field(`,"firstText":`)
		writeText(w, &s.FirstText)
	}
	w.EndObject()
}

func writeCacheBreaks(w *json.Writer, s *core.Breaks) {
	w.BeginObject()
	w.IntField(`,"count":`, int64(s.Count))
	w.IntField(`,"written":`, int64(s.Written))
	w.Field(`,"last":`)
	writeDetailedBreak(w, &s.Last)
	w.Field(`,"text":`)
	writeText(w, &s.Text)
	w.EndObject()
}

func writeDetailedBreak(w *json.Writer, s *core.CacheBreak) {
	w.BeginObject()
	number(w, `,"at":`, s.At)
	w.IntField(`,"call":`, int64(s.Call))
	w.PlainField(`,"cause":`, s.Cause.String())
	w.Field(`,"recorded":`)
	w.Bool(s.Recorded)
	w.IntField(`,"written":`, int64(s.Written))
	w.Field(`,"unread":`)
	w.Bool(s.Unread)
	w.IntField(`,"kept":`, int64(s.Kept))
	w.Field(`,"causeText":`)
	writeText(w, &s.CauseText)
	w.Field(`,"text":`)
	writeText(w, &s.Text)
	w.EndObject()
}

func writeLanding(w *json.Writer, s *core.Range) {
	w.BeginObject()
	w.IntField(`,"low":`, int64(s.Low))
	w.IntField(`,"high":`, int64(s.High))
	w.EndObject()
}

func writeRange(w *json.Writer, s *core.Range) {
	w.BeginObject()
	w.IntField(`,"low":`, int64(s.Low))
	w.IntField(`,"likely":`, int64(s.Likely))
	w.IntField(`,"high":`, int64(s.High))
	w.EndObject()
}

func writeAdvice(w *json.Writer, s *core.Advice) {
	w.BeginObject()
	w.StringField(`,"action":`, s.Action)
	w.Field(`,"label":`)
	writeText(w, &s.Label)
	w.IntField(`,"tokens":`, int64(s.Tokens))
	w.PlainField(`,"basis":`, s.Basis.String())
	w.Field(`,"atMost":`)
	w.Bool(s.AtMost)
	w.IntField(`,"items":`, int64(s.Items))
	if !s.How.Empty() {
		w.Field(`,"how":`)
		writeText(w, &s.How)
	}
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
	w.IntField(`,"steps":`, int64(s.Steps))
	w.EndObject()
}

func writeMiss(w *json.Writer, s *core.Miss) {
	w.BeginObject()
	w.IntField(`,"predicted":`, int64(s.Predicted))
	w.IntField(`,"actual":`, int64(s.Actual))
	w.IntField(`,"error":`, int64(s.Error))
	w.Field(`,"percent":`)
	w.Hundredths(s.Percent)
	if !s.Cause.Empty() {
		w.Field(`,"cause":`)
		writeText(w, &s.Cause)
	}
	w.EndObject()
}

func writeSpent(w *json.Writer, s *core.Spent) {
	w.BeginObject()
	w.IntField(`,"calls":`, int64(s.Calls))
	w.IntField(`,"in":`, int64(s.In))
	w.IntField(`,"out":`, int64(s.Out))
	w.IntField(`,"cacheRead":`, int64(s.CacheRead))
	w.IntField(`,"cacheWrite":`, int64(s.CacheWrite))
	w.IntField(`,"reasoning":`, int64(s.Reasoning))
	w.IntField(`,"total":`, int64(s.Total()))
	w.IntField(`,"effective":`, int64(s.Effective()))
	w.EndObject()
}

func writeAgentOwn(w *json.Writer, s *agentOwn) {
	w.BeginObject()
	percent(w, `,"percent":`, s.percent)
	if !s.label.Empty() {
		w.Field(`,"label":`)
		writeText(w, &s.label)
	}
	if !s.counts.Empty() {
		w.Field(`,"counts":`)
		writeText(w, &s.counts)
	}
	w.EndObject()
}

func writeDisplay(w *json.Writer, s *core.Display) {
	w.BeginObject()
	w.PlainField(`,"number":`, s.Number)
	w.PlainField(`,"mark":`, s.Mark)
	w.PlainField(`,"percent":`, s.Percent)
	w.PlainField(`,"used":`, s.Used)
	w.PlainField(`,"limit":`, s.Limit)
	w.PlainField(`,"free":`, s.Free)
	w.PlainField(`,"left":`, s.Left)
	w.PlainField(`,"percentLeft":`, s.PercentLeft)
	w.PlainField(`,"threshold":`, s.Threshold)
	w.PlainField(`,"thresholdPercent":`, s.ThresholdPercent)
	w.PlainField(`,"thresholdPercentLeft":`, s.ThresholdPercentLeft)
	w.PlainField(`,"bar":`, s.Bar)
	w.EndObject()
}

func writeBrief(w *json.Writer, s *shown) {
	w.BeginObject()
	w.StringField(`,"session":`, s.ID)
	w.StringField(`,"label":`, s.Label)
	w.StringField(`,"agent":`, s.Agent)
	w.StringField(`,"model":`, s.Model)
	w.StringField(`,"workspace":`, s.Workspace)
	w.StringField(`,"title":`, s.Title)
	w.StringField(`,"branch":`, s.Branch)
	w.Field(`,"parent":`)
	if s.Parent == "" {
		w.Null()
	} else {
		w.String(s.Parent)
	}
	w.IntField(`,"used":`, int64(s.Used))
	number(w, `,"limit":`, s.Limit)
	percent(w, `,"percent":`, s.Percent)
	w.PlainField(`,"level":`, s.Compaction.Level.String())
	w.PlainField(`,"basis":`, s.Basis.String())
	w.Field(`,"pending":`)
	w.Bool(s.Pending)
	w.PlainField(`,"activity":`, s.Activity.String())
	w.StringField(`,"waitingFor":`, s.WaitingFor)
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
	w.StringField(`,"session":`, s.ID)
	w.StringField(`,"label":`, s.Label)
	w.StringField(`,"agent":`, s.Agent)
	w.StringField(`,"model":`, s.Model)
	w.StringField(`,"workspace":`, s.Workspace)
	w.StringField(`,"title":`, s.Title)
	w.StringField(`,"branch":`, s.Branch)
	w.Field(`,"parent":`)
	if s.Parent == "" {
		w.Null()
	} else {
		w.String(s.Parent)
	}
	w.IntField(`,"used":`, int64(s.Used))
	number(w, `,"limit":`, s.Limit)
	percent(w, `,"percent":`, s.Percent)
	w.PlainField(`,"level":`, s.Compaction.Level.String())
	w.PlainField(`,"basis":`, s.Basis.String())
	w.Field(`,"pending":`)
	w.Bool(s.Pending)
	w.PlainField(`,"activity":`, s.Activity.String())
	w.StringField(`,"waitingFor":`, s.WaitingFor)
	number(w, `,"since":`, s.Since)
	number(w, `,"asOf":`, s.AsOf)
	w.Field(`,"children":`)
	s.writeChildIDs()
	w.Field(`,"display":`)
	writeDisplay(w, &s.Display)
	w.EndObject()
}

func writePanel(w *json.Writer, s *core.Panel) {
	w.BeginObject()
	w.Field(`,"sections":`)
	w.BeginArray()
	for i := range s.Sections {
		writePanelSection(w, &s.Sections[i])
	}
	w.EndArray()
	w.EndObject()
}

func writePanelSection(w *json.Writer, s *core.PanelSection) {
	w.BeginObject()
	w.StringField(`,"id":`, s.ID)
	w.Field(`,"title":`)
	writeText(w, &s.Title)
	if name := s.Only.String(); name != "" {
		w.PlainField(`,"only":`, name)
	}
	w.Field(`,"rows":`)
	w.BeginArray()
	for i := range s.Rows {
		writePanelRow(w, &s.Rows[i])
	}
	w.EndArray()
	w.EndObject()
}

func writePanelRow(w *json.Writer, s *core.PanelRow) {
	w.BeginObject()
	w.StringField(`,"id":`, s.ID)
	if !s.Label.Empty() {
		w.Field(`,"label":`)
		writeText(w, &s.Label)
	}
	if !s.Value.Empty() {
		w.Field(`,"value":`)
		writeText(w, &s.Value)
	}
	if !s.Short.Empty() {
		w.Field(`,"short":`)
		writeText(w, &s.Short)
	}
	if !s.Note.Empty() {
		w.Field(`,"note":`)
		writeText(w, &s.Note)
	}
	if name := s.Only.String(); name != "" {
		w.PlainField(`,"only":`, name)
	}
	if name := s.Tone.String(); name != "" {
		w.PlainField(`,"tone":`, name)
	}
	if s.Share != core.Unknown {
		percent(w, `,"share":`, s.Share)
	}
	if s.Bar != core.Unknown {
		percent(w, `,"bar":`, s.Bar)
	}
	if s.Mark != core.Unknown {
		percent(w, `,"mark":`, s.Mark)
	}
	if s.Kind != "" {
		w.StringField(`,"kind":`, s.Kind)
	}
	if s.Depth != 0 {
		w.IntField(`,"depth":`, int64(s.Depth))
	}
	if s.Session != "" {
		w.StringField(`,"session":`, s.Session)
	}
	if s.Place != core.Unknown {
		number(w, `,"place":`, s.Place)
	}
	if s.Action != "" {
		w.StringField(`,"action":`, s.Action)
	}
	if s.Dated != nil {
		w.Field(`,"dated":`)
		w.BeginArray()
		for i := range s.Dated {
			writeDated(w, &s.Dated[i])
		}
		w.EndArray()
	}
	w.EndObject()
}

func writeDated(w *json.Writer, s *core.Dated) {
	w.BeginObject()
	w.IntField(`,"from":`, int64(s.From))
	if !s.Value.Empty() {
		w.Field(`,"value":`)
		writeText(w, &s.Value)
	}
	if s.At != core.Unknown {
		number(w, `,"at":`, s.At)
	}
	if name := s.As.String(); name != "" {
		w.PlainField(`,"as":`, name)
	}
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
	w.StringField(`,"path":`, s.Path)
	w.StringField(`,"use":`, s.Use.String())
	number(w, `,"at":`, s.At)
	w.Field(`,"sent":`)
	w.Bool(s.Sent)
	w.EndObject()
}

func writeStep(w *json.Writer, s *step) {
	w.BeginObject()
	w.StringField(`,"session":`, s.Session)
	w.StringField(`,"model":`, s.Model)
	w.IntField(`,"call":`, int64(s.Call))
	w.StringField(`,"kind":`, s.Kind)
	w.IntField(`,"predicted":`, int64(s.Predicted))
	w.IntField(`,"low":`, int64(s.Low))
	w.IntField(`,"high":`, int64(s.High))
	w.IntField(`,"actual":`, int64(s.Actual))
	w.Field(`,"redacted":`)
	w.Bool(s.Redacted)
	w.IntField(`,"texts":`, int64(s.Texts))
	w.IntField(`,"held":`, int64(s.Held))
	w.IntField(`,"error":`, int64(s.Miss))
	w.Field(`,"percent":`)
	w.Hundredths(s.Percent)
	w.IntField(`,"turn":`, int64(s.Turn))
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
	if v := s.Return; v != nil {
		w.Field(`,"return":`)
		writeReturn(w, v)
	}
	if v := s.Break; v != nil {
		w.Field(`,"cacheBreak":`)
		writeCacheBreak(w, v)
	}
	w.EndObject()
}

func writeCacheBreak(w *json.Writer, s *core.CacheBreak) {
	w.BeginObject()
	w.StringField(`,"request":`, s.Request)
	number(w, `,"at":`, s.At)
	w.IntField(`,"call":`, int64(s.Call))
	w.StringField(`,"cause":`, s.Cause.String())
	w.Field(`,"recorded":`)
	w.Bool(s.Recorded)
	w.IntField(`,"written":`, int64(s.Written))
	w.Field(`,"unread":`)
	w.Bool(s.Unread)
	w.IntField(`,"kept":`, int64(s.Kept))
	w.EndObject()
}

func writeReturn(w *json.Writer, s *core.Return) {
	w.BeginObject()
	w.Field(`,"back":`)
	writeBack(w, &s.Back)
	w.IntField(`,"used":`, int64(s.Used))
	w.IntField(`,"pause":`, int64(s.Pause))
	number(w, `,"sent":`, s.Sent)
	w.IntField(`,"read":`, int64(s.Read))
	w.IntField(`,"wrote":`, int64(s.Wrote))
	w.Field(`,"cold":`)
	w.Bool(s.Cold)
	w.Field(`,"compacted":`)
	w.Bool(s.Compacted)
	w.EndObject()
}

func writeForecast(w *json.Writer, s *core.Forecast) {
	w.BeginObject()
	w.IntField(`,"threshold":`, int64(s.Threshold))
	w.Field(`,"calls":`)
	writeRange(w, &s.Calls)
	w.Field(`,"turns":`)
	writeRange(w, &s.Turns)
	w.EndObject()
}

func writeSessionsAnswer(w *json.Writer, s *listing) {
	w.BeginObject()
	w.Field(`,"sessions":`)
	s.write(w)
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
	w.Field(`,"verdicts":`)
	w.BeginArray()
	for i := range s.Verdicts {
		writeVerdict(w, &s.Verdicts[i])
	}
	w.EndArray()
	w.Field(`,"moves":`)
	w.BeginArray()
	for i := range s.Moves {
		writeThresholdMove(w, &s.Moves[i])
	}
	w.EndArray()
	w.Field(`,"breaks":`)
	w.BeginArray()
	for i := range s.Breaks {
		writeDetailedBreak(w, &s.Breaks[i])
	}
	w.EndArray()
	number(w, `,"threshold":`, s.Threshold)
	number(w, `,"limit":`, s.Limit)
	w.EndObject()
}

func writeHistoryPoint(w *json.Writer, s *point) {
	w.BeginObject()
	number(w, `,"at":`, s.At)
	w.IntField(`,"call":`, int64(s.Call))
	w.IntField(`,"used":`, int64(s.Used))
	percent(w, `,"percent":`, s.Percent)
	w.EndObject()
}

func writeHistoryCompaction(w *json.Writer, s *core.Landing) {
	w.BeginObject()
	number(w, `,"at":`, s.At)
	w.IntField(`,"call":`, int64(s.Call))
	number(w, `,"before":`, s.Before)
	number(w, `,"after":`, s.After)
	w.PlainField(`,"trigger":`, byAgent(s.Auto).String())
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
	w.IntField(`,"total":`, int64(s.Total))
	w.EndObject()
}

func writeFitsAnswer(w *json.Writer, s *core.Fit) {
	w.BeginObject()
	w.IntField(`,"tokens":`, int64(s.Tokens))
	w.PlainField(`,"basis":`, s.Basis.String())
	w.IntField(`,"used":`, int64(s.Used))
	number(w, `,"limit":`, s.Limit)
	percent(w, `,"percent":`, s.Percent)
	numberIf(w, `,"free":`, s.Limit, s.Free)
	number(w, `,"threshold":`, s.Threshold)
	percent(w, `,"thresholdPercent":`, s.ThresholdPercent)
	numberIf(w, `,"left":`, s.Threshold, s.Left)
	w.PlainField(`,"level":`, s.Level.String())
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
	writePhrase(w, `,"phrase":`, &s.Text)
	writeEnglish(w, `,"text":`, &s.Text)
	w.EndObject()
}

func writeFitsPart(w *json.Writer, s *core.FitPart) {
	w.BeginObject()
	w.StringField(`,"label":`, s.Label.String())
	w.IntField(`,"tokens":`, int64(s.Tokens))
	w.PlainField(`,"basis":`, s.Basis.String())
	if s.LeftOut {
		w.Field(`,"leftOut":`)
		w.Bool(true)
	}
	w.EndObject()
}

func writeFewer(w *json.Writer, s *core.Fewer) {
	w.BeginObject()
	w.IntField(`,"tokens":`, int64(s.Tokens))
	w.IntField(`,"used":`, int64(s.Used))
	percent(w, `,"percent":`, s.Percent)
	percent(w, `,"thresholdPercent":`, s.ThresholdPercent)
	w.PlainField(`,"level":`, s.Level.String())
	w.EndObject()
}

func writeLargeItem(w *json.Writer, s *core.Largest) {
	w.BeginObject()
	w.IntField(`,"index":`, int64(s.Index))
	w.PlainField(`,"kind":`, s.Kind.String())
	w.PlainField(`,"what":`, s.What.String())
	w.Field(`,"label":`)
	writeText(w, &s.Label)
	w.IntField(`,"times":`, int64(s.Times))
	w.IntField(`,"tokens":`, int64(s.Tokens))
	w.PlainField(`,"basis":`, s.Basis.String())
	percent(w, `,"share":`, s.Share)
	w.Field(`,"bar":`)
	w.Hundredths(s.Bar)
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
	w.StringField(`,"schema":`, LedgerSchema())
	w.StringField(`,"session":`, s.entry.session.ID)
	if s.entry.session.Parent != "" {
		w.StringField(`,"parent":`, s.entry.session.Parent)
	}
	w.Field(`,"settings":`)
	writeSettings(w, s.entry.settings)
	w.Field(`,"names":`)
	w.BeginArray()
	for i := range s.Names {
		w.String(s.Names[i])
	}
	w.EndArray()
	w.Field(`,"state":`)
	w.Base64(s.State)
	if v := s.Reader; v != nil {
		w.Field(`,"reader":`)
		writeReaderState(w, v)
	}
	w.EndObject()
}

func writeReaderState(w *json.Writer, s *agent.State) {
	w.BeginObject()
	w.StringField(`,"agent":`, s.Agent)
	w.StringField(`,"format":`, s.Format)
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
	w.StringField(`,"schema":`, documentSchema)
	w.StringField(`,"id":`, s.Document.ID)
	w.StringField(`,"path":`, s.Document.Path)
	w.StringField(`,"kind":`, s.Document.Kind.String())
	w.StringField(`,"title":`, s.Document.Kind.Title())
	w.StringField(`,"agent":`, s.Document.Agent)
	w.StringField(`,"model":`, s.model.model)
	w.Field(`,"modelChosen":`)
	w.Bool(s.model.chosen)
	w.Field(`,"load":`)
	writeDocumentLoad(w, &s.Load)
	w.IntField(`,"tokens":`, int64(s.Tokens))
	w.PlainField(`,"basis":`, s.basis.String())
	w.IntField(`,"listed":`, int64(s.Listed))
	w.IntField(`,"imported":`, int64(s.Imported))
	w.IntField(`,"files":`, int64(s.Files))
	w.IntField(`,"total":`, int64(s.total()))
	percent(w, `,"share":`, s.share())
	number(w, `,"limit":`, s.limit)
	w.PlainField(`,"limitOf":`, s.limitOf.String())
	w.Field(`,"sections":`)
	s.writeSections(w)
	w.IntField(`,"sectionCount":`, int64(len(s.View.Sections)))
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
	w.StringField(`,"when":`, s.When.String())
	w.Field(`,"globs":`)
	w.BeginArray()
	for i := range s.Globs {
		w.String(s.Globs[i])
	}
	w.EndArray()
	w.StringField(`,"why":`, s.Sentence())
	w.EndObject()
}

func writeSection(w *json.Writer, s *section) {
	w.BeginObject()
	w.StringField(`,"title":`, s.Title)
	w.IntField(`,"level":`, int64(s.Level))
	w.IntField(`,"from":`, int64(s.From))
	w.IntField(`,"to":`, int64(s.To))
	w.IntField(`,"end":`, int64(s.End))
	w.IntField(`,"own":`, int64(s.Own))
	w.IntField(`,"tokens":`, int64(s.Tokens))
	w.StringField(`,"display":`, short(s.mark, s.Tokens))
	w.StringField(`,"ownDisplay":`, short(s.mark, s.Own))
	w.EndObject()
}

func writeDocumentImport(w *json.Writer, s *imported) {
	w.BeginObject()
	w.StringField(`,"target":`, s.Target)
	w.IntField(`,"from":`, int64(s.From))
	w.IntField(`,"to":`, int64(s.To))
	w.StringField(`,"id":`, s.ID)
	w.StringField(`,"problem":`, s.Problem)
	w.IntField(`,"tokens":`, int64(s.Tokens))
	w.IntField(`,"all":`, int64(s.All))
	w.StringField(`,"display":`, short(s.mark, max(s.All, s.Tokens)))
	w.EndObject()
}

func writeFinding(w *json.Writer, s *promptfile.Finding) {
	w.BeginObject()
	w.IntField(`,"from":`, int64(s.From))
	w.IntField(`,"to":`, int64(s.To))
	w.IntField(`,"severity":`, int64(s.Severity))
	w.StringField(`,"code":`, s.Code)
	writeEnglish(w, `,"message":`, &s.Message)
	writePhrase(w, `,"phrase":`, &s.Message)
	if v := other(s); v != nil {
		w.Field(`,"other":`)
		writeOtherFinding(w, v)
	}
	w.EndObject()
}

func writeOtherFinding(w *json.Writer, s *promptfile.Finding) {
	w.BeginObject()
	w.StringField(`,"id":`, s.Other)
	w.IntField(`,"from":`, int64(s.OtherFrom))
	w.IntField(`,"to":`, int64(s.OtherTo))
	writeEnglish(w, `,"message":`, &s.OtherMessage)
	writePhrase(w, `,"phrase":`, &s.OtherMessage)
	w.EndObject()
}

func writeDocumentDisplay(w *json.Writer, s *view) {
	w.BeginObject()
	w.StringField(`,"mark":`, s.mark)
	w.StringField(`,"tokens":`, short(s.mark, s.Tokens))
	w.StringField(`,"imported":`, short(s.mark, s.Imported))
	w.StringField(`,"total":`, short(s.mark, s.total()))
	w.StringField(`,"listed":`, short(s.mark, s.Listed))
	w.StringField(`,"share":`, s.shownShare())
	w.StringField(`,"limit":`, s.shownLimit())
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
	if !s.Breakdown.Empty() {
		writeEnglish(w, `,"breakdown":`, &s.Breakdown)
	}
	writePhrase(w, `,"breakdownPhrase":`, &s.Breakdown)
	w.EndObject()
}

func writeTextPosition(w *json.Writer, s *promptfile.Position) {
	w.BeginObject()
	w.IntField(`,"line":`, int64(s.Line))
	w.IntField(`,"character":`, int64(s.Character))
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
	writeEnglish(w, `,"title":`, &s.Title)
	writePhrase(w, `,"phrase":`, &s.Title)
	w.EndObject()
}

func writeDocumentHint(w *json.Writer, s *promptfile.Hint) {
	w.BeginObject()
	w.Field(`,"position":`)
	writeTextPosition(w, &s.Position)
	w.StringField(`,"label":`, s.Label)
	writeEnglish(w, `,"tooltip":`, &s.Tooltip)
	writePhrase(w, `,"phrase":`, &s.Tooltip)
	w.EndObject()
}

func writeDocumentHover(w *json.Writer, s *promptfile.Hover) {
	w.BeginObject()
	w.Field(`,"range":`)
	writeTextRange(w, &s.Range)
	writeEnglish(w, `,"text":`, &s.Text)
	writePhrase(w, `,"phrase":`, &s.Text)
	w.EndObject()
}

func writeDocumentLink(w *json.Writer, s *promptfile.ImportLink) {
	w.BeginObject()
	w.Field(`,"range":`)
	writeTextRange(w, &s.Range)
	w.StringField(`,"id":`, s.ID)
	writeEnglish(w, `,"tooltip":`, &s.Tooltip)
	writePhrase(w, `,"phrase":`, &s.Tooltip)
	w.EndObject()
}

func writeDocumentDiagnostic(w *json.Writer, s *promptfile.Diagnostic) {
	w.BeginObject()
	w.Field(`,"range":`)
	writeTextRange(w, &s.Range)
	w.IntField(`,"severity":`, int64(s.Severity))
	w.StringField(`,"code":`, s.Code)
	writeEnglish(w, `,"message":`, &s.Message)
	writePhrase(w, `,"phrase":`, &s.Message)
	if v := s.Related; v != nil {
		w.Field(`,"related":`)
		writeDocumentReference(w, v)
	}
	w.EndObject()
}

func writeDocumentReference(w *json.Writer, s *promptfile.Related) {
	w.BeginObject()
	w.StringField(`,"id":`, s.ID)
	w.Field(`,"range":`)
	writeTextRange(w, &s.Range)
	writeEnglish(w, `,"message":`, &s.Message)
	writePhrase(w, `,"phrase":`, &s.Message)
	w.EndObject()
}

func writeCountAnswer(w *json.Writer, s *counted) {
	w.BeginObject()
	w.IntField(`,"tokens":`, int64(s.Tokens))
	w.PlainField(`,"basis":`, s.Basis.String())
	w.StringField(`,"encoding":`, s.Encoding)
	if !s.Note.Empty() {
		writeEnglish(w, `,"note":`, &s.Note)
	}
	writePhrase(w, `,"notePhrase":`, &s.Note)
	if s.SimilarModels != nil {
		w.Field(`,"similarModels":`)
		w.BeginArray()
		for i := range s.SimilarModels {
			w.String(s.SimilarModels[i])
		}
		w.EndArray()
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
	w.StringField(`,"id":`, s.ID)
	w.StringField(`,"provider":`, s.Provider)
	number(w, `,"window":`, orUnknown(s.Window))
	number(w, `,"input":`, orUnknown(s.Input))
	number(w, `,"output":`, orUnknown(s.Output))
	w.StringField(`,"sharing":`, s.Sharing())
	w.StringField(`,"encoding":`, s.Encoding)
	w.StringField(`,"family":`, s.Family)
	w.StringField(`,"reasoning":`, s.Reasoning.String())
	w.StringField(`,"source":`, s.Source)
	w.StringField(`,"date":`, s.Date)
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
	w.Field(`,"limits":`)
	w.BeginArray()
	for i := range s.limits {
		writeLimitsLesson(w, &s.limits[i])
	}
	w.EndArray()
	w.EndObject()
}

func writeLimitsLesson(w *json.Writer, s *core.LimitsLesson) {
	w.BeginObject()
	w.StringField(`,"key":`, strconv.FormatUint(s.Key, 16))
	w.StringField(`,"agent":`, s.Agent)
	w.StringField(`,"model":`, s.Model)
	number(w, `,"rule":`, s.Rule)
	number(w, `,"limit":`, s.Limit)
	w.IntField(`,"compacted":`, int64(s.Compacted))
	w.Field(`,"refuted":`)
	w.Bool(s.Refuted)
	number(w, `,"base":`, s.Base)
	number(w, `,"window":`, s.Window)
	number(w, `,"input":`, s.Input)
	w.IntField(`,"reserve":`, int64(s.Reserve))
	w.Field(`,"landings":`)
	w.BeginArray()
	for i := range s.Landings {
		w.Int(int64(s.Landings[i]))
	}
	w.EndArray()
	w.Field(`,"sessions":`)
	writeFingerprints(w, s.Sessions)
	w.StringField(`,"last":`, strconv.FormatUint(s.Last, 16))
	number(w, `,"at":`, s.At)
	w.EndObject()
}

func writeLesson(w *json.Writer, s *core.Lesson) {
	w.BeginObject()
	w.StringField(`,"key":`, strconv.FormatUint(s.Key, 16))
	w.StringField(`,"place":`, strconv.FormatUint(s.Place, 16))
	w.StringField(`,"agent":`, s.Agent)
	w.StringField(`,"model":`, s.Model)
	w.StringField(`,"session":`, strconv.FormatUint(s.Session, 16))
	w.Field(`,"bases":`)
	w.BeginArray()
	for i := range s.Bases {
		w.Int(int64(s.Bases[i]))
	}
	w.EndArray()
	number(w, `,"afterBase":`, s.AfterBase)
	number(w, `,"second":`, s.Second)
	w.IntField(`,"actual":`, int64(s.Actual))
	w.IntField(`,"estimated":`, int64(s.Estimated))
	w.PlainField(`,"reasoning":`, s.Mode.String())
	w.IntField(`,"steps":`, int64(s.Steps))
	number(w, `,"at":`, s.At)
	w.Field(`,"rows":`)
	w.BeginArray()
	for i := range s.Rows {
		w.Int(int64(s.Rows[i]))
	}
	w.EndArray()
	w.Field(`,"paces":`)
	w.BeginArray()
	for i := range s.Paces {
		writePace(w, &s.Paces[i])
	}
	w.EndArray()
	w.EndObject()
}

func writePace(w *json.Writer, s *core.Pace) {
	w.BeginObject()
	w.IntField(`,"tokens":`, int64(s.Tokens))
	w.IntField(`,"steps":`, int64(s.Steps))
	w.IntField(`,"requests":`, int64(s.Requests))
	w.IntField(`,"turns":`, int64(s.Turns))
	w.EndObject()
}

func writeRefused(w *json.Writer, s *Error) {
	w.BeginObject()
	w.IntField(`,"code":`, int64(Code(s.Kind)))
	w.StringField(`,"message":`, s.Message)
	w.Field(`,"data":`)
	writeRefusedData(w, s)
	w.EndObject()
}

func writeRefusedData(w *json.Writer, s *Error) {
	w.BeginObject()
	w.Field(`,"kind":`)
	w.Plain(s.Kind)
	if s.Field != "" {
		w.StringField(`,"field":`, s.Field)
	}
	if s.Name != "" {
		w.StringField(`,"name":`, s.Name)
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
