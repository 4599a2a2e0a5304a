// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// The states of a to-do.
const (
	open  = "open"
	doing = "doing"
	done  = "done"
)

// listTools maps the tools that replace the agent's whole list to the argument that contains it.
var listTools = map[string]string{
	"TodoWrite": "todos", "todowrite": "todos", "todo_write": "todos", "write_todos": "todos", "update_plan": "plan",
	"update_todo_list": "todos", "update_todo": "todos", "manage_todo_list": "todoList",
}

// todos returns the agent's to-do list after all its calls.
func todos(ctx context.Context, c *Conversation) []Todo {
	var list []Todo
	tasks := newTasks()
	for i, it := range c.items(ctx) {
		if it.Dropped {
			continue
		}
		if it.Kind == core.ToolResults && it.Call >= 0 {
			tasks.answered(it.Call, it)
			continue
		}
		if it.Kind != core.ToolCalls {
			continue
		}
		switch it.Tool {
		case "TaskCreate":
			tasks.create(i, it.Arguments())
			continue
		case "TaskUpdate":
			tasks.update(it.Arguments())
			continue
		}
		argument, isList := listTools[it.Tool]
		if !isList {
			if !strings.Contains(it.Text, "task_progress") { // Cline sends its checklist with any call
				continue
			}
			argument = "task_progress"
		}
		if found, ok := parseTodos(it.Arguments()[argument]); ok {
			list = found
		}
	}
	if len(tasks.list) > 0 {
		return tasks.todos()
	}
	return list
}

// parseTodos reads a list as JSON, or as a checklist in a text.
func parseTodos(text string) ([]Todo, bool) {
	text = strings.TrimSpace(text)
	var entries []struct{ Content, Description, Title, Text, Step, Task, Status, State string }
	if json.Unmarshal([]byte(text), &entries) == nil {
		list := []Todo{}
		for _, e := range entries {
			todo := Todo{State: stateOf(e.Status + e.State)}
			for _, words := range []string{e.Content, e.Step, e.Title, e.Text, e.Task, e.Description} {
				if todo.Text == "" {
					todo.Text = strings.TrimSpace(words)
				}
			}
			if todo.Text != "" && todo.State != "" {
				list = append(list, todo)
			}
		}
		return list, true
	}
	return checklist(text)
}

var box = regexp.MustCompile(`(?m)^\s*(?:[-*]\s*)?\[([ xX~\-])\]\s*(.+)$`)

func checklist(text string) ([]Todo, bool) {
	list := []Todo{}
	for _, m := range box.FindAllStringSubmatch(text, -1) {
		state := map[string]string{" ": open, "x": done, "X": done}[m[1]]
		if state == "" {
			state = doing
		}
		list = append(list, Todo{strings.TrimSpace(m[2]), state})
	}
	return list, len(list) > 0
}

// stateOf returns the state for an agent's word; "" for a task that was given up.
func stateOf(word string) string {
	switch strings.ToLower(word) {
	case "completed", "complete", "done":
		return done
	case "in_progress", "in-progress", "inprogress", "doing", "active":
		return doing
	case "cancelled", "canceled", "deleted":
		return ""
	}
	return open
}

// tasks is the list of an agent that creates and changes its entries one by one.
type tasks struct {
	list  []task
	calls map[int]int    // index in list, by the index of the call
	ids   map[string]int // index in list of the first task with an id
}

type task struct {
	todo    Todo
	removed bool
}

func newTasks() *tasks { return &tasks{calls: map[int]int{}, ids: map[string]int{}} }

func (t *tasks) create(call int, arguments map[string]string) {
	t.calls[call] = len(t.list)
	t.list = append(t.list, task{todo: Todo{strings.TrimSpace(arguments["subject"]), open}})
}

var taskNumber = regexp.MustCompile(`#(\d+)`)

// answered stores the number that the result of a call gives to a new task. An error removes the task.
func (t *tasks) answered(call int, result *Item) {
	at, ours := t.calls[call]
	if !ours {
		return
	}
	if m := taskNumber.FindStringSubmatch(result.Text); m != nil {
		if first, some := t.ids[m[1]]; !some || at < first {
			t.ids[m[1]] = at
		}
	}
	t.list[at].removed = t.list[at].removed || result.Failed
}

func (t *tasks) update(arguments map[string]string) {
	id := strings.Trim(arguments["taskId"], `"# `)
	at, some := t.ids[id]
	if !some {
		return
	}
	if word := arguments["status"]; word != "" {
		state := stateOf(word)
		t.list[at].todo.State, t.list[at].removed = state, state == ""
	}
	if subject := strings.TrimSpace(arguments["subject"]); subject != "" {
		t.list[at].todo.Text = subject
	}
}

func (t *tasks) todos() []Todo {
	list := []Todo{}
	for _, each := range t.list {
		if !each.removed && each.todo.Text != "" {
			list = append(list, each.todo)
		}
	}
	return list
}
