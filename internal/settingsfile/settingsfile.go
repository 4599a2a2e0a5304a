// Copyright The ctx-lsp authors. MIT licence.

// Package settingsfile explains the settings in agents' own files: values that are not used as written, and the
// resulting compaction threshold. The core computes the threshold, as for a session of the agent.
package settingsfile

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A Host contains what is needed to explain a file. It must not be used by several goroutines at the same time.
type Host struct {
	Environment dirs.Environment
	Workspace   string // "" for none
	Call        client.Call
	Scope       string // the scope of the temporary sessions
	// Running returns what is known about an agent's session here, nil if nothing is.
	Running func(agent string) *Running

	places []agents.SettingsPlace
}

// Running is what is known about an agent's session.
type Running struct {
	Model, Version string
	Limit          int64 // the window's limit; 0 if unknown
	Servers        []Server
}

// A Server is an MCP server, as in a Reading.
type Server struct {
	Name, Basis string
	Tokens      *int64
	Text        json.RawMessage
}

// The severities of the language server protocol.
const (
	Warning     = 2
	Information = 3
)

// An Explanation contains the findings and hovers for a file.
type Explanation struct {
	Findings []Finding
	Hovers   []Hover
}

// A Finding is a value that is not used as written, or another problem of a setting.
type Finding struct {
	At       configfile.Span
	Severity int
	Code     string
	Message  phrase.Text
}

// A Hover is a text about a part of the file.
type Hover struct {
	At   configfile.Span
	Text phrase.Text
}

// IsPlace reports whether an agent keeps settings or MCP servers in the file at a path.
func (h *Host) IsPlace(path string) bool {
	return len(h.at(path)) > 0
}

// at returns the agents that read the file at a path.
func (h *Host) at(path string) (places []agents.SettingsPlace) {
	if h.places == nil {
		h.places = agents.SettingsPlaces(h.Environment, h.Workspace)
	}
	for i := range h.places {
		if h.places[i].IsAt(path) {
			places = append(places, h.places[i])
		}
	}
	return places
}

// Explain explains the text of the file at a path. The explanation is empty if no agent keeps settings there, or if the
// text cannot be read.
func (h *Host) Explain(ctx context.Context, path string, text []byte) (out Explanation) {
	for _, place := range h.at(path) {
		p := pass{Host: h, ctx: ctx, path: path, text: text, agent: place.Agent, file: place.File, out: &out}
		if h.Running != nil {
			p.running = h.Running(place.Agent.ID)
		}
		p.settings()
		p.windows()
		p.servers()
	}
	slices.SortStableFunc(out.Findings, func(a, b Finding) int { return a.At.From - b.At.From })
	return out
}

// A pass explains a file for one agent.
type pass struct {
	*Host
	ctx     context.Context
	path    string
	text    []byte
	agent   *agents.Agent
	file    agents.SettingsFile
	running *Running
	out     *Explanation
}

func (p *pass) find(at configfile.Span, severity int, code string, message phrase.Text) {
	p.out.Findings = append(p.out.Findings, Finding{at, severity, code, message})
}

// mostWritten limits the settings explained in a file, which may be untrusted. The last ones are used.
const mostWritten = 200

// about returns the settings of a text that match the patterns.
func (p *pass) about(patterns ...string) []configfile.Written {
	found, _ := configfile.Find(p.file.Form, p.text, patterns...)
	return found[max(len(found)-mostWritten, 0):]
}

// settings explains the settings that move the threshold.
func (p *pass) settings() {
	written := p.about(p.file.Names...)
	if len(written) == 0 {
		return
	}
	values, from := agents.SettingsWith(p.Environment, p.agent, p.Workspace, p.path, p.text)
	in := p.lines(values)
	for i := range written {
		p.setting(&written[i], in, values, from)
	}
	if len(in) == 0 {
		return
	}
	text := p.hover(in)
	for i := range written {
		p.out.Hovers = append(p.out.Hovers, Hover{configfile.Span{From: written[i].Key.From, To: written[i].At.To}, text})
	}
	p.together(written, in)
}

