// Copyright The ctx-lsp authors. MIT licence.

// Code generated from core/api/schema*.go and methods.go by `make generated`. DO NOT EDIT.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func (to *Reading) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "session":
			to.Session = string(f.Value.String())
		case "label":
			to.Label = string(f.Value.String())
		case "agent":
			to.Agent = string(f.Value.String())
		case "model":
			to.Model = string(f.Value.String())
		case "workspace":
			to.Workspace = string(f.Value.String())
		case "title":
			to.Title = string(f.Value.String())
		case "branch":
			to.Branch = string(f.Value.String())
		case "parent":
			to.Parent = knownText(f.Value)
		case "mode":
			to.Mode = Mode(f.Value.String())
		case "basis":
			to.Basis = Basis(f.Value.String())
		case "pending":
			to.Pending = f.Value.Bool()
		case "activity":
			to.Activity = Activity(f.Value.String())
		case "waitingFor":
			to.WaitingFor = string(f.Value.String())
		case "used":
			to.Used = int64(wholeNumber(f.Value))
		case "limit":
			to.Limit = knownNumber[int64](f.Value)
		case "free":
			to.Free = knownNumber[int64](f.Value)
		case "percent":
			to.Percent = knownShare(f.Value)
		case "lastRequest":
			if f.Value.Kind() == json.Object {
				to.LastRequest = new(LastRequest)
				to.LastRequest.glance(f.Value)
			}
		case "breakdown":
			for e := f.Value.Elements(); e.Next(); {
				var one Row
				one.glance(e.Value)
				to.Breakdown = append(to.Breakdown, one)
			}
		case "compaction":
			to.Compaction.glance(f.Value)
		case "accuracy":
			to.Accuracy.glance(f.Value)
		case "spent":
			to.Spent.glance(f.Value)
		case "cache":
			to.Cache.glance(f.Value)
		case "asOf":
			to.AsOf = knownNumber[Time](f.Value)
		case "unmeasured":
			to.Unmeasured.glance(f.Value)
		case "agentOwn":
			if f.Value.Kind() == json.Object {
				to.AgentOwn = new(AgentOwn)
				to.AgentOwn.glance(f.Value)
			}
		case "display":
			to.Display.glance(f.Value)
		case "opening":
			to.Opening = string(f.Value.String())
		}
	}
}

func (to *LastRequest) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "in":
			to.In = int64(wholeNumber(f.Value))
		case "percent":
			to.Percent = knownShare(f.Value)
		}
	}
}

func (to *Row) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "kind":
			to.Kind = Kind(f.Value.String())
		case "tokens":
			to.Tokens = int64(wholeNumber(f.Value))
		case "deferred":
			to.Deferred = f.Value.Bool()
		}
	}
}

func (to *Compaction) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "threshold":
			to.Threshold = knownNumber[int64](f.Value)
		case "thresholdShare":
			to.ThresholdShare = knownShare(f.Value)
		case "left":
			to.Left = knownNumber[int64](f.Value)
		case "percent":
			to.Percent = knownShare(f.Value)
		case "level":
			to.Level = Level(f.Value.String())
		case "callsLeft":
			if f.Value.Kind() == json.Object {
				to.CallsLeft = new(Range)
				to.CallsLeft.glance(f.Value)
			}
		case "turnsLeft":
			if f.Value.Kind() == json.Object {
				to.TurnsLeft = new(Range)
				to.TurnsLeft.glance(f.Value)
			}
		case "hint":
			to.Hint.glance(f.Value)
		case "count":
			to.Count = int64(wholeNumber(f.Value))
		}
	}
}

func (to *Accuracy) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "last":
			if f.Value.Kind() == json.Object {
				to.Last = new(Miss)
				to.Last.glance(f.Value)
			}
		case "steps":
			to.Steps = int64(wholeNumber(f.Value))
		}
	}
}

func (to *Spent) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "calls":
			to.Calls = int64(wholeNumber(f.Value))
		}
	}
}

func (to *Cache) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "back":
			if f.Value.Kind() == json.Object {
				to.Back = new(Back)
				to.Back.glance(f.Value)
			}
		case "breaks":
			if f.Value.Kind() == json.Object {
				to.Breaks = new(CacheBreaks)
				to.Breaks.glance(f.Value)
			}
		}
	}
}

func (to *Text) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "text":
			to.Text = string(f.Value.String())
		case "id":
			to.ID = string(f.Value.String())
		}
	}
}

func (to *AgentOwn) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "percent":
			to.Percent = knownShare(f.Value)
		}
	}
}

func (to *Display) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "number":
			to.Number = string(f.Value.String())
		case "mark":
			to.Mark = string(f.Value.String())
		case "percent":
			to.Percent = string(f.Value.String())
		case "used":
			to.Used = string(f.Value.String())
		case "limit":
			to.Limit = string(f.Value.String())
		case "free":
			to.Free = string(f.Value.String())
		case "left":
			to.Left = string(f.Value.String())
		case "percentLeft":
			to.PercentLeft = string(f.Value.String())
		case "threshold":
			to.Threshold = string(f.Value.String())
		case "thresholdPercent":
			to.ThresholdPercent = string(f.Value.String())
		case "thresholdPercentLeft":
			to.ThresholdPercentLeft = string(f.Value.String())
		case "bar":
			to.Bar = string(f.Value.String())
		}
	}
}

func (to *Range) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "low":
			to.Low = int64(wholeNumber(f.Value))
		case "likely":
			to.Likely = int64(wholeNumber(f.Value))
		case "high":
			to.High = int64(wholeNumber(f.Value))
		}
	}
}

func (to *Miss) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "error":
			to.Error = int64(wholeNumber(f.Value))
		case "percent":
			if n := knownShare(f.Value); n != nil {
				to.Percent = *n
			}
		}
	}
}

func (to *Back) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "warmUntil":
			to.WarmUntil = int64(wholeNumber(f.Value))
		case "coldFrom":
			to.ColdFrom = int64(wholeNumber(f.Value))
		case "warnFrom":
			to.WarnFrom = int64(wholeNumber(f.Value))
		case "cause":
			to.Cause = BackCause(f.Value.String())
		case "life":
			to.Life = int64(wholeNumber(f.Value))
		case "anew":
			to.Rewritten = int64(wholeNumber(f.Value))
		}
	}
}

func (to *CacheBreaks) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "count":
			to.Count = int64(wholeNumber(f.Value))
		case "last":
			to.Last.glance(f.Value)
		}
	}
}

func (to *DetailedBreak) glance(v json.Value) {
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "cause":
			to.Cause = BreakCause(f.Value.String())
		}
	}
}
