// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// attached appends an attachment, which follows a message. Newer versions record the text as it was sent, so that its
// wrapper need not be known. An attachment without text, such as a snapshot of the prompt, is part of the first
// request.
func (c *claudeCode) attached(r json.Value) {
	a := r.Get("attachment")
	if hook := a.Get("hookName"); hook.Is("SessionStart:resume") || hook.Is("SessionStart:fork") {
		c.Emit(core.ProcessEnded{Certain: true})
	}
	if a.Get("type").Is("mcp_instructions_delta") && c.in > 0 {
		c.serverTouched(a)
	}
	c.named(a)
	rendered := r.Get("rendered")
	kind, label := attachedKind(reader.Short(a.Get("type")))
	if rendered.Len() == 0 || kind == core.Tools {
		c.attachment(a)
		return
	}
	text := renderedText(c.Scratch[:0], rendered)
	c.Scratch = text
	switch {
	case len(text) == 0:
		c.attachment(a)
		return
	case a.Get("type").Is("instructions") && !a.Get("changed").Bool():
		c.instructions(a, text) // part of the first request, though newer versions render it
		return
	case a.Get("type").Is("total_tokens_reminder"):
		c.budgetSent(text)
		return
	}
	item := reader.NewItem(kind)
	item.Text, item.Label = text, label
	c.add(item)
}

// serverTouched reports that a server came or left, whose instructions are in the system prompt. Unless tools are only
// listed, those of the server are in every request.
func (c *claudeCode) serverTouched(a json.Value) {
	touched := core.PromptTouched{Kind: core.System}
	names := func(list string) (names []string) {
		for e := a.Get(list).Elements(); e.Next() && len(names) < reader.MaxTools; {
			touched.Name = reader.Short(e.Value)
			names = append(names, touched.Name)
		}
		return names
	}
	changed := core.ServersChanged{Left: names("removedNames"), Came: names("addedNames")}
	c.Emit(touched)
	if !c.deferred && len(changed.Left)+len(changed.Came) > 0 {
		c.Emit(changed)
	}
}

// renderedText appends the text of an attachment as it was sent.
func renderedText(text []byte, rendered json.Value) []byte {
	for e := rendered.Elements(); e.Next(); {
		if content := e.Value.Get("content"); content.Kind() == json.String {
			text = content.AppendText(text)
		} else {
			for p := content.Elements(); p.Next(); {
				text = p.Value.Get("text").AppendText(text)
			}
		}
	}
	return text
}

// named adopts the model that an attachment names before a response does: the model's own name in its instructions, or
// the one that a command requests.
func (c *claudeCode) named(a json.Value) {
	model := a.Path("identity", "modelId")
	if a.Get("type").Is("command_permissions") && c.Model == "" {
		model = a.Get("model")
	}
	if name := reader.Short(model); strings.HasPrefix(claudeName(bare(name)), "claude-") {
		c.SetModel(name, "anthropic", "messages")
		c.expectFirst()
	}
}

// attachedKind returns the row of an attachment, and its label in that row.
func attachedKind(kind string) (core.Kind, core.Text) {
	switch kind {
	case "nested_memory", "instructions":
		return core.Memory, phrase.AttachedMemory.Text()
	case "file", "compact_file", "edited_text_file", "compact_file_reference":
		return core.Documents, phrase.AttachedFile.Text()
	case "deferred_tools_delta", "prompt_snapshot":
		return core.Tools, phrase.AttachedTools.Text() // its text is not recorded
	case "agent_listing_delta":
		return core.Agents, phrase.AttachedAgents.Text()
	case "mcp_instructions_delta":
		return core.MCPTools, phrase.MCPInstructions.Text()
	case "skill_listing", "invoked_skills":
		return core.Skills, phrase.AttachedSkills.Text()
	case "hook_success", "hook_additional_context", "hook_blocking_error":
		return core.User, phrase.Hook.Text()
	case "queued_command":
		return core.User, core.Text{}
	}
	return core.User, core.Named(strings.ReplaceAll(kind, "_", " "))
}

