// Copyright The ctx-lsp authors. MIT licence.

// Package telemetry measures what many sessions have in common, for operators of agents on many machines: how full
// windows are, what they contain, how often they are compacted, and the error of predictions. It stores numbers, names
// of agents and models, and hashes of projects, but no paths, session ids or texts.
//
// A [Meter] reads Readings and computes nothing that a Reading contains; it only selects, counts and groups. Its values
// are written as Prometheus text, and sent over OpenTelemetry by ctx-lsp-fleet.
package telemetry

import (
	"cmp"
	"slices"
	"strings"
)

// Kind is the kind of an instrument.
type Kind int

// The kinds of instruments.
const (
	Gauge Kind = iota
	Counter
	Histogram
)

// An Instrument is one measured quantity, described in OpenTelemetry's terms.
type Instrument struct {
	Name string
	Unit string // "{token}", "1" for a share, and so on
	Kind Kind
	Text string // a description in one sentence
	// Bounds are the upper bounds of a histogram's buckets.
	Bounds []float64
	// Attributes are the keys that its points may have.
	Attributes []string
}

// The keys of attributes. The first three belong to OpenTelemetry's conventions for generative AI. The third is a
// boolean, and is set only if it is true.
const (
	AgentName    = "gen_ai.agent.name"
	RequestModel = "gen_ai.request.model"
	CompactedOf  = "gen_ai.conversation.compacted"
	BasisOf      = "ctx.basis"
	KindOf       = "ctx.kind"
	LevelOf      = "ctx.level"
	ProjectOf    = "ctx.project"
	TriggerOf    = "ctx.compaction.trigger"
	BreakCauseOf = "ctx.cache.break.cause"
)

// sizes are the bounds for prompts. The conventions use powers of four for tokens, which cannot distinguish 70,000 from
// 260,000.
var sizes = []float64{
	1e3, 2e3, 4e3, 8e3, 16e3, 32e3, 48e3, 64e3, 80e3, 96e3, 112e3, 128e3, 144e3, 160e3, 176e3, 200e3, 256e3, 320e3,
	400e3, 512e3, 640e3, 800e3, 1e6, 2e6,
}

var ofSeries = []string{AgentName, RequestModel, BasisOf}

// The instruments, in the order of the documentation.
var (
	ContextUsed        = &Instrument{"ctx.context.used", "{token}", Gauge, "Size of the next request of the live session nearest its compaction threshold.", nil, ofSeries}
	ContextWindow      = &Instrument{"ctx.context.window", "{token}", Gauge, "The largest prompt of that session's model.", nil, ofSeries}
	ContextThreshold   = &Instrument{"ctx.context.threshold", "{token}", Gauge, "Compaction threshold of that session.", nil, ofSeries}
	ContextHeadroom    = &Instrument{"ctx.context.headroom", "{token}", Gauge, "Tokens left to the compaction threshold, or to the window if no threshold is known.", nil, ofSeries}
	ContextUtilization = &Instrument{"ctx.context.utilization", "1", Gauge, "Used share of the compaction threshold, or of the window if no threshold is known.", nil, ofSeries}
	WindowSize         = &Instrument{"gen_ai.context.window_size", "{token}", Gauge, "The same as ctx.context.window, by the name that backends know.", nil, ofSeries}
	WindowUtilization  = &Instrument{"gen_ai.context.utilization", "1", Gauge, "Used share of the window, by the name that backends know.", nil, ofSeries}
	ContextComposition = &Instrument{"ctx.context.composition", "{token}", Gauge, "Content of that session's window, by kind; the kinds add up to the used tokens.", nil, []string{AgentName, RequestModel, BasisOf, KindOf}}
	Compactions        = &Instrument{"ctx.compactions", "{compaction}", Counter, "Compactions.", nil, []string{AgentName, RequestModel, TriggerOf, CompactedOf}}
	CompactionBefore   = &Instrument{"ctx.compaction.before", "{token}", Histogram, "The prompt before a compaction.", sizes, []string{AgentName, RequestModel}}
	CompactionAfter    = &Instrument{"ctx.compaction.after", "{token}", Histogram, "The first prompt after a compaction.", sizes, []string{AgentName, RequestModel, CompactedOf}}
	CacheBreaks        = &Instrument{"ctx.cache.breaks", "{break}", Counter, "Requests that wrote the prompt cache again.", nil, []string{AgentName, RequestModel, BreakCauseOf}}
	RequestsAt         = &Instrument{"ctx.requests.at", "{token}", Histogram, "Prompts of requests, including cached tokens.", sizes, []string{AgentName, RequestModel}}
	FirstRequest       = &Instrument{"ctx.first_request", "{token}", Gauge, "Fixed context in each prompt of a project.", nil, []string{AgentName, ProjectOf}}
	PredictionError    = &Instrument{"ctx.prediction.error", "1", Histogram, "Error of predicted prompts, as a share of the measured prompt.", []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1}, []string{AgentName, RequestModel}}
	Sessions           = &Instrument{"ctx.sessions", "{session}", Gauge, "Known sessions, by level.", nil, []string{LevelOf}}
	Missed             = &Instrument{"ctx.telemetry.missed", "{request}", Counter, "Requests that could not be measured individually.", nil, nil}
	Dropped            = &Instrument{"ctx.telemetry.dropped", "{report}", Counter, "Reports dropped because no collector accepted them before newer ones arrived.", nil, nil}
)

