// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"context"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// Facts are the contents of a handover note: the requests, the open to-dos, the files touched, the failing commands and
// the last reply. No model writes the note; every word comes from the session.
type Facts struct {
	First  string   // the user's first request
	Latest string   // the user's last request; "" if that is the first
	Others []string // the user's requests in between, the newest first
	Todos  []Todo
	Files  []File
	Failed []Failure // the last one first
	Answer string    // the agent's last message after the latest request
	// Doing is what the agent did after that message without finishing; "" if nothing.
	Doing string
}

// A Todo is an entry of the agent's last to-do list.
type Todo struct {
	Text  string `json:"text"`
	State string `json:"state"` // open, doing, done
}

// A File is a file that the agent changed or read.
type File struct {
	Path    string `json:"path"`
	Changes int    `json:"changes"` // calls that changed it; 0 for a file that was only read
	Reads   int    `json:"reads"`
}

// A Failure is a command that failed and has not succeeded since.
type Failure struct {
	Command string `json:"command"`
	Exit    int    `json:"exit"`
	Output  string `json:"output"`
	Ago     int    `json:"ago"` // number of commands run since
}

// factsOf collects the facts of a conversation. It returns the error of ctx if that ends before.
func factsOf(ctx context.Context, c *Conversation) (*Facts, error) {
	f := &Facts{}
	f.requests(ctx, c)
	f.Todos = todos(ctx, c)
	f.Files = files(ctx, c)
	f.Failed = failures(ctx, c)
	return f, ctx.Err()
}

// requests sets the requests and the last reply.
func (f *Facts) requests(ctx context.Context, c *Conversation) {
	var asked []string
	last := -1
	for i, it := range c.items(ctx) {
		if words, ok := it.Request(); ok && !it.Dropped {
			asked, last = append(asked, words), i
		}
	}
	f.answer(c, last)
	if len(asked) == 0 {
		return
	}
	f.First = asked[0]
	// A request that a compaction or the user has repeated is listed once, where it was last.
	listed := map[string]bool{f.First: true}
	for _, words := range slices.Backward(asked) {
		switch {
		case listed[words]:
		case f.Latest == "":
			f.Latest = words
		default:
			f.Others = append(f.Others, words)
		}
		listed[words] = true
	}
}

// answer sets the agent's last message after a request, and what it did since.
func (f *Facts) answer(c *Conversation, request int) {
	answered, calls, last := -1, 0, -1
	for i := request + 1; i < len(c.Items); i++ {
		switch it := &c.Items[i]; {
		case it.Dropped:
		case it.Kind == core.Assistant && strings.TrimSpace(it.Text) != "":
			answered, calls = i, 0
		case it.Kind == core.ToolCalls:
			calls, last = calls+1, i
		}
	}
	if answered >= 0 {
		f.Answer = strings.TrimSpace(c.Items[answered].Text)
	}
	if calls > 0 {
		f.Doing = itemName(&c.Items[last], c.Workspace)
		if calls > 1 {
			f.Doing = plural(calls, "tool call", "tool calls") + ", the last one " + f.Doing
		}
	}
}

// itemName returns the name to show for a call or a result: the tool and its subject.
func itemName(it *Item, workspace string) string {
	tool, subject := it.Tool, it.About.Name
	if tool == "" {
		tool = it.Label
	}
	if server, name, ok := core.ServerTool(it.Tool); ok {
		tool, subject = "mcp:"+server, name
	} else if it.About.Holder != "" {
		tool = it.About.Holder
		if it.About.What == core.OfServer {
			tool = "mcp:" + tool
		}
	}
	if it.About.What == core.OfFile {
		subject = core.ShownPath(relative(subject, workspace), workspace)
	}
	name := strings.TrimSpace(tool + " " + subject)
	if name == "" {
		name = it.Kind.Label().English()
	}
	return core.OneLine(name)
}

// relative returns a path relative to the workspace if it is inside it, otherwise the path itself.
func relative(path, workspace string) string {
	path = strings.TrimPrefix(path, "./")
	if strings.Contains(workspace, `\`) { // on Windows, where both separators mean the same
		path, workspace = strings.ReplaceAll(path, `\`, "/"), strings.ReplaceAll(workspace, `\`, "/")
	}
	if workspace == "" || len(workspace) < 2 {
		return path
	}
	if rest, below := strings.CutPrefix(path, strings.TrimRight(workspace, "/")); below && rest != "" && rest[0] == '/' {
		return rest[1:]
	}
	return path
}