// attachment reads content that Claude Code adds to a message: reminders, memory files of a directory, lists of tools.
// Each is sent inside a wrapper of fixed text that the transcript does not contain.
func (c *claudeCode) attachment(a json.Value) {
	kind := reader.Short(a.Get("type"))
	switch kind {
	case "hook_system_message", "command_permissions", "auto_mode", "hook_cancelled", "hook_stopped_continuation",
		"hook_non_blocking_error", "hook_permission_decision", "structured_output", "dynamic_skill",
		"opened_file_in_ide_hidden", "already_read_file", "compaction_reminder_hidden", "max_turns_reached":
		return // only shown to the user or kept for the program, not sent
	case "deferred_tools_record":
		c.definitions(a.Get("entries"))
	case "task_reminder", "todo_reminder", "todo":
		c.reminder(a)
	case "hook_success":
		c.wrapped(core.User, phrase.Hook.Text(), a.Get("content"), 15)
	case "hook_additional_context":
		c.wrapped(core.User, phrase.Hook.Text(), a.Get("content"), 18)
	case "hook_blocking_error":
		c.wrapped(core.User, phrase.Hook.Text(), a.Path("blockingError", "blockingError"), 30)
	case "edited_text_file":
		c.ofFile(core.Documents, a.Get("filename"), a.Get("snippet"), 92)
	case "queued_command":
		c.wrapped(core.User, core.Text{}, a.Get("prompt"), 83)
	case "nested_memory":
		c.ofFile(core.Memory, a.Get("path"), a.Path("content", "content"), 30)
	case "deferred_tools_delta":
		c.deferred = true
		c.expectFirst()
		c.Emit(core.ToolsListed{Added: shortNames(a.Get("addedNames")), Removed: shortNames(a.Get("removedNames"))})
		c.wrapped(core.Tools, phrase.DeferredTools.Text(), lines(a, "addedNames", "addedLines"), 55)
	case "agent_listing_delta":
		c.wrapped(core.Agents, phrase.AttachedAgents.Text(), lines(a, "addedLines", "addedTypes"), 40)
	case "mcp_instructions_delta":
		c.wrapped(core.MCPTools, phrase.MCPInstructions.Text(), a.Get("addedBlocks"), 40)
	case "skill_listing":
		c.wrapped(core.Skills, phrase.AttachedSkills.Text(), a.Get("content"), 22)
	case "invoked_skills":
		c.members(core.Skills, a.Get("skills"), "content", 40)
	case "date_change":
		c.constant(phrase.DateChange.Text(), 37)
	case "total_tokens_reminder":
		c.budgetSent(nil)
	case "prompt_snapshot": // part of the first request, which measures it
		c.snapshot(a)
	case "instructions": // also part of the first request, unless the files have changed since
		if a.Get("changed").Bool() {
			c.changedInstructions(a)
		} else {
			c.instructions(a, nil)
		}
	case "plan_mode":
		c.constant(phrase.PlanMode.Text(), 1135)
	case "plan_mode_exit":
		c.constant(phrase.PlanMode.Text(), 60)
	case "compact_file_reference":
		c.ofFile(core.Documents, a.Get("filename"), a.Get("displayPath"), 45)
	case "file", "compact_file":
		c.file(a)
	case "directory":
		c.directory(a)
	case "read_truncation_notice":
		c.wrapped(core.User, core.Named("read truncation notice"), a.Get("banner"), 15)
	case "async_hook_response":
		c.wrapped(core.User, phrase.Hook.Text(), a.Path("response", "systemMessage"), 15)
		c.wrapped(core.User, phrase.Hook.Text(), a.Path("response", "hookSpecificOutput", "additionalContext"), 15)
	case "plan_mode_reentry":
		c.notice(kind, 320)
	case "workflow_keyword_request", "ultrathink_effort":
		c.notice(kind, 61)
	case "ultra_effort_enter":
		if a.Get("reminderType").Is("full") {
			c.notice(kind, 117)
		} else {
			c.notice(kind, 43)
		}
	case "ultra_effort_exit":
		c.notice(kind, 44)
	case "opened_file_in_ide":
		c.ofFile(core.User, a.Get("filename"), a.Get("filename"), 41)
	case "selected_lines_in_ide":
		c.ofFile(core.Documents, a.Get("filename"), a.Get("content"), 65)
	case "plan_file_reference":
		c.ofFile(core.Documents, a.Get("planFilePath"), a.Get("planContent"), 85)
	case "agent_mention":
		c.wrapped(core.User, core.Named("agent mention"), a.Get("agentType"), 57)
	case "diagnostics":
		c.wrapped(core.User, phrase.DiagnosticsItem.Text(), a.Get("files"), 40)
	default:
		// A kind of a newer version: its text is sent with some wrapper.
		content := a.Get("content")
		if content.Kind() == json.String {
			c.wrapped(core.User, core.Named(kind), content, 20)
		} else {
			c.Skip(a, phrase.UnknownAttachment.Text())
		}
	}
}

