// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/ipc"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// daemonPatience is how long a daemon may take: about as long as reading the end of the transcript takes. Tests set
// more, because they may run on a busy machine.
var daemonPatience = 15 * time.Millisecond

// askDaemon asks the daemon that this user's editors share. It returns nil unless one runs and has seen the same
// request as the agent.
func askDaemon(ctx context.Context, env *environment, s *agentStatus) []byte {
	where, err := ipc.NewRendezvous(env.Getenv, ipc.BuildOf(currentVersion().Version))
	if err != nil {
		return nil
	}
	until := time.Now().Add(daemonPatience)
	for _, socket := range where.Sockets() {
		if reading := askDaemonAt(ctx, socket, until, s); reading != nil {
			return reading
		}
	}
	return nil
}

// askDaemonAt asks one daemon; editors that ask for different things have different daemons.
func askDaemonAt(ctx context.Context, socket string, until time.Time, s *agentStatus) []byte {
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
	daemon := daemonSocket{to: conn, from: bufio.NewReader(conn)}
	if _, err := client.Call(daemon.call).Ask(ctx, "initialize", []byte(`{"capabilities":{}}`)); err != nil {
		return nil
	}
	reading, err := client.Call(daemon.call).Reading(ctx, &api.ReadingParams{ID: s.session, Mode: api.Mode(s.mode)}).JSON()
	if err != nil {
		return nil
	}
	r, err := terminal.Parse(reading)
	if err != nil || r.LastRequest == nil || !s.measured(r.LastRequest.In) || s.news(r) {
		return nil
	}
	return reading
}

// news reports whether the window that the agent says is news to a daemon, which reads it at its next look at the
// files.
func (s *agentStatus) news(r *api.Reading) bool {
	switch r.LimitSource {
	case "user", "error", "agentNow":
		return false
	}
	return s.window > 0 && r.Limit != nil && *r.Limit != s.window
}

// measured says whether the prompt of the agent's last request had this size. Where no agent says anything, the daemon
// follows the session and is right.
func (s *agentStatus) measured(in int64) bool {
	if s.face != "" {
		return true
	}
	return s.provider != "" && agents.PromptOf(s.usage) == in
}

// A daemonSocket is a connection to a daemon, for one call at a time.
type daemonSocket struct {
	to   io.Writer
	from *bufio.Reader
	last int
}

// call is a client.Call: it makes one call and returns the daemon's answer. Notifications are skipped.
func (s *daemonSocket) call(_ context.Context, method string, params []byte) ([]byte, error) {
	s.last++
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.last, method, params)
	if _, err := fmt.Fprintf(s.to, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		return nil, err
	}
	for {
		header, err := textproto.NewReader(s.from).ReadMIMEHeader()
		if err != nil {
			return nil, err
		}
		length, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil || length < 0 || length > maxStatus {
			return nil, fmt.Errorf("the daemon sent a message of %q bytes", header.Get("Content-Length"))
		}
		text := make([]byte, length)
		if _, err := io.ReadFull(s.from, text); err != nil {
			return nil, err
		}
		var answer struct {
			ID     *int            `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		switch {
		case json.Unmarshal(text, &answer) != nil || answer.ID == nil || *answer.ID != s.last:
		case answer.Error != nil:
			return text, nil
		default:
			return append(append([]byte(`{"result":`), answer.Result...), '}'), nil
		}
	}
}
