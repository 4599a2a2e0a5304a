// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// chosenRule is the compaction rule that the caller requested. text is its JSON, for a saved ledger; it is empty for
// the agent's own rule.
type chosenRule struct {
	text  string
	agent string
	rule  core.Rule
}

func (c *Core) readRule(f *json.Fields, to *chosenRule) (err *Error) {
	*to, err = c.ruleIn(f.Value)
	return err.within("rule")
}

func (c *Core) ruleIn(v json.Value) (chosenRule, *Error) {
	spec := chosenRule{text: string(v.Raw())}
	switch v.Kind() {
	case json.Null:
		return chosenRule{}, nil
	case json.String:
		name := v.String()
		if name == "none" {
			spec.rule = core.Rule{Name: "none", Source: "the user", Unadvised: true}
			return spec, nil
		}
		if !knownAgent(name) {
			return spec, unknownName("", "rule", name, append([]string{"none"}, agentNames()...))
		}
		spec.agent = name
		return spec, nil
	case json.Object:
	default:
		return spec, invalid("", "must be \"none\", an agent's name or an object with percent, or reserve and target, not "+v.Kind().String()+".")
	}
	r := &spec.rule
	r.Source = "the user"
	if err := c.fillRule(v, r); err != nil {
		return spec, err
	}
	if r.Percent == 0 && r.OutputCap == 0 && r.Threshold == 0 {
		err := invalid("", "needs percent, reserve or threshold.")
		err.Known = ruleFields
		return spec, err
	}
	r.Name = ruleName(r)
	return spec, nil
}

func readRulePercent(f *json.Fields, to *core.Rule) *Error {
	milli, fault := f.Value.Milli()
	if fault != json.NumberOK || milli <= 0 || milli > 100_000 {
		return wrong(f, "must be a number above 0 and up to 100.")
	}
	to.Percent = milli / 10
	return nil
}

func readRuleReserve(f *json.Fields, to *core.Rule) *Error {
	err := readTokens(f, &to.OutputCap)
	if err == nil && to.OutputCap == 0 {
		to.OutputCap = core.DefaultOutputCap
	}
	return err
}

func ruleName(r *core.Rule) string {
	name := ""
	add := func(s string) {
		if name != "" {
			name += ", "
		}
		name += s
	}
	if r.Percent > 0 {
		add(string(json.AppendHundredths(nil, r.Percent)) + " % of the limit")
	}
	if r.OutputCap > 0 {
		add("room for the answer, at most " + strconv.FormatInt(r.OutputCap, 10))
	}
	if r.Threshold > 0 {
		add("at " + strconv.FormatInt(r.Threshold, 10) + " tokens")
	}
	return name
}

// setRule applies a rule: the requested one, otherwise the agent's own.
func (e *entry) setRule(spec chosenRule) {
	e.chosenRule = spec
	e.session.RuleText = spec.text
	e.refresh()
}
