// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Said is what an agent has said of its window besides its records, in its status line's message.
type Said struct {
	Window int64     `json:"window"`
	Model  string    `json:"model"` // the model, as the agent spells it
	At     time.Time `json:"at"`
}

// Says returns what agents have said of their windows.
type Says interface {
	// Of returns what the agent of a session has said last; nil if nothing.
	Of(s transcript.Session) *Said
	// Changed returns the time of the last change, for any session. It costs little, because it is called often.
	Changed() time.Time
}

// saidSince returns the Reading after what the agent has said since the last Read, nil if that is nothing new.
func (f *Feed) saidSince(ctx context.Context) ([]byte, error) {
	if f.Says == nil || !f.opened || f.Parent != "" {
		return nil, nil
	}
	changed := f.Says.Changed()
	if changed.Equal(f.saidChanged) {
		return nil, nil
	}
	f.saidChanged = changed
	if said := f.Says.Of(f.Session); said == nil || said.Window == f.said.Window && said.Model == f.said.Model {
		return nil, nil
	}
	return f.reading(ctx)
}

// withSaid passes on what the agent has said of its window, once, and returns the Reading after it. It returns the same
// Reading if nothing was said of the model that the session has now.
func (f *Feed) withSaid(ctx context.Context, reading []byte) ([]byte, error) {
	if f.Says == nil || !f.opened || f.Parent != "" || len(reading) == 0 {
		return reading, nil
	}
	said := f.Says.Of(f.Session)
	if said == nil || said.Window <= 0 {
		return reading, nil
	}
	doc, err := json.Parse(reading)
	if err != nil || !sameModel(said.Model, doc.Get("model").String()) {
		return reading, nil
	}
	// A change of the model has the engine forget it.
	if known := doc.Get("limitSource"); said.Window == f.said.Window && said.Model == f.said.Model && (known.Is("agentNow") || known.Is("user") || known.Is("error")) {
		return reading, nil
	}
	f.said = *said
	return f.call.Update(ctx, &api.UpdateParams{ID: f.ID, AgentLimits: &api.Limits{Window: &said.Window}}).JSON()
}

// sameModel reports whether two names may be of one model: a status line may name it with a provider, the choice of a
// larger window, or as people write it.
func sameModel(a, b string) bool {
	plain := func(name string) string {
		name, _, _ = strings.Cut(name[strings.LastIndexByte(name, '/')+1:], "[")
		return strings.NewReplacer(" ", "-", ".", "-").Replace(strings.ToLower(strings.TrimSpace(name)))
	}
	a, b = plain(a), plain(b)
	return a == "" || b == "" || strings.Contains(a, b) || strings.Contains(b, a)
}
