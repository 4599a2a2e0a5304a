// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Windows returns the windows that agents have reported outside their records, such as [state.ReportedWindows].
type Windows interface {
	// Of returns the last window that the agent of a session has reported, or nil.
	Of(s transcript.Session) *state.ReportedWindow
	// Changed returns the time of the last change, for any session. It is called often, so it must be fast.
	Changed() time.Time
}

// reportedSince returns the Reading with a window that the agent has reported since the last Read, or nil.
func (f *Feed) reportedSince(ctx context.Context) ([]byte, error) {
	if f.Windows == nil || !f.opened || f.Parent != "" {
		return nil, nil
	}
	changed := f.Windows.Changed()
	if changed.Equal(f.windowsChanged) {
		return nil, nil
	}
	f.windowsChanged = changed
	if last := f.Windows.Of(f.Session); last == nil || last.Window == f.reported.Window && last.Model == f.reported.Model && last.Prompt == f.reported.Prompt {
		return nil, nil
	}
	return f.reading(ctx)
}

// withReported sends the window that the agent has reported to the engine, once, and returns the Reading after it. The
// model is sent too if it contradicts the records and was reported after the last of them: the user has changed it, and
// no request has recorded that yet. Otherwise a window of another model changes nothing. The same is true of a smaller
// prompt: after a rewind, nothing is recorded until the next request.
func (f *Feed) withReported(ctx context.Context, reading []byte) ([]byte, error) {
	if f.Windows == nil || !f.opened || f.Parent != "" {
		return reading, nil
	}
	last := f.Windows.Of(f.Session)
	if last == nil || last.Window <= 0 {
		return reading, nil
	}
	doc, err := json.Parse(reading)
	if err != nil {
		return reading, nil
	}
	changes := api.UpdateParams{ID: f.ID, AgentLimits: &api.Limits{Window: &last.Window}}
	if !SameModel(last.Model, doc.Get("model").String()) {
		if changes.Model = modelID(last.Model); changes.Model == "" || !f.isNewer(last, 0) {
			return reading, nil
		}
	}
	if in, _ := doc.Path("lastRequest", "in").Int64(); last.Prompt > 0 && last.Prompt < in && f.isNewer(last, reportedAfter) {
		at := api.Time(last.At.UnixMilli())
		changes.Reported, changes.ReportedAt = &last.Prompt, &at
	}
	// The engine forgets the window when the model changes.
	if known := doc.Get("limitSource"); changes.Model == "" && (changes.Reported == nil || last.Prompt == f.reported.Prompt) && last.Window == f.reported.Window && last.Model == f.reported.Model && (known.Is("agentNow") || known.Is("user") || known.Is("error")) {
		return reading, nil
	}
	f.reported = *last
	return f.call.Update(ctx, &changes).JSON()
}

// reportedAfter is how long after the last record a report must be to contradict its usage: an agent writes a record
// and sends a message at nearly the same time.
const reportedAfter = 2 * time.Second

// isNewer reports whether the agent has written nothing since some time before its report.
func (f *Feed) isNewer(last *state.ReportedWindow, by time.Duration) bool {
	info, err := os.Stat(f.Session.Path)
	return err == nil && last.At.After(info.ModTime().Add(by))
}

// modelID returns a model's identifier without the choice of a larger window; "" for a display name.
func modelID(name string) string {
	id, _, _ := strings.Cut(name, "[")
	if strings.ContainsAny(id, " \t") {
		return ""
	}
	return id
}

// SameModel reports whether two names may mean the same model. A status line may add a provider or the choice of a
// larger window, or use the display name.
func SameModel(a, b string) bool {
	plain := func(name string) string {
		name, _, _ = strings.Cut(name[strings.LastIndexByte(name, '/')+1:], "[")
		return strings.NewReplacer(" ", "-", ".", "-").Replace(strings.ToLower(strings.TrimSpace(name)))
	}
	a, b = plain(a), plain(b)
	return a == "" || b == "" || strings.Contains(a, b) || strings.Contains(b, a)
}
