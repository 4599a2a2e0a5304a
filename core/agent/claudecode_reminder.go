// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Before 2.1.100, Claude Code sends a reminder of the task list without recording it: with the first request after ten
// parts of responses that are not thinking, counted from the last reminder and from the last use of a task tool. A
// resume loads no reminder, so one is due immediately after it.
const (
	reminderEvery = 10
	// maxTasks is how many tasks are remembered.
	maxTasks = 500
)

// reminders predicts the reminder of the task list.
type reminders struct {
	sent  int // parts of responses since the last reminder
	used  int // parts of responses since the list was used
	given int // number of tasks ever created
	tasks []task
	in    uint64 // the response during which one became due; its remaining parts are not counted
}

// task is an entry of the list: its number, and its length in tokens.
type task struct {
	number int
	tokens int64
}

// answerPart counts a part of a response.
func (m *reminders) answerPart(answer uint64) {
	if m.in != 0 && m.in == answer {
		return
	}
	m.sent++
	m.used++
}

// called applies a call of a task tool to the list.
func (m *reminders) called(tool string, input json.Value) {
	switch tool {
	case "TodoWrite":
		m.tasks = m.tasks[:0]
		for e := input.Get("todos").Elements(); e.Next() && len(m.tasks) < maxTasks; {
			m.tasks = append(m.tasks, task{len(m.tasks) + 1, taskTokens(e.Value.Get("content"))})
		}
	case "TaskCreate":
		m.given++
		if len(m.tasks) < maxTasks {
			m.tasks = append(m.tasks, task{m.given, taskTokens(input.Get("subject"))})
		}
	case "TaskUpdate":
		number, _ := number(input.Get("taskId").String())
		for i := range m.tasks {
			if m.tasks[i].number != int(number) {
				continue
			}
			if input.Get("status").Is("deleted") {
				m.tasks = append(m.tasks[:i], m.tasks[i+1:]...)
				break
			}
			if subject := input.Get("subject"); reader.HasText(subject) {
				m.tasks[i].tokens = taskTokens(subject)
			}
		}
	default:
		return
	}
	m.used = 0
}

// taskTokens returns the length of a line "#7. [pending] subject".
func taskTokens(subject json.Value) int64 { return 8 + int64(subject.TextLen())/4 }

// due returns the length in tokens of the reminder in the next request, 0 if there is no reminder.
func (m *reminders) due(answer uint64) int64 {
	if m.sent < reminderEvery || m.used < reminderEvery {
		return 0
	}
	m.sent, m.in = 0, answer
	tokens := int64(113)
	if len(m.tasks) > 0 {
		tokens += 20
	}
	for _, t := range m.tasks {
		tokens += t.tokens
	}
	return tokens
}

// resumed makes a reminder due, because a resume loads none.
func (m *reminders) resumed() { m.sent = max(m.sent, m.used) }

// restart starts counting again, as after a compaction.
func (m *reminders) restart() { m.sent, m.used, m.in = 0, 0, 0 }

// remind adds the reminder if one is due.
func (c *claudeCode) remind() {
	if !c.old || c.sideOnly {
		return
	}
	if tokens := c.reminders.due(c.request); tokens > 0 {
		item := reader.NewItem(core.User)
		item.Label = phrase.TaskReminder.Text()
		item.Tokens, item.Hidden = tokens, true
		c.add(item)
	}
}

// usualListing is the usual size of the list of skills; the request that contains it shows its own.
const usualListing = 1_500

// listSkillsAgain adds the list of skills, which versions before 2.1.100 send again without a record after one of them
// was written.
func (c *claudeCode) listSkillsAgain() {
	if !c.skills {
		return
	}
	c.skills = false
	item := reader.NewItem(core.Skills)
	item.Name, item.Label = "skill_listing", phrase.AttachedSkills.Text()
	item.Tokens, item.Hidden, item.Assumed = usualListing, true, true
	c.add(item)
}

func (m *reminders) Walk(c *codec.Codec) {
	codec.Within(c, "sent", &m.sent, 0, core.MaxItems)
	codec.Within(c, "used", &m.used, 0, core.MaxItems)
	codec.Within(c, "given", &m.given, 0, core.MaxItems)
	c.Hash("in", &m.in)
	codec.List(c, "tasks", &m.tasks, maxTasks, func(each *task, c *codec.Codec) {
		codec.Within(c, "number", &each.number, 0, core.MaxItems)
		c.Ints("tokens", &each.tokens)
	})
}

// totalTokensReminder is the length of "<total_tokens>N tokens left</total_tokens>" in a reminder.
const totalTokensReminder = 23

// usualBudget is the text of the reminder of the tokens left in newer versions.
const usualBudget = "<system-reminder>\n<total_tokens>15000000 tokens left</total_tokens>\n</system-reminder>"

// budgetReminder is the reminder of the tokens left, which comes with each step
// from 2.1.233 on. In a terminal, its record follows the request that sends it.
type budgetReminder struct {
	sent     bool // set if the last step had one
	rendered bool // its text is recorded
	expected int  // index of the item for the next one, plus one; 0 for none
}

// budgetItem returns the item of a reminder; text is empty if it is not recorded.
func budgetItem(text []byte) core.Item {
	item := reader.NewItem(core.User)
	item.Label = phrase.TotalTokens.Text()
	if item.Text = text; len(text) == 0 {
		item.Tokens, item.Hidden = totalTokensReminder, true
	}
	return item
}

// expectBudget adds the reminder that the next request sends, if the previous one had one.
func (c *claudeCode) expectBudget() {
	if !c.budget.sent || c.budget.expected > 0 {
		return
	}
	var text []byte
	if c.budget.rendered {
		text = []byte(usualBudget)
	}
	c.budget.expected = 1 + c.add(budgetItem(text))
}

// budgetSent reads the record of a reminder, which replaces the expected one.
func (c *claudeCode) budgetSent(text []byte) {
	item := budgetItem(text)
	if at := c.budget.expected - 1; at >= 0 && at < c.Items {
		c.Emit(core.Replaced{Index: at, Item: item})
	} else {
		c.add(item)
	}
	c.budget = budgetReminder{sent: true, rendered: len(text) > 0}
}

// noBudget removes an expected reminder that is not in the request.
func (c *claudeCode) noBudget() {
	if at := c.budget.expected - 1; at >= 0 && at < c.Items {
		c.Emit(core.Dropped{Index: at})
		c.budget = budgetReminder{}
	}
}

func (b *budgetReminder) walk(c *codec.Codec) {
	c.Bools("sent rendered", &b.sent, &b.rendered)
	codec.Within(c, "expected", &b.expected, 0, core.MaxItems)
}