// setting reports the problem with the value of one setting, if any.
func (p *pass) setting(w *configfile.Written, in []line, values configfile.Values, from map[string]agents.SettingFrom) {
	name := p.file.Setting(w)
	shown := phrase.Name(name)
	if p.file.Ignores(w) {
		text := phrase.SettingQuoted.Text(shown, phrase.Name(p.agent.Name()))
		if n, ok := sized(w.Value); ok {
			text = phrase.SettingWrite.Text(text.Arg(), phrase.Name(strconv.FormatInt(n, 10)))
		}
		p.find(w.At, Warning, "setting-text", text)
		return
	}
	if !w.Scalar {
		return
	}
	if of := from[name]; of.File != "" && !agents.SameFile(of.File, p.path) {
		p.find(w.At, Information, "setting-overruled", phrase.SettingElsewhere.Text(shown, phrase.Name(p.shown(of.File)), phrase.Name(of.Value)))
		return
	}
	// If the window is unknown, only what applies to every window is reported.
	var note phrase.Text
	for i := range in {
		of := in[i].source(name)
		switch {
		case of == nil && in[i].Threshold == nil:
			return // there is no threshold, which may be what the setting is for
		case of == nil:
			if by := p.outvotedBy(name, values); by != "" {
				p.find(w.At, Information, "setting-overruled", phrase.SettingOutvoted.Text(shown, phrase.Name(by)))
			}
			return
		}
		if note = of.note(); note.Empty() || note.Phrase.ID == phrase.SettingsTogether {
			return
		}
	}
	if note.Empty() {
		return
	}
	severity, code := Warning, "setting-value"
	if note.Phrase.ID == phrase.SettingIdle || note.Phrase.ID == phrase.SettingOlder {
		severity, code = Information, "setting-idle"
	}
	p.find(w.At, severity, code, phrase.SettingSays.Text(shown, note.Arg()))
}

// together reports settings that give a different threshold together than each gives alone.
func (p *pass) together(written []configfile.Written, in []line) {
	at := in[0]
	if at.Threshold == nil {
		return
	}
	var both []source
	for _, of := range at.Sources {
		if of.Setting != "" && of.State == "inForce" && of.Threshold != nil {
			if *of.Threshold == *at.Threshold {
				return
			}
			both = append(both, of)
		}
	}
	if len(both) < 2 {
		return
	}
	for i := range written {
		name := p.file.Setting(&written[i])
		j := slices.IndexFunc(both, func(of source) bool { return of.Setting == name })
		if j < 0 {
			continue
		}
		other := both[(j+1)%len(both)]
		text := phrase.SettingsWork.Text(phrase.Name(name), phrase.Name(other.Setting), phrase.Name(p.agent.Name()), phrase.Count(*at.Threshold), phrase.Count(*both[j].Threshold))
		p.find(written[i].At, Information, "settings-together", text)
	}
}

// outvotedBy returns another setting that makes the agent's rule ignore this one, or "".
func (p *pass) outvotedBy(name string, values configfile.Values) string {
	for _, of := range p.lines(values) {
		for _, source := range of.Sources {
			if source.Setting == "" || source.Setting == name {
				continue
			}
			without := configfile.Values{}
			for other, value := range values {
				if other != source.Setting {
					without[other] = value
				}
			}
			for _, of := range p.lines(without) {
				if of.source(name) != nil {
					return source.Setting
				}
			}
		}
	}
	return ""
}

// A line is the threshold in one window.
type line struct {
	Model     string `json:"-"`
	Window    int64  `json:"-"`
	Known     bool   `json:"-"` // whether a session has this window
	Rule      string
	Threshold *int64 // nil if there is no threshold
	Sources   []source
}

// A source is a source of a threshold, as in a Reading.
type source struct {
	Name, Note     json.RawMessage
	Setting, Value string
	Threshold      *int64
	State          string
}

// note returns how the value is used; an empty text if it is used as written.
func (s *source) note() phrase.Text { return read(s.Note) }

// read returns a text of a Reading.
func read(of json.RawMessage) phrase.Text {
	v, err := ownjson.Parse(of)
	if err != nil {
		return phrase.Text{}
	}
	if text, ok := phrase.Read(v); ok {
		return text
	}
	return phrase.Named(v.Get("text").String())
}

// source returns the source for a setting, nil if the rule does not use it.
func (l *line) source(setting string) *source {
	for i := range l.Sources {
		if l.Sources[i].Setting == setting {
			return &l.Sources[i]
		}
	}
	return nil
}

// assumed are the windows for which thresholds are shown if no session has one.
var assumed = []int64{200_000, 1_000_000}

