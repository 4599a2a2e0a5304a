// Copyright The ctx-lsp authors. MIT licence.

// Package conversation reads the text of a session's conversation while a client views it. It neither stores nor logs
// any of it.
//
// The readers of core/agent decide what an item is, where a turn begins and where the conversation was compacted. This
// package keeps the items that they return, writes the handover note from them (Handover), and compares the items
// before a compaction with those that the agent kept (Forgotten).
package conversation

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/redact"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// An Item is one piece of the conversation, with its text.
type Item struct {
	Kind  core.Kind
	Tool  string // the full name of the tool that was called or returned a result
	Label string // the name of an item without a tool
	About core.Subject
	Text  string
	whole string // the text before Redact, if that removed something
	// Tokens is the size that the agent or its reader states, otherwise core.Unknown.
	Tokens int64
	At     int64 // milliseconds since 1970; 0 if unknown
	// Call is the index in Items of the call that a result belongs to, -1 if unknown.
	Call int
	// Failed marks a result that is recorded as an error.
	Failed bool
	// Exit is the exit code of a command if it is recorded separately from the output, otherwise nil.
	Exit *int
	// Spoken marks the user's first message in a turn.
	Spoken  bool
	Hidden  bool // an estimate of something that is not recorded
	Dropped bool // rewound or dropped, and so not sent again
	// AtRequest is the number of measured requests before it was appended.
	AtRequest int
	// Left is when it left the next request, in milliseconds since 1970, and LeftBy why; both are zero if it is sent.
	Left   int64
	LeftBy Leaving
	// LeftRequest is the number of measured requests before it left, and LeftItem that of items.
	LeftRequest, LeftItem int
	// Former is the text that a placeholder replaced, nil if none did.
	Former *Former
}

// A Boundary is a compaction.
type Boundary struct {
	At   int64
	Auto bool
	// Before are the indexes in Items of the window's content, and Kept of the items that stayed or were put back.
	Before, Kept []int
	// Along are the indexes of items recorded after the compaction with a time up to its own: the summary, and
	// attachments sent again. Only Claude Code records such times.
	Along []int
	// After is the index of the first item after the compaction.
	After int
	// Summary is the text that replaced the others, "" if it is not recorded.
	Summary string
	// Carried is the agent's own estimate of the messages that it keeps sending, at four characters a token; 0 if not
	// recorded.
	Carried int64
}

// A Conversation is a session with the texts of its items.
type Conversation struct {
	Agent, Version, Workspace, Branch, Title, Model, Provider string

	Items      []Item
	Boundaries []Boundary
	Turns      int
	Skipped    int // records that could not be understood
	Rewritten  int // how often the text of an item was replaced
	Last       int64

	reader agent.Reader
	live   []int // indexes in Items of the items that the reader refers to
	oldest int   // all items in live before this index are dropped
	now    int64
	// requests is the number of measured requests so far.
	requests     int
	lastMeasured string // the id of the last measured request's response
	// written is the time of the record being read, which may be earlier than now; 0 if unknown. Only Claude Code's
	// records need it.
	written int64
	turn    bool // the user's next message begins a turn
	exits   map[string]int
	titled  core.TitleBy
}

// ErrNothing means that a session contains no conversation.
var ErrNothing = errors.New("it contains no record of a conversation")

// Read reads a session from its beginning. progress, if set, is called with the number of bytes read so far.
func Read(ctx context.Context, s transcript.Session, progress func(bytes int64)) (*Conversation, error) {
	c, err := Follow(s).Next(ctx, progress)
	if err != nil {
		return nil, err
	}
	if title := sessions.Title(s); c.Title == "" {
		c.Title = title
	}
	return c, nil
}

// A Follower reads a session as it continues.
type Follower struct {
	session transcript.Session
	tail    transcript.Tail
	c       *Conversation
}

// Follow returns a Follower that has read nothing yet.
func Follow(s transcript.Session) *Follower {
	return &Follower{session: s, tail: agents.OpenTail(s), c: begin(s)}
}

// Next reads all records that were added, and returns the conversation: the same one, or another one if the transcript
// was rewritten. After an error the Follower is of no further use.
func (f *Follower) Next(ctx context.Context, progress func(bytes int64)) (*Conversation, error) {
	var batch transcript.Batch
	for {
		if err := f.tail.Next(ctx, &batch); err != nil {
			return nil, err
		}
		if batch.Reset {
			f.c = begin(f.session)
		}
		if batch.Count == 0 {
			break
		}
		if err := f.c.add(batch.Records()); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(f.tail.Position())
		}
	}
	if len(f.c.Items) == 0 {
		return nil, ErrNothing
	}
	return f.c, nil
}

