// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// junie is JetBrains' own agent. Its events are what its screen shows, so most of what it sends is not recorded; the
// usage of each response is.
var junie = Agent{
	ID: agent.Junie, Home: Folder{Default: ".junie"},
	Places: Places{
		Roots: inHome(Root{Path: "sessions", List: listJunie}),
	},
	Records: Records{
		Store: &Store{
			List: listJunieFile, Write: writeJunie,
			Line: func(r json.Value) bool {
				kind := r.Get("kind")
				return r.Get("timestampMs").Exists() && (kind.Is("UserPromptEvent") || kind.Is("SessionA2uxEvent") || kind.Is("TaskStartedEvent"))
			},
		},
	},
	Process: Process{Programs: []string{"junie"}},
}

// listJunie lists sessions/<session>/events.jsonl.
func listJunie(root Root, see func(Candidate)) error {
	return eachFolder(root.Path, func(folder, id string) {
		seeFile(Candidate{Agent: root.Agent, Path: filepath.Join(folder, "events.jsonl"), Kind: transcript.Store, ID: id, Alone: true}, see)
	})
}

// listJunieFile returns the session of a file. Its directory is in the index of all sessions, otherwise in an event.
func listJunieFile(_ context.Context, path string) ([]transcript.Session, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	folder := filepath.Dir(path)
	s := transcript.Session{ID: filepath.Base(folder), Modified: info.ModTime()}
	_ = eachLine(filepath.Join(filepath.Dir(folder), "index.jsonl"), func(_ string, r json.Value) {
		if r.Get("sessionId").Is(s.ID) {
			transcript.SetText(&s.Workspace, r.Get("projectDir"))
		}
	})
	if s.Workspace == "" {
		err = eachLine(path, func(_ string, r json.Value) {
			if dir := r.Path("event", "agentEvent", "currentDirectory"); dir.TextLen() > 0 && s.Workspace == "" {
				transcript.SetText(&s.Workspace, dir)
			}
		})
	}
	return []transcript.Session{s}, err
}

// junieCall is the usage of a response, and where it is among the items.
type junieCall struct {
	usage transcript.StoreUsage
	at    int
}

// junieLog collects the events of a session.
type junieLog struct {
	session transcript.StoreSession
	items   []transcript.StoreItem
	calls   []junieCall
	reports map[int64]bool // sizes of the conversation's requests
	steps   map[string]int // the first item of each step
	over    map[int]string // where turns end
}

func writeJunie(_ context.Context, path, _ string, to *transcript.StoreWriter) error {
	log := junieLog{reports: map[int64]bool{}, steps: map[string]int{}, over: map[int]string{}}
	if err := eachLine(path, log.event); err != nil {
		return err
	}
	main := log.mainCalls()
	for n, call := range log.calls {
		if main[n] {
			log.session.Model = call.usage.Model
		}
	}
	to.Session(log.session)
	next := 0
	for n := 0; n <= len(log.items); n++ {
		for ; next < len(log.calls) && log.calls[next].at == n; next++ {
			usage := log.calls[next].usage
			usage.Side = !main[next]
			to.Usage(usage)
		}
		if key := log.over[n]; key != "" {
			to.Over(key)
		}
		if n < len(log.items) {
			to.Item(log.items[n])
		}
	}
	return nil
}

// mainCalls returns which requests are the conversation's. Others, such as those for titles, are recorded in the same
// way; but Junie reports the size of the window after a request of the conversation. Without any report, these are the
// requests to the model of the largest one.
func (l *junieLog) mainCalls() map[int]bool {
	main, largest := map[int]bool{}, transcript.StoreUsage{}
	for _, call := range l.calls {
		if call.usage.In > largest.In {
			largest = call.usage
		}
	}
	for n, call := range l.calls {
		main[n] = l.reports[call.usage.In] || len(l.reports) == 0 && call.usage.Model == largest.Model
	}
	return main
}

func (l *junieLog) event(line string, r json.Value) {
	at := max(whole(r.Get("timestampMs")), 0)
	switch kind := r.Get("kind"); {
	case kind.Is("UserPromptEvent"):
		key := cmp.Or(r.Get("requestId").String(), line)
		l.items = append(l.items, transcript.StoreItem{Key: key, Kind: "user", Text: r.Get("prompt").String(), At: at, Turn: true})
	case kind.Is("TaskState"):
		l.over[len(l.items)] = line
	case kind.Is("SessionA2uxEvent"):
		e := r.Path("event", "agentEvent")
		if of := e.Path("agent", "kind"); !of.Exists() || of.Is("MainAgent") {
			l.agentEvent(line, e, at)
		}
	}
	if l.session.At == 0 {
		l.session.At = at
	}
}

func (l *junieLog) agentEvent(line string, e json.Value, at int64) {
	switch kind := e.Get("kind"); {
	case kind.Is("CurrentDirectoryUpdatedEvent"):
		transcript.SetText(&l.session.CWD, e.Get("currentDirectory"))
	case kind.Is("AgentTaskNameUpdatedEvent"):
		l.session.Title = nameIn(e.Get("name").String())
	case kind.Is("ContextWindowReportEvent"):
		if used := whole(e.Get("used")); used > 0 {
			l.reports[used], l.session.Window = true, max(whole(e.Get("size")), 0)
		}
	case kind.Is("LlmResponseMetadataEvent"):
		n := 0
		for of := e.Get("modelUsage").Elements(); of.Next(); n++ {
			u := transcript.NewStoreUsage(line + "/" + strconv.Itoa(n))
			u.Read, u.Write, u.Out = whole(of.Value.Get("cacheInputTokens")), whole(of.Value.Get("cacheCreateTokens")), whole(of.Value.Get("outputTokens"))
			u.In = max(whole(of.Value.Get("inputTokens")), 0) + max(u.Read, 0) + max(u.Write, 0) // beside the cached part
			if u.Model, u.At = nameIn(of.Value.Get("model").String()), at; u.In > 0 {
				l.calls = append(l.calls, junieCall{u, len(l.items)})
			}
		}
	case kind.Is("AgentThoughtBlockUpdatedEvent"):
		l.step(e, transcript.StoreItem{Kind: "assistant", Text: e.Get("text").String(), At: at})
	case kind.Is("ResultBlockUpdatedEvent"):
		l.step(e, transcript.StoreItem{Kind: "assistant", Text: e.Get("result").String(), At: at})
	case kind.Is("TerminalBlockUpdatedEvent"):
		l.step(e, transcript.StoreItem{Kind: "toolCalls", Name: "terminal", Text: e.Get("command").String(), At: at},
			transcript.StoreItem{Kind: "toolResults", Name: "terminal", Text: e.Get("output").String(), Error: e.Get("status").Is("FAILED"), At: at})
	}
}

// step sets the items of a step. A step is recorded again as it goes on, and once more when the task ends.
func (l *junieLog) step(e json.Value, items ...transcript.StoreItem) {
	id := e.Get("stepId").String()
	step := id + " " + e.Get("kind").String()
	first, again := l.steps[step]
	if !again || id == "" {
		first = len(l.items)
		l.steps[step] = first
		l.items = append(l.items, items...)
	}
	for n, item := range items {
		item.Key, item.Call = cmp.Or(step, strconv.Itoa(first))+"/"+strconv.Itoa(n), id
		if again {
			item.At = l.items[first+n].At
		}
		l.items[first+n] = item
	}
}
