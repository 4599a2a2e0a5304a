// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/telemetry"
)

// A collector is the flag --otlp: alone, or with an address.
type collector struct {
	on       bool
	endpoint string
}

func (c *collector) Type() string   { return "URL" }
func (c *collector) String() string { return c.endpoint }

func (c *collector) Set(s string) error {
	c.on, c.endpoint = s != "false", s
	if s == "true" || s == "false" {
		c.endpoint = ""
	}
	return nil
}

// measure starts sending the measurements of the followed sessions. Without an address they go to the collector that
// OpenTelemetry's variables name, otherwise to one on this machine.
func (l *live) measure(ctx context.Context, way shows) (*telemetry.Sender, error) {
	endpoint := l.flags.otlp.endpoint
	if endpoint == "" && !(telemetry.Settings{Getenv: l.env.Getenv}).Wanted() {
		endpoint = "http://localhost:4318"
	}
	flags := telemetryFlags{endpoint: endpoint, project: l.flags.project.value}
	history := func(session string) (*api.HistoryAnswer, error) {
		points := int64(1000)
		return client.Call(l.engine.Call).History(ctx, &api.HistoryParams{ID: session, Points: &points}).Read()
	}
	meter, sender, err := flags.open(l.env, false, history, func(sentence string, trouble bool) {
		if way != onScreen { // a message would be drawn over the screen
			fmt.Fprintln(l.env.Stderr, "ctx-lsp: "+sentence)
		}
	})
	l.meter = meter
	return sender, err
}

// measured passes the followed sessions to telemetry.
func (l *live) measured(update func(follow.Update)) func(follow.Update) {
	if l.meter == nil {
		return update
	}
	began := l.env.Now()
	return func(u follow.Update) {
		id := cmp.Or(u.ID, u.Session.ID)
		switch {
		case u.Removed:
			l.meter.Forget(id, true)
		case u.Reading != nil:
			l.meter.RecordReading(id, u.Reading, u.Session.Started.After(began))
		}
		update(u)
	}
}