func begin(s transcript.Session) *Conversation {
	c := &Conversation{Agent: s.Agent, Version: s.Version, Workspace: s.Workspace, exits: map[string]int{}}
	if s.Agent != "" {
		c.reader = agent.New(s.Agent)
	}
	return c
}

// add reads an array of records.
func (c *Conversation) add(records []byte) error {
	list, err := json.Parse(records)
	if err != nil {
		return fmt.Errorf("the records cannot be read: %w", err)
	}
	for e := list.Elements(); e.Next(); {
		c.record(e.Value)
	}
	return nil
}

func (c *Conversation) record(v json.Value) {
	if v.Get("skipped").Exists() && v.Len() == 1 {
		c.Skipped++
		return
	}
	if c.reader == nil {
		if c.Agent = agent.Recognise(v); c.Agent == "" {
			c.Skipped++
			return
		}
		c.reader = agent.New(c.Agent)
	}
	of := agents.Named(c.Agent)
	if of.ExitsBeside {
		c.noteExits(v)
	}
	c.written = 0
	if of.DatesRecords {
		if at, err := time.Parse(time.RFC3339, v.Get("timestamp").String()); err == nil {
			c.written = at.UnixMilli()
		}
	}
	c.reader.Record(v, c.take)
}

// noteExits stores the exit codes that OpenCode records next to a command's output, by the arguments of the call.
func (c *Conversation) noteExits(v json.Value) {
	if code, fault := v.Path("state", "metadata", "exit").Int64(); fault == json.NumberOK {
		c.exits[string(v.Path("state", "input").Raw())] = int(code)
	}
	for e := v.Get("parts").Elements(); e.Next(); {
		c.noteExits(e.Value)
	}
	for e := v.Get("messages").Elements(); e.Next(); {
		c.noteExits(e.Value)
	}
	if part := v.Get("part"); part.Kind() == json.Object {
		c.noteExits(part)
	}
}

// take applies one event.
func (c *Conversation) take(event core.Event) {
	switch e := event.(type) {
	case core.At:
		c.now, c.Last = e.Milliseconds, e.Milliseconds
	case core.AgentSeen:
		c.Agent, c.Version = e.Agent, e.Version
	case core.WorkspaceSeen:
		if c.Workspace == "" {
			c.Workspace = e.Path
		}
	case core.BranchSeen:
		c.Branch = e.Branch
	case core.TitleSeen:
		if c.Title == "" || e.By >= c.titled {
			c.Title, c.titled = e.Title, e.By
		}
	case core.ModelSet:
		c.model(e)
	case core.Metered:
		c.model(e.Model)
		c.measured(e.Request)
	case core.TurnStarted:
		c.turn = true
		c.Turns++
	case core.Appended:
		c.live = append(c.live, c.keep(&e.Item))
		c.late(len(c.Items) - 1)
	case core.Inserted:
		c.live = slices.Insert(c.live, min(max(e.Index, 0), len(c.live)), c.keep(&e.Item))
	case core.Replaced:
		c.replace(e.Index, &e.Item, !e.Reason.Empty())
	case core.Dropped:
		if e.Index >= 0 && e.Index < len(c.live) {
			c.drop(c.live[e.Index], Pruned)
		}
	case core.DroppedOldest:
		c.dropOldest(e.Items)
	case core.Truncated:
		if e.From >= 0 && e.From < len(c.live) {
			for _, at := range c.live[e.From:] {
				c.drop(at, Rewound)
			}
			c.live = c.live[:e.From]
			c.oldest = min(c.oldest, e.From)
		}
	case core.Compacted:
		c.compacted(&e)
	}
}

func (c *Conversation) model(m core.ModelSet) {
	if m.Model != "" {
		c.Model, c.Provider = m.Model, m.Provider
	}
}

// keep appends a copy of an item and returns its index.
func (c *Conversation) keep(it *core.Item) int {
	item := Item{
		Kind: it.Kind, Tool: it.Name, Label: it.Label.String(), About: it.About, Text: string(it.Text), Tokens: it.Tokens, At: c.now,
		Call: -1, Failed: it.Error, Hidden: it.Hidden, AtRequest: c.requests,
	}
	if at := it.Answers - 1; at >= 0 && at < len(c.live) {
		item.Call = c.live[at]
		if code, known := c.exits[c.Items[item.Call].Text]; known && c.Items[item.Call].Kind == core.ToolCalls {
			item.Exit = &code
		}
	}
	switch it.Kind {
	case core.User:
		item.Spoken, c.turn = c.turn, false
	case core.Assistant, core.ToolCalls:
		c.turn = false
	case core.Summary:
		if n := len(c.Boundaries); n > 0 && c.Boundaries[n-1].Summary == "" {
			c.Boundaries[n-1].Summary = item.Text
		}
	}
	c.Items = append(c.Items, item)
	return len(c.Items) - 1
}

