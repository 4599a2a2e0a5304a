// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
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
	if last := f.Windows.Of(f.Session); last == nil || last.Window == f.reported.Window && last.Model == f.reported.Model {
		return nil, nil
	}
	return f.reading(ctx)
}

// withReported sends the window that the agent has reported to the engine, once, and returns the Reading after it. It
// returns reading unchanged if nothing was reported for the session's current model.
func (f *Feed) withReported(ctx context.Context, reading []byte) ([]byte, error) {
	if f.Windows == nil || !f.opened || f.Parent != "" {
		return reading, nil
	}
	last := f.Windows.Of(f.Session)
	if last == nil || last.Window <= 0 {
		return reading, nil
	}
	doc, err := json.Parse(reading)
	if err != nil || !sameModel(last.Model, doc.Get("model").String()) {
		return reading, nil
	}
	// The engine forgets the window when the model changes.
	if known := doc.Get("limitSource"); last.Window == f.reported.Window && last.Model == f.reported.Model && (known.Is("agentNow") || known.Is("user") || known.Is("error")) {
		return reading, nil
	}
	f.reported = *last
	return f.call.Update(ctx, &api.UpdateParams{ID: f.ID, AgentLimits: &api.Limits{Window: &last.Window}}).JSON()
}

// sameModel reports whether two names may mean the same model. A status line may add a provider or the choice of a
// larger window, or use the display name.
func sameModel(a, b string) bool {
	plain := func(name string) string {
		name, _, _ = strings.Cut(name[strings.LastIndexByte(name, '/')+1:], "[")
		return strings.NewReplacer(" ", "-", ".", "-").Replace(strings.ToLower(strings.TrimSpace(name)))
	}
	a, b = plain(a), plain(b)
	return a == "" || b == "" || strings.Contains(a, b) || strings.Contains(b, a)
}
