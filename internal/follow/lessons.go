// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// Teach passes the learned corrections of earlier sessions to an engine.
func Teach(ctx context.Context, call client.Call, kept *state.Learned, now time.Time) error {
	numbers, err := kept.LoadAt(now)
	if err != nil || numbers == nil {
		return err
	}
	_, err = call.LearnedSet(ctx, &api.LearnedParams{Learned: json.RawMessage(numbers)}).JSON()
	return err
}

// KeepLessons adds the learned corrections of an engine's sessions to the saved ones. Without limits it leaves out
// those about windows and compaction thresholds.
func KeepLessons(ctx context.Context, call client.Call, kept *state.Learned, limits bool) error {
	answer, err := call.LearnedGet(ctx, &api.NoParams{}).JSON()
	if err != nil {
		return err
	}
	var numbers struct {
		Learned json.RawMessage `json:"learned"`
	}
	if err := json.Unmarshal(answer, &numbers); err != nil {
		return err
	}
	if limits {
		return kept.Keep(ctx, numbers.Learned)
	}
	return kept.KeepCorrections(ctx, numbers.Learned)
}
