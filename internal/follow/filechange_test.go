// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
)

// TestTimesOfChangedFilesReachTheSession checks that today's times pass the protocol and mark the number.
func TestTimesOfChangedFilesReachTheSession(t *testing.T) {
	ctx, core := context.Background(), api.New()
	call := client.Call(func(_ context.Context, method string, params []byte) ([]byte, error) {
		return bytes.Clone(core.Call(method, params)), nil
	})
	now := time.Now()
	at := api.Time(now.Add(-time.Minute).UnixMilli())
	call.Open(ctx, &api.OpenParams{ID: "s"})
	call.Update(ctx, &api.UpdateParams{ID: "s", At: &at})
	call.Usage(ctx, &api.UsageParams{ID: "s", Usage: json.RawMessage(`{"prompt_tokens":20000,"completion_tokens":10}`)})
	changed := &promptload.Loaded{ServersChanged: now, MemoryChanged: now}
	reading, err := call.Update(ctx, changed.Params("s")).JSON()
	var r struct{ Range api.Span }
	if err != nil || json.Unmarshal(reading, &r) != nil || r.Range.Cause.Text == "" {
		t.Errorf("%v: %v", r.Range.Cause, err)
	}
}
