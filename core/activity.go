// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

// Activity is what an agent does, as a face shows it.
type Activity uint8

const (
	// ActivityUnsaid is no answer: what the records show counts.
	ActivityUnsaid Activity = iota
	// Working is a turn that runs: the model answers, or a tool does its work.
	Working
	// Waiting is a conversation in which the person's word comes next.
	Waiting
	// Idle is one that nobody has carried on for a while and that no process holds.
	Idle
	// Ended is one whose agent has gone, or a sub-agent that has answered.
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

// ActivityOf is the activity of a name.
func ActivityOf(name string) (Activity, bool) {
	for a := Working; a < activities; a++ {
		if a.String() == name {
			return a, true
		}
	}
	return ActivityUnsaid, false
}

// Live is true while somebody works or is waited for.
func (a Activity) Live() bool { return a == Working || a == Waiting }

// What an agent waits for.
const (
	ForApproval = "approval" // a permission that was asked for
	ForPrompt   = "prompt"   // the next thing to do
)

// TitleBy is whose words a title is; a higher one outlasts a lower one.
type TitleBy uint8

// The ones whose words a title may be.
const (
	BySummary TitleBy = iota // the agent summed the conversation up
	ByAgent                  // the agent named it
	ByPerson                 // the person, or the host, named it
	titlesBy
)

// maxTitle is how many bytes of a title are kept.
const maxTitle = 200

type (
	// TitleSeen is what the agent itself calls the conversation. It is never
	// a prompt's text.
	TitleSeen struct {
		Title string
		By    TitleBy
	}

	// BranchSeen is the branch that the agent works on, "" for none.
	BranchSeen struct{ Branch string }

	// ActivitySeen is what an agent does by its own record or its host's word.
	// It counts until the conversation goes on. Core has no clock and sees no
	// processes, so that only a host can tell that a session is idle.
	ActivitySeen struct {
		Activity Activity
		For      string // whom it waits for: ForApproval, ForPrompt or ""
		Since    int64  // Unknown for the time of the event
	}
)

func (TitleSeen) event()    {}
func (BranchSeen) event()   {}
func (ActivitySeen) event() {}

// activity is what is known of what an agent does.
type activity struct {
	declared    Activity // ActivityUnsaid once the conversation went on
	declaredFor string
	now         Activity
	nowFor      string
	since       int64 // when it began to do that; Unknown before anything had a time
	begun       int64 // when the work of this turn began; Unknown before
}

func newActivity() activity { return activity{since: Unknown, begun: Unknown} }

func (a *activity) walk(c *codec.Codec) {
	c.Names("declaredFor nowFor", &a.declaredFor, &a.nowFor)
	codec.Below(c, "declared", &a.declared, activities)
	codec.Below(c, "now", &a.now, activities)
	c.Ints("since begun", &a.since, &a.begun)
}

// applyTitle sets a title whose author ranks no lower than that of the present one. What it
// shows is one line without control characters, of bounded length.
func (s *Session) applyTitle(e TitleSeen) {
	title := oneLine(e.Title, maxTitle)
	if title == "" && e.By < ByPerson || s.Title != "" && e.By < s.titleBy {
		return
	}
	s.Title, s.titleBy = title, e.By
	if title == "" {
		s.titleBy = BySummary
	}
}

// OneLine is a title as it is shown: on one line, of bounded length.
func OneLine(title string) string { return oneLine(title, maxTitle) }

// oneLine is a text without line breaks, control characters and repeated
// blanks, cut between characters.
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

// applyActivity notes what a record or a host says of the agent.
func (s *Session) applyActivity(e ActivitySeen) {
	a := &s.activity
	a.declared, a.declaredFor = e.Activity, e.For
	if e.Activity != Waiting {
		a.declaredFor = ""
	}
	s.updateActivity()
	if e.Since != Unknown && e.Activity != ActivityUnsaid {
		a.since = e.Since
	}
}

// continues is true for an event that carries the conversation on, so that what
// was declared of the agent holds no longer.
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
		return !e.SideRequest && !e.Uncounted
	case TurnStarted, TurnEnded, Steered:
		return true
	}
	return false
}

// trackActivity keeps up with an event: what was declared counts until the conversation
// goes on.
func (s *Session) trackActivity(e Event) {
	if continues(e) {
		s.activity.declared = ActivityUnsaid
	}
	s.unread.follow(e)
	s.updateActivity()
}

// updateActivity finds out what the agent does now, and since when.
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
		a.since = a.begun // a turn works on behind each of its answers
	}
}

// doing is what an agent does by what was declared or, without a word, by what
// the records show.
func (s *Session) doing() (Activity, string) {
	a := &s.activity
	switch {
	case a.declared != ActivityUnsaid:
		return a.declared, a.declaredFor
	case s.isPending():
		return Working, ""
	case len(s.conversation.items) > 0 && s.conversation.items[len(s.conversation.items)-1].kind == ToolCalls && (s.turn.phase.open() || !s.turn.explicit):
		return Working, "" // the call runs, or its permission has been asked for unseen
	case s.Parent != "":
		return Ended, ""
	}
	return Waiting, ForPrompt
}