// lines returns the threshold that the settings give: in the window of the known session, otherwise in each assumed
// one. It returns nil if the agent's rule is unknown.
func (p *pass) lines(values configfile.Values) (in []line) {
	if p.running != nil && p.running.Limit > 0 {
		if l, ok := p.line(values, p.running.Model, p.running.Version, p.running.Limit, 0, 0); ok {
			l.Known = true
			return []line{l}
		}
		return nil
	}
	for _, window := range assumed {
		l, ok := p.line(values, "", "", window, 0, 0)
		if !ok {
			return nil
		}
		in = append(in, l)
	}
	return in
}

// forAMoment is the id of the session that line opens.
const forAMoment = "settings"

// line temporarily opens a session with the settings, and returns its threshold.
func (p *pass) line(values configfile.Values, model, version string, window, input, output int64) (l line, ok bool) {
	limits := &api.Limits{Window: &window}
	if input > 0 {
		limits.Input = &input
	}
	if output > 0 {
		limits.Output = &output
	}
	result, err := p.Call.Open(p.ctx, &api.OpenParams{
		ID: forAMoment, Scope: p.Scope, Agent: p.agent.ID, AgentVersion: version, Model: model, Settings: values, Limits: limits,
	}).JSON()
	if err != nil {
		return l, false
	}
	var reading struct{ Compaction line }
	fault := json.Unmarshal(result, &reading)
	_, _ = p.Call.Close(context.WithoutCancel(p.ctx), &api.SessionParams{ID: forAMoment, Scope: p.Scope}).JSON()
	if fault != nil {
		return l, false
	}
	l = reading.Compaction
	l.Model, l.Window = model, window
	return l, l.Rule != "none"
}

// hover returns the threshold and its sources as a text.
func (p *pass) hover(in []line) phrase.Text {
	name := phrase.Name(p.agent.Name())
	var text phrase.Text
	switch at := in[0]; {
	case at.Threshold == nil:
		text = phrase.SettingThresholdNever.Text(name)
	case at.Known && at.Model != "":
		text = phrase.SettingThresholdWith.Text(name, phrase.Count(*at.Threshold), phrase.Name(at.Model))
	case at.Known || len(in) < 2 || in[1].Threshold == nil || *in[1].Threshold == *at.Threshold:
		text = phrase.SettingThreshold.Text(name, phrase.Count(*at.Threshold))
	default:
		text = phrase.SettingThresholdIn.Text(name, phrase.Count(*at.Threshold), phrase.Tokens(core.Short(at.Window)), phrase.Count(*in[1].Threshold), phrase.Tokens(core.Short(in[1].Window)))
	}
	parts := []phrase.Arg{text.Arg()}
	for _, of := range in[0].Sources {
		if len(in) > 1 {
			of.Threshold = nil // it depends on the window
		}
		parts = append(parts, phrase.Name("\n- "), describe(of).Arg())
	}
	return phrase.Sequence.Text(parts...)
}

// describe returns a sentence about a source of the threshold.
func describe(of source) phrase.Text {
	state := phrase.ThresholdIsInForce.Text()
	switch {
	case len(of.Note) > 0:
		state = of.note()
	case of.State != "inForce":
		state = phrase.ThresholdIsOverruled.Text()
	}
	switch {
	case of.Setting != "" && of.Threshold != nil:
		return phrase.SourceAlone.Text(phrase.Name(of.Setting), phrase.Name(of.Value), phrase.Count(*of.Threshold), state.Arg())
	case of.Setting != "":
		return phrase.Dotted.Text(phrase.Name(of.Setting+" = "+of.Value), state.Arg())
	case of.Threshold == nil:
		return phrase.Dotted.Text(read(of.Name).Arg(), state.Arg())
	}
	return phrase.SourceGives.Text(read(of.Name).Arg(), phrase.Count(*of.Threshold), state.Arg())
}

