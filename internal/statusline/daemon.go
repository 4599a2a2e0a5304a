// Copyright The ctx-lsp authors. MIT licence.

package statusline

import (
	"cmp"
	"context"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/ipc"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// daemonPatience is how long a daemon may take: about as long as reading the end of the transcript takes.
const daemonPatience = 15 * time.Millisecond

// daemonBehind is how long after a change a daemon may not have read it yet. An agent's message shows whether it has; a
// shell has no message, so the transcript is read instead.
const daemonBehind = 6 * time.Second

// askDaemon queries the daemon that this user's editors share. It returns nil unless one is running and has seen the
// same request as the agent.
func (p *Program) askDaemon(ctx context.Context, s *session) []byte {
	where, err := ipc.NewRendezvous(p.Getenv, ipc.BuildOf(p.Version))
	if err != nil {
		return nil
	}
	until := time.Now().Add(cmp.Or(p.DaemonPatience, daemonPatience))
	for _, socket := range where.Sockets() {
		if reading := askDaemonAt(ctx, socket, until, s); reading != nil {
			return reading
		}
	}
	return nil
}

// askDaemonAt queries one daemon; editors with different settings have different daemons.
func askDaemonAt(ctx context.Context, socket string, until time.Time, s *session) []byte {
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	conn, err := ipc.DialSocket(ctx, socket)
	if err != nil {
		return nil
	}
	defer conn.Close()
	if err := conn.SetDeadline(until); err != nil {
		return nil
	}
	daemon := client.OverStream(conn, conn)
	if _, err := daemon.Ask(ctx, "initialize", []byte(`{"capabilities":{}}`)); err != nil {
		return nil
	}
	reading, err := daemon.Reading(ctx, &api.ReadingParams{ID: s.id, Mode: api.Mode(s.mode)}).JSON()
	if err != nil {
		return nil
	}
	r, err := terminal.Parse(reading)
	if err != nil || r.LastRequest == nil || !s.measured(r.LastRequest.In) || !follow.SameModel(s.model, r.Model) || s.news(r) {
		return nil
	}
	return reading
}

// news reports whether a daemon does not know yet the window that the agent reports. It reads it when it next checks
// the files.
func (s *session) news(r *api.Reading) bool {
	switch r.LimitSource {
	case "user", "error", "agentNow", "setting":
		return false
	}
	return s.window > 0 && r.Limit != nil && *r.Limit != s.window
}

// measured reports whether the prompt of the agent's last request had this size. Without a message the daemon's number
// is used, because it is queried only if the files are older than daemonBehind.
func (s *session) measured(in int64) bool {
	if s.use != "" {
		return true
	}
	return s.provider != "" && agents.PromptOf(s.usage) == in
}
