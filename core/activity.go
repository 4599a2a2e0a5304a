// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

// Activity is an agent's activity, as front ends show it.
type Activity uint8

const (
	// ActivityUnreported means that no activity was declared: the records show it.
	ActivityUnreported Activity = iota
	// Working is a running turn: the model generates, or a tool runs.
	Working
	// Waiting is a conversation in which the user's message or approval comes next.
	Waiting
	// Idle is an inactive conversation that no process runs.
	Idle
	// Ended is a conversation whose agent has exited, or a sub-agent that is done.
	Ended
	activities
)

func (a Activity) String() string {
	switch a {
	case Working:
		return "working"
	case Waiting:
		return "waiting"
	case Idle:
		return "idle"
	case Ended:
		return "ended"
	}
	return ""
}

// ActivityOf returns the Activity with a name; ok is false if there is none.
func ActivityOf(name string) (Activity, bool) {
	for a := Working; a < activities; a++ {
		if a.String() == name {
			return a, true
		}
	}
	return ActivityUnreported, false
}

// Live reports whether the agent is working or waiting for the user.
func (a Activity) Live() bool { return a == Working || a == Waiting }

// The reasons why an agent waits.
const (
	ForApproval = "approval" // a permission that was requested
	ForPrompt   = "prompt"   // the next thing to do
)

// TitleBy is the author of a title; a title by a higher one is not replaced by a lower one's.
type TitleBy uint8

// The authors of titles.
const (
	BySummary TitleBy = iota // the agent summarized the conversation
	ByAgent                  // the agent named it
	ByUser                   // the user or the host named it
	titlesBy
)

// maxTitle bounds a title, in bytes.
const maxTitle = 200

type (
	// TitleSeen is the agent's own title of the conversation. It is never a prompt's text.
	TitleSeen struct {
		Title string
		By    TitleBy
	}

	// BranchSeen is the branch that the agent works on, "" if there is none.
	BranchSeen struct{ Branch string }

	// ActivitySeen is an agent's activity as declared by its record or its host. It applies until the conversation
	// continues. Core has no clock and sees no processes, so only a host can report that a session is idle.
	ActivitySeen struct {
		Activity Activity
		For      string // ForApproval, ForPrompt, or "" unless it waits
		Since    int64  // Unknown to use the time of the event
	}
)

func (TitleSeen) event()    {}
func (BranchSeen) event()   {}
func (ActivitySeen) event() {}

// activity is the current activity of an agent.
type activity struct {
	declared    Activity // ActivityUnreported once the conversation continued
	declaredFor string
	now         Activity
	nowFor      string
	since       int64 // when now began; Unknown before any event had a time
	begun       int64 // when the work of this turn began; Unknown before
}

func newActivity() activity { return activity{since: Unknown, begun: Unknown} }

func (a *activity) walk(c *codec.Codec) {
	c.Names("declaredFor nowFor", &a.declaredFor, &a.nowFor)
	codec.Below(c, "declared", &a.declared, activities)
	codec.Below(c, "now", &a.now, activities)
	c.Ints("since begun", &a.since, &a.begun)
}

// applyTitle sets a title if its author does not rank below the present title's. It is stored as one line without
// control characters, of bounded length.
func (s *Session) applyTitle(e TitleSeen) {
	title := oneLine(e.Title, maxTitle)
	if title == "" && e.By < ByUser || s.Title != "" && e.By < s.titleBy {
		return
	}
	s.Title, s.titleBy = title, e.By
	if title == "" {
		s.titleBy = BySummary
	}
}

// OneLine returns a title as it is shown: on one line, of bounded length.
func OneLine(title string) string { return oneLine(title, maxTitle) }

// oneLine returns a text without line breaks, control characters and repeated blanks, cut at a character boundary to at
// most most bytes.
func oneLine(text string, most int) string {
	out := make([]byte, 0, min(len(text), most))
	for _, r := range text {
		if r <= ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 {
			if n := len(out); n > 0 && out[n-1] != ' ' {
				out = append(out, ' ')
			}
			continue
		}
		if len(out)+utf8.RuneLen(r) > most {
			break
		}
		out = append(out, string(r)...)
	}
	for len(out) > 0 && out[len(out)-1] == ' ' {
		out = out[:len(out)-1]
	}
	return string(out)
}

// applyActivity records an activity that a record or a host declared.
func (s *Session) applyActivity(e ActivitySeen) {
	a := &s.activity
	a.declared, a.declaredFor = e.Activity, e.For
	if e.Activity != Waiting {
		a.declaredFor = ""
	}
	s.updateActivity()
	if e.Since != Unknown && e.Activity != ActivityUnreported {
		a.since = e.Since
	}
}

// continues reports whether an event continues the conversation, so that a declared activity no longer applies.
func continues(e Event) bool {
	carries := func(it *Item) bool {
		return !it.Hidden && (it.Kind == User || it.Kind == ToolResults || it.Kind.Reply())
	}
	switch e := e.(type) {
	case *Appended:
		return carries(&e.Item)
	case Appended:
		return carries(&e.Item)
	case Metered:
		return !e.SideRequest && !e.Own
	case TurnStarted, TurnEnded, Steered:
		return true
	}
	return false
}

// trackActivity updates the activity after an event. A declared activity applies until the conversation continues.
func (s *Session) trackActivity(e Event) {
	if continues(e) {
		s.activity.declared = ActivityUnreported
	}
	s.unread.observe(e)
	s.updateActivity()
}

// updateActivity determines the current activity and when it began.
func (s *Session) updateActivity() {
	a := &s.activity
	now, whatFor := s.doing()
	if now == a.now && whatFor == a.nowFor {
		if a.since == Unknown {
			a.since = s.now
		}
		return
	}
	a.now, a.nowFor, a.since = now, whatFor, s.now
	if now == Working {
		if a.begun == Unknown {
			a.begun = s.now
		}
		a.since = a.begun // a turn keeps working after each of its responses
	}
}

// doing returns the declared activity, or the one that the records show if none was declared.
func (s *Session) doing() (Activity, string) {
	a := &s.activity
	switch {
	case a.declared != ActivityUnreported:
		return a.declared, a.declaredFor
	case s.isPending():
		return Working, ""
	case len(s.conversation.items) > 0 && s.conversation.items[len(s.conversation.items)-1].kind == ToolCalls && (s.turn.phase.open() || !s.turn.explicit):
		return Working, "" // the call runs, or waits for an approval that no record shows
	case s.Parent != "":
		return Ended, ""
	}
	return Waiting, ForPrompt
}