// shown returns a path in the form that users know: relative to the workspace or the home directory.
func (p *pass) shown(path string) string {
	for _, base := range []struct{ folder, before string }{{p.Workspace, ""}, {p.Environment.Home, "~/"}} {
		if rel, err := filepath.Rel(base.folder, path); base.folder != "" && err == nil && filepath.IsLocal(rel) {
			return base.before + filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(path)
}

// sized parses a number with a unit as users write it, such as 200k.
func sized(s string) (int64, bool) {
	s = strings.ToLower(strings.NewReplacer("_", "", ",", "", " ", "").Replace(s))
	unit := 1.0
	switch {
	case strings.HasSuffix(s, "k"):
		unit, s = 1e3, s[:len(s)-1]
	case strings.HasSuffix(s, "m"):
		unit, s = 1e6, s[:len(s)-1]
	}
	n, err := strconv.ParseFloat(s, 64)
	return int64(n * unit), err == nil && n > 0 && n*unit < float64(core.MaxTokens)
}

// windows explains models' limits: the threshold in each model's window.
func (p *pass) windows() {
	for _, of := range p.file.Windows {
		models := p.about(of.Model)
		if len(models) == 0 {
			continue
		}
		values, _ := agents.SettingsWith(p.Environment, p.agent, p.Workspace, p.path, p.text)
		limits := make([]modelLimits, len(models))
		for i, name := range [...]string{of.Window, of.Input, of.Output} {
			if name == "" {
				continue
			}
			for _, found := range p.about(of.Model + "." + name) {
				j := slices.IndexFunc(models, func(m configfile.Written) bool {
					return found.At.From >= m.At.From && found.At.To <= m.At.To
				})
				if j >= 0 {
					limits[j][i] = found
				}
			}
		}
		for i := range models {
			p.window(of, &models[i], &limits[i], values)
		}
	}
}

// modelLimits are the window of a model, its largest prompt and its longest response, as written.
type modelLimits [3]configfile.Written

func (p *pass) window(of agents.ModelWindow, model *configfile.Written, limits *modelLimits, values configfile.Values) {
	var numbers [len(limits)]int64
	for i, w := range limits {
		numbers[i], _ = strconv.ParseInt(w.Value, 10, 64)
	}
	at, outputAt := limits[0], limits[2]
	window, input, output := numbers[0], numbers[1], numbers[2]
	name := phrase.Name(p.agent.Name())
	switch {
	case at.Keys == nil:
		return
	case at.Quoted:
		text := phrase.SettingQuoted.Text(phrase.Name(of.Window), name)
		if n, ok := sized(at.Value); ok {
			text = phrase.SettingWrite.Text(text.Arg(), phrase.Name(strconv.FormatInt(n, 10)))
		}
		p.find(at.At, Warning, "setting-text", text)
		return
	case window <= 0:
		return
	case window < smallest:
		p.find(at.At, Warning, "window-small", phrase.SettingTooSmall.Text(phrase.Count(window)))
		return
	}
	l, ok := p.line(values, "", "", window, input, output)
	if !ok || l.Threshold == nil {
		return
	}
	if *l.Threshold <= 0 {
		where := at
		if outputAt.Keys != nil {
			where = outputAt
		}
		p.find(where.At, Warning, "window-full", phrase.SettingNoRoom.Text(name, phrase.Tokens(core.Short(window)), phrase.Tokens(core.Short(output))))
		return
	}
	text := phrase.SettingThresholdWith.Text(name, phrase.Count(*l.Threshold), phrase.Name(model.Keys[len(model.Keys)-1]))
	p.out.Hovers = append(p.out.Hovers, Hover{configfile.Span{From: at.Key.From, To: at.At.To}, text})
}

// smallest is the smallest window that is not taken for a mistake.
const smallest = 1000

// heavy is the divisor for the part of the window above which a server's tools are reported: a tenth.
const heavy = 10

// servers explains the MCP servers with tools in a session.
func (p *pass) servers() {
	if p.running == nil {
		return
	}
	written := p.about(p.file.Servers...)
	for i := range written {
		w := &written[i]
		j := slices.IndexFunc(p.running.Servers, func(s Server) bool { return s.Name == w.Keys[len(w.Keys)-1] })
		if j < 0 {
			continue
		}
		s := &p.running.Servers[j]
		text := read(s.Text)
		p.out.Hovers = append(p.out.Hovers, Hover{w.Key, text})
		if limit := p.running.Limit; s.Tokens != nil && limit > 0 && *s.Tokens > limit/heavy {
			tokens := core.Short(*s.Tokens)
			if s.Basis == "estimated" {
				tokens = "~" + tokens
			}
			p.find(w.Key, Warning, "server-heavy", phrase.SettingServer.Text(phrase.Name(s.Name), phrase.Tokens(tokens), phrase.Count(*s.Tokens*100/limit), phrase.Tokens(core.Short(limit))))
		}
	}
}