// shortNames returns the names in a list, at most as many as are read from a snapshot.
func shortNames(list json.Value) (names []string) {
	for e := list.Elements(); e.Next() && len(names) < reader.MaxTools; {
		if name := reader.Short(e.Value); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// lines returns the value of the first of two fields that exists.
func lines(a json.Value, first, second string) json.Value {
	if v := a.Get(first); v.Len() > 0 {
		return v
	}
	return a.Get(second)
}

// wrapped appends a text, or an array of texts joined by newlines, inside a wrapper of the given number of tokens. An
// empty text is not sent.
func (c *claudeCode) wrapped(kind core.Kind, label core.Text, content json.Value, wrapping int64) {
	item := reader.NewItem(kind)
	item.Label = label
	c.wrap(item, content, wrapping)
}

// ofFile is wrapped for the content of a file, or for a text about one.
func (c *claudeCode) ofFile(kind core.Kind, path, content json.Value, wrapping int64) {
	item := reader.NewItem(kind)
	item.About = reader.AboutFile(path)
	c.wrap(item, content, wrapping)
}

func (c *claudeCode) wrap(item core.Item, content json.Value, wrapping int64) {
	item.Wrapping = wrapping
	switch content.Kind() {
	case json.String:
		item.Text, c.Scratch = content.Text(c.Scratch)
	case json.Array:
		item.Text = c.joined(content)
	}
	if len(item.Text) > 0 {
		c.add(item)
	}
}

func (c *claudeCode) joined(list json.Value) []byte {
	text := c.Scratch[:0]
	for e := list.Elements(); e.Next(); {
		if len(text) > 0 {
			text = append(text, '\n')
		}
		switch e.Value.Kind() {
		case json.String:
			text = e.Value.AppendText(text)
		case json.Object:
			if t := e.Value.Get("text"); t.Exists() {
				text = t.AppendText(text)
			} else if e.Value.Get("type").Is("image") {
				continue
			} else {
				text = append(text, e.Value.Raw()...)
			}
		}
	}
	c.Scratch = text
	return text
}

// members appends one item for each element of a list.
func (c *claudeCode) members(kind core.Kind, list json.Value, field string, wrapping int64) {
	for e := list.Elements(); e.Next(); {
		item := reader.NewItem(kind)
		item.About = core.Subject{What: core.OfSkill, Name: reader.Short(e.Value.Get("name"))}
		c.wrap(item, e.Value.Get(field), wrapping)
	}
}

// constant appends a fixed text with a known size only.
func (c *claudeCode) constant(label core.Text, tokens int64) {
	item := reader.NewItem(core.User)
	item.Label = label
	item.Tokens = tokens
	item.Hidden = true
	c.add(item)
}

// notice appends a fixed text of the given number of tokens under the name of its attachment. Its size was counted in
// the shipped programs 2.1.170 to 2.1.226, which have the same text.
func (c *claudeCode) notice(kind string, tokens int64) {
	c.constant(core.Named(strings.ReplaceAll(kind, "_", " ")), tokens)
}

// directory reads the list of a mentioned directory. It is sent as a command and its result: the path is in the command
// and in its description.
func (c *claudeCode) directory(a json.Value) {
	item := reader.NewItem(core.Documents)
	item.About = reader.AboutFile(a.Get("path"))
	item.Wrapping = 77
	text := a.Get("path").AppendText(c.Scratch[:0])
	text = append(text, '\n')
	text = a.Get("path").AppendText(text)
	text = append(text, '\n')
	text = a.Get("content").AppendText(text)
	item.Text, c.Scratch = text, text
	c.add(item)
}

// reminder reads a reminder to keep the task list. If there is a list, it follows, with a line "#id. [status] subject"
// for each task.
func (c *claudeCode) reminder(a json.Value) {
	item := reader.NewItem(core.User)
	item.Label = phrase.TaskReminder.Text()
	switch v := reader.ParseVersion(c.Version); {
	case v.AtLeast("2.1.209"):
		item.Wrapping = 142
	case v.AtLeast("2.1.100"):
		item.Wrapping = 128
	default:
		item.Wrapping = 113
	}
	text := c.Scratch[:0]
	for e := a.Get("content").Elements(); e.Next(); {
		task := e.Value
		text = append(text, '#')
		text = task.Get("id").AppendText(text)
		text = append(text, ". ["...)
		text = task.Get("status").AppendText(text)
		text = append(text, "] "...)
		subject := task.Get("subject")
		if !subject.Exists() {
			subject = task.Get("content")
		}
		text = subject.AppendText(text)
		text = append(text, '\n')
	}
	if len(text) > 0 {
		item.Wrapping += 20
	}
	item.Text, c.Scratch = text, text
	c.add(item)
}

// file reads the content of a file that was mentioned, or attached again after a compaction. It is sent in the form of
// the Read tool.
func (c *claudeCode) file(a json.Value) {
	content := a.Get("content")
	if inner := content.Path("file", "content"); inner.Exists() {
		content = inner
	} else if inner := content.Get("content"); inner.Exists() {
		content = inner
	}
	item := c.TextItem(core.Documents, content)
	if len(item.Text) == 0 {
		return
	}
	item.About = reader.AboutFile(a.Get("filename"))
	// The record lacks the line numbers: a number and an arrow for each line.
	newlines := int64(0)
	for _, b := range item.Text {
		if b == '\n' {
			newlines++
		}
	}
	item.Wrapping = 60 + 2*newlines
	c.add(item)
}