// replace changes the text and size of an item, and nothing else. leaves is set if its former text leaves the prompt.
func (c *Conversation) replace(index int, it *core.Item, leaves bool) {
	if index < 0 || index >= len(c.live) {
		return
	}
	old := &c.Items[c.live[index]]
	if leaves && len(it.Text) < len(old.Text) {
		old.Former = &Former{Text: old.Text, Left: c.now, LeftRequest: c.requests, LeftItem: len(c.Items)}
	}
	c.Rewritten++
	old.Text, old.Tokens = string(it.Text), it.Tokens
	if old.Kind == core.Summary && len(c.Boundaries) > 0 && !it.Hidden {
		c.Boundaries[len(c.Boundaries)-1].Summary = old.Text
	}
}

// late sorts an item that the agent recorded after the last compaction with a time up to it. A response was in the
// window before the compaction and was kept: Claude Code records those that were not on disk yet this way. Anything
// else belongs to the compaction.
func (c *Conversation) late(at int) {
	it := &c.Items[at]
	n := len(c.Boundaries)
	if n == 0 || c.written <= 0 || c.written > c.Boundaries[n-1].At {
		return
	}
	b := &c.Boundaries[n-1]
	switch it.Kind {
	case core.Assistant, core.ToolCalls, core.ToolResults:
		b.Before, b.Kept = append(b.Before, at), append(b.Kept, at)
	default:
		b.Along = append(b.Along, at)
	}
}

func (c *Conversation) dropOldest(n int) {
	for ; n > 0 && c.oldest < len(c.live); c.oldest++ {
		if at := c.live[c.oldest]; !c.Items[at].Dropped {
			c.drop(at, Pruned)
			n--
		}
	}
}

func (c *Conversation) compacted(e *core.Compacted) {
	b := Boundary{At: c.now, Auto: e.Auto, Carried: e.Carried}
	for _, at := range c.live {
		if !c.Items[at].Dropped {
			b.Before = append(b.Before, at)
		}
	}
	last := max(0, len(c.live)-max(e.Kept, 0))
	var kept []int
	for _, i := range e.Remaining {
		if i >= 0 && i < last {
			kept = append(kept, c.live[i])
		}
	}
	kept = append(kept, c.live[last:]...)
	b.Kept = append(b.Kept, kept...)
	for _, i := range e.Again {
		if i >= 0 && i < len(c.live) {
			b.Kept = append(b.Kept, c.live[i])
		}
	}
	if agents.Named(c.Agent).AsksForSummary {
		b.Kept, b.Summary = nil, c.summing(kept)
		b.Before = b.Before[:max(0, len(b.Before)-len(kept))]
	}
	c.leaveExcept(kept)
	c.live, c.oldest, b.After = nil, 0, len(c.Items)
	c.Boundaries = append(c.Boundaries, b)
	for i := range e.Head {
		c.live = append(c.live, c.keep(&e.Head[i].Item))
	}
	c.live = append(c.live, kept...)
	if e.Summary != nil {
		summary := *e.Summary
		summary.Kind = core.Summary
		c.live = append(c.live, c.keep(&summary))
	}
}

// summing returns OpenCode's summary: the response to its own request for one, with which the conversation continues.
func (c *Conversation) summing(kept []int) string {
	var texts []string
	for _, at := range kept {
		if c.Items[at].Kind == core.Assistant {
			texts = append(texts, c.Items[at].Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Redact removes text that looks like a secret from everything others wrote. It runs before anything else uses the
// texts, because an excerpt of a secret may no longer look like one. It returns the error of ctx if that ends before.
func (c *Conversation) Redact(ctx context.Context, r *redact.Redactor) error {
	for _, it := range c.items(ctx) {
		if struck := r.Strike(it.Text); struck != it.Text {
			it.whole, it.Text = it.Text, struck
		}
		it.Label, it.About.Name, it.About.Holder = r.Strike(it.Label), r.Strike(it.About.Name), r.Strike(it.About.Holder)
	}
	for i := range c.Boundaries {
		c.Boundaries[i].Summary = r.Strike(c.Boundaries[i].Summary)
	}
	c.Title, c.Branch, c.Model = r.Strike(c.Title), r.Strike(c.Branch), r.Strike(c.Model)
	return ctx.Err()
}

// items returns the items with their indexes, until ctx ends: the conversation may have a million of them, and a client
// that has gone waits for none.
func (c *Conversation) items(ctx context.Context) iter.Seq2[int, *Item] {
	return func(yield func(int, *Item) bool) {
		for i := range c.Items {
			if i%64 == 0 && ctx.Err() != nil || !yield(i, &c.Items[i]) {
				return
			}
		}
	}
}

// Counted returns the text to count for the item's tokens: the one sent to the model, before Redact.
func (i *Item) Counted() string {
	if i.whole != "" {
		return i.whole
	}
	return i.Text
}