// Instruments contains all instruments.
var Instruments = []*Instrument{
	ContextUsed, ContextWindow, ContextThreshold, ContextHeadroom, ContextUtilization, WindowSize, WindowUtilization,
	ContextComposition, Compactions, CompactionBefore, CompactionAfter, CacheBreaks, RequestsAt, FirstRequest, PredictionError, Sessions, Missed, Dropped,
}

// An Attribute is a key and its value.
type Attribute struct{ Key, Value string }

// A Point is the value of a gauge or a counter for some attributes.
type Point struct {
	Of         *Instrument
	Attributes []Attribute
	Value      float64
}

// A Distribution is the state of a histogram for some attributes. Counts has one element more than Bounds.
type Distribution struct {
	Of         *Instrument
	Attributes []Attribute
	Counts     []int64
	Sum        float64
}

// counts are the counters and histograms since the start.
type counts struct {
	points        map[string]*Point
	distributions map[string]*Distribution
}

func newCounts() counts {
	return counts{map[string]*Point{}, map[string]*Distribution{}}
}

func keyOf(of *Instrument, attributes []Attribute) string {
	var b strings.Builder
	b.WriteString(of.Name)
	for _, a := range attributes {
		b.WriteByte(0)
		b.WriteString(a.Value)
	}
	return b.String()
}

func (c counts) add(of *Instrument, n int64, attributes ...Attribute) {
	key := keyOf(of, attributes)
	p := c.points[key]
	if p == nil {
		p = &Point{Of: of, Attributes: attributes}
		c.points[key] = p
	}
	p.Value += float64(n)
}

func (c counts) record(of *Instrument, value float64, attributes ...Attribute) {
	key := keyOf(of, attributes)
	d := c.distributions[key]
	if d == nil {
		d = &Distribution{Of: of, Attributes: attributes, Counts: make([]int64, len(of.Bounds)+1)}
		c.distributions[key] = d
	}
	i, _ := slices.BinarySearch(of.Bounds, value) // the first bound that is not less
	d.Counts[i]++
	d.Sum += value
}

// byPlace compares points by the order of their instruments, then by their attributes.
func byPlace(a, b *Instrument, of, other []Attribute) int {
	return cmp.Or(cmp.Compare(slices.Index(Instruments, a), slices.Index(Instruments, b)),
		slices.CompareFunc(of, other, func(a, b Attribute) int { return cmp.Compare(a.Value, b.Value) }))
}
