// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// agentNames lists the agents that a session can be opened for.
func agentNames() []string { return append([]string{"generic"}, agent.Ruled()...) }

func knownAgent(name string) bool {
	for _, n := range agentNames() {
		if n == name {
			return true
		}
	}
	return false
}

// readAgent reads the agent that a session is opened for.
func readAgent(f *json.Fields, to *string) *Error {
	err := readString(f, to)
	if err == nil && !knownAgent(*to) {
		err = unknownName("agent", "agent", *to, agentNames())
	}
	return err
}

// readTranscriptAgent reads the agent that the records belong to.
func readTranscriptAgent(f *json.Fields, to *string) *Error {
	err := readString(f, to)
	if err == nil && *to != "" && agent.New(*to) == nil {
		err = unknownName("agent", "agent whose transcripts can be read", *to, agent.Readable())
	}
	return err
}

// refresh sets the rule and the window table for the current agent, version and model of the session. A rule requested
// by the caller stays.
func (e *entry) refresh() {
	s := e.session
	limits, _ := s.Limits()
	in := agent.Installation{Agent: s.Agent, Version: s.AgentVersion, Model: s.LikelyModel(), Provider: s.Provider, Limits: limits, Setting: e.setting}
	table, ok := agent.Window(in)
	if !ok {
		table = core.NoLimits
	}
	if agent.Resends(s.Agent) {
		s.ResendsReasoning()
	}
	s.Apply(core.LimitsForgotten{Source: core.FromAgentTable})
	if ok {
		s.Apply(core.LimitsKnown{Limits: table, Source: core.FromAgentTable})
		in.Limits, _ = s.Limits()
	}
	// The agent's own number and commands do not depend on any rule.
	own, sources := e.ownRule(in)
	rule := own
	switch {
	case e.chosenRule.agent != "":
		in.Agent, in.Version = e.chosenRule.agent, ""
		rule, _ = agent.Rule(in)
	case e.chosenRule.text != "":
		rule = e.chosenRule.rule
	}
	if rule.Sources = sources; e.chosenRule.text != "" {
		if len(sources) == 0 {
			sources = []core.RuleSource{{Kind: core.FromOwnRule, Rule: &own}}
		}
		rule.Sources = append([]core.RuleSource{{Kind: core.FromAskedRule}}, sources...)
	}
	rule.Prints, rule.PrintsAs = own.Prints, own.PrintsAs
	rule.Commands = agent.Commands(s.Agent)
	s.Apply(core.RuleSet{Rule: rule})
}

// ownRule returns the agent's rule with the settings from the host, and the rules that each setting alone and the agent
// without settings would have. The list is nil if no setting applies.
func (e *entry) ownRule(in agent.Installation) (core.Rule, []core.RuleSource) {
	var asked []core.RuleSource
	in.Setting = func(name string) string {
		value := e.setting(name)
		if value != "" && !slices.ContainsFunc(asked, func(source core.RuleSource) bool { return source.Setting == name }) {
			asked = append(asked, core.RuleSource{Kind: core.FromSetting, Setting: name, Value: value})
		}
		return value
	}
	in.Note = func(name string, note core.Text) {
		for i := range asked {
			if asked[i].Setting == name {
				asked[i].Note = note
			}
		}
	}
	rule, ok := agent.Rule(in)
	if !ok {
		return core.Rule{Name: "none"}, nil
	}
	if len(asked) == 0 {
		return rule, nil
	}
	in.Note = nil
	for i := range asked {
		source := &asked[i]
		in.Setting = func(name string) string {
			if name == source.Setting {
				return source.Value
			}
			return ""
		}
		alone, _ := agent.Rule(in)
		source.Rule = &alone
	}
	in.Setting = nil
	own, _ := agent.Rule(in)
	return rule, append(asked, core.RuleSource{Kind: core.FromOwnRule, Rule: &own})
}

// recall passes the learned corrections of earlier sessions of its kind to a session.
func (c *Core) recall(e *entry) {
	c.recallLimits(e)
	if len(c.lessons) == 0 {
		return
	}
	s := e.session
	place := s.LessonPlace()
	if l := lessonOf(c.lessons, lessonKey, s.LessonKey()); l != nil {
		s.Learn(l)
		return
	}
	s.ForgetEarlier()
	if place == 0 || !s.Unmeasured() {
		return
	}
	last := -1
	for i := range c.lessons {
		if l := &c.lessons[i]; l.Place == place && (last < 0 || l.At >= c.lessons[last].At) {
			last = i
		}
	}
	if last < 0 {
		return
	}
	l := &c.lessons[last]
	s.LearnBase(l)
	if s.Expect(l.Model) {
		e.refresh()
	}
}

// setting returns an agent's environment variable or setting, or "" if the host has not sent it.
func (e *entry) setting(name string) string {
	for i := range e.settings {
		if e.settings[i].name == name {
			return e.settings[i].value
		}
	}
	return ""
}

type setting struct{ name, value string }
